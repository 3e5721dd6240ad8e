"""What the formatter has to know of the tree: where statements begin and what each sign means there."""

from __future__ import annotations

from dataclasses import dataclass, field

from lark import Token

from ctrlgraph.control.script.syntax.syntax import (
    ActionBlock,
    Binary,
    ConditionGroup,
    Group,
    Item,
    Number,
    Phase,
    Primitive,
    Script,
    walk,
)
from ctrlgraph.errors import Span

Place = tuple[int, int]  # line and column
_NO_SPACE_BEFORE = {"COMMA", "SEMICOLON", "RPAR", "DOT"}


@dataclass(slots=True)
class Marks:
    """Places of the text, by line and column."""

    depths: dict[Place, int] = field(default_factory=dict)  # where statements begin, how far indented
    operators: set[Place] = field(default_factory=set)  # signs that join two values
    groups: set[Place] = field(default_factory=set)  # parentheses of expressions, not of lists
    ranges: set[Place] = field(default_factory=set)  # where search ranges begin
    range_ends: set[Place] = field(default_factory=set)
    second_gains: set[Place] = field(default_factory=set)  # POSEFB's, before which a comma belongs


def marks_of(script: Script) -> Marks:
    """Return the marks of a whole script."""
    marks = Marks()
    marks.depths[_start(script.span)] = 0
    for part in script.prelude:
        marks.depths[_start(part.span)] = 0
    for node in walk(script):
        if isinstance(node, Phase):
            marks.depths[_start(node.span)] = 1
            marks.depths |= {_start(member.span): 2 for member in node.members}
        elif isinstance(node, ActionBlock):
            marks.depths |= {_start(action.span): 3 for action in node.actions}
        elif isinstance(node, Primitive) and node.keyword == "POSEFB":
            marks.second_gains |= {_start(item.arguments[1].span) for item in node.items if _has_two(item)}
        elif isinstance(node, Binary):
            marks.operators.add(_start(node.operator_span))
        elif isinstance(node, Group | ConditionGroup):
            marks.groups.add(_start(node.span))
        elif isinstance(node, Number) and node.range_span is not None:
            marks.ranges.add(_start(node.range_span))
            marks.range_ends.add((node.range_span.end_line, node.range_span.end_column - 1))
    return marks


def base_depth(first: Token) -> int:
    """Return how many parentheses deep the list stands whose commas may end a line."""
    return 1 if first.type in ("MORE", "BEGINSCRIPT") else 0


def separator(before: Token | None, token: Token, marks: Marks) -> str:
    """Return the space between two tokens of a line."""
    if before is None or token.type in _NO_SPACE_BEFORE or before.type in ("LPAR", "DOT"):
        return ""
    if _is_sign(before, marks) or token.type == "COLON":
        return " " if before.type == "EQUAL" else ""
    if before.type == "COLON":
        return ""
    place = _place(token)
    if token.type == "LPAR" and place not in marks.groups:
        return " " if before.type == "PRIMITIVE" else ""
    if place in marks.range_ends or _place(before) in marks.ranges:
        return ""
    return " "


def _is_sign(token: Token, marks: Marks) -> bool:
    """Whether the token is a minus that belongs to the value after it."""
    return token.type == "MINUS" and _place(token) not in marks.operators


def _has_two(item: Item) -> bool:
    return len(item.arguments) == 2


def _place(token: Token) -> Place:
    return token.line or 1, token.column or 1


def _start(span: Span) -> Place:
    return span.line, span.column
