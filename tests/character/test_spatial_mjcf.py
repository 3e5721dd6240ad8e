"""MuJoCo models of characters in space: what is read, what is ignored, and which models are spatial."""

from __future__ import annotations

import math
import re

import mujoco
import numpy as np
import pytest
from mistakes import read_mistakes
from spatial_comparison import assert_agrees
from spatial_files import MODEL
from spatial_forward import placed

from ctrlgraph.character.files import check_character, load_character
from ctrlgraph.character.mjcf import parse_mjcf
from ctrlgraph.character.model import TorqueRange
from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.character.spatial.spatial_pairs import mirror_signs
from ctrlgraph.character.spatial_model import NamedPose, SpatialCharacter
from ctrlgraph.errors import SourceError


def parsed(text: str, roles: str | None = None) -> SpatialCharacter:
    character = parse_mjcf(text, "dog.xml", roles)
    assert isinstance(character, SpatialCharacter)
    return character


def warnings(text: str, tmp_path) -> set[str]:
    path = tmp_path / "dog.xml"
    path.write_text(text)
    found = check_character(path)
    assert {finding.severity for finding in found} <= {"warning"}
    return {finding.code for finding in found}


def test_a_robot_agrees_with_mujoco_in_its_key_frame() -> None:
    character, model = parsed(MODEL), mujoco.MjModel.from_xml_string(MODEL)
    assert_agrees(character, model, model.key_qpos[0], character.poses["home"])
    assert 6 + len(character.joints) == model.nv


def body(inner: str, joint: str = "<freejoint/>", more: str = "") -> str:
    return (
        f'<mujoco model="thing"><worldbody><body name="base" pos=".1 .2 1" quat="1 .2 0 .1">{joint}'
        f'<geom size=".1"/>{inner}</body></worldbody>{more}</mujoco>'
    )


LIMB = '<body name="limb" pos="0 0 .2" euler="10 20 30">{}<geom size=".05" pos="0 .1 .2"/></body>'


@pytest.mark.parametrize(
    ("joint", "morphology"),
    [
        ("<freejoint/>", SpatialCharacter),
        ('<joint type="free"/>', SpatialCharacter),
        ("", SpatialCharacter),
        ('<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/>', PlanarCharacter),
    ],
)
def test_a_model_is_planar_if_its_root_slides_and_spatial_otherwise(joint: str, morphology: type) -> None:
    text = body('<body name="limb"><joint axis="0 1 0"/><geom size=".05"/></body>', joint)
    assert type(parse_mjcf(text.replace(' quat="1 .2 0 .1"', ""))) is morphology


def test_the_root_of_a_model_without_a_free_joint_is_fixed_to_the_world() -> None:
    arm = parsed(body(LIMB.format('<joint name="j"/>'), ""))
    assert (arm.floating, arm.link_names, arm.roles.legs) == (False, ("base", "limb"), ())
    hanging = parsed('<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="limb"><joint/><geom size=".1"/>'
                     "</body></worldbody></mujoco>")  # fmt: skip
    assert (hanging.floating, hanging.link_names, hanging.links[0].shapes) == (False, ("world", "limb"), ())


def test_bodies_without_joints_are_part_of_the_body_that_contains_them() -> None:
    text = body(
        LIMB.format('<joint name="j"/>').replace("</body>", '<body pos="0 0 .3"><geom size=".07"/></body></body>')
    )
    character, model = parsed(text), mujoco.MjModel.from_xml_string(text)
    root = character.links[0]
    assert_agrees(character, model, model.qpos0, NamedPose(root.position, root.orientation, (0.0,)))
    assert len(character.links[1].shapes) == 2


def test_several_hinges_of_one_body_turn_it_one_after_the_other() -> None:
    joints = '<joint name="a" axis="1 0 0" pos="0 0 .1"/><joint name="b" axis="0 1 1"/><joint name="c" axis="0 0 1"/>'
    key = '<keyframe><key qpos="0 0 1 1 0 0 0 .3 -.7 1.1"/></keyframe>'
    text = body(LIMB.format(joints), more=key)
    character, model = parsed(text), mujoco.MjModel.from_xml_string(text)
    assert_agrees(character, model, model.key_qpos[0], character.poses["key0"])


