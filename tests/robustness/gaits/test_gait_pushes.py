"""Tracked gaits walk on both engines, within their torque limits, and go on after a push."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.gait_pushes import Aftermath, pushed, steady_gait, walks
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.simulation import Simulation

PROJECTS = Path(__file__).parents[3] / "projects"


def gait(name: str):
    project = Project(PROJECTS / name)
    return project, project.read_controller("tracking", PROJECTS / name / "tracking" / "walk.yaml")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["ode", "mujoco"])
@pytest.mark.parametrize(("name", "rate"), [("tracking", 1.02), ("five-link", 1.35)])
def test_a_tracked_walk_walks_within_its_torque_limits(name: str, rate: float, engine: str) -> None:
    project, tracking = gait(name)
    with Simulation(project.character, engine=engine) as simulation:
        far = walks(simulation, tracking, rate, 10.0)
        assert far is not None
        assert far > 5.0
        limits = np.array([joint.torque_limit.upper for joint in project.character.joints])
        assert (simulation.last_trace.joint_peak[:, :, 1:].max(axis=(0, 2)) <= limits * (1 + 1e-9)).all()


@pytest.mark.slow
def test_a_walk_goes_on_after_a_push_either_way() -> None:
    project, tracking = gait("tracking")
    with Simulation(project.character) as simulation:
        steady = steady_gait(simulation, tracking, 1.02)
        assert steady.speed == pytest.approx(0.68, abs=0.05)
        for force in (250.0, -250.0):
            assert pushed(simulation, tracking, steady, force, 0.3) is Aftermath.WALKING
        assert pushed(simulation, tracking, steady, 3000.0, 0.3) is Aftermath.FALLEN
