"""Spatial characters from YAML: what is read, and the sentences for everything that is wrong."""

from __future__ import annotations

import re

import mujoco
import numpy as np
import pytest
from mistakes import read_mistakes
from spatial_files import ARM, QUADRUPED
from spatial_forward import placed, tensor

from ctrlgraph.character.files import load_character
from ctrlgraph.character.model import TorqueRange
from ctrlgraph.character.spatial_model import NamedPose, SpatialCharacter
from ctrlgraph.character.yaml_reader import parse_character
from ctrlgraph.errors import SourceError


def parsed(text: str) -> SpatialCharacter:
    character = parse_character(text, "dog.yaml")
    assert isinstance(character, SpatialCharacter)
    return character


def test_a_character_file_that_is_not_planar_is_a_spatial_character(tmp_path) -> None:
    path = tmp_path / "dog.yaml"
    path.write_text(QUADRUPED)
    character = load_character(path)
    assert isinstance(character, SpatialCharacter)
    assert (len(character.links), len(character.joints)) == (13, 12)


def test_the_centre_of_mass_is_the_origin_of_a_link() -> None:
    trunk, hip = parsed(QUADRUPED).links[:2]
    assert trunk.position == pytest.approx((0.01, 0.0, 0.4))
    assert trunk.shapes[0].position == pytest.approx((-0.01, 0.0, 0.0))
    assert hip.position == pytest.approx((0.19, 0.05, 0.0))


def test_the_legs_are_ordered_from_the_front_left_to_the_hind_right() -> None:
    character = parsed(QUADRUPED)
    legs = character.roles.legs
    assert [leg.name for leg in legs] == ["front left", "front right", "hind left", "hind right"]
    assert [character.link_names[leg.foot] for leg in legs] == ["FL_calf", "FR_calf", "RL_calf", "RR_calf"]
    assert [character.joint_names[j] for j in (*legs[1].hip, legs[1].knee)] == ["FR_abduction", "FR_pitch", "FR_knee"]


def test_a_hand_is_a_foot_only_if_it_touches_the_ground_in_the_reference_pose() -> None:
    paws = re.sub("F([LR])_calf", r"\1_hand", QUADRUPED)
    assert parsed(paws).roles == parsed(QUADRUPED).roles
    arms = re.sub(r"([LR]_hand: .*) at: \[0, 0, -.1\]", r"\1 at: [0, 0, .08]", paws)
    character = parsed(arms)
    assert [character.link_names[leg.foot] for leg in character.roles.legs] == ["RL_calf", "RR_calf"]
    assert [character.link_names[hand] for hand in character.roles.hands] == ["L_hand", "R_hand"]


def test_a_joint_has_a_name_for_each_of_its_axes() -> None:
    arm = parsed(ARM)
    names = ("shoulder_x", "shoulder_y", "shoulder_z", "elbow", "wrist_1", "wrist_2")
    assert arm.joint_names == names
    assert [(joint.lower, joint.upper) for joint in arm.joints[:3]] == [(-1, 1), (-2, 2), (-3, 3)]
    assert not arm.floating
    assert arm.joint_index("bend") == 3


def test_axes_of_a_file_are_those_in_the_reference_pose_and_have_the_length_1() -> None:
    arm = parsed(ARM)
    at = placed(arm, NamedPose(arm.links[0].position, arm.links[0].orientation, (0.0,) * 6))
    np.testing.assert_allclose(at.axis[3], (0, -1, 0), atol=1e-12)
    np.testing.assert_allclose(at.anchor[3], (0, 0, 0.6), atol=1e-12)


def test_a_joint_without_torque_has_no_motor_and_keeps_its_passive_elements() -> None:
    wrist = parsed(ARM).joints[5]
    assert wrist.torque_limit == wrist.hard_torque_limit == TorqueRange(0.0, 0.0)
    assert (wrist.stiffness, wrist.spring_angle, wrist.damping) == (2, 0.1, 0.3)
    assert (wrist.armature, wrist.friction_loss, wrist.kp, wrist.kd) == (0.01, 0.05, 0, 0)


