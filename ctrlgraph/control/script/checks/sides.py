"""Expansion of statements for both sides, such as `POSE bKnee(2.3)`, into one for the right and one for the left side.

A name for both sides belongs to the character: `bKnee` stands for `rKnee` and `lKnee`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.checks.binding import BoundAction, BoundCondition, JointLimit, Point
from ctrlgraph.control.script.checks.phases import BoundPhase, BoundScript
from ctrlgraph.control.script.codes import TransitionKind
from ctrlgraph.control.script.syntax.forms import PRIMITIVE_FORMS, STATE_QUANTITIES
from ctrlgraph.control.script.syntax.syntax import State, StateCommand, rebuilt, states_in

_RIGHT, _LEFT = 0, 1


def with_both_sides(bound: BoundScript, character: Character | None) -> BoundScript:
    """Return a script with two statements in place of each one that names both sides, such as `POSE bKnee(2.3)`.

    An action becomes two actions, that of the right side first. A condition becomes two conditions that must both be
    true. The numbers of the two have the same place in the text, so that each remains a single constant.

    Args:
        bound: the script, with the meaning of its statements.
        character: the character, which has the names for both sides. None returns the script unchanged.
    """
    if character is None:
        return bound
    return replace(
        bound,
        phases=tuple(_expanded(phase, character) for phase in bound.phases),
        joint_limits=tuple(one for limit in bound.joint_limits for one in _limits(limit, character)),
    )


def _limits(limit: JointLimit, character: Character) -> tuple[JointLimit, ...]:
    if not _is_both(limit.joint, character):
        return (limit,)
    return _split(limit, character, both=_canonical(limit.joint, character))


def _expanded(phase: BoundPhase, character: Character) -> BoundPhase:
    actions = [one for action in phase.actions for one in _sides(action, character)]
    transitions = (replace(t, condition=_on_both_sides(t.condition, character)) for t in phase.transitions)
    return replace(phase, actions=tuple(actions), transitions=tuple(transitions))


def _on_both_sides(condition: BoundCondition | None, character: Character) -> BoundCondition | None:
    """Return a condition on both sides (`contact bFoot`, `when angle(bKnee) > 1`) as two that must both be true.

    Any other condition is returned unchanged.
    """
    if condition is None:
        return None
    if condition.parts:
        parts = (_on_both_sides(part, character) for part in condition.parts)
        return replace(condition, parts=tuple(part for part in parts if part is not None))
    states = (state for operand in condition.operands for state in states_in(operand.expression))
    points = [condition.part, *(_target(state) for state in states)]
    if not any(_is_both(point, character) for point in points):
        return condition
    return BoundCondition(TransitionKind.AND, "and", condition.span, parts=_split(condition, character))


def _sides(action: BoundAction | StateCommand, character: Character) -> tuple[BoundAction | StateCommand, ...]:
    if isinstance(action, StateCommand):
        return (action,)
    if not any(_is_both(point, character) for point in (action.joint, action.part, action.reference)):
        return (action,)
    of_joint = PRIMITIVE_FORMS[action.kind.name].subject == "joint"
    return _split(action, character, both=_canonical(action.joint if of_joint else action.part, character))


def _split(statement: Any, character: Character, **changes: Any) -> tuple[Any, ...]:
    """Return a statement as two: for the right side and for the left side. Their numbers keep their places in the text.

    Args:
        statement: action, condition or torque limit with a name for both sides.
        character: character with the names.
        changes: new values of further fields, for both results.
    """
    found = []
    for side in (_RIGHT, _LEFT):
        for name in ("joint", "part", "reference"):
            if hasattr(statement, name):
                changes[name] = _of_side(getattr(statement, name), side, character)
        if hasattr(statement, "operands"):
            pairs = ((each, _expression_of_side(each.expression, side, character)) for each in statement.operands)
            changes["operands"] = [replace(operand, expression=expression) for operand, expression in pairs]
        found.append(replace(statement, twin=side == _LEFT, **changes))
    return tuple(found)


def _target(state: State) -> Point | None:
    """Return the joint or part in the parentheses of a quantity of the state (`angle(rKnee)`); None without one."""
    takes = STATE_QUANTITIES[state.word.text].takes
    return None if state.target is None else Point(state.target, None, "joint" if takes == "joint" else "part")


def _expression_of_side(node: Any, side: int, character: Character) -> Any:
    """Return an expression with names of one side (0 right, 1 left) in place of names for both sides."""
    if isinstance(node, State) and (point := _of_side(_target(node), side, character)) is not None:
        return replace(node, target=point.name)
    return rebuilt(node, lambda below: _expression_of_side(below, side, character))


def _is_both(point: Point | None, character: Character) -> bool:
    return point is not None and any(point.name.text in known for known in _known(point, character))


def _known(point: Point, character: Character) -> list[dict[str, tuple[str, str]]]:
    """Return the names for both sides, such as `bKnee`, that a name in a statement can be, each with its two names.

    The result has names of joints, of links or of both, depending on what the statement needs.
    """
    noun = point.target if point.selector is None else point.selector.text
    joints, links = [character.both_joints], [character.both_links]
    return {"joint": joints, "part": links}.get(noun, joints + links)


def _of_side(point: Point | None, side: int, character: Character) -> Point | None:
    for known in _known(point, character) if point is not None else ():
        if point is not None and point.name.text in known:
            return replace(point, name=replace(point.name, text=known[point.name.text][side]))
    return point


def _canonical(point: Point | None, character: Character) -> str:
    """Return the main name for both sides of a joint or part, such as "bKnee", which the text may give by an alias.

    The result is empty if the text does not name both sides.
    """
    if point is None or not _is_both(point, character):
        return ""
    joint = point.target == "joint"
    known, find = (
        (character.both_joints, character.joint_index) if joint else (character.both_links, character.link_index)
    )
    right = find(known[point.name.text][_RIGHT])
    return next(name for name, pair in known.items() if find(pair[_RIGHT]) == right)
