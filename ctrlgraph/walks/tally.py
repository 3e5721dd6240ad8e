"""Counts of the attempts of a logged run, for progress displays and summaries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ctrlgraph.run_log.record import START, AttemptRecord
from ctrlgraph.statistics import NONE, SuccessCount


@dataclass
class Tally:
    """Counts of attempts. Attempts of one walk must be added in order; those of several walks can alternate."""

    static: frozenset[str]
    """Names of the static nodes."""
    transitions: int = 0
    """Number of planned transitions that have ended."""
    succeeded: int = 0
    """Number of planned transitions that succeeded."""
    recovered: int = 0
    """Number of failed transitions after which a static pose succeeded before a reset."""
    resets: int = 0
    """Number of resets, without the beginnings of walks."""
    simulated_s: float = 0.0
    """Simulated time, s."""
    static_s: float = 0.0
    """Simulated time in static poses, s."""
    nodes: dict[str, SuccessCount] = field(default_factory=dict)
    """Success counts by name of the node."""
    edges: dict[tuple[str, str, str], SuccessCount] = field(default_factory=dict)
    """Success counts by (source, target, kind)."""
    _unresolved: set[tuple[str, int]] = field(default_factory=set)

    @classmethod
    def of(cls, attempts: Iterable[AttemptRecord], static: frozenset[str]) -> Tally:
        """Return a tally of attempts that have ended.

        Args:
            attempts: the attempts, in order within each walk.
            static: names of the static nodes.
        """
        tally = cls(static)
        for attempt in attempts:
            tally.add(attempt)
        return tally

    @property
    def failed(self) -> int:
        """Return the number of failed transitions."""
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
            "nodes": [
                {"name": name, "attempts": count.trials, "successes": count.successes}
                for name, count in sorted(self.nodes.items())
            ],
            "edges": [
                {
                    "source": source,
                    "target": target,
                    "kind": kind,
                    "attempts": count.trials,
                    "successes": count.successes,
                }
                for (source, target, kind), count in sorted(self.edges.items())
            ],
        }
