"""Inverse dynamics of recorded link states by numpy: accelerations, forces, and the torque across each joint.

The forces of a step equal the change of the quantities that the engine integrates. ODE integrates each link, so the
change is that of the links' velocities. MuJoCo integrates the root and the joint angles, with the configuration before
the step. There, the change of the links' velocities also contains the rotation of the links during the step (3.4
degrees in 2 ms at 30 rad/s), which no force causes. The accelerations of the links are therefore computed from those of
the root and the joints along the kinematic chain (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 5,
reduced to the plane).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.planar.arrays import body_arrays

LINK, X, Y, NX, NY, FX, FY = range(7)
"""Columns of a contact."""


@dataclass(frozen=True)
class Recording:
    """Recording of n steps of a character, in SI units.

    The states of the links are (n + 1, L, 6): x, y, angle (clockwise) and their rates, before each step and at the end.
    The contacts of each step have the columns above. `by_joints`: whether the engine integrates the root and the joint
    angles instead of each link. `ground`: polyline (G, 2), m.
    """

    character: Character
    links: Floats
    contacts: Sequence[Floats]
    dt: float
    gravity: float
    friction: float
    by_joints: bool = False
    ground: Floats = field(default_factory=lambda: np.array([[-1e3, 0.0], [1e3, 0.0]]))


def moment(arm: Floats, force: Floats) -> Floats:
    """Return the clockwise moment of forces (..., 2) on lever arms (..., 2)."""
    return np.asarray(arm[..., 1] * force[..., 0] - arm[..., 0] * force[..., 1])


def carried(points: Floats, angle: Floats) -> Floats:
    """Return points (J, 2) of the links' frames, rotated clockwise by the links' angles (n, J): (n, J, 2)."""
    cosine, sine = np.cos(angle), np.sin(angle)
    u, v = points[:, 0], points[:, 1]
    return np.stack([u * cosine + v * sine, v * cosine - u * sine], axis=-1)


def anchors(recording: Recording) -> tuple[Floats, Floats]:
    """Return the position of each joint on its parent and on its child, (n + 1, J, 2)."""
    body, links = body_arrays(recording.character), recording.links
    return tuple(
        links[:, ends, :2] + carried(points, links[:, ends, 2])
        for ends, points in ((body.parent, body.anchor), (body.child, body.child_anchor))
    )  # type: ignore[return-value]  # two ends


def joint_speeds(recording: Recording) -> Floats:
    """Return the joint speeds after each step, (n, J) rad/s."""
    body, spin = body_arrays(recording.character), recording.links[1:, :, 5]
    return np.asarray(spin[:, body.child] - spin[:, body.parent])


def joint_torques(recording: Recording, force: Floats, turning: Floats) -> Floats:
    """Return the torque across each joint, (n, J) N m, clockwise on the child.

    It is the moment about the joint that the links beyond it require, without the contributions of contacts.

    Args:
        force: Force on each link without gravity (n, L, 2), N.
        turning: Inertia times angular acceleration (n, L), N m.
    """
    r, side = recording, recording.character.side
    pivots, _ = anchors(r)
    torques = np.zeros((len(r.contacts), len(side)))
    for j in range(len(side)):
        beyond = np.flatnonzero(side[j] > 0)
        arm = r.links[:-1, beyond, :2] - pivots[:-1, j, None]
        torques[:, j] = (turning[:, beyond] + moment(arm, force[:, beyond])).sum(axis=1)
    for n, contacts in enumerate(r.contacts):
        if len(contacts):
            arm = contacts[None, :, X : Y + 1] - pivots[n, :, None]
            torques[n] -= (moment(arm, contacts[None, :, FX:]) * (side[:, contacts[:, LINK].astype(int)] > 0)).sum(
                axis=1
            )
    return torques


def accelerations(recording: Recording) -> Floats:
    """Return the accelerations of the links' centres of mass, m/s^2, and angles, rad/s^2, over each step: (n, L, 3)."""
    r = recording
    changes = np.diff(r.links[:, :, 3:], axis=0) / r.dt
    if not r.by_joints:
        return np.asarray(changes)
    body, turning, links = body_arrays(r.character), changes[:, :, 2], r.links[:-1]
    for j in r.character.joints_outward:
        parent, child = body.parent[j], body.child[j]
        changes[:, child, :2] = changes[:, parent, :2] + sum(
            sign * _around_centre(carried(point[None], links[:, [i], 2])[:, 0], links[:, i, 5], turning[:, i])
            for sign, i, point in ((1, parent, body.anchor[j]), (-1, child, body.child_anchor[j]))
        )
    return np.asarray(changes)


def _around_centre(arm: Floats, spin: Floats, turning: Floats) -> Floats:
    """Return the acceleration of points (n, 2) relative to the link's centre of mass."""
    along = np.stack([arm[:, 1], -arm[:, 0]], axis=-1)  # clockwise rotation
    return np.asarray(turning[:, None] * along - spin[:, None] ** 2 * arm)


def inverse_dynamics(recording: Recording) -> tuple[Floats, Floats]:
    """Return the force on each link without its weight, (n, L, 2) N, and the torque across each joint, (n, J) N m."""
    links = recording.character.links
    mass, inertia = np.array([link.mass for link in links]), np.array([link.inertia for link in links])
    found = accelerations(recording)
    force = mass[:, None] * (found[:, :, :2] + [0.0, recording.gravity])
    return force, joint_torques(recording, force, inertia * found[:, :, 2])
