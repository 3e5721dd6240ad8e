"""Attempts of many runs in a temporary table, for reports; memory does not grow with their number."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Self

from ctrlgraph.runs.record import START, AttemptRecord
from ctrlgraph.runs.statistics import PICKED, Statistics, picked_attempts, statistics_of_picked

COLUMNS = {
    "run": "TEXT NOT NULL",
    "walk": "INTEGER NOT NULL",
    "position": "INTEGER NOT NULL",
    "planned": "INTEGER NOT NULL",
    "cycles": "INTEGER NOT NULL",
    "program_hash": "TEXT NOT NULL",
    "edge_hash": "TEXT NOT NULL",
} | PICKED
"""Columns of the log that reports need; fields of an `AttemptRecord`."""

Errors = Callable[[], contextlib.AbstractContextManager[Any]]
"""Function that returns a context manager for SQLite's errors."""


class ReportAttempt(NamedTuple):
    """Fields of an attempt that reports need; see `AttemptRecord`."""

    run: str
    walk: int
    position: int
    node: str
    source: str | None
    edge_kind: str
    planned: int
    cycles: int
    simulated_s: float
    succeeded: int


class ReportAttempts:
    """Attempts in the table `temp.picked` of a connection, in chronological order."""

    def __init__(self, connection: sqlite3.Connection, errors: Errors = contextlib.nullcontext) -> None:
        """
        Args:
            connection: connection with the table; closed by `close`.
            errors: converts SQLite's errors to those of the log.
        """
        self._connection = connection
        self._errors = errors
        connection.execute("ALTER TABLE temp.picked ADD COLUMN stale INTEGER NOT NULL DEFAULT FALSE")
        connection.execute("CREATE INDEX temp.picked_by_node ON picked (node)")

    @classmethod
    def of(cls, attempts: Iterable[AttemptRecord]) -> Self:
        """Return the attempts of an iterable."""
        return cls(picked_attempts(attempts, COLUMNS))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return int(self._rows("SELECT COUNT(*) FROM temp.picked")[0][0])

    def __iter__(self) -> Iterator[ReportAttempt]:
        return self._attempts("TRUE", ())

    def at(self, node: str) -> Iterator[ReportAttempt]:
        """Yield the attempts at a node."""
        return self._attempts("node = ?", (node,))

    @cached_property
    def statistics(self) -> Statistics:
        """Return the statistics of the attempts."""
        with self._errors():
            return statistics_of_picked(self._connection)

    def mark_stale(self, runs: Sequence[str], current: Iterable[str]) -> None:
        """Mark the attempts of `runs` whose edge hashes are not `current`."""
        self._rows(
            "UPDATE temp.picked SET stale = TRUE WHERE run IN (SELECT value FROM json_each(?))"
            " AND edge_hash NOT IN (SELECT value FROM json_each(?))",
            (json.dumps(list(runs)), json.dumps(list(current))),
        )

    def drop_stale(self) -> None:
        """Remove the attempts that are marked as stale."""
        self._rows("DELETE FROM temp.picked WHERE stale")

    @cached_property
    def stale(self) -> dict[str, int]:
        """Return the numbers of stale attempts by node."""
        return dict(self._rows("SELECT node, COUNT(*) FROM temp.picked WHERE stale GROUP BY node"))

    def usual_source(self, node: str) -> str | None:
        """Return the most frequent source of planned transitions to `node`."""
        found = self._rows(
            "SELECT source FROM temp.picked WHERE node = ? AND planned AND edge_kind <> ?"
            " GROUP BY source ORDER BY COUNT(*) DESC, source DESC LIMIT 1",
            (node, START),
        )
        return found[0][0] if found else None

    def hashes(self, key: Sequence[str], column: str) -> dict[tuple[str, ...], set[str]]:
        """Return the hashes in `column` for each combination of values of the columns `key`."""
        found: dict[tuple[str, ...], set[str]] = {}
        for *values, digest in self._rows(f"SELECT DISTINCT {', '.join(key)}, {column} FROM temp.picked"):
            found.setdefault(tuple(values), set()).add(digest)
        return found

    def _attempts(self, condition: str, values: Sequence[object]) -> Iterator[ReportAttempt]:
        columns = ", ".join("ok" if name == "succeeded" else name for name in ReportAttempt._fields)
        with self._errors():
            rows = self._connection.execute(
                f"SELECT {columns} FROM temp.picked WHERE {condition} ORDER BY rowid", values
            )
            yield from map(ReportAttempt._make, rows)

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        with self._errors():
            return self._connection.execute(query, values).fetchall()
