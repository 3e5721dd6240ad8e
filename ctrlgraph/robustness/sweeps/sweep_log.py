"""Store of sweeps: an SQLite database in `runs/` of a project.

Trials are written batch by batch, each batch in one transaction. A process that is killed loses at most the batches in
progress, and its sweep can be resumed. A trial is identified by sweep, target, point and index, so that a trial that is
simulated twice is stored once.
"""

from __future__ import annotations

import itertools
import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ctrlgraph.errors import RunLogError
from ctrlgraph.paths import display_path
from ctrlgraph.robustness.perturbation import perturbations
from ctrlgraph.robustness.sweeps.stored import checked_point, checked_sweep
from ctrlgraph.run_log.database import Database, Format, require_types
from ctrlgraph.simulation.trial import Point, Trial

DATABASE = "robustness.sqlite"
SCHEMA_VERSION = 1

Axes = tuple[tuple[str, tuple[float, ...]], ...]
"""Axes (numeric perturbations that are varied) of a sweep, each as (name, values)."""

_SCHEMA = Path(__file__).with_name("sweep_log.sql").read_text(encoding="utf-8")


def grid(axes: Axes) -> list[Point]:
    """Return every combination of values of some axes, each as (name, value) of the axes. The last varies fastest."""
    return list(itertools.product(*([(name, value) for value in values] for name, values in axes)))


def grid_size(axes: Axes) -> int:
    """Return the number of combinations of the values of some axes."""
    return math.prod(len(values) for _, values in axes)


LIMIT_STEP, LIMIT_CONFIRM = "limit_step", "limit_confirm"
"""Keys of `Sweep.perturbations` with the settings of a search for a limit: the resolution, and the number of values
below the limit that must succeed too.
"""


@dataclass(frozen=True, slots=True)
class Sweep:
    """Description of a sweep: the tested target and the perturbations. Its trials are stored separately."""

    id: str
    """Identifier in the store."""
    target: str
    """Node ("walk"), edge ("walk->run") or path that is tested."""
    axes: Axes
    """Axes with their values. A search for a limit has one axis without values."""
    trials: int
    """Number of trials of a point with random perturbations. A point without has one trial (see `trials_at`)."""
    seed: int
    """Seed from which the seeds of the trials are derived."""
    perturbations: Mapping[str, object] = field(default_factory=dict)
    """Fixed perturbations that are not neutral, by name, and the settings of a search for a limit."""
    command: str = ""
    """Command line that began the sweep."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Versions of the programs and libraries that determine the results, by name."""
    hashes: Mapping[str, str] = field(default_factory=dict)
    """Hash of each part of the project that determines a trial, by its name, such as "node walk"."""
    started: str = ""
    """Time at which the sweep began (ISO 8601)."""
    description: str = ""
    """Description from the scenario file."""
    source: str = ""
    """Origin of the scenario, such as a publication, from the scenario file."""

    def points(self) -> list[Point]:
        """Return every point of the sweep's grid, each as (name, value) of the axes. The last axis varies fastest."""
        return grid(self.axes)

    @property
    def fixed(self) -> dict[str, object]:
        """Values of the fixed perturbations by name, without the settings of a search for a limit."""
        return {name: value for name, value in self.perturbations.items() if name not in (LIMIT_STEP, LIMIT_CONFIRM)}

    def trials_at(self, points: Iterable[Point]) -> dict[Point, int]:
        """Return the number of trials of each point: `trials`, or at most 1 without random perturbations.

        Raises:
            CtrlGraphError: This version does not know an axis of a point, or a fixed perturbation.
        """
        fixed = perturbations(self.fixed)
        return {point: fixed.with_values(point).distinct_trials(self.trials) for point in points}

    @property
    def items(self) -> Iterator[tuple[Point, int]]:
        """Point and index of every trial of the grid, point by point."""
        return ((point, i) for point, trials in self.trials_at(self.points()).items() for i in range(trials))

    @property
    def size(self) -> int:
        """Number of trials at all points of the grid."""
        return sum(self.trials_at(self.points()).values())

    @property
    def is_limit(self) -> bool:
        """True if the sweep is a search for a limit."""
        return LIMIT_STEP in self.perturbations


_SWEEP_COLUMNS = ", ".join(f.name for f in fields(Sweep))
_COLUMN_OF = {"recovered": "followed"}  # name of the database column
_TRIAL_COLUMNS = ", ".join(f'"{_COLUMN_OF.get(f.name, f.name)}"' for f in fields(Trial))