def test_a_ball_joint_is_three_hinges_about_the_axes_of_the_child() -> None:
    key = '<keyframe><key name="bent" qpos="0 0 1 1 0 0 0 .8 .3 -.4 .2"/></keyframe>'
    text = body(LIMB.format('<joint name="ball" type="ball" damping=".2" range="0 60"/>'), more=key)
    character, model = parsed(text), mujoco.MjModel.from_xml_string(text)
    assert character.joint_names == ("ball_x", "ball_y", "ball_z")
    assert {(joint.lower, joint.upper, joint.damping) for joint in character.joints} == {
        (-math.pi / 3, math.pi / 3, 0.2)
    }
    qpos = model.key_qpos[0].copy()
    qpos[7:] /= np.linalg.norm(qpos[7:])
    assert_agrees(character, model, qpos, character.poses["bent"])


def test_angles_are_0_in_the_reference_pose_whatever_the_joint_calls_it() -> None:
    joint = '<joint name="j" ref="30" range="10 90" springref="45" stiffness="2"/>'
    key = '<keyframe><key name="bent" qpos="0 0 1 1 0 0 0 1"/></keyframe>'
    hinge = parsed(body(LIMB.format(joint), more=key)).joints[0]
    assert np.rad2deg((hinge.lower, hinge.upper, hinge.spring_angle)) == pytest.approx((-20, 60, 15))
    pose = parsed(body(LIMB.format(joint), more=key)).poses["bent"]
    assert pose.angles == pytest.approx((1 - math.pi / 6,))


@pytest.mark.parametrize(
    ("actuator", "torque", "gains"),
    [
        ('<motor joint="j" ctrlrange="-2 3" ctrllimited="true" gear="10"/>', (-20, 30), (80, 4)),
        ('<motor joint="j" forcerange="-2 2"/>', (-2, 2), (8, 0.4)),
        ('<motor joint="j"/>', (-100, 100), (400, 20)),
        ('<position joint="j" kp="50" kv="2" forcerange="-8 8"/>', (-8, 8), (50, 2)),
        ('<position joint="j" kp="50" kv="2" gear="3" forcerange="-8 8"/>', (-24, 24), (450, 18)),
        ('<general joint="j" gainprm="60" biasprm="0 -60 -5" biastype="affine" forcerange="-8 8"/>', (-8, 8), (60, 5)),
        ("", (0, 0), (0, 0)),
    ],
)
def test_actuators_give_torque_limits_and_gains(actuator: str, torque: tuple, gains: tuple) -> None:
    joint = parsed(body(LIMB.format('<joint name="j"/>'), more=f"<actuator>{actuator}</actuator>")).joints[0]
    assert joint.torque_limit == joint.hard_torque_limit == TorqueRange(*torque)
    assert (joint.kp, joint.kd) == pytest.approx(gains)


def test_a_damping_ratio_gives_the_damping_that_mujoco_computes() -> None:
    actuator = '<actuator><position joint="j" kp="50" dampratio=".7" gear="2"/></actuator>'
    text = body(LIMB.format('<joint name="j" armature=".1"/>'), more=actuator)
    model = mujoco.MjModel.from_xml_string(text)
    assert parsed(text).joints[0].kd == pytest.approx(-4 * model.actuator_biasprm[0, 2])


def test_the_file_of_roles_has_the_last_word() -> None:
    roles = (
        "roles: {feet: [FL_calf], legs: [{name: one, hip: [FL_abduction, FL_pitch], knee: FL_knee, foot: FL_calf}]}\n"
        "gains: {kp: 10, kd: 1}\ntorque: {FL_knee: [5, 6]}\naliases: {knee: FL_knee}\n"
    )
    character = parsed(MODEL, roles)
    assert [leg.name for leg in character.roles.legs] == ["one"]
    knee = character.joints[character.joint_index("knee") or 0]
    assert (knee.torque_limit.upper, knee.hard_torque_limit.upper, knee.kp, knee.kd) == (5, 6, 10, 1)
    with pytest.raises(SourceError, match="legs: the character has no joint 'knie'"):
        parsed(MODEL, "roles: {legs: [{name: one, hip: [FL_pitch], knee: knie, foot: FL_calf}]}")


