"""Spare joints of legs move without the feet, and the back transmits the forces of the feet."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph import Project
from ctrlgraph.control.gait.gait_arrays import GaitData, gait_data
from ctrlgraph.control.gait.gait_leg import foot_place, set_jacobian
from ctrlgraph.control.gait.gait_posture import load_spine, set_spare_motion
from ctrlgraph.control.gait.gait_values import DEFAULTS, GaitValues
from ctrlgraph.control.gait.legged_body import legged_body
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialKinematics, new_spatial_kinematics, spatial_body
from ctrlgraph.kernels.spatial.spatial_kinematics import place_links, update_joints
from tests.controllers.conftest import ROOT

DOG = Project(ROOT / "projects" / "dog").character
N = len(DOG.joints)
BODY = spatial_body(DOG)
VALUES = GaitValues(**DEFAULTS, period=0.45, height=0.3, step_height=0.06)


def placed(angles: np.ndarray) -> SpatialKinematics:
    """Return the kinematics of the dog at rest with these joint angles, its root at the origin."""
    kin = new_spatial_kinematics(len(DOG.links), N)
    kin.pose[BODY.root, 3] = 1.0
    place_links(BODY, kin, angles)
    update_joints(BODY, kin)
    kin.joint[:, 0] = angles
    return kin


def feet(angles: np.ndarray, data: GaitData) -> np.ndarray:
    """Return the places of the feet (4, 3), m."""
    kin = placed(angles)
    return np.array([foot_place(kin, data, i) for i in range(4)])


@pytest.fixture
def data() -> GaitData:
    return gait_data(legged_body(DOG), VALUES, np.zeros((4, 2)))


def bent(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-0.3, 0.3, N)


@pytest.mark.parametrize("seed", range(4))
def test_spare_motion_leads_to_the_start_pose_and_does_not_move_the_foot(data: GaitData, seed: int) -> None:
    angles = bent(seed)
    kin = placed(angles)
    for i in range(4):
        set_jacobian(kin, data, i)
        set_spare_motion(kin, data, i)
        joints = data.legs.joints[i]
        assert data.spare[i] @ (data.legs.rest[i] - angles[joints]) > 0.0
        moved = angles.copy()
        moved[joints] += 1e-4 * data.spare[i]
        assert np.linalg.norm(feet(moved, data)[i] - feet(angles, data)[i]) < 1e-6


def test_the_back_does_the_virtual_work_of_the_feet_that_stand(data: GaitData) -> None:
    angles = bent(7)
    kin = placed(angles)
    forces = np.random.default_rng(8).normal(0.0, 100.0, (4, 3))
    motors = Motors(*(np.zeros((N, 2) if name == "limit" else N) for name in Motors._fields))
    for i in (0, 2, 3):
        load_spine(kin, data, motors, i, foot_place(kin, data, i), (tuple(forces[i]), (0.0, 0.0, 0.0)))
    forces[1] = 0.0  # this foot does not stand
    for j in DOG.roles.spine:
        change = np.zeros(N)
        change[j] = 1e-5
        rates = (feet(angles + change, data) - feet(angles - change, data)) / 2e-5
        assert motors.torque[j] == pytest.approx(-(rates * forces).sum(), abs=1e-3)
    assert not motors.torque[[j for j in range(N) if j not in DOG.roles.spine]].any()
