"""What was learned, summed up: what a file changed and how much, what it is worth, what it cost."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ctrlgraph.control.controller import Controller
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError, suggestion
from ctrlgraph.graph.model import ControllerGraph, Edge, Node
from ctrlgraph.project.controllers import ControllerResolver
from ctrlgraph.project.learned import LearnedConstant, LearnedFile
from ctrlgraph.project.learned_checks import users_of
from ctrlgraph.statistics import SuccessCount

# What a change is measured against where the old value is smaller, in the quantity's unit: 0.1 rad is as much of a
# change for a joint that was at 0.001 rad as for one at 0.5.
_LEAST = {"angle": 1.0, "cd": 1.0, "cv": 0.5, "speed": 1.0, "force": 100.0, "length": 0.1}


ARGUMENTS = "args"
"""Stands for a path where a constant is an argument given from outside."""


@dataclass(frozen=True, slots=True)
class ChangedConstant:
    """One changed constant: its parameter's id, where its literal stands and what it means; `new` has one number for
    each value of the file's condition, or one. Where the script means something else since, only the id, from which
    the role is read, and the numbers are known.
    """

    part: str
    id: str
    path: str
    line: int
    column: int
    role: str
    quantity: str
    unit: str
    old: float
    new: tuple[float, ...]
    text: str

    @property
    def largest(self) -> float:
        """Return the change that is the largest on any ground, with its sign."""
        return max((value - self.old for value in self.new), key=abs)

    @property
    def relative(self) -> float:
        """Return the size of the largest change as a share of the old value's, for an angle of 1 rad at least."""
        scale = max(abs(self.old), _LEAST.get(self.quantity, 0.0))
        return abs(self.largest) / (scale or 1.0)

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "part": self.part,
            "id": self.id,
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "role": self.role,
            "quantity": self.quantity,
            "unit": self.unit,
            "old": self.old,
            "new": self.new[0] if len(self.new) == 1 else list(self.new),
            "relative": self.relative,
            "text": self.text,
        }


