"""Binding: matching of statements to their forms (templates such as `POSE joint(angle)`) to find the meaning of values.

A statement that has been matched is called bound. `syntax.forms` has the forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.codes import ActionFlag, ActionKind, TransitionKind
from ctrlgraph.control.script.syntax import forms
from ctrlgraph.control.script.syntax.forms import ModifierForm, PrimitiveForm, Target, Value
from ctrlgraph.control.script.syntax.syntax import (
    Condition,
    ConditionGroup,
    ConditionTree,
    Expression,
    Feedback,
    Inversion,
    Item,
    Modifier,
    Name,
    Primitive,
    State,
    addends,
)
from ctrlgraph.errors import Span, suggestion

_JOINING = ("and", "or", "not")


@dataclass(frozen=True, slots=True)
class Operand:
    """A value in a statement: an expression in the text, with its meaning."""

    value: Value
    """Meaning of the value: its role, such as "kp", its physical quantity, and its index in the row of the program."""
    label: str
    """Name of the statement in messages, such as "POSE rKnee"."""
    expression: Expression
    """Expression in the text."""

    @property
    def role(self) -> str:
        """Return the full name of the value, such as "POSE rKnee kp", for messages and `Parameter.role`."""
        return self.label if self.label == self.value.role else f"{self.label} {self.value.role}"


@dataclass(frozen=True, slots=True)
class Point:
    """A name of a joint or a part (a link) in a statement. It has not been looked up in the character."""

    name: Name
    """The name, with its position in the text."""
    selector: Name | None
    """Word `part` or `joint` before the name, as in `.on(part lFoot)`; None without it."""
    target: Target
    """Kind of name that the form expects: a joint, a part or a point."""


@dataclass(slots=True)
class BoundAction:
    """An action of a phase with the meaning of its values: one item of a primitive, such as `rKnee(2.3)` of a POSE.

    It becomes a row of `Program.actions`. The names have not been looked up in the character.
    """

    kind: ActionKind
    """Kind of the action."""
    label: str
    """Name of the item in messages, such as "POSE rKnee"."""
    span: Span
    """Position of the item in the text."""
    joint: Point | None = None
    """Joint that the action drives, or base joint of a force or of inverse kinematics; None if there is none."""
    part: Point | None = None
    """Link on which the action acts; None if there is none."""
    reference: Point | None = None
    """Reference point of balance feedback, or joint that a MATCH follows; None if there is none."""
    flags: ActionFlag = ActionFlag(0)  # noqa: RUF009
    """Properties that are on or off."""
    operands: list[Operand] = field(default_factory=list)
    """Values of the action."""
    both: str = ""
    """Name for both sides, such as "bKnee", if the action was made from a statement with this name; otherwise empty."""
    twin: bool = False
    """Whether the action is the left one of two that were made from a statement for both sides.

    The two actions share parameter ids.
    """

    def operand(self, slot: int) -> Operand | None:
        """Return the operand with the index `slot` in the row of the program; None if the text does not give it."""
        return next((o for o in self.operands if o.value.slot == slot), None)


@dataclass(frozen=True, slots=True)
class JointLimit:
    """A torque limit of one joint, from SET TORQUELIMIT with the name of a joint."""

    joint: Point
    """The joint."""
    operand: Operand
    """The maximum torque, N m."""
    both: str = ""
    """Name for both sides, such as "bKnee", if the limit was made from a setting with this name; otherwise empty."""
    twin: bool = False
    """Whether the limit is the left one of two that were made from a setting for both sides."""


@dataclass(slots=True)
class BoundCondition:
    """A condition of a transition, such as `time 0.3`, with the meaning of its values."""

    kind: TransitionKind
    """Kind of the condition."""
    label: str
    """Name of the condition in messages, such as "fallen >"."""
    span: Span
    """Position of the condition in the text."""
    part: Point | None = None
    """Link that the condition is about; None if there is none."""
    operands: list[Operand] = field(default_factory=list)
    """Values of the condition."""
    parts: tuple[BoundCondition, ...] = ()
    """Conditions that a condition of the kind AND, OR or NOT joins or inverts; otherwise empty."""
    twin: bool = False
    """Whether the condition is the left one of two that were made from a condition on both sides.

    The two conditions share parameter ids.
    """

    def leaves(self) -> Iterator[BoundCondition]:
        """Return the single conditions that this one joins or inverts, in the order of the text.

        A single condition returns itself.
        """
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()


def bind_primitive(primitive: Primitive, report: FindingCollector) -> list[BoundAction]:
    """Determine the meaning of a primitive's values, and return an action for each item of the primitive.

    Items that do not match the form of the primitive, such as `POSE joint(angle)`, are reported and omitted.

    Args:
        primitive: the statement, such as `POSE rKnee(2.3), lKnee(2.3);`.
        report: receives the errors.
    """
    bound = (_ItemBinder(primitive.keyword, item, report).bind() for item in primitive.items)
    return [action for action in bound if action is not None]


class _ItemBinder:
    """Matcher of one item of a primitive, such as `rKnee(2.3).time(1)`, to the form (template) of the primitive."""

    def __init__(self, keyword: str, item: Item, report: FindingCollector) -> None:
        self._form = forms.PRIMITIVE_FORMS[keyword]
        self._item = item
        self._report = report
        label = f"{keyword} {item.subject.text}" if item.subject else keyword
        self._action = BoundAction(ActionKind[self._form.keyword], label, item.span)

    def bind(self) -> BoundAction | None:
        """Return the item as an action. If it does not match its form, report an error and return None."""
        form, item, action = self._form, self._item, self._action
        if (item.subject is None) != (form.subject is None):
            wanted = f"begins with a {form.subject}" if form.subject else "takes no name before its values"
            self._error(f"{action.label.split()[0]} {wanted}", item.span)
            return None
        if item.subject is not None and form.subject is not None:
            setattr(action, form.subject, Point(item.subject, None, form.subject))
        good = self._values(form, item.arguments, item.span)
        if not good and not form.values:
            return None  # the values in the parentheses probably belong to the modifier
        good = self._modifiers() and good
        if action.kind is ActionKind.POSE and any(m.name.text == "time" for m in item.modifiers):
            action.kind = ActionKind.LIPOSE
        return action if good else None

    def _error(self, message: str, place: Span, code: str = "form", hint: str | None = None) -> Literal[False]:
        """Report an error and return False."""
        self._report.error(code, message, place, hint or f"the correct form is {self._form.usage}")
        return False

    def _values(
        self, form: PrimitiveForm | ModifierForm, arguments: tuple[Expression, ...], place: Span, where: str = ""
    ) -> bool:
        counts = form.counts or (len(form.values),)
        if len(arguments) not in counts:
            wanted = " or ".join(str(count) for count in counts)
            noun = "value" if counts == (1,) else "values"
            message = f"{self._action.label}{where} takes {wanted} {noun}, found {len(arguments)}"
            if counts == (0,):
                message = f"{self._action.label}{where} takes no values"
            return self._error(message, place, "value-count")
        self._action.operands += operands_of(form.values, self._action.label, arguments)
        return True

    def _modifiers(self) -> bool:
        known = {modifier.name: modifier for modifier in self._form.modifiers}
        seen: set[str] = set()
        good = True
        for modifier in self._item.modifiers:
            word, place = modifier.name.text, modifier.name.span
            if word not in known:
                message, hint = f"{self._form.keyword} has no '.{word}'", suggestion(word, known)
                good = self._error(message, place, "unknown-modifier", hint)
            elif word in seen:
                good = self._error(f"'.{word}' is given twice: remove one", place)
            else:
                good = self._modifier(known[word], modifier) and good
            seen.add(word)
        missing = [name for name, modifier in known.items() if modifier.required and name not in seen]
        # A misspelt modifier is not reported as missing, too.
        if missing and not seen - known.keys():
            needed = " and ".join(f".{name}(...)" for name in missing)
            return self._error(f"{self._action.label} needs {needed}", self._item.span, "missing-modifier")
        return good

    def _modifier(self, form: ModifierForm, modifier: Modifier) -> bool:
        """Match a modifier of the item, such as `.time(1)`, to its form and add its contents to the action.

        Returns:
            False if the modifier has an error, which is reported.
        """
        word, mode, selector, arguments = f"'.{form.name}'", modifier.mode, modifier.selector, modifier.arguments
        if form.modes and (mode is None or mode.text not in form.modes):
            return self._error(f"{word} needs {' or '.join(form.modes)} before its values", modifier.span)
        if mode is not None and not form.modes:
            return self._error(f"expected '(' after {word}", mode.span)
        if mode is not None and mode.text == "global":
            self._action.flags |= ActionFlag.GLOBAL
        if form is forms.FLAGS:
            return self._flags(modifier)
        if form.target is not None:
            is_point = form.target == "point"
            if not arguments or not isinstance(arguments[0], Name):
                wanted = "part or a joint" if is_point else form.target
                return self._error(f"{word} takes the name of a {wanted}", modifier.span)
            allowed = ("part", "joint") if is_point else (form.target,)
            if selector is not None and selector.text not in allowed:
                return self._error(f"expected {' or '.join(allowed)}, found '{selector.text}'", selector.span)
            setattr(self._action, form.meaning, Point(arguments[0], selector, form.target))
            arguments = arguments[1:]
        elif selector is not None:
            return self._error(f"{word} takes a value", selector.span)
        return self._values(form, arguments, modifier.span, f" .{form.name}")

    def _flags(self, modifier: Modifier) -> bool:
        words = [argument for argument in modifier.arguments if isinstance(argument, Name)]
        if modifier.selector is not None or len(words) != len(modifier.arguments) or not words:
            return self._error("'.flags' needs the flag s", modifier.span)
        unknown = [word for word in words if word.text != "s"]
        for word in unknown:
            hint = "the only flag is s, which marks the swing hip"
            self._error(f"unknown flag '{word.text}'", word.span, hint=hint)
        self._action.flags |= ActionFlag.SWING
        return not unknown


def operands_of(values: Iterable[Value], label: str, arguments: Sequence[Expression]) -> list[Operand]:
    """Return the arguments of a statement as operands, each with its meaning.

    Args:
        values: values that the statement takes, in order. Those beyond the number of arguments are omitted.
        label: name of the statement in messages, such as "POSE rKnee".
        arguments: expressions in the text, in order.
    """
    return [Operand(value, label, expression) for value, expression in zip(values, arguments, strict=False)]


def bind_feedback(feedback: Feedback, report: FindingCollector) -> BoundAction | None:
    """Return the gains and the reference point of a COMFB2 (balance feedback) as an action.

    Its contents are to be merged into the VPD that follows in the text. If the COMFB2 does not match its form, report
    an error and return None.
    """
    if feedback.kind.text not in ("j", "p"):
        message = f"expected j (joint) or p (part), found '{feedback.kind.text}'"
        report.error("form", message, feedback.kind.span, f"the correct form is {forms.FEEDBACK_USAGE}")
        return None
    point = Point(feedback.target, None, "joint" if feedback.kind.text == "j" else "part")
    operands = operands_of(forms.FEEDBACK_VALUES, "COMFB2", (feedback.cd, feedback.cv))
    return BoundAction(ActionKind.VPD, "COMFB2", feedback.span, reference=point, operands=operands)


def bind_condition(condition: ConditionTree, report: FindingCollector) -> BoundCondition | None:
    """Determine the meaning of the values in a transition's condition, and in all conditions that it joins.

    If any of these does not match its form, such as `contact part`, report an error and return None.
    """
    if isinstance(condition, Condition):
        return _bind_one(condition, report)
    if isinstance(condition, ConditionGroup):
        return bind_condition(condition.inner, report)
    if isinstance(condition, Inversion):
        kind, sides = TransitionKind.NOT, [condition.operand]
    else:
        kind, sides = TransitionKind[condition.operator.upper()], [condition.left, condition.right]
    parts = tuple(bind_condition(side, report) for side in sides)
    found = tuple(part for part in parts if part is not None)
    if len(found) < len(parts):
        return None
    return BoundCondition(kind, kind.name.lower(), condition.span, parts=found)


def _bind_one(condition: Condition, report: FindingCollector) -> BoundCondition | None:
    word, place = condition.word.text, condition.word.span
    form = forms.CONDITION_FORMS.get(word)
    if form is None:
        message, hint = f"unknown condition '{word}'", suggestion(word, forms.CONDITION_FORMS)
        if word in forms.STATE_QUANTITIES:
            message = f"'{word}' is a quantity of the state, not a condition"
            hint = f"a comparison begins with 'when', as in: when {word}... > VALUE"
        known = ", ".join(forms.CONDITION_FORMS)
        report.error("unknown-condition", message, place, hint or f"the conditions are {known}")
        return None
    usage, label, values = f"the correct form is {form.usage}", word, form.values
    if word == "when":
        # a number on one side has the quantity of the other side
        kind = forms.COMPARISONS[condition.comparison or ">"]
        quantity = next((q for q in map(_measured, condition.arguments) if q is not None), "argument")
        values = (Value("left", quantity, 0), Value("right", quantity, 1))
    elif word == "fallen":
        if condition.comparison not in forms.FALLEN_KINDS:
            found = f"'{condition.comparison}'" if condition.comparison else "nothing"
            message = f"expected '<', '>' or x after fallen, found {found}"
            report.error("form", message, condition.comparison_span or condition.span, usage)
            return None
        kind, label = forms.FALLEN_KINDS[condition.comparison], f"fallen {condition.comparison}"
    elif condition.comparison is not None:
        report.error("form", f"the condition '{word}' cannot have a comparison sign", condition.comparison_span, usage)
        return None
    else:
        kind = TransitionKind[word.upper()]
    fault = _fault_of_arguments(form, values, condition.arguments, condition.span)
    if fault is not None:
        message, at, hint = fault
        report.error("form", message, at, hint or usage)
        return None
    bound = BoundCondition(kind, label, condition.span)
    if form.takes == "values":
        bound.operands = operands_of(values, label, condition.arguments)
    elif form.takes == "part" and isinstance(condition.arguments[0], Name):
        bound.part = Point(condition.arguments[0], None, "part")
    return bound


def _measured(expression: Expression) -> str | None:
    """Return the physical quantity of an expression, such as "angle"; None if no addend of it reads the state.

    It is the quantity of the first addend that reads the state.
    """
    states = (node for node in addends(expression) if isinstance(node, State))
    return next((forms.STATE_QUANTITIES[state.word.text].quantity for state in states), None)


def _fault_of_arguments(
    form: forms.ConditionForm, values: tuple[Value, ...], arguments: tuple[Expression, ...], place: Span
) -> tuple[str, Span, str | None] | None:
    """Return an error if the arguments of a condition do not match its form; otherwise None.

    Args:
        form: form of the condition, such as `contact part`.
        values: values that the condition takes.
        arguments: expressions in the text.
        place: position of the condition in the text.

    Returns:
        The message, its position and a hint. If the hint is None, the form is to be shown.
    """
    wanted = {"values": len(values), "part": 1, "nothing": 0}[form.takes]
    if len(arguments) == wanted:
        if form.takes == "part" and not isinstance(arguments[0], Name):
            return f"'{form.word}' takes the name of a part, without parentheses", arguments[0].span, None
        return None
    joining = next((a for a in arguments if isinstance(a, Name) and a.text.lower() in _JOINING), None)
    if joining is not None:
        hint = f"join conditions by '{joining.text.lower()}', in lower case"
        return f"unexpected '{joining.text}'", joining.span, hint
    if form.takes == "part":
        return f"'{form.word}' takes the name of a part", place, None
    count = f"{wanted or 'no'} value{'' if wanted == 1 else 's'}"
    return f"'{form.word}' takes {count}, found {len(arguments)}", place, None
