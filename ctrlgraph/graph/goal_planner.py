"""The most reliable path to a goal node: the path whose edges have the highest product of success probabilities.

The probability p of an edge is the mean of the Beta posterior of its success rate, with the prior Beta(1, 1): 1/2
without attempts, and 9/11 after 8 successes in 9 attempts. Only logged attempts with the present controllers,
conditions, character and environment count. The path with the maximum product is Dijkstra's shortest path with the
edge costs -log p. If two paths are equally reliable, the faster one is chosen.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import networkx as nx

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.model import ControllerGraph, Edge, EdgeKind
from ctrlgraph.statistics import SuccessCount
from ctrlgraph.terrain.terrain import TerrainPreview

PRIOR = (1.0, 1.0)
"""Parameters (alpha, beta) of the Beta prior of an edge's success rate; (1, 1) is the uniform distribution."""

FAILURE_FACTOR = 0.5
"""Factor by which each failure in the current walk reduces the probability of an edge, so that replanning avoids it."""

# The cost of an edge is the integer `_TIME_ROOM` * nanonats of -log p + milliseconds. Integers make sums exact in any
# order, and the factor lets the duration decide only between equally reliable paths.
_NANONATS = 10**9
_MILLISECONDS = 10**3
_LONGEST_S = 1e6
_TIME_ROOM = 10**12


@dataclass(frozen=True, slots=True)
class EdgeEvidence:
    """Evidence for the success rate of an edge: its logged attempts, and its failures in the current walk."""

    attempts: int = 0
    """Number of logged attempts."""
    successes: int = 0
    """Number of logged attempts that succeeded."""
    mean_s: float = math.nan
    """Mean duration of the logged successes, simulated s; NaN without a success."""
    failed_now: int = 0
    """Number of failures of the edge in the current walk."""

    @property
    def count(self) -> SuccessCount:
        """Return the number of successes and of attempts in the log."""
        return SuccessCount(self.successes, self.attempts)

    @property
    def probability(self) -> float:
        """Return the estimated probability of success of the edge, reduced by its failures in the current walk."""
        return self.count.posterior_mean(PRIOR) * FAILURE_FACTOR**self.failed_now


Evidence = Mapping[Edge, EdgeEvidence]


@dataclass(frozen=True, slots=True)
class PlannedEdge:
    """An edge of a path to a goal, with the attempts from which its success probability is estimated."""

    edge: Edge
    evidence: EdgeEvidence

    def explain(self) -> str:
        """Return the edge with its success probability and numbers of attempts, as one line of text."""
        known = self.evidence
        if known.attempts == 0:
            text = "not tried yet"
        else:
            low, high = known.count.interval
            text = f"{known.successes} of {known.attempts} succeeded ({100 * low:.0f}-{100 * high:.0f} %)"
        if known.failed_now:
            text += f", {known.failed_now} failed in this run"
        chance = f"p = {known.probability:.2f}, " if known.attempts else ""
        return f"{self.edge} ({self.edge.kind}): {chance}{text}"


