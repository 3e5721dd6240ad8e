"""Learned files: the constants that a learned edge or an adapted node runs with instead of its scripts' own.

A file names its constants by the place of their literals, gives old and new values, and the digest of
every program that they were found for: where a script has changed since, the file is *stale* and refused.
With a `condition` each new value is a list, one number for each value of the condition, between which is
interpolated linearly; beyond the ends the last one holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import cast

import numpy as np

from ctrlgraph.control.script.program import ConstantSource, Program
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError
from ctrlgraph.project.learned_model import (
    ARGUMENTS,
    CONDITIONS,
    LearnedBridge,
    LearnedConstant,
    LearnedFile,
    LearnedPart,
)
from ctrlgraph.project.learned_writer import learned_text, write_learned
from ctrlgraph.terrain.profile import LEVEL, Ahead
from ctrlgraph.yaml_source import Location, YamlSource, read_yaml, told, validate

__all__ = [
    "CONDITIONS",
    "LearnedBridge",
    "LearnedConstant",
    "LearnedFile",
    "LearnedPart",
    "LearnedSource",
    "apply_constants",
    "constants_of",
    "learned_text",
    "load_learned",
    "place_of",
    "read_learned",
    "write_learned",
]


@dataclass(frozen=True)
class LearnedSource:
    """A learned file with the text that it was read from, for findings that show the place.

    `directory` is the project's, which the places of constants are relative to.
    """

    file: LearnedFile
    yaml: YamlSource
    directory: Path

    def findings(self, programs: Mapping[str, Program]) -> list[Finding]:
        """What makes the file unfit for these programs of its parts ("source", "bridge", "target"), as the scripts
        now are: parts that were learned for another version, and places that hold no constant."""
        found = []
        for part, program in programs.items():
            known = getattr(self.file, part)
            if known is not None and known.program != program.digest:
                message = f"these constants were learned for another version of '{program.name}' than the present one"
                found.append(self.yaml.finding("stale-constants", message, [part, "program"], hint="learn them anew"))
            elif part in self.file.parts:
                found += self._unknown_places(part, program)
        return told(found)

    def _unknown_places(self, part: str, program: Program) -> Iterator[Finding]:
        places = _places(program, self.directory)
        for i, constant in enumerate(self.file.parts[part].constants):
            if constant.at not in places:
                message = f"'{program.name}' has no constant at {constant.at}"
                yield self.yaml.finding("unknown-constant", message, [part, "constants", i, "at"])

    def applied(self, part: str, base: Program, ahead: Ahead) -> Program:
        """`base` with the constants of a part on this ground; `findings` must have found nothing."""
        known = self.file.parts.get(part)
        if known is None:
            return base
        return apply_constants(base, known.constants, self.file.condition, ahead, self.directory)


def read_learned(path: Path | str) -> LearnedFile:
    """The learned file at `path`.

    Raises:
        SourceError: it has faults; it holds all of them.
    """
    return load_learned(path).file


def load_learned(path: Path | str, directory: Path | str | None = None) -> LearnedSource:
    """As `read_learned`, with the places of everything; `directory` is the project's, the nearest one above the
    file with a graph.yaml where None.

    Raises:
        SourceError: it has faults; it holds all of them.
    """
    source = read_yaml(path, "learned")
    learned, findings = validate(source, LearnedFile)
    if learned is not None:
        findings += _check(source, learned)
    if learned is None or findings:
        raise SourceError(told(findings))
    root = Path(directory) if directory is not None else _root(str(path))
    return LearnedSource(learned, source, root)


def _check(source: YamlSource, learned: LearnedFile) -> list[Finding]:
    """What the fields must be to each other."""
    findings = []
    if (learned.edge is None) == (learned.node is None):
        message = "a learned file is about either an 'edge' (walk -> stand) or a 'node'"
        findings.append(source.finding("missing-field", message, ["node"] if learned.node else []))
    if learned.source is None and learned.bridge is None and learned.target is None:
        findings.append(source.finding("missing-field", "it changes nothing: it needs source, bridge or target", []))
    if learned.node is not None:
        for name in ("source", "bridge"):
            if getattr(learned, name) is not None:
                message = f"'{name}' belongs to an edge; an adapted node has a target only"
                findings.append(source.finding("misplaced-field", message, [name], key=True))
        if learned.target is not None and learned.target.cycles is not None:
            message = "'cycles' belongs to an edge; an adapted node runs all its cycles with these constants"
            findings.append(source.finding("misplaced-field", message, ["target", "cycles"], key=True))
    for name, part in learned.parts.items():
        seen: set[str] = set()
        for i, constant in enumerate(part.constants):
            location: list[str | int] = [name, "constants", i]
            findings += _check_constant(source, learned, constant, location)
            if constant.at in seen:
                message = f"the constant at {constant.at} is given twice"
                findings.append(source.finding("repeated-constant", message, [*location, "at"]))
            seen.add(constant.at)
    return findings


def _check_constant(
    source: YamlSource, learned: LearnedFile, constant: LearnedConstant, location: Location
) -> list[Finding]:
    findings = []
    path, *numbers = constant.at.rsplit(":", 1 if constant.at.startswith(f"{ARGUMENTS}:") else 2)
    wanted = 1 if path == ARGUMENTS else 2
    if len(numbers) != wanted or not all(number.isdecimal() for number in numbers):
        message = f"a constant stands at PATH:LINE:COLUMN or args:N, not at {constant.at!r}"
        findings.append(source.finding("bad-value", message, [*location, "at"]))
    if isinstance(constant.new, tuple):
        expected = len(next(iter(learned.condition.values()))) if learned.condition else None
        if expected is None:
            message = "several values need a 'condition' that says what they are for"
            findings.append(source.finding("bad-value", message, [*location, "new"]))
        elif len(constant.new) != expected:
            message = f"the condition has {expected} values, and 'new' has {len(constant.new)}"
            findings.append(source.finding("bad-value", message, [*location, "new"]))
    return findings


# --- constants and their places ---


def constants_of(
    program_before: Program, values: Mapping[int, float | Sequence[float]], directory: Path | str | None = None
) -> list[LearnedConstant]:
    """The entries of a learned file for changed constants of a program.

    Args:
        program_before: with the old values.
        values: new ones (with a condition, one for each of its values) by index into `constants`.
        directory: that paths are relative to; without it, the nearest one above the script with a graph.yaml.
    """
    return [
        LearnedConstant(
            at=place_of(program_before, index, directory),
            role=program_before.sources[index].role,
            old=float(program_before.constants[index]),
            new=values[index] if np.ndim(values[index]) == 0 else tuple(cast(Sequence[float], values[index])),
        )
        for index in sorted(values)
    ]


def apply_constants(
    program: Program,
    constants: Iterable[LearnedConstant],
    condition: Mapping[str, Sequence[float]] | None = None,
    ahead: Ahead = LEVEL,
    directory: Path | str | None = None,
) -> Program:
    """The program with the entries' new values, wherever their places occur in it.

    Where the new value is the script's own (`old`), as on the ground for which nothing was learned, the program keeps
    its value: it may be adapted to a slope.

    Raises:
        CtrlGraphError: a place holds no constant of the program.
    """
    places = _places(program, directory)
    changed = program.constants.copy()
    for constant in constants:
        if constant.at not in places:
            raise CtrlGraphError(f"'{program.name}' has no constant at {constant.at}")
        value = constant.value(condition, ahead)
        if value != constant.old:
            changed[places[constant.at]] = value
    return program.with_constants(changed)


def place_of(program: Program, index: int, directory: Path | str | None = None) -> str:
    """Where constant number `index` stands, as learned files write it."""
    source: ConstantSource = program.sources[index]
    if source.line == 0:
        return f"{ARGUMENTS}:{index}"  # arguments come before all other constants
    root = _absolute(str(directory)) if directory is not None else _root(program.path)
    path = _absolute(source.path)
    shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    return f"{shown}:{source.line}:{source.column}"


def _places(program: Program, directory: Path | str | None = None) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for index in range(len(program.sources)):
        places.setdefault(place_of(program, index, directory), []).append(index)
    return places


@lru_cache(maxsize=1024)
def _absolute(path: str) -> Path:
    return Path(path).absolute()


@lru_cache(maxsize=256)
def _root(file: str) -> Path:
    """The project directory of a file: the nearest one above it with a graph.yaml, or its own."""
    path = Path(file).absolute()
    return next((directory for directory in path.parents if (directory / "graph.yaml").is_file()), path.parent)