def test_default_gains_reach_the_torque_limit_at_a_quarter_of_a_radian() -> None:
    joint = parsed(QUADRUPED).joints[0]
    assert joint.kp * 0.25 == pytest.approx(joint.hard_torque_limit.upper)


def test_a_joint_that_a_pose_does_not_name_is_as_close_to_the_reference_pose_as_its_limits_allow() -> None:
    character = parsed(QUADRUPED)
    home = dict(zip(character.joint_names, character.poses["home"].angles, strict=True))
    assert (home["FL_pitch"], home["FL_knee"], home["RL_pitch"], home["RL_knee"]) == (0.9, -1.8, 0.0, -0.2)
    assert character.poses["home"].position == pytest.approx((0.01, 0.0, 0.3))


SHAPES = {
    "sphere": ("[.2]", "sphere", ".2"),
    "capsule": ("[.1, .3]", "capsule", ".1 .3"),
    "cylinder": ("[.1, .3]", "cylinder", ".1 .3"),
    "box": ("[.1, .2, .3]", "box", ".1 .2 .3"),
    "ellipsoid": ("[.1, .2, .3]", "ellipsoid", ".1 .2 .3"),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_the_inertia_of_shapes_is_that_of_mujoco(kind: str) -> None:
    size, name, numbers = SHAPES[kind]
    shapes = f"{{kind: {kind}, size: {size}, at: [.1, -.2, .3], orientation: [1, .4, .2, -.1]}}"
    text = ARM.replace(
        "shapes: [{kind: cylinder, size: [.1, .1]}]", f"shapes: [{shapes}, {{kind: sphere, size: [.1]}}]"
    )
    base = parsed(text).links[0]
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><worldbody><body pos="0 0 .1"><freejoint/><geom type="{name}" size="{numbers}" pos=".1 -.2 .3"'
        ' quat="1 .4 .2 -.1"/><geom size=".1"/></body></worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    axes = data.ximat[1].reshape(3, 3)
    assert base.mass == pytest.approx(model.body_mass[1], rel=1e-9)
    np.testing.assert_allclose(base.position, data.xipos[1], atol=1e-9)
    np.testing.assert_allclose(tensor(parsed(text), 0), axes @ np.diag(model.body_inertia[1]) @ axes.T, atol=1e-9)


def test_stated_roles_take_precedence_and_others_are_found() -> None:
    leg = "{name: fore, hip: [FL_abduction, FL_pitch], knee: FL_knee, foot: FL_calf}"
    roles = parsed(QUADRUPED + f"roles: {{legs: [{leg}], head: trunk}}\n").roles
    assert [leg.name for leg in roles.legs] == ["fore"]
    assert (roles.feet, roles.head, roles.trunk) == ((3,), 0, 0)


def test_the_digest_depends_on_the_character_and_not_on_the_text() -> None:
    character = parsed(QUADRUPED)
    assert parsed("# a robot\n" + QUADRUPED.replace("size: [.02]", "size: [0.020]")).digest == character.digest
    assert parsed(QUADRUPED.replace("kind: box, ", "kind: box, color: [1, 0, 0, 1], ")).digest == character.digest
    for old, new in (
        ("mass: 6", "mass: 6.1"),
        (".9, FL_knee", ".8, FL_knee"),
        ("torque: [20, 24]", "torque: [20, 25]"),
    ):
        assert parsed(QUADRUPED.replace(old, new, 1)).digest != character.digest


CASES = {
    **{name: (QUADRUPED, "dog.yaml", case) for name, case in read_mistakes("spatial_characters.txt").items()},
    **{name: (ARM, "arm.yaml", case) for name, case in read_mistakes("spatial_joints.txt").items()},
}


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_shown_at_its_place(name: str) -> None:
    text, path, mistake = CASES[name]
    with pytest.raises(SourceError) as error:
        parse_character(mistake.made_in(text), path)
    assert str(error.value) == mistake.shown
