"""Driving the parser through a text with syntax errors, so that all of them are reported at once.

At an unexpected token the driver first tries whether the text is right but for a missing `;`, `)`
or end of a block, which it then supplies. Otherwise it skips to the end of the statement and drops
what was read of it. The parser's stack of open rules says which parenthesis and which block still
have to be closed; `wording` makes sentences of it.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from lark import Token, Tree
from lark.exceptions import UnexpectedToken

from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.syntax import wording
from ctrlgraph.control.script.syntax.builder import token_span
from ctrlgraph.errors import Span

if TYPE_CHECKING:
    from lark import Lark

# What may begin after a statement that lost its `;` or a list that lost its `)`.
_BEGINNINGS = {"PRIMITIVE", "COMFB2", "SAVE", "LOAD", "TRANSITION", "ACTIONS", "PHASE", "MORE", "SET", "BEGINSCRIPT"}
_ENDS = {"ENDACTIONS", "ENDPHASE", "ENDSCRIPT", "$END"}
_STATEMENTS = {"PRIMITIVE", "COMFB2", "SAVE", "LOAD", "TRANSITION", "MORE", "SCRIPTS", "SET"}
_BLOCKS = {"BEGINSCRIPT": "ENDSCRIPT", "PHASE": "ENDPHASE", "ACTIONS": "ENDACTIONS"}
_MARKS = {"SEMICOLON": ";", "RPAR": ")"}
_MADE_UP = "\0"  # marks the text of a keyword that does not stand in the file
_MAX_ERRORS = 50


def parse_tokens(lark: Lark, tokens: list[Token], report: FindingCollector) -> tuple[Tree[Any] | None, bool]:
    """Return the tree of a token sequence, None where too much is missing; errors go to the report.

    Returns:
        the tree, and whether the script's header had to be made up.
    """
    return _Driver(lark, report).run(tokens)


class _Driver:
    def __init__(self, lark: Lark, report: FindingCollector) -> None:
        self._report = report
        self._parser: Any = lark.parse_interactive()
        self._previous: Token | None = None
        self._supplied_ends: list[str] = []
        self._header_damaged = False
        self._errors = 0

    def run(self, tokens: list[Token]) -> tuple[Tree[Any] | None, bool]:
        last = tokens[-1] if tokens else None
        end = Token.new_borrow_pos("$END", "", last) if last else Token("$END", "", 0, 1, 1, 1, 1, 0)
        if last is not None:
            end.line, end.column = last.end_line, last.end_column
        index, result = 0, None
        stream = [*tokens, end]
        while index < len(stream):
            token = stream[index]
            try:
                result = self._parser.feed_token(token)
                self._previous = token
                index += 1
            except UnexpectedToken:
                self._errors += 1
                if self._errors > _MAX_ERRORS:
                    message = f"more than {_MAX_ERRORS} syntax errors; the rest are not shown"
                    self._report.error("syntax", message, self._place(token))
                    return None, True
                following = self._recover(stream, index)
                if following is None:
                    return None, True
                index = following
        return result, self._header_damaged

    def _recover(self, stream: list[Token], index: int) -> int | None:
        """Report the token at `index` and make the parser ready for another; its index, None to give up."""
        token = stream[index]
        if token.type in self._supplied_ends:
            self._supplied_ends.remove(token.type)
            return index + 1
        if self._supply(token):
            return index
        self._report_unexpected(token)
        return self._skip_statement(stream, index)

    # --- supplying what is missing ---

    def _supply(self, token: Token) -> bool:
        """Feed what is missing before the token, with one finding for each; False where that does not help."""
        for missing in self._candidates(token):
            trial = self._trial()
            try:
                for kind in missing:
                    trial.feed_token(self._made_up(kind))
            except UnexpectedToken:
                continue
            if token.type not in trial.accepts():
                continue
            for kind in missing:
                self._report_missing(kind, token)
                self._parser.feed_token(self._made_up(kind))
            return True
        return False

    def _trial(self) -> Any:
        """A copy of the parser that only tells what fits. It builds no trees: lark's builders grow the children of one
        node in place, and those are shared with the parser that goes on."""
        trial = self._parser.copy(deepcopy_values=False)
        trial.parser_state.parse_conf = copy(trial.parser_state.parse_conf)
        trial.parser_state.parse_conf.callbacks = {}
        return trial

    def _candidates(self, token: Token) -> list[list[str]]:
        kind = token.type
        if kind == "SEMICOLON":
            return [["RPAR"], ["RPAR", "RPAR"]]
        if kind == "DOT":
            return [["RPAR"]]
        if kind not in _BEGINNINGS | _ENDS:
            return []
        closers = [_BLOCKS[block.type] for block in reversed(self._open_blocks())]
        blocks = [closers[:count] for count in range(len(closers) + 1)]
        marks = [[], ["SEMICOLON"], ["RPAR"], ["RPAR", "SEMICOLON"], ["RPAR", "RPAR", "SEMICOLON"]]
        opened = [["ACTIONS"]] if kind in ("PRIMITIVE", "COMFB2") and self._open_statement() is None else []
        return opened + [mark + block for block in blocks for mark in marks if mark or block]

    def _made_up(self, kind: str) -> Token:
        where = self._previous or Token("", "", 0, 1, 1, 1, 1, 0)
        return Token.new_borrow_pos(kind, _MARKS.get(kind, _MADE_UP + kind), where)

    def _report_missing(self, kind: str, token: Token) -> None:
        found = wording.shown(token)
        if kind == "RPAR":
            message = f"expected ')' before {found} to close the '(' opened here"
            self._report.error("syntax", message, token_span(self._open_parenthesis() or token))
        elif kind == "SEMICOLON":
            statement = wording.statement_name(self._open_statement())
            self._report.error("syntax", f"expected ';' after {statement}", self._after_previous())
        elif kind == "ACTIONS":
            self._report.error("syntax", f"expected ACTIONS before {found}", token_span(token))
        else:
            block = self._open_blocks()[-1]
            if block.value.startswith(_MADE_UP):
                return
            self._supplied_ends.append(kind)
            message = f"{block.value} is not closed: expected {kind} before {found}"
            self._report.error("syntax", message, token_span(block))

    # --- skipping ---

    def _report_unexpected(self, token: Token) -> None:
        accepts = self._parser.accepts()
        parenthesis = self._open_parenthesis()
        statement = self._open_statement()
        if parenthesis is not None and "RPAR" in accepts and token.type in _BEGINNINGS | _ENDS | {"SEMICOLON"}:
            message = f"expected ')' before {wording.shown(token)} to close the '(' opened here"
            self._report.error("syntax", message, token_span(parenthesis))
            return
        place = self._place(token)
        if self._report.has_error_in(place, "unexpected-character"):
            return  # that character is the cause
        message, hint = wording.unexpected(token, accepts, statement, self._open_blocks(), self._previous)
        self._report.error("syntax", message, place, hint)

    def _place(self, token: Token) -> Span:
        if token.type == "$END":
            return self._after_previous()
        return token_span(token)

    def _skip_statement(self, stream: list[Token], index: int) -> int | None:
        """Drop the open statement and find the token to go on with."""
        if "$END" in self._parser.accepts():
            return None
        header = self._open_header()
        if header is not None:
            return self._skip_header(header, stream, index)
        self._drop_statement()
        accepts = self._parser.accepts()
        ends = accepts | {kind for kind in _BEGINNINGS | _ENDS if self._would_follow(kind)}
        while index < len(stream):
            kind = stream[index].type
            if kind == "SEMICOLON":
                return index + 1
            if kind in ends:
                return index
            index += 1
        return None

    def _would_follow(self, kind: str) -> bool:
        """Whether closing some of the open blocks makes the token fit."""
        trial = self._trial()
        for block in reversed(self._open_blocks()):
            try:
                trial.feed_token(self._made_up(_BLOCKS[block.type]))
            except UnexpectedToken:
                return False
            if kind in trial.accepts():
                return True
        return False

    def _drop_statement(self) -> None:
        statement = self._open_statement()
        if statement is None:
            return
        state = self._parser.parser_state
        while state.value_stack:
            value = state.value_stack.pop()
            state.state_stack.pop()
            if value is statement:
                return

    def _skip_header(self, header: Token, stream: list[Token], index: int) -> int | None:
        """Make up the rest of a damaged BEGINSCRIPT or PHASE line."""
        state = self._parser.parser_state
        while state.value_stack[-1] is not header:
            state.value_stack.pop()
            state.state_stack.pop()
        self._header_damaged = True
        script = [("NAME", "script"), ("LPAR", "("), ("RPAR", ")")]
        for kind, text in script if header.type == "BEGINSCRIPT" else [("NUMBER", "0")]:
            self._parser.feed_token(Token.new_borrow_pos(kind, text, header))
        while index < len(stream):
            token = stream[index]
            if token.type in _BEGINNINGS | _ENDS and (token.line != header.line or token.type == "$END"):
                return index
            index += 1
        return None

    # --- what the stack of open rules says ---

    def _open_tokens(self) -> list[Token]:
        return [value for value in self._parser.parser_state.value_stack if isinstance(value, Token)]

    def _open_blocks(self) -> list[Token]:
        opened: list[Token] = []
        for token in self._open_tokens():
            if token.type in _BLOCKS:
                opened.append(token)
            elif opened and token.type == _BLOCKS[opened[-1].type]:
                opened.pop()  # closed, only not yet reduced
        return opened

    def _open_parenthesis(self) -> Token | None:
        opened = [token for token in self._open_tokens() if token.type == "LPAR"]
        header = self._open_header()
        if not opened or (header is None and self._open_statement() is None):
            return None
        return opened[-1]

    def _open_header(self) -> Token | None:
        """The BEGINSCRIPT or PHASE whose line is not complete."""
        blocks = self._open_blocks()
        if not blocks or blocks[-1].type == "ACTIONS":
            return None
        last = blocks[-1]
        closed = _BLOCKS[last.type] in self._parser.accepts() or self._open_statement() is not None
        return None if closed else last

    def _open_statement(self) -> Token | None:
        tokens = self._open_tokens()
        blocks = [i for i, token in enumerate(tokens) if token.type in _BLOCKS or token.type in _BLOCKS.values()]
        inner = tokens[blocks[-1] + 1 :] if blocks else tokens
        if inner and inner[-1].type == "SEMICOLON":
            return None  # complete, only not yet reduced
        return next((token for token in inner if token.type in _STATEMENTS), None)

    def _after_previous(self) -> Span:
        if self._previous is None:
            return Span(1, 1, 1, 2)
        place = token_span(self._previous)
        return Span(place.end_line, place.end_column, place.end_line, place.end_column + 1)
