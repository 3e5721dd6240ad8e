"""Arrays of spatial characters that kernels read and write, grouped into named tuples.

A character has L links and J joints (axes of rotation), and V = 6 + J degrees of freedom, or V = J if its root is fixed
to the world. All arrays are float64 or int64 and C-contiguous, so a copy of them is a snapshot. Positions are in the
world, unless another frame is given. The axes are x (forward), y (left) and z (up). Quaternions are (w, x, y, z).
Angles are positive anticlockwise about their axis.

Link 0 is not necessarily the root: `SpatialBody.order` lists the links from the root outward.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.kernels.arrays import Floats, Ints


class SpatialBody(NamedTuple):
    """Constants of a spatial character with L links and J joints.

    The first four fields that controllers read (`parent`, `child`, `limits`, `torque`, `gains`) are those of the planar
    `Body`, so that controllers which command only joints run in both.
    """

    parent: Ints
    """Index of each joint's parent link (J,)."""
    child: Ints
    """Index of each joint's child link (J,)."""
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
    inertia: Floats
    """Inertia tensor of each link about its centre of mass, in the frame of the link (L, 3, 3), kg m^2."""
    offset: Floats
    """Reference position of each link's centre of mass from the parent's, in the parent's frame (L, 3), m."""
    rest: Floats
    """Reference rotation of each link from its frame to the parent's (L, 4)."""
    axis: Floats
    """Axis of each joint, in the frame of the child link (J, 3)."""
    anchor: Floats
    """Position of each joint from the child's centre of mass, in the frame of the child link (J, 3), m."""
    passive: Floats
    """Passive stiffness, N m/rad, relaxed angle, rad, damping, N m s/rad, armature, kg m^2, and dry friction, N m, of
    each joint (J, 5)."""
    order: Ints
    """Indices of the links from the root outward (L,): a link comes after its parent."""
    above: Ints
    """Index of each link's parent link (L,); -1 for the root."""
    first: Ints
    """Index in `joints` of the first joint of each link (L,)."""
    n_joints: Ints
    """Number of joints between each link and its parent (L,)."""
    joints: Ints
    """Indices of all joints, ordered by link and, within a link, from the parent outward (J,)."""
    root: int
    """Index of the root link."""
    floating: int
    """1 if the root link moves freely, 0 if it is fixed to the world."""
    trunk: int
    """Index of the link whose tilt the measures read."""
    total_mass: float
    """Sum of the links' masses, kg."""


class SpatialKinematics(NamedTuple):
    """State of a spatial character with L links and J joints. The engine fills it before each control tick."""

    pose: Floats
    """Position of each link's centre of mass, m, and orientation, the rotation from its frame to the world (L, 7)."""
    twist: Floats
    """Velocity of each link's centre of mass, m/s, and angular velocity, rad/s, both in the world frame (L, 6)."""
    joint: Floats
    """Angle, rad, and angular velocity, rad/s, of each joint (J, 2)."""
    axis: Floats
    """Axis of each joint in the world (J, 3), unit vector."""
    place: Floats
    """Position of each joint in the world (J, 3), m."""
    com: Floats
    """Centre of mass of the character: position, m, and velocity, m/s (6,)."""
    contact: Ints
    """1 for each link that touches the ground now, else 0 (L,)."""
    last_contact: Floats
    """Time at which each link last touched the ground (L,), s; -inf for never."""
    load: Floats
    """Vertical force of the ground on each link in the last step (L,), N."""
    support: Floats
    """Mean height of the ground below the links in contact (1,), m; that of the last contact in flight, or NaN."""


class SpatialContacts(NamedTuple):
    """Contacts of the character in one step. The first `filled[0]` elements of each array are valid."""

    filled: Ints
    """Number of contacts (1,)."""
    link: Ints
    """Index of each link in contact (MAX_SPATIAL_CONTACTS,). Contacts of a link with the ground are adjacent."""
    other: Ints
    """Index of the other link in contact (MAX_SPATIAL_CONTACTS,); -1 for the ground."""
    point: Floats
    """Position of each contact, on the surface of `link` (MAX_SPATIAL_CONTACTS, 3), m."""
    normal: Floats
    """Unit normal of each contact, from the ground or from `other` to `link` (MAX_SPATIAL_CONTACTS, 3)."""
    depth: Floats
    """Penetration depth of each contact (MAX_SPATIAL_CONTACTS,), m."""
    force: Floats
    """Force of the ground or of `other` on `link` in the step (MAX_SPATIAL_CONTACTS, 3), N."""


