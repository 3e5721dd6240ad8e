"""States on the constraint surface: all rows hold, and their dynamics equal the simulation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.control.tracking.arrays import tracking_data
from ctrlgraph.control.tracking.surface import acceleration_on_surface, integrate_on_surface
from ctrlgraph.control.tracking.tracking import Tracking, with_constant_policy
from ctrlgraph.control.tracking.tracking_file import read_tracking
from ctrlgraph.control.tracking.tracking_state import STAGE, THETA, TrackingState
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.gaits.planar_surface_start import Surface
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.simulation import Simulation

PROJECT = Path(__file__).parents[3] / "projects" / "tracking"
RIGHT_KNEE, LEFT_KNEE = 2, 3


@pytest.fixture(scope="module")
def jump() -> Tracking:
    return with_constant_policy(
        read_tracking(PROJECT / "tracking" / "jump.yaml", Project(PROJECT).character, policies=False), 0.04
    )


@pytest.mark.slow
def test_on_the_surface_joints_are_where_their_splines_are_and_feet_stand_still(jump: Tracking) -> None:
    surface = Surface(jump)
    start, _ = jump.entry.stages[0].theta
    assert surface.pose(0, start, 0.9)
    model = surface.data.model
    knee = jump.entry.stages[0].track["rKnee"][0]
    assert model.q[3 + RIGHT_KNEE] == pytest.approx(knee, abs=1e-9)
    assert model.q[3 + LEFT_KNEE] == pytest.approx(knee, abs=1e-9)
    for foot in jump.character.roles.feet:
        assert model.kin.link[foot, 2] == pytest.approx(0.0, abs=1e-9)
        np.testing.assert_allclose(model.kin.link[foot, 3:], 0.0, atol=1e-9)
    assert model.kin.com[2] == pytest.approx(0.9, abs=1e-9)


@pytest.mark.slow
def test_a_force_further_ahead_slows_theta(jump: Tracking) -> None:
    surface = Surface(jump)
    found = []
    for at in (-0.03, 0.04, 0.11):
        surface.data.policy_numbers[:, 0] = at
        assert surface.pose(3, -0.08, 0.9)
        found.append(acceleration_on_surface(surface.data, surface.state, 3, 0.0))
    assert found[0] > found[1] > found[2]


@pytest.mark.slow
def test_the_reduced_dynamics_are_those_of_the_simulation(jump: Tracking) -> None:
    surface, out = Surface(jump), np.zeros(3)
    begin, end = jump.entry.stages[0].theta
    assert surface.pose(0, begin, 0.9)
    assert integrate_on_surface(surface.data, surface.state, 0, np.array([begin, 0.9]), end, 0.04, out)
    seen: list[tuple[float, float]] = []

    def look(moment: Moment) -> None:
        state: TrackingState = moment.state
        if state.counters[STAGE] == 0:
            seen.append((moment.time, float(state.reading[THETA])))

    with Simulation(jump.character) as simulation:
        surface.start(simulation, begin, 0.9)
        simulation.watch(look, 0.002)
        simulation.run(jump, timeout=0.04)
    times, thetas = np.array(seen).T
    assert float(np.interp(out[2], times, thetas)) - begin == pytest.approx(out[0] - begin, rel=0.03)


@pytest.mark.slow
def test_there_is_no_surface_beyond_the_reach_of_the_legs(jump: Tracking) -> None:
    surface = Surface(jump)
    assert not surface.pose(0, 1.5, 0.9)


def test_without_its_policy_a_motion_has_the_force_below_the_ankle() -> None:
    motion = read_tracking(PROJECT / "tracking" / "jump.yaml", Project(PROJECT).character, policies=False)
    assert not tracking_data(motion).policy_numbers[0].any()
