"""Statistics of attempts by node, edge and kind of failure: success rates with intervals, durations, numbers."""

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
    """Success rate of a group of attempts, with durations and energy.

    Durations and energy are those of the successful attempts. If none is successful, they are those of the failed ones.
    """

    attempts: int
    """Number of attempts."""
    successes: int
    """Number of successful attempts."""
    mean_s: float
    """Mean simulated duration, s."""
    median_s: float
    """Median simulated duration, s."""
    longest_s: float
    """Longest simulated duration, s."""
    mean_energy_j: float
    """Mean energy spent by the joints, J. NaN if it is not known for all of these attempts."""

    @property
    def count(self) -> SuccessCount:
        """Number of successes and attempts, with a confidence interval of the success rate."""
        return SuccessCount(self.successes, self.attempts)

    @property
    def rate(self) -> float:
        """Share of successful attempts, 0 to 1."""
        return self.successes / self.attempts

    def as_dict(self) -> dict[str, Any]:
        """Return the success rate as data for JSON."""
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
        """Return the statistics as data for JSON."""
        return {"name": self.name} | self.success.as_dict()


@dataclass(frozen=True, slots=True)
class EdgeStatistics:
    """Statistics of all attempts over an edge, in which its target ran after its source."""

    source: str
    target: str
    kind: str
    """Kind of the edge: naive, learned or corrective."""
    success: SuccessRate

    def as_dict(self) -> dict[str, Any]:
        """Return the statistics as data for JSON."""
        return {"source": self.source, "target": self.target, "kind": self.kind} | self.success.as_dict()


class Failure(NamedTuple):
    """A kind of failure: attempts that failed in the same way at the same line of a script."""

    node: str
    """Node that failed."""
    status: str
    """Status of the outcome: failed, timeout or diverged."""
    reason: str
    """Reason without measured numbers (see `reason_kind`)."""
    phase: int | None
    """Number of the phase in which the controller ended."""
    script: str | None
    """File of the script in which the controller ended."""
    line: int | None
    """Line of this file, from 1."""


@dataclass(frozen=True, slots=True)
class FailureStatistics:
    """A kind of failure with its frequency."""

    failure: Failure
    count: int
    """Number of attempts that failed in this way."""

    def as_dict(self) -> dict[str, Any]:
        """Return the statistics as data for JSON."""
        return self.failure._asdict() | {"count": self.count}


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of attempts by node, edge and kind of failure."""

    nodes: tuple[NodeStatistics, ...]
    """Success of each node, sorted by name."""
    edges: tuple[EdgeStatistics, ...]
    """Success of each edge, sorted by source, target and kind."""
    failures: tuple[FailureStatistics, ...]
    """Kinds of failures, the most frequent first."""

    def as_dict(self) -> dict[str, Any]:
        """Return the statistics as data for JSON."""
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
"""Fields of an `AttemptRecord` that statistics need, with the definitions of their SQL columns."""


def create_picked(connection: sqlite3.Connection) -> None:
    """Create the temporary table `temp.picked` for the attempts of which statistics are made.

    It has the columns `PICKED`, and the column `ok`, which is 1 for successes. If it is large, it is kept in a file.
    """
    definitions = ", ".join(f"{name} {kind}" for name, kind in PICKED.items())
    connection.execute("PRAGMA temp_store = FILE")
    connection.execute(f"CREATE TEMP TABLE picked ({definitions}, ok INTEGER AS (status = 'completed') STORED) STRICT")


_ENERGY = "CASE WHEN COUNT(energy_j) = COUNT(*) THEN AVG(energy_j) END"


@checked
def summarize(attempts: Iterable[AttemptRecord]) -> Statistics:
    """Return the statistics of attempts.

    Args:
        attempts: Attempts, which are read once.

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
    """Return the statistics of the attempts in the table `temp.picked` (see `create_picked`)."""
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
    """Return (values of the key columns, success rate) of each group of attempts with equal values.

    Args:
        connection: Database with the table `temp.picked`.
        key: Names of the columns by which attempts are grouped.
        condition: SQL condition that the attempts must meet.
    """
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
