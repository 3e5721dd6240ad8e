"""Posture of a character during a gait: joints that a leg does not need for its foot, and joints of the spine."""

from __future__ import annotations

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.control.gait.gait_arrays import GaitData
from ctrlgraph.control.gait.gait_leg import along, foot_motion, has_spare_joints, least_squares
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.pd import clipped
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_rotation import add, cross, dot, scale, subtract, vector_at

_FURTHEST = 0.5
"""Maximum deviation from the start pose that is corrected at a time, rad."""


@kernel
def set_spare_motion(kin: SpatialKinematics, data: GaitData, i: int) -> None:
    """Set by how much the joints of leg `i` deviate from the start pose without a motion of the foot, `data.spare`.

    `data.spare_rate` is the part of their rates that does not move the foot. A leg without spare joints has neither.
    """
    n = data.legs.n_joints[i]
    if not has_spare_joints(data, i):
        return
    moved = (0.0, 0.0, 0.0)
    for a in range(n):
        j = data.legs.joints[i, a]
        data.spare[i, a] = clipped(data.legs.rest[i, a] - kin.joint[j, 0], -_FURTHEST, _FURTHEST)
        column = (data.jacobian[i, 0, a], data.jacobian[i, 1, a], data.jacobian[i, 2, a])
        moved = add(moved, scale(data.spare[i, a], column))
    solved, own = least_squares(data, i, moved), least_squares(data, i, foot_motion(kin, data, i))
    for a in range(n):
        data.spare[i, a] -= along(data, i, a, solved)
        data.spare_rate[i, a] = kin.joint[data.legs.joints[i, a], 1] - along(data, i, a, own)


@kernel
def posture_change(data: GaitData, i: int, a: int) -> float:
    """Return the acceleration of joint `a` of leg `i` that brings its spare motion to the start pose, rad/s^2."""
    w = data.values.posture_frequency
    return float(w * (w * data.spare[i, a] - 2.0 * data.spare_rate[i, a]))


@kernel
def load_spine(kin: SpatialKinematics, data: GaitData, motors: Motors, i: int, foot: Vector) -> None:
    """Add the torques with which the spine transmits the force of the standing foot of leg `i`.

    Args:
        kin: state of the character.
        data: constants of the gait, with the forces of the feet.
        motors: receives the torques.
        i: index of the leg, which stands.
        foot: place of the foot, m.
    """
    force = vector_at(data.forces, 0, 3 * i)
    for k in range(data.legs.n_spine[i]):
        j = data.legs.spine[i, k]
        arm = subtract(foot, vector_at(kin.place, j, 0))
        motors.torque[j] -= dot(cross(vector_at(kin.axis, j, 0), arm), force)
