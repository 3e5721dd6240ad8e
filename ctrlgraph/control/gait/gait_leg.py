"""Kinematics and passive torques of one leg of a gait controller."""

from __future__ import annotations

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.control.gait.gait_arrays import GaitData
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_rotation import (
    add,
    cross,
    dot,
    quaternion_at,
    rotate,
    scale,
    subtract,
    vector_at,
)

_AXES = 3
"""Number of joints by which a leg can move its foot along three axes."""


@kernel
def foot_place(kin: SpatialKinematics, data: GaitData, i: int) -> Vector:
    """Return the centre of the foot of leg `i` in the world, m."""
    link = data.legs.foot[i]
    return add(vector_at(kin.pose, link, 0), rotate(quaternion_at(kin.pose, link, 3), vector_at(data.legs.place, i, 0)))


@kernel
def foot_velocity(kin: SpatialKinematics, data: GaitData, i: int) -> Vector:
    """Return the velocity of the centre of the foot of leg `i`, m/s."""
    link = data.legs.foot[i]
    arm = rotate(quaternion_at(kin.pose, link, 3), vector_at(data.legs.place, i, 0))
    return add(vector_at(kin.twist, link, 0), cross(vector_at(kin.twist, link, 3), arm))


@kernel
def foot_acceleration(kin: SpatialKinematics, data: GaitData, i: int) -> Vector:
    """Return the acceleration of the foot of leg `i` from the accelerations in `data.space`, m/s^2."""
    link = data.legs.foot[i]
    arm = rotate(quaternion_at(kin.pose, link, 3), vector_at(data.legs.place, i, 0))
    spin, motion = vector_at(kin.twist, link, 3), data.space.acceleration
    more = add(cross(vector_at(motion, link, 3), arm), cross(spin, cross(spin, arm)))
    return add(vector_at(motion, link, 0), more)


@kernel
def set_jacobian(kin: SpatialKinematics, data: GaitData, i: int) -> None:
    """Set the velocities of the foot of leg `i` by the rates of its joints."""
    foot = foot_place(kin, data, i)
    for a in range(data.legs.n_joints[i]):
        j = data.legs.joints[i, a]
        column = cross(vector_at(kin.axis, j, 0), subtract(foot, vector_at(kin.place, j, 0)))
        for k in range(3):
            data.jacobian[i, k, a] = column[k]


@kernel
def along(data: GaitData, i: int, a: int, v: Vector) -> float:
    """Return the element of J^T v that belongs to joint `a` of leg `i`."""
    jacobian = data.jacobian
    return float(jacobian[i, 0, a] * v[0] + jacobian[i, 1, a] * v[1] + jacobian[i, 2, a] * v[2])


@kernel
def foot_motion(kin: SpatialKinematics, data: GaitData, i: int) -> Vector:
    """Return the velocity of the foot of leg `i` by the rates of its joints, m/s."""
    moving = (0.0, 0.0, 0.0)
    for a in range(data.legs.n_joints[i]):
        column = (data.jacobian[i, 0, a], data.jacobian[i, 1, a], data.jacobian[i, 2, a])
        moving = add(moving, scale(kin.joint[data.legs.joints[i, a], 1], column))
    return moving


@kernel
def least_squares(data: GaitData, i: int, v: Vector) -> Vector:
    """Return (J J^T + e)^-1 v; J^T times it moves the foot of leg `i` by v (damped least squares)."""
    jacobian = data.jacobian
    xx = yy = zz = 1e-4
    xy = xz = yz = 0.0
    for a in range(data.legs.n_joints[i]):
        x, y, z = jacobian[i, 0, a], jacobian[i, 1, a], jacobian[i, 2, a]
        xx, yy, zz = xx + x * x, yy + y * y, zz + z * z
        xy, xz, yz = xy + x * y, xz + x * z, yz + y * z
    first, second, third = (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)
    p, q, r = cross(second, third), cross(third, first), cross(first, second)
    inverse = 1.0 / dot(first, p)
    return (
        inverse * (p[0] * v[0] + q[0] * v[1] + r[0] * v[2]),
        inverse * (p[1] * v[0] + q[1] * v[1] + r[1] * v[2]),
        inverse * (p[2] * v[0] + q[2] * v[1] + r[2] * v[2]),
    )


@kernel
def has_spare_joints(data: GaitData, i: int) -> bool:
    """Return whether leg `i` has more joints than it needs to place its foot."""
    return bool(data.legs.n_joints[i] > _AXES)


@kernel
def passive_torque(body: SpatialBody, kin: SpatialKinematics, j: int, rate: float) -> float:
    """Return the torque of the spring and the damper of joint `j` at a rate in rad/s, N m."""
    return float(body.passive[j, 0] * (body.passive[j, 1] - kin.joint[j, 0]) - body.passive[j, 2] * rate)
