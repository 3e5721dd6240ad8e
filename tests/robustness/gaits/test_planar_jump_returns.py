"""Passages: what comes of leaving the ground, in a simulation of it alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.control.tracking.schema import StageEntry
from ctrlgraph.control.tracking.tracking import Tracking, new_tracking
from ctrlgraph.control.tracking.tracking_file import read_tracking
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.gaits.planar_jump_returns import LEAD_S, PassageRow, simulated_passages

PROJECT = Path(__file__).parents[3] / "projects" / "tracking"


@pytest.fixture(scope="module")
def jump() -> Tracking:
    return read_tracking(PROJECT / "tracking" / "jump.yaml", Project(PROJECT).character, policies=False)


def test_between_two_passages_it_is_read_and_beside_a_fall_nothing() -> None:
    known = np.array([[0.8, -0.1, 1.0, 0.5], [1.0, -0.2, 1.2, 0.4], [1.2, np.nan, np.nan, np.nan]])
    found = PassageRow("ode", 0.0, 0.05, known).after(np.array([0.7, 0.9, 1.1, 1.5]))
    np.testing.assert_allclose(found[:2], [[-0.1, 1.0, 0.5], [-0.15, 1.1, 0.45]])
    assert np.isnan(found[2:]).all()


@pytest.mark.slow
def test_a_jump_speeds_up_until_it_leaves_and_lands_behind_the_body(jump: Tracking) -> None:
    rates = np.array([0.95, 1.05, 1.15])
    level, uphill = simulated_passages(jump, [0.06], ["ode"], [0.0, 3.0], rates)
    assert (level.slope, uphill.slope, level.at) == (0.0, 3.0, 0.06)
    left, theta, rate, seconds = level.passages.T
    assert (left > rates).all() and (left < rates + 5.0 * LEAD_S).all()
    assert (theta < 0.0).all() and (rate > 0.5).all()
    assert (np.diff(seconds) < 0.0).all()  # faster motions take less time
    assert (uphill.passages[:, 3] < seconds).all()  # and uphill the ground comes sooner


@pytest.mark.slow
def test_a_motion_that_does_not_leave_the_ground_is_refused(jump: Tracking) -> None:
    stages: list[StageEntry] = list(jump.entry.stages)
    stages[0] = stages[0].model_copy(update={"ends": stages[0].ends.model_copy(update={"theta": 5.0})})
    standing = new_tracking("standing", jump.entry.model_copy(update={"stages": stages}), jump.character)
    with pytest.raises(CtrlGraphError, match="standing does not leave the ground on the engine ode"):
        simulated_passages(standing, [0.06], ["ode"], [0.0], np.array([1.0, 1.1]))
