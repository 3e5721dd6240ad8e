"""Learned files: constants that replace those of the scripts of a learned edge or an adapted node.

A file names its constants by the ids of their parameters, with old and new values. It also has the digest of each
program that they were learned for. After a change of such a script the file is *stale* and is rejected. With a
`condition` each new value is a list with one number for each value of the condition. The numbers are interpolated
linearly, and are constant beyond the ends. `project.learned_writer` writes learned files.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, cast

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ctrlgraph.bounds import MAX_CONSTANT, MAX_CYCLES, MAX_MAGNITUDE, MAX_PATH_LENGTH
from ctrlgraph.control.controller import Controller
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError
from ctrlgraph.terrain.terrain import LEVEL, TerrainPreview
from ctrlgraph.yaml_source import Location, YamlSource, first_findings, read_yaml, shown_value, validate

CONDITIONS = ("slope", "obstacle")
"""Variables that a file's values may depend on: fields of `TerrainPreview`, degrees and m."""

Text = Annotated[str, Field(strict=True, min_length=1, max_length=MAX_PATH_LENGTH)]
Constant = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-MAX_CONSTANT, le=MAX_CONSTANT)]
Argument = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-MAX_MAGNITUDE, le=MAX_MAGNITUDE)]
Cycles = Annotated[int, Field(strict=True, ge=1, le=MAX_CYCLES)]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _require_within(values: Sequence[float], bound: float) -> None:
    for value in values:
        if abs(value) > bound:
            raise ValueError(f"must be within {-bound:g} and {bound:g}, not {value:g}")


def _new(value: object) -> object:
    """Return a number, or several as a tuple."""
    if _is_number(value):
        _require_within([cast(float, value)], MAX_CONSTANT)
        return float(cast(float, value))
    if isinstance(value, list | tuple) and value and all(_is_number(item) for item in value):
        _require_within(value, MAX_CONSTANT)
        return tuple(float(item) for item in value)
    raise ValueError(f"must be a finite number or a list of them, not {shown_value(value)}")


def _condition(value: object) -> object:
    if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in CONDITIONS:
        raise ValueError(f"must name one of {', '.join(CONDITIONS)} and its values, as in {{slope: [-5, 0, 5]}}")
    name, values = next(iter(value.items()))
    if not isinstance(values, list | tuple) or not values or not all(_is_number(item) for item in values):
        raise ValueError(f"must give a list of numbers for {name}, not {shown_value(values)}")
    _require_within(values, MAX_MAGNITUDE)
    if any(b <= a for a, b in itertools.pairwise(values)):
        raise ValueError(f"must give the values of {name} in rising order")
    return {name: tuple(float(item) for item in values)}


def _plain(value: object) -> object:
    """Return a value as YAML can contain it; numbers of numpy and dates are converted."""
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    raise ValueError(f"can contain only numbers, texts, lists and mappings, not {shown_value(value)}")


New = Annotated[Any, BeforeValidator(_new)]  # float | tuple[float, ...]
Free = Annotated[dict[str, Any], BeforeValidator(_plain)]
Condition = Annotated[dict[str, tuple[float, ...]], BeforeValidator(_condition)]


def interpolated(value: float, known: Sequence[float], row: Sequence[float]) -> float:
    """Return a gain-scheduled constant, interpolated linearly and constant beyond the ends.

    Args:
        value: Value of the scheduling variable.
        known: Rising values of it.
        row: Value of the constant at each of `known`.
    """
    return float(np.interp(value, known, row))


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LearnedConstant(_Entry):
    """A changed constant."""

    id: Text
    """Id of its parameter (see `control.parameters`)."""
    old: Constant
    new: New
    """A number or, with a condition, one for each of its values."""

    def value(self, condition: Mapping[str, Sequence[float]] | None, preview: TerrainPreview) -> float:
        """Return the new value on this ground."""
        if not isinstance(self.new, tuple):
            return float(self.new)
        if condition is None:
            raise ValueError(f"{self.id} has several values and no condition")
        ((name, values),) = condition.items()
        return interpolated(getattr(preview, name), values, self.new)


