"""Formatter of scripts: it returns a text in canonical layout.

The formatter moves tokens and comments instead of printing the syntax tree. Its output has the same tokens in the same
order, without optional semicolons. Each statement begins on its own line. Line breaks after commas and before modifiers
are kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from lark import Token

from ctrlgraph.control.script.syntax.parser import comments_in, parse_script, tokens_of
from ctrlgraph.control.script.syntax.syntax import Binary, ConditionGroup, Group, Number, Script, walk
from ctrlgraph.errors import SourceError, Span

_INDENT, _CONTINUATION = "  ", "    "
_OPENERS = {"BEGINSCRIPT", "PHASE", "ACTIONS"}
_CLOSERS = {"ENDSCRIPT", "ENDPHASE", "ENDACTIONS"}
_BEGINNINGS = _OPENERS | _CLOSERS | {"SCRIPTS", "SET", "PRIMITIVE", "COMFB2", "SAVE", "LOAD", "TRANSITION"}
_NO_SPACE_BEFORE = {"COMMA", "SEMICOLON", "RPAR", "DOT", "COLON"}
_Place = tuple[int, int]  # line and column


def format_script(text: str, path: str = "script") -> str:
    """Return the text of a script in canonical layout. Formatting the result again does not change it.

    Args:
        text: text of a script.
        path: name of the file in error messages.

    Raises:
        SourceError: the text has syntax errors.
    """
    parsed = parse_script(text, path)
    if parsed.script is None or not parsed.ok:
        raise SourceError(parsed.findings)
    spacing = _Spacing(parsed.script)
    comments = deque(_comments(text))
    lines = _Lines()
    depth = 0
    for statement in _statements(text):
        first = statement[0]
        while comments and (comments[0].start_pos or 0) < (first.start_pos or 0):
            lines.add_comment(comments.popleft(), _INDENT * depth)
        depth -= first.type in _CLOSERS
        lines.begin(first, _INDENT * depth, may_skip=first.type not in _CLOSERS)
        previous, continuation = first, _INDENT * depth + _CONTINUATION
        for token in statement[1:]:
            has_comment = False
            while comments and (comments[0].start_pos or 0) < (token.start_pos or 0):
                lines.add_comment(comments.popleft(), continuation, may_skip=False)
                has_comment = True
            newline = (token.line or 0) > (previous.end_line or 0)
            if has_comment or (newline and (previous.type == "COMMA" or token.type == "DOT")):
                lines.begin(token, continuation, may_skip=False)
            else:
                lines.add(token, spacing.between(previous, token))
            previous = token
        depth += first.type in _OPENERS
        lines.at_block_start = first.type in _OPENERS
    for comment in comments:
        lines.add_comment(comment, "")
    return "\n".join(lines.written) + "\n"


def _comments(text: str) -> Iterator[Token]:
    for match in comments_in(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Token("COMMENT", match.group().rstrip(), match.start(), line, end_line=line)


def _statements(text: str) -> list[list[Token]]:
    """Return the tokens of a script, grouped by statement, without optional semicolons.

    Each beginning and each end of a block, such as `PHASE 1` and `ENDPHASE`, is a group, too.
    """
    statements: list[list[Token]] = []
    for token in tokens_of(text):
        last = statements[-1] if statements else []
        is_call = token.type == "MORE" and (last[-1].type == "SEMICOLON" or last[0].type in ("PHASE", "ENDACTIONS"))
        if is_call or token.type in _BEGINNINGS:
            statements.append([token])
        elif token.type != "SEMICOLON" or last[0].type not in ("SET", "COMFB2"):
            last.append(token)
    return statements


class _Lines:
    """The lines of the formatted text.

    Consecutive blank lines become one. Blank lines at the beginning and at the end of a block are removed.
    """

    def __init__(self) -> None:
        self.written: list[str] = []
        self.at_block_start = True
        self._end = 0  # line of the text at which the last token ends

    def begin(self, token: Token, indent: str, *, may_skip: bool = True) -> None:
        """Begin a line with a token.

        Args:
            token: first token of the line.
            indent: spaces before it.
            may_skip: whether a blank line before the token in the original text is kept.
        """
        if may_skip and not self.at_block_start and (token.line or 0) > self._end + 1:
            self.written.append("")
        self.written.append(indent)
        self.add(token, "")
        self.at_block_start = False

    def add(self, token: Token, space: str) -> None:
        """Add a token to the last line, with the text `space` between them."""
        self.written[-1] += space + token
        self._end = token.end_line or 0

    def add_comment(self, comment: Token, indent: str, *, may_skip: bool = True) -> None:
        """Add a comment: to the last line if a token precedes it in its line of the original text, else on a new line.

        Args:
            comment: the comment.
            indent: spaces before it on a new line.
            may_skip: whether a blank line before the comment in the original text is kept.
        """
        if self.written and comment.line == self._end:
            self.add(comment, "  ")
        else:
            self.begin(comment, indent, may_skip=may_skip)


class _Spacing:
    """Decides on the spaces between the tokens of a line.

    They depend on the meaning of the tokens, for example on whether a `-` is an operator or a sign. The syntax tree of
    the script gives the positions of the tokens with each meaning.
    """

    def __init__(self, script: Script) -> None:
        nodes = list(walk(script))
        ranges = [node.range_span for node in nodes if isinstance(node, Number) and node.range_span is not None]
        self._operators = {_start(node.operator_span) for node in nodes if isinstance(node, Binary)}
        self._groups = {_start(node.span) for node in nodes if isinstance(node, Group | ConditionGroup)}
        self._ranges = {_start(span) for span in ranges}
        self._range_ends = {(span.end_line, span.end_column - 1) for span in ranges}

    def between(self, before: Token, token: Token) -> str:
        """Return the text between two consecutive tokens of a line: a space or nothing."""
        if token.type in _NO_SPACE_BEFORE or before.type in ("LPAR", "DOT", "COLON"):
            return " " if before.type == "EQUAL" else ""
        if before.type == "MINUS" and _place(before) not in self._operators:  # the sign of a value
            return ""
        if token.type == "LPAR" and _place(token) not in self._groups:
            return " " if before.type == "PRIMITIVE" else ""
        if _place(token) in self._range_ends or _place(before) in self._ranges:
            return ""
        return " "


def _place(token: Token) -> _Place:
    return token.line or 1, token.column or 1


def _start(span: Span) -> _Place:
    return span.line, span.column
