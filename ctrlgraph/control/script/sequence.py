"""Joining of compiled programs: one program that runs several parts in order, each for its number of cycles.

The joined program begins with a frame (a list of phases) of its own. Phase i of this frame calls the root frame of part
i. When the part has ended the required number of times, phase i + 1 follows; the last phase exits. The rest of the
program consists of the concatenated arrays of the parts, with shifted references. The constants of the parts are
separate, even if they are the same literals of the same script. So each part can have its own values.

The motion of the joined program is bit for bit equal to that of the parts in `Simulation.run`, one after another. This
follows from the transition HANDOVER: the conditions of the next phase are evaluated in the same tick, like those of the
first phase of a program. After any other transition, they are first evaluated in the next tick.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ctrlgraph.control.controller import Part
from ctrlgraph.control.script import program as layout
from ctrlgraph.control.script.codes import EXIT, FAIL, MAX_DEPTH, OMITTED, ActionKind, TapeOp, TransitionKind
from ctrlgraph.control.script.identity import DIGITS
from ctrlgraph.control.script.program import IntArray, Program
from ctrlgraph.control.script.syntax.forms import FALLEN_KINDS, is_of_slots
from ctrlgraph.errors import CtrlGraphError


def sequence(name: str, parts: Sequence[Part[Program]]) -> Program:
    """Return one program that runs several programs in order, each for its number of cycles.

    Args:
        name: name of the joined program.
        parts: the programs with their numbers of cycles, in order.

    Raises:
        ValueError: there are no parts, or a part has less than one cycle.
        CtrlGraphError: a part has the maximum depth of calls, `MAX_DEPTH`, and cannot be called.
    """
    if not parts or any(part.cycles < 1 for part in parts):
        raise ValueError("a sequence needs at least one part, and each part at least one cycle")
    programs, shifts = [part.controller for part in parts], offsets(parts)
    for program in programs:
        if call_depth(program) >= MAX_DEPTH:
            message = (
                f"'{program.name}' cannot be joined with other controllers: its calls already nest {MAX_DEPTH}"
                " deep, the maximum"
            )
            raise CtrlGraphError(message)
    constants = np.concatenate([program.constants for program in programs])
    arrays = [_own_arrays(parts, shifts)]
    for part, shift in zip(parts, shifts, strict=True):
        arrays.append(_shifted(part.controller, shift, constants.size))
        if not part.judged:
            _fail_on_falls(part.controller, arrays[-1]["transitions"])
    stacked = {
        array: np.concatenate([each[array] for each in arrays if array in each]) for array in layout.ROW_REFERENCES
    }
    first_rows = [0, *(shift["phases"] for shift in shifts[1:])]
    # like the digests of the parts, it does not depend on changed constants
    digest = "\n".join(f"{part.controller.digest} {part.cycles}" for part in parts)
    return Program(
        name=name,
        path=programs[-1].path,
        constants=constants,
        parameters=tuple(
            # the ids begin with the number of the part, from 1: `2:walk.t/0/call simbicon/dt`
            replace(parameter, id=f"{number}:{parameter.id}", part=f"{number}:{parameter.part}")
            for number, program in enumerate(programs, start=1)
            for parameter in program.parameters
        ),
        places=tuple(place for program in programs for place in program.places),
        names=tuple(title for program in programs for title in program.names),
        digest=hashlib.sha256(digest.encode()).hexdigest()[:DIGITS],
        judged_from=next((row for part, row in zip(parts, first_rows, strict=True) if part.judged), 0),
        **stacked,
    )


def offsets(parts: Sequence[Part[Program]]) -> list[dict[str, int]]:
    """Return where the data of each part begin in the joined program.

    For each part, the result maps a field of `Program`, such as `phases`, to the number of elements in this field of
    the joined program that come before those of the part.
    """
    now = dict.fromkeys(("constants", "places", "names", *layout.ROW_REFERENCES), 0)
    now |= {"frames": 1, "phases": len(parts), "transitions": len(parts)}
    found = []
    for part in parts:
        found.append(now)
        now = {field: count + len(getattr(part.controller, field)) for field, count in now.items()}
    return found


def call_depth(program: Program) -> int:
    """Return the maximum number of scripts in a chain of calls of a program: 1 if the root script calls no other."""
    depths = {0: 1}
    for frame, _, called, *_ in program.phases.tolist():  # callers come before called scripts
        if called != OMITTED:
            depths[called] = depths[frame] + 1
    return max(depths.values())


def _own_arrays(parts: Sequence[Part[Program]], shifts: Sequence[dict[str, int]]) -> dict[str, IntArray]:
    """Return the rows that the joined program has in addition to those of its parts: a frame that calls the parts.

    Phase i of the frame calls part i and has the position in the text of the part's first phase.

    Args:
        parts: the parts.
        shifts: result of `offsets`.
    """
    n = len(parts)
    phases = np.zeros((n, layout.PHASE_COLUMNS), dtype=np.int64)
    for i, (part, shift) in enumerate(zip(parts, shifts, strict=True)):
        first = part.controller.phases[part.controller.frames[0, layout.FRAME_FIRST_PHASE]]
        phases[i, layout.PHASE_NUMBER] = i
        phases[i, layout.PHASE_CALL] = shift["frames"]
        phases[i, layout.PHASE_TRANSITION_START], phases[i, layout.PHASE_TRANSITION_END] = i, i + 1
        phases[i, layout.PHASE_PLACE] = first[layout.PHASE_PLACE] + shift["places"]
    handovers = np.full((n, layout.TRANSITION_COLUMNS), OMITTED, dtype=np.int64)
    handovers[:, layout.TRANSITION_KIND] = TransitionKind.HANDOVER
    handovers[:, layout.TRANSITION_TARGET] = [*range(1, n), EXIT]
    handovers[:, layout.TRANSITION_PART] = [part.cycles for part in parts]
    handovers[:, layout.TRANSITION_PLACE] = 0
    return {"frames": np.array([[0, OMITTED, 0, 0]], dtype=np.int64), "phases": phases, "transitions": handovers}


def _fail_on_falls(program: Program, transitions: IntArray) -> None:
    """Make a part fail where it would exit after a fall, because no success condition would notice the fall.

    Args:
        program: the part.
        transitions: the transitions of the part in the joined program, which are changed in place.
    """
    values = program.values()
    for own, row in zip(program.transitions.tolist(), transitions, strict=True):
        if own[layout.TRANSITION_KIND] in FALLEN_KINDS.values() and own[layout.TRANSITION_TARGET] == EXIT:
            angle = float(values[own[layout.TRANSITION_OPERAND]])
            if layout.is_fall(own[layout.TRANSITION_KIND], angle):
                row[layout.TRANSITION_TARGET] = FAIL


def _shifted(program: Program, shift: dict[str, int], n_constants: int) -> dict[str, IntArray]:
    """Return the arrays of a part with indices that are valid in the joined program.

    Args:
        program: the part.
        shift: where its data begin in the joined program, see `offsets`.
        n_constants: number of constants of the joined program.
    """
    found: dict[str, IntArray] = {}
    for array, references in layout.ROW_REFERENCES.items():
        rows = found[array] = getattr(program, array).copy()
        for column, field in references.items():
            rows[rows[:, column] >= 0, column] += shift[field]
        for column in layout.SLOT_COLUMNS.get(array, ()):
            slots = rows[:, column]
            in_tape = slots - program.constants.size + n_constants + shift["tape"]
            moved = np.where(slots < program.constants.size, slots + shift["constants"], in_tape)
            rows[:, column] = np.where(slots == OMITTED, OMITTED, moved)
    transitions, tape, actions = found["transitions"], found["tape"], found["actions"]
    of_states = np.isin(actions[:, layout.ACTION_KIND], (ActionKind.SAVE, ActionKind.LOAD))
    actions[of_states, layout.ACTION_PART] += shift["names"]
    compound = transitions[:, layout.TRANSITION_KIND] == TransitionKind.COMPOUND
    transitions[compound, layout.TRANSITION_PART] += shift["terms"]
    of_slots = np.array([is_of_slots(op) for op in tape[:, layout.TAPE_OP].tolist()], dtype=np.bool_)
    tape[~of_slots] = program.tape[~of_slots]
    # the phases of the first frame add a level to the call stack
    tape[tape[:, layout.TAPE_OP] == TapeOp.PHASE_TIME, layout.TAPE_LEFT] += 1
    return found