class LearnedPart(_Entry):
    """Changed constants of one end's program."""

    program: Text
    """Digest of the program."""
    cycles: Cycles | None = None
    """Source: number of cycles before the switch, 1 by default. Target: number of first cycles with the new constants,
    all by default."""
    constants: list[LearnedConstant] = []


class LearnedBridge(_Entry):
    """A script that runs once between source and target."""

    script: Text
    """Path relative to the project's directory."""
    args: list[Argument] = []
    program: Text


class LearnedFile(_Entry):
    """A learned file of an edge or a node; exactly one of `edge` ("walk -> stand") and `node` is given."""

    edge: Text | None = None
    node: Text | None = None
    condition: Condition | None = None
    source: LearnedPart | None = None
    bridge: LearnedBridge | None = None
    target: LearnedPart | None = None
    search: Free = {}
    """How the file was made."""
    held_out: Free = {}
    """Success on held-out seeds."""

    @property
    def title(self) -> str:
        """Return its edge or node on one line."""
        return " ".join((self.edge or self.node or "").split())

    @property
    def parts(self) -> dict[str, LearnedPart]:
        """Return those of `source` and `target` that are given."""
        named = (("source", self.source), ("target", self.target))
        return {name: part for name, part in named if part is not None}

    @property
    def varies(self) -> bool:
        """Return whether values depend on the ground."""
        constants = (constant for part in self.parts.values() for constant in part.constants)
        return any(isinstance(constant.new, tuple) for constant in constants)

    @property
    def digest(self) -> str:
        """Return the hash of everything that affects motions: not `search`, `held_out` and old values."""
        left_out = {"search": True, "held_out": True}
        data = self.model_dump(mode="json", exclude=left_out)
        for name in self.parts:
            data[name]["constants"] = [[c["id"], c["new"]] for c in data[name]["constants"]]
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:32]


# --- files ---


@dataclass(frozen=True)
class LearnedSource:
    """A learned file with its YAML source, for the places of findings."""

    file: LearnedFile
    yaml: YamlSource

    def findings(self, programs: Mapping[str, Controller]) -> list[Finding]:
        """Return parts that were learned for other versions of these programs, and unknown constants.

        Args:
            programs: Present programs of the parts "source", "bridge" and "target".
        """
        found = []
        for part, program in programs.items():
            known = getattr(self.file, part)
            if known is not None and known.program != program.digest:
                message = f"these constants were learned for another version of '{program.name}'"
                found.append(self.yaml.finding("stale-constants", message, [part, "program"], hint="learn them again"))
            elif part in self.file.parts:
                found += self._unknown_parameters(part, program)
        return first_findings(found)

    def _unknown_parameters(self, part: str, program: Controller) -> Iterator[Finding]:
        known = {parameter.id for parameter in program.parameters}
        for i, constant in enumerate(self.file.parts[part].constants):
            if constant.id not in known:
                message = f"'{program.name}' has no constant {constant.id}"
                yield self.yaml.finding("unknown-constant", message, [part, "constants", i, "id"])

    def applied(self, part: str, base: Controller, preview: TerrainPreview) -> Controller:
        """Return `base` with the constants of a part for this ground. The part must not have findings."""
        known = self.file.parts.get(part)
        if known is None:
            return base
        return apply_constants(base, known.constants, self.file.condition, preview)


def read_learned(path: Path | str) -> LearnedFile:
    """Return a learned file.

    Raises:
        SourceError: The file has errors.
    """
    return load_learned(path).file


def load_learned(path: Path | str) -> LearnedSource:
    """Return a learned file with its source.

    Raises:
        SourceError: The file has errors.
    """
    source = read_yaml(path, "learned")
    learned, findings = validate(source, LearnedFile)
    if learned is not None:
        findings += _check(source, learned)
    if learned is None or findings:
        raise SourceError(first_findings(findings))
    return LearnedSource(learned, source)


