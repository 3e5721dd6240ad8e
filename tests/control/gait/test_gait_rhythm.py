"""Rhythm of a gait: the periodic motion by forces of the standing legs that carry the weight of a whole cycle."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.control.gait.gait_rhythm import rhythm
from ctrlgraph.kernels.constants import GRAVITY

FEET = np.array([[0.2, 0.1], [0.2, -0.1], [-0.2, 0.1], [-0.2, -0.1]])  # front left, front right, hind left, hind right


def motion(starts: list[float], duration: float) -> np.ndarray:
    """Return the rhythm of a robot of 10 kg whose legs swing for a fraction of the period."""
    swing = np.array([[start, duration] for start in starts])
    return rhythm(swing, FEET, 0.3, 10.0, np.array([0.1, 0.3, 0.3]))


@pytest.mark.parametrize(("starts", "duration"), [([0, 0.5, 0.5, 0], 0.45), ([0.25, 0.75, 0, 0.5], 0.2)])
def test_a_trot_and_a_walk_have_no_rhythm(starts, duration) -> None:
    np.testing.assert_allclose(motion(starts, duration), 0.0, atol=1e-12)


def test_a_character_without_standing_legs_falls_freely_and_rises_by_the_forces_of_its_stance() -> None:
    upward = motion([0, 0, 0, 0], 0.4)[:, 0]
    assert upward[10, 0] == pytest.approx(-GRAVITY)
    assert upward[-10, 0] == pytest.approx(GRAVITY * (1 / 0.6 - 1))
    # it leaves the ground with half of the velocity that gravity takes in the flight
    assert upward[:, 1].max() == pytest.approx(0.5 * GRAVITY * 0.4, rel=0.02)


def test_only_a_bound_pitches_and_only_a_pace_rolls() -> None:
    bound, pace = motion([0, 0, 0.5, 0.5], 0.6), motion([0, 0.5, 0, 0.5], 0.6)
    assert abs(bound[:, 2, 2]).max() > 10 * abs(bound[:, 1, 2]).max()
    assert abs(pace[:, 1, 2]).max() > 10 * abs(pace[:, 2, 2]).max()


@pytest.mark.parametrize("starts", [[0, 0, 0, 0], [0, 0, 0.5, 0.5], [0.3, 0.6, 0, 0.3]])
def test_the_motion_is_periodic_with_a_mean_of_zero(starts) -> None:
    found = motion(starts, 0.6)
    np.testing.assert_allclose(found.mean(axis=0), 0.0, atol=1e-9)
    steps = np.diff(found[:, :, 1:], axis=0, append=found[:1, :, 1:])
    assert (abs(steps).max(axis=0) <= abs(found[:, :, :2]).max(axis=0) / len(found) + 1e-9).all()
