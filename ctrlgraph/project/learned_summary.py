"""Summaries of learned files: changed constants, success, and cost of the search that found them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
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

_LEAST = {"angle": 1.0, "cd": 1.0, "cv": 0.5, "speed": 1.0, "force": 100.0, "length": 0.1}
"""Minimum divisor of a change for the relative change, by quantity, in the unit of the quantity. Without a minimum, a
change of 0.1 rad would count 500 times as much at 0.001 rad as at 0.5 rad."""

ARGUMENTS = "args"
"""Value of `ChangedConstant.path` for an argument of the node, which is in the graph file and not in a script."""


@dataclass(frozen=True, slots=True)
class ChangedConstant:
    """A constant that a learned file changes, with its place in a script.

    If the file is stale (learned for another version of the script), the place, the quantity and the unit are unknown.
    Their fields are then empty or 0.
    """

    part: str
    """Field of the learned file with the constant: "source" or "target"."""
    id: str
    """Parameter id of the constant (see `control.parameters`)."""
    path: str
    """Path of the script that contains the constant, or `ARGUMENTS`."""
    line: int
    """Line of the constant in the script, from 1."""
    column: int
    """Column of the constant in the line, from 1."""
    role: str
    """Statement and role of the constant, such as "POSE rKnee angle"."""
    quantity: str
    """Physical quantity, such as "angle"."""
    unit: str
    """Unit of the constant, such as "rad"."""
    old: float
    """Value in the script when the constant was learned, in `unit`."""
    new: tuple[float, ...]
    """Learned value: one number, or a number for each value of the scheduling variable."""
    text: str
    """Text of the script's line with the constant."""

    @property
    def largest(self) -> float:
        """Change (new minus old value) on the ground where its magnitude is largest, with its sign."""
        return max((value - self.old for value in self.new), key=abs)

    @property
    def relative(self) -> float:
        """Largest change divided by the old value or, if larger, by the value in `_LEAST` (magnitudes)."""
        scale = max(abs(self.old), _LEAST.get(self.quantity, 0.0))
        return abs(self.largest) / (scale or 1.0)

    def as_dict(self) -> dict[str, Any]:
        """Return the change as data for JSON."""
        new = self.new[0] if len(self.new) == 1 else list(self.new)
        return asdict(self) | {"new": new, "relative": self.relative}


