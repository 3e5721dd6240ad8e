"""Data of an ODE world for compiled code, and its state: planar kinematics, bounds, exact copies."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.engine.commands import MAX_ANGULAR_VELOCITY, MAX_PLACE, MAX_SPEED, Commands
from ctrlgraph.engine.ode.memory import read_double, read_word, write_double
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Floats, Ints, Kinematics
from ctrlgraph.kernels.planar.kinematics import wrapped

# Doubles of a body's state: position 3, rotation 12, quaternion 4, velocity 3, spin 3.
BODY_DOUBLES = 25


class Handles(NamedTuple):
    """Handles and addresses in the engine, as integers for compiled code."""

    world: int
    group: int  # of this step's contact joints
    body: Ints  # (L,)
    position: Ints  # (L,) addresses: 3 doubles
    rotation: Ints  # (L,) 12 doubles
    quaternion: Ints  # (L,) 4 doubles
    velocity: Ints  # (L,) 3 doubles
    spin: Ints  # (L,) 3 doubles
    motor: Ints  # (J,) angular motors that drive
    stop: Ints  # (J,) angular motors that stop at the limits
    force: Ints  # (L,) 3 doubles: forces of this step
    torque: Ints  # (L,) 3 doubles
    contact: int  # address of one dContact, filled for each contact in turn
    bounded_contact: int  # address of another dContact, with friction bounded by a force
    contact_friction: int  # offset in doubles from there: surface.mu
    contact_point: int  # geom.pos
    contact_normal: int
    contact_depth: int
    contact_direction: int  # fdir1
    feedback: int  # address of an array of dJointFeedback for the contacts
    feedback_size: int  # doubles of one


class Friction(NamedTuple):
    """Work arrays that keep friction within its cone: the state before the step, and bounds."""

    cone: int  # 1: within its cone; 0: bounded by ODE
    coefficient: Floats  # (1,)
    bodies: Floats  # (L, BODY_DOUBLES) see state.save_bodies
    loads: Floats  # (L, 6) see state.save_loads
    bound: Floats  # (MAX_CONTACTS,) N
    miss: Floats  # (MAX_CONTACTS,) allowed friction less the bound, N
    last_bound: Floats  # (MAX_CONTACTS,) of the previous solution
    last_miss: Floats  # (MAX_CONTACTS,)


class WorldData(NamedTuple):
    """Planar world for compiled code."""

    handles: Handles
    commands: Commands
    quick: int  # 1: QuickStep, 0: the exact solver
    friction: Friction


@kernel
def observe(world: WorldData, kin: Kinematics) -> None:
    """Fill `kin.link` and `kin.turn`; angles are unwrapped against their last value."""
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
    """Remove the solver's drift out of the plane."""
    for i in range(handles.body.size):
        write_double(handles.position[i], 2, 0.0)
        write_double(handles.velocity[i], 2, 0.0)
        write_double(handles.spin[i], 0, 0.0)
        write_double(handles.spin[i], 1, 0.0)
        write_double(handles.quaternion[i], 1, 0.0)
        write_double(handles.quaternion[i], 2, 0.0)


@kernel
def is_bounded(world: WorldData) -> bool:
    """Return whether the state is finite and no link is too fast. It is called before each ODE step."""
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
    """Return a running 64-bit hash (FNV-1a over words) of position, orientation and velocities of all bodies."""
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
    """Copy every body's state to `out` (L, BODY_DOUBLES)."""
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
    """Restore the values copied by `save_bodies`, bit for bit."""
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
    """Copy the forces and torques on every body in this step to `out` (L, 6)."""
    for i in range(handles.body.size):
        for k in range(3):
            out[i, k] = read_double(handles.force[i], k)
            out[i, 3 + k] = read_double(handles.torque[i], k)


@kernel
def load_loads(handles: Handles, values: Floats) -> None:
    """Restore the loads copied by `save_loads`, because each step clears them."""
    for i in range(handles.body.size):
        for k in range(3):
            write_double(handles.force[i], k, values[i, k])
            write_double(handles.torque[i], k, values[i, 3 + k])


def placed_bodies(links: Floats) -> Floats:
    """Return the body states (L, BODY_DOUBLES) for links (L, 6) as x, y, clockwise angle, and their rates."""
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
