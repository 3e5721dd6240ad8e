"""A stepping controller as data: gaits, what each step leads to, and how steps are chosen over the gaps of a ground."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, model_validator

from ctrlgraph.character.model import Character
from ctrlgraph.control.controller import Place, refuse_arguments
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.stepping.gait_set import GaitSet
from ctrlgraph.control.stepping.planning import LENGTH, POSITIONS, Preference
from ctrlgraph.control.stepping.sampler import COLUMNS, StepSampler
from ctrlgraph.errors import CtrlGraphError, SourceError, Span
from ctrlgraph.paths import contained, display_path
from ctrlgraph.policies.outcome_table import OutcomeTable
from ctrlgraph.yaml_source import YamlSource, read_yaml, told, validate

FloatArray = NDArray[np.float64]
FileName = Annotated[str, Field(strict=True, max_length=100, pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*\.npz$")]


def _number(low: float, high: float) -> object:
    return Field(strict=True, allow_inf_nan=False, ge=low, le=high)


class EvenlyEntry(BaseModel):
    """So many values of a quantity, evenly spaced, ends included."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    least: Annotated[float, _number(0.05, 5.0)]
    greatest: Annotated[float, _number(0.05, 5.0)]
    count: Annotated[int, Field(strict=True, ge=1, le=20)]

    @model_validator(mode="after")
    def _rises(self) -> Self:
        if self.greatest < self.least:
            raise ValueError(f"has a greatest value, {self.greatest:g}, below its least, {self.least:g}")
        return self

    @property
    def values(self) -> list[float]:
        """Return the values."""
        return [round(float(value), 6) for value in np.linspace(self.least, self.greatest, self.count)]


class SteppingEntry(BaseModel):
    """A stepping file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    strides: EvenlyEntry = EvenlyEntry(least=0.3, greatest=0.66, count=10)
    speeds: EvenlyEntry = EvenlyEntry(least=0.5, greatest=0.95, count=10)

    gaits: FileName
    steps: FileName
    eps: Annotated[float, _number(1e-3, 1.0)] = 0.1
    k_s: Annotated[float, _number(0.01, 1e4)] = 10.0
    feedback: Annotated[float, _number(0.0, 1.0)] = 0.05
    friction: Annotated[float, _number(0.1, 2.0)] = 0.9
    margin: Annotated[float, _number(0.0, 0.2)] = 0.03
    prefer: Preference = Preference.NONE
    start: Annotated[float, _number(-1000.0, 1000.0)] = 0.0
    length: Annotated[float, _number(1.0, 100.0)] = LENGTH
    positions: Annotated[int, Field(strict=True, ge=10, le=5000)] = POSITIONS


_MOST = 1e6
"""Of a table's numbers: friction, torques (N m), forces (N), rates (rad/s) and lengths (m) alike."""
_SEARCHED = {"eps": (0.01, 0.5), "k_s": (0.1, 1000.0), "margin": (0.0, 0.1)}
_QUANTITIES = {"eps": "time", "k_s": "gain", "margin": "length"}


