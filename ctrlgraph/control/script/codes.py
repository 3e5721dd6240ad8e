"""Codes of a compiled script: kinds of actions and transitions, and operations of expressions (the tape).

They are in a module of their own because the parser needs them without the import of numpy.
"""

from __future__ import annotations

import enum

OMITTED = -1
"""Entry of an integer array in place of a value that the script does not give, such as an optional joint or number."""

EXIT, FAIL = -1, -2
"""Targets of transitions that leave the script: normally, and with a failure."""

MAX_DEPTH = 16
"""Maximum number of scripts in a chain of calls, including the first script."""


class ActionKind(enum.IntEnum):
    """Kinds of actions of a phase: motion primitives such as poses and forces, and the commands SAVE and LOAD.

    The comments list the columns of `Program.actions` that a kind uses, and the meaning of its numbers, the operands o0
    to o5.
    """

    POSE = 0  # joint angle by PD: joint; o0 angle, o1 kp, o2 kd
    LIPOSE = 1  # joint angle, reached linearly: joint; o0 angle, o1 kp, o2 kd, o3 time
    MATCH = 2  # angle of another joint: joint; reference = the other joint; o1 kp, o2 kd, o3 time
    POSEFB = 3  # balance feedback to a joint's target: joint; reference part or joint; o0 cd, o1 cv
    VPD = 4  # PD of a link's angle in the world: part, joint; o0 angle, o1 kp, o2 kd; COMFB2: reference, o3 cd, o4 cv
    VF = 5  # virtual force: part, base joint; o0 x, o1 y, o2 z
    IK = 6  # inverse kinematics: part, base joint; o0 x, o1 y, o2 z, o3 tolerance
    VFFB = 7  # virtual force by balance feedback: part, base joint; reference; o0 cd, o1 cv
    VFSFB = 8  # virtual force by speed feedback: part, base joint; o0 kd, o1 speed
    SAVE = 9  # save the simulation's state; names[ACTION_PART] is the name of the saved state
    LOAD = 10  # load a saved state; as SAVE
    VFHFB = 11  # virtual force by height feedback: part, base joint; o0 cp, o1 cv, o2 height


class ActionFlag(enum.IntFlag):
    """Properties that an action can have, each as one bit of an integer."""

    SWING = 1  # VPD with .flags(s): its joint is the swing hip
    GLOBAL = 2  # IK with .target global: the target is in the world, not relative to the base joint
    VARYING = 4  # the angle or a gain of this PD target depends on the state


class TransitionKind(enum.IntEnum):
    """Kinds of conditions by which a transition ends a phase.

    The comments list the columns of `Program.transitions` that a kind uses, and the meaning of its numbers, the
    operands o0 and o1.
    """

    TIME = 0  # the phase has lasted o0 seconds
    CONTACT = 1  # the link TRANSITION_PART touches the ground
    NOCONTACT = 2  # the link TRANSITION_PART does not touch the ground
    STABLE = 3  # all speeds are below the tolerance o0
    FALLEN_ABOVE = 4  # the trunk's angle is above o0
    FALLEN_BELOW = 5  # the trunk's angle is below o0
    FALLEN_OUTSIDE = 6  # the trunk's angle is outside -o0 to o0
    ANGLERANGE = 7  # the trunk's angle is on the arc that leads clockwise from o0 to o1
    ITERATIONS = 8  # the called script has ended o0 times
    COMPLETE = 9  # the called script has ended, or none is called
    HANDOVER = 12  # the called script has ended TRANSITION_PART times; only in the first frame of a joined program
    ABOVE = 13  # when o0 > o1
    BELOW = 14  # when o0 < o1
    AT_LEAST = 15  # when o0 >= o1
    AT_MOST = 16  # when o0 <= o1
    COMPOUND = 17  # several conditions; TRANSITION_PART is the first of their rows in `terms`
    AND = 18  # only in `terms`, like OR, NOT and END: joins the two conditions before it
    OR = 19  # joins the two conditions before it
    NOT = 20  # inverts the condition before it
    END = 21  # end of the rows of a COMPOUND
    FAILED = 22  # the called script has left through FAIL


class TapeOp(enum.IntEnum):
    """Operations in expressions: arithmetic on numbers, and quantities of the state, which are read in every tick.

    A compiled script has all operations in one array, the tape. The comments give the meaning of its columns TAPE_LEFT
    (left) and TAPE_RIGHT (right). A slot is an index of a number of the program. docs/reference/language.md describes
    the quantities.
    """

    ADD = 0  # left and right: slots, like the next operations
    SUBTRACT = 1
    MULTIPLY = 2
    DIVIDE = 3
    NEGATE = 4  # left: slot
    ANGLE = 5  # left: joint
    VELOCITY = 6  # left: joint
    ORIENTATION = 7  # left: link, like the next operations
    SPIN = 8
    X = 9
    HEIGHT = 10
    LOAD = 11
    COM_X = 12  # no operands, like the next operations
    COM_HEIGHT = 13
    COM_VX = 14
    COM_VY = 15
    PHASE_TIME = 16  # left: level of the phase in the call stack
    EDGE_DISTANCE = 17  # left: link, right: number of the edge, from 1
    EDGE_RISE = 18  # left: link, right: number of the edge, from 1
    GROUND = 19  # left: slot with an x in the world
    SLOPE = 20  # left: slot with an x in the world
    EDGE_AFTER = 21  # left: slot with an x in the world


FIRST_QUANTITY = int(TapeOp.ANGLE)
"""First operation that reads a quantity of the state. The operations with smaller codes are arithmetic."""


def applied(op: int, a: float, b: float) -> float | None:
    """Return the result of an arithmetic operation (`TapeOp`) on a and b; None for a division by zero.

    NEGATE ignores b.
    """
    if op == TapeOp.NEGATE:
        return -a
    if op == TapeOp.ADD:
        return a + b
    if op == TapeOp.SUBTRACT:
        return a - b
    if op == TapeOp.MULTIPLY:
        return a * b
    return a / b if b != 0.0 else None
