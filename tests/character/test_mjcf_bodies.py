"""MuJoCo models compiled by us: masses, places, inertias, joints and motions, as MuJoCo's own compiler has them."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from planar_models import GYMNASIUM, compiled, kinetic_energy, link_motion, rigid_bodies, set_pose

from ctrlgraph.character.mjcf import load_mjcf, parse_mjcf
from ctrlgraph.character.model import Character

CLOSE = 1e-9
OF_OTHERS = ("hopper.xml", "walker2d.xml", "walker2d_v5.xml", "half_cheetah.xml")


def assert_same_bodies(character: Character, text: str) -> None:
    """Masses, centres of mass, inertias, anchors and limits are those that MuJoCo compiles."""
    model, data = compiled(text)
    rigid = rigid_bodies(model, data)
    assert list(rigid) == list(character.link_names)
    raised = rigid[character.links[0].name].centre[1] - character.links[0].y
    for link in character.links:
        true = rigid[link.name]
        assert link.mass == pytest.approx(true.mass, rel=CLOSE)
        assert (link.x, link.y + raised) == pytest.approx(tuple(true.centre), abs=CLOSE)
        assert link.inertia == pytest.approx(true.inertia, rel=CLOSE, abs=1e-12)
    for joint in character.joints:
        j = model.joint(joint.name).id
        sign, reference = math.copysign(1.0, data.xaxis[j][1]), model.qpos0[model.jnt_qposadr[j]]
        assert (joint.x, joint.y + raised) == pytest.approx(tuple(data.xanchor[j][[0, 2]]), abs=CLOSE)
        limits = sorted(sign * (bound - reference) for bound in model.jnt_range[j])
        assert (joint.lower, joint.upper) == pytest.approx(tuple(limits), abs=CLOSE)
        child, parent = character.links[joint.child].name, character.links[joint.parent].name
        assert model.body(model.jnt_bodyid[j]).name == child
        above = model.body_weldid[model.body_parentid[model.jnt_bodyid[j]]]
        assert model.body(above).name == parent


@pytest.mark.parametrize("name", OF_OTHERS)
def test_models_of_others_are_read_as_they_are(name: str) -> None:
    assert_same_bodies(load_mjcf(GYMNASIUM / name), (GYMNASIUM / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", OF_OTHERS)
def test_models_of_others_move_as_in_mujoco(name: str) -> None:
    """In any pose the links lie where MuJoCo has the bodies, and in any motion they have the energy that it says."""
    character = load_mjcf(GYMNASIUM / name)
    model, data = compiled((GYMNASIUM / name).read_text(encoding="utf-8"))
    model.dof_armature[:] = 0.0
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    raised = data.xipos[1][2] - character.links[0].y
    rng = np.random.default_rng(5)
    for _ in range(5):
        angles, rates = rng.uniform(-1, 1, len(character.joints)), rng.uniform(-3, 3, len(character.joints))
        root = np.array([*rng.uniform(-1, 1, 2), rng.uniform(-3, 3)])
        set_pose(model, data, character, angles, rates, root)
        # the root of these models turns about the origin of its body, ours about its centre of mass
        mujoco.mj_forward(model, data)
        root[:2] = data.xipos[1][[0, 2]] - (character.links[0].x, character.links[0].y)
        poses, velocities = link_motion(character, angles, rates, root)
        for i, link in enumerate(character.links):
            body = model.body(link.name).id
            assert poses[i, :2] == pytest.approx(data.xipos[body][[0, 2]], abs=CLOSE)
            assert poses[i, 2] == pytest.approx(root[2] + _turned(character, i, angles))
        assert kinetic_energy(character, velocities) == pytest.approx(data.energy[1], rel=1e-6)
    assert raised >= 0.0


def _turned(character: Character, link: int, angles: np.ndarray) -> float:
    """How far a link is turned against the root: the sum of the angles on the way."""
    above = {joint.child: (joint.parent, j) for j, joint in enumerate(character.joints)}
    total = 0.0
    while link in above:
        link, j = above[link]
        total += float(angles[j])
    return total


# --- what models are written with ---

ROOT = """
      <joint name="rx" type="slide" axis="1 0 0"/>
      <joint name="rz" type="slide" axis="0 0 1"/>
      <joint name="ry" axis="0 1 0"/>"""


def two_links(leg: str, *, root: str = "", around: str = "", world: str = "", attributes: str = "") -> str:
    """A model of a trunk and a leg: what stands in the leg, in the trunk beside its joints, and around the bodies."""
    return f"""<mujoco>
  {around}
  <worldbody>
    {world}
    <body name="trunk" pos=".1 0 1" {attributes}>{ROOT}
      <geom type="box" size=".1 .1 .3"/>{root}
      <body name="leg" pos="0 0 -.3">
        {leg}
      </body>
    </body>
  </worldbody>
