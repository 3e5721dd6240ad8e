"""Inverse kinematics against forward kinematics: reachable places are reached within the limits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.kernels.planar.inverse_kinematics import DEFAULT_TOLERANCE, reach

LEG = ("rHip", "rKnee", "rAnkle")
ARM = ("rShoulder", "rElbow", "rWrist")
CHAINS = [("rHip", "rFoot", LEG), ("rShoulder", "rHand", ARM), ("rHip", "rShin", LEG[:2])]


def solve(humanoid, body, kin, base, part, x, y):
    angles = np.zeros(len(humanoid.joints))
    free = np.ones(len(humanoid.joints), dtype=np.int64)
    distance = reach(
        body, kin, humanoid.joint_index(base), humanoid.link_index(part), x, y, DEFAULT_TOLERANCE, angles, free
    )
    return distance, angles


@pytest.mark.parametrize(("base", "part", "joints"), CHAINS)
def test_a_place_that_the_chain_can_take_is_reached_within_the_limits(
    base, part, joints, humanoid, body, posed
) -> None:
    """From any pose to any other: to the tolerance in nearly all cases, to 2 cm in all."""
    rng = np.random.default_rng(7)
    indices = [humanoid.joint_index(name) for name in joints]
    limits = body.limits[indices]
    distances = []
    for _ in range(150):
        goal_angles, now = np.zeros(len(humanoid.joints)), np.zeros(len(humanoid.joints))
        goal_angles[indices], now[indices] = rng.uniform(*limits.T), rng.uniform(*limits.T)
        goal = posed(goal_angles).link[humanoid.link_index(part), :2]
        distance, angles = solve(humanoid, body, posed(now), base, part, *goal)
        assert ((limits[:, 0] <= angles[indices]) & (angles[indices] <= limits[:, 1])).all()
        achieved = posed(angles).link[humanoid.link_index(part), :2]
        assert distance == pytest.approx(math.dist(achieved, goal), abs=1e-9)
        distances.append(distance)
    assert np.mean(np.array(distances) <= DEFAULT_TOLERANCE) > 0.95
    assert max(distances) < 0.02


@given(direction=st.floats(-0.5, 1.2), far=st.floats(1.5, 20))
def test_out_of_reach_the_leg_is_stretched_towards_the_target(direction, far, humanoid, body, posed) -> None:
    """The distance left is the target's from the hip less the stretched leg's length, if the hip can point it."""
    kin = posed()
    hip, shin = humanoid.joint_index("rHip"), humanoid.link_index("rShin")
    x, y = kin.joint[hip, 2], kin.joint[hip, 3]
    segment = math.dist(kin.joint[hip, 2:], kin.link[shin, :2])
    distance, _ = solve(
        humanoid, body, kin, "rHip", "rShin", x + far * math.sin(direction), y - far * math.cos(direction)
    )
    assert distance == pytest.approx(far - segment, abs=2e-3)


def test_a_joint_that_is_not_free_stays_as_it_is(humanoid, body, posed) -> None:
    kin = posed()
    angles, free = np.full(len(humanoid.joints), 7.0), np.ones(len(humanoid.joints), dtype=np.int64)
    free[humanoid.joint_index("rKnee")] = 0
    reach(
        body, kin, humanoid.joint_index("rHip"), humanoid.link_index("rFoot"), 0.5, 0.6, DEFAULT_TOLERANCE, angles, free
    )
    assert angles[humanoid.joint_index("rKnee")] == 7.0
    assert angles[humanoid.joint_index("rHip")] < -0.2


def test_a_stretched_leg_bends_to_reach_a_point_between_foot_and_hip(humanoid, body, posed) -> None:
    """All joints in line with the target: the case in which coordinate descent alone never moves."""
    kin = posed()
    hip = kin.joint[humanoid.joint_index("rHip")]
    shin = kin.link[humanoid.link_index("rShin")]
    distance, angles = solve(humanoid, body, kin, "rHip", "rShin", shin[0], 0.5 * (hip[3] + shin[1]))
    assert distance <= DEFAULT_TOLERANCE
    assert angles[humanoid.joint_index("rKnee")] > 0.5
