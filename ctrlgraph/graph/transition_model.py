"""The graph as a Markov decision process: a table of transitions from the logged results of its edges.

Each node has two states: its last attempt succeeded, or its last attempt failed. After a success, each planned edge is
an action: it leads to its target, or fails there. After a failure there is no choice. Either a corrective edge follows,
with the frequency in the log, or the simulation is reset to the start pose.

An edge's probability is that of the most reliable path (`goal_planner`), halved for each failure in the present run.
Failures are rarer. The shares of a node's corrective edges and their probabilities of success are estimated from the
node's own failures. The failures of all nodes are the prior, with the weight of `POOLED` failures (Dirichlet and Beta
priors of that strength).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.graph.goal_planner import EdgeEvidence
from ctrlgraph.graph.model import ControllerGraph, Edge
from ctrlgraph.policies import ENDED, FAILED, ActionOutcome, Solution, TransitionTable, solve
from ctrlgraph.terrain.terrain import TerrainPreview

POOLED = 2.0
"""Prior weight of the pooled failures of all nodes, in pseudo-counts."""
UNKNOWN_S = 5.0
"""Duration of an attempt without evidence, simulated s."""
GIVE_UP_S = 1e6
"""Cost of giving up, simulated s; larger than that of any alternative."""
RESET_COST_S = 60.0
"""Cost of a reset to the start pose in addition to the time before it, simulated s."""
FAILURE_COST_S = 10.0
"""Cost of a failure in addition to its duration, simulated s."""

GIVE_UP = -1
"""Action of a state from which nothing leads to the goal."""
CORRECT = -2
"""Action after a failure, without a choice."""
_EXACT = 1e-13  # relative to the cost of giving up; still far below the seconds of a walk
_LONGEST_S = 1e5  # logs are not trusted

Correction = tuple[str, str]
"""Target and condition of a corrective edge, without its source."""


@dataclass(frozen=True)
class GraphEvidence:
    """Evidence about a graph's edges, and about what followed failures."""

    edges: Mapping[Edge, EdgeEvidence] = field(default_factory=dict)
    """Results of planned and corrective edges."""
    corrections: Mapping[Edge, int] = field(default_factory=dict)
    """Number of failures that each corrective edge followed."""
    resets: Mapping[str, int] = field(default_factory=dict)
    """Number of failures that a reset followed, by node."""

    def of(self, edge: Edge) -> EdgeEvidence:
        """Return the evidence about an edge."""
        return self.edges.get(edge, EdgeEvidence())


@dataclass(frozen=True)
class FailureAnswer:
    """What can follow a node's failure."""

    edge: Edge | None
    """Corrective edge; None for a reset."""
    probability: float
    success: float = 1.0
    """Probability that the edge's target succeeds."""


class TransitionModel:
    """The table of a graph's transitions to a goal, on one kind of ground.

    State i is a success of node i, N + i a failure. The rewards of `table` are minus the simulated seconds, including
    the costs of failures and resets. Action i takes `edges[i]`. `is_reset` (O,) marks the outcomes that are resets.
    """

    def __init__(
        self,
        graph: ControllerGraph,
        goal: str,
        evidence: GraphEvidence,
        preview: TerrainPreview | None = None,
        reset_cost: float = RESET_COST_S,
    ) -> None:
        """
        Raises:
            CtrlGraphError: there is no such node.
        """
        graph.node(goal)
        self.graph, self.goal, self.evidence, self.reset_cost = graph, goal, evidence, reset_cost
        self.edges = graph.edges
        self._number = {name: i for i, name in enumerate(graph.nodes)}
        self._action = {edge: i for i, edge in enumerate(graph.edges)}
        known = evidence.edges.items()
        self._success = _means((edge.target, each.mean_s, each.successes) for edge, each in known)
        failures = ((edge.target, each.mean_failure_s, each.attempts - each.successes) for edge, each in known)
        self._failure = _means(failures)
        self._answers = _FailureAnswers(graph, evidence)
        nodes = list(graph.nodes)
        states = [self._succeeded(name, preview) for name in nodes] + [self._failed(name) for name in nodes]
        self.table = TransitionTable.of(states)
        outcomes = [outcome for state in states for outcomes in state.values() for outcome in outcomes]
        kept = [isinstance(outcome, _Reset) for outcome in outcomes if outcome.probability != 0.0]  # as the table does
        self.is_reset: NDArray[np.bool_] = np.array(kept)

    def state(self, node: str, *, succeeded: bool = True) -> int:
        """Return the number of a state."""
        return self._number[node] + (0 if succeeded else len(self._number))

    def answers(self, node: str) -> list[FailureAnswer]:
        """Return what can follow a failure of a node, the most probable first."""
        return sorted(self._answers.of(node), key=lambda answer: -answer.probability)

    @cached_property
    def solution(self) -> Solution:
        """Return the best policy."""
        return solve(self.table, tolerance=_EXACT)

    @cached_property
    def without_resets(self) -> TransitionTable:
        """Return the table in which a reset counts as a failure."""
        return replace(self.table, next_state=np.where(self.is_reset, FAILED, self.table.next_state))

    def choice(self, node: str, edge: Edge | None) -> int:
        """Return the table's choice that takes an edge at a node, or that gives up for None."""
        table, state = self.table, self._number[node]
        choices = range(table.choice_start[state], table.choice_start[state + 1])
        wanted = GIVE_UP if edge is None else self._action[edge]
        return next(c for c in choices if table.action[c] == wanted)

    def _succeeded(self, node: str, preview: TerrainPreview | None) -> dict[int, list[ActionOutcome]]:
        if node == self.goal:
            return {CORRECT: [ActionOutcome(ENDED)]}
        edges = self.graph.planned_edges(node)
        if preview is not None:
            # like the most reliable path: other edges only if none is for this ground
            edges = [edge for edge in edges if self.graph.beyond(edge, preview) == 0.0] or edges
        actions = {self._action[edge]: self._attempted(edge, self.evidence.of(edge).probability) for edge in edges}
        return {**actions, GIVE_UP: [ActionOutcome(FAILED, 1.0, -GIVE_UP_S)]}

    def _failed(self, node: str) -> dict[int, list[ActionOutcome]]:
        outcomes: list[ActionOutcome] = []
        for answer in self._answers.of(node):
            if answer.edge is None:
                start = self._number[self.graph.start]
                outcomes.append(_Reset(start, answer.probability, -UNKNOWN_S - self.reset_cost, UNKNOWN_S))
            else:
                attempted = self._attempted(answer.edge, answer.success)
                outcomes += [each._replace(probability=each.probability * answer.probability) for each in attempted]
        return {CORRECT: outcomes}

    def _attempted(self, edge: Edge, probability: float) -> list[ActionOutcome]:
        """Return the outcomes of an edge that succeeds with this probability.

        Durations are those of the edge or, without these, those of its target from any node.
        """
        known, target = self.evidence.of(edge), edge.target
        done = _first(known.mean_s, self._success.get(target), UNKNOWN_S)
        failed = _first(known.mean_failure_s, self._failure.get(target), done)
        return [
            ActionOutcome(self.state(target), probability, -done, done),
            ActionOutcome(self.state(target, succeeded=False), 1.0 - probability, -failed - FAILURE_COST_S, failed),
        ]