</mujoco>"""


HINGE = '<joint name="hip" axis="0 1 0" range="-60 60" actuatorfrcrange="-50 50"/>'
LEG = f'{HINGE}<geom type="capsule" fromto="0 0 0 0.1 .05 -.4" size=".05"/>'


RADIANS = '<compiler eulerseq="{}" angle="radian" boundmass="{}"/>'
CLASSES = """<default>
    <geom density="10"/>
    <default class="a">
      <geom type="capsule" euler="0 90 0" size=".2 .3 .1"/>
      <default class="b"><geom type="box" quat="1 .2 0 0"/></default>
    </default>
    <joint range="-.5 .5"/>
  </default>"""
INERTIAL = '<inertial pos="0 .1 -.2" mass="3" {}/>'

WRITTEN = [
    two_links(LEG),
    two_links(LEG.replace('range="-60', 'ref="10" range="-60')),
    two_links(LEG).replace('name="leg"', 'name="leg" euler="0 40 0"'),
    two_links(LEG.replace("0 1 0", "0 0 -1")).replace('name="leg"', 'name="leg" quat="1 1 0 0"'),
    two_links(f'<frame pos=".1 .2 .3" euler="0 40 0">{HINGE}<geom type="box" size=".1 .2 .3"/></frame>'),
    two_links(LEG, root='<body pos=".3 .1 .2" euler="0 30 20"><geom size=".1" pos=".1 .1 .1"/></body>'),
    two_links(LEG, root='<body pos=".3 .1 .2"><body pos="0 0 .2"><geom size=".1"/></body></body>'),
    two_links(LEG, root='<site name="s" pos="1 1 1"/><camera name="c"/><light/><geom size=".1" mass="0"/>'),
    two_links(f'{HINGE}<geom/><geom class="b" size=".1 .2 .05"/>', around=CLASSES, attributes='childclass="a"'),
    two_links(f'<frame childclass="b">{HINGE}<geom/></frame><geom size=".1"/>', around=CLASSES),
    two_links(LEG, around=RADIANS.format("ZyX", 40)).replace("-60 60", "-1 1"),
    two_links(
        LEG + '<geom type="ellipsoid" size=".1 .2 .3" euler=".5 .4 .3"/>', around=RADIANS.format("zXy", 0)
    ).replace("-60 60", "-1 1"),
    two_links(
        LEG, world='<body name="post" pos="0 0 3"><geom size=".1"/></body>', around='<compiler settotalmass="9"/>'
    ),
    two_links(LEG + INERTIAL.format('diaginertia="1 1 1.7" euler="20 30 40"')),
    two_links(LEG + INERTIAL.format('diaginertia="1 1 3"'), around='<compiler balanceinertia="true"/>'),
    two_links(LEG + INERTIAL.format('fullinertia="2 2.5 3 .1 .2 .3"')),
    two_links(LEG + INERTIAL.format('diaginertia="1 1 1"'), around='<compiler inertiafromgeom="true"/>'),
    two_links(f'{HINGE}<geom type="cylinder" size=".1 .2" zaxis="0 0 -1"/>'),
    two_links(f'{HINGE}<geom type="box" fromto="0 0 0 .1 .2 -.3" size=".1 .2"/>'),
]


@pytest.mark.parametrize("text", WRITTEN)
def test_what_models_are_written_with_is_read_as_mujoco_does(text: str) -> None:
    assert_same_bodies(parse_mjcf(text), text)


def test_angles_are_clockwise_whichever_way_a_hinge_points() -> None:
    """About -y, the angle and its range change their sign."""
    about_y, against = (
        parse_mjcf(two_links(LEG.replace("0 1 0", axis).replace("-60 60", limits)))
        for axis, limits in (("0 1 0", "-20 60"), ("0 -1 0", "-60 20"))
    )
    assert about_y.joints == against.joints
    assert about_y.joints[0].lower == pytest.approx(-math.pi / 9)


def test_the_lowest_point_is_at_height_0() -> None:
    character = parse_mjcf(two_links(LEG))
    assert min(link.y + c.y - c.radius for link in character.links for c in link.contacts) == pytest.approx(0.0)
    assert character.links[0].x == pytest.approx(0.1)
    untouching = parse_mjcf(two_links(LEG, around='<default><geom contype="0" conaffinity="0"/></default>'))
    assert untouching.links[1].contacts == ()
    assert untouching.links[1].y - untouching.links[1].height / 2 == pytest.approx(0.0)


def test_a_body_without_shape_is_drawn_as_the_square_of_its_inertia() -> None:
    character = parse_mjcf(two_links(f'{HINGE}<inertial pos="0 0 -.2" mass="3" diaginertia="1 .5 1"/>'))
    leg = character.links[1]
    assert leg.height == leg.width
    assert leg.mass * (leg.height**2 + leg.width**2) / 12 == pytest.approx(leg.inertia)


def test_names_that_are_missing_are_made_of_the_body() -> None:
    text = two_links(LEG).replace('name="hip" ', "").replace('name="leg" ', "")
    character = parse_mjcf(text)
    assert (character.link_names, character.joint_names) == (("trunk", "body2"), ("body2",))
