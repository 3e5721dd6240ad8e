"""Kinematics and passive torques of one leg of a gait controller."""

from __future__ import annotations

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.control.gait.gait_arrays import GaitData
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.linear_algebra import cholesky, cholesky_solve_rows
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

Motion = tuple[Vector, Vector]
"""Motion of a foot: velocity or acceleration of its centre, and angular velocity or acceleration. The second one is
not used for feet without a sole. Also a force and a moment on a foot."""

_DAMPING = 1e-4
"""Damping of the least squares, m^2 and rad^2."""


@kernel
def foot_place(kin: SpatialKinematics, data: GaitData, i: int) -> Vector:
    """Return the centre of the foot of leg `i` in the world, m."""
    link = data.legs.foot[i]
    return add(vector_at(kin.pose, link, 0), rotate(quaternion_at(kin.pose, link, 3), vector_at(data.legs.place, i, 0)))


@kernel
def foot_velocity(kin: SpatialKinematics, data: GaitData, i: int) -> Motion:
    """Return the velocity of the centre of the foot of leg `i`, m/s, and its angular velocity, rad/s."""
    link = data.legs.foot[i]
    arm, spin = (
        rotate(quaternion_at(kin.pose, link, 3), vector_at(data.legs.place, i, 0)),
        vector_at(kin.twist, link, 3),
    )
    return add(vector_at(kin.twist, link, 0), cross(spin, arm)), spin


@kernel
def foot_acceleration(kin: SpatialKinematics, data: GaitData, i: int) -> Motion:
    """Return the acceleration of the foot of leg `i` from the accelerations in `data.space`, m/s^2 and rad/s^2."""
    link = data.legs.foot[i]
    arm = rotate(quaternion_at(kin.pose, link, 3), vector_at(data.legs.place, i, 0))
    spin, motion = vector_at(kin.twist, link, 3), data.space.acceleration
    change = vector_at(motion, link, 3)
    more = add(cross(change, arm), cross(spin, cross(spin, arm)))
    return add(vector_at(motion, link, 0), more), change


@kernel
def set_jacobian(kin: SpatialKinematics, data: GaitData, i: int) -> None:
    """Set the velocities of the foot of leg `i`, and of a sole also the angular ones, by the rates of its joints."""
    foot = foot_place(kin, data, i)
    for a in range(data.legs.n_joints[i]):
        j = data.legs.joints[i, a]
        axis = vector_at(kin.axis, j, 0)
        column = cross(axis, subtract(foot, vector_at(kin.place, j, 0)))
        for k in range(3):
            data.jacobian[i, k, a] = column[k]
            data.jacobian[i, 3 + k, a] = axis[k] if has_sole(data, i) else 0.0


@kernel
def along(data: GaitData, i: int, a: int, motion: Motion) -> float:
    """Return the element of J^T v that belongs to joint `a` of leg `i`; v is the motion."""
    jacobian, v, w = data.jacobian, motion[0], motion[1]
    linear = jacobian[i, 0, a] * v[0] + jacobian[i, 1, a] * v[1] + jacobian[i, 2, a] * v[2]
    return float(linear + jacobian[i, 3, a] * w[0] + jacobian[i, 4, a] * w[1] + jacobian[i, 5, a] * w[2])


@kernel
def foot_motion(kin: SpatialKinematics, data: GaitData, i: int) -> Motion:
    """Return the velocity of the foot of leg `i` by the rates of its joints, m/s and rad/s."""
    moving = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    for a in range(data.legs.n_joints[i]):
        moving = moved(data, i, a, kin.joint[data.legs.joints[i, a], 1], moving)
    return moving


@kernel
def moved(data: GaitData, i: int, a: int, rate: float, motion: Motion) -> Motion:
    """Return a motion of the foot of leg `i` plus that by joint `a` with a rate in rad/s."""
    jacobian = data.jacobian
    first = (jacobian[i, 0, a], jacobian[i, 1, a], jacobian[i, 2, a])
    second = (jacobian[i, 3, a], jacobian[i, 4, a], jacobian[i, 5, a])
    return add(motion[0], scale(rate, first)), add(motion[1], scale(rate, second))


@kernel
def difference(a: Motion, b: Motion) -> Motion:
    """Return the motion a - b."""
    return subtract(a[0], b[0]), subtract(a[1], b[1])


@kernel
def least_squares(data: GaitData, i: int, motion: Motion) -> Motion:
    """Return (J J^T + e)^-1 v; J^T times it moves the foot of leg `i` by the motion v (damped least squares)."""
    if has_sole(data, i):
        return _with_sole(data, i, motion)
    jacobian, v = data.jacobian, motion[0]
    xx = yy = zz = _DAMPING
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
    ), (0.0, 0.0, 0.0)


@kernel
def _with_sole(data: GaitData, i: int, motion: Motion) -> Motion:
    """Return the least squares of a foot with a sole, which moves along three axes and turns about them."""
    jacobian, matrix, right = data.jacobian, data.foot_matrix, data.foot_right
    for r in range(6):
        right[0, r] = motion[0][r] if r < 3 else motion[1][r - 3]
        for c in range(6):
            matrix[r, c] = _DAMPING if r == c else 0.0
            for a in range(data.legs.n_joints[i]):
                matrix[r, c] += jacobian[i, r, a] * jacobian[i, c, a]
    if not cholesky(matrix):
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    cholesky_solve_rows(matrix, right)
    return vector_at(right, 0, 0), vector_at(right, 0, 3)


@kernel
def has_sole(data: GaitData, i: int) -> bool:
    """Return whether the foot of leg `i` stands on a sole, whose orientation the leg controls."""
    return bool(data.legs.tasks[i] > 3)


@kernel
def has_spare_joints(data: GaitData, i: int) -> bool:
    """Return whether leg `i` has more joints than it needs to place its foot."""
    return bool(data.legs.n_joints[i] > data.legs.tasks[i])


@kernel
def passive_torque(body: SpatialBody, kin: SpatialKinematics, j: int, rate: float) -> float:
    """Return the torque of the spring and the damper of joint `j` at a rate in rad/s, N m."""
    return float(body.passive[j, 0] * (body.passive[j, 1] - kin.joint[j, 0]) - body.passive[j, 2] * rate)
