"""The counts of a run, attempt by attempt: what the progress display and the summary show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ctrlgraph.runs.picked import PickedAttempt
from ctrlgraph.runs.record import START, AttemptRecord
from ctrlgraph.statistics import NONE, SuccessCount


@dataclass
class Tally:
    """Counts over attempts; those of one walk must come in their order, walks may be mixed.

    transitions: planned traversals of an edge that have ended; failed ones are recovered once a
    static pose succeeds after them, or cost a reset. static: names of the static nodes; static_s: simulated in them.
    """

    static: frozenset[str]
    transitions: int = 0
    succeeded: int = 0
    recovered: int = 0
    resets: int = 0
    simulated_s: float = 0.0
    static_s: float = 0.0
    nodes: dict[str, SuccessCount] = field(default_factory=dict)
    edges: dict[tuple[str, str, str], SuccessCount] = field(default_factory=dict)
    _unresolved: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, attempts: Iterable[AttemptRecord | PickedAttempt], static: frozenset[str]) -> Tally:
        tally = cls(static)
        for attempt in attempts:
            tally.add(attempt)
        return tally

    @property
    def failed(self) -> int:
        return self.transitions - self.succeeded

    @property
    def static_share(self) -> float:
        """Return the share of the simulated time that was spent in static poses, 0 to 1."""
        return self.static_s / self.simulated_s if self.simulated_s > 0.0 else 0.0

    def add(self, attempt: AttemptRecord | PickedAttempt) -> None:
        """Count an attempt that has ended."""
        ok = bool(attempt.succeeded)
        self.simulated_s += attempt.simulated_s
        self.static_s += attempt.simulated_s if attempt.node in self.static else 0.0
        self.nodes[attempt.node] = self.nodes.get(attempt.node, NONE).plus(ok)
        if attempt.source is not None:
            edge = (attempt.source, attempt.node, attempt.edge_kind)
            self.edges[edge] = self.edges.get(edge, NONE).plus(ok)
        if attempt.edge_kind == START:
            self.resets += attempt.position > 0
            self._unresolved.discard(attempt.walk)
        elif attempt.planned:
            self.transitions += 1
            self.succeeded += ok
            if not ok:
                self._unresolved.add(attempt.walk)
        elif attempt.walk in self._unresolved and ok and attempt.node in self.static:
            self.recovered += 1
            self._unresolved.discard(attempt.walk)

    def as_dict(self) -> dict[str, Any]:
        """Return the counts for `--json`; nodes and edges by name."""
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
