"""Stepping controllers, which choose the gait of each step so that no foot lands on a gap, as read from files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.controller import Place
from ctrlgraph.control.controller_file import Entry, checked_constants
from ctrlgraph.control.controller_file import read_entry as validated_entry
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.stepping.gait_set import GaitSet
from ctrlgraph.control.stepping.planning import LENGTH, POSITIONS, Preference
from ctrlgraph.control.stepping.sampler import COLUMNS, StepSampler
from ctrlgraph.errors import CtrlGraphError, Span
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.paths import contained, display_path
from ctrlgraph.policies.outcome_table import OutcomeTable
from ctrlgraph.yaml_source import YamlSource, read_yaml

FileName = Annotated[str, Field(strict=True, max_length=100, pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*\.npz$")]


def _number(low: float, high: float) -> object:
    return Field(strict=True, allow_inf_nan=False, ge=low, le=high)


class SteppingEntry(Entry):
    """Contents of a stepping file, which describes a controller that steps over gaps."""

    gaits: FileName
    """Name of the .npz file with the gaits, in the same directory."""
    steps: FileName
    """Name of the .npz file with the outcome table of single steps, in the same directory."""
    eps: Annotated[float, _number(1e-3, 1.0)] = 0.1
    """Time scale of the feedback that tracks a step, s."""
    k_s: Annotated[float, _number(0.01, 1e4)] = 10.0
    """Gain of the feedback that tracks a step."""
    feedback: Annotated[float, _number(0.0, 1.0)] = 0.05
    """Forward shift of the point of the ground force for each rad/s by which theta is too fast, m s."""
    friction: Annotated[float, _number(0.1, 2.0)] = 0.9
    """Coefficient of friction that the controller assumes."""
    margin: Annotated[float, _number(0.0, 0.2)] = 0.03
    """Minimum distance between sole and gap, m."""
    prefer: Preference = Preference.NONE
    """Preference for longer or shorter steps."""
    start: Annotated[float, _number(-1000.0, 1000.0)] = 0.0
    """World x of the beginning of the planned course, m."""
    length: Annotated[float, _number(1.0, 100.0)] = LENGTH
    """Length of the planned course, m."""
    positions: Annotated[int, Field(strict=True, ge=10, le=5000)] = POSITIONS
    """Number of positions on the course for which steps are planned."""


_MOST = 1e6
"""Maximum magnitude of a number in an outcome table."""
_SEARCHED = {"eps": ("time", 0.01, 0.5), "k_s": ("gain", 0.1, 1000.0), "margin": ("length", 0.0, 0.1)}
"""Quantity, minimum and maximum of each number that a search can change, by field of the stepping file."""


@dataclass(frozen=True)
class Stepping:
    """A controller that walks over gaps: it chooses the gait of each step by the simulated outcomes of single steps."""

    kind: ClassVar[str] = "stepping"

    name: str
    """Name of the controller: the name of the stepping file without suffix."""
    path: str
    """Path of the stepping file."""
    entry: SteppingEntry
    """Contents of the stepping file, with the numbers as written there."""
    character: PlanarCharacter = field(repr=False)
    """Character that walks."""
    gaits: GaitSet = field(repr=False)
    """Gaits (periodic walks) of the character, from which the steps are chosen."""
    outcomes: OutcomeTable = field(repr=False)
    """Simulated outcomes of one step of each gait from each state (gait of the last step, rate of theta)."""
    constants: Floats
    """(3,) values of the parameters `eps`, `k_s` and `margin`, which replace the numbers of `entry`."""
    number_spans: Mapping[str, Span | None] = field(repr=False)
    """Position in the file of each parameter's number, by name of the parameter; None if the file omits the number."""

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return descriptions of the three numbers that searches can change, with ids such as `over_gaps.yaml/eps`."""
        file = Path(self.path or self.name).name
        return tuple(
            Parameter(f"{file}/{name}", name, quantity, None, low, high, self.path, 1).placed(
                self.number_spans.get(name)
            )
            for name, (quantity, low, high) in _SEARCHED.items()
        )

    def with_constants(self, constants: Floats) -> Stepping:
        """Return the same controller with other values (3,) of the parameters `eps`, `k_s` and `margin`.

        Raises:
            ValueError: the number of values is not 3.
        """
        return replace(self, constants=checked_constants(self, constants))

    def constant(self, name: str) -> float:
        """Return the value of the parameter with the name `name`: "eps" (s), "k_s" or "margin" (m)."""
        return float(self.constants[list(_SEARCHED).index(name)])

    @cached_property
    def digest(self) -> str:
        """Return the hash of everything that affects the motion."""
        plain = self.entry.model_dump(mode="json")
        made = dict(self.outcomes.space.digests)
        table = hashlib.sha256(self.outcomes.after.tobytes() + self.outcomes.status.tobytes()).hexdigest()[:16]
        text = json.dumps([self.name, plain, self.constants.tolist(), self.gaits.digest, made, table], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def place(self) -> Place:
        """Return the position of the beginning of the stepping file, for messages."""
        return Place(self.path, self.name, 1, 1)


def read_stepping(path: Path, character: PlanarCharacter) -> Stepping:
    """Return the controller of a stepping file and of the files with gaits and outcome table that it names.

    Args:
        path: path of the stepping file.
        character: character that walks.

    Raises:
        CtrlGraphError: one of these files is a link that leads out of the directory, cannot be read, or was computed
            for another character.
        SourceError: the stepping file has errors; the exception lists them.
    """
    source, entry = read_entry(path)
    gaits = GaitSet.load(contained(path.parent, entry.gaits), character.digest)
    outcomes = load_steps(contained(path.parent, entry.steps), StepSampler(character, gaits, entry.feedback))
    constants = np.array([getattr(entry, name) for name in _SEARCHED], dtype=np.float64)
    spans = {name: source.number_span([name]) for name in _SEARCHED}
    return Stepping(path.stem, display_path(path), entry, character, gaits, outcomes, constants, spans)


def read_entry(path: Path) -> tuple[YamlSource, SteppingEntry]:
    """Return the parsed YAML and the contents of a stepping file; the files that it names are not read.

    Raises:
        SourceError: the file has errors; the exception lists them.
    """
    source = read_yaml(path, "stepping")
    return source, validated_entry(source, SteppingEntry)


def load_steps(path: Path, wanted: StepSampler) -> OutcomeTable:
    """Return the outcome table of single steps in a file.

    Args:
        path: path of the .npz file.
        wanted: simulator of steps with the gaits, character and feedback for which the table must have been computed.

    Raises:
        StaleFile: the table was computed with other gaits, another character or another feedback.
        CtrlGraphError: the file cannot be read, or the table has other states, or numbers that are too large.
    """
    table = OutcomeTable.load(path, wanted.space.digests)
    if table.space.columns != COLUMNS or len(table.space.actions) != wanted.gaits.count:
        raise CtrlGraphError(f"{display_path(path)} was computed for other gaits: tabulate the steps again")
    if table.space.grid != wanted.space.grid:  # the states are numbered by gait
        raise CtrlGraphError(f"{display_path(path)} was computed for other initial states: tabulate the steps again")
    # squares of larger numbers overflow in the planner; failed steps can have NaN
    if (np.abs(table.after) > _MOST).any() or np.abs(table.space.actions).max() > _MOST:
        raise CtrlGraphError(f"{display_path(path)} contains numbers too large for a step: tabulate the steps again")
    return table
