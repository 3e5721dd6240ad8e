"""Statements that name both sides, `POSE bKnee(2.3)`, as two: one for the right and one for the left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.checks.binding import BoundAction, BoundCondition, JointLimit, Operand, Point
from ctrlgraph.control.script.checks.phases import BoundPhase, BoundScript
from ctrlgraph.control.script.program import TransitionKind
from ctrlgraph.control.script.syntax.forms import PRIMITIVE_FORMS
from ctrlgraph.control.script.syntax.quantities import STATE_FORMS
from ctrlgraph.control.script.syntax.syntax import (
    Binary,
    Expression,
    Group,
    Name,
    Negation,
    State,
    StateCommand,
    states_in,
)

_RIGHT, _LEFT = 0, 1


def with_both_sides(bound: BoundScript, character: Character | None) -> BoundScript:
    """Return the script with every action that names both sides as two, the right one first, and every condition that
    does as two that must both hold.

    Both are made of the same expressions, so that a number in them stays one constant.
    """
    if character is None:
        return bound
    return replace(
        bound,
        phases=tuple(_expanded(phase, character) for phase in bound.phases),
        joint_limits=tuple(one for limit in bound.joint_limits for one in _limits(limit, character)),
    )


def _limits(limit: JointLimit, character: Character) -> Iterator[JointLimit]:
    if not _is_both(limit.joint, character):
        yield limit
        return
    both = _canonical(limit.joint, character)
    for side in (_RIGHT, _LEFT):
        point = _of_side(limit.joint, side, character)
        yield replace(limit, joint=point or limit.joint, both=both, twin=side == _LEFT)


def _expanded(phase: BoundPhase, character: Character) -> BoundPhase:
    actions = [one for action in phase.actions for one in _sides(action, character)]
    transitions = (replace(t, condition=_on_both_sides(t.condition, character)) for t in phase.transitions)
    return replace(phase, actions=tuple(actions), transitions=tuple(transitions))


def _on_both_sides(condition: BoundCondition | None, character: Character) -> BoundCondition | None:
    """A condition on both sides as two that must both hold: `contact bFoot`, `when angle(bKnee) > 1`."""
    if condition is None:
        return None
    if condition.parts:
        parts = (_on_both_sides(part, character) for part in condition.parts)
        return replace(condition, parts=tuple(part for part in parts if part is not None))
    about_both = condition.part is not None and _is_both(condition.part, character)
    if not about_both and not any(_reads_both(operand.expression, character) for operand in condition.operands):
        return condition
    sides = (
        replace(
            condition,
            part=_of_side(condition.part, side, character),
            operands=_operands_of_side(condition.operands, side, character),
            twin=side == _LEFT,
        )
        for side in (_RIGHT, _LEFT)
    )
    return BoundCondition(TransitionKind.AND, "and", condition.span, parts=tuple(sides))


def _sides(action: BoundAction | StateCommand, character: Character) -> Iterator[BoundAction | StateCommand]:
    if isinstance(action, StateCommand) or not any(_is_both(point, character) for point in _points(action)):
        yield action
        return
    of_joint = PRIMITIVE_FORMS[action.kind.name].subject == "joint"
    both = _canonical(action.joint if of_joint else action.part, character)
    for side in (_RIGHT, _LEFT):
        yield replace(
            action,
            joint=_of_side(action.joint, side, character),
            part=_of_side(action.part, side, character),
            reference=_of_side(action.reference, side, character),
            operands=_operands_of_side(action.operands, side, character),
            both=both,
            twin=side == _LEFT,
        )


def _points(action: BoundAction) -> Iterator[Point]:
    yield from (point for point in (action.joint, action.part, action.reference) if point is not None)


def _reads_both(expression: Expression, character: Character) -> bool:
    return any(state.target is not None and _is_both(_target(state), character) for state in states_in(expression))


def _target(state: State) -> Point:
    assert state.target is not None
    takes = STATE_FORMS[state.word.text].takes
    return Point(state.target, None, "joint" if takes == "joint" else "part")


def _operands_of_side(operands: list[Operand], side: int, character: Character) -> list[Operand]:
    return [replace(each, expression=_expression_of_side(each.expression, side, character)) for each in operands]


def _expression_of_side(expression: Expression, side: int, character: Character) -> Expression:
    """The expression with what it reads of both sides read of one; its numbers keep their places in the text."""
    if not any(True for _ in states_in(expression)):
        return expression
    if isinstance(expression, State) and expression.target is not None:
        point = _of_side(_target(expression), side, character)
        return replace(expression, target=None if point is None else point.name)
    if isinstance(expression, State) and expression.value is not None:
        return replace(expression, value=_expression_of_side(expression.value, side, character))
    if isinstance(expression, Group):
        return replace(expression, inner=_expression_of_side(expression.inner, side, character))
    if isinstance(expression, Negation):
        return replace(expression, operand=_expression_of_side(expression.operand, side, character))
    if isinstance(expression, Binary):
        left, right = (_expression_of_side(each, side, character) for each in (expression.left, expression.right))
        return replace(expression, left=left, right=right)
    return expression


def _is_both(point: Point, character: Character) -> bool:
    return any(point.name.text in known for known in _known(point, character))


def _known(point: Point, character: Character) -> list[dict[str, tuple[str, str]]]:
    """The names for both sides that may stand at a point: of joints, of links or of either."""
    noun = point.target if point.selector is None else point.selector.text
    return [
        *([character.both_joints] if noun in ("joint", "point") else []),
        *([character.both_links] if noun in ("part", "point") else []),
    ]


def _of_side(point: Point | None, side: int, character: Character) -> Point | None:
    if point is None:
        return None
    for known in _known(point, character):
        if point.name.text in known:
            return replace(point, name=Name(known[point.name.text][side], point.name.span))
    return point


def _canonical(point: Point | None, character: Character) -> str:
    """What a subject that names both sides is called, whichever alias it is written with; empty where it names one."""
    if point is None:
        return ""
    joint = point.target == "joint"
    known, find = (
        (character.both_joints, character.joint_index) if joint else (character.both_links, character.link_index)
    )
    if point.name.text not in known:
        return ""
    right = find(known[point.name.text][_RIGHT])
    return next(name for name, pair in known.items() if find(pair[_RIGHT]) == right)
