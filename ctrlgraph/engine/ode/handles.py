"""What compiled code needs of an ODE world: handles and addresses, and the commands of a step."""

from __future__ import annotations

from typing import NamedTuple

from ctrlgraph.engine.commands import Commands
from ctrlgraph.kernels.arrays import Ints


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
    contact: int  # address of one dContact, filled for each contact in turn
    contact_point: int  # offsets in doubles from there: geom.pos
    contact_normal: int
    contact_depth: int
    contact_direction: int  # fdir1
    feedback: int  # address of an array of dJointFeedback for the contacts
    feedback_size: int  # doubles of one


class WorldData(NamedTuple):
    """A world for compiled code."""

    handles: Handles
    commands: Commands
    quick: int  # 1: QuickStep, 0: the exact solver
