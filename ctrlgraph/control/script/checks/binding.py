"""Matching what is written against the forms: each value gets its role, each name its meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.program import ActionFlag, ActionKind, TransitionKind
from ctrlgraph.control.script.syntax import forms
from ctrlgraph.control.script.syntax.forms import ModifierForm, Target, Value
from ctrlgraph.control.script.syntax.quantities import STATE_FORMS, STATE_VARIABLES, Quantity
from ctrlgraph.control.script.syntax.syntax import (
    Binary,
    Condition,
    ConditionGroup,
    ConditionTree,
    Expression,
    Feedback,
    Group,
    Inversion,
    Item,
    Modifier,
    Name,
    Negation,
    Primitive,
    State,
)
from ctrlgraph.control.script.syntax.usages import FEEDBACK_USAGE
from ctrlgraph.errors import Span, suggestion

_NO_FLAGS = ActionFlag(0)
_JOINING = ("and", "or", "not")


@dataclass(frozen=True, slots=True)
class Operand:
    """An expression in its role: operand `value.slot` of the action or transition named `label`."""

    value: Value
    label: str
    expression: Expression

    @property
    def role(self) -> str:
        """Return the role of the literal in its parameter's id."""
        return self.label if self.label == self.value.role else f"{self.label} {self.value.role}"


@dataclass(frozen=True, slots=True)
class Point:
    """A name with the word before it, if any (`part lFoot`), and what the form expects."""

    name: Name
    selector: Name | None
    target: Target


@dataclass(slots=True)
class BoundAction:
    """An item as the engine understands it; names are not yet looked up in the character.

    both: what its subject is called where that names both sides; twin: it is the left one of two actions that are one
    statement, and have one id.
    """

    kind: ActionKind
    label: str
    span: Span
    joint: Point | None = None
    part: Point | None = None
    reference: Point | None = None
    flags: ActionFlag = _NO_FLAGS
    operands: list[Operand] = field(default_factory=list)
    both: str = ""
    twin: bool = False

    def operand(self, slot: int) -> Operand | None:
        """Return the operand that is kept in a slot; None if there is none."""
        return next((o for o in self.operands if o.value.slot == slot), None)


@dataclass(frozen=True, slots=True)
class JointLimit:
    """A joint's torque limit in the script's header; `both` and `twin` as for an action."""

    joint: Point
    operand: Operand
    both: str = ""
    twin: bool = False


@dataclass(slots=True)
class BoundCondition:
    """A transition's condition as the engine understands it; one of kind AND, OR or NOT joins its `parts`.

    twin: it is about the left one of a condition on both sides, and has the right one's id.
    """

    kind: TransitionKind
    label: str
    span: Span
    part: Point | None = None
    key: str | None = None
    operands: list[Operand] = field(default_factory=list)
    parts: tuple[BoundCondition, ...] = ()
    twin: bool = False

    def leaves(self) -> Iterator[BoundCondition]:
        """Return the conditions that it joins, in the order of the text; itself where it joins none."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()


def bind_primitive(primitive: Primitive, report: FindingCollector) -> list[BoundAction]:
    """Return the actions of a primitive's list; items that do not fit are reported and left out."""
    bound = (bind_item(primitive.keyword, item, report) for item in primitive.items)
    return [action for action in bound if action is not None]


def bind_item(keyword: str, item: Item, report: FindingCollector) -> BoundAction | None:
    """Return one item of a primitive's list, or None where it does not fit its form (reported)."""
    form = forms.PRIMITIVE_FORMS[keyword]
    usage = f"its form is {form.usage}"
    label = f"{keyword} {item.subject.text}" if item.subject else keyword
    if (item.subject is None) != (form.subject is None):
        wanted = f"begins with a {form.subject}" if form.subject else "has no name before its values"
        report.error("form", f"{keyword} {wanted}", item.span, usage)
        return None
    action = BoundAction(form.kind, label, item.span)
    if item.subject is not None:
        point = Point(item.subject, None, form.subject or "joint")
        if form.subject == "joint":
            action.joint = point
        else:
            action.part = point
    good = _bind_values(action, form.values, form.counts, item.arguments, item.span, report, usage)
    if not good and not form.values:
        return None  # what stands in the parentheses probably belongs to the modifier
    good &= _bind_modifiers(action, form, item, report, usage)
    if action.kind is ActionKind.POSE and any(m.name.text == "time" for m in item.modifiers):
        action.kind = ActionKind.LIPOSE
    return action if good else None


def bind_feedback(feedback: Feedback, report: FindingCollector) -> BoundAction | None:
    """COMFB2's values and point, to be merged into the VPD after it."""
    if feedback.kind.text not in ("j", "p"):
        message = f"expected j (joint) or p (part), found '{feedback.kind.text}'"
        report.error("form", message, feedback.kind.span, f"its form is {FEEDBACK_USAGE}")
        return None
    action = BoundAction(ActionKind.VPD, "COMFB2", feedback.span)
    action.reference = Point(feedback.target, None, "joint" if feedback.kind.text == "j" else "part")
    pairs = zip(forms.FEEDBACK_VALUES, (feedback.cd, feedback.cv), strict=True)
    action.operands = [Operand(value, "COMFB2", expression) for value, expression in pairs]
    return action


