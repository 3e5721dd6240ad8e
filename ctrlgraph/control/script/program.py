"""The array layout of a compiled controller: what the compiler writes and the interpreter reads.

A `Program` is the tree of scripts that a root script calls, expanded: every call has its own
copy of the called script's phases (a *frame*), so that the interpreter needs no arguments at run
time. Structure is integers; numbers are one float vector of literals, `constants`, in the order in
which they stand in the text (arguments given from outside come first). Operands refer to *slots*:
slot i < len(constants) is constants[i]; slot len(constants) + k is the result of row k of `tape`,
which holds the arithmetic of expressions. So an optimiser may replace `constants` and nothing else.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.controller import Place
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script.tape import EXIT as EXIT
from ctrlgraph.control.script.tape import FAIL as FAIL
from ctrlgraph.control.script.tape import FIRST_QUANTITY, TapeOp

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

OMITTED = -1
MAX_DEPTH = 16

# Columns of `frames`, one row for each expanded script; row 0 is the root script.
FRAME_FIRST_PHASE, FRAME_TORQUE_LIMIT, FRAME_LIMIT_START, FRAME_LIMIT_END, FRAME_COLUMNS = 0, 1, 2, 3, 4
# FRAME_TORQUE_LIMIT is a slot, or OMITTED; FRAME_LIMIT_START and _END are the frame's rows of `limits`.

# Columns of `limits`: a joint, and the slot of the torque limit that a script sets for it.
LIMIT_JOINT, LIMIT_SLOT, LIMIT_COLUMNS = 0, 1, 2

# Columns of `phases`, in the order written, all frames one after another.
PHASE_FRAME, PHASE_NUMBER, PHASE_CALL = 0, 1, 2
PHASE_ACTION_START, PHASE_ACTION_END = 3, 4
PHASE_TRANSITION_START, PHASE_TRANSITION_END = 5, 6
PHASE_PLACE, PHASE_TAPE_START, PHASE_TAPE_END, PHASE_COLUMNS = 7, 8, 9, 10
# PHASE_CALL is the index of the frame that the phase calls, or OMITTED. PHASE_TAPE_START and _END are the rows of the
# tape that are computed anew in each tick of the phase: none where nothing in it depends on the state.

# Columns of `actions`.
ACTION_KIND, ACTION_JOINT, ACTION_PART, ACTION_REFERENCE, ACTION_REFERENCE_INDEX, ACTION_FLAGS = range(6)
ACTION_OPERAND = 6  # six operand slots follow, OMITTED where not written
ACTION_PLACE = 12
ACTION_COLUMNS = 13

# Columns of `transitions`.
TRANSITION_KIND, TRANSITION_TARGET, TRANSITION_PART = 0, 1, 2
TRANSITION_OPERAND = 3  # two operand slots
TRANSITION_PLACE, TRANSITION_COLUMNS = 5, 6
# TRANSITION_TARGET is a row of `phases`, EXIT or FAIL.
# `terms` has the same columns: the conditions of a COMPOUND in postfix order, each one's as far as its END.

# Columns of `tape`: operation, left slot, right slot (OMITTED for NEGATE); of a quantity of the state: see TapeOp.
TAPE_OP, TAPE_LEFT, TAPE_RIGHT, TAPE_COLUMNS = 0, 1, 2, 3


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
    VARYING = 4  # a PD target of which a number depends on the state


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
    KEYPRESS = 10  # never fires in batch
    KEYRELEASE = 11
    HANDOVER = 12  # of a sequence's own phases: TRANSITION_PART is the number of times the called script ends before
    ABOVE = 13  # when o0 > o1
    BELOW = 14
    AT_LEAST = 15
    AT_MOST = 16
    COMPOUND = 17  # of several conditions: TRANSITION_PART is the first of its rows in `terms`
    AND = 18  # in `terms` alone, as the next ones
    OR = 19
    NOT = 20
    END = 21
    FAILED = 22  # the called script has left through FAIL


@dataclass(frozen=True)
class Program:
    """A script ready to run; see the module's text for the layout. Arrays are read-only."""

    kind: ClassVar[str] = "script"

    name: str
    path: str
    constants: FloatArray
    tape: IntArray
    frames: IntArray
    phases: IntArray
    actions: IntArray
    transitions: IntArray
    parameters: tuple[Parameter, ...]  # of the constants, in their order
    places: tuple[Place, ...]
    names: tuple[str, ...]  # states named by SAVE and LOAD
    digest: str  # of the meaning of the scripts and the outside arguments; `with_constants` leaves it as it is
    terms: IntArray = field(default_factory=lambda: np.zeros((0, TRANSITION_COLUMNS), dtype=np.int64))
    limits: IntArray = field(default_factory=lambda: np.zeros((0, LIMIT_COLUMNS), dtype=np.int64))

    def arrays(self) -> tuple[FloatArray | IntArray, ...]:
        """Return all arrays, the constants first."""
        return (
            self.constants,
            self.tape,
            self.frames,
            self.phases,
            self.actions,
            self.transitions,
            self.terms,
            self.limits,
        )

    def with_constants(self, constants: FloatArray) -> Program:
        """Return the same structure with other numbers.

        Raises:
            ValueError: the vector has another length.
        """
        if constants.shape != self.constants.shape:
            raise ValueError(f"{self.name} has {self.constants.size} constants, not {constants.size}")
        return replace(self, constants=np.array(constants, dtype=np.float64))

    def values(self) -> FloatArray:
        """Return all slots: the constants, then every expression's value (raises ZeroDivisionError).

        What depends on the state is 0 until a tick computes it.
        """
        n = self.constants.size
        values = np.zeros(n + len(self.tape))
        values[:n] = self.constants
        varying = self.varying
        for k, (op, left, right) in enumerate(self.tape.tolist()):
            if varying[n + k]:
                continue
            a, b = float(values[left]), float(values[right])  # numpy's own would warn where they overflow
            if op == TapeOp.ADD:
                result = a + b
            elif op == TapeOp.SUBTRACT:
                result = a - b
            elif op == TapeOp.MULTIPLY:
                result = a * b
            elif op == TapeOp.DIVIDE:
                if b == 0.0:
                    raise ZeroDivisionError(f"{self.name}: division by zero in an expression")
                result = a / b
            else:
                result = -a
            values[n + k] = result
        return values

    @cached_property
    def varying(self) -> tuple[bool, ...]:
        """Tell of each slot whether its value depends on the state."""
        found = [False] * self.constants.size
        for op, left, right in self.tape.tolist():
            found.append(op >= FIRST_QUANTITY or found[left] or (right != OMITTED and found[right]))
        return tuple(found)


def terms_of(program: Program, transition: Sequence[int]) -> Iterator[list[int]]:
    """Return the rows of a transition's conditions in postfix order; none where it is not COMPOUND."""
    if transition[TRANSITION_KIND] != TransitionKind.COMPOUND:
        return
    for row in program.terms[transition[TRANSITION_PART] :].tolist():
        if row[TRANSITION_KIND] == TransitionKind.END:
            return
        yield row