def test_links_that_the_model_excludes_from_contact_are_listed() -> None:
    excluded = '<contact><exclude body1="FR_foot" body2="FL_calf"/></contact>\n  <actuator>'
    character = parsed(MODEL.replace("<actuator>", excluded))
    assert [tuple(character.link_names[i] for i in pair) for pair in character.excludes] == [("FL_calf", "FR_calf")]


def test_links_whose_bit_masks_do_not_match_are_excluded_from_contact() -> None:
    text = MODEL.replace('<geom type="box"', '<geom contype="0" conaffinity="1" type="box"')
    text = text.replace('<geom type="capsule"', '<geom conaffinity="0" type="capsule"')
    text = text.replace('<geom type="plane"', '<geom contype="1" conaffinity="1" type="plane"')
    character = parsed(text)
    names = character.link_names
    assert ("trunk", "FL_calf") not in {(names[a], names[b]) for a, b in character.excludes}
    assert ("FL_calf", "FR_calf") in {(names[a], names[b]) for a, b in character.excludes}


def test_geoms_that_touch_nothing_are_only_drawn_in_the_color_of_their_material() -> None:
    more = '<asset><material name="red" rgba="1 0 0 .5"/></asset>'
    geom = '<geom size=".2" contype="0" conaffinity="0" material="red" mass="0"/>'
    shape = parsed(body(geom + LIMB.format("<joint/>"), more=more)).links[0].shapes[1]
    assert (shape.collides, shape.color) == (False, (1.0, 0.0, 0.0, 0.5))


def test_what_a_character_cannot_contain_is_ignored_with_a_warning(tmp_path) -> None:
    assert warnings(MODEL, tmp_path) == set()
    ball = '<body><freejoint/><geom size=".1"/></body>'
    tendon = (
        '<tendon><fixed name="t"><joint joint="FL_knee" coef="1"/></fixed></tendon>'
        '<equality><joint joint1="FL_knee" joint2="FR_knee"/></equality><contact><pair geom1="a" geom2="b"/></contact>'
    )
    text = MODEL.replace("</body>\n  </worldbody>", f"</body>{ball}</worldbody>{tendon}")
    text = text.replace(
        "<actuator>", '<actuator><motor tendon="t" forcerange="-9 9"/><motor tendon="string"/>'
    ).replace('0 .9 -1.8"', '0 .9 -1.8 0 0 1 1 0 0 0"')
    text = text.replace('size=".02" mass', 'size=".02" friction=".5" mass')
    found = {"other-body", "tendon", "equality", "contact-pair", "other-actuator", "contact-parameters"} | {
        "tendon-actuator"
    }
    assert warnings(text, tmp_path) == found


def tendon_model(actuator: str, joints: str = '<joint joint="FL_knee" coef=".5"/><joint joint="FL_pitch" coef="-2"/>'):
    """Return the model without motors of these two joints, with an actuator of a tendon instead."""
    text = MODEL
    for joint in ("FL_knee", "FL_pitch"):
        text = re.sub(rf'<\w+ [^<>]*joint="{joint}"[^<>]*/>', "", text)
    tendon = f'<tendon><fixed name="t">{joints}</fixed></tendon>'
    return text.replace("<actuator>", f"{tendon}<actuator>{actuator}", 1)


def test_an_actuator_of_a_fixed_tendon_is_a_motor_of_each_joint_with_its_share_of_the_torque(tmp_path) -> None:
    text = tendon_model('<motor name="m" tendon="t" gear="10" ctrlrange="-1 3" ctrllimited="true"/>')
    assert warnings(text, tmp_path) == {"tendon", "tendon-actuator"}
    joints = {joint.name: joint for joint in parsed(text).joints}
    assert joints["FL_knee"].torque_limit == TorqueRange(-5.0, 15.0)
    assert joints["FL_pitch"].torque_limit == TorqueRange(-60.0, 20.0)


