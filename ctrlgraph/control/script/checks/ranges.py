"""Checks of numbers: values outside their possible range, wrong signs of gains, angles beyond a joint's limits."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.checks.binding import BoundAction, Operand
from ctrlgraph.control.script.checks.names import find_joint, find_part
from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.codes import OMITTED, ActionKind
from ctrlgraph.control.script.constants import constant_value
from ctrlgraph.control.script.syntax.syntax import Binary, Expression, Number, walk


@dataclass(frozen=True, slots=True)
class _Bounds:
    low: float
    high: float
    unit: str
    low_is_open: bool = False


_WIDE = 1e6
VALUE_BOUNDS: dict[str, _Bounds] = {
    "angle": _Bounds(-100.0, 100.0, "rad"),
    "kp": _Bounds(-_WIDE, _WIDE, "N m/rad"),
    "kd": _Bounds(-_WIDE, _WIDE, "N m s/rad"),
    "time": _Bounds(0.0, 3600.0, "s"),
    "cd": _Bounds(-_WIDE, _WIDE, ""),
    "cv": _Bounds(-_WIDE, _WIDE, ""),
    "force": _Bounds(-_WIDE, _WIDE, "N"),
    "length": _Bounds(-1e4, 1e4, "m"),
    "tolerance": _Bounds(0.0, 1e3, ""),
    "speed": _Bounds(-100.0, 100.0, "m/s"),
    "rate": _Bounds(-1e3, 1e3, "rad/s"),
    "torque": _Bounds(0.0, 1e5, "N m", low_is_open=True),
    "count": _Bounds(1.0, 1e6, ""),
}
"""Allowed ranges of numbers, by their physical quantity (`Value.quantity`)."""
_SPRINGS = (ActionKind.POSE, ActionKind.LIPOSE)
_PRESSED = 0.05
"""Distance by which a target may exceed a joint's limit, rad. Such a target presses the joint against its limit."""
PD_KINDS = (ActionKind.POSE, ActionKind.LIPOSE, ActionKind.MATCH)
"""Kinds of actions that set a PD target of a joint when a phase begins."""


def check_operand(operand: Operand, report: FindingCollector) -> float | None:
    """Report errors in a value of a statement, and return the value.

    The result is None if the value depends on parameters or the state, or if its expression divides by zero.
    """
    value = _checked(operand.expression, report)
    if value is not None:
        check_value(operand, value, report)
    return value


def check_value(operand: Operand, value: float, report: FindingCollector, note: str = "") -> None:
    """Report a value of an operand that is outside the allowed range of its quantity (`VALUE_BOUNDS`).

    Args:
        operand: the operand.
        value: the value of the operand, in the unit of its quantity.
        report: receives the error.
        note: text for the message after the value, such as the arguments from which the value follows.
    """
    role, value_form, span = operand.role, operand.value, operand.expression.span
    bounds = VALUE_BOUNDS.get(value_form.quantity)
    if not math.isfinite(value):
        report.error("absurd-value", f"{role} must be a finite number{note}", span)
        return
    if bounds is None:
        return
    hint = None
    if value < bounds.low or (bounds.low_is_open and value == bounds.low):
        must = f"{'above' if bounds.low_is_open else 'at least'} {bounds.low:g} {bounds.unit}"
    elif value > bounds.high:
        must = f"at most {bounds.high:g} {bounds.unit}"
    elif value_form.quantity == "count" and value != math.floor(value):
        must = "a whole number"
    else:
        return
    if value_form.quantity == "angle" and abs(value) <= 360:
        hint = f"angles are in radians: for {value:g} degrees, write {math.radians(value):.4g}"
    report.error("absurd-value", f"{role} must be {must.rstrip()}, not {value:g}{note}".rstrip(), span, hint)


def check_argument(expression: Expression, report: FindingCollector) -> None:
    """Report errors that an argument of a call has wherever it is used, such as a division by zero."""
    value = _checked(expression, report)
    if value is not None and not math.isfinite(value):
        report.error("absurd-value", "an argument of a call must be a finite number", expression.span)


def _checked(expression: Expression, report: FindingCollector) -> float | None:
    """Report errors in an expression, and return its value.

    The errors are divisions by a constant zero, invalid search ranges such as `<2, 1>`, and literals that are too
    large. These are reported even if the value is finite, as in 1 / 1e400. The result is None if the value depends on
    parameters or the state, or if the expression divides by zero.
    """
    for node in walk(expression):
        if isinstance(node, Binary) and node.operator == "/" and constant_value(node.right) == 0.0:
            report.error("division-by-zero", "division by 0: change the divisor", node.right.span)
        elif isinstance(node, Number) and node.range_span is not None:
            _check_range(node, report)
    value = constant_value(expression)
    if value is None or math.isfinite(value):
        for node in walk(expression):
            if isinstance(node, Number) and not math.isfinite(node.value):
                report.error("absurd-value", "the number must be below 1e308", node.span)
    return value


