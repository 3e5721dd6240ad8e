"""Bound scripts: scripts with the meaning of their statements, phase by phase (see `binding`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ctrlgraph.control.script.checks.binding import (
    BoundAction,
    BoundCondition,
    JointLimit,
    Operand,
    Point,
    bind_condition,
    bind_feedback,
    bind_primitive,
)
from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.syntax import forms
from ctrlgraph.control.script.syntax.syntax import (
    Call,
    Expression,
    Feedback,
    Name,
    Phase,
    Primitive,
    Script,
    Setting,
    StateCommand,
    Transition,
    addends,
)
from ctrlgraph.errors import suggestion


@dataclass(frozen=True, slots=True)
class BoundTransition:
    """A transition with the meaning of the values in its condition."""

    transition: Transition
    """The transition in the syntax tree."""
    condition: BoundCondition | None
    """The condition; None if it has an error."""

    def leaves(self) -> Iterator[BoundCondition]:
        """Return the single conditions that the transition's condition joins; none if the condition is None."""
        return iter(()) if self.condition is None else self.condition.leaves()


@dataclass(frozen=True, slots=True)
class BoundPhase:
    """A phase whose actions and transitions match forms of the language, so that each value has a role."""

    phase: Phase
    """The phase in the syntax tree."""
    actions: tuple[BoundAction | StateCommand, ...]
    """Actions in the order of the text. A COMFB2 (balance feedback) is merged into the VPD after it."""
    transitions: tuple[BoundTransition, ...]
    """Transitions in the order of the text."""

    @property
    def number(self) -> float:
        """Return the number of the phase in the script."""
        return self.phase.number.value

    @property
    def call(self) -> Call | None:
        """Return the call of the phase; None if it has none."""
        return self.phase.calls[0] if self.phase.calls else None


@dataclass(frozen=True, slots=True)
class BoundScript:
    """A script with the meaning of the values in its settings, actions and transitions."""

    script: Script
    """Syntax tree of the script."""
    phases: tuple[BoundPhase, ...]
    """Phases in the order of the text."""
    limits: tuple[Operand, ...]
    """Values of SET TORQUELIMIT for all joints. More than one is an error."""
    joint_limits: tuple[JointLimit, ...] = ()
    """Values of SET TORQUELIMIT for single joints."""

    def operands(self) -> Iterator[Operand]:
        """Return the values of all settings, actions and conditions of the script, but not the arguments of calls."""
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
    """Determine the meaning of the values in all statements of a script.

    Statements that do not match their form (a template such as `POSE joint(angle)`) are reported and omitted.
    """
    limits: list[Operand] = []
    joint_limits: list[JointLimit] = []
    _check_successes(script, report)
    for setting in script.settings:
        if setting.name.text != forms.TORQUE_LIMIT.role:
            _report_setting(setting, report)
        elif setting.joint is not None:
            value = replace(forms.TORQUE_LIMIT, role=f"{forms.TORQUE_LIMIT.role} {setting.joint.text}")
            joint_limits.append(JointLimit(Point(setting.joint, None, "joint"), Operand(value, "SET", setting.value)))
        else:
            if limits:
                report.error("duplicate-setting", "TORQUELIMIT is set twice: remove one", setting.name.span)
            limits.append(Operand(forms.TORQUE_LIMIT, "SET", setting.value))
    phases = tuple(_bind_phase(phase, report) for phase in script.phases)
    return BoundScript(script, phases, tuple(limits), tuple(joint_limits))


def _report_setting(setting: Setting, report: FindingCollector) -> None:
    word, known = setting.name.text, (forms.TORQUE_LIMIT.role, forms.SUCCESS)
    if word == forms.SUCCESS:
        report.error("form", "SUCCESS needs a measure and a range", setting.span, HOW_TO_SUCCEED)
        return
    hint = suggestion(word, known) or f"the settings are {' and '.join(known)}"
    report.error("unknown-setting", f"unknown setting '{word}'", setting.name.span, hint)


HOW_TO_SUCCEED = "write SET SUCCESS com_height = 0.8:1.1, or com_height = 0.8: without an upper bound"


def _check_successes(script: Script, report: FindingCollector) -> None:
    """Report errors in the SET SUCCESS lines, which state conditions for success.

    Unknown names of measures are reported by other code, when the controller gets its node.
    """
    seen: set[str] = set()
    for success in script.successes:
        measure, low, high = success.measure.text, success.low, success.high
        if success.name.text != forms.SUCCESS:
            message = f"{success.name.text} cannot have a range: only SUCCESS has one"
            report.error("form", message, success.span, HOW_TO_SUCCEED)
        elif low is None and high is None:
            message = f"the range of {measure} must have at least one bound, LOW or HIGH"
            report.error("form", message, success.span, HOW_TO_SUCCEED)
        elif low is not None and high is not None and low.value > high.value:
            message = f"the range of {measure} is empty: {low.value:g} is above {high.value:g}"
            report.error("empty-range", message, success.span)
        if measure in seen:
            report.error("duplicate-setting", f"SUCCESS of {measure} is set twice: remove one", success.measure.span)
        seen.add(measure)


def _bind_phase(phase: Phase, report: FindingCollector) -> BoundPhase:
    actions: list[BoundAction | StateCommand] = []
    feedback: Feedback | None = None  # the previous action, if it is a COMFB2
    for action in (*phase.actions, None):
        is_vpd = isinstance(action, Primitive) and action.keyword == "VPD"
        if feedback is not None and not is_vpd:
            message = "COMFB2 must be directly followed by a VPD, the action that it corrects"
            report.error("feedback-alone", message, feedback.keyword_span)
        if isinstance(action, StateCommand):
            actions.append(action)
        elif isinstance(action, Primitive):
            made = bind_primitive(action, report)
            bound = bind_feedback(feedback, report) if feedback is not None and is_vpd else None
            if bound is not None and made:
                made[0].reference = bound.reference
                made[0].operands = bound.operands + made[0].operands
            actions += made
        feedback = action if isinstance(action, Feedback) else None
    transitions = tuple(BoundTransition(t, bind_condition(t.condition, report)) for t in phase.transitions)
    return BoundPhase(phase, tuple(actions), transitions)


def parameter_quantities(bound: BoundScript, callee: Callable[[Call], dict[str, str]]) -> dict[str, str]:
    """Return the physical quantity of each parameter of a script, such as "angle", by the parameter's name.

    It is the quantity of the first value in which the parameter occurs alone or as an addend. If there is none, it is
    "argument".

    Args:
        bound: the script, with the meaning of its statements.
        callee: function that returns such a mapping for the script that a call names.
    """
    found: dict[str, str] = {}
    for operand in bound.operands():
        for name in _added_names(operand.expression):
            found.setdefault(name, operand.value.quantity)
    for phase in bound.phases:
        if phase.call is None:
            continue
        quantities = callee(phase.call).values()
        for argument, quantity in zip(phase.call.arguments, quantities, strict=False):
            for name in _added_names(argument) if quantity != "argument" else ():
                found.setdefault(name, quantity)
    return {p.text: found.get(p.text, "argument") for p in bound.script.parameters}


def _added_names(expression: Expression) -> list[str]:
    """Return the parameters that occur alone or as addends in an expression, and so have its physical quantity."""
    return [node.text for node in addends(expression) if isinstance(node, Name)]
