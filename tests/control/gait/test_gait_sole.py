"""Feet with soles: their legs place and turn them, they press within the sole, and the heel of a short leg rises."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph import Project
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.gait.foot_forces import foot_push, split_forces
from ctrlgraph.control.gait.gait_arrays import FOOTHOLD, LYING, ROLLED, SWINGS, GaitData, GaitState, gait_data
from ctrlgraph.control.gait.gait_kind import KIND
from ctrlgraph.control.gait.gait_leg import along, foot_place, least_squares, moved, set_jacobian
from ctrlgraph.control.gait.gait_sole import sole_change
from ctrlgraph.control.gait.gait_values import DEFAULTS, GaitValues
from ctrlgraph.control.gait.legged_body import legged_body
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialKinematics, new_spatial_kinematics, spatial_body
from ctrlgraph.kernels.spatial.spatial_kinematics import place_links, update_joints
from tests.controllers.conftest import ROOT

CHARACTER = Project(ROOT / "projects" / "biped-3d").character
assert isinstance(CHARACTER, SpatialCharacter)
BODY = legged_body(CHARACTER)
VALUES = GaitValues(**DEFAULTS, period=0.8, height=0.92, step_height=0.06)
WEIGHT = 9.81 * CHARACTER.mass


def standing(raised: float = 0.0, ahead: float = 0.0) -> tuple[SpatialKinematics, GaitData, GaitState]:
    """Return the biped that stands in its start pose, or with its root moved up and ahead of the footholds, m."""
    body, kin = spatial_body(CHARACTER), new_spatial_kinematics(len(CHARACTER.links), len(CHARACTER.joints))
    data, state = gait_data(BODY, VALUES, np.zeros((2, 2))), KIND.new_state(len(CHARACTER.joints))
    pose = CHARACTER.start_pose
    kin.pose[body.root] = (*pose.position, *pose.orientation)
    place_links(body, kin, np.array(pose.angles))
    update_joints(body, kin)
    for i in range(2):
        state.leg[i, FOOTHOLD : FOOTHOLD + 3] = foot_place(kin, data, i)
        state.leg[i, LYING : LYING + 4] = kin.pose[BODY.legs.foot[i], 3:]
    kin.place[:] += (ahead, 0.0, raised)
    kin.pose[:, :3] += (ahead, 0.0, raised)
    return kin, data, state


def test_each_foot_stands_on_four_points_as_wide_as_its_sole() -> None:
    assert list(BODY.legs.n_points) == [4, 4]
    assert list(BODY.legs.tasks) == [6, 6]
    np.testing.assert_allclose(BODY.legs.breadth, 0.095, atol=1e-9)
    np.testing.assert_allclose(BODY.legs.toe, [(0.13, 0, 0)] * 2, atol=1e-9)


def test_robots_with_point_feet_have_no_soles() -> None:
    quadruped = legged_body(Project(ROOT / "projects" / "quadruped").character)
    assert list(quadruped.legs.tasks) == [3] * 4
    assert list(quadruped.legs.n_points) == [1] * 4


@pytest.mark.parametrize("axis", range(6))
def test_a_leg_moves_and_turns_its_foot_about_every_axis(axis) -> None:
    kin, data, _ = standing()
    wanted = np.eye(6)[axis]
    set_jacobian(kin, data, 0)
    solved = least_squares(data, 0, (tuple(wanted[:3]), tuple(wanted[3:])))
    motion = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    for a in range(6):
        motion = moved(data, 0, a, along(data, 0, a, solved), motion)
    np.testing.assert_allclose(np.concatenate(motion), wanted, atol=0.02)


@pytest.mark.parametrize("pitch", [-300.0, -30.0, 30.0, 300.0])
def test_the_centre_of_pressure_of_a_single_foot_stays_in_its_sole(pitch) -> None:
    kin, data, state = standing()
    kin.com[:3] = foot_place(kin, data, 0)
    kin.com[2] += 0.9
    state.leg[1, SWINGS] = 1.0
    data.wanted[:] = (0.0, 0.0, WEIGHT, 0.0, pitch, 0.0)
    split_forces(kin, data, state, CHARACTER.mass, WEIGHT)
    force, moment = foot_push(kin, data, state, 0)
    assert force[2] == pytest.approx(WEIGHT, rel=0.1)
    assert abs(moment[1] / force[2]) <= 0.8 * 0.13 + 1e-6
    assert abs(moment[0] / force[2]) <= 0.8 * 0.0475 + 1e-6
    assert foot_push(kin, data, state, 1) == ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@pytest.mark.parametrize(("raised", "ahead", "rises"), [(0.0, 0.0, False), (0.03, 0.2, True), (0.03, -0.2, False)])
def test_the_heel_rises_if_the_leg_is_too_short_behind_the_hip(raised, ahead, rises) -> None:
    kin, data, state = standing(raised, ahead)
    _, turn = sole_change(kin, data, state, 0, 1.0, 0.0)
    assert (state.leg[0, ROLLED] > 0.0) == rises
    assert (turn[1] > 0.0) == rises