@dataclass(frozen=True)
class LearnedSummary:
    """Summary of the learned file of an edge or of a gain-scheduled node."""

    path: str
    """Path of the learned file in the project."""
    name: str
    """Name of the node, or the edge as "walk -> stand"."""
    kind: str
    """Whether the file belongs to an "edge" or a "node"."""
    file: LearnedFile | None
    """Contents of the file. None: the file has errors."""
    changes: tuple[ChangedConstant, ...]
    """Constants that the file changes."""
    findings: tuple[Finding, ...]
    """Errors of the file or of a script for which it was learned."""

    @property
    def state(self) -> str:
        """State of the file: "ok", "stale" (learned for another version of a script) or "faulty" (other errors)."""
        if not self.findings:
            return "ok"
        return "stale" if all(finding.code == "stale-constants" for finding in self.findings) else "faulty"

    @property
    def condition(self) -> tuple[str, tuple[float, ...]] | None:
        """Scheduling variable ("slope" or "obstacle") and its values in the file. None: the constants are fixed."""
        if self.file is None or self.file.condition is None:
            return None
        return next(iter(self.file.condition.items()))

    @property
    def largest(self) -> tuple[ChangedConstant, ...]:
        """Changed constants, sorted by relative change, the largest first."""
        return tuple(sorted(self.changes, key=lambda change: -change.relative))

    def held_out(self, which: str) -> SuccessCount | None:
        """Return the success count in held-out cases (not used by the search), or None if the file does not have it.

        Args:
            which: "naive" for success without the learned file, "learned" for success with it.
        """
        return _count(None if self.file is None else self.file.held_out.get(which))

    @property
    def on_engines(self) -> dict[str, SuccessCount]:
        """Success in held-out cases with the learned file, by engine. Empty: it was learned on a single engine."""
        known = None if self.file is None else self.file.held_out.get("learned")
        engines = known.get("engines") if isinstance(known, dict) else None
        counts = {name: _count(count) for name, count in engines.items()} if isinstance(engines, dict) else {}
        return {name: count for name, count in counts.items() if count is not None}

    def cost(self, which: str) -> float | None:
        """Return the computational cost of the search, or None if the file does not have it.

        For a gain-scheduled node there was a search for each value of the scheduling variable. The costs of all
        searches are added.

        Args:
            which: Kind of cost: "generations", "evaluations" or "wall_s" (wall time, s).
        """
        search = {} if self.file is None else self.file.search
        known = [value[which] for value in (search, *search.values()) if isinstance(value, dict) and which in value]
        numbers = [float(value) for value in known if isinstance(value, int | float) and math.isfinite(value)]
        return sum(numbers) if numbers else None

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as data for JSON."""
        reached = {which: self.held_out(which) for which in ("naive", "learned")}
        file = self.file
        return {
            "name": self.name,
            "kind": self.kind,
            "path": self.path,
            "state": self.state,
            "condition": None if self.condition is None else {self.condition[0]: list(self.condition[1])},
            "cycles": {} if file is None else {name: part.cycles for name, part in file.parts.items()},
            "bridge": None if file is None or file.bridge is None else file.bridge.script,
            "changed": len(self.changes),
            "constants": [change.as_dict() for change in self.changes],
            **{which: None if count is None else count.as_dict() for which, count in reached.items()},
            "on_engines": {name: count.as_dict() for name, count in self.on_engines.items()},
            "search": {} if file is None else file.search,
            "findings": [finding.as_dict() for finding in self.findings],
        }


def _count(known: object) -> SuccessCount | None:
    """Return the success count in the data of a learned file, or None if there is no valid success count."""
    if not isinstance(known, dict):
        return None
    successes, trials = known.get("successes"), known.get("trials")
    if not isinstance(successes, int) or not isinstance(trials, int) or not 0 <= successes <= trials or not trials:
        return None
    return SuccessCount(successes, trials)


def summaries(graph: ControllerGraph, resolver: ControllerResolver, directory: Path) -> list[LearnedSummary]:
    """Return a summary of each learned file of a graph, first for edges and then for gain-scheduled nodes.

    Args:
        graph: Graph of the project.
        resolver: Controllers of the graph.
        directory: Directory of the project.
    """
    return [_summary(user, path, resolver, directory) for user, path in users_of(graph)]


def named(found: list[LearnedSummary], name: str) -> LearnedSummary:
    """Return the summary with a given name.

    Args:
        found: Summaries to choose from.
        name: Edge (`walk -> stand`, `walk->stand` or `walk-stand`), name of a node, or path of a learned file.

    Raises:
        CtrlGraphError: No summary has this name.
    """
    for summary in found:
        if name in (summary.path, Path(summary.path).stem) or _spelt(name) == _spelt(summary.name):
            return summary
    known = [summary.name for summary in found]
    hint = suggestion(name, known) or (f"known: {', '.join(known)}" if known else "the project has no learned files")
    raise CtrlGraphError(f"there is no learned edge or node '{name}' ({hint})")


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
    lines_of = cache(_lines)
    for name, part in file.parts.items():
        program = programs.get(name)
        fresh = program is not None and program.digest == part.program
        known = {p.id: p for p in program.parameters} if program is not None and fresh else {}
        for constant in part.constants:
            yield _change(name, constant, known.get(constant.id), lines_of, directory)


def _change(
    part: str,
    constant: LearnedConstant,
    parameter: Parameter | None,
    lines_of: Callable[[Path], list[str]],
    directory: Path,
) -> ChangedConstant:
    """Return a constant of a learned file together with its place in the current script.

    Args:
        part: Field of the file with the constant: "source" or "target".
        constant: The constant as the file has it.
        parameter: Parameter of the current script with the same id. None: the script has changed since learning, or
            has no such parameter.
        lines_of: Function that returns the lines of a script, given its path.
        directory: Directory of the project.
    """
    new = constant.new if isinstance(constant.new, tuple) else (float(constant.new),)
    if parameter is None:
        role = " ".join(constant.id.split("/")[-2:])
        return ChangedConstant(part, constant.id, "", 0, 0, role, "", "", constant.old, new, "")
    p, lines = parameter, lines_of(Path(parameter.path))
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
