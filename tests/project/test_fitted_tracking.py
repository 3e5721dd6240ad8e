"""A fit that is played back: a recorded walk becomes a file that walks by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.cli.commands.record.tracking import _wanted_rate
from ctrlgraph.control.tracking.tracking_file import parse_tracking, read_motion
from ctrlgraph.experiments.gaits.return_map import run_for
from ctrlgraph.experiments.gaits.surface_start import record_on_surface
from ctrlgraph.project.fitted_tracking import fit_tracking, motion_of_signals
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.outcome import Status

PROJECT = Path(__file__).parents[2] / "projects" / "tracking"


@pytest.mark.slow
def test_the_shipped_walk_recorded_and_fitted_walks_again() -> None:
    project = Project(PROJECT)
    shipped = read_motion(PROJECT / "tracking" / "walk.yaml", project.character)
    signals = record_on_surface(shipped, 1.027, 8.0, rate=500.0)
    made = fit_tracking(motion_of_signals(signals, project.character), project.character)
    assert made.speed == pytest.approx(0.67, abs=0.03)
    assert made.residual < 0.01
    assert made.periodic is not None
    again = parse_tracking(made.text, project.character, "again.yaml")
    run = run_for(again, made.periodic.rate, 6.0, made.begun)
    assert run.status is Status.TIMEOUT  # and no fall
    assert run.steps >= 8
    assert run.cycles == run.steps // 2
    assert run.distance > 3.0


def test_a_walk_is_recorded_from_the_rate_of_the_stage_that_it_begins_in() -> None:
    shipped = read_motion(PROJECT / "tracking" / "walk.yaml", Project(PROJECT).character)
    assert _wanted_rate(shipped) == 1.027  # not that of the stage before, which only catches a slow body
