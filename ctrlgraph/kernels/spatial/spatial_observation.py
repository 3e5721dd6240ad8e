"""Spatial states as features that do not depend on the position in the world and on the heading."""

from __future__ import annotations

import math

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_rotation import dot, quaternion_at, rotate, vector_at


@kernel
def write_spatial_features(kin: SpatialKinematics, trunk: int, axes: Floats, ground: float, out: Floats) -> None:
    """Write the features of a state to `out`.

    They are the J joint angles, rad, and their rates, rad/s; the vertical (a unit vector that points up) and the
    trunk's angular velocity, rad/s, along the trunk's axes; the velocity of the centre of mass, m/s, along the heading,
    to the left of it and upward; its height above the ground, m; its horizontal distance from the mean of the links in
    contact, along the heading and to the left of it, m (0 in flight); and for each of L links 1 if it touches the
    ground, else 0.

    Args:
        kin: state of the character.
        trunk: index of the trunk.
        axes: the world's axes in the frame of the trunk in the reference pose, as columns (3, 3): forward, left, up.
        ground: height of the ground below the centre of mass, m.
        out: result (2 J + 12 + L,).
    """
    n_joints, n_links = kin.joint.shape[0], kin.contact.size
    for j in range(n_joints):
        out[j] = kin.joint[j, 0]
        out[n_joints + j] = kin.joint[j, 1]
    k = 2 * n_joints
    turn, spin = quaternion_at(kin.pose, trunk, 3), vector_at(kin.twist, trunk, 3)
    ahead = (1.0, 0.0, 0.0)
    for i in range(3):
        axis = rotate(turn, (axes[0, i], axes[1, i], axes[2, i]))
        if i == 0:
            ahead = axis
        out[k + i] = axis[2]
        out[k + 3 + i] = dot(axis, spin)
    heading = math.atan2(ahead[1], ahead[0])
    cosine, sine = math.cos(heading), math.sin(heading)
    vx, vy = kin.com[3], kin.com[4]
    out[k + 6] = cosine * vx + sine * vy
    out[k + 7] = cosine * vy - sine * vx
    out[k + 8] = kin.com[5]
    out[k + 9] = kin.com[2] - ground
    x, y, count = 0.0, 0.0, 0
    for i in range(n_links):
        out[k + 12 + i] = 1.0 if kin.contact[i] != 0 else 0.0
        if kin.contact[i] != 0:
            x += kin.pose[i, 0]
            y += kin.pose[i, 1]
            count += 1
    dx = kin.com[0] - x / count if count > 0 else 0.0
    dy = kin.com[1] - y / count if count > 0 else 0.0
    out[k + 10] = cosine * dx + sine * dy
    out[k + 11] = cosine * dy - sine * dx
