"""How a program ended: the transitions that led out of it, read from the state in which it stopped.

The interpreter does not write down which transition fired. It need not: a program ends within a tick, before the
engine moves anything, so that its conditions, asked again in the same state, answer the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ctrlgraph.character.model import Character
from ctrlgraph.control.controller import FALLEN_TORSO, Departure
from ctrlgraph.control.script.program import (
    EXIT,
    MAX_DEPTH,
    PHASE_CALL,
    TRANSITION_KIND,
    TRANSITION_OPERAND,
    TRANSITION_PART,
    TRANSITION_PLACE,
    TRANSITION_TARGET,
    Program,
    TransitionKind,
)
from ctrlgraph.control.script.state import DEPTH, LEVEL_ITERATIONS, LEVEL_PHASE, Code, ControlState
from ctrlgraph.control.script.transitions import first_to_fire
from ctrlgraph.kernels.arrays import Kinematics

_COMPARED = {
    TransitionKind.FALLEN_ABOVE: "fallen >",
    TransitionKind.FALLEN_BELOW: "fallen <",
    TransitionKind.FALLEN_OUTSIDE: "fallen x",
}
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
        trunk: the link whose angle `fallen` reads.
        ended: whether the program has just ended in this state; else it is asked whether it would leave now.

    Returns:
        None where it does not leave.
    """
    rows = _rows(trunk, kin, code, state, time, ended)
    if not rows:
        return None
    row = next((row for row in rows if _falls(code, row)), rows[0])
    place = program.places[int(code.transitions[row, TRANSITION_PLACE])]
    return Departure(_condition(program, character, code, row), place, _falls(code, row))


def _rows(trunk: int, kin: Kinematics, code: Code, state: ControlState, time: float, ended: bool) -> list[int]:
    """Rows of the transitions that lead out of the program, from the innermost script's on; none where it stays."""
    # where a called script ends its caller counts that, and does so before it leaves itself: what fired first, fired
    # without that count, and callers fired with it
    counted = 1 if ended else 0

    def fired(level: int, phase: int, count: int) -> int:
        return int(first_to_fire(trunk, kin, code, phase, float(state.starts[level]), count, time))

    phases = list(_active(code, state, ended))
    counts = [max(0, int(state.levels[level, LEVEL_ITERATIONS]) - counted) for level in range(len(phases))]
    for level, phase in enumerate(phases):
        row = fired(level, phase, counts[level])
        if row >= 0:
            callers = (fired(each, phases[each], counts[each] + 1) for each in range(level - 1, -1, -1))
            rows = [row, *callers]
            leaves = all(each >= 0 and code.transitions[each, TRANSITION_TARGET] == EXIT for each in rows)
            return rows if leaves else []
    return []


def _active(code: Code, state: ControlState, ended: bool) -> Iterator[int]:
    """The phases that were active, the root script's first: at the end the depth is that of the root again."""
    for level in range(MAX_DEPTH if ended else int(state.counters[DEPTH]) + 1):
        phase = int(state.levels[level, LEVEL_PHASE])
        yield phase
        if code.phases[phase, PHASE_CALL] < 0:
            return


def _falls(code: Code, row: int) -> bool:
    kind, slot = code.transitions[row, TRANSITION_KIND], code.transitions[row, TRANSITION_OPERAND]
    angle = float(code.values[slot]) if slot >= 0 else 0.0
    if kind == TransitionKind.FALLEN_ABOVE:
        return angle >= FALLEN_TORSO
    if kind == TransitionKind.FALLEN_BELOW:
        return angle <= -FALLEN_TORSO
    return bool(kind == TransitionKind.FALLEN_OUTSIDE)


def _condition(program: Program, character: Character, code: Code, row: int) -> str:
    kind = TransitionKind(int(code.transitions[row, TRANSITION_KIND]))
    part = int(code.transitions[row, TRANSITION_PART])
    slots = code.transitions[row, TRANSITION_OPERAND : TRANSITION_OPERAND + 2].tolist()
    words = [_COMPARED.get(kind, kind.name.lower())]
    if kind in _PARTS:
        words.append(character.links[part].name)
    elif kind is TransitionKind.HANDOVER:
        words = [f"iterations {part}"]
    values = (float(code.values[slot]) for slot in slots if slot >= 0)
    return " ".join([*words, *(f"{value:g}" for value in values if math.isfinite(value))])
