"""Statements that name both sides, `POSE bKnee(2.3)`, as two: one for the right and one for the left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.checks.binding import BoundAction, Point
from ctrlgraph.control.script.checks.phases import BoundPhase, BoundScript
from ctrlgraph.control.script.syntax.forms import PRIMITIVE_FORMS
from ctrlgraph.control.script.syntax.syntax import Name, StateCommand

_RIGHT, _LEFT = 0, 1


def with_both_sides(bound: BoundScript, character: Character | None) -> BoundScript:
    """Return the script with every action that names both sides as two, the right one first.

    Both are made of the same expressions, so that a number in them stays one constant.
    """
    if character is None:
        return bound
    return replace(bound, phases=tuple(_expanded(phase, character) for phase in bound.phases))


def _expanded(phase: BoundPhase, character: Character) -> BoundPhase:
    actions = [one for action in phase.actions for one in _sides(action, character)]
    return replace(phase, actions=tuple(actions))


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
            both=both,
            twin=side == _LEFT,
        )


def _points(action: BoundAction) -> Iterator[Point]:
    yield from (point for point in (action.joint, action.part, action.reference) if point is not None)


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
