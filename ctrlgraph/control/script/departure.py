"""The transitions by which a program ended, found from its final state.

The interpreter does not record which transition fired. A program ends within a tick, before the engine makes a step.
So the conditions of the program can be evaluated again in the same state, with the same results.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.controller import Departure
from ctrlgraph.control.script.codes import FAIL, MAX_DEPTH, TransitionKind
from ctrlgraph.control.script.execution.state import DEPTH, LEVEL_ITERATIONS, LEVEL_PHASE, Code, ControlState
from ctrlgraph.control.script.execution.transitions import first_to_fire, holds
from ctrlgraph.control.script.program import (
    PHASE_CALL,
    TRANSITION_KIND,
    TRANSITION_OPERAND,
    TRANSITION_PART,
    TRANSITION_PLACE,
    TRANSITION_TARGET,
    Program,
    conditions_of,
    is_fall,
)
from ctrlgraph.control.script.syntax.forms import COMPARISONS, FALLEN_KINDS
from ctrlgraph.kernels.planar.arrays import Kinematics
from ctrlgraph.kernels.planar.kinematics import wrapped

_FALLEN = {kind: f"fallen {sign}" for sign, kind in FALLEN_KINDS.items()}
_SIGNS = {kind: sign for sign, kind in COMPARISONS.items()}
_JOINED = (TransitionKind.AND, TransitionKind.OR)
_PARTS = (TransitionKind.CONTACT, TransitionKind.NOCONTACT)


def leaving_rows(
    trunk: int, kin: Kinematics, code: Code, state: ControlState, time: float, ended: bool
) -> tuple[list[int], bool]:
    """Return the transitions by which the active scripts end, and whether the program ends with a failure.

    The transitions are rows of `Program.transitions`. The transition of the innermost script that ends comes first,
    then the transitions of its callers. The list is empty if the program does not end.

    Args:
        trunk: index of the trunk link.
        kin: state of the character.
        code: arrays of the program.
        state: state of the interpreter.
        time: simulated time, s.
        ended: whether the program has ended in this state. If False, the result tells whether it would end now.
    """
    # when a called script ends, its caller counts that before its own transitions are evaluated; so the first
    # transition fired before the count, and those of the callers after it
    counted = 1 if ended else 0

    def fired(level: int, phase: int, count: int, failed: bool) -> int:
        return int(first_to_fire(trunk, kin, code, phase, float(state.starts[level]), count, failed, time))

    phases = list(active_rows(code, state, ended))
    counts = [max(0, int(state.levels[level, LEVEL_ITERATIONS]) - counted) for level in range(len(phases))]
    for level, phase in enumerate(phases):
        row = fired(level, phase, counts[level], False)
        if row >= 0:
            rows, target = [row], int(code.transitions[row, TRANSITION_TARGET])
            for caller in range(level - 1, -1, -1):
                failed = target == FAIL
                row = fired(caller, phases[caller], counts[caller] + (not failed), failed) if target < 0 else -1
                if row >= 0:
                    rows.append(row)
                    target = int(code.transitions[row, TRANSITION_TARGET])
                elif not failed:
                    return [], False
            return (rows, target == FAIL) if target < 0 else ([], False)
    return [], False


def active_rows(code: Code, state: ControlState, ended: bool) -> Iterator[int]:
    """Yield the row of each active phase in `Program.phases`, from the root script to the innermost called script.

    Args:
        code: arrays of the program.
        state: state of the interpreter.
        ended: True for the phases that were active immediately before the program ended.
    """
    for level in range(MAX_DEPTH if ended else int(state.counters[DEPTH]) + 1):
        phase = int(state.levels[level, LEVEL_PHASE])
        yield phase
        if code.phases[phase, PHASE_CALL] < 0:
            return


def falls(program: Program, code: Code, row: int, trunk: int, kin: Kinematics) -> bool:
    """Return whether a transition that fires now means a fall: it has a true `fallen` that no `not` inverts.

    Args:
        program: the program.
        code: arrays of the program.
        row: row of the transition in `Program.transitions`.
        trunk: index of the trunk link.
        kin: state of the character.
    """
    angle = wrapped(kin.link[trunk, 2])
    stack: list[bool] = []
    for term in conditions_of(program, code.transitions[row].tolist()):
        kind, slot = term[TRANSITION_KIND], term[TRANSITION_OPERAND]
        if kind == TransitionKind.NOT:
            stack[-1] = False
        elif kind in _JOINED:
            right = stack.pop()
            stack[-1] = stack[-1] or right
        elif is_fall(kind, float(code.values[slot]) if slot >= 0 else 0.0):
            # `fallen` depends only on the trunk's angle
            stack.append(bool(holds(angle, kin, code.values, np.array([term]), 0, False, 0.0, 0, False, 0.0)))
        else:
            stack.append(False)
    return stack[-1]


def described(program: Program, character: Character, code: Code, row: int) -> Departure:
    """Return a transition as a `Departure`: its condition as text and its position in the file.

    Args:
        program: the program.
        character: character with the names of the links.
        code: arrays of the program, with the current values of expressions.
        row: row of the transition in `Program.transitions`.

    Returns:
        The departure. Its field `fell` is False; the caller decides it.
    """
    transition = code.transitions[row]
    place = program.places[int(transition[TRANSITION_PLACE])]
    failed = bool(transition[TRANSITION_TARGET] == FAIL)
    return Departure(_said(program, character, code, row), place, fell=False, failed=failed)


def _said(program: Program, character: Character, code: Code, row: int) -> str:
    """Return the condition of a transition as text, with parentheses only where they are needed."""
    stack: list[tuple[str, TransitionKind | None]] = []
    for term in conditions_of(program, code.transitions[row].tolist()):
        kind = TransitionKind(term[TRANSITION_KIND])
        if kind is TransitionKind.NOT:
            text, inner = stack.pop()
            stack.append((f"not ({text})" if inner in _JOINED else f"not {text}", kind))
        elif kind in _JOINED:
            (left, of_left), (right, of_right) = stack[-2], stack.pop()
            # `and` binds closer than `or`
            loose = [kind is TransitionKind.AND and of is TransitionKind.OR for of in (of_left, of_right)]
            left, right = (f"({t})" if bare else t for t, bare in zip((left, right), loose, strict=True))
            stack[-1] = (f"{left} {kind.name.lower()} {right}", kind)
        else:
            stack.append((_condition(character, code, term), None))
    return stack[-1][0]


def _condition(character: Character, code: Code, condition: Sequence[int]) -> str:
    kind, part = TransitionKind(condition[TRANSITION_KIND]), condition[TRANSITION_PART]
    slots = condition[TRANSITION_OPERAND : TRANSITION_OPERAND + 2]
    if kind in _SIGNS:
        left, right = (float(code.values[slot]) for slot in slots)
        return f"when {left:g} {_SIGNS[kind]} {right:g}"
    words = [_FALLEN.get(kind, kind.name.lower())]
    if kind in _PARTS:
        words.append(character.links[part].name)
    elif kind is TransitionKind.HANDOVER:
        words = [f"iterations {part}"]
    values = (float(code.values[slot]) for slot in slots if slot >= 0)
    return " ".join([*words, *(f"{value:g}" for value in values if math.isfinite(value))])
