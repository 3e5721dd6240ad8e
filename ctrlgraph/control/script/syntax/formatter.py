"""The canonical layout of a script.

The formatter moves tokens and comments instead of printing the tree. Its output has the same tokens in the same order,
except for optional semicolons and POSEFB's optional comma. Line breaks after a list's commas and before a modifier are
kept. Further line breaks are added to lines that are too long.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from lark import Token

from ctrlgraph.control.script.syntax.parser import comments_in, parse_script, tokens_of
from ctrlgraph.control.script.syntax.syntax import (
    ActionBlock,
    Binary,
    ConditionGroup,
    Group,
    Number,
    Phase,
    Primitive,
    Script,
    walk,
)
from ctrlgraph.errors import SourceError, Span

LINE_LENGTH = 120
_INDENT, _CONTINUATION = "  ", "    "
_OPENERS = {"BEGINSCRIPT", "PHASE", "ACTIONS"}
_CLOSERS = {"ENDSCRIPT": 0, "ENDPHASE": 1, "ENDACTIONS": 2}
"""Words that end a block, with their indentation."""
_NO_SPACE_BEFORE = {"COMMA", "SEMICOLON", "RPAR", "DOT"}
_Place = tuple[int, int]  # line and column


@dataclass(slots=True)
class _Marks:
    """Places of the text, by line and column."""

    depths: dict[_Place, int] = field(default_factory=dict)  # beginnings of statements, with their indentation
    operators: set[_Place] = field(default_factory=set)  # signs that join two values
    groups: set[_Place] = field(default_factory=set)  # parentheses of expressions, not of lists
    ranges: set[_Place] = field(default_factory=set)  # beginnings of search ranges
    range_ends: set[_Place] = field(default_factory=set)
    second_gains: set[_Place] = field(default_factory=set)  # of POSEFB; a comma is required before them


def _marks_of(script: Script) -> _Marks:
    """Return the marks of a whole script."""
    marks = _Marks()
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
            marks.second_gains |= {_start(i.arguments[1].span) for i in node.items if len(i.arguments) == 2}
        elif isinstance(node, Binary):
            marks.operators.add(_start(node.operator_span))
        elif isinstance(node, Group | ConditionGroup):
            marks.groups.add(_start(node.span))
        elif isinstance(node, Number) and node.range_span is not None:
            marks.ranges.add(_start(node.range_span))
            marks.range_ends.add((node.range_span.end_line, node.range_span.end_column - 1))
    return marks


@dataclass(frozen=True, slots=True)
class _Comment:
    text: str
    line: int
    start: int


@dataclass(slots=True)
class _Statement:
    """Tokens, the comments between them, and a comment after them on the same line."""

    depth: int
    pieces: list[Token | _Comment] = field(default_factory=list)
    trailing: _Comment | None = None

    @property
    def first(self) -> Token:
        return next(piece for piece in self.pieces if isinstance(piece, Token))

    @property
    def last(self) -> Token:
        return next(piece for piece in reversed(self.pieces) if isinstance(piece, Token))


def format_script(text: str, path: str = "script") -> str:
    """Return the text in canonical layout. A second formatting has no effect.

    Raises:
        SourceError: the text has syntax errors.
    """
    parsed = parse_script(text, path)
    if parsed.script is None or not parsed.ok:
        raise SourceError(parsed.findings)
    marks = _marks_of(parsed.script)
    lines: list[str] = []
    previous_line: int | None = None
    opened = False
    for part in _parts(text, marks):
        if isinstance(part, _Comment):
            start, end, closes = part.line, part.line, False
            written = [part.text]
        else:
            start, end, closes = part.first.line or 1, _end_line(part), part.first.type in _CLOSERS
            written = _lines_of(part, marks)
        if previous_line is not None and start > previous_line + 1 and not opened and not closes:
            lines.append("")
        lines += written
        previous_line = end
        opened = not isinstance(part, _Comment) and part.first.type in _OPENERS
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _end_line(statement: _Statement) -> int:
    return statement.trailing.line if statement.trailing else statement.last.end_line or 1


def _parts(text: str, marks: _Marks) -> list[_Statement | _Comment]:
    """Return the statements, and the comments between them with indentation."""
    statements = _statements(text, marks)
    parts: list[_Statement | _Comment] = []
    waiting = deque(_comments(text))
    for index, statement in enumerate(statements):
        first, last = statement.first, statement.last
        while waiting and waiting[0].start < (first.start_pos or 0):
            depth = statement.depth + (1 if first.type in _CLOSERS else 0)
            parts.append(_indented(waiting.popleft(), depth))
        if waiting and waiting[0].start < (last.start_pos or 0):
            statement.pieces = _merged(statement.pieces, waiting)
        following = statements[index + 1].first.start_pos if index + 1 < len(statements) else None
        behind = waiting and waiting[0].line == last.end_line
        if behind and (following is None or waiting[0].start < following):
            statement.trailing = waiting.popleft()
        parts.append(statement)
    return parts + [_indented(comment, 0) for comment in waiting]


def _indented(comment: _Comment, depth: int) -> _Comment:
    return _Comment(_INDENT * depth + comment.text, comment.line, comment.start)


def _comments(text: str) -> Iterator[_Comment]:
    line, position = 1, 0
    for match in comments_in(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        yield _Comment(match.group().rstrip(), line, position)


def _merged(pieces: list[Token | _Comment], waiting: deque[_Comment]) -> list[Token | _Comment]:
    """Return the tokens of a statement with the comments before its last token, which are removed from `waiting`."""
    merged: list[Token | _Comment] = []
    for piece in pieces:
        while waiting and isinstance(piece, Token) and waiting[0].start < (piece.start_pos or 0):
            merged.append(waiting.popleft())
        merged.append(piece)
    return merged


def _statements(text: str, marks: _Marks) -> list[_Statement]:
    statements: list[_Statement] = []
    for token in tokens_of(text):
        place = _place(token)
        depth = _CLOSERS.get(token.type, marks.depths.get(place))
        if depth is not None:
            statements.append(_Statement(depth))
        pieces = statements[-1].pieces
        if token.type == "SEMICOLON" and isinstance(pieces[0], Token) and pieces[0].type in ("SET", "COMFB2"):
            continue
        before = pieces[-1] if pieces else None
        if place in marks.second_gains and isinstance(before, Token) and before.type != "COMMA":
            pieces.append(Token.new_borrow_pos("COMMA", ",", before))
        pieces.append(token)
    return statements


def _lines_of(statement: _Statement, marks: _Marks) -> list[str]:
    """Return the statement's lines with indentation."""
    indent = _INDENT * statement.depth
    continuation = indent + _CONTINUATION
    lines: list[str] = [indent]
    for atom, forced in _atoms(statement, marks):
        fits = len(lines[-1]) + len(atom) <= LINE_LENGTH
        fresh = lines[-1].strip() == ""
        if fresh or (fits and not forced):
            lines[-1] += atom if not fresh else atom.lstrip()
        else:
            lines.append(continuation + atom.lstrip())
    if statement.trailing is not None:
        lines[-1] += "  " + statement.trailing.text
    return lines


