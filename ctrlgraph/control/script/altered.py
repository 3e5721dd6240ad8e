"""Alteration of compiled scripts: the same script with changed joint targets, such as raised arms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.alteration import Alteration
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script import program as layout
from ctrlgraph.control.script.codes import OMITTED, ActionKind, TapeOp
from ctrlgraph.control.script.identity import meaning_digest
from ctrlgraph.control.script.program import Program
from ctrlgraph.control.script.syntax.forms import is_of_slots
from ctrlgraph.kernels.constants import FeedbackReference

_DAMPING = 1.0
"""Damping of a limp joint, N m s/rad."""

_TARGETS = (ActionKind.POSE, ActionKind.LIPOSE)
_OF_STATES = (ActionKind.SAVE, ActionKind.LOAD)


def altered_program(program: Program, character: Character, alteration: Alteration) -> Program:
    """Return a copy of a compiled script with changed targets of some joints.

    Each phase begins with targets for the joints that the alteration fixes or makes limp. The script's own actions that
    act through these joints are removed: poses, virtual forces, and inverse kinematics with such a base joint.

    Args:
        program: Compiled script.
        character: Character that the script drives.
        alteration: Changes of the targets.
    """
    fixed, offsets, values = alteration.angles, alteration.offsets, program.values()
    bases = {tuple(row): _base(program, row) for row in program.actions.tolist() if row[layout.ACTION_JOINT] in offsets}
    sums = {
        row: float(values[base]) + offsets[row[layout.ACTION_JOINT]] for row, base in bases.items() if base is not None
    }
    extra = sorted({0.0, _DAMPING, *fixed.values(), *sums.values()})
    slots = {value: program.constants.size + index for index, value in enumerate(extra)}
    extended = _with_constants(program, extra)
    phases, tape = program.phases.copy(), extended.tape.copy()
    added: list[list[int]] = []
    for phase in phases:
        start = len(added)
        rows = slice(phase[layout.PHASE_ACTION_START], phase[layout.PHASE_ACTION_END])
        if phase[layout.PHASE_CALL] == OMITTED:
            place = int(phase[layout.PHASE_PLACE])
            added += [_pose(joint, [slots[angle], OMITTED, OMITTED], place) for joint, angle in fixed.items()]
            limp = [slots[0.0], slots[0.0], slots[_DAMPING]]
            added += [_pose(joint, limp, place) for joint in alteration.limp]
        for before, row in zip(program.actions[rows].tolist(), extended.actions[rows].tolist(), strict=True):
            joint, target = row[layout.ACTION_JOINT], before[layout.ACTION_OPERAND]
            if row[layout.ACTION_KIND] not in _OF_STATES:
                if joint in fixed or joint in alteration.limp:
                    continue
                if joint in alteration.exchanged:
                    row[layout.ACTION_JOINT] = character.opposite_joints[joint]
                if tuple(before) in sums:
                    slot = slots[sums[tuple(before)]]
                    if program.varying[target]:  # a sum of the constant and terms that depend on the state
                        tape[target - program.constants.size, layout.TAPE_LEFT] = slot
                    else:
                        row[layout.ACTION_OPERAND] = slot
            added.append(row)
        phase[layout.PHASE_ACTION_START], phase[layout.PHASE_ACTION_END] = start, len(added)
    actions = np.array(added, dtype=np.int64).reshape(-1, layout.ACTION_COLUMNS)
    changed = replace(extended, phases=phases, actions=actions, tape=tape)
    return replace(changed, digest=meaning_digest(changed, character))


def _base(program: Program, row: Sequence[int]) -> int | None:
    """Return the index of the number that must change so that the target angle of a joint changes by an offset.

    It is the constant target angle, or the constant first term of a sum. None: the target angle has no such constant.

    Args:
        program: Compiled script.
        row: Row of its `actions`, the action that sets the target.
    """
    slot = row[layout.ACTION_OPERAND]
    if row[layout.ACTION_KIND] not in _TARGETS:
        return None
    if not program.varying[slot]:
        return slot
    op, left, _ = program.tape[slot - program.constants.size].tolist()
    return left if op == TapeOp.ADD and not program.varying[left] else None


def _pose(joint: int, operands: list[int], place: int) -> list[int]:
    omitted = [OMITTED] * (6 - len(operands))
    return [ActionKind.POSE, joint, OMITTED, FeedbackReference.NONE, OMITTED, 0, *operands, *omitted, place]


def _with_constants(program: Program, values: Sequence[float]) -> Program:
    """Return a program with additional constants after its own.

    The slots (indices of numbers) of its expressions are increased, because they follow after the constants.

    Args:
        program: Compiled script.
        values: Values of the additional constants.
    """
    arrays: dict[str, Any] = {}
    for array, columns in layout.SLOT_COLUMNS.items():
        rows = arrays[array] = getattr(program, array).copy()
        of_slots = [is_of_slots(op) for op in rows[:, layout.TAPE_OP].tolist()] if array == "tape" else slice(None)
        for column in columns:
            slots = rows[of_slots, column]
            rows[of_slots, column] = np.where(slots >= program.constants.size, slots + len(values), slots)
    parameters = [Parameter(f"altered#{n}", "altered target", "angle", path=program.path) for n in range(len(values))]
    return replace(
        program, constants=np.append(program.constants, values), parameters=(*program.parameters, *parameters), **arrays
    )
