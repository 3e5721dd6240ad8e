"""Data of an ODE world in space for compiled code, and functions that read and check the state of its bodies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.engine.commands import MAX_ANGULAR_VELOCITY, MAX_PLACE, MAX_SPEED, Commands
from ctrlgraph.engine.ode.memory import read_double, read_word
from ctrlgraph.engine.ode.state import BODY_DOUBLES, Handles
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_kinematics import hang_link, measure_angles, measure_rates
from ctrlgraph.kernels.spatial.spatial_rotation import rows_of


class SpatialDrives(NamedTuple):
    """Angular motors of J joints, which drive and stop the joints, in addition to the motors in `Handles`.

    An angular motor of ODE has an axis for each joint between two links.
    """

    group: Ints
    """(J,) number that is added to the number of a parameter for the axis of the joint."""
    linear: Ints
    """(J,) handles of the angular motors for all elements without limits."""
    dry: Ints
    """(J,) handles of the angular motors for dry friction."""
    motor_at: Ints
    """(J,) -1 if the motor is guessed to be at its minimum torque in this time step, 1 at its maximum, else 0."""
    dry_at: Ints
    """(J,) sign of the torque of dry friction if it is guessed to be at its limit in this time step, else 0."""
    angle: Floats
    """(J,) last angle of each joint, rad. It is part of the state, because the links do not show whole turns."""
    rate: Floats
    """(J,) rate of each joint after the last time step, along its axis before this step, rad/s.

    It is part of the state, too, because the angular velocities of the links do not determine it exactly: the axes of a
    universal or ball joint have moved since.
    """
    joint: Floats
    """(J, 2) working array: angles, not used, and rates of the joints after the time step, rad/s."""
    twist: Floats
    """(L, 6) working array: velocities of the L links after the time step; only the angular ones are filled, rad/s."""


class SpatialFriction(NamedTuple):
    """Settings and working arrays by which each contact's friction is kept within the friction cone.

    The character has L links, and there are at most C contacts.
    """

    cone: int
    """1 if friction is kept within the cone, 0 if it is bounded by ODE's approximation."""
    coefficient: Floats
    """(1,) coefficient of friction."""
    bodies: Floats
    """(L, BODY_DOUBLES) state of the bodies before the time step, as `save_bodies` stores it."""
    loads: Floats
    """(L, 6) external force, N, and torque, N m, on each body in the time step."""
    direction: Floats
    """(C, 3) direction of friction of each contact: unit vector in the plane of contact."""
    slip: Floats
    """(C,) speed across `direction` per force across it, m/s per N."""
    narrow: Ints
    """(C,) 1 if a contact sticks and its friction can only act nearly along `direction`, else 0."""
    bound: Floats
    """(C,) maximum friction force of each contact along `direction`, N."""
    miss: Floats
    """(C,) friction force that the normal force allows, minus `bound`, N."""
    last_bound: Floats
    """(C,) `bound` of the previous repetition of the time step, N."""
    last_miss: Floats
    """(C,) `miss` of the previous repetition of the time step, N."""


class SpatialWorldData(NamedTuple):
    """An ODE world of one spatial character, as arrays and addresses for compiled code."""

    handles: Handles
    """Handles of ODE's objects and addresses in ODE's memory. A motor or stop has an axis for each joint."""
    drives: SpatialDrives
    """Further angular motors of the joints."""
    body: SpatialBody
    """Constants of the character."""
    inverse: Floats
    """(L, 3, 3) inverse of the inertia tensor of each link, in its frame, 1/(kg m^2)."""
    commands: Commands
    """Motor commands of the last time step."""
    quick: int
    """1 for ODE's iterative solver QuickStep, 0 for the exact solver."""
    friction: SpatialFriction
    """Settings and working arrays of the friction."""
    contact_friction_2: int
    """Offset of surface.mu2 in a dContact, doubles."""
    contact_slip_2: int
    """Offset of surface.slip2 in a dContact, doubles."""


@kernel
def observe_in_space(world: SpatialWorldData, kin: SpatialKinematics) -> None:
    """Fill the poses, velocities, joint angles and rates, and the axes and places of the joints in `kin`.

    Angles are continuous: each differs by less than half a turn from its last value in `world.drives.angle`.
    """
    handles, body = world.handles, world.body
    for i in range(handles.body.size):
        for k in range(3):
            kin.pose[i, k] = read_double(handles.position[i], k)
            kin.twist[i, k] = read_double(handles.velocity[i], k)
            kin.twist[i, 3 + k] = read_double(handles.spin[i], k)
        for k in range(4):
            kin.pose[i, 3 + k] = read_double(handles.quaternion[i], k)
    for j in range(body.parent.size):
        kin.joint[j, 0] = world.drives.angle[j]
    measure_angles(body, kin.pose, kin.joint)
    for j in range(body.parent.size):
        world.drives.angle[j] = kin.joint[j, 0]
    for k in range(1, body.order.size):
        hang_link(body, kin, body.order[k])
    measure_rates(body, kin.twist, kin.axis, kin.joint)


@kernel
def is_bounded_in_space(world: SpatialWorldData) -> bool:
    """Return whether the state is finite and no link is too fast or too far away, as before each time step."""
    handles = world.handles
    for i in range(handles.body.size):
        speed, spin, place = 0.0, 0.0, 0.0
        for k in range(3):
            speed += abs(read_double(handles.velocity[i], k))
            spin += abs(read_double(handles.spin[i], k))
            place += abs(read_double(handles.position[i], k))
        if not (speed < MAX_SPEED and spin < MAX_ANGULAR_VELOCITY and place < MAX_PLACE):  # false for nan, too
            return False
    return True


@kernel
def hash_state_in_space(world: SpatialWorldData, digest: np.uint64) -> np.uint64:
    """Return the 64-bit hash `digest` of all earlier states, updated with the current state (FNV-1a over words)."""
    handles = world.handles
    prime = np.uint64(1099511628211)
    h = digest
    for i in range(handles.body.size):
        for k in range(3):
            h = (h ^ read_word(handles.position[i], k)) * prime
            h = (h ^ read_word(handles.velocity[i], k)) * prime
            h = (h ^ read_word(handles.spin[i], k)) * prime
        for k in range(4):
            h = (h ^ read_word(handles.quaternion[i], k)) * prime
        h ^= h >> np.uint64(29)
    return h


def placed_in_space(pose: Floats, twist: Floats) -> Floats:
    """Return the state of ODE's bodies, (L, BODY_DOUBLES), that has the given poses and velocities of L links.

    Args:
        pose: position, m, and orientation of each link (L, 7); orientations are normalized.
        twist: velocity, m/s, and angular velocity, rad/s, of each link in the world frame (L, 6).
    """
    out = np.zeros((len(pose), BODY_DOUBLES))
    turn = pose[:, 3:] / np.linalg.norm(pose[:, 3:], axis=1, keepdims=True)
    out[:, 0:3] = pose[:, :3]
    for row, quaternion in zip(out, turn, strict=True):
        w, x, y, z = quaternion.tolist()
        for k, axis in enumerate(rows_of((w, x, y, z))):
            row[3 + 4 * k : 6 + 4 * k] = axis
    out[:, 15:19] = turn
    out[:, 19:25] = twist
    return out + 0.0  # avoids negative zeros at rest, which would change the digest
