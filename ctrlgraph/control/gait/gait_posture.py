"""Posture of a character during a gait: spare joints of the legs, and joints that belong to no leg."""

from __future__ import annotations

import math

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.control.gait.gait_arrays import DESIRED, PERIOD, PHASE, GaitData, GaitState
from ctrlgraph.control.gait.gait_leg import Motion, along, foot_motion, has_spare_joints, least_squares, moved
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.pd import clipped
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_dynamics import ROOT_VELOCITIES
from ctrlgraph.kernels.spatial.spatial_rotation import cross, dot, subtract, vector_at

_FURTHEST = 0.5
"""Maximum deviation from the start pose that is corrected at a time, rad."""
_APPROACHES = 0.3
"""Time constant with which a trajectory approaches that of the file, s."""


@kernel
def set_spare_motion(kin: SpatialKinematics, data: GaitData, i: int) -> None:
    """Set by how much the joints of leg `i` deviate from the start pose without a motion of the foot, `data.spare`.

    `data.spare_rate` is the part of their rates that does not move the foot. A leg without spare joints has neither.
    """
    n = data.legs.n_joints[i]
    if not has_spare_joints(data, i):
        return
    motion = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    for a in range(n):
        j = data.legs.joints[i, a]
        data.spare[i, a] = clipped(data.legs.rest[i, a] - kin.joint[j, 0], -_FURTHEST, _FURTHEST)
        motion = moved(data, i, a, data.spare[i, a], motion)
    solved, own = least_squares(data, i, motion), least_squares(data, i, foot_motion(kin, data, i))
    for a in range(n):
        data.spare[i, a] -= along(data, i, a, solved)
        data.spare_rate[i, a] = kin.joint[data.legs.joints[i, a], 1] - along(data, i, a, own)


@kernel
def posture_change(data: GaitData, i: int, a: int) -> float:
    """Return the acceleration of joint `a` of leg `i` that brings its spare motion to the start pose, rad/s^2."""
    w = data.values.posture_frequency
    return float(w * (w * data.spare[i, a] - 2.0 * data.spare_rate[i, a]))


@kernel
def follow_trajectories(body: SpatialBody, data: GaitData, state: GaitState, motors: Motors, dt: float) -> None:
    """Set the commands of the joints that belong to no leg: PD control towards their trajectories.

    The accelerations of the trajectories are added to `data.change`, so that inverse dynamics has them.

    Args:
        body: constants of the character.
        data: constants of the gait.
        state: state of the gait.
        motors: receives the commands.
        dt: time since the last tick, s.
    """
    firmer, share, path = data.values.hold_gain, min(dt / _APPROACHES, 1.0), state.path
    rate = 2.0 * math.pi / state.shape[PERIOD]
    cosine, sine = math.cos(2.0 * math.pi * state.times[PHASE]), math.sin(2.0 * math.pi * state.times[PHASE])
    for k in range(data.others.size):
        j, wanted = data.others[k], data.others_path
        path[0, j] += share * (wanted[0, k] + wanted[3, k] * state.motion[DESIRED + 2] - path[0, j])
        path[1, j] += share * (wanted[1, k] - path[1, j])
        path[2, j] += share * (wanted[2, k] - path[2, j])
        swung = path[1, j] * cosine + path[2, j] * sine
        motors.target[j] = data.others_rest[k] + path[0, j] + swung
        motors.kp[j], motors.kd[j] = firmer * body.gains[j, 0], firmer * body.gains[j, 1]
        motors.torque[j] += motors.kd[j] * rate * (path[2, j] * cosine - path[1, j] * sine)
        data.change[ROOT_VELOCITIES + j] -= rate * rate * swung


@kernel
def load_spine(kin: SpatialKinematics, data: GaitData, motors: Motors, i: int, foot: Vector, push: Motion) -> None:
    """Add the torques with which the spine transmits the force and the moment on the standing foot of leg `i`.

    Args:
        kin: state of the character.
        data: constants of the gait.
        motors: receives the torques.
        i: index of the leg, which stands.
        foot: place of the foot, m.
        push: force, N, and moment about the foot, N m.
    """
    for k in range(data.legs.n_spine[i]):
        j = data.legs.spine[i, k]
        arm = subtract(foot, vector_at(kin.place, j, 0))
        axis = vector_at(kin.axis, j, 0)
        motors.torque[j] -= dot(cross(axis, arm), push[0]) + dot(axis, push[1])
