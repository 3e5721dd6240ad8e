"""Balance feedback: its point, its sign, and the law of the stance hip."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.kernels.planar.balance import (
    FeedbackReference,
    balance_force,
    centre_of_pressure,
    pose_feedback,
    reference_x,
    stance_hip_torque,
)

numbers = st.floats(-100, 100)


@pytest.fixture
def kin(posed, humanoid):
    kin = posed(root=(0.4, 1.0, 0.1), root_rate=(0.7, 0.0, 0.0))
    feet = list(humanoid.roles.feet)
    kin.contact[feet] = 1
    kin.link[feet, 0] = 0.2, 0.5
    kin.pressure[:] = 600.0, 600.0 * 0.31
    return kin


def test_the_point_of_pressure_is_the_mean_of_the_links_in_contact_whatever_they_carry(kin) -> None:
    assert centre_of_pressure(kin) == (True, pytest.approx(0.35))


def test_the_true_centre_of_pressure_is_weighted_by_force(kin) -> None:
    assert reference_x(kin, FeedbackReference.COPF, -1) == (True, pytest.approx(0.31))


def test_without_contact_there_is_no_point_of_pressure(kin) -> None:
    kin.contact[:] = 0
    kin.pressure[:] = 0.0
    assert centre_of_pressure(kin)[0] is False
    assert reference_x(kin, FeedbackReference.COPF, -1)[0] is False
    assert pose_feedback(kin, FeedbackReference.COP, -1, 3.0, 2.0) == 0.0


def test_distance_is_measured_from_a_part_s_centre_or_a_joint_s_anchor(kin, humanoid) -> None:
    part, joint = humanoid.link_index("rShin"), humanoid.joint_index("rAnkle")
    from_part = pose_feedback(kin, FeedbackReference.PART, part, 1.0, 0.0)
    from_joint = pose_feedback(kin, FeedbackReference.JOINT, joint, 1.0, 0.0)
    assert from_part == pytest.approx(kin.com[0] - kin.link[part, 0])
    assert from_joint == pytest.approx(kin.com[0] - kin.joint[joint, 2])
    assert from_part != pytest.approx(from_joint)


@given(cd=numbers, cv=numbers)
def test_the_virtual_force_is_against_displacement_and_velocity(cd, cv, posed) -> None:
    kin = posed(root=(0.4, 1.0, 0.1), root_rate=(0.7, 0.0, 0.0))
    kin.contact[0] = 1
    d, v = kin.com[0] - kin.link[0, 0], kin.com[2]
    assert balance_force(kin, FeedbackReference.PART, 0, cd, cv) == pytest.approx(-(cd * d + cv * v))


def test_without_contact_there_is_no_balance_force(kin, humanoid) -> None:
    kin.contact[:] = 0
    for kind, index in (
        (FeedbackReference.PART, 15),
        (FeedbackReference.JOINT, 14),
        (FeedbackReference.COP, -1),
        (FeedbackReference.COPF, -1),
    ):
        assert balance_force(kin, kind, index, 800.0, 90.0) == 0.0


@given(trunk=numbers, swing=numbers)
def test_the_hips_reactions_leave_the_trunk_the_torque_that_its_law_asks_for(trunk, swing) -> None:
    """Torque balance: each hip turns the trunk with the opposite of what it gives its thigh."""
    stance = stance_hip_torque(trunk, swing)
    assert -(stance + swing) == pytest.approx(trunk, abs=1e-9)