class SweepStore(Database):
    """Database of the sweeps of a project: their descriptions and their trials.

    Only the process that runs a sweep writes to the store. Any number of processes may read it.
    """

    FORMAT = Format(
        file=DATABASE,
        schema=_SCHEMA,
        version=SCHEMA_VERSION,
        noun="store of sweeps",
        purpose="sweeps cannot be stored",
        nothing="no sweep is stored",
        maker="'ctrlgraph robustness sweep'",
    )

    def begin(self, sweep: Sweep) -> None:
        """Store the description of a new sweep, which has no trials yet.

        Raises:
            RunLogError: The store already has a sweep with this id, or cannot be written.
        """
        row = [_json_of(getattr(sweep, f.name)) for f in fields(Sweep)]
        marks = ", ".join("?" * len(row))
        with self._errors():
            try:
                self._connection.execute(f"INSERT INTO sweeps ({_SWEEP_COLUMNS}) VALUES ({marks})", row)
            except sqlite3.IntegrityError:
                raise RunLogError(f"the store already has a sweep '{sweep.id}': choose another 'id'") from None

    def add(self, sweep_id: str, trials: Sequence[Trial]) -> None:
        """Store the trials of a finished batch in one transaction. Trials that are already stored stay unchanged.

        Args:
            sweep_id: Id of the sweep.
            trials: Trials of the batch.
        """
        rows = [(sweep_id, *(_cell(getattr(trial, f.name)) for f in fields(Trial))) for trial in trials]
        marks = ", ".join("?" * (1 + len(fields(Trial))))
        with self._transaction():
            self._connection.executemany(
                f"INSERT OR IGNORE INTO trials (sweep, {_TRIAL_COLUMNS}) VALUES ({marks})", rows
            )

    def sweeps(self) -> list[Sweep]:
        """Return all sweeps, the oldest first."""
        with self._errors():
            rows = self._connection.execute(f"SELECT {_SWEEP_COLUMNS} FROM sweeps ORDER BY rowid").fetchall()
        return [self._sound(_sweep, row, f"sweep '{row[0]}'") for row in rows]

    def matching(self, sweep_id: str) -> list[Sweep]:
        """Return the stored sweeps that are meant by an id: it may also be `last` or the beginning of ids.

        Raises:
            RunLogError: No stored sweep matches.
        """
        found = matching(self.sweeps(), sweep_id)
        if not found:
            raise RunLogError(
                f"there is no sweep '{sweep_id}' in {display_path(self.path)}: give the id of a stored sweep"
            )
        return found

    def trials(self, sweep_id: str) -> list[Trial]:
        """Return the stored trials of a sweep, sorted by point and index.

        Raises:
            RunLogError: The store is damaged or cannot be read.
        """
        with self._errors():
            rows = self._connection.execute(
                f"SELECT {_TRIAL_COLUMNS} FROM trials WHERE sweep = ?", (sweep_id,)
            ).fetchall()
        trials = [self._sound(_trial, row, f"a trial of sweep '{sweep_id}'") for row in rows]
        axes = [tuple(name for name, _ in sweep.axes) for sweep in self.sweeps() if sweep.id == sweep_id]
        if any(tuple(name for name, _ in trial.point) not in axes for trial in trials):
            raise self._damaged(f"a trial of sweep '{sweep_id}' does not have the axes of the sweep")
        return sorted(trials, key=lambda trial: (trial.target, trial.point, trial.index))


def matching(sweeps: Sequence[Sweep], sweep_id: str) -> list[Sweep]:
    """Return the sweep with an id. If there is none, return all sweeps whose ids begin with the given text.

    Args:
        sweeps: Sweeps to choose from, the oldest first.
        sweep_id: Id, or the beginning of ids. `last` means all sweeps of the latest command.
    """
    if sweep_id == "last" and sweeps:
        sweep_id = sweeps[-1].id.partition(".")[0]
    return [s for s in sweeps if s.id == sweep_id] or [s for s in sweeps if s.id.startswith(sweep_id)]


def _cell(value: object) -> object:
    if isinstance(value, tuple):
        return json.dumps(value)
    return int(value) if isinstance(value, bool) else value


def _json_of(value: object) -> object:
    """Convert a field of a sweep to a value of the database: mappings and tuples become JSON texts."""
    return json.dumps(value, sort_keys=True) if isinstance(value, Mapping | tuple) else value


def _sweep(row: Sequence[Any]) -> Sweep:
    return Sweep(**checked_sweep(dict(zip((f.name for f in fields(Sweep)), row, strict=True))))


def _trial(row: Sequence[Any]) -> Trial:
    values = dict(zip((f.name for f in fields(Trial)), row, strict=True))
    require_types(values, _TRIAL_TYPES)
    values["point"] = checked_point(values["point"])
    values |= {name: bool(values[name]) for name in ("succeeded", "recovered")}
    return Trial(**values)


_TEXTS, _WHOLES = ("target", "status", "reason"), ("index", "seed", "succeeded", "recovered")
_TRIAL_TYPES = dict.fromkeys(_TEXTS, str) | dict.fromkeys(_WHOLES, int) | {"simulated_s": float}
