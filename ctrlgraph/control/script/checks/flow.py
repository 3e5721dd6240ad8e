"""Control flow of a script: reachable phases, transitions that can fire, and transitions that leave the script."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from ctrlgraph.character.model import Character
from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.script.bounds import MAX_ACTIONS, MAX_PHASE_NUMBER, MAX_PHASES, MAX_TRANSITIONS, check_count
from ctrlgraph.control.script.checks.binding import BoundCondition
from ctrlgraph.control.script.checks.names import find_part
from ctrlgraph.control.script.checks.phases import BoundPhase, BoundScript, BoundTransition
from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.codes import EXIT, OMITTED, TransitionKind
from ctrlgraph.control.script.constants import constant_value
from ctrlgraph.control.script.syntax.syntax import ActionBlock, Phase, Primitive, Script, StateCommand, outline

_SHOWN_PHASES = 30
_COMPARISONS: dict[TransitionKind, Callable[..., bool]] = {
    TransitionKind.ABOVE: operator.gt,
    TransitionKind.BELOW: operator.lt,
    TransitionKind.AT_LEAST: operator.ge,
    TransitionKind.AT_MOST: operator.le,
}


def reachable_phases(script: Script) -> set[int]:
    """Return the phases that transitions can reach from the first phase, as indices in `script.phases`."""
    index = {phase.number.value: i for i, phase in reversed(list(enumerate(script.phases)))}
    reached: set[int] = set()
    waiting = [0] if script.phases else []
    while waiting:
        current = waiting.pop()
        if current in reached:
            continue
        reached.add(current)
        targets = (t.target.value for t in script.phases[current].transitions)
        waiting += [index[target] for target in targets if target in index]
    return reached


def can_end(script: Script) -> bool:
    """Return whether a script can end normally: a reachable phase has a transition `to(-1)`."""
    phases = (script.phases[i] for i in reachable_phases(script))
    return any(t.target.value == EXIT for phase in phases for t in phase.transitions)


def check_structure(script: Script, report: FindingCollector, *, whole: bool = True) -> None:
    """Report duplicate and invalid phase numbers, transitions to missing phases, and wrong contents of phases.

    Args:
        script: syntax tree of the script.
        report: receives the findings.
        whole: whether all actions and calls of the phases could be parsed. If False, the contents of phases are not
            checked.
    """
    check_count(len(script.phases), MAX_PHASES, f"script '{script.name.text}'", "phases", script.header_span, report)
    if not script.phases:
        report.error(
            "no-phase", f"script '{script.name.text}' has no phase: add PHASE ... ENDPHASE", script.header_span
        )
    numbers: dict[float, Phase] = {}
    for phase in script.phases:
        number = phase.number
        if number.value > MAX_PHASE_NUMBER:
            message = f"a phase's number must be at most {MAX_PHASE_NUMBER}, not {number.text}"
            report.error("phase-number", message, number.span)
        elif number.value != math.floor(number.value):
            report.error("phase-number", f"a phase's number must be a whole number, not {number.text}", number.span)
        elif number.value in numbers:
            first = numbers[number.value].number.span.line
            message = f"phase {number.text} is defined twice, first in line {first}: change one of the numbers"
            report.error("duplicate-phase", message, number.span)
        numbers.setdefault(number.value, phase)
        if whole:
            _check_contents(phase, report)
    known = [f"{number:g}" for number in sorted(numbers)]
    shown = ", ".join(known[:_SHOWN_PHASES]) + (" ..." if len(known) > _SHOWN_PHASES else "")
    for transition in (transition for phase in script.phases for transition in phase.transitions):
        target = transition.target
        if not transition.fails and target.value != EXIT and target.value not in numbers:
            out = target.value < 0
            message = f"there is no phase {target.text}{'; to(-1) ends the script' if out else ''}"
            report.error("unknown-phase", message, target.span, None if out else f"phases of this script: {shown}")


def _check_contents(phase: Phase, report: FindingCollector) -> None:
    holder, place = f"phase {phase.number.text}", phase.header_span
    actions = sum(len(action.items) if isinstance(action, Primitive) else 1 for action in phase.actions)
    check_count(actions, MAX_ACTIONS, holder, "actions", place, report)
    check_count(len(phase.transitions), MAX_TRANSITIONS, holder, "transitions", place, report)
    for call in phase.calls[1:]:
        report.error("phase-contents", "a phase can call only one script: move this call to another phase", call.span)
    for block in phase.blocks[1:]:
        report.error("phase-contents", "a phase can have only one ACTIONS block: merge the blocks", block.keyword_span)
    if phase.calls and any(isinstance(member, ActionBlock | StateCommand) for member in phase.members):
        message = "a phase can contain a call or actions, but not both: move this call to a phase of its own"
        report.error("phase-contents", message, phase.calls[0].span)
    for action in phase.actions:
        if isinstance(action, StateCommand) and action not in phase.members:
            message = "SAVE and LOAD cannot be inside ACTIONS: move this line out of the ACTIONS block"
            report.error("phase-contents", message, action.span)


def check_reach(script: Script, report: FindingCollector) -> None:
    """Warn of phases that no transition can reach, and of phases that cannot be left by a transition."""
    reached = reachable_phases(script)
    for i, phase in enumerate(script.phases):
        if i not in reached:
            message = f"no transition leads to phase {phase.number.text}: add one, or remove the phase"
            report.warning("unreachable-phase", message, phase.header_span)
        targets = {t.target.value for t in phase.transitions}
        if not targets:
            report.warning("no-way-out", f"phase {phase.number.text} cannot end: add a transition", phase.header_span)
        elif targets == {phase.number.value}:
            message = f"phase {phase.number.text} leads only to itself: add a transition to another phase"
            report.warning("no-way-out", message, phase.header_span)


def check_firing(
    bound: BoundScript, character: Character | None, ends: Callable[[str], bool], report: FindingCollector
) -> None:
    """Warn of transitions that can never fire.

    Args:
        bound: the script, with the meaning of its statements.
        character: the character that the script is for; None skips the conditions that depend on it.
        ends: function that returns whether the script with a stem (file name without suffix) can end.
        report: receives the warnings.
    """
    for phase in bound.phases:
        earlier: list[BoundTransition] = []
        always: BoundTransition | None = None
        for transition in phase.transitions:
            if transition.condition is None:
                continue
            reason = _never(transition.condition, phase, character, ends)
            if reason is None and always is not None:
                reason = f"the transition in line {always.transition.span.line} always fires first"
            elif reason is None and (before := _shadow(transition, earlier)) is not None:
                reason = (
                    f"the transition in line {before.transition.span.line} fires first or at the same time, and"
                    " has priority"
                )
            elif reason is None and _always(transition.condition, phase, character):
                always = transition
            if reason is not None:
                message = f"this transition never fires: {reason}"
                report.warning("never-fires", message, transition.transition.condition.span)
            earlier.append(transition)


def _never(
    condition: BoundCondition, phase: BoundPhase, character: Character | None, ends: Callable[[str], bool]
) -> str | None:
    """Return the reason why a condition can never be true, for a message; None if it can be true.

    Args:
        condition: the condition.
        phase: its phase.
        character: the character that the script is for, or None.
        ends: function that returns whether the script with a stem (file name without suffix) can end.
    """
    kind = condition.kind
    if condition.parts:
        reasons = [_never(part, phase, character, ends) for part in condition.parts]
        if kind is TransitionKind.NOT:
            return "the condition after 'not' always holds" if _always(condition.parts[0], phase, character) else None
        if kind is TransitionKind.OR and None in reasons:
            return None
        return next((reason for reason in reasons if reason is not None), None)
    values = [_value(condition, i) for i in range(len(condition.operands))]
    first = values[0] if values else None
    if kind in (TransitionKind.COMPLETE, TransitionKind.ITERATIONS):
        if phase.call is not None:
            return None if ends(phase.call.script.stem) else f"'{phase.call.script.stem}' never ends"
        if kind is TransitionKind.ITERATIONS and first is not None and first > 1 and first.is_integer():
            return "the phase calls no script that could be repeated"
    if kind is TransitionKind.FAILED and phase.call is None:
        return "the phase calls no script that could fail"
    if kind is TransitionKind.CONTACT and _touches_nothing(condition, character):
        return f"{condition.part.name.text if condition.part else ''} has no contact points"
    second = values[1] if len(values) > 1 else None
    if kind in _COMPARISONS and first is not None and second is not None and not _COMPARISONS[kind](first, second):
        return "the condition compares two constants and is false"
    if kind is TransitionKind.FALLEN_OUTSIDE and first is not None and first >= math.pi:
        return "the trunk's angle lies between -pi and pi"
    return None


def _always(condition: BoundCondition, phase: BoundPhase, character: Character | None) -> bool:
    """Return whether a condition is true during the whole phase; False if this cannot be determined.

    Args:
        condition: the condition.
        phase: its phase.
        character: the character that the script is for, or None.
    """
    if condition.kind is TransitionKind.NOT:
        return False
    if condition.parts:
        true_parts = [_always(part, phase, character) for part in condition.parts]
        return all(true_parts) if condition.kind is TransitionKind.AND else any(true_parts)
    if condition.kind is TransitionKind.COMPLETE:
        return phase.call is None
    if condition.kind is TransitionKind.NOCONTACT:
        return _touches_nothing(condition, character)
    if condition.kind is TransitionKind.TIME:
        return _value(condition, 0) == 0.0
    return condition.kind is TransitionKind.ITERATIONS and phase.call is None


def _shadow(transition: BoundTransition, earlier: list[BoundTransition]) -> BoundTransition | None:
    """Return an earlier transition of a phase that fires whenever this transition would; None if there is none."""
    condition = transition.condition
    for other in earlier:
        if condition is None or other.condition is None:
            continue
        if outline(other.transition.condition) == outline(transition.transition.condition):
            return other
        if condition.kind is other.condition.kind is TransitionKind.TIME:
            mine, its = _value(condition, 0), _value(other.condition, 0)
            if mine is not None and its is not None and its <= mine:
                return other
    return None


def _touches_nothing(condition: BoundCondition, character: Character | None) -> bool:
    if not isinstance(character, PlanarCharacter) or condition.part is None:
        return False
    part = find_part(character, condition.part)
    return part != OMITTED and not character.links[part].contacts


def _value(condition: BoundCondition, index: int) -> float | None:
    return constant_value(condition.operands[index].expression) if index < len(condition.operands) else None
