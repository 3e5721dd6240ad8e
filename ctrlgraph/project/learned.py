"""Learned files: the constants that a learned edge or a gain-scheduled node uses instead of those in its scripts.

A file identifies each constant by its parameter id, and has the constant's old and new value. It also has the digest of
each program (compiled script) for which the constants were learned. If such a program has changed, the file is *stale*
and rejected.

The constants of a gain-scheduled node depend on a scheduling variable, the slope or the obstacle. Then the field
`condition` has some values of the variable, and the new value of each constant is a list with one number for each value
of the variable. Between these values, the constant is interpolated linearly. Beyond the ends, it does not change.

`project.learned_writer` writes learned files.
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

_LEARN_AGAIN = "repeat the search; 'ctrlgraph learn --stale' repeats the searches of all stale edges"

CONDITIONS = ("slope", "obstacle")
"""Scheduling variables on which constants can depend: the slope (degrees) and the obstacle's height (m)."""

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
    """Check the value of the field `new` of a learned constant, and return it as a number or a tuple of numbers."""
    if _is_number(value):
        _require_within([cast(float, value)], MAX_CONSTANT)
        return float(cast(float, value))
    if isinstance(value, list | tuple) and value and all(_is_number(item) for item in value):
        _require_within(value, MAX_CONSTANT)
        return tuple(float(item) for item in value)
    raise ValueError(f"must be a finite number or a list of finite numbers, not {shown_value(value)}")


def _condition(value: object) -> object:
    if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in CONDITIONS:
        raise ValueError(f"must name one of {', '.join(CONDITIONS)} and its values, as in {{slope: [-5, 0, 5]}}")
    name, values = next(iter(value.items()))
    if not isinstance(values, list | tuple) or not values or not all(_is_number(item) for item in values):
        raise ValueError(f"must give a list of numbers for {name}, not {shown_value(values)}")
    _require_within(values, MAX_MAGNITUDE)
    if any(b <= a for a, b in itertools.pairwise(values)):
        raise ValueError(f"must give the values of {name} in rising order, each only once")
    return {name: tuple(float(item) for item in values)}


def _plain(value: object) -> object:
    """Convert data to types that YAML has: numbers of numpy to Python's, tuples to lists, dates to texts."""
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
    raise ValueError(f"can contain only finite numbers, texts, lists and mappings, not {shown_value(value)}")


New = Annotated[Any, BeforeValidator(_new)]  # float | tuple[float, ...]
Free = Annotated[dict[str, Any], BeforeValidator(_plain)]
Condition = Annotated[dict[str, tuple[float, ...]], BeforeValidator(_condition)]


def interpolated(value: float, known: Sequence[float], row: Sequence[float]) -> float:
    """Interpolate a constant that depends on the slope or the obstacle. Beyond the ends of `known`, it is constant.

    Args:
        value: Current slope (degrees) or obstacle height (m).
        known: Slopes or heights for which the constant is known, in rising order.
        row: Value of the constant for each element of `known`.
    """
    return float(np.interp(value, known, row))


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LearnedConstant(_Entry):
    """A constant of a script, with the value that a search has found for it."""

    id: Text
    """Parameter id of the constant (see `control.parameters`)."""
    old: Constant
    """Value in the script when the constant was learned."""
    new: New
    """Learned value: a number or, if the file has a condition, one number for each value of the scheduling variable."""

    def value(self, condition: Mapping[str, Sequence[float]] | None, preview: TerrainPreview) -> float:
        """Return the learned value for a ground.

        Args:
            condition: Values for which `new` has numbers, by name of the scheduling variable ("slope" or "obstacle"):
                the field `condition` of the file. None: the file has no such field.
            preview: Slope of the ground, and the obstacle ahead.
        """
        if not isinstance(self.new, tuple):
            return float(self.new)
        if condition is None:
            raise ValueError(f"{self.id} has several values, but the file has no 'condition': add it or give one value")
        ((name, values),) = condition.items()
        return interpolated(getattr(preview, name), values, self.new)


class LearnedPart(_Entry):
    """Learned constants of one controller, which belongs to the source or target of an edge, or to a node."""

    program: Text
    """Digest of the program for which the constants were learned."""
    cycles: Cycles | None = None
    """For a source: number of cycles that the source continues to run with the learned constants. None: 1. For a
    target: number of the target's first cycles that run with the learned constants. None: all cycles."""
    constants: list[LearnedConstant] = []
    """Learned constants. All other constants have the values of the script."""


class LearnedBridge(_Entry):
    """Bridging script: a script that runs once between source and target."""

    script: Text
    """Path relative to the directory of the project."""
    args: list[Argument] = []
    """Arguments of the script."""
    program: Text
    """Digest of the program of the script."""


class LearnedFile(_Entry):
    """Contents of a learned file, which belongs either to an edge or to a gain-scheduled node."""

    edge: Text | None = None
    """Edge to which the file belongs, such as "walk -> stand"."""
    node: Text | None = None
    """Name of the gain-scheduled node to which the file belongs."""
    condition: Condition | None = None
    """Scheduling variable ("slope" or "obstacle") with the values for which constants were learned, in rising order.
    None: the constants do not depend on the ground."""
    source: LearnedPart | None = None
    """Constants of the edge's source, which continues to run for some cycles. Only for edges."""
    bridge: LearnedBridge | None = None
    """Script that runs between source and target. Only for edges."""
    target: LearnedPart | None = None
    """Constants of the edge's target, or of the node."""
    search: Free = {}
    """How the constants were found: command, seed and cost of the search."""
    held_out: Free = {}
    """Success counts in held-out cases, which no search has used: "naive" without the file, "learned" with the file."""

    @property
    def title(self) -> str:
        """Edge or node to which the file belongs, as text on one line."""
        return " ".join((self.edge or self.node or "").split())

    @property
    def parts(self) -> dict[str, LearnedPart]:
        """Fields `source` and `target` by name. A field that the file does not have is omitted."""
        named = (("source", self.source), ("target", self.target))
        return {name: part for name, part in named if part is not None}

    @property
    def varies(self) -> bool:
        """True if a constant depends on the ground, that is, on the slope or the obstacle."""
        constants = (constant for part in self.parts.values() for constant in part.constants)
        return any(isinstance(constant.new, tuple) for constant in constants)

    @property
    def digest(self) -> str:
        """Hash of everything in the file that affects motions, so without `search`, `held_out` and old values."""
        data = self.model_dump(mode="json", exclude={"search": True, "held_out": True})
        for name in self.parts:
            data[name]["constants"] = [[c["id"], c["new"]] for c in data[name]["constants"]]
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:32]


