"""Angles and rates of the joints of a spatial tree, measured from its links."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_trees import SpatialTree, random_state, random_tree

from ctrlgraph.kernels.spatial import spatial_kinematics as kinematics


@pytest.fixture(params=range(2, 15, 3))
def rng(request) -> np.random.Generator:
    return np.random.default_rng(request.param)


@pytest.fixture
def tree(rng) -> SpatialTree:
    """Return a tree with perpendicular axes."""
    return SpatialTree(random_tree(rng, int(rng.integers(2, 15)), perpendicular=True))


def test_measured_angles_and_rates_are_those_by_which_the_links_were_placed(rng, tree) -> None:
    state = random_state(rng, tree.character)
    joint = tree.at(state).kin.joint
    joint[:, 0] += rng.uniform(-0.5, 0.5, len(joint))
    joint[:, 1] = np.nan
    kinematics.measure_angles(tree.body, tree.kin.pose, joint)
    kinematics.measure_rates(tree.body, tree.kin.twist, tree.kin.axis, joint)
    np.testing.assert_allclose(joint[:, 0], state.angles, atol=1e-10)
    np.testing.assert_allclose(joint[:, 1], state.velocity[6:], atol=1e-7)


def test_a_joint_that_turns_on_and_on_counts_its_turns(rng, tree) -> None:
    state = random_state(rng, tree.character)
    tree.at(state)
    turns = np.sign(state.angles)
    for _ in range(40):
        before = tree.kin.joint.copy()
        state.angles += 0.4 * turns
        tree.at(state)
        kinematics.measure_angles(tree.body, tree.kin.pose, before)
        np.testing.assert_allclose(before[:, 0], state.angles, atol=1e-9)
    assert np.abs(state.angles).min() > 2 * np.pi


def triple_joint(rng: np.random.Generator) -> SpatialTree:
    while True:
        tree = SpatialTree(random_tree(rng, 2, perpendicular=True))
        if len(tree.character.joints) == 3:
            return tree


def locked_angle(tree: SpatialTree) -> float:
    """Return an angle of the second joint at which the third axis is parallel to the first."""
    one, two, three = (np.array(joint.axis) for joint in tree.character.joints)
    return -np.arctan2(three @ np.cross(two, one), three @ one)


@pytest.mark.parametrize("beside", [0.0, 1e-12, 1e-9, 1e-8, 1e-6, 1e-3])
def test_measured_angles_give_the_orientation_back_in_gimbal_lock_and_beside_it(rng, beside) -> None:
    tree = triple_joint(rng)
    state = random_state(rng, tree.character)
    state.angles[1] = locked_angle(tree) + beside
    joint = tree.at(state).kin.joint
    poses, axes = tree.poses, tree.axes
    before = Rotation.from_quat(poses[:, 3:], scalar_first=True)
    assert abs(axes[0] @ axes[2]) == pytest.approx(1.0, abs=1e-5)
    joint[:, 0] += rng.uniform(-0.5, 0.5, 3)
    kinematics.measure_angles(tree.body, poses, joint)
    state.angles = joint[:, 0].copy()
    after = Rotation.from_quat(tree.at(state).poses[:, 3:], scalar_first=True)
    assert (after * before.inv()).magnitude().max() < 1e-8


def test_measured_rates_in_gimbal_lock_give_the_angular_velocity_back(rng) -> None:
    tree = triple_joint(rng)
    state = random_state(rng, tree.character)
    state.angles[1] = locked_angle(tree)
    twists = tree.at(state).twists
    kinematics.measure_rates(tree.body, twists, tree.axes, tree.kin.joint)
    state.velocity[6:] = tree.kin.joint[:, 1]
    np.testing.assert_allclose(tree.at(state).twists[:, 3:], twists[:, 3:], atol=1e-9)


def test_in_gimbal_lock_the_first_angle_stays(rng) -> None:
    tree = triple_joint(rng)
    state = random_state(rng, tree.character)
    state.angles[1] = locked_angle(tree)
    joint = tree.at(state).kin.joint
    joint[0, 0] = stays = state.angles[0] + 0.3
    kinematics.measure_angles(tree.body, tree.poses, joint)
    assert joint[0, 0] == stays


def test_orientations_are_unit_quaternions_even_if_that_of_the_root_has_drifted(rng, tree) -> None:
    state = random_state(rng, tree.character)
    state.root[3:] *= 1.001
    np.testing.assert_allclose(np.linalg.norm(tree.at(state).poses[:, 3:], axis=1), 1.0, atol=1e-13)


def test_joints_and_centre_of_mass_follow_from_the_links(rng, tree) -> None:
    tree.at(random_state(rng, tree.character))
    axes, places, com = tree.axes, tree.places, tree.com
    for array in (tree.kin.axis, tree.kin.place, tree.kin.com):
        array[...] = np.nan
    kinematics.update_joints(tree.body, tree.kin)
    np.testing.assert_allclose(tree.axes, axes, atol=1e-12)
    np.testing.assert_allclose(tree.places, places, atol=1e-12)
    np.testing.assert_allclose(tree.com, com, atol=1e-12)


def test_without_angles_the_links_are_in_the_reference_pose(tree) -> None:
    n, character = len(tree.character.joints), tree.character
    kin, body = tree.kin, tree.body
    kin.pose[body.root] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    kinematics.place_links(body, kin, np.zeros(n))
    for joint in character.joints:
        if joint.parent == body.root:
            link = character.links[joint.child]
            np.testing.assert_allclose(kin.pose[joint.child], [*link.position, *link.orientation], atol=1e-12)
