"""Pydantic models of a learned file.

`project.learned` reads and applies learned files, `project.learned_writer` writes them.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Any, cast

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ctrlgraph.bounds import MAX_CONSTANT, MAX_CYCLES, MAX_MAGNITUDE, MAX_PATH_LENGTH
from ctrlgraph.terrain.terrain import TerrainPreview
from ctrlgraph.yaml_source import shown_value

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
    raise ValueError(f"may hold numbers, texts, lists and mappings only, not {shown_value(value)}")


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
    """A learned file; exactly one of `edge` ("walk -> stand") and `node` is given.

    `search` and `held_out` record how it was made and its success on held-out seeds.
    """

    edge: Text | None = None
    node: Text | None = None
    condition: Condition | None = None
    source: LearnedPart | None = None
    bridge: LearnedBridge | None = None
    target: LearnedPart | None = None
    search: Free = {}
    held_out: Free = {}

    @property
    def title(self) -> str:
        """Return the edge or node that it is about, on one line."""
        return " ".join((self.edge or self.node or "").split())

    @property
    def parts(self) -> dict[str, LearnedPart]:
        """The given ones of `source` and `target`."""
        named = (("source", self.source), ("target", self.target))
        return {name: part for name, part in named if part is not None}

    @property
    def varies(self) -> bool:
        """Return whether its values depend on the ground."""
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
