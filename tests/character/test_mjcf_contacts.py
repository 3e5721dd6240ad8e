"""Contact circles of geoms: as low as the shape is, however the link turns; and which geoms touch the ground."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from planar_models import GYMNASIUM, compiled

from ctrlgraph.character.mjcf import load_mjcf, parse_mjcf
from ctrlgraph.character.mjcf.contact_circles import CORNER_RADIUS, Frame, contact_circles
from ctrlgraph.kernels.planar.collision import shapes_of


def identity() -> Frame:
    """Return the frame of the world."""
    return Frame(np.zeros(3), np.eye(3))


MODEL = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="9 9 1" {floor}/>
    <body name="trunk" pos="0 0 3">
      <joint name="rx" type="slide" axis="1 0 0"/>
      <joint name="rz" type="slide" axis="0 0 1"/>
      <joint name="ry" axis="0 1 0"/>
      <geom name="shape" {shape}/>
      <body name="leg" pos="0 0 .8">
        <joint name="hip" axis="0 1 0" range="-60 60"/>
        <geom name="ball" size=".01" contype="0" conaffinity="0"/>
      </body>
    </body>
  </worldbody>
  {rest}
</mujoco>"""

_sizes = st.lists(st.floats(0.03, 0.4).map(lambda x: round(x, 3)), min_size=3, max_size=3)
_turns = st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=4, max_size=4).filter(
    lambda q: sum(x * x for x in q) > 0.1
)


def lowest_points(shape: str, angle: float) -> tuple[float, float, float]:
    """How low a shape is when its link is turned: by its circles, by MuJoCo, and how long it is at the most."""
    text = MODEL.format(shape=shape, floor="", rest="")
    character = parse_mjcf(text)
    trunk = character.links[0]
    circles = min(
        c.y * math.cos(angle) - c.x * math.sin(angle) - c.radius for c in trunk.contacts
    )  # clockwise, from the centre of mass
    model, data = compiled(text)
    data.qpos[2] = angle
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    fromto = np.zeros(6)
    floor, geom = model.geom("floor").id, model.geom("shape").id
    distance = mujoco.mj_geomDistance(model, data, geom, floor, 20.0, fromto)
    return circles, distance - data.xipos[model.body("trunk").id][2], 2 * float(model.geom_rbound[geom])


def _text(values: list[float]) -> str:
    return " ".join(map(repr, values))


@given(st.sampled_from(["sphere", "capsule"]), _sizes, _turns, st.floats(-3, 3))
def test_spheres_and_capsules_touch_exactly_where_mujoco_says(shape, sizes, turn, angle) -> None:
    found, true, _ = lowest_points(f'type="{shape}" size="{_text(sizes)}" quat="{_text(turn)}"', angle)
    assert found == pytest.approx(true, abs=1e-8)


@given(st.sampled_from(["box", "cylinder", "ellipsoid"]), _sizes, _turns, st.floats(-3, 3))
def test_other_shapes_touch_within_the_bounds_that_are_promised(shape, sizes, turn, angle) -> None:
    """Never lower than the shape; higher by the rounding of a corner at the most, or by a share of the size."""
    found, true, length = lowest_points(f'type="{shape}" size="{_text(sizes)}" quat="{_text(turn)}"', angle)
    promised = {
        "box": (math.sqrt(2) - 1) * CORNER_RADIUS,  # no corner that is seen is sharper than a right angle
        "cylinder": (math.sqrt(2) - 1) * CORNER_RADIUS + 0.02 * sizes[0],
        "ellipsoid": 0.013 * length / 2,
    }[shape]
    assert -1e-4 <= found - true <= promised + 1e-4  # MuJoCo's own distances of cylinders are iterated


@pytest.mark.parametrize("angle", [0.0, math.pi / 2, math.pi])
def test_a_box_rests_on_its_faces_exactly(angle: float) -> None:
    found, true, _ = lowest_points('type="box" size=".1 .2 .3"', angle)
    assert found == pytest.approx(true, abs=1e-12)


@given(_sizes, st.integers(0, 2))
def test_circles_of_a_box_in_the_plane_are_small_and_inside_of_it(sizes, thin) -> None:
    sizes[thin] = 0.001
    circles = contact_circles("box", sizes, identity())
    assert len(circles) == 4
    for x, z, radius in circles:
        assert 1e-4 <= radius <= CORNER_RADIUS
        assert abs(x) + radius <= sizes[0] * (1 + 1e-12)
        assert abs(z) + radius <= sizes[2] * (1 + 1e-12)


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        ("box", (1e-6, 1e-6, 1e-6)),
        ("box", (1e-6, 100.0, 100.0)),
        ("cylinder", (1e-6, 100.0)),
        ("ellipsoid", (1e-6, 1.0, 100.0)),
    ],
)
def test_no_circle_is_smaller_than_a_character_may_have(shape: str, size: tuple[float, ...]) -> None:
    tilted = Frame(np.zeros(3), np.linalg.qr(np.arange(9.0).reshape(3, 3) + np.eye(3))[0])
    for frame in (identity(), tilted):
        circles = contact_circles(shape, size, frame)
        assert circles and all(radius >= 1e-4 and math.isfinite(x + z) for x, z, radius in circles)


def test_a_capsule_is_two_neighbouring_circles_and_one_that_is_seen_from_its_end_one() -> None:
    assert contact_circles("capsule", (0.1, 0.5), identity()) == [(0.0, -0.5, 0.1), (0.0, 0.5, 0.1)]
    across = Frame(np.zeros(3), np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]))
    for shape in ("capsule", "cylinder"):
        assert contact_circles(shape, (0.1, 0.5), across) == [(0.0, 0.0, 0.1)]
    foot = load_mjcf(GYMNASIUM / "hopper.xml")
    assert shapes_of(foot).link.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


# --- which geoms touch ---


def touches(shape: str, floor: str, rest: str) -> tuple[bool, bool]:
    """Whether the trunk has circles, and whether MuJoCo finds contacts where it stands in the floor."""
    text = MODEL.format(shape=f'size=".1" {shape}', floor=floor, rest=rest)
    model, data = compiled(text)
    data.qpos[1] = -3.0
    mujoco.mj_forward(model, data)
    return bool(parse_mjcf(text).links[0].contacts), data.ncon > 0


@pytest.mark.parametrize(
    ("shape", "floor", "rest"),
    [
        ("", "", ""),
        ('contype="0" conaffinity="0"', "", ""),
        ('contype="2" conaffinity="0"', "", ""),
        ('contype="2" conaffinity="4"', 'contype="4" conaffinity="1"', ""),
        ('contype="2" conaffinity="4"', 'contype="3" conaffinity="2"', ""),
        ('contype="1" conaffinity="0"', 'contype="1" conaffinity="0"', ""),
        ("", "", '<contact><exclude body1="trunk" body2="leg"/></contact>'),
    ],
)
def test_a_geom_has_circles_where_mujoco_finds_its_contacts_with_the_floor(shape: str, floor: str, rest: str) -> None:
    ours, theirs = touches(shape, floor, rest)
    assert ours == theirs


def test_without_a_floor_one_is_assumed() -> None:
    text = MODEL.format(shape='size=".1"', floor="", rest="").replace(
        '<geom name="floor" type="plane" size="9 9 1" />', ""
    )
    assert "floor" not in text
    assert parse_mjcf(text).links[0].contacts
    assert not parse_mjcf(text.replace('size=".1"', 'size=".1" contype="2" conaffinity="2"')).links[0].contacts
