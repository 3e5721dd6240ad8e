"""Data of an ODE world for compiled code: handles, addresses, and commands of a step."""

from __future__ import annotations

from typing import NamedTuple

from ctrlgraph.engine.commands import Commands
from ctrlgraph.kernels.planar.arrays import Floats, Ints


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
    bounded_contact: int  # another, whose friction is bounded by a force
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
