"""Learned files: the constants that a learned edge or an adapted node runs with instead of its scripts' own.

A file names its constants by the place of their literals, gives old and new values, and the digest of
every program that they were found for: where a script has changed since, the file is *stale* and refused.
With a `condition` each new value is a list, one number for each value of the condition, between which is
interpolated linearly; beyond the ends the last one holds.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, cast

import numpy as np
import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ctrlgraph.control.program import ConstantSource, Program
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError
from ctrlgraph.paths import display_path
from ctrlgraph.terrain import LEVEL, Ahead
from ctrlgraph.yaml_source import Location, YamlSource, read_yaml, shown_value, validate

CONDITIONS = ("slope", "obstacle")
"""What a file's values may depend on: fields of `terrain.Ahead`, in degrees and m."""

ARGUMENTS = "args"
"""Stands for a path where a constant is an argument given from outside: `args:0` is the first."""

Text = Annotated[str, Field(strict=True, min_length=1)]
Finite = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Cycles = Annotated[int, Field(strict=True, ge=1)]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _new(value: object) -> object:
    """A number as it is, several as a tuple."""
    if _is_number(value):
        return float(cast(float, value))
    if isinstance(value, list | tuple) and value and all(_is_number(item) for item in value):
        return tuple(float(item) for item in value)
    raise ValueError(f"must be a finite number or a list of them, not {shown_value(value)}")


def _condition(value: object) -> object:
    if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in CONDITIONS:
        raise ValueError(f"must name one of {', '.join(CONDITIONS)} and its values, as in {{slope: [-5, 0, 5]}}")
    name, values = next(iter(value.items()))
    if not isinstance(values, list | tuple) or not values or not all(_is_number(item) for item in values):
        raise ValueError(f"must give a list of numbers for {name}, not {shown_value(values)}")
    if any(b <= a for a, b in itertools.pairwise(values)):
        raise ValueError(f"must give the values of {name} in rising order")
    return {name: tuple(float(item) for item in values)}


