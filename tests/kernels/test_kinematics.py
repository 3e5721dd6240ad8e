"""Forward kinematics holds links together at their joints; the rest follows from the links' poses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctrlgraph.kernels.planar.kinematics import pose_links, wrapped

turns = st.floats(-50.0, 50.0)


@given(turns)
def test_a_wrapped_angle_lies_in_one_turn_and_means_the_same_direction(angle: float) -> None:
    result = wrapped(angle)
    assert -math.pi < result <= math.pi
    assert math.cos(result) == pytest.approx(math.cos(angle), abs=1e-9)
    assert math.sin(result) == pytest.approx(math.sin(angle), abs=1e-9)


def test_half_a_turn_back_wraps_to_half_a_turn_forward() -> None:
    assert wrapped(-math.pi) == math.pi
    assert wrapped(math.pi) == math.pi


@given(data=st.data(), root=st.tuples(st.floats(-2, 2), st.floats(0, 2), st.floats(-4, 4)))
@settings(max_examples=30)
def test_both_links_of_a_joint_carry_its_anchor_to_the_same_point(data, root, humanoid, body, within_limits) -> None:
    angles = data.draw(within_limits)
    poses = pose_links(body, angles, humanoid.root, *root)
    # a clockwise turn by t is multiplication with exp(-it)
    centre = poses[:, 0] + 1j * poses[:, 1]
    turned = np.exp(-1j * poses[:, 2])
    for j, joint in enumerate(humanoid.joints):
        here = joint.x + 1j * joint.y
        ends = [
            centre[link] + turned[link] * (here - (humanoid.links[link].x + 1j * humanoid.links[link].y))
            for link in (joint.parent, joint.child)
        ]
        assert ends[0] == pytest.approx(ends[1], abs=1e-12)
        assert poses[joint.child, 2] - poses[joint.parent, 2] == pytest.approx(angles[j], abs=1e-12)


@given(data=st.data(), root=st.tuples(st.floats(-2, 2), st.floats(0, 2), st.floats(-4, 4)))
@settings(max_examples=20)
def test_joints_and_centre_of_mass_follow_from_the_links(data, root, humanoid, body, posed, within_limits) -> None:
    angles = data.draw(within_limits)
    rates = np.array(
        data.draw(st.lists(st.floats(-5, 5), min_size=len(humanoid.joints), max_size=len(humanoid.joints)))
    )
    kin = posed(angles, root, rates)
    np.testing.assert_allclose(kin.joint[:, 0], angles, atol=1e-12)
    np.testing.assert_allclose(kin.joint[:, 1], rates, atol=1e-6)
    mass = np.array([link.mass for link in humanoid.links])
    np.testing.assert_allclose(kin.com[:2], mass @ kin.link[:, :2] / mass.sum(), atol=1e-12)
    h = 1e-6
    moved = (posed(angles + h * rates, root).com - posed(angles - h * rates, root).com)[:2] / (2 * h)
    np.testing.assert_allclose(kin.com[2:], moved, atol=1e-5)


def test_positive_angles_turn_clockwise_so_a_negative_hip_angle_raises_the_thigh_forward(humanoid, posed) -> None:
    angles = np.zeros(len(humanoid.joints))
    angles[humanoid.joint_index("rHip")] = -1.6
    kin = posed(angles)
    knee = kin.joint[humanoid.joint_index("rKnee")]
    hip = kin.joint[humanoid.joint_index("rHip")]
    assert knee[2] > hip[2] + 0.4
