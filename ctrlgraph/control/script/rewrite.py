"""Replacement of numbers in a script's text, for example by tuned values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from ctrlgraph.control.script.syntax.parser import parse_script
from ctrlgraph.control.script.syntax.syntax import Number, Phase, Script, Transition, walk
from ctrlgraph.errors import SourceError


def with_constants(text: str, changes: Mapping[tuple[int, int], float]) -> str:
    """Return the text of a script with other values of some of its numbers. Layout and comments are not changed.

    Args:
        text: a script without syntax errors.
        changes: new values by (line, column) of the number in the text, both from 1, as in `Parameter`. The column is
            that of the number's sign, if it has one.

    Raises:
        SourceError: the text has syntax errors.
        ValueError: no number begins at one of the places, or a value is not finite.
    """
    parsed = parse_script(text, "script")
    if parsed.script is None or not parsed.ok:
        raise SourceError(parsed.findings)
    literals = {(n.span.line, n.span.column): n for n in literals_of(parsed.script)}
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    pieces: list[tuple[int, int, int, str]] = []
    for place, value in changes.items():
        if place not in literals:
            raise ValueError(f"the script has no number in line {place[0]}, column {place[1]}")
        if not math.isfinite(value):
            raise ValueError(f"line {place[0]}, column {place[1]}: the value must be finite, not {value}")
        span, last = literals[place].span, literals[place].range_span or literals[place].span
        start = starts[span.line - 1] + span.column - 1
        end, after = (starts[each.end_line - 1] + each.end_column - 1 for each in (span, last))
        pieces.append((start, end, after, _written(float(value), text[start:end])))
    for start, end, after, number in sorted(pieces, reverse=True):
        # `(2.2-2.)` are two gains: without the sign, the second needs a space.
        glued = start > 0 and (text[start - 1].isalnum() or text[start - 1] in "._")
        space = " " if glued and number[0] not in "- " else ""
        if text[start] == "-" and number[0] != "-" and _without_comments(text[:start]).endswith("-"):
            # in parentheses with its range: otherwise the minus before it would become its sign
            text, number = text[:after] + ")" + text[after:], f"({number}"
        text = text[:start] + space + number + text[end:]
    return text


def _written(value: float, before: str) -> str:
    """Return the text of a value that replaces a number in a script. A comment between sign and digits is kept.

    Args:
        value: the new value.
        before: the text of the replaced number.
    """
    number = repr(value)
    if "#" not in before:
        return number
    gap = before[1 : before.rindex("\n") + 1]
    return number[0] + gap + number[1:] if number.startswith("-") else " " + gap + number


def _without_comments(before: str) -> str:
    """Return the text before a number without the spaces and comments at its end."""
    before = before.rstrip()
    while (comment := before.find("#", before.rfind("\n") + 1)) >= 0:
        before = before[:comment].rstrip()
    return before


def literals_of(script: Script) -> Iterator[Number]:
    """Return the numbers of a script that are constants: all except the numbers of phases."""
    names: set[int] = set()
    for node in walk(script):
        if isinstance(node, Phase):
            names.add(id(node.number))
        elif isinstance(node, Transition):
            names.add(id(node.target))
        elif isinstance(node, Number) and id(node) not in names:
            yield node
