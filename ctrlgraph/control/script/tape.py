"""The operations of a program's tape, which computes its expressions."""

from __future__ import annotations

import enum

EXIT, FAIL = -1, -2
"""Where a transition leads that leaves its script; FAIL: as failed."""


class TapeOp(enum.IntEnum):
    """Arithmetic on slots, and quantities of the state: these are read anew in each tick, and what rests on them."""

    ADD = 0
    SUBTRACT = 1
    MULTIPLY = 2
    DIVIDE = 3
    NEGATE = 4
    ANGLE = 5  # left: joint
    VELOCITY = 6
    ORIENTATION = 7  # left: link
    SPIN = 8
    X = 9
    HEIGHT = 10
    LOAD = 11
    COM_X = 12
    COM_HEIGHT = 13
    COM_VX = 14
    COM_VY = 15
    PHASE_TIME = 16  # left: level of the call stack whose phase is meant
    EDGE_DISTANCE = 17  # left: link, right: which edge, from 1
    EDGE_RISE = 18
    GROUND = 19  # left: slot of a place in the world
    SLOPE = 20


OF_JOINTS = (TapeOp.ANGLE, TapeOp.VELOCITY)
"""Quantities of a joint, whose index stands left."""

OF_LINKS = (
    TapeOp.ORIENTATION,
    TapeOp.SPIN,
    TapeOp.X,
    TapeOp.HEIGHT,
    TapeOp.LOAD,
    TapeOp.EDGE_DISTANCE,
    TapeOp.EDGE_RISE,
)
"""Quantities of a link, whose index stands left."""

FIRST_QUANTITY = int(TapeOp.ANGLE)
"""The operations before this one are arithmetic."""


def is_of_slots(op: int) -> bool:
    """Tell whether an operation's operands are slots, not indices of joints and links."""
    return op < FIRST_QUANTITY or op in (TapeOp.GROUND, TapeOp.SLOPE)
