"""Programs with other targets of some joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.alteration import Alteration
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script import program as layout
from ctrlgraph.control.script.codes import OMITTED, ActionKind
from ctrlgraph.control.script.identity import meaning_digest
from ctrlgraph.control.script.program import Program
from ctrlgraph.control.script.syntax.forms import is_of_slots
from ctrlgraph.kernels.constants import FeedbackReference

_DAMPING = 1.0
"""Damping of a limp joint, N m s/rad."""

_TARGETS = (ActionKind.POSE, ActionKind.LIPOSE)
_OF_STATES = (ActionKind.SAVE, ActionKind.LOAD)


def altered_program(program: Program, character: Character, alteration: Alteration) -> Program:
    """Return the program with other targets of some joints.

    Each phase begins with the angles of the alteration. All other actions by these joints are removed: poses, virtual
    forces and inverse kinematics.

    Args:
        program: Program to change.
        character: Character with the joints.
        alteration: Change of the targets.
    """
    fixed, offsets = alteration.angles, alteration.offsets
    extra = sorted({0.0, _DAMPING, *fixed.values(), *_sums(program, offsets)})
    slots = {value: program.constants.size + index for index, value in enumerate(extra)}
    program = _with_constants(program, extra)
    phases = program.phases.copy()
    added: list[list[int]] = []
    for phase in phases:
        start = len(added)
        rows = program.actions[phase[layout.PHASE_ACTION_START] : phase[layout.PHASE_ACTION_END]].tolist()
        if phase[layout.PHASE_CALL] == OMITTED:
            place = int(phase[layout.PHASE_PLACE])
            added += [_pose(joint, [slots[angle], OMITTED, OMITTED], place) for joint, angle in fixed.items()]
            limp = [slots[0.0], slots[0.0], slots[_DAMPING]]
            added += [_pose(joint, limp, place) for joint in alteration.limp]
        for row in rows:
            joint = row[layout.ACTION_JOINT]
            if row[layout.ACTION_KIND] not in _OF_STATES:
                if joint in fixed or joint in alteration.limp:
                    continue
                if joint in alteration.exchanged:
                    row[layout.ACTION_JOINT] = character.opposite_joints[joint]
                if joint in offsets and _has_constant_target(program, row):
                    target = float(program.values()[row[layout.ACTION_OPERAND]])
                    row[layout.ACTION_OPERAND] = slots[target + offsets[joint]]
            added.append(row)
        phase[layout.PHASE_ACTION_START], phase[layout.PHASE_ACTION_END] = start, len(added)
    changed = replace(
        program, phases=phases, actions=np.array(added, dtype=np.int64).reshape(-1, layout.ACTION_COLUMNS)
    )
    return replace(changed, digest=meaning_digest(changed, character))


def _sums(program: Program, offsets: Mapping[int, float]) -> list[float]:
    """Return the targets of joints with an offset, with it."""
    values = program.values()
    return [
        float(values[row[layout.ACTION_OPERAND]]) + offsets[row[layout.ACTION_JOINT]]
        for row in program.actions.tolist()
        if row[layout.ACTION_JOINT] in offsets and _has_constant_target(program, row)
    ]


def _has_constant_target(program: Program, row: Sequence[int]) -> bool:
    return row[layout.ACTION_KIND] in _TARGETS and not program.varying[row[layout.ACTION_OPERAND]]


def _pose(joint: int, operands: list[int], place: int) -> list[int]:
    row = [OMITTED] * layout.ACTION_COLUMNS
    row[layout.ACTION_KIND], row[layout.ACTION_JOINT], row[layout.ACTION_FLAGS] = ActionKind.POSE, joint, 0
    row[layout.ACTION_REFERENCE] = FeedbackReference.NONE
    row[layout.ACTION_OPERAND : layout.ACTION_OPERAND + len(operands)] = operands
    row[layout.ACTION_PLACE] = place
    return row


def _with_constants(program: Program, values: Sequence[float]) -> Program:
    """Return the program with more constants after its own. The slots of its tape move behind them."""
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
