"""The array layout of a compiled script, the program. The compiler writes the arrays, and the interpreter reads them.

A `Program` is the expanded tree of scripts that a root script calls. Every call has its own copy of the called script's
phases (a *frame*), so that the interpreter needs no arguments at run time. The structure is stored as integers. The
numbers are in one float vector, `constants`: first the arguments of the root script, then the literals in the order of
the text. Operands refer to *slots*: slot i < len(constants) is constants[i]; slot len(constants) + k is the result of
row k of `tape`, which contains the operations of expressions. So an optimizer replaces only `constants`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.controller import Controller, Place
from ctrlgraph.control.controller_file import checked_constants
from ctrlgraph.control.falls import FALLEN_TORSO
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script.codes import FIRST_QUANTITY, OMITTED, TransitionKind, applied
from ctrlgraph.errors import SimulationError

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

# Columns of `frames`, one row for each expanded script; row 0 is the root script.
FRAME_FIRST_PHASE, FRAME_TORQUE_LIMIT, FRAME_LIMIT_START, FRAME_LIMIT_END, FRAME_COLUMNS = 0, 1, 2, 3, 4
# FRAME_FIRST_PHASE is a row of `phases`. FRAME_TORQUE_LIMIT is the slot of the torque limit for all joints, or OMITTED.
# FRAME_LIMIT_START and _END are the frame's rows of `limits`.

# Columns of `limits`: index of a joint, and slot of the torque limit that a script sets for this joint.
LIMIT_JOINT, LIMIT_SLOT, LIMIT_COLUMNS = 0, 1, 2

# Columns of `phases`: the phases of each frame in the order of the text, all frames one after another.
PHASE_FRAME, PHASE_NUMBER, PHASE_CALL = 0, 1, 2
PHASE_ACTION_START, PHASE_ACTION_END = 3, 4
PHASE_TRANSITION_START, PHASE_TRANSITION_END = 5, 6
PHASE_PLACE, PHASE_TAPE_START, PHASE_TAPE_END, PHASE_COLUMNS = 7, 8, 9, 10
# PHASE_NUMBER is the number in the script. PHASE_CALL is the row of the frame that the phase calls, or OMITTED. The
# other columns are rows: of `actions`, `transitions`, `places`, and of those rows of `tape` that are computed in each
# tick of the phase. There are none of the last if nothing in the phase depends on the state.

# Columns of `actions`: `ActionKind`, joint, link, `FeedbackReference`, link or joint of this reference, `ActionFlag`.
ACTION_KIND, ACTION_JOINT, ACTION_PART, ACTION_REFERENCE, ACTION_REFERENCE_INDEX, ACTION_FLAGS = range(6)
ACTION_OPERAND = 6  # first of six slots of operands; OMITTED if the text does not give the operand
ACTION_PLACE = 12
ACTION_COLUMNS = 13

# Columns of `transitions`: `TransitionKind`, next phase (a row of `phases`, EXIT or FAIL), link or another integer.
TRANSITION_KIND, TRANSITION_TARGET, TRANSITION_PART = 0, 1, 2
TRANSITION_OPERAND = 3  # first of two slots of operands
TRANSITION_PLACE, TRANSITION_COLUMNS = 5, 6
# `terms` has the same columns: the conditions of each COMPOUND in postfix order, ended by END.

# Columns of `tape`: `TapeOp`, left slot, right slot (OMITTED for NEGATE). For quantities of the state see `TapeOp`.
TAPE_OP, TAPE_LEFT, TAPE_RIGHT, TAPE_COLUMNS = 0, 1, 2, 3

COLUMNS = {
    "tape": TAPE_COLUMNS,
    "frames": FRAME_COLUMNS,
    "phases": PHASE_COLUMNS,
    "actions": ACTION_COLUMNS,
    "transitions": TRANSITION_COLUMNS,
    "terms": TRANSITION_COLUMNS,
    "limits": LIMIT_COLUMNS,
}
"""Number of columns of each array."""

ROW_REFERENCES: dict[str, dict[int, str]] = {
    "tape": {},
    "frames": {FRAME_FIRST_PHASE: "phases", FRAME_LIMIT_START: "limits", FRAME_LIMIT_END: "limits"},
    "phases": {
        PHASE_FRAME: "frames",
        PHASE_CALL: "frames",
        PHASE_ACTION_START: "actions",
        PHASE_ACTION_END: "actions",
        PHASE_TRANSITION_START: "transitions",
        PHASE_TRANSITION_END: "transitions",
        PHASE_PLACE: "places",
        PHASE_TAPE_START: "tape",
        PHASE_TAPE_END: "tape",
    },
    "actions": {ACTION_PLACE: "places"},
    "transitions": {TRANSITION_TARGET: "phases", TRANSITION_PLACE: "places"},
    "terms": {TRANSITION_PLACE: "places"},
    "limits": {},
}
"""Columns of each array that contain rows of another array or of `places`, by name of the other. Negative: no row."""

SLOT_COLUMNS = {
    "tape": (TAPE_LEFT, TAPE_RIGHT),
    "frames": (FRAME_TORQUE_LIMIT,),
    "actions": tuple(range(ACTION_OPERAND, ACTION_PLACE)),
    "transitions": (TRANSITION_OPERAND, TRANSITION_OPERAND + 1),
    "terms": (TRANSITION_OPERAND, TRANSITION_OPERAND + 1),
    "limits": (LIMIT_SLOT,),
}
"""Columns of each array that contain slots; in `tape`, only for operations for which `is_of_slots` is true."""


@dataclass(frozen=True)
class Program:
    """A compiled script: integer arrays for its structure, and a vector of constants. All arrays are read-only.

    The module's docstring describes the arrays, and the comments before this class describe their columns.
    """

    kind: ClassVar[str] = "script"

    name: str
    """Name of the root script."""
    path: str
    """File of the root script."""
    constants: FloatArray
    """Arguments of the root script, then the numbers in the texts of all scripts (P,)."""
    tape: IntArray
    """Operations of all expressions, one in each row."""
    frames: IntArray
    """Copies of scripts, one for the root script and one for each call."""
    phases: IntArray
    """Phases of all frames."""
    actions: IntArray
    """Actions of all phases."""
    transitions: IntArray
    """Transitions of all phases."""
    parameters: tuple[Parameter, ...]
    """Descriptions of the P constants, in their order."""
    places: tuple[Place, ...]
    """Positions of phases, actions and transitions in the files."""
    names: tuple[str, ...]
    """Names of saved states in SAVE and LOAD."""
    digest: str
    """Hash of the scripts' behaviour and of the root script's arguments. `with_constants` does not change the hash."""
    terms: IntArray = field(default_factory=lambda: np.zeros((0, TRANSITION_COLUMNS), dtype=np.int64))
    """Single conditions of the transitions whose condition joins several with `and`, `or` or `not`."""
    limits: IntArray = field(default_factory=lambda: np.zeros((0, LIMIT_COLUMNS), dtype=np.int64))
    """Torque limits of single joints."""
    judged_from: int = 0
    """Row of the phase at whose beginning the measurement of success begins."""

    def __post_init__(self) -> None:
        for array in self.arrays():
            array.flags.writeable = False

    def arrays(self) -> tuple[FloatArray | IntArray, ...]:
        """Return all arrays of the program, the constants first."""
        integers = (self.tape, self.frames, self.phases, self.actions, self.transitions, self.terms, self.limits)
        return self.constants, *integers

    def with_constants(self, constants: FloatArray) -> Program:
        """Return a copy of the program with other values of its P constants.

        Args:
            constants: new values (P,).

        Raises:
            ValueError: the number of values is not P.
        """
        return replace(self, constants=checked_constants(self, constants))

    def values(self) -> FloatArray:
        """Return all numbers of the program, by slot: the constants, then the result of each row of the tape.

        Results that depend on the state of the character are 0 until a tick computes them.

        Raises:
            SimulationError: an expression that does not depend on the state divides by zero.
        """
        n = self.constants.size
        values = np.zeros(n + len(self.tape))
        values[:n] = self.constants
        varying = self.varying
        for k, (op, left, right) in enumerate(self.tape.tolist()):
            if varying[n + k]:
                continue
            # Python's floats, because numpy's warn at an overflow
            result = applied(op, float(values[left]), float(values[right]))
            if result is None:
                raise SimulationError(
                    f"{self.name}: with these constants, an expression contains a division by 0: change the constants"
                )
            values[n + k] = result
        return values

    def actions_of(self, phase: int) -> IntArray:
        """Return the actions of a phase as rows of `actions`. `phase` is the phase's row in `phases`."""
        return self.actions[self.phases[phase, PHASE_ACTION_START] : self.phases[phase, PHASE_ACTION_END]]

    def transitions_of(self, phase: int) -> IntArray:
        """Return the transitions of a phase as rows of `transitions`. `phase` is the phase's row in `phases`."""
        return self.transitions[self.phases[phase, PHASE_TRANSITION_START] : self.phases[phase, PHASE_TRANSITION_END]]

    @cached_property
    def varying(self) -> tuple[bool, ...]:
        """Return for each slot whether its number depends on the state of the character."""
        found = [False] * self.constants.size
        for op, left, right in self.tape.tolist():
            found.append(op >= FIRST_QUANTITY or found[left] or (right != OMITTED and found[right]))
        return tuple(found)


