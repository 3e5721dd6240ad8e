"""Forces of the feet: they give the desired force and moment as far as friction and contact allow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctrlgraph import Project
from ctrlgraph.control.gait.foot_forces import split_forces
from ctrlgraph.control.gait.gait_arrays import FOOTHOLD, SWINGS, GaitData, gait_data, new_gait_state
from ctrlgraph.control.gait.gait_values import DEFAULTS, GaitValues
from ctrlgraph.control.gait.legged_body import legged_body
from ctrlgraph.kernels.spatial.spatial_arrays import new_spatial_kinematics
from tests.controllers.conftest import ROOT

CHARACTER = Project(ROOT / "projects" / "quadruped").character
STANCE = legged_body(CHARACTER)
VALUES = GaitValues(**DEFAULTS, period=0.45, height=0.3, step_height=0.06)
MASS = CHARACTER.mass
WEIGHT = 9.81 * MASS
FEET = np.column_stack([STANCE.legs.stance, np.full(4, -STANCE.height)])  # from the centre of mass


def forces(wanted: np.ndarray, swings: tuple[float, ...] = (0, 0, 0, 0)) -> tuple[np.ndarray, GaitData]:
    """Return the forces (4, 3) of the feet for a desired force and moment."""
    data, state = gait_data(STANCE, VALUES, np.zeros((4, 2))), new_gait_state(12)
    kin = new_spatial_kinematics(len(CHARACTER.links), 12)
    kin.com[:3] = (3.0, -1.0, 0.5)
    state.leg[:4, FOOTHOLD : FOOTHOLD + 3] = FEET + kin.com[:3]
    state.leg[:4, SWINGS] = swings
    data.wanted[:] = wanted
    split_forces(kin, data, state, MASS, WEIGHT)
    return data.forces.reshape(4, 3).copy(), data


def wrench(found: np.ndarray) -> np.ndarray:
    """Return the force and the moment about the centre of mass of the forces of the feet."""
    return np.concatenate([found.sum(axis=0), np.cross(FEET, found).sum(axis=0)])


def test_a_standing_character_gets_its_weight_and_no_moment() -> None:
    wanted = np.array([0, 0, WEIGHT, 0, 0, 0])
    np.testing.assert_allclose(wrench(forces(wanted)[0]), wanted, atol=0.005 * WEIGHT)


@given(st.lists(st.floats(-1, 1), min_size=6, max_size=6), st.sampled_from([(0, 0, 0, 0), (1, 0, 0, 1), (0, 1, 0, 0)]))
@settings(max_examples=60, deadline=None)
def test_forces_stay_within_the_friction_and_never_pull(shares, swings) -> None:
    wanted = np.array(shares) * WEIGHT * np.array([1, 1, 2, 0.3, 0.3, 0.3])
    found, _ = forces(wanted, swings)
    stands = np.array(swings) == 0
    assert (found[~stands] == 0).all()
    assert (found[stands, 2] >= 0.02 * WEIGHT - 1e-9).all()
    assert (abs(found[stands, :2]) <= VALUES.friction * found[stands, 2:] + 1e-9).all()


@pytest.mark.parametrize("axis", range(6))
def test_moderate_forces_and_moments_are_given_nearly(axis) -> None:
    wanted = np.array([0, 0, WEIGHT, 0, 0, 0.0])
    wanted[axis] += (0.1 if axis < 3 else 0.02) * WEIGHT
    np.testing.assert_allclose(wrench(forces(wanted)[0]), wanted, atol=0.01 * WEIGHT)


def test_front_legs_brake_and_hind_legs_push_with_forces_that_cancel() -> None:
    found, _ = forces(np.array([0, 0, WEIGHT, 0, 0, 0]), swings=(1, 0, 0, 1))
    ahead = found[:, 0] * np.sign(FEET[:, 0])
    assert (ahead[1:3] < -0.005 * WEIGHT).all()
    assert abs(found[:, 0].sum()) < 0.001 * WEIGHT


def test_least_squares_of_all_limits_are_no_worse_than_scaled_forces() -> None:
    # far more sideways force than friction allows: the forces reach the limit
    found, _ = forces(np.array([2 * WEIGHT, 0, WEIGHT, 0, 0, 0]))
    assert found[:, 0].sum() == pytest.approx(VALUES.friction * found[:, 2].sum(), rel=0.05)