def bind_condition(condition: ConditionTree, report: FindingCollector) -> BoundCondition | None:
    """Return a transition's condition, or None where something in it does not fit its form (reported)."""
    if isinstance(condition, Condition):
        return _bind_one(condition, report)
    if isinstance(condition, ConditionGroup):
        return bind_condition(condition.inner, report)
    if isinstance(condition, Inversion):
        operand = bind_condition(condition.operand, report)
        return None if operand is None else _joined(TransitionKind.NOT, condition.span, operand)
    left, right = bind_condition(condition.left, report), bind_condition(condition.right, report)
    if left is None or right is None:
        return None
    kind = TransitionKind.AND if condition.operator == "and" else TransitionKind.OR
    return _joined(kind, condition.span, left, right)


def _joined(kind: TransitionKind, span: Span, *parts: BoundCondition) -> BoundCondition:
    return BoundCondition(kind, kind.name.lower(), span, parts=parts)


def _bind_one(condition: Condition, report: FindingCollector) -> BoundCondition | None:
    form = forms.CONDITION_FORMS.get(condition.word.text)
    if form is None and condition.word.text in STATE_FORMS | STATE_VARIABLES:
        message = f"'{condition.word.text}' is a quantity of the state, not a condition"
        hint = f"a comparison begins with 'when': when {condition.word.text}..."
        report.error("unknown-condition", message, condition.word.span, hint)
        return None
    if form is None:
        near = suggestion(condition.word.text, forms.CONDITION_FORMS)
        known = ", ".join(forms.CONDITION_FORMS)
        report.error(
            "unknown-condition",
            f"unknown condition '{condition.word.text}'",
            condition.word.span,
            near or f"a condition is one of {known}",
        )
        return None
    bound = BoundCondition(form.kind, form.word, condition.span)
    usage = f"its form is {form.usage}"
    if form.word == "when":
        return _bind_comparison(bound, condition, report)
    if form.word == "fallen":
        if condition.comparison not in forms.FALLEN_KINDS:
            found = f"'{condition.comparison}'" if condition.comparison else "nothing"
            place = condition.comparison_span or condition.span
            report.error("form", f"expected '<', '>' or x after fallen, found {found}", place, usage)
            return None
        bound.kind = forms.FALLEN_KINDS[condition.comparison]
        bound.label = f"fallen {condition.comparison}"
    elif condition.comparison is not None:
        message = f"'{form.word}' takes no comparison"
        report.error("form", message, condition.comparison_span, usage)
        return None
    return _bind_condition_arguments(bound, form, condition, report, usage)


def _bind_comparison(bound: BoundCondition, condition: Condition, report: FindingCollector) -> BoundCondition | None:
    """`when angle(rKnee) > 0.5`: a number on one side measures what the quantity on the other one does."""
    bound.kind = forms.COMPARISONS[condition.comparison or ">"]
    quantity = next((q for q in map(_measured, condition.arguments) if q is not None), None)
    values = (forms.Value(role, quantity or "argument", slot) for slot, role in enumerate(("left", "right")))
    bound.operands = [Operand(v, bound.label, e) for v, e in zip(values, condition.arguments, strict=True)]
    return bound


def _measured(expression: Expression) -> Quantity | None:
    """What an expression measures, by the first quantity of the state that it adds up."""
    if isinstance(expression, State):
        return (STATE_FORMS | STATE_VARIABLES)[expression.word.text].quantity
    if isinstance(expression, Group):
        return _measured(expression.inner)
    if isinstance(expression, Negation):
        return _measured(expression.operand)
    if isinstance(expression, Binary) and expression.operator in "+-":
        return _measured(expression.left) or _measured(expression.right)
    return None


def _bind_condition_arguments(
    bound: BoundCondition, form: forms.ConditionForm, condition: Condition, report: FindingCollector, usage: str
) -> BoundCondition | None:
    arguments = condition.arguments
    wanted = {"values": len(form.values), "part": 1, "key": 1, "nothing": 0}[form.takes]
    if len(arguments) != wanted:
        joining = next((a for a in arguments if isinstance(a, Name) and a.text.lower() in _JOINING), None)
        if joining is not None:
            hint = f"conditions are joined by '{joining.text.lower()}'"
            report.error("form", f"unexpected '{joining.text}'", joining.span, hint)
            return None
        message = f"'{form.word}' takes {_count(wanted, 'value')}, found {len(arguments)}"
        if form.takes in ("part", "key"):
            message = f"'{form.word}' takes a {form.takes}"
        report.error("form", message, condition.span, usage)
        return None
    if form.takes == "values":
        pairs = zip(form.values, arguments, strict=True)
        bound.operands = [Operand(value, bound.label, expression) for value, expression in pairs]
    elif arguments:
        only = arguments[0]
        if form.takes == "key":
            bound.key = getattr(only, "text", "")
        elif not isinstance(only, Name):
            message = f"'{form.word}' takes the name of a part, without parentheses"
            report.error("form", message, only.span, usage)
            return None
        else:
            bound.part = Point(only, None, "part")
    return bound