def conditions_of(program: Program, transition: Sequence[int]) -> Iterator[Sequence[int]]:
    """Return the single conditions of a transition in postfix order (operators after the conditions that they join).

    Args:
        program: the program.
        transition: row of its `transitions`. If it has only one condition, the row itself is returned.
    """
    if transition[TRANSITION_KIND] != TransitionKind.COMPOUND:
        yield transition
        return
    for row in program.terms[transition[TRANSITION_PART] :].tolist():
        if row[TRANSITION_KIND] == TransitionKind.END:
            return
        yield row


def is_fall(kind: int, angle: float) -> bool:
    """Return whether a condition of a transition is a `fallen` that means a fall.

    `fallen x` always does. `fallen >` and `fallen <` do so if their angle is at least `FALLEN_TORSO` in size, because a
    motion can wait for a smaller tilt of the trunk.

    Args:
        kind: kind of the condition, a `TransitionKind`.
        angle: angle in the condition, rad.
    """
    if kind == TransitionKind.FALLEN_ABOVE:
        return angle >= FALLEN_TORSO
    if kind == TransitionKind.FALLEN_BELOW:
        return angle <= -FALLEN_TORSO
    return kind == TransitionKind.FALLEN_OUTSIDE


def scripts_of(controller: Controller) -> list[str]:
    """Return the names of the scripts of a controller, callers before called scripts; empty if it is not a script."""
    return list(dict.fromkeys(place.script for place in controller.places)) if isinstance(controller, Program) else []