def check_action_values(action: BoundAction, character: Character | None, report: FindingCollector) -> None:
    """Report every value of an action that is outside its allowed range or a joint's limits, or has the wrong sign.

    Args:
        action: the action.
        character: the character that the script is for. None skips the checks of joint limits and of a VPD's signs.
        report: receives the findings.
    """
    values = {operand.value.role: check_operand(operand, report) for operand in action.operands}
    if action.kind in PD_KINDS:
        _check_positive_gains(action, values, report, "a negative gain drives the joint away from its target")
    if action.kind in (ActionKind.VFFB, ActionKind.VFSFB, ActionKind.VFHFB):
        consequence = "a negative gain pushes the centre of mass away from its goal"
        _check_positive_gains(action, values, report, consequence)
    if character is None:
        return
    if action.kind in _SPRINGS:
        _check_joint_limits(action, values.get("angle"), character, report)
    if action.kind is ActionKind.VPD and not action.twin:
        _check_side(action, values, character, report)


def _check_positive_gains(
    action: BoundAction, values: dict[str, float | None], report: FindingCollector, consequence: str
) -> None:
    for operand in action.operands:
        value = values[operand.value.role]
        # a negative cd softens a joint that a pose also holds, which can be intended
        if operand.value.quantity in ("kp", "kd", "cv") and value is not None and -_WIDE <= value < 0:
            report.warning("gain-sign", f"{operand.role} is negative", operand.expression.span, consequence)


def _check_joint_limits(
    action: BoundAction, angle: float | None, character: Character, report: FindingCollector
) -> None:
    index, operand = find_joint(character, action.joint), action.operand(0)
    if angle is None or index == OMITTED or operand is None or abs(angle) > 100.0:
        return
    joint = character.joints[index]
    if not joint.lower - _PRESSED <= angle <= joint.upper + _PRESSED:
        message = f"{action.label} angle {angle:g} is outside the joint's limits, {joint.lower:g} to {joint.upper:g}"
        hint = "angles are in radians" if abs(angle) > 2 * math.pi else "the joint cannot turn further than its limit"
        report.warning("angle-limit", message, operand.expression.span, hint)


def _check_side(
    action: BoundAction, values: dict[str, float | None], character: Character, report: FindingCollector
) -> None:
    """Warn of gains of a VPD (PD control of a part's angle in the world) that have the wrong sign.

    The gains of a part on the joint's parent side are positive, those of a part on its child side negative (Firmin
    2014, 4).
    """
    joint, part = find_joint(character, action.joint), find_part(character, action.part)
    if joint == OMITTED or part == OMITTED or action.joint is None or action.part is None:
        return
    on_child_side = character.side[joint, part] > 0
    wrong = [
        operand
        for operand in action.operands
        if operand.value.role in ("kp", "kd") and _has_wrong_sign(values[operand.value.role], on_child_side)
    ]
    if wrong:
        side, sign = ("child", "negative") if on_child_side else ("parent", "positive")
        roles = " and ".join(operand.value.role for operand in wrong)
        reason = f"{action.part.name.text} is on the {side} side of {action.joint.name.text}"
        message = f"{roles} of {action.label} should be {sign}: {reason}"
        hint = "the sign in the script is ignored: it always follows from the side of the joint on which the part is"
        report.warning("gain-sign", message, wrong[0].expression.span, hint)


def _has_wrong_sign(value: float | None, on_child_side: bool) -> bool:
    if value is None or value == 0.0 or abs(value) > _WIDE:
        return False
    return (value > 0) == bool(on_child_side)


def _check_range(number: Number, report: FindingCollector) -> None:
    low, high = number.low, number.high
    if low is None or high is None or number.range_span is None:
        return
    if not (math.isfinite(low) and math.isfinite(high)):
        report.error("search-range", "both bounds of a search range must be finite numbers", number.range_span)
    elif low >= high:
        message = f"the search range from {low:g} to {high:g} is empty: its lower bound is not below its upper bound"
        report.error("search-range", message, number.range_span, "write the lower bound first: <lower, upper>")
    elif not low <= number.value <= high:
        message = f"{number.value:g} is outside its search range, {low:g} to {high:g}"
        report.warning("search-range", message, number.range_span)
