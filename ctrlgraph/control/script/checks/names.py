"""Lookup of the joints, parts (links) and parameters that a script names.

Unknown names are reported with a suggestion if a known name is similar.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.checks.binding import BoundAction, JointLimit, Point
from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.codes import OMITTED, ActionKind
from ctrlgraph.control.script.syntax.forms import CENTRES_OF_PRESSURE, STATE_FORMS, STATE_VARIABLES, Target
from ctrlgraph.control.script.syntax.syntax import Expression, Name, names_in, states_in
from ctrlgraph.errors import suggestion
from ctrlgraph.kernels.constants import FeedbackReference

_CENTRES = {"cop": FeedbackReference.COP, "copf": FeedbackReference.COPF}


def find_joint(character: Character, point: Point | None) -> int:
    """Return the index of the joint that a statement names, in the character.

    The index is OMITTED (-1) if `point` is None, or if the character has no joint with this name.
    """
    found = character.joint_index(point.name.text) if point is not None else None
    return OMITTED if found is None else found


def find_part(character: Character, point: Point | None) -> int:
    """Return the index of the part (link) that a statement names, in the character.

    The index is OMITTED (-1) if `point` is None, or if the character has no link with this name.
    """
    found = character.link_index(point.name.text) if point is not None else None
    return OMITTED if found is None else found


def find_reference(character: Character, action: BoundAction) -> tuple[FeedbackReference, int]:
    """Return the reference point of an action's feedback: its kind, and the index of the link or joint.

    The index is OMITTED (-1) for a centre of pressure, without a reference point, and for an unknown name.
    """
    point = action.reference
    if point is None:
        return FeedbackReference.NONE, OMITTED
    word = point.name.text
    if action.kind is ActionKind.VFFB and point.selector is None and word in _CENTRES:
        return _CENTRES[word], OMITTED
    if point.target == "joint" or (point.selector is not None and point.selector.text == "joint"):
        return FeedbackReference.JOINT, find_joint(character, point)
    part = find_part(character, point)
    if part == OMITTED and point.target == "point" and point.selector is None:
        return FeedbackReference.JOINT, find_joint(character, point)
    return FeedbackReference.PART, part


def check_action_names(action: BoundAction, character: Character, report: FindingCollector) -> None:
    """Report the joints and parts that an action names and the character does not have."""
    if action.joint is not None:
        check_name(action.joint, "joint", character, report)
    if action.part is not None:
        check_name(action.part, "part", character, report)
    if action.reference is not None:
        _check_reference(action, action.reference, character, report)


def check_limit_names(limits: Iterable[JointLimit], character: Character, report: FindingCollector) -> None:
    """Report torque limits of unknown joints, and joints for which more than one torque limit is set."""
    seen: set[int] = set()
    for limit in limits:
        if check_name(limit.joint, "joint", character, report):
            index = find_joint(character, limit.joint)
            if index in seen:
                message = f"TORQUELIMIT of {limit.joint.name.text} is set twice: remove one"
                report.error("duplicate-setting", message, limit.joint.name.span)
            seen.add(index)


def check_parameters(expression: Expression, parameters: Iterable[str], report: FindingCollector) -> None:
    """Report names in an expression that are not parameters of the script.

    Args:
        expression: the expression.
        parameters: names of the script's parameters.
        report: receives the errors.
    """
    known = list(parameters)
    for name in names_in(expression):
        if name.text not in known and not report.has_error_in(name.span, "value-count"):
            hint = suggestion(name.text, {*known, *STATE_VARIABLES}) if not report.is_full else None
            if name.text in STATE_FORMS:
                hint = f"if the quantity of the state is meant, write {STATE_FORMS[name.text].usage}"
            elif name.text == "pi":
                hint = f"the language has no named constants: write {math.pi:.5g}"
            elif hint is None:
                hint = f"the parameters are {', '.join(known)}" if known else "the script has no parameters"
            report.error("unknown-parameter", f"unknown parameter '{name.text}'", name.span, hint)


def check_state_names(expression: Expression, character: Character, report: FindingCollector) -> None:
    """Report errors in the joints and parts of an expression's quantities of the state, as in `angle(rKnee)`.

    The errors are unknown names, and names for both sides (`bKnee`) in a statement that is not for both sides.
    """
    for state in states_in(expression):
        if state.target is None:
            continue
        noun: Target = "joint" if STATE_FORMS[state.word.text].takes == "joint" else "part"
        word = state.target.text
        if check_name(Point(state.target, None, noun), noun, character, report):
            both = (character.both_joints if noun == "joint" else character.both_links).get(word)
            if both is not None:
                message = f"'{word}' means the right and the left side, which only a statement about both sides can use"
                report.error(
                    "both-sides",
                    message,
                    state.target.span,
                    f"write {both[0]} for the right or {both[1]} for the left side",
                )


def _check_reference(action: BoundAction, point: Point, character: Character, report: FindingCollector) -> None:
    kind, index = find_reference(character, action)
    selector = point.selector.text if point.selector is not None else point.target
    if kind in (FeedbackReference.COP, FeedbackReference.COPF):
        return
    if selector in ("part", "joint"):
        check_name(point, selector, character, report)
    elif index == OMITTED:
        known = (*_known_names("part", character), *_known_names("joint", character))
        known += CENTRES_OF_PRESSURE if action.kind is ActionKind.VFFB else ()
        _unknown("part or joint", point.name, known, report)


def check_name(point: Point, noun: str, character: Character, report: FindingCollector) -> bool:
    """Report a name that the character does not have. Return True if it has the name.

    Args:
        point: the name.
        noun: what the name must be: "joint" or "part".
        character: the character.
        report: receives the error.
    """
    word = point.name.text
    is_joint, is_part = word in _known_names("joint", character), word in _known_names("part", character)
    if is_joint if noun == "joint" else is_part:
        return True
    if is_joint or is_part:
        other = "part" if is_part else "joint"
        message = f"'{word}' is a {other}, but a {noun} is needed here"
        report.error(f"unknown-{noun}", message, point.name.span, _neighbours(word, noun, character))
        return False
    _unknown(noun, point.name, _known_names(noun, character), report)
    return False


def _known_names(noun: str, character: Character) -> tuple[str, ...]:
    """Return the names of all joints (`noun` "joint") or of all parts, including names for both sides."""
    if noun == "joint":
        return (*character.known_joints, *character.both_joints)
    return (*character.known_links, *character.both_links)


def _neighbours(word: str, noun: str, character: Character) -> str | None:
    """Return a hint for a name that is a part where a joint is needed, or a joint where a part is needed.

    It lists the joints of the part, or the parts that the joint connects. It is None for a name for both sides.

    Args:
        word: the name.
        noun: what is needed: "joint" or "part".
        character: the character.
    """
    if word in character.both_joints or word in character.both_links:
        return None
    if noun == "joint":
        link = character.link_index(word)
        near = [joint.name for joint in character.joints if link in (joint.parent, joint.child)]
        return f"the joints of {word} are {', '.join(near)}"
    joint = character.joints[character.joint_index(word) or 0]
    parent, child = character.links[joint.parent].name, character.links[joint.child].name
    return f"{word} joins {parent} and {child}"


def _unknown(noun: str, name: Name, known: Iterable[str], report: FindingCollector) -> None:
    hint = suggestion(name.text, known) if not report.is_full else None
    report.error(f"unknown-{noun.split()[0]}", f"unknown {noun} '{name.text}'", name.span, hint)