def _atoms(statement: _Statement, marks: _Marks) -> list[tuple[str, bool]]:
    """Return indivisible pieces of text, each with whether a line break must precede it."""
    atoms: list[tuple[list[str], bool]] = []
    depth, previous = 0, None
    allowed = (
        1 if statement.first.type in ("MORE", "BEGINSCRIPT") else 0
    )  # depth of the list with commas that can end a line
    after_comment = False
    for piece in statement.pieces:
        if isinstance(piece, _Comment):
            own_line = previous is None or piece.line != previous.end_line or after_comment
            atoms.append((["  " + piece.text], own_line))
            after_comment = True
            continue
        newline = previous is not None and (piece.line or 0) > (previous.end_line or 0)
        at_comma = previous is not None and previous.type == "COMMA" and depth == allowed
        at_modifier = piece.type == "DOT" and depth == 0 and newline and statement.first.type == "PRIMITIVE"
        text = _separator(previous, piece, marks) + str(piece)
        if previous is None or at_comma or at_modifier or after_comment:
            atoms.append(([text], after_comment or newline))
        else:
            atoms[-1][0].append(text)
        depth += {"LPAR": 1, "RPAR": -1}.get(piece.type, 0)
        previous, after_comment = piece, False
    return [("".join(texts), forced) for texts, forced in atoms]


def _separator(before: Token | None, token: Token, marks: _Marks) -> str:
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


def _is_sign(token: Token, marks: _Marks) -> bool:
    """Return whether the token is the minus sign of the value after it."""
    return token.type == "MINUS" and _place(token) not in marks.operators


def _place(token: Token) -> _Place:
    return token.line or 1, token.column or 1


def _start(span: Span) -> _Place:
    return span.line, span.column
