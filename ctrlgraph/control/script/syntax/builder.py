"""Conversion of the parse tree of the library lark to the syntax tree of the module `syntax`."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

from lark import Token

from ctrlgraph.control.script.bounds import MAX_EDGES_AHEAD
from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.codes import FAIL
from ctrlgraph.control.script.syntax import syntax
from ctrlgraph.control.script.syntax.forms import STATE_FORMS, STATE_VARIABLES, StateForm
from ctrlgraph.errors import Span, suggestion

Node = Any  # a lark Tree with trees, tokens and None as children, which lark's types do not distinguish
_MAX_DEPTH = 100
"""Maximum number of nested nodes, because functions on the tree are recursive."""

_UNITS = {
    "deg": "angles are in radians",
    "degrees": "angles are in radians",
    "ms": "times are in seconds",
    "cm": "lengths are in metres",
    "mm": "lengths are in metres",
} | dict.fromkeys(("rad", "radians", "s", "sec", "seconds", "m", "N", "Nm", "kg"), "numbers are in SI units")
"""Units that authors may write after a number, which is an error, and the hint for each."""
_FUNCTIONS = frozenset(("sin", "cos", "tan", "sqrt", "abs", "min", "max", "exp", "pow", "atan2", "random"))


class TooDeep(Exception):
    """An expression or a condition has too many nested parts. The argument of the exception is its span in the text."""


class Builder:
    """Converter of lark's parse tree to syntax nodes. It also reports syntax errors that the grammar does not exclude.

    Each rule of the grammar has a method of the same name, all but `script` with an underscore before it.
    """

    def __init__(self, report: FindingCollector) -> None:
        self._report = report
        self._depth = 0
        self._parameters: frozenset[str] = frozenset()

    def script(self, tree: Node) -> syntax.Script:
        """Return the syntax tree of a script.

        Args:
            tree: lark's parse tree of the whole file.
        """
        *prelude, script = tree.children
        begin, title, parameters, *rest = script.children
        names = tuple(name(child) for child in parameters.children) if parameters is not None else ()
        if len(names) == 1 and names[0].text == "void":
            names = ()
        self._parameters = frozenset(parameter.text for parameter in names)
        phases = self._nodes(rest)
        header = _from_to(begin, parameters.children[-1] if parameters is not None else title)
        return syntax.Script(name(title), names, phases, self._nodes(prelude), header, span(script))

    def _node(self, tree: Node) -> Any:
        """Return the syntax node for a node of lark's parse tree.

        Raises:
            TooDeep: the node is nested more than `_MAX_DEPTH` deep.
        """
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise TooDeep(span(tree))
        node = getattr(self, f"_{tree.data}")(tree)
        self._depth -= 1
        return node

    def _nodes(self, children: list[Node]) -> tuple[Any, ...]:
        return tuple(self._node(child) for child in children if not isinstance(child, Token))

    def _scripts(self, tree: Node) -> syntax.Uses:
        return syntax.Uses(self._nodes(tree.children), span(tree))

    def _setting(self, tree: Node) -> syntax.Setting:
        _, title, joint, value, _ = tree.children
        of_joint = name(joint) if joint is not None else None
        return syntax.Setting(name(title), self._node(value), span(tree), of_joint)

    def _success(self, tree: Node) -> syntax.Success:
        _, title, measure, low, _, high, _ = tree.children
        least, greatest = (None if end is None else self._bound(end) for end in (low, high))
        return syntax.Success(name(title), name(measure), least, greatest, span(tree))

    def _script_name(self, tree: Node) -> syntax.ScriptName:
        stem, extension = tree.children
        if extension is not None and extension not in ("t", "s"):
            message = f"a script's name ends with .t or .s, not .{extension}"
            self._report.error("script-extension", message, token_span(extension))
        return syntax.ScriptName(str(stem), str(extension) if extension else None, span(tree))

    def _phase(self, tree: Node) -> syntax.Phase:
        keyword, number, *rest = tree.children
        return syntax.Phase(_literal(number), self._nodes(rest), _from_to(keyword, number), span(tree))

    def _call(self, tree: Node) -> syntax.Call:
        script, values, modifier = tree.children
        if modifier is not None and modifier != "mirrored":
            hint = suggestion(str(modifier), ("mirrored",)) or "the correct form is > script(values)[.mirrored];"
            self._report.error(
                "unknown-modifier", f"unknown modifier '.{modifier}' of a call", token_span(modifier), hint
            )
        arguments = self._values(values)
        if len(arguments) == 1 and isinstance(arguments[0], syntax.Name) and arguments[0].text == "void":
            arguments = ()
        self._require_commas(values)
        return syntax.Call(self._script_name(script), arguments, span(tree), modifier == "mirrored")

    def _block(self, tree: Node) -> syntax.ActionBlock:
        keyword, *rest = tree.children
        return syntax.ActionBlock(self._nodes(rest), token_span(keyword), span(tree))

    def _state(self, tree: Node) -> syntax.StateCommand:
        keyword, title = tree.children
        text = ".".join(str(child) for child in title.children if child is not None)
        return syntax.StateCommand(str(keyword), token_span(keyword), text, span(tree))

    def _feedback(self, tree: Node) -> syntax.Feedback:
        keyword, cd, cv, kind, target, _ = tree.children
        place = replace(span(tree), end_line=target.end_line, end_column=target.end_column)
        gains = self._node(cd), self._node(cv)
        return syntax.Feedback(*gains, name(kind), name(target), token_span(keyword), place)

    def _primitive(self, tree: Node) -> syntax.Primitive:
        keyword, *items = tree.children
        made = tuple(self._item(child, lenient=keyword == "POSEFB") for child in items)
        return syntax.Primitive(str(keyword), token_span(keyword), made, span(tree))

    def _item(self, tree: Node, lenient: bool) -> syntax.Item:
        children = list(tree.children)
        subject = name(children.pop(0)) if tree.data == "item" else None
        values = children.pop(0)
        arguments = self._values(values)
        if not lenient:
            self._require_commas(values)
        elif len(arguments) == 1:
            arguments = _split_difference(arguments[0])
        return syntax.Item(subject, arguments, self._nodes(children), span(tree))

    def _modifier(self, tree: Node) -> syntax.Modifier:
        title, mode, values = tree.children
        arguments = self._values(values)
        selector: syntax.Name | None = None
        if len(arguments) > 1 and isinstance(arguments[0], syntax.Name) and not isinstance(values.children[1], Token):
            selector, arguments = arguments[0], arguments[1:]
        self._require_commas(values, free=1 if selector else 0)
        return syntax.Modifier(name(title), name(mode) if mode else None, selector, arguments, span(tree))

    def _transition(self, tree: Node) -> syntax.Transition:
        _, to, bound, after, condition = tree.children
        for word, expected in ((to, "to"), (after, "after")):
            if word != expected:
                message = f"expected '{expected}', found '{word}': a transition is TRANSITION to(N).after(condition);"
                self._report.error("syntax", message, token_span(word))
        if isinstance(bound, Token):
            target = syntax.Number(str(bound), float(FAIL), token_span(bound))
        else:
            target = self._bound(bound)
        return syntax.Transition(target, self._node(condition), span(tree))

    def _either(self, tree: Node) -> syntax.Junction:
        left, operator, right = tree.children
        sides = self._node(left), self._node(right)
        return syntax.Junction(str(operator), *sides, span(tree))

    _all = _either

    def _inverse(self, tree: Node) -> syntax.Inversion:
        return syntax.Inversion(self._node(tree.children[1]), span(tree))

    def _condition_group(self, tree: Node) -> syntax.ConditionGroup:
        return syntax.ConditionGroup(self._node(tree.children[0]), span(tree))

    def _condition(self, tree: Node) -> syntax.Condition:
        word, *rest = tree.children
        sign = next((child for child in rest if isinstance(child, Token)), None)
        if tree.data == "condition":
            arguments = self._values(rest[0])
        else:
            arguments = tuple(self._node(child) for child in rest if child is not sign)
        comparison, place = (None, None) if sign is None else (str(sign), token_span(sign))
        return syntax.Condition(name(word), comparison, place, arguments, span(tree))

    _comparison = _angle_range = _when = _condition

    def _values(self, tree: Node) -> tuple[syntax.Expression, ...]:
        if tree is None:
            return ()
        self._drop_units(tree)
        return tuple(self._node(child) for child in tree.children if not isinstance(child, Token))

    def _drop_units(self, tree: Node) -> None:
        """Report units after numbers in a list of values, as in `63 deg`, and remove them from the list."""
        for before, after in pairwise(tree.children[:]):
            if isinstance(before, Token) or before.data != "number" or isinstance(after, Token):
                continue
            word = str(after.children[0]) if after.data == "reference" else ""
            if word not in _UNITS or word in self._parameters:
                continue
            hint = _UNITS[word]
            if word.startswith("deg"):
                hint += f": write {math.radians(float(before.children[0])):.4g}"
            self._report.error("unit", f"numbers are written without units: remove '{word}'", span(after), hint)
            tree.children.remove(after)

    def _require_commas(self, tree: Node, free: int = 0) -> None:
        """Report every missing comma in a list of values, except in the first `free` gaps."""
        pairs = pairwise(tree.children) if tree is not None else ()
        gaps = [pair for pair in pairs if not any(isinstance(side, Token) for side in pair)]
        for before, after in gaps[free:]:
            if self._report.has_error_in(span(tree)):
                return
            if before.data == "reference" and after.data == "group":
                word = before.children[0]
                hint = suggestion(str(word), STATE_FORMS) or "the quantities are " + ", ".join(STATE_FORMS)
                if word in _FUNCTIONS:
                    hint = "expressions cannot contain functions, only + - * / and parentheses"
                self._report.error("unknown-quantity", f"unknown quantity '{word}(...)'", token_span(word), hint)
            else:
                self._report.error("syntax", "expected ',' before this value", span(after))

    def _number(self, tree: Node) -> syntax.Number:
        literal, search = tree.children
        number = _literal(literal)
        if search is None:
            return number
        low, high = (self._bound(child).value for child in search.children)
        return replace(number, low=low, high=high, range_span=span(search))

    def _bound(self, tree: Node) -> syntax.Number:
        minus, literal = tree.children
        return _literal(literal) if minus is None else negated(_literal(literal), token_span(minus))

    def _reference(self, tree: Node) -> syntax.Name | syntax.State:
        word = name(tree.children[0])
        if word.text in STATE_VARIABLES and word.text not in self._parameters:
            return syntax.State(word, None, word.span)
        return word

    def _state_quantity(self, tree: Node) -> syntax.Expression:
        word, values = tree.children
        form = STATE_FORMS[str(word)]
        given = [child for child in values.children if not isinstance(child, Token)] if values is not None else []
        fault = _fault_of_quantity(form, given)
        if fault is not None:
            self._report.error("form", f"'{word}' {fault}", span(tree), f"the correct form is {form.usage}")
            return syntax.Number("0", 0.0, span(tree))
        self._require_commas(values)
        if form.takes == "value":
            return syntax.State(name(word), None, span(tree), value=self._node(given[0]))
        index = int(given[1].children[0]) if len(given) > 1 else 1
        return syntax.State(name(word), name(given[0].children[0]), span(tree), index)

    def _group(self, tree: Node) -> syntax.Group:
        return syntax.Group(self._node(tree.children[0]), span(tree))

    def _negation(self, tree: Node) -> syntax.Expression:
        minus, operand = tree.children
        inner = self._node(operand)
        if isinstance(inner, syntax.Number) and not inner.text.startswith("-"):
            return negated(inner, token_span(minus))
        return syntax.Negation(inner, span(tree))

    def _binary(self, tree: Node) -> syntax.Binary:
        left, operator, right = tree.children
        sides = self._node(left), self._node(right)
        return syntax.Binary(str(operator), *sides, token_span(operator), span(tree))


def _fault_of_quantity(form: StateForm, given: list[Node]) -> str | None:
    """Return the error in the parentheses of a quantity of the state, as in `angle(rKnee)`; None if there is none.

    Args:
        form: form of the quantity.
        given: lark's nodes in the parentheses.
    """
    if form.takes == "value":
        return None if len(given) == 1 else "takes one number, a position x in the world"
    if not given or given[0].data != "reference":
        return f"takes the name of a {form.takes}"
    if len(given) > 1 + form.counted:
        more = ", and optionally a number" if form.counted else " and nothing else"
        return f"takes the name of a {form.takes}{more}"
    if len(given) > 1:
        number, search = given[1].children if given[1].data == "number" else ("", None)
        if search is not None or not str(number).isdecimal() or not 1 <= int(number) <= MAX_EDGES_AHEAD:
            return f"takes a number from 1 to {MAX_EDGES_AHEAD}"
    return None


def _literal(token: Token) -> syntax.Number:
    return syntax.Number(str(token), float(token), token_span(token))


def negated(number: syntax.Number, minus: Span) -> syntax.Number:
    """Return a number with a minus sign before it.

    Args:
        number: the number without a sign.
        minus: span of the sign in the text, where the span of the result begins.
    """
    place = Span(minus.line, minus.column, number.span.end_line, number.span.end_column)
    return replace(number, text="-" + number.text, value=-number.value, span=place)


def _split_difference(expression: syntax.Expression) -> tuple[syntax.Expression, ...]:
    """Return two gains such as `(2.2 -2.)`, which look like a difference, as two expressions.

    Firmin's scripts omit the comma between the gains of POSEFB. Any other expression is returned alone.
    """
    if not isinstance(expression, syntax.Binary) or expression.operator != "-":
        return (expression,)
    right, minus = expression.right, expression.operator_span
    if isinstance(right, syntax.Number) and not right.text.startswith("-"):
        return (expression.left, negated(right, minus))
    whole = Span(minus.line, minus.column, right.span.end_line, right.span.end_column)
    return (expression.left, syntax.Negation(right, whole))


def name(token: Token) -> syntax.Name:
    """Return a token of the text as a node of the syntax tree."""
    return syntax.Name(str(token), token_span(token))


def token_span(token: Token) -> Span:
    """Return the position of a token in the text."""
    return _from_to(token, token)


def _from_to(first: Token, last: Node) -> Span:
    return Span(first.line or 1, first.column or 1, last.end_line or 1, last.end_column or 1)


def span(tree: Node) -> Span:
    """Return the position of a node of lark's parse tree in the text, from its first token to the last."""
    meta = tree.meta
    return Span(meta.line, meta.column, meta.end_line, meta.end_column)
