"""How a program ended: the transitions that led out of it, read from the state in which it stopped.

The interpreter does not write down which transition fired. It need not: a program ends within a tick, before the
engine moves anything, so that its conditions, asked again in the same state, answer the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.controller import Departure
from ctrlgraph.control.falls import FALLEN_TORSO
from ctrlgraph.control.script.program import (
    FAIL,
    MAX_DEPTH,
    PHASE_CALL,
    PHASE_TRANSITION_END,
    PHASE_TRANSITION_START,
    TRANSITION_KIND,
    TRANSITION_OPERAND,
    TRANSITION_PART,
    TRANSITION_PLACE,
    TRANSITION_TARGET,
    Program,
    TransitionKind,
    terms_of,
)
from ctrlgraph.control.script.state import DEPTH, LEVEL_ITERATIONS, LEVEL_PHASE, Code, ControlState
from ctrlgraph.control.script.syntax.forms import COMPARISONS
from ctrlgraph.control.script.transitions import first_to_fire, holds
from ctrlgraph.kernels.planar.arrays import Kinematics
from ctrlgraph.kernels.planar.kinematics import wrapped

_COMPARED = {
    TransitionKind.FALLEN_ABOVE: "fallen >",
    TransitionKind.FALLEN_BELOW: "fallen <",
    TransitionKind.FALLEN_OUTSIDE: "fallen x",
}
_SIGNS = {kind: sign for sign, kind in COMPARISONS.items()}
_JOINED = (TransitionKind.AND, TransitionKind.OR)
_PARTS = (TransitionKind.CONTACT, TransitionKind.NOCONTACT)


def departure(
    program: Program,
    character: Character,
    trunk: int,
    kin: Kinematics,
    code: Code,
    state: ControlState,
    time: float,
    *,
    ended: bool,
) -> Departure | None:
    """Return the transition through which a program left: the innermost of those that followed from one another.

    Where a called script leaves and its callers leave with it, that is the called script's. A fall exit among them
    comes first: `fallen x`, or `fallen >` and `fallen <` with an angle of `FALLEN_TORSO` and more, since a smaller one
    may be waited for.

    Args:
        program: compiled script.
        character: the character that the script is for.
        trunk: the link whose angle `fallen` reads.
        kin: kinematics of the body.
        code: arrays of the compiled program.
        state: control state.
        time: simulated time, s.
        ended: whether the program has just ended in this state; else it is asked whether it would leave now.

    Returns:
        None where it does not leave.
    """
    rows, failed = _rows(trunk, kin, code, state, time, ended)
    if not rows:
        return None

    def holding(condition: list[int]) -> bool:
        """Whether a `fallen` holds; it depends on nothing but the trunk's angle."""
        angle = wrapped(kin.link[trunk, 2])
        return bool(holds(angle, kin, code.values, np.array([condition]), 0, False, 0.0, 0, False, time))

    row = next((row for row in rows if _falls(program, code, row, holding)), rows[0])
    place = program.places[int(code.transitions[row, TRANSITION_PLACE])]
    said = _said(program, character, code, row)
    return Departure(said, place, _falls(program, code, row, holding), failed)


def fired(
    program: Program, character: Character, trunk: int, kin: Kinematics, code: Code, state: ControlState, time: float
) -> Departure | None:
    """Return the transition that fires in a tick, the outermost script's first; None where none does.

    Args:
        program: compiled script.
        character: the character that the script is for.
        trunk: the link whose angle `fallen` reads.
        kin: kinematics of the body.
        code: arrays of the compiled program.
        state: before the tick.
        time: simulated time, s.
    """
    for level, phase in enumerate(_active(code, state, False)):
        count, started = int(state.levels[level, LEVEL_ITERATIONS]), float(state.starts[level])
        row = int(first_to_fire(trunk, kin, code, phase, started, count, False, time))
        if row >= 0:
            transition = code.transitions[row]
            place = program.places[int(transition[TRANSITION_PLACE])]
            return Departure(_said(program, character, code, row), place, False, transition[TRANSITION_TARGET] == FAIL)
    return None