# --- files ---


@dataclass(frozen=True)
class LearnedSource:
    """A learned file with its text. The text gives each error in the file its line and column."""

    file: LearnedFile
    """Contents of the file."""
    yaml: YamlSource
    """Text of the file, with the line and column of each value."""

    def findings(self, programs: Mapping[str, Controller]) -> list[Finding]:
        """Return the errors that arise because a script has changed since the constants were learned.

        These are parts that were learned for another version of their controller, and constants that a controller does
        not have.

        Args:
            programs: Current controllers by part of the file: "source", "bridge" and "target" (see
                `ControllerResolver.programs`).
        """
        found = []
        for part, program in programs.items():
            known = getattr(self.file, part)
            if known is not None and known.program != program.digest:
                message = f"these constants were learned for another version of '{program.name}'"
                found.append(self.yaml.finding("stale-constants", message, [part, "program"], hint=_LEARN_AGAIN))
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
        """Return the controller of the source or the target with its learned constants.

        Args:
            part: "source" or "target". If the file has no such field, `base` is returned.
            base: Controller without the learned constants. The file must have no `findings` for it.
            preview: Slope of the ground, and the obstacle ahead.
        """
        known = self.file.parts.get(part)
        if known is None:
            return base
        return apply_constants(base, known.constants, self.file.condition, preview)


def read_learned(path: Path | str) -> LearnedFile:
    """Read and check a learned file.

    Raises:
        SourceError: The file has errors.
    """
    return load_learned(path).file


def load_learned(path: Path | str) -> LearnedSource:
    """Read and check a learned file, and return its contents with its text.

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
    """Return findings about missing fields, fields that contradict each other, and invalid constants."""
    findings = []
    if (learned.edge is None) == (learned.node is None):
        message = "a learned file needs either the field 'edge' (such as walk -> stand) or the field 'node'"
        findings.append(source.finding("missing-field", message, ["node"] if learned.node else []))
    if learned.source is None and learned.bridge is None and learned.target is None:
        findings.append(
            source.finding("missing-field", "the file changes nothing: add the field source, bridge or target", [])
        )
    if learned.node is not None:
        for name in ("source", "bridge"):
            if getattr(learned, name) is not None:
                message = f"'{name}' is a field for edges: the learned file of a node can only have a 'target'"
                findings.append(source.finding("misplaced-field", message, [name], key=True))
        if learned.target is not None and learned.target.cycles is not None:
            message = (
                "'cycles' is a field for edges: remove it, because a node runs all cycles with the learned constants"
            )
            findings.append(source.finding("misplaced-field", message, ["target", "cycles"], key=True))
    for name, part in learned.parts.items():
        seen: set[str] = set()
        for i, constant in enumerate(part.constants):
            findings += _check_constant(source, learned, constant, [name, "constants", i])
            if constant.id in seen:
                message = f"the constant {constant.id} is given twice: remove one"
                findings.append(source.finding("repeated-constant", message, [name, "constants", i, "id"]))
            seen.add(constant.id)
    return findings


def _check_constant(
    source: YamlSource, learned: LearnedFile, constant: LearnedConstant, location: Location
) -> list[Finding]:
    findings = []
    if "/" not in constant.id:
        message = f"'id' must be a parameter id, such as walk.t/0/call simbicon/dt, not {constant.id!r}"
        findings.append(source.finding("bad-value", message, [*location, "id"]))
    if isinstance(constant.new, tuple):
        expected = len(next(iter(learned.condition.values()))) if learned.condition else None
        if expected is None:
            message = "a list of values needs the field 'condition' with the same number of values"
            findings.append(source.finding("bad-value", message, [*location, "new"]))
        elif len(constant.new) != expected:
            message = f"'condition' has {expected} values, but 'new' has {len(constant.new)}"
            findings.append(source.finding("bad-value", message, [*location, "new"]))
    return findings


# --- constants and their parameters ---


def constants_of(program_before: Controller, values: Mapping[int, float | Sequence[float]]) -> list[LearnedConstant]:
    """Return new values of a program's constants as entries of a learned file.

    Args:
        program_before: Program with the old values.
        values: New value of each changed constant, by index in `program_before.constants`. A value is a number or, for
            a gain-scheduled constant, one number for each value of the scheduling variable.
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
    """Return a copy of a program with learned constants.

    If the learned value for the ground equals the old value, nothing was learned for this ground. The constant then
    keeps the value that it has in `program`, which may come from another learned file.

    Args:
        program: Program to copy.
        constants: Learned constants.
        condition: Values for which gain-scheduled constants have numbers, by name of the scheduling variable ("slope"
            or "obstacle"): the field `condition` of the learned file.
        preview: Slope of the ground, and the obstacle ahead.

    Raises:
        CtrlGraphError: The program has no parameter with the id of a learned constant.
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
