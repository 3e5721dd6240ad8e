"""Spare joints of legs move without the feet, and the back transmits the forces of the feet."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph import Project, Simulation
from ctrlgraph.control.gait.gait_arrays import GaitData, gait_data
from ctrlgraph.control.gait.gait_file import gait_of
from ctrlgraph.control.gait.gait_leg import foot_place, set_jacobian
from ctrlgraph.control.gait.gait_posture import load_spine, set_spare_motion
from ctrlgraph.control.gait.gait_values import DEFAULTS, GaitValues
from ctrlgraph.control.gait.legged_body import legged_body
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialKinematics, new_spatial_kinematics, spatial_body
from ctrlgraph.kernels.spatial.spatial_kinematics import place_links, update_joints
from ctrlgraph.yaml_source import parse_yaml
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


def angle_in_steady_trot(trajectory: str, joint: str, turn: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Return the angle of a joint in a trot in place, rad, and the phase, in the tenth cycle (n,), on MuJoCo."""
    text = (ROOT / "projects/dog/controllers/trot_in_place.yaml").read_text()
    text += f"turn: {turn}\ntrajectories: {{{joint}: {trajectory}}}\n"
    gait = gait_of(parse_yaml(text, "trot.yaml", "gait"), DOG)
    with Simulation(DOG, engine="mujoco", sample_rate=100.0) as simulation:
        simulation.run(gait, cycles=10)
        trace = simulation.last_trace
        phase = trace.time / gait.values.period
        last = phase > 9.0
        return trace.joint_angle[last, [each.name for each in DOG.joints].index(joint)], phase[last] - 9.0


def test_an_oscillating_joint_follows_its_trajectory_at_the_given_phase() -> None:
    angle, phase = angle_in_steady_trot("{offset: -0.1, amplitude: 0.1, phase: 0.25}", "neck_pitch_1")
    np.testing.assert_allclose(angle, -0.1 + 0.1 * np.cos(2.0 * np.pi * (phase - 0.25)), atol=0.03)


def test_a_joint_with_a_turn_bends_into_the_curve() -> None:
    angle, _ = angle_in_steady_trot("{turn: 0.3}", "neck_yaw", turn=0.5)
    np.testing.assert_allclose(angle, 0.15, atol=0.02)
