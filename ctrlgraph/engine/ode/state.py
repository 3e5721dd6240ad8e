"""Data of an ODE world for compiled code, and functions that read, check, copy and restore the state of its bodies."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.engine.commands import MAX_ANGULAR_VELOCITY, MAX_PLACE, MAX_SPEED, Commands
from ctrlgraph.engine.ode.memory import read_double, read_word, write_double
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Kinematics
from ctrlgraph.kernels.planar.kinematics import wrapped

# Number of doubles in the state of a body: position 3, rotation 12, quaternion 4, velocity 3, angular velocity 3.
BODY_DOUBLES = 25


class Handles(NamedTuple):
    """Handles of ODE's objects and addresses in ODE's memory, as integers for compiled code.

    A handle is ODE's pointer to an object. The character has L links, which are ODE's bodies, and J joints.
    """

    world: int
    """Handle of the world."""
    group: int
    """Handle of the joint group for the contact joints of a time step."""
    body: Ints
    """(L,) handles of the bodies."""
    position: Ints
    """(L,) addresses of the bodies' positions, 3 doubles each."""
    rotation: Ints
    """(L,) addresses of the rotation matrices, 12 doubles each."""
    quaternion: Ints
    """(L,) addresses of the quaternions, 4 doubles each."""
    velocity: Ints
    """(L,) addresses of the linear velocities, 3 doubles each."""
    spin: Ints
    """(L,) addresses of the angular velocities, 3 doubles each."""
    motor: Ints
    """(J,) handles of the angular motors that drive the joints."""
    stop: Ints
    """(J,) handles of the angular motors that stop the joints at their limits."""
    force: Ints
    """(L,) addresses of the external forces on the bodies in this time step, 3 doubles each."""
    torque: Ints
    """(L,) addresses of the external torques on the bodies in this time step, 3 doubles each."""
    contact: int
    """Address of a structure dContact, which is filled for each contact in turn."""
    bounded_contact: int
    """Address of a structure dContact whose friction is bounded by a force, for repetitions of a time step."""
    contact_friction: int
    """Offset of surface.mu in a dContact, doubles."""
    contact_point: int
    """Offset of geom.pos (the contact point) in a dContact, doubles."""
    contact_normal: int
    """Offset of geom.normal in a dContact, doubles."""
    contact_depth: int
    """Offset of geom.depth (the penetration) in a dContact, doubles."""
    contact_direction: int
    """Offset of fdir1 (the direction of friction) in a dContact, doubles."""
    feedback: int
    """Address of an array of dJointFeedback, one for each contact."""
    feedback_size: int
    """Size of a dJointFeedback, doubles."""


class Friction(NamedTuple):
    """Settings and working arrays by which each contact's friction is kept within the friction cone.

    The method is that of `ctrlgraph.engine.ode.contacts`: time steps are repeated with better bounds. The character has
    L links, and there are at most C contacts.
    """

    cone: int
    """1 if friction is kept within the cone, 0 if it is bounded by ODE's approximation."""
    coefficient: Floats
    """(1,) coefficient of friction."""
    bodies: Floats
    """(L, BODY_DOUBLES) state of the bodies before the time step, as `save_bodies` stores it."""
    loads: Floats
    """(L, 6) external force, N, and torque, N m, on each body in the time step."""
    bound: Floats
    """(C,) maximum friction force of each contact, N."""
    miss: Floats
    """(C,) friction force that the normal force allows, minus `bound`, N."""
    last_bound: Floats
    """(C,) `bound` of the previous repetition of the time step, N."""
    last_miss: Floats
    """(C,) `miss` of the previous repetition of the time step, N."""


class WorldData(NamedTuple):
    """An ODE world of one planar character, as arrays and addresses for compiled code."""

    handles: Handles
    """Handles of ODE's objects and addresses in ODE's memory."""
    commands: Commands
    """Motor commands of the last time step."""
    quick: int
    """1 for ODE's iterative solver QuickStep, 0 for the exact solver."""
    friction: Friction
    """Settings and working arrays of the friction."""


@kernel
def observe(world: WorldData, kin: Kinematics) -> None:
    """Fill `kin.link` and `kin.turn` with the poses and velocities of the links.

    Angles are continuous: each differs by less than half a turn from its last value in `kin.link`.
    """
    handles = world.handles
    for i in range(handles.body.size):
        position, velocity = handles.position[i], handles.velocity[i]
        kin.link[i, 0] = read_double(position, 0)
        kin.link[i, 1] = read_double(position, 1)
        turned = -2.0 * math.atan2(read_double(handles.quaternion[i], 3), read_double(handles.quaternion[i], 0))
        kin.link[i, 2] += wrapped(turned - kin.link[i, 2])
        kin.link[i, 3] = read_double(velocity, 0)
        kin.link[i, 4] = read_double(velocity, 1)
        kin.link[i, 5] = -read_double(handles.spin[i], 2)
        kin.turn[i, 0] = read_double(handles.rotation[i], 0)
        kin.turn[i, 1] = read_double(handles.rotation[i], 1)


