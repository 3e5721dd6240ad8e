"""Joining compiled programs: one program that runs several, each for its cycles, one after another.

The joined program begins with a frame of its own, whose phase i calls the root frame of part i and
hands over to phase i + 1 when that has ended as often as is asked; the last one exits. Everything else
is the parts' arrays one behind the other, with what they refer to shifted: constants, rows of the tape,
frames, phases, actions, transitions, places and names. The parts' constants stay apart even where they
are the same literals of the same script, so that each part may run with numbers of its own.

A run of the joined program is bit for bit that of `Simulation.run` for one part after another. What
makes it so is the transition HANDOVER: the phase that follows it is asked in the same tick, as the
first phase of a program is when it begins, while phases that follow any other transition are first
asked one tick later.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ctrlgraph.control.controller import Part
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script import program as layout
from ctrlgraph.control.script.identity import DIGITS
from ctrlgraph.control.script.program import EXIT, OMITTED, ActionKind, IntArray, Program, TransitionKind
from ctrlgraph.control.script.tape import TapeOp, is_of_slots
from ctrlgraph.errors import CtrlGraphError

_NAMING_ACTIONS = (ActionKind.SAVE, ActionKind.LOAD)
_NAMING_TRANSITIONS = (TransitionKind.KEYPRESS, TransitionKind.KEYRELEASE)


@dataclass(frozen=True, slots=True)
class Offsets:
    """How many of everything stand before a part in the joined program.

    tape: its first row's slot, less the part's own; rows: its first row.
    """

    constants: int
    tape: int
    rows: int
    frames: int
    phases: int
    actions: int
    transitions: int
    places: int
    names: int
    terms: int
    limits: int


def sequence(name: str, parts: Sequence[Part[Program]]) -> Program:
    """Return one program that runs the parts one after another; `offsets` tells where each part's arrays went.

    Raises:
        ValueError: there is no part, or one is to run less than once.
        CtrlGraphError: a part's calls nest as deep as they may already.
    """
    if not parts or any(part.cycles < 1 for part in parts):
        raise ValueError("a sequence has at least one part, and each runs at least once")
    for part in parts:
        if call_depth(part.controller) >= layout.MAX_DEPTH:
            message = (
                f"'{part.controller.name}' nests its calls {layout.MAX_DEPTH} deep: it cannot be part of a sequence"
            )
            raise CtrlGraphError(message)
    shifts = offsets(parts)
    programs = [part.controller for part in parts]
    joined = Program(
        name=name,
        path=programs[-1].path,
        constants=np.concatenate([program.constants for program in programs]),
        tape=_stacked([_tape(p, s) for p, s in zip(programs, shifts, strict=True)]),
        frames=_stacked([_root_frame(), *(_frames(p, s) for p, s in zip(programs, shifts, strict=True))]),
        phases=_stacked([_root_phases(parts, shifts), *(_phases(p, s) for p, s in zip(programs, shifts, strict=True))]),
        actions=_stacked([_actions(p, s) for p, s in zip(programs, shifts, strict=True)]),
        transitions=_stacked([_handovers(parts), *(_transitions(p, s) for p, s in zip(programs, shifts, strict=True))]),
        parameters=_parameters(programs),
        places=tuple(place for program in programs for place in program.places),
        names=tuple(title for program in programs for title in program.names),
        digest=_digest((part.controller.digest, part.cycles) for part in parts),
        terms=_stacked([_terms(p, s) for p, s in zip(programs, shifts, strict=True)]),
        limits=_stacked([_limits(p, s) for p, s in zip(programs, shifts, strict=True)]),
    )
    for array in joined.arrays():
        array.flags.writeable = False
    return joined


def offsets(parts: Sequence[Part[Program]]) -> list[Offsets]:
    """For each part, how many of everything stand before it in the sequence.

    Slot s of a part is slot s + constants where it is a constant's; row k of its tape is slot k + tape.
    """
    tape = sum(part.controller.constants.size for part in parts)
    now = Offsets(0, tape, 0, 1, len(parts), 0, len(parts), 0, 0, 0, 0)
    found = []
    for part in parts:
        found.append(now)
        p = part.controller
        now = Offsets(
            now.constants + p.constants.size,
            now.tape + len(p.tape),
            now.rows + len(p.tape),
            now.frames + len(p.frames),
            now.phases + len(p.phases),
            now.actions + len(p.actions),
            now.transitions + len(p.transitions),
            now.places + len(p.places),
            now.names + len(p.names),
            now.terms + len(p.terms),
            now.limits + len(p.limits),
        )
    return found


def call_depth(program: Program) -> int:
    """Return how many scripts are under way at most at the same time, the root script included."""
    called: dict[int, list[int]] = {}
    for row in program.phases.tolist():
        if row[layout.PHASE_CALL] != OMITTED:
            called.setdefault(row[layout.PHASE_FRAME], []).append(row[layout.PHASE_CALL])
    depth, level = 0, [0]
    while level:  # a program is a tree of frames, so this ends
        depth += 1
        level = [callee for frame in level for callee in called.get(frame, ())]
    return depth


def _root_frame() -> IntArray:
    return np.array([[0, OMITTED, 0, 0]], dtype=np.int64)


def _root_phases(parts: Sequence[Part[Program]], shifts: Sequence[Offsets]) -> IntArray:
    """Phase i calls part i; it is shown where the part's first phase stands."""
    rows = np.zeros((len(parts), layout.PHASE_COLUMNS), dtype=np.int64)
    for i, (part, shift) in enumerate(zip(parts, shifts, strict=True)):
        first = part.controller.phases[part.controller.frames[0, layout.FRAME_FIRST_PHASE]]
        rows[i, layout.PHASE_NUMBER] = i
        rows[i, layout.PHASE_CALL] = shift.frames
        rows[i, layout.PHASE_TRANSITION_START], rows[i, layout.PHASE_TRANSITION_END] = i, i + 1
        rows[i, layout.PHASE_PLACE] = first[layout.PHASE_PLACE] + shift.places
    return rows


