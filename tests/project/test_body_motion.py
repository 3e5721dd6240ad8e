"""A fit that is played back: a recorded walk becomes a file that walks by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.bounds import MAX_CYCLES
from ctrlgraph.control.tracking.fitting.fitted_tracking import fit_tracking
from ctrlgraph.control.tracking.tracking_file import parse_tracking, read_tracking
from ctrlgraph.project.body_motion import motion_of_signals
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.gaits.planar_surface_start import begin_on_surface
from ctrlgraph.robustness.gaits.return_map import run_for
from ctrlgraph.simulation.outcome import Status
from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder
from ctrlgraph.simulation.simulation import Simulation

PROJECT = Path(__file__).parents[2] / "projects" / "tracking"


@pytest.mark.slow
def test_the_shipped_walk_recorded_and_fitted_walks_again() -> None:
    character = Project(PROJECT).character
    shipped = read_tracking(PROJECT / "tracking" / "walk.yaml", character, policies=False)
    with Simulation(character, keep_trace=False) as simulation:
        begin_on_surface(simulation, shipped, 1.027)
        recorder = SignalRecorder(simulation, 500.0)
        recorder.begin("walk")
        simulation.run(shipped, cycles=MAX_CYCLES, timeout=8.0)
        motion = motion_of_signals(recorder.signals(), character)
    made = fit_tracking(motion, character)
    assert made.speed == pytest.approx(0.67, abs=0.03)
    assert made.residual < 0.01
    again = parse_tracking(made.text, character, "again.yaml")
    run = run_for(again, float(made.step.rate[1]), 6.0, made.start)
    assert run.status is Status.TIMEOUT  # and no fall
    assert run.steps >= 8
    assert run.cycles == run.steps // 2
    assert run.distance > 3.0