@kernel
def project_to_plane(handles: Handles) -> None:
    """Set all positions, rotations and velocities out of the plane of motion to 0, to remove the solver's drift."""
    for i in range(handles.body.size):
        write_double(handles.position[i], 2, 0.0)
        write_double(handles.velocity[i], 2, 0.0)
        write_double(handles.spin[i], 0, 0.0)
        write_double(handles.spin[i], 1, 0.0)
        write_double(handles.quaternion[i], 1, 0.0)
        write_double(handles.quaternion[i], 2, 0.0)


@kernel
def is_bounded(world: WorldData) -> bool:
    """Return whether the state is finite and no link is too fast or too far away, as before each time step."""
    handles = world.handles
    for i in range(handles.body.size):
        speed = abs(read_double(handles.velocity[i], 0)) + abs(read_double(handles.velocity[i], 1))
        spin = abs(read_double(handles.spin[i], 2))
        place = abs(read_double(handles.position[i], 0)) + abs(read_double(handles.position[i], 1))
        if not (speed < MAX_SPEED and spin < MAX_ANGULAR_VELOCITY and place < MAX_PLACE):  # false for nan, too
            return False
    return True


@kernel
def hash_state(world: WorldData, digest: np.uint64) -> np.uint64:
    """Return the 64-bit hash `digest` of all earlier states, updated with the current state (FNV-1a over words)."""
    handles = world.handles
    prime = np.uint64(1099511628211)
    h = digest
    for i in range(handles.body.size):
        h = (h ^ read_word(handles.position[i], 0)) * prime
        h = (h ^ read_word(handles.position[i], 1)) * prime
        h = (h ^ read_word(handles.quaternion[i], 0)) * prime
        h = (h ^ read_word(handles.quaternion[i], 3)) * prime
        h = (h ^ read_word(handles.velocity[i], 0)) * prime
        h = (h ^ read_word(handles.velocity[i], 1)) * prime
        h = (h ^ read_word(handles.spin[i], 2)) * prime
        h ^= h >> np.uint64(29)
    return h


@kernel
def save_bodies(handles: Handles, out: Floats) -> None:
    """Copy pose and velocities of every body (link) to `out` (L, BODY_DOUBLES)."""
    for i in range(handles.body.size):
        for k in range(3):
            out[i, k] = read_double(handles.position[i], k)
            out[i, 19 + k] = read_double(handles.velocity[i], k)
            out[i, 22 + k] = read_double(handles.spin[i], k)
        for k in range(12):
            out[i, 3 + k] = read_double(handles.rotation[i], k)
        for k in range(4):
            out[i, 15 + k] = read_double(handles.quaternion[i], k)


@kernel
def load_bodies(handles: Handles, values: Floats) -> None:
    """Restore pose and velocities of every body from `values`, which `save_bodies` has filled, bit for bit."""
    for i in range(handles.body.size):
        for k in range(3):
            write_double(handles.position[i], k, values[i, k])
            write_double(handles.velocity[i], k, values[i, 19 + k])
            write_double(handles.spin[i], k, values[i, 22 + k])
        for k in range(12):
            write_double(handles.rotation[i], k, values[i, 3 + k])
        for k in range(4):
            write_double(handles.quaternion[i], k, values[i, 15 + k])


@kernel
def save_loads(handles: Handles, out: Floats) -> None:
    """Copy the external force, N, and torque, N m, on every body (link) in this time step to `out` (L, 6)."""
    for i in range(handles.body.size):
        for k in range(3):
            out[i, k] = read_double(handles.force[i], k)
            out[i, 3 + k] = read_double(handles.torque[i], k)


@kernel
def load_loads(handles: Handles, values: Floats) -> None:
    """Restore the external forces and torques from `values`, which `save_loads` has filled.

    Each time step of ODE clears them.
    """
    for i in range(handles.body.size):
        for k in range(3):
            write_double(handles.force[i], k, values[i, k])
            write_double(handles.torque[i], k, values[i, 3 + k])


def placed_bodies(links: Floats) -> Floats:
    """Return the state of ODE's bodies, (L, BODY_DOUBLES), that has the given poses and velocities of L links.

    Args:
        links: (L, 6) for each link: world x and y of the centre of mass, m, clockwise angle, rad, and the rates of
            these three, m/s and rad/s.
    """
    out = np.zeros((len(links), BODY_DOUBLES))
    for i, (x, y, angle, vx, vy, spin) in enumerate(links):
        cosine, sine = math.cos(angle), math.sin(angle)
        out[i, 0:2] = x, y
        out[i, 3:6] = cosine, sine, 0.0
        out[i, 7:10] = -sine, cosine, 0.0
        out[i, 13] = 1.0
        out[i, 15], out[i, 18] = math.cos(-angle / 2), math.sin(-angle / 2)
        out[i, 19:21] = vx, vy
        out[i, 24] = 0.0 - spin  # avoids negative zero at rest, which would change the digest
    return out
