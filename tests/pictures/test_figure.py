"""A pose as outlines: geometry, sides, order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.character.planar_model import ContactPoint, PlanarCharacter
from ctrlgraph.pictures.planar.figure import Figure, ground_polyline, is_level
from ctrlgraph.pictures.style import FAR, NEAR, TRUNK
from ctrlgraph.terrain.terrain import Terrain, terrain_of
from tests.pictures.posing import humanoid, pose

CHARACTER = humanoid()
FIGURE = Figure.of(CHARACTER)


def ground_of(*points: tuple[float, float]) -> Terrain:
    return terrain_of("ground", points, 1.0)


def reference(character: PlanarCharacter = CHARACTER) -> tuple[np.ndarray, np.ndarray]:
    return np.array([(link.x, link.y) for link in character.links]), np.zeros(len(character.links))


def extent(figure: Figure, position: np.ndarray, angle: np.ndarray) -> list[float]:
    found: list[float] = figure.extents(position[None], angle[None])[0].tolist()
    return found


def test_the_upright_figure_stands_on_the_ground_and_is_as_tall_as_the_character() -> None:
    _, _, bottom, top = extent(FIGURE, *reference())
    assert bottom == pytest.approx(0.0, abs=1e-9)
    assert top == pytest.approx(1.74, abs=0.01)


def test_limbs_are_drawn_from_the_far_arm_to_the_near_arm() -> None:
    limbs = [{CHARACTER.link_names[i] for i in limb} for limb in FIGURE.limbs]
    assert list(zip(limbs, FIGURE.colours, strict=True)) == [
        ({"lArm", "lForearm", "lHand"}, FAR),
        ({"lThigh", "lShin", "lFoot"}, FAR),
        ({"head", "neck", "uTorso", "lTorso", "pelvis"}, TRUNK),
        ({"rThigh", "rShin", "rFoot"}, NEAR),
        ({"rArm", "rForearm", "rHand"}, NEAR),
    ]


def test_a_positive_angle_turns_clockwise() -> None:
    n = len(CHARACTER.links)
    position, angle = np.zeros((n, 2)), np.full(n, np.pi / 2)
    head = CHARACTER.link_index("head")
    assert head is not None
    upright = FIGURE.outlines[head]
    drawn = FIGURE.polygons(position, angle)[2 * sum(map(len, FIGURE.limbs[:2])) + list(FIGURE.limbs[2]).index(head)]
    np.testing.assert_allclose(drawn, np.column_stack([upright[:, 1], -upright[:, 0]]), atol=1e-12)


@given(st.floats(-3, 3), st.floats(-2, 2), st.floats(-5, 5))
def test_an_outline_covers_every_contact_circle_in_every_pose(hip: float, root: float, shift: float) -> None:
    position, angle = pose(CHARACTER, {"rHip": hip, "lShoulder": -hip}, root)
    left, right, bottom, top = extent(FIGURE, position + np.array([shift, 0.0]), angle)
    for i, link in enumerate(CHARACTER.links):
        for circle in link.contacts:
            cosine, sine = np.cos(angle[i]), np.sin(angle[i])
            x = position[i, 0] + shift + circle.x * cosine + circle.y * sine
            y = position[i, 1] - circle.x * sine + circle.y * cosine
            reach = circle.radius * np.cos(np.pi / 24)  # circles are drawn as polygons of 24 corners
            assert left <= x - reach and x + reach <= right
            assert bottom <= y - reach and y + reach <= top


def test_neighbours_meet_in_their_joint_in_every_pose() -> None:
    position, angle = pose(CHARACTER, {joint.name: 0.7 for joint in CHARACTER.joints}, 0.3)
    polygons = {}
    drawn = iter(FIGURE.polygons(position, angle))
    for limb in FIGURE.limbs:
        for _ in range(2):
            for i in limb:
                polygons[i] = next(drawn)
    for joint in CHARACTER.joints:
        x0, y0 = CHARACTER.links[joint.child].x, CHARACTER.links[joint.child].y
        a = angle[joint.child]
        dx, dy = joint.x - x0, joint.y - y0
        hinge = position[joint.child] + (dx * np.cos(a) + dy * np.sin(a), -dx * np.sin(a) + dy * np.cos(a))
        for link in (joint.parent, joint.child):
            assert _inside(polygons[link], hinge), joint.name


def _inside(polygon: np.ndarray, point: np.ndarray) -> bool:
    after = np.roll(polygon, -1, axis=0)
    edges, to_point = after - polygon, point - polygon
    return bool((edges[:, 0] * to_point[:, 1] - edges[:, 1] * to_point[:, 0] >= -1e-9).all())


def test_a_link_without_contacts_and_joints_is_its_box_with_round_ends() -> None:
    link = replace(CHARACTER.links[0], contacts=(), height=0.4, width=0.1, x=0.0, y=0.0)
    stick = PlanarCharacter("stick", (link,), (), {}, {})
    left, right, bottom, top = extent(Figure.of(stick), np.zeros((1, 2)), np.zeros(1))
    assert (left, right, bottom, top) == pytest.approx((-0.05, 0.05, -0.2, 0.2))


def test_a_ball_is_round() -> None:
    link = replace(CHARACTER.links[0], contacts=(ContactPoint(0, 0, 0.1),), height=0.2, width=0.2)
    ball = Figure.of(PlanarCharacter("ball", (link,), (), {}, {}))
    np.testing.assert_allclose(np.hypot(*ball.outlines[0].T), 0.1, atol=1e-12)


def test_without_a_terrain_the_ground_is_flat() -> None:
    xs, ys = ground_polyline(None, -1.0, 2.0)
    assert xs.tolist() == [-1.0, 2.0]
    assert ys.tolist() == [0.0, 0.0]
    assert is_level(None)


def test_the_ground_between_two_x_keeps_its_corners_and_its_walls() -> None:
    ground = ground_of((0, 0), (1, 0), (1, 0.2), (3, 0.2))
    xs, ys = ground_polyline(ground, 0.5, 2.0)
    assert xs.tolist() == [0.5, 1.0, 1.0, 2.0]
    assert ys.tolist() == pytest.approx([0.0, 0.0, 0.2, 0.2])
    assert not is_level(ground)


@pytest.mark.parametrize(("x", "height"), [(-2.0, -0.2), (0.5, 0.05), (5.0, 0.5)])
def test_the_ground_goes_on_in_the_slope_of_its_ends(x: float, height: float) -> None:
    _, ys = ground_polyline(ground_of((0, 0), (1, 0.1)), x, x + 1e-9)
    assert ys[0] == pytest.approx(height)
