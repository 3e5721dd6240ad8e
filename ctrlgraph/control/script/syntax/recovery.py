"""Error recovery of the parser, so that all syntax errors of a text are reported together.

At an unexpected token, the driver first tries to replace a misspelt keyword, or to insert a missing `;`, `)`, or
beginning or end of a block. If neither helps, it drops the statement and continues after the end of the statement. The
parser's stack of incomplete grammar rules determines which parentheses and blocks are still open. `wording` composes
the messages.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lark import Token, Tree
from lark.exceptions import UnexpectedToken

from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.syntax import wording
from ctrlgraph.control.script.syntax.builder import token_span
from ctrlgraph.control.script.syntax.forms import PRIMITIVE_FORMS
from ctrlgraph.control.script.syntax.words import with_words_in_place
from ctrlgraph.errors import Span

if TYPE_CHECKING:
    from lark import Lark

# Tokens that can begin after a statement without its `;` or a list without its `)`.
_BEGINNINGS = {"PRIMITIVE", "COMFB2", "SAVE", "LOAD", "TRANSITION", "ACTIONS", "PHASE", "MORE", "SET", "BEGINSCRIPT"}
_ENDS = {"ENDACTIONS", "ENDPHASE", "ENDSCRIPT", "$END"}
_STATEMENTS = {"PRIMITIVE", "COMFB2", "SAVE", "LOAD", "TRANSITION", "MORE", "SCRIPTS", "SET"}
_BLOCKS = {"BEGINSCRIPT": "ENDSCRIPT", "PHASE": "ENDPHASE", "ACTIONS": "ENDACTIONS"}
_MARKS = {"SEMICOLON": ";", "RPAR": ")", "NAME": "script", "NUMBER": "0"}
_INSIDE = {"LPAR", "COMMA", "DOT", "EQUAL", "PLUS", "MINUS", "STAR", "SLASH", "LESS", "BELOW", "AT_MOST", "AT_LEAST"}
"""Tokens after which no statement begins on the same line."""
_HEADERS = (["BEGINSCRIPT", "NAME", "LPAR", "RPAR"], ["PHASE", "NUMBER"], ["ACTIONS"])
"""Tokens that open each level of blocks."""
_LEVELS = {"PHASE": 1, "ACTIONS": 2, "TRANSITION": 2, "MORE": 2, "PRIMITIVE": 3, "COMFB2": 3}
"""Number of open blocks at which a statement can begin."""
_MADE_UP = "\0"  # marks inserted tokens, which are not in the file
_MAX_ERRORS = 50
_SEARCHED = 100
"""Maximum number of tokens of an unreadable statement that are searched for a misspelt keyword of the next one."""


@dataclass(slots=True)
class Damage:
    """Tells which parts of a script are unreadable because of syntax errors.

    Attributes:
        header: Whether the name and the parameters of the script are unreadable.
        phases: Whether the number of a phase, or a statement that may have begun a phase, is unreadable.
    """

    header: bool = False
    phases: bool = False


def parse_tokens(lark: Lark, tokens: list[Token], report: FindingCollector) -> tuple[Tree[Any] | None, Damage]:
    """Parse the tokens of a script and report all syntax errors.

    Args:
        lark: parser of the grammar.
        tokens: tokens of the script.
        report: receives the errors.

    Returns:
        The parse tree of the readable statements, or None if too much is missing, and what is unreadable.
    """
    return _Driver(lark, report).run(tokens)


class _Driver:
    def __init__(self, lark: Lark, report: FindingCollector) -> None:
        self._report = report
        self._parser: Any = lark.parse_interactive()
        self._previous: Token | None = None
        self._supplied_ends: list[str] = []
        self._damage = Damage()
        self._skipped = False  # whether tokens were skipped since the previous token
        self._errors = 0

    def run(self, tokens: list[Token]) -> tuple[Tree[Any] | None, Damage]:
        line, column = (tokens[-1].end_line, tokens[-1].end_column) if tokens else (1, 1)
        end = Token("$END", "", 0, line, column, line, column)
        index, result = 0, None
        stream = [*tokens, end]
        while index < len(stream):
            token = stream[index]
            try:
                result = self._parser.feed_token(token)
                self._previous = token
                self._skipped = False
                index += 1
            except UnexpectedToken:
                self._errors += 1
                if self._errors > _MAX_ERRORS:
                    message = f"more than {_MAX_ERRORS} syntax errors: correct those shown, and check again"
                    self._report.error("syntax", message, self._place(token))
                    return None, Damage(True, True)
                index = self._recover(stream, index)
                if index < 0:
                    return None, Damage(True, True)
        return result, self._damage

    def _recover(self, stream: list[Token], index: int) -> int:
        """Report the unexpected token at `index` of the tokens `stream`, and prepare the parser for what follows.

        Returns:
            The index of the token to continue with; -1 to stop.
        """
        token = stream[index]
        if token.type in self._supplied_ends:
            self._supplied_ends.remove(token.type)
            return index + 1
        if self._correct(stream, index) or self._supply(stream, index):
            return index
        self._report_unexpected(stream, index)
        return self._skip_statement(stream, index)

    # --- misspelt keywords ---

    def _correct(self, stream: list[Token], index: int) -> bool:
        """Correct the token at `index` of the tokens `stream` if it is a misspelt keyword.

        If it is one, report it, replace it in `stream` and return True.
        """
        found = self._misspelt(stream, index, self._parser.accepts())
        if found is None:
            return False
        token, (word, count) = stream[index], found
        written = " ".join(str(each) for each in stream[index : index + count])
        # a keyword in the wrong case is certain, so its statement is checked like all others
        code = "misspelt-keyword" if written.upper() == word else "syntax"
        hint = f"write {word} as one word" if count > 1 else f"did you mean '{word}'?"
        self._report.error(code, f"unknown statement '{written}'", self._place(token), hint)
        kind = "PRIMITIVE" if word in PRIMITIVE_FORMS else word
        stream[index : index + count] = [Token.new_borrow_pos(kind, word, token)]
        with_words_in_place(stream)  # `and`, `when` and others are words only within a TRANSITION
        return True

    def _misspelt(self, stream: list[Token], index: int, accepts: set[str]) -> tuple[str, int] | None:
        if stream[index].type != "NAME":
            return None
        return wording.misspelt_keyword(stream[index], self._context(stream, index, accepts))

    def _context(self, stream: list[Token], index: int, accepts: set[str]) -> wording.Context:
        statement = self._open_statement()
        tokens = range(index - 1, -1, -1) if statement is not None else ()
        begin = next((i for i in tokens if stream[i] is statement), index)
        following = stream[index + 1] if index + 1 < len(stream) else None
        opened, blocks = tuple(stream[begin:index]), tuple(self._open_blocks())
        return wording.Context(frozenset(accepts), opened, blocks, self._previous, following)

    # --- insertion of missing tokens ---

    def _supply(self, stream: list[Token], index: int) -> bool:
        """Insert tokens that are missing before the token at `index` of the tokens `stream`, and report each.

        Return False if no insertion would help.
        """
        token = stream[index]
        for missing in self._candidates(stream, index):
            trial = self._trial()
            try:
                for kind in missing:
                    trial.feed_token(self._made_up(kind))
            except UnexpectedToken:
                continue
            accepts = trial.accepts()
            if token.type not in accepts and self._misspelt(stream, index, accepts) is None:
                continue
            for kind in missing:
                self._report_missing(kind, token)
                self._parser.feed_token(self._made_up(kind))
            return True
        return False

    def _trial(self) -> Any:
        """Return a copy of the parser on which tokens can be tried without an effect on the parser.

        The copy builds no trees, because lark extends the children of a node in place, and the copy shares its nodes
        with the original parser.
        """
        trial = self._parser.copy(deepcopy_values=False)
        trial.parser_state.parse_conf = copy(trial.parser_state.parse_conf)
        trial.parser_state.parse_conf.callbacks = {}
        return trial

    def _candidates(self, stream: list[Token], index: int) -> list[list[str]]:
        token = stream[index]
        kind = token.type
        if kind == "SEMICOLON":
            return [["RPAR"], ["RPAR", "RPAR"]]
        if kind == "DOT":
            return [["RPAR"]]
        if kind == "NAME" and (self._previous is None or self._previous.line == token.line):
            return []  # misspelt keywords are searched only at the beginning of a line
        if kind != "NAME" and (kind not in _BEGINNINGS | _ENDS or not _may_begin(stream, index)):
            return []
        closers = [_BLOCKS[block.type] for block in reversed(self._open_blocks())]
        blocks = [closers[:count] for count in range(len(closers) + 1)]
        marks = [[], ["SEMICOLON"], ["RPAR"], ["RPAR", "SEMICOLON"], ["RPAR", "RPAR", "SEMICOLON"]]
        opened = self._openers(kind) if self._open_statement() is None else []
        return opened + [mark + block for block in blocks for mark in marks if mark or block]

    def _openers(self, kind: str) -> list[list[str]]:
        """Return how to begin the blocks that are missing before a token of the type `kind`.

        The result is a list with one list of token types, such as PHASE and NUMBER; it is empty if no block is missing.
        """
        level, needed = len(self._open_blocks()), _LEVELS.get(kind, 0)
        after_phase = level == 1 and self._previous is not None and self._previous.type == "ENDPHASE"
        if level >= needed or (after_phase and not self._skipped):
            return []
        return [[part for header in _HEADERS[level:needed] for part in header]]

    def _made_up(self, kind: str) -> Token:
        where = self._previous or Token("", "", 0, 1, 1, 1, 1, 0)
        return Token.new_borrow_pos(kind, _MARKS.get(kind, _MADE_UP + kind), where)

    def _report_missing(self, kind: str, token: Token) -> None:
        found = wording.shown(token)
        if kind == "RPAR":
            parenthesis = self._open_parenthesis() or token
            if not parenthesis.value.startswith(_MADE_UP):
                message = f"expected ')' before {found} to close the '(' opened here"
                self._report.error("syntax", message, token_span(parenthesis))
        elif kind == "SEMICOLON":
            statement = wording.statement_name(self._open_statement())
            self._report.error("missing-mark", f"expected ';' after {statement}", self._after_previous())
        elif kind in _BLOCKS:
            self._damage.header |= kind == "BEGINSCRIPT"
            self._damage.phases |= kind == "PHASE"
            if kind == "ACTIONS" and self._phase_has_call():
                message = f"a phase can contain a call or actions, but not both: move {found} to a phase of its own"
                self._report.error("phase-contents", message, token_span(token))
            elif not self._skipped:  # otherwise the skipped tokens are reported
                self._report.error("missing-mark", f"expected {kind} before {found}", token_span(token))
        elif kind in _BLOCKS.values():
            block = self._open_blocks()[-1]
            if block.value.startswith(_MADE_UP):
                return
            self._supplied_ends.append(kind)
            message = f"{block.value} is not closed: expected {kind} before {found}"
            self._report.error("missing-mark", message, token_span(block))

    # --- skipping ---

    def _report_unexpected(self, stream: list[Token], index: int) -> None:
        token = stream[index]
        accepts = self._parser.accepts()
        parenthesis = self._open_parenthesis()
        ended = token.type == "SEMICOLON" or (token.type in _BEGINNINGS | _ENDS and _may_begin(stream, index))
        if parenthesis is not None and "RPAR" in accepts and ended:
            message = f"expected ')' before {wording.shown(token)} to close the '(' opened here"
            self._report.error("syntax", message, token_span(parenthesis))
            return
        place = self._place(token)
        if self._report.has_error_in(place, "unexpected-character"):
            return  # that character is the cause
        message, hint = wording.unexpected(token, self._context(stream, index, accepts))
        self._report.error("syntax", message, place, hint)

    def _place(self, token: Token) -> Span:
        if token.type == "$END":
            return self._after_previous()
        return token_span(token)

    def _skip_statement(self, stream: list[Token], index: int) -> int:
        """Drop the incomplete statement that contains or precedes the token at `index` of the tokens `stream`.

        Returns:
            The index of the token to continue with; -1 if there is none.
        """
        if "$END" in self._parser.accepts():
            return len(stream) - 1
        header = self._open_header()
        if header is not None:
            return self._skip_header(header, stream, index)
        self._damage.phases |= self._open_statement() is None and stream[index].type not in ("SEMICOLON", "COLON")
        self._skipped = True
        statement = self._open_statement()
        if statement is not None:
            self._unwind(statement)
            self._parser.parser_state.value_stack.pop()
            self._parser.parser_state.state_stack.pop()
        accepts = self._parser.accepts()
        ends = accepts | {kind for kind in _BEGINNINGS | _ENDS if self._would_follow(kind)}
        if not self._open_blocks():
            ends |= _LEVELS.keys()  # the missing header is then inserted
        first = index
        while index < len(stream):
            kind = stream[index].type
            if kind == "SEMICOLON":
                return index + 1
            if kind in ends and _may_begin(stream, index):
                return index
            near = first < index < first + _SEARCHED
            if near and _begins_line(stream, index) and self._misspelt(stream, index, accepts):
                return index
            index += 1
        return -1

    def _would_follow(self, kind: str) -> bool:
        """Return whether a token of the type `kind` fits after one or more of the open blocks are closed."""
        trial = self._trial()
        for block in reversed(self._open_blocks()):
            try:
                trial.feed_token(self._made_up(_BLOCKS[block.type]))
            except UnexpectedToken:
                return False
            if kind in trial.accepts():
                return True
        return False

    def _unwind(self, token: Token) -> None:
        """Make the parser forget everything that it has read after a token."""
        state = self._parser.parser_state
        while state.value_stack[-1] is not token:
            state.value_stack.pop()
            state.state_stack.pop()

    def _skip_header(self, header: Token, stream: list[Token], index: int) -> int:
        """Complete a damaged line with BEGINSCRIPT or PHASE, and skip the rest of the line.

        Args:
            header: the token BEGINSCRIPT or PHASE.
            stream: tokens of the script.
            index: index of the unexpected token.

        Returns:
            The index of the token to continue with; -1 if there is none.
        """
        self._unwind(header)
        self._damage.header |= header.type == "BEGINSCRIPT"
        self._damage.phases |= header.type == "PHASE"
        script = [("NAME", "script"), ("LPAR", "("), ("RPAR", ")")]
        for kind, text in script if header.type == "BEGINSCRIPT" else [("NUMBER", "0")]:
            self._parser.feed_token(Token.new_borrow_pos(kind, text, header))
        for i, token in enumerate(stream[index:], start=index):
            if token.type in _BEGINNINGS | _ENDS and (token.line != header.line or token.type == "$END"):
                return i
        return -1

    # --- the stack of open rules ---

    def _open_tokens(self) -> list[Token]:
        return [value for value in self._parser.parser_state.value_stack if isinstance(value, Token)]

    def _phase_has_call(self) -> bool:
        """Return whether the phase that is being read has a call, complete or up to its last token."""
        for value in reversed(self._parser.parser_state.value_stack):
            if isinstance(value, Tree):
                if any(True for _ in value.find_data("call")):
                    return True
            elif getattr(value, "type", "") in ("PHASE", "MORE"):
                return bool(value.type == "MORE")
        return False

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
        """Return the BEGINSCRIPT or PHASE of the innermost open block if its line is incomplete; otherwise None."""
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


def _begins_line(stream: list[Token], index: int) -> bool:
    return index == 0 or stream[index - 1].line != stream[index].line


def _may_begin(stream: list[Token], index: int) -> bool:
    """Return whether a statement can begin with the token at `index`: it does not continue a list or an expression."""
    if _begins_line(stream, index) or stream[index].type == "$END":
        return True
    before = stream[index - 1].type
    if stream[index].type == "MORE":
        return before in ("SEMICOLON", "ENDACTIONS") or (index > 1 and stream[index - 2].type == "PHASE")
    return before not in _INSIDE
