"""Statistics of logged attempts: success rates and durations of nodes and edges, and numbers of failures by kind."""

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
    """Success rate of a group of attempts (such as all attempts at a node), with durations and energy.

    Durations and energy are those of the successful attempts or, if none was successful, those of the failed attempts.
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
    """Mean energy spent by the joints, J. NaN if the energy of one of the attempts is unknown."""

    @property
    def count(self) -> SuccessCount:
        """Numbers of successes and attempts as an object that has the confidence interval of the success rate."""
        return SuccessCount(self.successes, self.attempts)

    @property
    def rate(self) -> float:
        """Share of successful attempts, 0 to 1."""
        return self.successes / self.attempts

    def as_dict(self) -> dict[str, Any]:
        """Return all fields, the rate, and the ends of its confidence interval as data for JSON."""
        low, high = self.count.interval
        data = dataclasses.asdict(self)
        counts = {name: data.pop(name) for name in ("attempts", "successes")}
        return counts | {"rate": self.rate, "low": low, "high": high} | data


@dataclass(frozen=True, slots=True)
class NodeStatistics:
    """Success rate of all attempts at a node."""

    name: str
    """Name of the node."""
    success: SuccessRate

    def as_dict(self) -> dict[str, Any]:
        """Return the statistics as data for JSON."""
        return {"name": self.name} | self.success.as_dict()


@dataclass(frozen=True, slots=True)
class EdgeStatistics:
    """Success rate of all attempts in which the target of an edge ran after its source."""

    source: str
    """Name of the source node."""
    target: str
    """Name of the target node."""
    kind: str
    """Kind of the edge: naive, learned or corrective."""
    success: SuccessRate

    def as_dict(self) -> dict[str, Any]:
        """Return the statistics as data for JSON."""
        return {"source": self.source, "target": self.target, "kind": self.kind} | self.success.as_dict()


class Failure(NamedTuple):
    """A kind of failure: the node, reason and script line that several failed attempts have in common."""

    node: str
    """Node that failed."""
    status: str
    """Status of the outcome: failed, timeout or diverged."""
    reason: str
    """Reason without measured numbers (see `reason_kind`), such as "torso is above 1.0"."""
    phase: int | None
    """Number of the phase in which the controller ended. None: unknown."""
    script: str | None
    """File of the script in which the controller ended. None: unknown."""
    line: int | None
    """Line of this file at which the controller ended, from 1. None: unknown."""


@dataclass(frozen=True, slots=True)
class FailureStatistics:
    """A kind of failure, and the number of attempts that failed in this way."""

    failure: Failure
    count: int
    """Number of attempts that failed in this way."""

    def as_dict(self) -> dict[str, Any]:
        """Return the statistics as data for JSON."""
        return self.failure._asdict() | {"count": self.count}


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of a group of logged attempts: success rates of nodes and edges, and kinds of failures."""

    nodes: tuple[NodeStatistics, ...]
    """Success rate of each node, sorted by name."""
    edges: tuple[EdgeStatistics, ...]
    """Success rate of each edge, sorted by source, target and kind."""
    failures: tuple[FailureStatistics, ...]
    """Kinds of failures with their numbers of attempts, the most frequent first."""

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
"""Fields of `AttemptRecord` that statistics need. SQL definition of each column, by name of the field."""


def create_picked(connection: sqlite3.Connection) -> None:
    """Create the temporary table `temp.picked`, into which a caller copies the attempts for which it wants statistics.

    The table has the columns `PICKED`, and the column `ok`, which is 1 for successes. SQLite keeps a large table in a
    temporary file.
    """
    definitions = ", ".join(f"{name} {kind}" for name, kind in PICKED.items())
    connection.execute("PRAGMA temp_store = FILE")
    connection.execute(f"CREATE TEMP TABLE picked ({definitions}, ok INTEGER AS (status = 'completed') STORED) STRICT")


_ENERGY = "CASE WHEN COUNT(energy_j) = COUNT(*) THEN AVG(energy_j) END"


@checked
def summarize(attempts: Iterable[AttemptRecord]) -> Statistics:
    """Return the success rates of nodes and edges, and the kinds of failures, of logged attempts.

    Args:
        attempts: Attempts to count. An iterator is read once.

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
    """Group attempts by the values of some columns, and return (these values, success rate) of each group.

    Args:
        connection: Database with the table `temp.picked`.
        key: Names of the columns. Attempts with equal values in all of these columns form a group.
        condition: SQL condition for the attempts that count.
    """
    names = ", ".join(key)
    # the index sorts the attempts by group and by duration, so that medians need no further sorting
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
    """Remove the measured number from the reason of a failure.

    For example, "torso 1.32 is above 1.0" becomes "torso is above 1.0".
    """
    return re.sub(r"^(\S+) [-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|inf|nan)( rad| m/s| m| s)? (?=is )", r"\1 ", reason)
