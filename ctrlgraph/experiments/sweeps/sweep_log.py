"""The results of sweeps in SQLite: written batch by batch, so that what was interrupted goes on where it stopped.

One database in the project's `runs/`. A batch of trials is one transaction, and a trial's place in the
sweep (target, point, index) is its primary key: a killed process loses at most the batches in flight,
and a trial that was simulated twice is counted once.
"""

from __future__ import annotations

import itertools
import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from ctrlgraph.errors import RunLogError
from ctrlgraph.experiments.perturbation import perturbations
from ctrlgraph.experiments.sweeps.reference import SourceReference
from ctrlgraph.experiments.sweeps.stored import checked_point, checked_sweep
from ctrlgraph.paths import display_path
from ctrlgraph.runs.database import Database, Format, require_types

DATABASE = "robustness.sqlite"
SCHEMA_VERSION = 1

CRASHED = "crashed"
"""The status of a trial whose process died every time that it was tried."""

Point = tuple[tuple[str, float], ...]
"""The values of a sweep's axes, (name, value) in the order of the axes."""

Axes = tuple[tuple[str, tuple[float, ...]], ...]
"""The axes of a sweep with their values."""

_SCHEMA = """
CREATE TABLE sweeps (
    id TEXT PRIMARY KEY,
    target TEXT NOT NULL,
    axes TEXT NOT NULL,
    trials INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    perturbations TEXT NOT NULL,
    command TEXT NOT NULL,
    versions TEXT NOT NULL,
    hashes TEXT NOT NULL,
    started TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL DEFAULT '',
    reference TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE TABLE trials (
    sweep TEXT NOT NULL REFERENCES sweeps(id),
    target TEXT NOT NULL,
    point TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    succeeded INTEGER NOT NULL,
    followed INTEGER NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    phase INTEGER,
    script TEXT,
    line INTEGER,
    simulated_s REAL NOT NULL,
    PRIMARY KEY (sweep, target, point, "index")
) STRICT;
"""


_ADDED = (
    ("sweeps", "description", "TEXT NOT NULL DEFAULT ''"),
    ("sweeps", "source", "TEXT NOT NULL DEFAULT ''"),
    ("sweeps", "reference", "TEXT NOT NULL DEFAULT '[]'"),
)
"""Columns that stores of the same version may lack."""


def grid(axes: Axes) -> list[Point]:
    """Return every point of a grid, the last axis the fastest."""
    return list(itertools.product(*([(name, value) for value in values] for name, values in axes)))


def grid_size(axes: Axes) -> int:
    """Return how many points a grid has."""
    return math.prod(len(values) for _, values in axes)


LIMIT_STEP, LIMIT_CONFIRM = "limit_step", "limit_confirm"
"""Where a search for a limit keeps its resolution, and how many values below the limit have to hold."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One simulated trial of one point of a sweep.

    target: "walk", "walk->walk_to_stop" or a longer path; index: number of the trial at its point;
    succeeded: by the conditions of the target's nodes; recovered: and the nearest static pose was
    reached after it; status, reason, phase, script, line: of the target's outcome, or of what failed
    on the way to it; simulated_s: from the target's entry on.
    """

    target: str
    point: Point
    index: int
    seed: int
    succeeded: bool
    recovered: bool
    status: str
    reason: str
    phase: int | None
    script: str | None
    line: int | None
    simulated_s: float


@dataclass(frozen=True, slots=True)
class Sweep:
    """What was asked: the axes' values, trials per point, and the fixed perturbations besides the axes.

    trials: of a point where something is drawn at random; elsewhere there is one (`sweep.trials_at`).
    An axis without values is one whose points are chosen as the search for a limit goes on. `hashes`
    are of everything in the project that decides a trial; `started` is an ISO time; description, source
    and reference are the scenario's.
    """

    id: str
    target: str
    axes: Axes
    trials: int
    seed: int
    perturbations: Mapping[str, object] = field(default_factory=dict)
    command: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=dict)
    started: str = ""
    description: str = ""
    source: str = ""
    reference: tuple[SourceReference, ...] = ()

    def points(self) -> list[Point]:
        """Return every point of the grid, the last axis the fastest."""
        return grid(self.axes)

    @property
    def fixed(self) -> dict[str, object]:
        """Return the fixed perturbations alone; a search for a limit keeps its own numbers beside them."""
        return {name: value for name, value in self.perturbations.items() if name not in (LIMIT_STEP, LIMIT_CONFIRM)}

    def trials_at(self, points: Iterable[Point]) -> dict[Point, int]:
        """Return how many trials each of these points has: one where nothing is drawn at random.

        Raises:
            CtrlGraphError: a point or the fixed perturbations are none that this version knows.
        """
        fixed = perturbations(self.fixed)
        return {point: fixed.with_values(point).worth(self.trials) for point in points}

    @property
    def items(self) -> Iterator[tuple[Point, int]]:
        """Return every trial of the grid, point by point, made as they are asked for."""
        return ((point, i) for point, trials in self.trials_at(self.points()).items() for i in range(trials))

    @property
    def size(self) -> int:
        """Return how many trials the grid has."""
        return sum(self.trials_at(self.points()).values())

    def counting(self, trials: Sequence[Trial]) -> list[Trial]:
        """Return the trials that say something: stores of old hold the same trial many times where nothing is
        drawn."""
        worth = self.trials_at({trial.point for trial in trials})
        return [trial for trial in trials if trial.index < worth[trial.point]]

    @property
    def is_limit(self) -> bool:
        """Tell whether it is a search for a limit."""
        return LIMIT_STEP in self.perturbations