def awaited(program: Program, character: Character, code: Code, state: ControlState) -> tuple[Departure, ...]:
    """Return the transitions that the active phases wait for, with the numbers that they have now; the outermost
    script's first.
    """
    found = []
    for phase in _active(code, state, False):
        for row in range(code.phases[phase, PHASE_TRANSITION_START], code.phases[phase, PHASE_TRANSITION_END]):
            place = program.places[int(code.transitions[row, TRANSITION_PLACE])]
            leaves = code.transitions[row, TRANSITION_TARGET] == FAIL
            found.append(Departure(_said(program, character, code, row), place, False, bool(leaves)))
    return tuple(found)


def _rows(
    trunk: int, kin: Kinematics, code: Code, state: ControlState, time: float, ended: bool
) -> tuple[list[int], bool]:
    """Rows of the transitions that lead out of the program, from the innermost script's on, none where it stays; and
    whether it leaves as failed.
    """
    # where a called script ends its caller counts that, and does so before it leaves itself: what fired first, fired
    # without that count, and callers fired with it
    counted = 1 if ended else 0

    def fired(level: int, phase: int, count: int, failed: bool) -> int:
        return int(first_to_fire(trunk, kin, code, phase, float(state.starts[level]), count, failed, time))

    phases = list(_active(code, state, ended))
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


def _active(code: Code, state: ControlState, ended: bool) -> Iterator[int]:
    """The phases that were active, the root script's first: at the end the depth is that of the root again."""
    for level in range(MAX_DEPTH if ended else int(state.counters[DEPTH]) + 1):
        phase = int(state.levels[level, LEVEL_PHASE])
        yield phase
        if code.phases[phase, PHASE_CALL] < 0:
            return


def _falls(program: Program, code: Code, row: int, holding: Callable[[list[int]], bool]) -> bool:
    """Whether a transition is a fall exit: of several conditions, whether one that is not inverted is, and holds."""
    transition = code.transitions[row].tolist()
    if transition[TRANSITION_KIND] != TransitionKind.COMPOUND:
        return _tells_fall(code, transition)
    stack: list[list[list[int]]] = []  # for each condition so far, those in it that tell a fall and hold
    for term in terms_of(program, transition):
        kind = term[TRANSITION_KIND]
        if kind == TransitionKind.NOT:
            stack[-1] = []
        elif kind in (TransitionKind.AND, TransitionKind.OR):
            right = stack.pop()
            stack[-1] = stack[-1] + right
        else:
            stack.append([term] if _tells_fall(code, term) and holding(term) else [])
    return bool(stack and stack[-1])


def _tells_fall(code: Code, condition: Sequence[int]) -> bool:
    kind, slot = condition[TRANSITION_KIND], condition[TRANSITION_OPERAND]
    angle = float(code.values[slot]) if slot >= 0 else 0.0
    if kind == TransitionKind.FALLEN_ABOVE:
        return angle >= FALLEN_TORSO
    if kind == TransitionKind.FALLEN_BELOW:
        return angle <= -FALLEN_TORSO
    return bool(kind == TransitionKind.FALLEN_OUTSIDE)


def _said(program: Program, character: Character, code: Code, row: int) -> str:
    """A transition's condition in words, parentheses only where they are needed."""
    transition = code.transitions[row].tolist()
    if transition[TRANSITION_KIND] != TransitionKind.COMPOUND:
        return _condition(character, code, transition)
    stack: list[tuple[str, TransitionKind | None]] = []
    for term in terms_of(program, transition):
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
    words = [_COMPARED.get(kind, kind.name.lower())]
    if kind in _PARTS:
        words.append(character.links[part].name)
    elif kind is TransitionKind.HANDOVER:
        words = [f"iterations {part}"]
    values = (float(code.values[slot]) for slot in slots if slot >= 0)
    return " ".join([*words, *(f"{value:g}" for value in values if math.isfinite(value))])