@dataclass(frozen=True)
class Stepping:
    """Steps over gaps: `outcomes` of one step of each of the `gaits` from each state, planned over the ground's
    gaps."""

    kind: ClassVar[str] = "stepping"

    name: str
    path: str
    entry: SteppingEntry
    character: Character = field(repr=False)
    gaits: GaitSet = field(repr=False)
    outcomes: OutcomeTable = field(repr=False)
    constants: FloatArray = field(default_factory=lambda: np.zeros(0))
    number_spans: Mapping[str, Span] = field(default_factory=dict, repr=False)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return what the constants are: `over_gaps.yaml/eps`."""
        file = Path(self.path or self.name).name
        found = []
        for name, (low, high) in _SEARCHED.items():
            parameter = Parameter(f"{file}/{name}", name, _QUANTITIES[name], None, low, high, path=self.path, line=1)
            span = self.number_spans.get(name)
            if span is not None:
                parameter = replace(parameter, line=span.line, column=span.column, end_column=span.end_column)
            found.append(parameter)
        return tuple(found)

    def with_constants(self, constants: FloatArray) -> Stepping:
        """Return the same controller with other numbers.

        Raises:
            ValueError: the vector has another length.
        """
        if constants.shape != self.constants.shape:
            raise ValueError(f"{self.name} has {self.constants.size} constants, not {constants.size}")
        return replace(self, constants=np.array(constants, dtype=np.float64))

    def constant(self, name: str) -> float:
        """Return one of the constants by the name of its entry."""
        return float(self.constants[list(_SEARCHED).index(name)])

    @cached_property
    def digest(self) -> str:
        """Return the hash of everything that decides the motion."""
        plain = self.entry.model_dump(mode="json")
        made = dict(self.outcomes.space.digests)
        table = hashlib.sha256(self.outcomes.after.tobytes() + self.outcomes.status.tobytes()).hexdigest()[:16]
        text = json.dumps([self.name, plain, self.constants.tolist(), self.gaits.digest, made, table], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def place(self) -> Place:
        """Return where the file begins."""
        return Place(self.path, self.name, 1, 1)


def read_stepping(path: Path, args: tuple[float, ...], character: Character, library: ScriptLibrary) -> Stepping:
    """Return the controller of a file, and of the gaits and the table that it names beside it.

    Raises:
        CtrlGraphError: there are arguments; gaits or table are links that lead away from the file, cannot be read, or
            are another character's.
        SourceError: the file has faults; it holds all of them.
    """
    refuse_arguments(path, args, "a stepping file takes")
    source, entry = _read_entry(path)
    gaits = GaitSet.load(contained(path.parent, entry.gaits), character.digest)
    outcomes = load_steps(contained(path.parent, entry.steps), sampler(entry, character, gaits))
    stepping = new_stepping(path.stem, entry, character, gaits, outcomes, display_path(path))
    spans = {name: span for name in _SEARCHED if (span := source.number_span([name])) is not None}
    return replace(stepping, number_spans=spans)


def read_entry(path: Path) -> SteppingEntry:
    """Return what a stepping file says.

    Raises:
        SourceError: the file has faults; it holds all of them.
    """
    return _read_entry(path)[1]


def _read_entry(path: Path) -> tuple[YamlSource, SteppingEntry]:
    source = read_yaml(path, "stepping")
    entry, findings = validate(source, SteppingEntry)
    if entry is None or findings:
        raise SourceError(told(findings))
    return source, entry


def sampler(entry: SteppingEntry, character: Character, gaits: GaitSet) -> StepSampler:
    """Return what simulates the steps of a stepping file."""
    return StepSampler(character, gaits, entry.feedback)


def load_steps(path: Path, wanted: StepSampler) -> OutcomeTable:
    """Return the table of a file.

    Raises:
        StaleFile: it was made with other gaits, another body or feedback.
        CtrlGraphError: it cannot be read.
    """
    table = OutcomeTable.load(path, wanted.space.digests)
    if table.space.columns != COLUMNS or len(table.space.actions) != wanted.gaits.count:
        raise CtrlGraphError(f"{display_path(path)} holds no steps of these gaits")
    if table.space.grid != wanted.space.grid:  # its states' numbers are gaits, and name them
        raise CtrlGraphError(f"{display_path(path)} holds no steps from each of these gaits")
    # squares of larger numbers overflow in the plan; what a failed step led to may be no number
    if (np.abs(table.after) > _MOST).any() or np.abs(table.space.actions).max() > _MOST:
        raise CtrlGraphError(f"{display_path(path)} holds numbers that no step leads to")
    return table


def new_stepping(
    name: str, entry: SteppingEntry, character: Character, gaits: GaitSet, outcomes: OutcomeTable, path: str = ""
) -> Stepping:
    """Return the controller of an entry without faults."""
    constants = np.array([getattr(entry, name) for name in _SEARCHED], dtype=np.float64)
    return Stepping(name, path, entry, character, gaits, outcomes, constants)
