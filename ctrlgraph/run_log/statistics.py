"""Statistics of attempts at nodes and over edges: success rates with confidence intervals, durations, failures."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import math
import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ctrlgraph.arguments import checked
from ctrlgraph.run_log.record import START, AttemptRecord
from ctrlgraph.statistics import SuccessCount


@dataclass(frozen=True, slots=True)
class SuccessRate:
    """Successes and durations of a group of attempts. The durations are those of the successes; without successes,
    those of the failures.
    """

    attempts: int
    successes: int
    mean_s: float
    """Mean simulated duration, s."""
    median_s: float
    """Median simulated duration, s."""
    longest_s: float
    """Longest simulated duration, s."""
    mean_energy_j: float
    """Mean energy spent by the joints, J."""

    @property
    def count(self) -> SuccessCount:
        """Return the success count, with its confidence interval."""
        return SuccessCount(self.successes, self.attempts)

    @property
    def rate(self) -> float:
        """Return the success rate, 0 to 1."""
        return self.successes / self.attempts

    def as_dict(self) -> dict[str, Any]:
        """Return the success rate as JSON data."""
        low, high = self.count.interval
        data = dataclasses.asdict(self)
        counts = {name: data.pop(name) for name in ("attempts", "successes")}
        return counts | {"rate": self.rate, "low": low, "high": high} | data


@dataclass(frozen=True, slots=True)
class NodeStatistics:
    """Statistics of all attempts at a node."""

    name: str
    success: SuccessRate

    def as_dict(self) -> dict[str, Any]:
        """Return the statistics as JSON data."""
        return {"name": self.name} | self.success.as_dict()


@dataclass(frozen=True, slots=True)
class EdgeStatistics:
    """Statistics of all attempts over an edge: its target, run after its source."""

    source: str
    target: str
    kind: str
    success: SuccessRate

    def as_dict(self) -> dict[str, Any]:
        """Return the statistics as JSON data."""
        return {"source": self.source, "target": self.target, "kind": self.kind} | self.success.as_dict()


class Failure(NamedTuple):
    """A kind of failure at one place of a script; `reason` is without the measured number."""

    node: str
    status: str
    reason: str
    phase: int | None
    script: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class FailureStatistics:
    """Frequency of a kind of failure."""

    failure: Failure
    count: int

    def as_dict(self) -> dict[str, Any]:
        """Return the statistics as JSON data."""
        return self.failure._asdict() | {"count": self.count}


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of attempts by node, edge and kind of failure."""

    nodes: tuple[NodeStatistics, ...]
    edges: tuple[EdgeStatistics, ...]
    failures: tuple[FailureStatistics, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the statistics as JSON data."""
        return {name: [row.as_dict() for row in getattr(self, name)] for name in self.__slots__}


PICKED = {
    "node": "TEXT NOT NULL",
    "source": "TEXT",
    "edge_kind": "TEXT NOT NULL",
    "status": "TEXT NOT NULL",
    "reason": "TEXT NOT NULL",
    "phase": "INTEGER",
    "script": "TEXT",
    "line": "INTEGER",
    "simulated_s": "REAL",
    "energy_j": "REAL",
}
"""Columns of the log that statistics need; fields of an `AttemptRecord`."""


def create_picked(connection: sqlite3.Connection) -> None:
    """Create the table `temp.picked` of attempts, in a file if it is large; its column `ok` marks successes."""
    definitions = ", ".join(f"{name} {kind}" for name, kind in PICKED.items())
    connection.execute("PRAGMA temp_store = FILE")
    connection.execute(f"CREATE TEMP TABLE picked ({definitions}, ok INTEGER AS (status = 'completed') STORED) STRICT")


_ENERGY = "CASE WHEN COUNT(energy_j) = COUNT(*) THEN AVG(energy_j) END"


@checked
def summarize(attempts: Iterable[AttemptRecord]) -> Statistics:
    """Return the statistics of attempts: nodes and edges sorted by name, failures by frequency.

    >>> from ctrlgraph import Project, summarize, walk_random
    >>> project = Project.find()
    >>> run = walk_random(project, transitions=1, seed=9).run
    >>> with project.read_log() as log:
    ...     statistics = summarize(log.attempts(run))
    >>> [node.success.attempts for node in statistics.nodes if node.name == "stand"]
    [1]
    """
    with contextlib.closing(sqlite3.connect("")) as connection:
        create_picked(connection)
        rows = ([getattr(attempt, name) for name in PICKED] for attempt in attempts)
        marks = ", ".join("?" * len(PICKED))
        connection.executemany(f"INSERT INTO temp.picked ({', '.join(PICKED)}) VALUES ({marks})", rows)
        return statistics_of_picked(connection)


def statistics_of_picked(connection: sqlite3.Connection) -> Statistics:
    """Return the statistics of the table `temp.picked`."""
    nodes = _rates(connection, ("node",))
    edges = _rates(connection, ("source", "node", "edge_kind"), f"source IS NOT NULL AND edge_kind <> '{START}'")
    connection.create_function("reason_kind", 1, reason_kind, deterministic=True)
    failures = connection.execute(
        "SELECT node, status, reason_kind(reason) AS kind, phase, script, line, COUNT(*) FROM temp.picked"
        " WHERE NOT ok GROUP BY node, status, kind, phase, script, line"
    )
    counted = [FailureStatistics(Failure(*place), count) for *place, count in failures]
    return Statistics(
        tuple(NodeStatistics(name, rate) for (name,), rate in nodes),
        tuple(EdgeStatistics(source, node, kind, rate) for (source, node, kind), rate in edges),
        tuple(sorted(counted, key=lambda item: (-item.count, str(item.failure)))),
    )


def _rates(
    connection: sqlite3.Connection, key: tuple[str, ...], condition: str = "TRUE"
) -> list[tuple[list[str], SuccessRate]]:
    """Return the success rate of each group of attempts with the same key."""
    names = ", ".join(key)
    # this index keeps groups together, with sorted durations
    connection.execute(f"CREATE INDEX temp.groups ON picked ({names}, ok, simulated_s, energy_j) WHERE {condition}")
    found = connection.execute(
        f"SELECT {names}, ok, COUNT(*), AVG(simulated_s), MAX(simulated_s), {_ENERGY}"
        f" FROM temp.picked INDEXED BY groups WHERE {condition} GROUP BY {names}, ok ORDER BY {names}, ok"
    ).fetchall()
    same = " AND ".join(f"{name} = ?" for name in (*key, "ok"))
    middle = (
        f"SELECT AVG(simulated_s) FROM (SELECT simulated_s FROM temp.picked INDEXED BY groups"
        f" WHERE {condition} AND {same} ORDER BY simulated_s LIMIT ? OFFSET ?)"
    )
    rates = []
    for group, parts in itertools.groupby(found, key=lambda row: row[: len(key)]):
        by_ok = {row[-5]: row[-4:] for row in parts}
        ok = max(by_ok)  # durations are those of the successes, if any
        count, mean_s, longest_s, energy_j = by_ok[ok]
        (median_s,) = connection.execute(middle, (*group, ok, 2 - count % 2, (count - 1) // 2)).fetchone()
        numbers = [math.nan if value is None else value for value in (mean_s, median_s, longest_s, energy_j)]
        attempts = sum(row[0] for row in by_ok.values())
        rates.append((list(group), SuccessRate(attempts, count if ok else 0, *numbers)))
    connection.execute("DROP INDEX temp.groups")
    return rates


def reason_kind(reason: str) -> str:
    """Return a reason without the measured number: "torso 1.32 is above 1.0" becomes "torso is above 1.0"."""
    return re.sub(r"^(\S+) [-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|inf|nan)( rad| m/s| m| s)? (?=is )", r"\1 ", reason)