def test_a_servo_of_a_fixed_tendon_gives_gains_and_the_torque_over_the_range_of_each_joint(tmp_path) -> None:
    text = tendon_model('<position tendon="t" kp="40" kv="4"/>')
    assert warnings(text, tmp_path) == {"tendon", "tendon-actuator"}
    joints = {joint.name: joint for joint in parsed(text).joints}
    for name, square in (("FL_knee", 0.25), ("FL_pitch", 4.0)):
        joint = joints[name]
        assert (joint.kp, joint.kd) == pytest.approx((40.0 * square, 4.0 * square))
        assert joint.torque_limit.upper == pytest.approx(joint.kp * (joint.upper - joint.lower))
    weak = {joint.name: joint for joint in parsed(text.replace('kp="40"', 'kp="40" forcerange="-6 6"')).joints}
    assert weak["FL_pitch"].torque_limit == TorqueRange(-12.0, 12.0)


def test_a_joint_that_a_tendon_hardly_moves_has_no_motor() -> None:
    joints = '<joint joint="FL_knee" coef="1e-9"/><joint joint="FL_pitch" coef="1"/>'
    found = {
        joint.name: joint
        for joint in parsed(tendon_model('<motor tendon="t" ctrlrange="-9 9" ctrllimited="true"/>', joints)).joints
    }
    assert found["FL_knee"].torque_limit == TorqueRange(0.0, 0.0)
    assert found["FL_pitch"].torque_limit == TorqueRange(-9.0, 9.0)


@pytest.mark.parametrize(
    ("joints", "sentence"),
    [
        ('<joint joint="FL_knee" coef="nan"/>', "'coef' must be a finite number of at most 1e+09, not 'nan'"),
        ('<joint joint="FL_knee"/>', "'coef' must be a finite number of at most 1e+09, not ''"),
        ('<joint joint="FL_kne" coef="1"/>', "there is no joint 'FL_kne'"),
    ],
)
def test_a_mistake_in_a_tendon_is_shown(joints: str, sentence: str) -> None:
    with pytest.raises(SourceError, match=re.escape(sentence)):
        parsed(tendon_model('<motor tendon="t"/>', joints))


def test_the_mirror_image_of_a_pose_is_the_pose_of_the_mirrored_character() -> None:
    character = parsed(MODEL)
    signs, opposite = mirror_signs(character), character.opposite_joints
    angles = np.random.default_rng(7).uniform(-0.5, 0.5, len(opposite))
    root = character.links[0]
    pose = NamedPose((0.0, 0.0, 1.0), root.orientation, tuple(angles))
    image = NamedPose((0.0, 0.0, 1.0), root.orientation, tuple(np.array(signs) * angles[list(opposite)]))
    here, there = placed(character, pose), placed(character, image)
    for j, other in enumerate(opposite):
        np.testing.assert_allclose(there.anchor[j], here.anchor[other] * (1, -1, 1), atol=1e-9)


def test_links_without_sides_in_their_names_are_paired_by_their_places() -> None:
    text = MODEL
    for old, new in (("FL_", "one_"), ("FR_", "two_"), ("RL_", "three_"), ("RR_", "four_")):
        text = text.replace(old, new)
    character = parsed(text)
    names = character.link_names
    pairs = {(names[right], names[left]) for right, left in character.roles.link_pairs}
    assert {("two_hip", "one_hip"), ("four_calf", "three_calf")} <= pairs
    assert len(pairs) == 6


def test_the_digest_depends_on_the_character_and_not_on_the_text(tmp_path) -> None:
    path = tmp_path / "dog.xml"
    path.write_text(MODEL.replace("<worldbody>", "<!-- a robot --><worldbody>"))
    digest = parsed(MODEL).digest
    assert load_character(path).digest == digest
    assert parsed(MODEL.replace("-24 24", "-25 25")).digest != digest


MISTAKES = read_mistakes("spatial_models.txt")


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_shown_at_its_place(name: str) -> None:
    with pytest.raises(SourceError) as error:
        parse_mjcf(MISTAKES[name].made_in(MODEL), "dog.xml")
    assert str(error.value) == MISTAKES[name].shown
