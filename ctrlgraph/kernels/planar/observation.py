"""Planar states as features that do not depend on the position in the world."""

from __future__ import annotations

import math

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Kinematics
from ctrlgraph.kernels.planar.balance import centre_of_pressure


@kernel
def write_features(kin: Kinematics, root: int, ground: float, out: Floats) -> None:
    """Write the features of a state to `out`.

    They are the J joint angles, rad, and their rates, rad/s; cosine, sine and rate, rad/s, of the root link's angle;
    velocity of the centre of mass in x and y, m/s; its height above the ground, m; its distance in x ahead of the mean
    of the links in contact, m (0 in flight); and for each of L links 1 if it touches the ground, else 0.

    Args:
        kin: state of the character.
        root: index of the root link.
        ground: height of the ground below the centre of mass, m.
        out: result (2 J + 7 + L,).
    """
    n_joints, n_links = kin.joint.shape[0], kin.contact.size
    for j in range(n_joints):
        out[j] = kin.joint[j, 0]
        out[n_joints + j] = kin.joint[j, 1]
    k = 2 * n_joints
    for i in range(n_links):
        out[k + 7 + i] = 1.0 if kin.contact[i] != 0 else 0.0
    touches, x = centre_of_pressure(kin)
    out[k] = math.cos(kin.link[root, 2])
    out[k + 1] = math.sin(kin.link[root, 2])
    out[k + 2] = kin.link[root, 5]
    out[k + 3] = kin.com[2]
    out[k + 4] = kin.com[3]
    out[k + 5] = kin.com[1] - ground
    out[k + 6] = kin.com[0] - x if touches else 0.0