_SWEEP_COLUMNS = ", ".join(f.name for f in fields(Sweep))
_COLUMN_OF = {"recovered": "followed"}  # what a database of any version calls it
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
        maker="'ctrlgraph robustness'",
        added=_ADDED,
    )

    def begin(self, sweep: Sweep) -> None:
        """Store what was asked.

        Raises:
            RunLogError: there is a sweep of this id, or the store cannot be written.
        """
        row = [_json_of(getattr(sweep, f.name)) for f in fields(Sweep)]
        marks = ", ".join("?" * len(row))
        with self._errors():
            try:
                self._connection.execute(f"INSERT INTO sweeps ({_SWEEP_COLUMNS}) VALUES ({marks})", row)
            except sqlite3.IntegrityError:
                raise RunLogError(f"there is a sweep '{sweep.id}' already") from None

    def add(self, sweep_id: str, trials: Sequence[Trial]) -> None:
        """Store a finished batch in one transaction; trials that are there already stay as they are."""
        rows = [(sweep_id, *(_cell(getattr(trial, f.name)) for f in fields(Trial))) for trial in trials]
        marks = ", ".join("?" * (1 + len(fields(Trial))))
        with self._transaction():
            self._connection.executemany(
                f"INSERT OR IGNORE INTO trials (sweep, {_TRIAL_COLUMNS}) VALUES ({marks})", rows
            )

    def rehash(self, hashes: Mapping[str, str], *, dry_run: bool = False) -> int:
        """Give what sweeps were begun with other hashes, by the old ones; all or nothing.

        Returns:
            Of how many sweeps there is something to change.
        """
        changed = []
        for sweep in self.sweeps():
            now = {name: hashes.get(value, value) for name, value in sweep.hashes.items()}
            if now != sweep.hashes:
                changed.append((_json_of(now), sweep.id))
        if changed and not dry_run:
            with self._transaction():
                self._connection.executemany("UPDATE sweeps SET hashes = ? WHERE id = ?", changed)
        return len(changed)

    def sweeps(self) -> list[Sweep]:
        """Return every sweep, in the order in which they were begun."""
        with self._errors():
            lacking = {name for table, name, _ in _ADDED if self._lacks(table, name)}
            names = [f.name for f in fields(Sweep) if f.name not in lacking]
            rows = self._connection.execute(f"SELECT {', '.join(names)} FROM sweeps ORDER BY rowid").fetchall()
        return [self._sound(_sweep, dict(zip(names, row, strict=True)), f"sweep '{row[0]}'") for row in rows]

    def find(self, sweep_id: str) -> Sweep:
        """Return the sweep of this id.

        Raises:
            RunLogError: there is none, or several begin like this.
        """
        found = self.matching(sweep_id)
        if len(found) > 1:
            raise RunLogError(f"several sweeps begin with '{sweep_id}': {', '.join(sweep.id for sweep in found)}")
        return found[0]

    def matching(self, sweep_id: str) -> list[Sweep]:
        """Return the sweep of this id, or those whose ids begin like it; `last` is the one begun last, with its like.

        Raises:
            RunLogError: there is none.
        """
        found = matching(self.sweeps(), sweep_id)
        if not found:
            raise RunLogError(f"there is no sweep '{sweep_id}' in {display_path(self.path)}")
        return found

    def trials(self, sweep_id: str) -> list[Trial]:
        """Return the trials of a sweep by point and index: the same table for any number of workers."""
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
    """Return the sweep of this id, or those whose ids begin like it; `last` is the one begun last, with its like."""
    if sweep_id == "last" and sweeps:
        sweep_id = sweeps[-1].id.partition(".")[0]
    return [s for s in sweeps if s.id == sweep_id] or [s for s in sweeps if s.id.startswith(sweep_id)]


def _cell(value: object) -> object:
    if isinstance(value, tuple):
        return json.dumps(value)
    return int(value) if isinstance(value, bool) else value


def _json_of(value: object) -> object:
    """Mappings and sequences as JSON, the rest as it is."""
    if not isinstance(value, Mapping | tuple):
        return value
    return json.dumps(value, sort_keys=True, default=lambda reference: reference.as_dict())


def _sweep(row: Mapping[str, Any]) -> Sweep:
    return Sweep(**checked_sweep(row))


def _trial(row: Sequence[Any]) -> Trial:
    values = dict(zip((f.name for f in fields(Trial)), row, strict=True))
    require_types(values, _TRIAL_TYPES)
    values["point"] = checked_point(values["point"])
    values |= {name: bool(values[name]) for name in ("succeeded", "recovered")}
    return Trial(**values)


_TEXTS, _WHOLES = ("target", "status", "reason"), ("index", "seed", "succeeded", "recovered")
_TRIAL_TYPES = dict.fromkeys(_TEXTS, str) | dict.fromkeys(_WHOLES, int) | {"simulated_s": float}
