"""Whether an edge's success depends on the node before its source, by a project's log.

    python benchmarks/predecessors.py --project graph-policy --seed 0

Two answers. Chance: the outcomes of each edge are dealt anew among its attempts, again and again; the sum over edges
and nodes before of (successes - expected)^2 / variance is compared with that of the log. Use: the mean log loss of
each transition, predicted from all others by its edge's rate, and by that of the edge after the same node, shrunk to
the edge's rate as if it had been seen so many times more.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from pathlib import Path

import numpy as np

from ctrlgraph import Project

STRENGTHS = (math.inf, 100, 50, 20, 10, 5, 2)
DEALT = 1000


def transitions(project: Project) -> list[tuple[str, str, str, bool]]:
    """Return planned transitions after a success: the node before the source, source, target, whether it held."""
    found = []
    with project.read_log() as log:
        before = None
        for attempt in log.attempts():
            follows = before is not None and (before.run, before.walk) == (attempt.run, attempt.walk)
            if follows and attempt.planned and before.succeeded:
                found.append((str(before.source), str(attempt.source), attempt.node, attempt.succeeded))
            before = attempt
    return found


def spread(groups: list[tuple[np.ndarray, np.ndarray]]) -> float:
    """Return how much outcomes differ between the nodes before, of edges with their nodes before and outcomes."""
    total = 0.0
    for before, held in groups:
        mean = held.mean()
        if 0.0 < mean < 1.0:
            counts, sums = np.bincount(before), np.bincount(before, weights=held)
            seen = counts > 0
            total += float(((sums[seen] - counts[seen] * mean) ** 2 / counts[seen]).sum() / (mean * (1 - mean)))
    return total


def log_loss(rows: list[tuple[str, str, str, bool]], strength: float) -> float:
    """Return the mean of -log p of what came, each transition predicted from all others."""
    edges: dict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0])
    after: dict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0])
    for before, source, target, held in rows:
        for counts in (edges[source, target], after[before, source, target]):
            counts[0] += 1
            counts[1] += held
    total = 0.0
    for before, source, target, held in rows:
        seen, good = edges[source, target]
        p = (good - held + 1) / (seen - 1 + 2)
        if strength < math.inf:
            seen, good = after[before, source, target]
            p = (good - held + strength * p) / (seen - 1 + strength)
        total -= math.log(p if held else 1.0 - p)
    return total / len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--project", type=Path, default=Path("graph-policy"))
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rows = transitions(Project(given.project))
    by_edge: dict[tuple[str, str], list[tuple[str, bool]]] = defaultdict(list)
    for before, source, target, held in rows:
        by_edge[source, target].append((before, held))
    groups = [
        (np.unique([name for name, _ in each], return_inverse=True)[1], np.array([held for _, held in each], float))
        for each in by_edge.values()
    ]
    rng, logged = np.random.default_rng(given.seed), spread(groups)
    dealt = [spread([(before, rng.permutation(held)) for before, held in groups]) for _ in range(DEALT)]
    at_least = (1 + sum(each >= logged for each in dealt)) / (1 + DEALT)
    print(f"{len(rows)} transitions over {len(groups)} edges")
    print(f"spread between the nodes before {logged:.0f}, dealt anew {np.mean(dealt):.0f} (p = {at_least:.3f})")
    for strength in STRENGTHS:
        known = "edge alone" if strength == math.inf else f"and the node before, shrunk by {strength:g}"
        print(f"log loss {log_loss(rows, strength):.4f}: {known}")


if __name__ == "__main__":
    main()