MAX_SPATIAL_CONTACTS = 128
"""Maximum number of contacts that are kept in a step; further ones are ignored."""


def new_spatial_contacts() -> SpatialContacts:
    """Return arrays for `MAX_SPATIAL_CONTACTS` contacts, none of which is filled."""
    most = MAX_SPATIAL_CONTACTS
    indices = (np.zeros(most, np.int64), np.full(most, -1, np.int64))
    point, normal, force = (np.zeros((most, 3)) for _ in range(3))
    return SpatialContacts(np.zeros(1, np.int64), *indices, point, normal, np.zeros(most), force)


def spatial_body(character: SpatialCharacter) -> SpatialBody:
    """Return the constants of a character as arrays for the kernels."""
    links, joints = character.links, character.joints
    n = len(links)
    above = np.full(n, -1, np.int64)
    of_link: list[list[int]] = [[] for _ in links]
    for j, joint in enumerate(joints):
        above[joint.child] = joint.parent
        of_link[joint.child].append(j)
    order = [character.root]
    for above_it in order:
        order += [i for i in range(n) if above[i] == above_it]
    first = np.cumsum([0, *(len(each) for each in of_link)])[:-1]
    tensors = np.zeros((n, 3, 3))
    for i, link in enumerate(links):
        xx, yy, zz, xy, xz, yz = link.inertia
        tensors[i] = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    passive = [(j.stiffness, j.spring_angle, j.damping, j.armature, j.friction_loss) for j in joints]
    return SpatialBody(
        parent=np.array([j.parent for j in joints], np.int64),
        child=np.array([j.child for j in joints], np.int64),
        limits=np.array([(j.lower, j.upper) for j in joints], np.float64).reshape(-1, 2),
        torque=np.array([(j.torque_limit, j.hard_torque_limit) for j in joints], np.float64).reshape(-1, 2, 2),
        gains=np.array([(j.kp, j.kd) for j in joints], np.float64).reshape(-1, 2),
        max_speed=np.array([math.inf if j.max_speed is None else j.max_speed for j in joints], np.float64),
        torque_rate=np.array([j.max_torque_rate for j in joints], np.float64),
        mass=np.array([link.mass for link in links]),
        inertia=tensors,
        offset=np.array([link.position for link in links]),
        rest=np.array([link.orientation for link in links]),
        axis=np.array([j.axis for j in joints], np.float64).reshape(-1, 3),
        anchor=np.array([j.anchor for j in joints], np.float64).reshape(-1, 3),
        passive=np.array(passive, np.float64).reshape(-1, 5),
        order=np.array(order, np.int64),
        above=above,
        first=first.astype(np.int64),
        n_joints=np.array([len(each) for each in of_link], np.int64),
        joints=np.array([j for each in of_link for j in each], np.int64),
        root=character.root,
        floating=int(character.floating),
        trunk=character.trunk,
        total_mass=float(character.mass),
    )


def new_spatial_kinematics(n_links: int, n_joints: int) -> SpatialKinematics:
    """Return a state in which all links are unrotated at the origin, at rest, and none has touched the ground.

    Args:
        n_links: number of links.
        n_joints: number of joints.
    """
    pose = np.zeros((n_links, 7))
    pose[:, 3] = 1.0
    return SpatialKinematics(
        pose=pose,
        twist=np.zeros((n_links, 6)),
        joint=np.zeros((n_joints, 2)),
        axis=np.zeros((n_joints, 3)),
        place=np.zeros((n_joints, 3)),
        com=np.zeros(6),
        contact=np.zeros(n_links, np.int64),
        last_contact=np.full(n_links, -np.inf),
        load=np.zeros(n_links),
        support=np.full(1, np.nan),
    )
