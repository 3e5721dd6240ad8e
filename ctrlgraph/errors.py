"""Errors: error classes, and findings (errors and warnings about files) with their conversion to text.

The code that detects a fault creates a finding: a message, the place in the file, and a suggestion. `Finding.render`
converts every finding to text, so the layout is the same everywhere.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]

_LONGEST_WORD = 200
_MOST_CANDIDATES = 2000
_MOST_SHOWN = 60

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control codes
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"  # directions, line separators, byte order mark
    "\ud800-\udfff]"  # halves of pairs, which no terminal can be sent
)
"""Characters that control a terminal: control codes, and characters that change the direction of text."""

_WIDEST = 240
"""Maximum number of characters that a finding shows of a line of a file."""


def printable(text: str) -> str:
    r"""Return a text whose control characters, other than tab and line feed, are replaced by escapes such as `\x1b`.

    A text from a file or a log therefore cannot move the terminal's cursor, set its title, or hide a line.
    """
    return _UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape", "surrogatepass").decode("ascii"), text)


def quoted(text: object, longest: int = 80) -> str:
    """Return a text as messages quote it: in single quotes, on one line, with control characters escaped.

    Args:
        text: Value to quote, converted with `str`.
        longest: Maximum number of characters between the quotes. A longer text is truncated.
    """
    shown = printable(str(text)).replace("\n", "\\n")
    return f"'{shown if len(shown) <= longest else shown[: longest - 3] + '...'}'"


class CtrlGraphError(Exception):
    """Base of every error that a user can cause; its text is one clear sentence.

    >>> from ctrlgraph import CtrlGraphError, Project
    >>> try:
    ...     Project.find().graph.node("wlak")
    ... except CtrlGraphError as error:
    ...     print(error)
    the graph has no node 'wlak' (did you mean 'walk'?)
    """


class SimulationError(CtrlGraphError):
    """A simulation cannot do what was requested. A fall or a divergence is not an error."""


class EngineError(CtrlGraphError):
    """The physics library of an engine (ODE or MuJoCo) is missing, is too old, or has the wrong precision."""


class RunLogError(CtrlGraphError):
    """The run log cannot be read or written."""


class NothingLogged(RunLogError):
    """The run log, or the database of sweeps (trials under perturbations), does not exist yet."""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of characters in a text. Lines and columns count from 1.

    The range ends before the column `end_column` of the line `end_line`.
    """

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One error or warning about a file."""

    severity: Severity
    code: str
    """Short stable identifier for programs, such as "unknown-joint"."""
    message: str
    """What is wrong, without the path and the line."""
    path: str
    """Path of the file, as messages show it."""
    span: Span | None = None
    """Place in the file. None: the finding is about the whole file."""
    source_line: str | None = None
    """Text of the line of the file at which `span` begins. None: the line is not shown."""
    hint: str | None = None
    """What the user can do, such as "did you mean 'walk'?". None: no advice."""

    def render(self) -> str:
        """Return the finding as text: path, line and column with the message; the source line; carets; the hint."""
        where = self.path
        if self.span is not None:
            where += f":{self.span.line}:{self.span.column}"
        lines = [f"{where}: {self.severity}: {self.message}"]
        if self.span is not None and self.source_line is not None:
            text = self.source_line.replace("\t", " ")
            same_line = self.span.end_line == self.span.line
            start, end = self.span.column - 1, self.span.end_column - 1 if same_line else len(text)
            if len(text) > _WIDEST:
                first = max(0, min(start - _WIDEST // 2, len(text) - _WIDEST))
                before, behind = "... " if first else "", " ..." if first + _WIDEST < len(text) else ""
                text = before + text[first : first + _WIDEST] + behind
                start, end = start - first + len(before), min(end - first, _WIDEST) + len(before)
            lines += [f"    {text}", "    " + " " * start + "^" * max(1, end - start)]
        if self.hint:
            lines.append(f"    {self.hint}")
        return printable("\n".join(lines))

    def as_dict(self) -> dict[str, object]:
        """Return the finding as the JSON object that commands print with `--json`."""
        names = ("line", "column", "end_line", "end_column")
        place = {name: None if self.span is None else getattr(self.span, name) for name in names}
        what = {"severity": self.severity, "code": self.code, "message": self.message, "path": self.path}
        return {**what, **place, "hint": self.hint}


class SourceError(CtrlGraphError):
    """A script, graph, character or terrain file has errors; `findings` lists them.

    >>> from pathlib import Path
    >>> from ctrlgraph import Project, SourceError
    >>> _ = Path("empty.t").write_text("BEGINSCRIPT empty(void)")
    >>> try:
    ...     Project.find().compile(Path("empty.t"))
    ... except SourceError as error:
    ...     print(error.findings[0].code)
    missing-mark
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join(finding.render() for finding in self.findings))

    def __reduce__(self) -> tuple[type[SourceError], tuple[tuple[Finding, ...]]]:
        return type(self), (self.findings,)


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the name in `known` that is most similar to the misspelt name `word`; None if no name is similar."""
    candidates = list(known)
    if len(word) > _LONGEST_WORD or len(candidates) > _MOST_CANDIDATES:
        return None  # the comparison would take too long
    by_lower = {name.lower(): name for name in candidates}
    close = difflib.get_close_matches(word, candidates, n=1, cutoff=0.6)
    if not close:
        close = [by_lower[name] for name in difflib.get_close_matches(word.lower(), list(by_lower), n=1, cutoff=0.6)]
    return close[0] if close else None


def suggestion(word: str, known: Iterable[str]) -> str | None:
    """Return a question such as "did you mean 'walk'?" for a misspelt name; None if no known name is similar.

    Args:
        word: The misspelt name.
        known: Names to choose from.
    """
    name = closest(word, known)
    return f"did you mean '{name}'?" if name is not None else None


def near_names(name: str, known: Iterable[str], noun: str) -> str:
    """Return the hint that ends a message about an unknown name, such as "(did you mean 'rKnee'?)".

    If no known name is similar, the hint lists the known names: "(known joints: ...)".

    Args:
        name: The unknown name.
        known: Names to choose from.
        noun: Plural noun for the names, such as "joints".
    """
    names = list(known)
    shown = ", ".join(names[:_MOST_SHOWN]) + (", ..." if len(names) > _MOST_SHOWN else "")
    return f"({suggestion(name, names) or f'known {noun}: {shown}'})"
