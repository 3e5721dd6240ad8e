"""Arrays of planar characters that kernels read and write, grouped into named tuples.

A character has J joints and L links. All arrays are float64 or int64 and C-contiguous, so a copy of them is a snapshot.
Positions are in the world, unless another frame is given. The axes are x (forward) and y (up). Angles are positive
clockwise.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.kernels.arrays import Floats, Ints


class Body(NamedTuple):
    """Constants of a planar character with J joints and L links."""

    parent: Ints
    """Index of each joint's parent link (J,)."""
    child: Ints
    """Index of each joint's child link (J,)."""
    anchor: Floats
    """Position x, y of each joint (J, 2), from the parent's centre of mass, in the parent's frame, m."""
    child_anchor: Floats
    """Position x, y of each joint (J, 2), from the child's centre of mass, in the child's frame, m."""
    limits: Floats
    """Lower and upper limit of each joint angle (J, 2), rad."""
    torque: Floats
    """Torque limits of each joint (J, 2, 2), N m: first the default limits, then the hard ones; each lower, upper."""
    gains: Floats
    """Default PD gains of each joint (J, 2): kp, N m/rad, and kd, N m s/rad."""
    max_speed: Floats
    """Speed at which each joint has no torque left in the direction of its motion (J,), rad/s; infinite: no limit."""
    torque_rate: Floats
    """Maximum rate of change of each joint's torque (J,), N m/s; infinite: no limit."""
    mass: Floats
    """Mass of each link (L,), kg."""
    side: Ints
    """Side of each joint on which each link is (J, L): +1 for the child's side, -1 for the parent's side."""
    chain: Ints
    """Chain of joints from each base joint to each link (J, L, J), see `Character.chain`.

    `chain[b, p, j]` is 0 if joint j is not between the far link of joint b and the link p; otherwise +1 if p is on the
    child side of joint j, and -1 if it is on the parent side. The chain includes joint b.
    """
    trunk: int
    """Index of the link whose angle the conditions `fallen` and `anglerange` read."""
    total_mass: float
    """Sum of the links' masses, kg."""
    usual_mass: float
    """Total mass for which scripts are written, kg: that of the character without a perturbation of its mass."""


class Kinematics(NamedTuple):
    """State of a planar character with J joints and L links. The engine fills it before each control tick."""

    link: Floats
    """State of each link (L, 6): x, y of the centre of mass, m; angle, rad; vx, vy, m/s; angular velocity, rad/s."""
    turn: Floats
    """Cosine and sine of each link's angle (L, 2)."""
    joint: Floats
    """State of each joint (J, 4): angle, rad; angular velocity, rad/s; x, y of the anchor in the world, m."""
    com: Floats
    """Centre of mass of the character (4,): x, y, m; vx, vy, m/s."""
    contact: Ints
    """1 for each link that touches the terrain now, else 0 (L,)."""
    last_contact: Floats
    """Time at which each link last touched the terrain (L,), s; -inf for never."""
    pressure: Floats
    """Total vertical contact force of the last step, N, and its moment about x = 0, N m (2,)."""
    load: Floats
    """Vertical contact force on each link in the last step (L,), N."""
    support: Floats
    """Mean height of the ground below the links in contact (1,), m.

    In flight, it is that of the last contact; before the first contact, it is NaN.
    """
    weighing: Floats
    """Impulse of the ground, N s, and the change of velocity that it would cause without gravity, m/s, with a decay;
    velocity in the last step, m/s; time of the last step, s (4,). The first three are vertical."""


def body_arrays(character: PlanarCharacter) -> Body:
    """Return the constants of a character as arrays for the kernels."""
    links, joints = character.links, character.joints
    return Body(
        parent=np.array([j.parent for j in joints], dtype=np.int64),
        child=np.array([j.child for j in joints], dtype=np.int64),
        anchor=np.array([(j.x - links[j.parent].x, j.y - links[j.parent].y) for j in joints]),
        child_anchor=np.array([(j.x - links[j.child].x, j.y - links[j.child].y) for j in joints]),
        limits=np.array([(j.lower, j.upper) for j in joints]),
        torque=np.array([(j.torque_limit, j.hard_torque_limit) for j in joints]),
        gains=np.array([(j.kp, j.kd) for j in joints]),
        max_speed=np.array([math.inf if j.max_speed is None else j.max_speed for j in joints], np.float64),
        torque_rate=np.array([j.max_torque_rate for j in joints], np.float64),
        mass=np.array([link.mass for link in links]),
        side=character.side.astype(np.int64),
        chain=character.chain.astype(np.int64),
        trunk=character.trunk,
        total_mass=float(character.mass),
        usual_mass=float(character.mass if character.usual_mass is None else character.usual_mass),
    )


def new_kinematics(n_links: int, n_joints: int) -> Kinematics:
    """Return a state in which all poses and velocities are 0 and no link has touched the terrain.

    Args:
        n_links: number of links.
        n_joints: number of joints.
    """
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
        weighing=np.array([0.0, 0.0, np.nan, np.nan]),
    )