New = Annotated[Any, BeforeValidator(_new)]  # float | tuple[float, ...]
Condition = Annotated[dict[str, tuple[float, ...]], BeforeValidator(_condition)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LearnedConstant(_Entry):
    """One constant: at: PATH:LINE:COLUMN of its literal (the path from the project's directory), or args:N;
    role: its use; new: a number, or with a condition one for each of its values."""

    at: Text
    role: Annotated[str, Field(strict=True)] = ""
    old: Finite
    new: New

    def value(self, condition: Mapping[str, Sequence[float]] | None, ahead: Ahead) -> float:
        """The new value on this ground."""
        if not isinstance(self.new, tuple):
            return float(self.new)
        if condition is None:
            raise ValueError(f"{self.at} has several values and no condition")
        ((name, values),) = condition.items()
        return float(np.interp(getattr(ahead, name), values, self.new))


class LearnedPart(_Entry):
    """Changed constants of one end's program. cycles: of a source, so many run before the switch (1 where not
    given); of a target, so many first ones run with the new constants, all where not given."""

    program: Text
    cycles: Cycles | None = None
    constants: list[LearnedConstant] = []


class LearnedBridge(_Entry):
    """A script that runs once between source and target; `script` from the project's directory."""

    script: Text
    args: list[Finite] = []
    program: Text


class LearnedFile(_Entry):
    """A learned file; exactly one of `edge` ("walk -> stand") and `node` is given.

    search and held_out tell how it was made and how well it does on held-out seeds, as whoever wrote them put it.
    """

    edge: Text | None = None
    node: Text | None = None
    condition: Condition | None = None
    source: LearnedPart | None = None
    bridge: LearnedBridge | None = None
    target: LearnedPart | None = None
    search: dict[str, Any] = {}
    held_out: dict[str, Any] = {}

    @property
    def title(self) -> str:
        """The edge or node that it is about."""
        return self.edge or self.node or ""

    @property
    def parts(self) -> dict[str, LearnedPart]:
        """`source` and `target`, those that are given."""
        named = (("source", self.source), ("target", self.target))
        return {name: part for name, part in named if part is not None}

    @property
    def varies(self) -> bool:
        """Whether its values depend on the ground."""
        constants = (constant for part in self.parts.values() for constant in part.constants)
        return any(isinstance(constant.new, tuple) for constant in constants)

    @property
    def digest(self) -> str:
        """Hash of everything that decides a motion: all but `search` and `held_out`, roles and old values."""
        left_out = {"search": True, "held_out": True}
        data = self.model_dump(mode="json", exclude=left_out)
        for name in self.parts:
            data[name]["constants"] = [[c["at"], c["new"]] for c in data[name]["constants"]]
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class LearnedSource:
    """A learned file with the text that it was read from, for findings that show the place."""

    file: LearnedFile
    yaml: YamlSource

    def stale(self, part: str, program: Program) -> list[Finding]:
        """A finding where `part` ("source", "bridge", "target") was learned for another program than this."""
        known = getattr(self.file, part)
        if known is None or known.program == program.digest:
            return []
        message = f"these constants were learned for another version of '{program.name}' than the present one"
        return [self.yaml.finding("stale-constants", message, [part, "program"], hint="learn them anew")]

    def applied(self, part: str, program: Program, ahead: Ahead, base: Program | None = None) -> Program:
        """`base` (the program itself where None) with the constants of a part on this ground.

        Raises:
            SourceError: they were learned for another program, or a place holds no constant of it.
        """
        known = self.file.parts.get(part)
        findings = self.stale(part, program)
        if not findings and known is not None:
            places = _places(program)
            for i, constant in enumerate(known.constants):
                if constant.at not in places:
                    message = f"'{program.name}' has no constant at {constant.at}"
                    findings.append(self.yaml.finding("unknown-constant", message, [part, "constants", i, "at"]))
        if findings:
            raise SourceError(findings)
        base = base or program
        return base if known is None else apply_constants(base, known.constants, self.file.condition, ahead)


def read_learned(path: Path | str) -> LearnedFile:
    """The learned file at `path`.

    Raises:
        SourceError: it has faults; it holds all of them.
    """
    return load_learned(path).file


def load_learned(path: Path | str) -> LearnedSource:
    """As `read_learned`, with the places of everything.

    Raises:
        SourceError: it has faults; it holds all of them.
    """
    source = read_yaml(path, "learned")
    learned, findings = validate(source, LearnedFile)
    if learned is not None:
        findings += _check(source, learned)
    if learned is None or findings:
        raise SourceError(findings)
    return LearnedSource(learned, source)


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

    Raises:
        CtrlGraphError: a place holds no constant of the program.
    """
    places = _places(program, directory)
    changed = program.constants.copy()
    for constant in constants:
        if constant.at not in places:
            raise CtrlGraphError(f"'{program.name}' has no constant at {constant.at}")
        changed[places[constant.at]] = constant.value(condition, ahead)
    return program.with_constants(changed)


def place_of(program: Program, index: int, directory: Path | str | None = None) -> str:
    """Where constant number `index` stands, as learned files write it."""
    source: ConstantSource = program.sources[index]
    if source.line == 0:
        return f"{ARGUMENTS}:{index}"  # arguments come before all other constants
    root = Path(directory) if directory is not None else _root(program.path)
    path = Path(source.path).absolute()
    shown = path.relative_to(root.absolute()).as_posix() if path.is_relative_to(root.absolute()) else str(path)
    return f"{shown}:{source.line}:{source.column}"


def _places(program: Program, directory: Path | str | None = None) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for index in range(len(program.sources)):
        places.setdefault(place_of(program, index, directory), []).append(index)
    return places


@lru_cache(maxsize=256)
def _root(script: str) -> Path:
    """The project directory of a script: the nearest one above it with a graph.yaml, or its own."""
    path = Path(script).absolute()
    return next((directory for directory in path.parents if (directory / "graph.yaml").is_file()), path.parent)


# --- writing ---

_HEADER = """\
# {title}: learned constants, made by `{command}`.
# `ctrlgraph learned {name}` shows them; docs/learned.md explains the fields. A part is stale, and refused, once
# the digest of its program is another.
"""


class _Dumper(yaml.SafeDumper):
    """YAML with one line for each constant and indented lists."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


class _Row(dict[str, Any]):
    """A mapping that is written in one line."""


_Dumper.add_representer(
    _Row, lambda dumper, row: dumper.represent_mapping("tag:yaml.org,2002:map", row, flow_style=True)
)
_Dumper.add_representer(
    list, lambda dumper, row: dumper.represent_sequence("tag:yaml.org,2002:seq", row, flow_style=_is_flat(row))
)


def write_learned(path: Path | str, learned: LearnedFile) -> None:
    """Write a learned file, whole or not at all; its directory is made where it does not exist.

    Raises:
        CtrlGraphError: it cannot be written.
    """
    path = Path(path)
    text = learned_text(learned)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        reason = (error.strerror or str(error)).lower()
        raise CtrlGraphError(f"{display_path(path)} cannot be written: {reason}") from None


def learned_text(learned: LearnedFile) -> str:
    """The text of a learned file."""
    data = learned.model_dump(mode="json", exclude_none=True)
    for name in ("source", "target"):
        if name in data:
            data[name]["constants"] = [_Row(constant) for constant in data[name]["constants"]]
            cycles = data[name].pop("cycles", None)
            data[name] = ({} if cycles is None else {"cycles": cycles}) | data[name]
    for name in ("search", "held_out"):
        if not data[name]:
            del data[name]
    name = learned.title.replace(" ", "").replace("->", "-")
    command = str(learned.search.get("command", "hand"))
    header = _HEADER.format(title=learned.title, command=command, name=name)
    return header + yaml.dump(data, Dumper=_Dumper, sort_keys=False, width=10**6, allow_unicode=True)


def _is_flat(row: Sequence[object]) -> bool:
    return not any(isinstance(item, dict | list) for item in row)
