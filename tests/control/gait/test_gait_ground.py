"""The ground is a plane on level ground and slopes; on uneven ground, footholds do not follow each foothold."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph import Project
from ctrlgraph.control.gait.gait_arrays import FEET, FOOTHOLD, LYING, TOUCHED, GaitState, gait_data, new_gait_state
from ctrlgraph.control.gait.gait_ground import estimate_ground, unevenness
from ctrlgraph.control.gait.gait_values import DEFAULTS, GaitValues
from ctrlgraph.control.gait.legged_body import legged_body
from ctrlgraph.kernels.spatial.spatial_arrays import new_spatial_kinematics
from tests.controllers.conftest import ROOT

DOG = Project(ROOT / "projects" / "dog").character
DATA = gait_data(legged_body(DOG), GaitValues(**DEFAULTS, period=0.45, height=0.4, step_height=0.06), np.zeros((4, 2)))
PLACES = np.array([[0.25, 0.1], [0.25, -0.1], [-0.25, 0.1], [-0.25, -0.1]])
WARP = 0.02 * np.array([1.0, -1.0, -1.0, 1.0])
"""Heights of footholds at `PLACES` whose best plane is level, m."""


def estimated(state: GaitState, heights: np.ndarray, seconds: float) -> GaitState:
    """Return the state after a time with these heights of the last footholds, m; the heading is along x."""
    state.leg[:4, FOOTHOLD : FOOTHOLD + 2], state.leg[:4, FOOTHOLD + 2] = PLACES, heights
    state.leg[:4, TOUCHED], state.leg[:4, LYING] = 1.0, 1.0
    kin = new_spatial_kinematics(len(DOG.links), len(DOG.joints))
    for _ in range(round(seconds / 0.002)):
        estimate_ground(kin, DATA, state, 1.0, 0.0, 0.002)
    return state


@pytest.mark.parametrize(("along", "across"), [(0.0, 0.0), (0.2, -0.1)])
def test_footholds_on_a_plane_are_expected_on_this_plane(along: float, across: float) -> None:
    state = estimated(new_gait_state(len(DOG.joints)), PLACES @ [along, across], 2.0)
    assert unevenness(DATA, state) == 0.0
    np.testing.assert_allclose(state.plane[:2], [along, across], atol=0.001)
    assert state.plane[FEET : FEET + 3].tolist() == state.plane[:3].tolist()


def test_on_uneven_ground_the_slope_for_footholds_follows_slowly() -> None:
    state = estimated(new_gait_state(len(DOG.joints)), WARP, 2.0)
    assert 0.01 < unevenness(DATA, state) < 0.02
    estimated(state, WARP + PLACES @ [0.1, 0.1], 0.3)
    assert min(state.plane[:2]) > 0.08
    assert max(state.plane[FEET : FEET + 2]) < 0.03
    assert state.plane[FEET + 2] == pytest.approx(0.0, abs=0.001)


def test_the_unevenness_bounds_the_difference_of_the_slopes() -> None:
    """The feet are farther apart along the heading, so unevenness explains less of a slope along it."""
    state = estimated(new_gait_state(len(DOG.joints)), WARP, 2.0)
    estimated(state, WARP + PLACES @ [1.0, 1.0], 0.6)
    off = state.plane[:2] - state.plane[FEET : FEET + 2]
    error = 2.0 * unevenness(DATA, state) / np.linalg.norm(PLACES, axis=0)
    np.testing.assert_allclose(off[0], 3.0 * error[0], rtol=0.01)
    assert off[1] > off[0]