def _bind_values(
    action: BoundAction,
    values: tuple[Value, ...],
    counts: tuple[int, ...],
    arguments: tuple[Expression, ...],
    place: Span,
    report: FindingCollector,
    usage: str,
    where: str = "",
) -> bool:
    if len(arguments) not in counts:
        wanted = " or ".join(str(count) for count in counts)
        noun = "value" if counts == (1,) else "values"
        message = f"{action.label}{where} takes {wanted} {noun}, found {len(arguments)}"
        if counts == (0,):
            message = f"{action.label}{where} takes no values"
        report.error("value-count", message, place, usage)
        return False
    pairs = zip(values, arguments, strict=False)
    action.operands += [Operand(value, action.label, expression) for value, expression in pairs]
    return True


def _bind_modifiers(
    action: BoundAction, form: forms.PrimitiveForm, item: Item, report: FindingCollector, usage: str
) -> bool:
    known = {modifier.name: modifier for modifier in form.modifiers}
    seen: set[str] = set()
    good = True
    for modifier in item.modifiers:
        word = modifier.name.text
        if word not in known:
            message = f"{form.keyword} has no '.{word}'"
            report.error("unknown-modifier", message, modifier.name.span, suggestion(word, known) or usage)
            good = False
        elif word in seen:
            report.error("form", f"'.{word}' is given twice", modifier.name.span, usage)
            good = False
        else:
            good &= _bind_modifier(action, known[word], modifier, report, usage)
        seen.add(word)
    missing = [name for name, modifier in known.items() if modifier.required and name not in seen]
    # A misspelt modifier is not also a missing one.
    if missing and not seen - known.keys():
        needed = " and ".join(f".{name}(...)" for name in missing)
        report.error("missing-modifier", f"{action.label} needs {needed}", item.span, usage)
        return False
    return good


def _bind_modifier(
    action: BoundAction, form: ModifierForm, modifier: Modifier, report: FindingCollector, usage: str
) -> bool:
    word = f" .{form.name}"
    mode = modifier.mode.text if modifier.mode else None
    if form.modes and mode not in form.modes:
        wanted = " or ".join(form.modes)
        report.error("form", f"'.{form.name}' needs {wanted} before its values", modifier.span, usage)
        return False
    if modifier.mode is not None and not form.modes:
        report.error("form", f"expected '(' after '.{form.name}'", modifier.mode.span, usage)
        return False
    if mode == "global":
        action.flags |= ActionFlag.GLOBAL
    if form.flags:
        return _bind_flags(action, form, modifier, report, usage)
    arguments = modifier.arguments
    if form.target is not None:
        point = _point(form, modifier, report, usage)
        if point is None:
            return False
        _place_point(action, form, point)
        arguments = arguments[1:]
    elif modifier.selector is not None:
        report.error("form", f"'.{form.name}' takes a value", modifier.selector.span, usage)
        return False
    return _bind_values(action, form.values, form.counts, arguments, modifier.span, report, usage, word)


def _point(form: ModifierForm, modifier: Modifier, report: FindingCollector, usage: str) -> Point | None:
    noun = "name of a part or a joint" if form.target == "point" else f"name of a {form.target}"
    if not modifier.arguments or not isinstance(modifier.arguments[0], Name):
        report.error("form", f"'.{form.name}' takes the {noun}", modifier.span, usage)
        return None
    selector = modifier.selector
    allowed = ("part", "joint") if form.target == "point" else (form.target,)
    if selector is not None and selector.text not in allowed:
        wanted = " or ".join(str(word) for word in allowed)
        report.error("form", f"expected {wanted}, found '{selector.text}'", selector.span, usage)
        return None
    return Point(modifier.arguments[0], selector, form.target or "point")


def _place_point(action: BoundAction, form: ModifierForm, point: Point) -> None:
    if form.meaning == "part":
        action.part = point
    elif form.meaning == "reference":
        action.reference = point
    else:
        action.joint = point


def _bind_flags(
    action: BoundAction, form: ModifierForm, modifier: Modifier, report: FindingCollector, usage: str
) -> bool:
    words = [argument for argument in modifier.arguments if isinstance(argument, Name)]
    if modifier.selector is not None or len(words) != len(modifier.arguments) or not words:
        report.error("form", f"'.{form.name}' takes {' or '.join(form.flags)}", modifier.span, usage)
        return False
    unknown = [word for word in words if word.text not in form.flags]
    for word in unknown:
        report.error("form", f"unknown flag '{word.text}'", word.span, "the only flag is s: this is the swing hip")
    action.flags |= ActionFlag.SWING
    return not unknown


def merge_feedback(vpd: BoundAction, feedback: BoundAction) -> None:
    """Add a COMFB2 to the VPD that follows it."""
    vpd.reference = feedback.reference
    vpd.operands = feedback.operands + vpd.operands


def _count(number: int, noun: str) -> str:
    return f"no {noun}s" if number == 0 else f"{number} {noun}" + ("s" if number > 1 else "")
