"""Stepping controllers: gaits, the outcomes of each step, and settings for the choice of steps over gaps."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ctrlgraph.character.model import Character
from ctrlgraph.control.controller import Place
from ctrlgraph.control.controller_file import Entry, checked_constants
from ctrlgraph.control.controller_file import read_entry as validated_entry
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.stepping.gait_set import GaitSet
from ctrlgraph.control.stepping.planning import LENGTH, POSITIONS, Preference
from ctrlgraph.control.stepping.sampler import COLUMNS, StepSampler
from ctrlgraph.errors import CtrlGraphError, Span
from ctrlgraph.paths import contained, display_path
from ctrlgraph.policies.outcome_table import OutcomeTable
from ctrlgraph.yaml_source import YamlSource, read_yaml

FloatArray = NDArray[np.float64]
FileName = Annotated[str, Field(strict=True, max_length=100, pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*\.npz$")]


def _number(low: float, high: float) -> object:
    return Field(strict=True, allow_inf_nan=False, ge=low, le=high)


class SteppingEntry(Entry):
    """A stepping file."""

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
"""Maximum number in a table: friction, torques (N m), forces (N), rates (rad/s) and lengths (m)."""
_SEARCHED = {"eps": ("time", 0.01, 0.5), "k_s": ("gain", 0.1, 1000.0), "margin": ("length", 0.0, 0.1)}
"""Quantity and bounds of each parameter."""


@dataclass(frozen=True)
class Stepping:
    """A controller that steps over gaps, planned from the outcomes of single steps of a set of gaits."""

    kind: ClassVar[str] = "stepping"

    name: str
    """Name."""
    path: str
    """File."""
    entry: SteppingEntry
    """Entry of the file."""
    character: Character = field(repr=False)
    """Character that steps."""
    gaits: GaitSet = field(repr=False)
    """Gaits."""
    outcomes: OutcomeTable = field(repr=False)
    """Outcomes of one step of each gait from each state."""
    constants: FloatArray
    """(P,) values of the parameters."""
    number_spans: Mapping[str, Span | None] = field(repr=False)
    """Places of the constants in the file, by name."""

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters, as `over_gaps.yaml/eps`."""
        file = Path(self.path or self.name).name
        return tuple(
            Parameter(f"{file}/{name}", name, quantity, None, low, high, self.path, 1).placed(
                self.number_spans.get(name)
            )
            for name, (quantity, low, high) in _SEARCHED.items()
        )

    def with_constants(self, constants: FloatArray) -> Stepping:
        """Return the same controller with other constants.

        Raises:
            ValueError: the vector has another length.
        """
        return replace(self, constants=checked_constants(self, constants))

    def constant(self, name: str) -> float:
        """Return the constant of a parameter by name."""
        return float(self.constants[list(_SEARCHED).index(name)])

    @cached_property
    def digest(self) -> str:
        """Return the hash of everything that affects its motion."""
        plain = self.entry.model_dump(mode="json")
        made = dict(self.outcomes.space.digests)
        table = hashlib.sha256(self.outcomes.after.tobytes() + self.outcomes.status.tobytes()).hexdigest()[:16]
        text = json.dumps([self.name, plain, self.constants.tolist(), self.gaits.digest, made, table], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def place(self) -> Place:
        """Return the beginning of the file."""
        return Place(self.path, self.name, 1, 1)


def read_stepping(path: Path, character: Character) -> Stepping:
    """Return the controller of a file, with the gaits and the table of outcomes that it names.

    Args:
        path: the file.
        character: the character that steps.

    Raises:
        CtrlGraphError: gaits or table are links that lead out of the file's folder, cannot be
            read, or belong to another character.
        SourceError: the file has errors; it lists all of them.
    """
    source, entry = read_entry(path)
    gaits = GaitSet.load(contained(path.parent, entry.gaits), character.digest)
    outcomes = load_steps(contained(path.parent, entry.steps), StepSampler(character, gaits, entry.feedback))
    constants = np.array([getattr(entry, name) for name in _SEARCHED], dtype=np.float64)
    spans = {name: source.number_span([name]) for name in _SEARCHED}
    return Stepping(path.stem, display_path(path), entry, character, gaits, outcomes, constants, spans)


def read_entry(path: Path) -> tuple[YamlSource, SteppingEntry]:
    """Return a stepping file and its entry.

    Raises:
        SourceError: the file has errors; it lists all of them.
    """
    source = read_yaml(path, "stepping")
    return source, validated_entry(source, SteppingEntry)


def load_steps(path: Path, wanted: StepSampler) -> OutcomeTable:
    """Return the table of outcomes in a file.

    Args:
        path: the file.
        wanted: the simulator that must have produced the outcomes.

    Raises:
        StaleFile: it was computed with other gaits, another body or other feedback.
        CtrlGraphError: it cannot be read.
    """
    table = OutcomeTable.load(path, wanted.space.digests)
    if table.space.columns != COLUMNS or len(table.space.actions) != wanted.gaits.count:
        raise CtrlGraphError(f"{display_path(path)} was computed for other gaits")
    if table.space.grid != wanted.space.grid:  # the states are numbered by gait
        raise CtrlGraphError(f"{display_path(path)} was computed for other initial states")
    # squares of larger numbers overflow in the plan; failed steps can lead to NaN
    if (np.abs(table.after) > _MOST).any() or np.abs(table.space.actions).max() > _MOST:
        raise CtrlGraphError(f"{display_path(path)} contains numbers too large for a step")
    return table
