"""Counts of the attempts (executions of nodes) of a logged run, for progress displays and summaries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ctrlgraph.run_log.record import START, AttemptRecord
from ctrlgraph.statistics import NONE, SuccessCount


@dataclass
class Tally:
    """Counts of attempts (executions of nodes), successes, recoveries and resets in a logged run.

    The attempts of one walk must be added in the order of time. Attempts of several walks can alternate.
    """

    static: frozenset[str]
    """Names of the nodes that are static poses."""
    transitions: int = 0
    """Number of transitions over planned edges that have ended."""
    succeeded: int = 0
    """Number of transitions over planned edges that succeeded."""
    recovered: int = 0
    """Number of failed transitions after which a static pose succeeded without a reset."""
    resets: int = 0
    """Number of restarts from the start pose after a failure."""
    simulated_s: float = 0.0
    """Simulated duration of all attempts, s."""
    static_s: float = 0.0
    """Simulated duration of the attempts of static poses, s."""
    nodes: dict[str, SuccessCount] = field(default_factory=dict)
    """Number of successes and attempts, by name of the node."""
    edges: dict[tuple[str, str, str], SuccessCount] = field(default_factory=dict)
    """Number of successes and attempts of each edge, by (source, target, kind)."""
    _unresolved: set[tuple[str, int]] = field(default_factory=set)

    @classmethod
    def of(cls, attempts: Iterable[AttemptRecord], static: frozenset[str]) -> Tally:
        """Return the counts of attempts that have ended.

        Args:
            attempts: log records of the attempts; those of each walk in the order of time.
            static: names of the nodes that are static poses.
        """
        tally = cls(static)
        for attempt in attempts:
            tally.add(attempt)
        return tally

    @property
    def failed(self) -> int:
        """Return the number of transitions over planned edges that failed."""
        return self.transitions - self.succeeded

    @property
    def static_share(self) -> float:
        """Return the share of the simulated time that was spent in static poses, from 0 to 1."""
        return self.static_s / self.simulated_s if self.simulated_s > 0.0 else 0.0

    def add(self, attempt: AttemptRecord) -> None:
        """Count an attempt that has ended."""
        ok, walk = attempt.succeeded, (attempt.run, attempt.walk)
        self.simulated_s += attempt.simulated_s
        self.static_s += attempt.simulated_s if attempt.node in self.static else 0.0
        self.nodes[attempt.node] = self.nodes.get(attempt.node, NONE).plus(ok)
        if attempt.source is not None:
            edge = (attempt.source, attempt.node, attempt.edge_kind)
            self.edges[edge] = self.edges.get(edge, NONE).plus(ok)
        if attempt.edge_kind == START:
            self.resets += attempt.position > 0
            self._unresolved.discard(walk)
        elif attempt.planned:
            self.transitions += 1
            self.succeeded += ok
            if not ok:
                self._unresolved.add(walk)
        elif walk in self._unresolved and ok and attempt.node in self.static:
            self.recovered += 1
            self._unresolved.discard(walk)

    def as_dict(self) -> dict[str, Any]:
        """Return the counts as JSON data, with nodes and edges sorted by name."""
        return {
            "transitions": self.transitions,
            "succeeded": self.succeeded,
            "failed": self.failed,
            "recovered": self.recovered,
            "resets": self.resets,
            "simulated_s": self.simulated_s,
            "static_s": self.static_s,
            "nodes": [{"name": name, **_as_dict(count)} for name, count in sorted(self.nodes.items())],
            "edges": [
                {"source": source, "target": target, "kind": kind, **_as_dict(count)}
                for (source, target, kind), count in sorted(self.edges.items())
            ],
        }


def _as_dict(count: SuccessCount) -> dict[str, int]:
    return {"attempts": count.trials, "successes": count.successes}