@dataclass(frozen=True, slots=True)
class GoalPlan:
    """A path to a goal node, with its success probability and the best alternative path."""

    source: str
    """Name of the first node."""
    goal: str
    """Name of the goal node."""
    steps: tuple[PlannedEdge, ...]
    """Edges along the path; empty if the source is the goal."""
    runner_up: GoalPlan | None = None
    """Best path that avoids at least one of the edges in `steps`; None if there is no other path."""

    @property
    def nodes(self) -> tuple[str, ...]:
        """Return the names of the nodes along the path."""
        return (self.source, *(step.edge.target for step in self.steps))

    @property
    def probability(self) -> float:
        """Return the estimated probability that all edges of the path succeed."""
        return math.prod(step.evidence.probability for step in self.steps)

    @property
    def _chance(self) -> str:
        """Return the probability of the path as text or, if edges have no attempts, the number of these edges."""
        untried = sum(step.evidence.attempts == 0 for step in self.steps)
        if not untried:
            return f"p = {self.probability:.2f}"
        return f"{untried} of {len(self.steps)} edges not tried yet"

    @property
    def duration_s(self) -> float:
        """Return the sum of the mean durations of the edges, simulated s. Edges without a success count as 0."""
        return sum(step.evidence.mean_s for step in self.steps if math.isfinite(step.evidence.mean_s))

    def explain(self) -> str:
        """Return the path, the attempts of each edge, and the alternative path, as lines of text."""
        if not self.steps:
            return f"'{self.goal}' is where the walk begins"
        timed = sum(math.isfinite(step.evidence.mean_s) for step in self.steps)
        word = "about" if timed == len(self.steps) else "more than"
        time = f"{word} {self.duration_s:.1f} s" if timed else "time unknown"
        lines = [f"{_arrows(self.nodes)}: {self._chance}, {time}"]
        lines += [f"  {step.explain()}" for step in self.steps]
        if self.runner_up is not None:
            other = self.runner_up
            lines.append(f"  rather than {_arrows(other.nodes)}: {other._chance}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Return the path as JSON data."""
        return {
            "source": self.source,
            "goal": self.goal,
            "nodes": list(self.nodes),
            "probability": self.probability,
            "duration_s": self.duration_s,
            "steps": [
                {
                    "source": step.edge.source,
                    "target": step.edge.target,
                    "kind": step.edge.kind.value,
                    "probability": step.evidence.probability,
                    "attempts": step.evidence.attempts,
                    "successes": step.evidence.successes,
                    "failed_now": step.evidence.failed_now,
                }
                for step in self.steps
            ],
        }


def plan_path(
    graph: ControllerGraph, source: str, goal: str, evidence: Evidence, preview: TerrainPreview | None = None
) -> GoalPlan:
    """Return the most reliable path from `source` to `goal` over naive and learned edges.

    Args:
        graph: controller graph.
        source: name of the node where the path begins.
        goal: name of the goal node.
        evidence: attempts of each edge. An edge that is missing has no attempts.
        preview: ground under and ahead of the character. Edges for other ground are used only if no path leads to the
            goal without such edges. None to use all edges.

    Raises:
        CtrlGraphError: the source or goal is not a node, or no path of planned edges leads to the goal.
    """
    graph.node(source), graph.node(goal)
    network = _network(graph, evidence, preview)
    if preview is not None and not nx.has_path(network, source, goal):
        network = _network(graph, evidence, None)
    try:
        path = nx.dijkstra_path(network, source, goal)
    except nx.NetworkXNoPath:
        raise CtrlGraphError(
            f"no naive or learned edges lead from '{source}' to '{goal}': add edges, or choose another goal"
        ) from None
    return GoalPlan(source, goal, _steps(network, path, evidence), _runner_up(network, path, evidence))


def _network(graph: ControllerGraph, evidence: Evidence, preview: TerrainPreview | None) -> nx.DiGraph[str]:
    """Return a network with the cheapest planned edge from one node to another, for Dijkstra's algorithm.

    Args:
        graph: controller graph.
        evidence: attempts of each edge, which determine the cost (the attribute `weight`).
        preview: ground under and ahead of the character. Edges for other ground are left out. None to use all edges.
    """
    network: nx.DiGraph[str] = nx.DiGraph()
    network.add_nodes_from(graph.nodes)
    for edge in graph.edges:
        if not edge.planned or (preview is not None and graph.beyond(edge, preview) > 0.0):
            continue
        cost = _cost(evidence.get(edge, EdgeEvidence()))
        known = network.get_edge_data(edge.source, edge.target)
        if known is None or _rank(edge, cost) < _rank(known["edge"], known["weight"]):
            network.add_edge(edge.source, edge.target, weight=cost, edge=edge)
    return network


def _rank(edge: Edge, cost: int) -> tuple[int, bool]:
    """Return a sort key for the edges between two nodes: the cheapest first; at equal cost, a learned edge first."""
    return cost, edge.kind is not EdgeKind.LEARNED


def _cost(known: EdgeEvidence) -> int:
    unlikely = round(-math.log(known.probability) * _NANONATS)
    # logs are untrusted: durations can be infinite or negative
    duration = round(min(max(known.mean_s, 0.0), _LONGEST_S) * _MILLISECONDS) if math.isfinite(known.mean_s) else 0
    return unlikely * _TIME_ROOM + duration


def _steps(network: nx.DiGraph[str], path: list[str], evidence: Evidence) -> tuple[PlannedEdge, ...]:
    edges = [network.edges[pair]["edge"] for pair in itertools.pairwise(path)]
    return tuple(PlannedEdge(edge, evidence.get(edge, EdgeEvidence())) for edge in edges)


def _runner_up(network: nx.DiGraph[str], path: list[str], evidence: Evidence) -> GoalPlan | None:
    """Return the best path that avoids at least one of the edges of `path`; None if there is no such path.

    Args:
        network: the planned edges with their costs.
        path: names of the nodes along the best path.
        evidence: attempts of each edge, for the result.
    """
    best: tuple[int, list[str]] | None = None
    for pair in itertools.pairwise(path):
        others = nx.restricted_view(network, [], [pair])
        if nx.has_path(others, path[0], path[-1]):
            other = nx.dijkstra_path(others, path[0], path[-1])
            cost = sum(network.edges[step]["weight"] for step in itertools.pairwise(other))
            best = min(best, (cost, other)) if best is not None else (cost, other)
    return None if best is None else GoalPlan(path[0], path[-1], _steps(network, best[1], evidence))


def _arrows(nodes: tuple[str, ...]) -> str:
    return " -> ".join(nodes)
