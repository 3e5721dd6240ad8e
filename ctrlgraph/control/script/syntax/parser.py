"""Parser of scripts: `parse_script` returns the syntax tree and reports all syntax errors of a text together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING

from ctrlgraph.control.script.bounds import MAX_BYTES, MAX_NAME, MAX_NUMBER, MAX_TOKENS
from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.syntax import wording
from ctrlgraph.control.script.syntax.builder import Builder, TooDeep, token_span
from ctrlgraph.control.script.syntax.forms import PRIMITIVE_FORMS
from ctrlgraph.control.script.syntax.recovery import Damage, parse_tokens
from ctrlgraph.control.script.syntax.syntax import Script
from ctrlgraph.control.script.syntax.words import with_words_in_place
from ctrlgraph.errors import Finding, Span

if TYPE_CHECKING:
    from lark import Lark, Token

_HEADS = ("SCRIPTS", "SET", "BEGINSCRIPT", "ENDSCRIPT", "PHASE", "ENDPHASE", "ACTIONS", "ENDACTIONS")
_KEYWORDS = (*_HEADS, "TRANSITION", "COMFB2", "SAVE", "LOAD")
_WORD_TYPES = (
    {word: word for word in _KEYWORDS}
    | dict.fromkeys(PRIMITIVE_FORMS, "PRIMITIVE")
    | {"fallen": "FALLEN", "anglerange": "ANGLERANGE"}
)
# A comment, or a sequence of characters with which no token begins.
_COMMENT_OR_FOREIGN = re.compile(r"#[^\n]*|[^A-Za-z0-9_ \t\r\n\f.,;()<>=+\-*/#:]+")
_LOOKALIKES = dict.fromkeys("\u2212\u2013\u2014\u2010\u2011", "-") | {"\u00a0": " ", "\ufeff": " ", "\u00d7": "*"}
_SHOWN = 20  # maximum number of consecutive foreign characters in a message
_LONGEST_CACHED = 8_000  # characters; a tree takes about 30 bytes for each, so that 256 trees need little memory


@dataclass(frozen=True)
class Parsed:
    """Result of parsing a script: its text, syntax tree and syntax errors."""

    path: str
    """Path of the file, or another name for messages."""
    text: str
    """Text of the script."""
    script: Script | None
    """Syntax tree of the parts that could be read; None if too much is missing for a tree."""
    findings: tuple[Finding, ...]
    """Syntax errors."""
    header_damaged: bool = False
    """Whether a syntax error makes the parameters of the script unknown."""
    phases_damaged: bool = False
    """Whether a syntax error makes it unknown which phases the script has."""

    @property
    def ok(self) -> bool:
        """Return whether the script was parsed without errors."""
        return self.script is not None and not any(f.severity == "error" for f in self.findings)


def parse_script(text: str, path: str) -> Parsed:
    """Parse a script. Syntax errors are in `findings` of the result instead of an exception.

    Args:
        text: text of the whole file.
        path: name of the file in error messages.
    """
    if len(text) > MAX_BYTES:  # `read_script` reports this for a file; this is for drafts
        message = f"the script is longer than {MAX_BYTES:,} characters"
        return Parsed(path, text, None, (Finding("error", "too-large", message, path),))
    parsed = _parsed(text) if len(text) <= _LONGEST_CACHED else _parsed.__wrapped__(text)
    return replace(parsed, path=path, findings=tuple(replace(finding, path=path) for finding in parsed.findings))


@lru_cache(maxsize=256)
def _parsed(text: str) -> Parsed:
    """Return the result of `parse_script` with an empty path.

    Results are cached, because each library of a project and its copies parse the same scripts. This is possible
    because syntax trees are never changed.
    """
    report = FindingCollector("", text)
    clean = _without_foreign_characters(text, report)
    tree, damage = None, Damage()
    lark = _lark()
    tokens = with_words_in_place(islice(lark.lex(clean), MAX_TOKENS + 1))
    if _words_are_sane(tokens, report):
        tree, damage = parse_tokens(lark, tokens, report)
    script = None
    if tree is not None:
        try:
            script = Builder(report).script(tree)
        except TooDeep as error:
            report.error("syntax", "this expression or condition has too many parts: split it", *error.args)
    return Parsed("", text, script, report.sorted(), damage.header, damage.phases)


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a text in which `parse_script` has found no errors."""
    return with_words_in_place(_lark().lex(text))


def comments_in(text: str) -> Iterator[re.Match[str]]:
    """Return the comments of a script's text, in order. The language has no strings that could contain a `#`."""
    return re.finditer(r"#[^\n]*", text)


@cache
def _lark() -> Lark:
    from lark import Lark

    grammar = files("ctrlgraph.control.script.syntax").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        propagate_positions=True,
        maybe_placeholders=True,
        lexer_callbacks={"NAME": _as_keyword},
    )


def _as_keyword(token: Token) -> Token:
    token.type = _WORD_TYPES.get(str(token), token.type)
    return token


def _without_foreign_characters(text: str, report: FindingCollector) -> str:
    """Report invalid characters. Return the text with each of them replaced by a space or a similar valid character."""

    def reported(match: re.Match[str]) -> str:
        run = match.group()
        if run.startswith("#"):
            return run
        if report.is_full:
            return " " * len(run)
        span = _span_at(text, match.start(), len(run))
        plain = "".join(_LOOKALIKES.get(c, "") for c in run)
        hint = None
        if len(plain) == len(run) <= _SHOWN:
            hint = "write a plain space" if plain.isspace() else f"write '{plain}'"
        said = hint or wording.FOREIGN_HINTS.get(run)
        report.error("unexpected-character", f"unexpected character {_shown(run)}", span, said)
        return plain if hint else " " * len(run)

    return _COMMENT_OR_FOREIGN.sub(reported, text)


def _span_at(text: str, start: int, length: int) -> Span:
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    return Span(line, column, line, column + length)


def _shown(run: str) -> str:
    if all(c.isprintable() and not c.isspace() for c in run):
        return f"'{run}'" if len(run) <= _SHOWN else f"'{run[:_SHOWN]}...'"
    return " ".join(f"U+{ord(c):04X}" for c in run[:4]) + (" ..." if len(run) > 4 else "")


def _words_are_sane(tokens: list[Token], report: FindingCollector) -> bool:
    """Report names and numbers that are too long, and a text with too many tokens. Return True if there are none."""
    good = True
    if len(tokens) > MAX_TOKENS:
        message = f"the script may have at most {MAX_TOKENS:,} words, numbers and signs: split it"
        report.error("too-large", message, token_span(tokens[-1]))
        return False
    for token in tokens:
        most, noun = (MAX_NUMBER, "number") if token.type == "NUMBER" else (MAX_NAME, "name")
        if len(token) > most:
            report.error("syntax", f"the {noun} may have at most {most} characters: shorten it", token_span(token))
            good = False
    return good
