"""Tracked gaits walk on both engines, within their torque limits, and go on after a push."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.gait_pushes import Aftermath, aftermath, pushed, steady_gait, walks
from ctrlgraph.experiments.gaits.surface_start import begin_on_surface
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.planar_trace import Trace
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


@pytest.mark.slow
def test_the_same_walk_is_the_same_to_the_bit() -> None:
    project, tracking = gait("tracking")
    digests = set()
    for _ in range(2):
        with Simulation(project.character) as simulation:
            begin_on_surface(simulation, tracking, 1.02)
            simulation.run(tracking, cycles=3, timeout=10.0)
            digests.add(simulation.history_digest())
    assert len(digests) == 1


def motion(speed: float, strikes: bool) -> Trace:
    """Five seconds in which the body goes on so fast, and its two feet strike or stand."""
    project, _ = gait("tracking")
    time = np.arange(0.0, 5.0, 0.01)
    contact = np.ones((len(time), len(project.character.links)), dtype=np.bool_)
    if strikes:
        for k, foot in enumerate(project.character.roles.feet):
            contact[:, foot] = np.sin(2 * np.pi * time + np.pi * k) > -0.5
    n, zeros = len(time), np.zeros
    com = np.column_stack([speed * time, np.ones(n)])
    links = contact.shape[1]
    return Trace(
        time, zeros((n, links, 2)), zeros((n, links)), contact, com, zeros((n, 2)), zeros(n, np.int64), zeros(n)
    )


@pytest.mark.parametrize(
    ("speed", "strikes", "fell", "found"),
    [
        (0.6, True, False, Aftermath.WALKING),
        (0.1, True, False, Aftermath.STEPPING),
        (-0.6, True, False, Aftermath.STEPPING),
        (0.0, False, False, Aftermath.ROCKING),
        (0.6, True, True, Aftermath.FALLEN),
    ],
)
def test_what_became_of_a_gait_is_reported_by_its_last_seconds(
    speed: float, strikes: bool, fell: bool, found: Aftermath
) -> None:
    project, _ = gait("tracking")
    assert aftermath(motion(speed, strikes), project.character, fell=fell, speed=0.68) is found