def _handovers(parts: Sequence[Part[Program]]) -> IntArray:
    rows = np.full((len(parts), layout.TRANSITION_COLUMNS), OMITTED, dtype=np.int64)
    rows[:, layout.TRANSITION_KIND] = TransitionKind.HANDOVER
    rows[:, layout.TRANSITION_TARGET] = [*range(1, len(parts)), EXIT]
    rows[:, layout.TRANSITION_PART] = [part.cycles for part in parts]
    rows[:, layout.TRANSITION_PLACE] = 0
    return rows


def _frames(program: Program, shift: Offsets) -> IntArray:
    frames = program.frames.copy()
    frames[:, layout.FRAME_FIRST_PHASE] += shift.phases
    _shift_slots(frames, layout.FRAME_TORQUE_LIMIT, 1, program.constants.size, shift)
    frames[:, [layout.FRAME_LIMIT_START, layout.FRAME_LIMIT_END]] += shift.limits
    return frames


def _limits(program: Program, shift: Offsets) -> IntArray:
    limits = program.limits.copy()
    _shift_slots(limits, layout.LIMIT_SLOT, 1, program.constants.size, shift)
    return limits


def _phases(program: Program, shift: Offsets) -> IntArray:
    phases = program.phases.copy()
    phases[:, layout.PHASE_FRAME] += shift.frames
    phases[:, layout.PHASE_CALL][phases[:, layout.PHASE_CALL] != OMITTED] += shift.frames
    phases[:, [layout.PHASE_ACTION_START, layout.PHASE_ACTION_END]] += shift.actions
    phases[:, [layout.PHASE_TRANSITION_START, layout.PHASE_TRANSITION_END]] += shift.transitions
    phases[:, layout.PHASE_PLACE] += shift.places
    tape_rows = [layout.PHASE_TAPE_START, layout.PHASE_TAPE_END]
    phases[:, tape_rows] += shift.rows
    return phases


def _actions(program: Program, shift: Offsets) -> IntArray:
    actions = program.actions.copy()
    _shift_slots(actions, layout.ACTION_OPERAND, 6, program.constants.size, shift)
    naming = np.isin(actions[:, layout.ACTION_KIND], _NAMING_ACTIONS)
    actions[naming, layout.ACTION_PART] += shift.names
    actions[:, layout.ACTION_PLACE] += shift.places
    return actions


def _transitions(program: Program, shift: Offsets) -> IntArray:
    transitions = program.transitions.copy()
    transitions[:, layout.TRANSITION_TARGET][transitions[:, layout.TRANSITION_TARGET] >= 0] += shift.phases
    _shift_slots(transitions, layout.TRANSITION_OPERAND, 2, program.constants.size, shift)
    compound = transitions[:, layout.TRANSITION_KIND] == TransitionKind.COMPOUND
    transitions[compound, layout.TRANSITION_PART] += shift.terms
    _shift_names(transitions, shift)
    return transitions


def _terms(program: Program, shift: Offsets) -> IntArray:
    terms = program.terms.copy()
    _shift_slots(terms, layout.TRANSITION_OPERAND, 2, program.constants.size, shift)
    _shift_names(terms, shift)
    return terms


def _shift_names(transitions: IntArray, shift: Offsets) -> None:
    naming = np.isin(transitions[:, layout.TRANSITION_KIND], _NAMING_TRANSITIONS)
    transitions[naming, layout.TRANSITION_PART] += shift.names
    transitions[:, layout.TRANSITION_PLACE] += shift.places


def _tape(program: Program, shift: Offsets) -> IntArray:
    tape = program.tape.copy()
    of_slots = np.array([is_of_slots(op) for op in tape[:, layout.TAPE_OP].tolist()], dtype=np.bool_)
    shifted = tape[of_slots]
    _shift_slots(shifted, layout.TAPE_LEFT, 2, program.constants.size, shift)
    tape[of_slots] = shifted
    # the sequence's own phases are one more level of the call stack
    tape[tape[:, layout.TAPE_OP] == TapeOp.PHASE_TIME, layout.TAPE_LEFT] += 1
    return tape


def _shift_slots(rows: IntArray, first: int, count: int, n_constants: int, shift: Offsets) -> None:
    """Shift the slots in `count` columns: a constant's by the constants before, a row's of the tape by its offset."""
    slots = rows[:, first : first + count]
    moved = np.where(slots < n_constants, slots + shift.constants, slots - n_constants + shift.tape)
    rows[:, first : first + count] = np.where(slots == OMITTED, OMITTED, moved)


def _stacked(arrays: Sequence[IntArray]) -> IntArray:
    return np.ascontiguousarray(np.concatenate(arrays), dtype=np.int64)


def _parameters(programs: Sequence[Program]) -> tuple[Parameter, ...]:
    """The parts' parameters; their ids begin with the number of the part, from 1: `2:walk.t/0/call simbicon/dt`."""
    return tuple(
        replace(parameter, id=f"{number}:{parameter.id}", part=f"{number}:{parameter.part}")
        for number, program in enumerate(programs, start=1)
        for parameter in program.parameters
    )


def _digest(parts: Iterable[tuple[str, int]]) -> str:
    """Of the parts' digests and cycles; like those, not of other constants that they run with."""
    text = "\n".join(f"{digest} {cycles}" for digest, cycles in parts)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
