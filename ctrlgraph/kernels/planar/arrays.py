"""Arrays of planar characters that kernels read and write, grouped into named tuples.

J joints, L links. All arrays are float64 or int64 and C-contiguous, so a copy of them is a snapshot. Positions are in
the world, unless another frame is given. The axes are x (forward) and y (up). Angles are positive clockwise.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.model import Character

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Body(NamedTuple):
    """Constants of a planar character with J joints and L links."""

    parent: Ints  # (J,) index of the parent link
    child: Ints  # (J,) index of the child link
    anchor: Floats  # (J, 2) x, y of the joint from the parent's centre of mass, in the parent's frame, m
    child_anchor: Floats  # (J, 2) x, y of the joint from the child's centre of mass, in the child's frame, m
    limits: Floats  # (J, 2) lower and upper limit of the joint angle, rad
    torque: Floats  # (J, 2, 2) default limits and hard limits, each as lower and upper, N m
    gains: Floats  # (J, 2) default kp, N m/rad, and kd, N m s/rad
    mass: Floats  # (L,) kg
    side: Ints  # (J, L) +1 if the link is on the joint's child side, -1 if on its parent side
    chain: Ints  # (J, L, J) signed joints between a base joint and a link, see Character.chain
    trunk: int  # link whose angle the conditions `fallen` and `anglerange` read
    total_mass: float  # kg


class Kinematics(NamedTuple):
    """State of a planar character; filled by the engine before each control tick."""

    link: Floats  # (L, 6) x, y of the centre of mass, m; angle, rad; vx, vy, m/s; angular velocity, rad/s
    turn: Floats  # (L, 2) cosine and sine of the link's angle
    joint: Floats  # (J, 4) angle, rad; angular velocity, rad/s; x, y of the anchor, m
    com: Floats  # (4,) x, y, m, and vx, vy, m/s, of the centre of mass of the character
    contact: Ints  # (L,) 1 if the link touches the terrain now
    last_contact: Floats  # (L,) time of the last contact, s (-inf: never)
    pressure: Floats  # (2,) vertical contact force of the last step, N, and its moment about x = 0
    load: Floats  # (L,) vertical contact force of the last step on each link, N
    support: Floats  # (1,) mean height of the ground below the links in contact, m; in flight, the last one; first NaN


class Motors(NamedTuple):
    """Commands of a control tick to the joints: PD targets and explicit torques, with their limits."""

    target: Floats  # (J,) rad
    kp: Floats  # (J,) N m/rad; a joint with kp = kd = 0 has no PD
    kd: Floats  # (J,) N m s/rad
    torque: Floats  # (J,) N m, positive turns the child clockwise
    limit: Floats  # (J, 2) minimum and maximum torque, N m


def body_arrays(character: Character) -> Body:
    """Return the constants of a character as arrays."""
    links, joints = character.links, character.joints
    return Body(
        parent=np.array([j.parent for j in joints], dtype=np.int64),
        child=np.array([j.child for j in joints], dtype=np.int64),
        anchor=np.array([(j.x - links[j.parent].x, j.y - links[j.parent].y) for j in joints]),
        child_anchor=np.array([(j.x - links[j.child].x, j.y - links[j.child].y) for j in joints]),
        limits=np.array([(j.lower, j.upper) for j in joints]),
        torque=np.array([(j.torque_limit, j.hard_torque_limit) for j in joints]),
        gains=np.array([(j.kp, j.kd) for j in joints]),
        mass=np.array([link.mass for link in links]),
        side=character.side.astype(np.int64),
        chain=character.chain.astype(np.int64),
        trunk=character.trunk,
        total_mass=float(character.mass),
    )


def new_kinematics(n_links: int, n_joints: int) -> Kinematics:
    """Return kinematics in which all poses and velocities are 0 and no link has touched the terrain."""
    return Kinematics(
        link=np.zeros((n_links, 6)),
        turn=np.zeros((n_links, 2)),
        joint=np.zeros((n_joints, 4)),
        com=np.zeros(4),
        contact=np.zeros(n_links, dtype=np.int64),
        last_contact=np.full(n_links, -np.inf),
        pressure=np.zeros(2),
        load=np.zeros(n_links),
        support=np.full(1, np.nan),
    )


def new_motors(n_joints: int) -> Motors:
    """Return motors without PD or torque."""
    target, kp, kd, torque = (np.zeros(n_joints) for _ in range(4))
    return Motors(target, kp, kd, torque, limit=np.zeros((n_joints, 2)))


def copy_arrays(group: Any) -> Any:
    """Return a copy of a named tuple of arrays."""
    return type(group)(*(a.copy() for a in group))