@dataclass(frozen=True)
class LearnedSummary:
    """A learned edge or an adapted node: its file (None where that has faults), what it changed, and what is
    wrong with it.
    """

    path: str
    name: str
    kind: str
    file: LearnedFile | None
    changes: tuple[ChangedConstant, ...]
    findings: tuple[Finding, ...]

    @property
    def state(self) -> str:
        """`ok`, `stale` (learned for another version of a script) or `faulty`."""
        if not self.findings:
            return "ok"
        return "stale" if all(finding.code == "stale-constants" for finding in self.findings) else "faulty"

    @property
    def condition(self) -> tuple[str, tuple[float, ...]] | None:
        """Return what the values depend on, and the values for which they were found."""
        if self.file is None or self.file.condition is None:
            return None
        return next(iter(self.file.condition.items()))

    @property
    def largest(self) -> tuple[ChangedConstant, ...]:
        """Return the changes, the relatively largest first."""
        return tuple(sorted(self.changes, key=lambda change: -change.relative))

    def held_out(self, which: str) -> SuccessCount | None:
        """Return what `naive` or `learned` reached, where the file says so."""
        return _count(None if self.file is None else self.file.held_out.get(which))

    @property
    def on_engines(self) -> dict[str, SuccessCount]:
        """Return what was reached with it on each engine by itself, where it was learned on several."""
        known = None if self.file is None else self.file.held_out.get("learned")
        engines = known.get("engines") if isinstance(known, dict) else None
        counts = {name: _count(count) for name, count in engines.items()} if isinstance(engines, dict) else {}
        return {name: count for name, count in counts.items() if count is not None}

    def cost(self, which: str) -> float | None:
        """Return what the search took in all: `generations`, `evaluations` or `wall_s`; None where the file does not
        say.

        An adapted node may hold several searches, one for each value of its condition.
        """
        search = {} if self.file is None else self.file.search
        known = [value[which] for value in (search, *search.values()) if isinstance(value, dict) and which in value]
        numbers = [float(value) for value in known if isinstance(value, int | float) and math.isfinite(value)]
        return sum(numbers) if numbers else None

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON data."""
        naive, learned = self.held_out("naive"), self.held_out("learned")
        condition = self.condition
        file = self.file
        return {
            "name": self.name,
            "kind": self.kind,
            "path": self.path,
            "state": self.state,
            "condition": None if condition is None else {condition[0]: list(condition[1])},
            "cycles": {} if file is None else {name: part.cycles for name, part in file.parts.items()},
            "bridge": None if file is None or file.bridge is None else file.bridge.script,
            "changed": len(self.changes),
            "constants": [change.as_dict() for change in self.changes],
            "naive": None if naive is None else naive.as_dict(),
            "learned": None if learned is None else learned.as_dict(),
            "on_engines": {name: count.as_dict() for name, count in self.on_engines.items()},
            "search": {} if file is None else file.search,
            "findings": [finding.as_dict() for finding in self.findings],
        }


def _count(known: object) -> SuccessCount | None:
    """The count in a mapping of a file, which may hold anything."""
    if not isinstance(known, dict):
        return None
    successes, trials = known.get("successes"), known.get("trials")
    if not isinstance(successes, int) or not isinstance(trials, int) or not 0 <= successes <= trials or not trials:
        return None
    return SuccessCount(successes, trials)


def summaries(graph: ControllerGraph, resolver: ControllerResolver, directory: Path) -> list[LearnedSummary]:
    """Return all learned edges and adapted nodes of a graph, in its order."""
    return [_summary(user, path, resolver, directory) for user, path in users_of(graph)]


def named(found: list[LearnedSummary], name: str) -> LearnedSummary:
    """Return the one that a name means: `walk -> stand`, `walk->stand`, `walk-stand`, a node, or a learned file.

    Raises:
        CtrlGraphError: there is none.
    """
    for summary in found:
        if name in (summary.path, Path(summary.path).stem) or _spelt(name) == _spelt(summary.name):
            return summary
    known = [summary.name for summary in found]
    hint = suggestion(name, known) or (f"learned are: {', '.join(known)}" if known else "nothing is learned yet")
    raise CtrlGraphError(f"nothing learned is called '{name}' ({hint})")


def _spelt(name: str) -> str:
    return "".join(name.split()).replace("->", "-")


def _summary(user: Edge | Node, path: str, resolver: ControllerResolver, directory: Path) -> LearnedSummary:
    name, kind = (user.name, "node") if isinstance(user, Node) else (str(user), "edge")
    try:
        file = resolver.learned(path).file
    except SourceError as error:
        return LearnedSummary(path, name, kind, None, (), error.findings)
    programs: dict[str, Controller] = {}
    try:
        programs = resolver.programs(user)
        findings = tuple(resolver.findings(user))
    except SourceError as error:
        findings = error.findings
    return LearnedSummary(path, name, kind, file, tuple(_changes(file, programs, directory)), findings)


def _changes(file: LearnedFile, programs: Mapping[str, Controller], directory: Path) -> Iterator[ChangedConstant]:
    texts: dict[str, list[str]] = {}
    for name, part in file.parts.items():
        program = programs.get(name)
        fresh = program is not None and program.digest == part.program
        known = {p.id: p for p in program.parameters} if program is not None and fresh else {}
        for constant in part.constants:
            parameter = known.get(constant.id)
            if parameter is not None and parameter.path not in texts:
                texts[parameter.path] = _lines(Path(parameter.path))
            yield _change(name, constant, parameter, texts, directory)


def _change(
    part: str, constant: LearnedConstant, parameter: Parameter | None, texts: Mapping[str, list[str]], directory: Path
) -> ChangedConstant:
    """`parameter` is that of the constant, None where the script has changed."""
    new = constant.new if isinstance(constant.new, tuple) else (float(constant.new),)
    if parameter is None:
        role = " ".join(constant.id.split("/")[-2:])
        return ChangedConstant(part, constant.id, "", 0, 0, role, "", "", constant.old, new, "")
    p, lines = parameter, texts[parameter.path]
    path, root = Path(p.path).absolute(), directory.absolute()
    shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else p.path
    text = lines[p.line - 1].strip() if 0 < p.line <= len(lines) else ""
    where = (ARGUMENTS, 0, 0) if p.is_argument else (shown, p.line, p.column)
    return ChangedConstant(part, p.id, *where, p.role, p.quantity, p.unit, constant.old, new, text)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