class _Reset(ActionOutcome):
    """A reset to the start pose."""


class _FailureAnswers:
    """Estimates of what follows a node's failures, from its own and, with a weight, from those of all nodes."""

    def __init__(self, graph: ControllerGraph, evidence: GraphEvidence) -> None:
        self._graph, self._evidence = graph, evidence
        self._counts: dict[Correction | None, float] = defaultdict(float)
        self._tried: dict[Correction, float] = defaultdict(float)
        self._succeeded: dict[Correction, float] = defaultdict(float)
        for edge, count in evidence.corrections.items():
            self._counts[_correction(edge)] += count
        self._counts[None] += sum(evidence.resets.values())
        for edge, known in evidence.edges.items():
            if not edge.planned:
                self._tried[_correction(edge)] += known.attempts
                self._succeeded[_correction(edge)] += known.successes

    def of(self, node: str) -> list[FailureAnswer]:
        """Return what can follow a failure of a node: its corrective edges in their order, then a reset."""
        edges = self._graph.corrective_edges(node)
        options: list[Edge | None] = [*edges, None]
        pooled = np.array([self._pooled(edge) for edge in options])
        own = np.array([self._own(node, edge) for edge in options], dtype=np.float64)
        shares = (own + POOLED * pooled / pooled.sum()) / (own.sum() + POOLED)
        return [
            FailureAnswer(edge, float(share), 1.0 if edge is None else self._success(edge))
            for edge, share in zip(options, shares, strict=True)
        ]

    def _pooled(self, edge: Edge | None) -> float:
        """Return how often this response followed a failure, over all nodes, plus one half."""
        return 0.5 + self._counts.get(None if edge is None else _correction(edge), 0.0)

    def _own(self, node: str, edge: Edge | None) -> int:
        return self._evidence.resets.get(node, 0) if edge is None else self._evidence.corrections.get(edge, 0)

    def _success(self, edge: Edge) -> float:
        kind, own = _correction(edge), self._evidence.of(edge)
        anywhere = (1.0 + self._succeeded[kind]) / (2.0 + self._tried[kind])
        return (own.successes + POOLED * anywhere) / (own.attempts + POOLED)


def _correction(edge: Edge) -> Correction:
    return edge.target, "" if edge.when is None else edge.when.value


def _means(known: Iterable[tuple[str, float, int]]) -> dict[str, float]:
    """Return the mean of (name, mean, count) by name, weighted by the counts."""
    sums: dict[str, tuple[float, int]] = {}
    for name, mean, count in known:
        if count > 0 and math.isfinite(mean):
            total, number = sums.get(name, (0.0, 0))
            sums[name] = total + count * _bounded(mean), number + count
    return {name: total / number for name, (total, number) in sums.items()}


def _first(*known: float | None) -> float:
    return next(_bounded(each) for each in known if each is not None and math.isfinite(each))


def _bounded(seconds: float) -> float:
    """Return a duration within bounds; above 0, since otherwise a cycle would cost nothing."""
    return min(max(seconds, 0.01), _LONGEST_S)
