"""Codes of a compiled program: kinds of actions and transitions, and operations of the tape.

They are in a module of their own because the parser needs them without the import of numpy.
"""

from __future__ import annotations

import enum

OMITTED = -1
EXIT, FAIL = -1, -2
"""Targets of transitions that leave the script. FAIL marks it as failed."""

MAX_DEPTH = 16
"""Maximum number of nested scripts."""


class ActionKind(enum.IntEnum):
    """Motion primitives and their operands (o0..o5)."""

    POSE = 0  # joint; o0 angle, o1 kp, o2 kd
    LIPOSE = 1  # joint; o0 angle, o1 kp, o2 kd, o3 time
    MATCH = 2  # joint; reference = the joint matched; o1 kp, o2 kd, o3 time
    POSEFB = 3  # joint; reference part or joint; o0 cd, o1 cv
    VPD = 4  # part, joint; o0 angle, o1 kp, o2 kd; with COMFB2: reference, o3 cd, o4 cv
    VF = 5  # part, base joint; o0 x, o1 y, o2 z
    IK = 6  # part, base joint; o0 x, o1 y, o2 z, o3 tolerance
    VFFB = 7  # part, base joint; reference; o0 cd, o1 cv
    VFSFB = 8  # part, base joint; o0 kd, o1 speed
    SAVE = 9  # o0 is not used; names[ACTION_PART] is the state's name
    LOAD = 10
    VFHFB = 11  # part, base joint; o0 cp, o1 cv, o2 height


class ActionFlag(enum.IntFlag):
    """Flags of an action."""

    SWING = 1  # VPD .flags(s)
    GLOBAL = 2  # IK .target global
    VARYING = 4  # a PD target with a number that depends on the state


class TransitionKind(enum.IntEnum):
    """Phase transitions and their operands (o0, o1)."""

    TIME = 0  # o0 seconds
    CONTACT = 1  # part
    NOCONTACT = 2  # part
    STABLE = 3  # o0 tolerance
    FALLEN_ABOVE = 4  # o0 angle
    FALLEN_BELOW = 5  # o0 angle
    FALLEN_OUTSIDE = 6  # o0 angle
    ANGLERANGE = 7  # o0 lower, o1 upper
    ITERATIONS = 8  # o0 count
    COMPLETE = 9
    HANDOVER = 12  # only in the first frame of a sequence; TRANSITION_PART: number of runs of the called script before
    ABOVE = 13  # when o0 > o1
    BELOW = 14
    AT_LEAST = 15
    AT_MOST = 16
    COMPOUND = 17  # several conditions; TRANSITION_PART is the first of their rows in `terms`
    AND = 18  # only in `terms`, like the next ones
    OR = 19
    NOT = 20
    END = 21
    FAILED = 22  # the called script has left through FAIL


class TapeOp(enum.IntEnum):
    """Arithmetic on slots, and quantities of the state, which are read in every tick."""

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
    PHASE_TIME = 16  # left: level of the phase in the call stack
    EDGE_DISTANCE = 17  # left: link, right: number of the edge, from 1
    EDGE_RISE = 18
    GROUND = 19  # left: slot of a place in the world
    SLOPE = 20  # left: slot of a place in the world


FIRST_QUANTITY = int(TapeOp.ANGLE)
"""The operations before this one are arithmetic."""


def applied(op: int, a: float, b: float) -> float | None:
    """Return the result of an arithmetic operation; None for a division by zero."""
    if op == TapeOp.NEGATE:
        return -a
    if op == TapeOp.ADD:
        return a + b
    if op == TapeOp.SUBTRACT:
        return a - b
    if op == TapeOp.MULTIPLY:
        return a * b
    return a / b if b != 0.0 else None
