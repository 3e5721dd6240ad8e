"""A script whose statements are matched to their forms, phase by phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ctrlgraph.control.script.checks.binding import (
    BoundAction,
    BoundCondition,
    JointLimit,
    Operand,
    Point,
    bind_condition,
    bind_feedback,
    bind_primitive,
    merge_feedback,
)
from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.program import ActionKind
from ctrlgraph.control.script.syntax import forms
from ctrlgraph.control.script.syntax.forms import Value
from ctrlgraph.control.script.syntax.quantities import Quantity
from ctrlgraph.control.script.syntax.syntax import (
    Action,
    Binary,
    Call,
    Expression,
    Feedback,
    Group,
    Name,
    Negation,
    Phase,
    Script,
    StateCommand,
    Transition,
)
from ctrlgraph.errors import suggestion


@dataclass(frozen=True, slots=True)
class BoundTransition:
    """A transition with its condition, None where that does not fit its form."""

    transition: Transition
    condition: BoundCondition | None

    def leaves(self) -> Iterator[BoundCondition]:
        """Return the single conditions that its condition is made of."""
        return iter(()) if self.condition is None else self.condition.leaves()


@dataclass(frozen=True, slots=True)
class BoundPhase:
    """A phase; actions and transitions in the order written, COMFB2 merged into its VPD."""

    phase: Phase
    actions: tuple[BoundAction | StateCommand, ...]
    transitions: tuple[BoundTransition, ...]

    @property
    def number(self) -> float:
        """Return the number of the phase."""
        return self.phase.number.value

    @property
    def call(self) -> Call | None:
        """Return the call of the phase; None if it has none."""
        return self.phase.calls[0] if self.phase.calls else None


@dataclass(frozen=True, slots=True)
class BoundScript:
    """A script; `limits` are its SET TORQUELIMIT values (more than one is an error), `joint_limits` those of joints."""

    script: Script
    phases: tuple[BoundPhase, ...]
    limits: tuple[Operand, ...]
    joint_limits: tuple[JointLimit, ...] = ()

    def operands(self) -> Iterator[Operand]:
        """Return all operands of the script, not the arguments of its calls."""
        yield from self.limits
        for limit in self.joint_limits:
            yield limit.operand
        for phase in self.phases:
            for action in phase.actions:
                if isinstance(action, BoundAction):
                    yield from action.operands
            for transition in phase.transitions:
                for condition in transition.leaves():
                    yield from condition.operands


def bind_script(script: Script, report: FindingCollector) -> BoundScript:
    """Match every statement to its form; what does not fit is reported and left out."""
    limits: list[Operand] = []
    joint_limits: list[JointLimit] = []
    _check_successes(script, report)
    for setting in script.settings:
        if setting.name.text == forms.SUCCESS:
            message = "SUCCESS takes a measure and a range"
            report.error("form", message, setting.span, HOW_TO_SUCCEED)
            continue
        if setting.name.text != forms.TORQUE_LIMIT.role:
            message = f"unknown setting '{setting.name.text}'"
            known = (forms.TORQUE_LIMIT.role, forms.SUCCESS)
            hint = suggestion(setting.name.text, known) or f"the settings are {' and '.join(known)}"
            report.error("unknown-setting", message, setting.name.span, hint)
            continue
        if setting.joint is not None:
            value = Value(f"{forms.TORQUE_LIMIT.role} {setting.joint.text}", forms.TORQUE_LIMIT.quantity, 0)
            joint_limits.append(JointLimit(Point(setting.joint, None, "joint"), Operand(value, "SET", setting.value)))
            continue
        if limits:
            report.error("duplicate-setting", "TORQUELIMIT is set twice", setting.name.span)
        limits.append(Operand(forms.TORQUE_LIMIT, "SET", setting.value))
    phases = tuple(_bind_phase(phase, report) for phase in script.phases)
    return BoundScript(script, phases, tuple(limits), tuple(joint_limits))


HOW_TO_SUCCEED = "such as SET SUCCESS com_height = 0.8:1.1, or com_height = 0.8: with one end open"


def _check_successes(script: Script, report: FindingCollector) -> None:
    """Bind a SET SUCCESS line; the names of measures are checked elsewhere."""
    seen: set[str] = set()
    for success in script.successes:
        measure, low, high = success.measure.text, success.low, success.high
        if success.name.text != forms.SUCCESS:
            message = f"{success.name.text} takes no range: only SUCCESS does"
            report.error("form", message, success.span, HOW_TO_SUCCEED)
        elif low is None and high is None:
            report.error("form", f"the range of {measure} has no end", success.span, HOW_TO_SUCCEED)
        elif low is not None and high is not None and low.value > high.value:
            message = f"the range of {measure} is empty: {low.value:g} is above {high.value:g}"
            report.error("empty-range", message, success.span)
        if measure in seen:
            report.error("duplicate-setting", f"SUCCESS of {measure} is set twice", success.measure.span)
        seen.add(measure)


def _bind_phase(phase: Phase, report: FindingCollector) -> BoundPhase:
    actions = _bind_actions(phase.actions, report)
    transitions = tuple(BoundTransition(t, bind_condition(t.condition, report)) for t in phase.transitions)
    return BoundPhase(phase, tuple(actions), transitions)


def _bind_actions(actions: tuple[Action, ...], report: FindingCollector) -> list[BoundAction | StateCommand]:
    bound: list[BoundAction | StateCommand] = []
    for index, action in enumerate(actions):
        if isinstance(action, StateCommand):
            bound.append(action)
        elif isinstance(action, Feedback):
            following = actions[index + 1] if index + 1 < len(actions) else None
            if isinstance(following, Feedback | StateCommand | None) or following.keyword != "VPD":
                message = "COMFB2 must stand before the VPD that it belongs to"
                report.error("feedback-alone", message, action.keyword_span)
        else:
            made = bind_primitive(action, report)
            before = actions[index - 1] if index else None
            if isinstance(before, Feedback) and action.keyword == "VPD":
                _merge(before, made, report)
            bound += made
    return bound


def _merge(before: Feedback, made: list[BoundAction], report: FindingCollector) -> None:
    feedback = bind_feedback(before, report)
    if feedback is not None and made and made[0].kind is ActionKind.VPD:
        merge_feedback(made[0], feedback)


def direct_names(expression: Expression) -> Iterator[str]:
    """Parameters that an expression adds up, so that they are of its quantity."""
    if isinstance(expression, Name):
        yield expression.text
    elif isinstance(expression, Group):
        yield from direct_names(expression.inner)
    elif isinstance(expression, Negation):
        yield from direct_names(expression.operand)
    elif isinstance(expression, Binary) and expression.operator in "+-":
        yield from direct_names(expression.left)
        yield from direct_names(expression.right)


def parameter_quantities(bound: BoundScript, callee: Callable[[Call], dict[str, Quantity]]) -> dict[str, Quantity]:
    """Return what each parameter measures, by its first use; a parameter without one is an "argument".

    Args:
        bound: bound syntax.
        callee: the parameters' quantities of a called script, in their order.
    """
    found: dict[str, Quantity] = {}
    for operand in bound.operands():
        for name in direct_names(operand.expression):
            found.setdefault(name, operand.value.quantity)
    for phase in bound.phases:
        if phase.call is None:
            continue
        quantities = callee(phase.call).values()
        for argument, quantity in zip(phase.call.arguments, quantities, strict=False):
            for name in direct_names(argument):
                if quantity != "argument":
                    found.setdefault(name, quantity)
    return {p.text: found.get(p.text, "argument") for p in bound.script.parameters}
