"""Results of sweeps in SQLite, written batch by batch so that an interrupted sweep can be resumed.

One database in the project's `runs/`. A batch of trials is one transaction, and target, point and index are a trial's
primary key: a killed process loses at most the batches in progress, and a trial that is simulated twice counts once.
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
"""The axes of a sweep with their values."""

_SCHEMA = Path(__file__).with_name("sweep_log.sql").read_text(encoding="utf-8")


def grid(axes: Axes) -> list[Point]:
    """Return every point of a grid, with the last axis varying fastest."""
    return list(itertools.product(*([(name, value) for value in values] for name, values in axes)))


def grid_size(axes: Axes) -> int:
    """Return the number of points of a grid."""
    return math.prod(len(values) for _, values in axes)


LIMIT_STEP, LIMIT_CONFIRM = "limit_step", "limit_confirm"
"""Keys of `Sweep.perturbations` in a search for a limit: its resolution, and the number of values below the limit that
have to succeed.
"""


@dataclass(frozen=True, slots=True)
class Sweep:
    """A sweep: the axes' values, trials per point, and the fixed perturbations."""

    id: str
    target: str
    axes: Axes
    """Axes with their values. The points of an axis without values are chosen by the search for its limit."""
    trials: int
    """Number of trials of a point with random perturbations. Others have one (`trials_at`)."""
    seed: int
    perturbations: Mapping[str, object] = field(default_factory=dict)
    command: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=dict)
    """Hashes of everything in the project that determines a trial."""
    started: str = ""
    """ISO time."""
    description: str = ""
    source: str = ""

    def points(self) -> list[Point]:
        """Return every point of the grid, with the last axis varying fastest."""
        return grid(self.axes)

    @property
    def fixed(self) -> dict[str, object]:
        """Fixed perturbations, without the settings of a search for a limit."""
        return {name: value for name, value in self.perturbations.items() if name not in (LIMIT_STEP, LIMIT_CONFIRM)}

    def trials_at(self, points: Iterable[Point]) -> dict[Point, int]:
        """Return the number of trials of each point, 1 without random perturbations.

        Raises:
            CtrlGraphError: A point or a fixed perturbation is unknown to this version.
        """
        fixed = perturbations(self.fixed)
        return {point: fixed.with_values(point).distinct_trials(self.trials) for point in points}

    @property
    def items(self) -> Iterator[tuple[Point, int]]:
        """Yield every trial of the grid, point by point."""
        return ((point, i) for point, trials in self.trials_at(self.points()).items() for i in range(trials))

    @property
    def size(self) -> int:
        """Number of trials of the grid."""
        return sum(self.trials_at(self.points()).values())

    @property
    def is_limit(self) -> bool:
        """True if it is a search for a limit."""
        return LIMIT_STEP in self.perturbations


_SWEEP_COLUMNS = ", ".join(f.name for f in fields(Sweep))
_COLUMN_OF = {"recovered": "followed"}  # name of the database column
_TRIAL_COLUMNS = ", ".join(f'"{_COLUMN_OF.get(f.name, f.name)}"' for f in fields(Trial))


class SweepStore(Database):
    """The sweeps of a project. Only the process that runs a sweep writes; any number may read."""

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
        """Store a sweep without trials.

        Raises:
            RunLogError: The id is taken, or the store cannot be written.
        """
        row = [_json_of(getattr(sweep, f.name)) for f in fields(Sweep)]
        marks = ", ".join("?" * len(row))
        with self._errors():
            try:
                self._connection.execute(f"INSERT INTO sweeps ({_SWEEP_COLUMNS}) VALUES ({marks})", row)
            except sqlite3.IntegrityError:
                raise RunLogError(f"there is a sweep '{sweep.id}' already") from None

    def add(self, sweep_id: str, trials: Sequence[Trial]) -> None:
        """Store a finished batch in one transaction. Stored trials are unchanged.

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
        """Return every sweep, the oldest first."""
        with self._errors():
            rows = self._connection.execute(f"SELECT {_SWEEP_COLUMNS} FROM sweeps ORDER BY rowid").fetchall()
        return [self._sound(_sweep, row, f"sweep '{row[0]}'") for row in rows]

    def matching(self, sweep_id: str) -> list[Sweep]:
        """Return the sweep of an id, or those whose ids begin like it. `last` is the latest one with its siblings.

        Raises:
            RunLogError: There is none.
        """
        found = matching(self.sweeps(), sweep_id)
        if not found:
            raise RunLogError(f"there is no sweep '{sweep_id}' in {display_path(self.path)}")
        return found

    def trials(self, sweep_id: str) -> list[Trial]:
        """Return the trials of a sweep by point and index, in the same order for any number of workers."""
        with self._errors():
            rows = self._connection.execute(
                f"SELECT {_TRIAL_COLUMNS} FROM trials WHERE sweep = ?", (sweep_id,)
            ).fetchall()
        trials = [self._sound(_trial, row, f"a trial of sweep '{sweep_id}'") for row in rows]
        axes = [tuple(name for name, _ in sweep.axes) for sweep in self.sweeps() if sweep.id == sweep_id]
        if any(tuple(name for name, _ in trial.point) not in axes for trial in trials):
            raise self._damaged(f"a trial of sweep '{sweep_id}' is at a point of other axes than the sweep's")
        return sorted(trials, key=lambda trial: (trial.target, trial.point, trial.index))


def matching(sweeps: Sequence[Sweep], sweep_id: str) -> list[Sweep]:
    """Return the sweep of an id, or those whose ids begin like it. `last` is the latest one with its siblings.

    Args:
        sweeps: Sweeps to choose from.
        sweep_id: Id, its beginning, or `last`.
    """
    if sweep_id == "last" and sweeps:
        sweep_id = sweeps[-1].id.partition(".")[0]
    return [s for s in sweeps if s.id == sweep_id] or [s for s in sweeps if s.id.startswith(sweep_id)]


def _cell(value: object) -> object:
    if isinstance(value, tuple):
        return json.dumps(value)
    return int(value) if isinstance(value, bool) else value


def _json_of(value: object) -> object:
    """Return mappings and sequences as JSON, other values unchanged."""
    if not isinstance(value, Mapping | tuple):
        return value
    return json.dumps(value, sort_keys=True)


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
