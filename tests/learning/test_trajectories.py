"""Distances between two motions, as terms of the cost of a search, in the plane and in space."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.learning.candidate import Trajectory, distances


def motion(trunk: np.ndarray, com: float = 0.0, joint: float = 0.0) -> Trajectory:
    """Return a motion of 100 samples in 1 s with a constant centre of mass and joint angle."""
    n = len(trunk)
    return Trajectory(np.full((n, 3), com), trunk, np.full((n, 2), joint), 0.01)


def turned(angle: float) -> np.ndarray:
    """Return 100 quaternions of a rotation about the y axis."""
    return np.tile((np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0), (100, 1))


@pytest.mark.parametrize("trunk", [np.full(100, 0.3), turned(0.3)], ids=["plane", "space"])
def test_a_motion_has_no_distance_from_itself(trunk) -> None:
    assert max(distances(motion(trunk), motion(trunk)).values()) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("actual", "desired"),
    [(np.full(100, 0.5), np.full(100, 0.3)), (turned(0.5), turned(0.3)), (-turned(0.5), turned(0.3))],
    ids=["plane", "space", "opposite quaternion"],
)
def test_the_trunk_counts_by_the_square_of_the_angle_between_its_orientations(actual, desired) -> None:
    assert distances(motion(actual), motion(desired))["trunk"] == pytest.approx(0.2**2)


def test_full_turns_do_not_count() -> None:
    assert distances(motion(np.full(100, 0.3 + 2 * np.pi)), motion(np.full(100, 0.3)))["trunk"] < 1e-20


def test_centre_of_mass_and_joints_count_by_their_squared_distances() -> None:
    found = distances(motion(turned(0.0), com=0.1, joint=0.2), motion(turned(0.0)))
    assert (found["com"], found["joints"]) == (pytest.approx(3 * 0.1**2), pytest.approx(2 * 0.2**2))
