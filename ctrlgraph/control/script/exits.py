"""Safety exits: the transitions by which a script gives up, whose numbers no search changes unless it is asked to.

A search that may move them finds that a later surrender costs less: a fall exit at 3 rad never fires.
"""

from __future__ import annotations

from collections.abc import Sequence

from ctrlgraph.control.falls import FALLEN_TORSO
from ctrlgraph.control.script.checks.binding import BoundCondition
from ctrlgraph.control.script.checks.phases import BoundPhase, BoundTransition
from ctrlgraph.control.script.constants import evaluate
from ctrlgraph.control.script.program import TransitionKind
from ctrlgraph.control.script.syntax.syntax import Transition


def safety_conditions(phase: BoundPhase, numbers: Sequence[float]) -> frozenset[int]:
    """Return the conditions of a phase, by `id`, that say when the script gives up: all of a transition to `fail`, a
    `fallen` that leads out, and a `time` that leads out where another transition leads on.

    Args:
        phase: bound phase.
        numbers: of the script's phases; a transition to any other leads out.
    """
    found: set[int] = set()
    regular = [t for t in phase.transitions if not t.transition.fails and not _is_timeout(t)]
    leads_on = any(not all(map(_tells_fall, t.leaves())) for t in regular)
    for bound in phase.transitions:
        if bound.transition.fails:
            found |= {id(condition) for condition in bound.leaves()}
        elif _leaves(bound.transition, numbers):
            found |= {id(condition) for condition in bound.leaves() if _tells_fall(condition)}
            if leads_on and _is_timeout(bound):
                found |= {id(condition) for condition in bound.leaves()}
    return frozenset(found)


def _leaves(transition: Transition, numbers: Sequence[float]) -> bool:
    return transition.target.value not in numbers


def _is_timeout(bound: BoundTransition) -> bool:
    return bound.condition is not None and bound.condition.kind is TransitionKind.TIME


def _tells_fall(condition: BoundCondition) -> bool:
    """Whether a condition is that of a fall exit; an angle that a parameter gives counts as one."""
    if condition.kind is TransitionKind.FALLEN_OUTSIDE:
        return True
    if condition.kind not in (TransitionKind.FALLEN_ABOVE, TransitionKind.FALLEN_BELOW):
        return False
    try:
        angle = evaluate(condition.operands[0].expression) if condition.operands else None
    except ZeroDivisionError:
        angle = None
    if angle is None:
        return True
    return angle >= FALLEN_TORSO if condition.kind is TransitionKind.FALLEN_ABOVE else angle <= -FALLEN_TORSO