def _check(source: YamlSource, learned: LearnedFile) -> list[Finding]:
    """Return findings about fields that contradict each other."""
    findings = []
    if (learned.edge is None) == (learned.node is None):
        message = "a learned file needs either an 'edge' (walk -> stand) or a 'node'"
        findings.append(source.finding("missing-field", message, ["node"] if learned.node else []))
    if learned.source is None and learned.bridge is None and learned.target is None:
        findings.append(
            source.finding("missing-field", "the file changes nothing: it needs a source, bridge or target", [])
        )
    if learned.node is not None:
        for name in ("source", "bridge"):
            if getattr(learned, name) is not None:
                message = f"'{name}' is for edges; a file of a node has only a target"
                findings.append(source.finding("misplaced-field", message, [name], key=True))
        if learned.target is not None and learned.target.cycles is not None:
            message = "'cycles' is for edges; a node runs all its cycles with these constants"
            findings.append(source.finding("misplaced-field", message, ["target", "cycles"], key=True))
    for name, part in learned.parts.items():
        seen: set[str] = set()
        for i, constant in enumerate(part.constants):
            findings += _check_constant(source, learned, constant, [name, "constants", i])
            if constant.id in seen:
                message = f"the constant {constant.id} is given twice"
                findings.append(source.finding("repeated-constant", message, [name, "constants", i, "id"]))
            seen.add(constant.id)
    return findings


def _check_constant(
    source: YamlSource, learned: LearnedFile, constant: LearnedConstant, location: Location
) -> list[Finding]:
    findings = []
    if "/" not in constant.id:
        message = f"id must be that of a parameter, such as walk.t/0/call simbicon/dt, not {constant.id!r}"
        findings.append(source.finding("bad-value", message, [*location, "id"]))
    if isinstance(constant.new, tuple):
        expected = len(next(iter(learned.condition.values()))) if learned.condition else None
        if expected is None:
            message = "several values need a 'condition' with one value for each"
            findings.append(source.finding("bad-value", message, [*location, "new"]))
        elif len(constant.new) != expected:
            message = f"the condition has {expected} values, and 'new' has {len(constant.new)}"
            findings.append(source.finding("bad-value", message, [*location, "new"]))
    return findings


# --- constants and their parameters ---


def constants_of(program_before: Controller, values: Mapping[int, float | Sequence[float]]) -> list[LearnedConstant]:
    """Return the entries of a learned file for the changed constants of a program.

    Args:
        program_before: Program with the old values.
        values: New values by index into `constants`; with a condition, one for each of its values.
    """
    return [
        LearnedConstant(
            id=program_before.parameters[index].id,
            old=float(program_before.constants[index]),
            new=values[index] if np.ndim(values[index]) == 0 else tuple(cast(Sequence[float], values[index])),
        )
        for index in sorted(values)
    ]


def apply_constants(
    program: Controller,
    constants: Iterable[LearnedConstant],
    condition: Mapping[str, Sequence[float]] | None = None,
    preview: TerrainPreview = LEVEL,
) -> Controller:
    """Return the program with the new values of the entries.

    If a new value equals `old`, nothing was learned for this ground. Then the program keeps its value, which can be
    adapted to a slope.

    Args:
        program: The program.
        constants: Entries of a learned file.
        condition: Condition of the file, with its values.
        preview: Ground ahead.

    Raises:
        CtrlGraphError: The program has no parameter with the id of an entry.
    """
    indices = {parameter.id: index for index, parameter in enumerate(program.parameters)}
    changed = program.constants.copy()
    for constant in constants:
        if constant.id not in indices:
            raise CtrlGraphError(f"'{program.name}' has no constant {constant.id}")
        value = constant.value(condition, preview)
        if value != constant.old:
            changed[indices[constant.id]] = value
    return program.with_constants(changed)
