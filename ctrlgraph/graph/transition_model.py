"""The graph as a Markov decision process: what the log says of its edges, and of what comes after a failure, as a
table.

A state is a node in which the last attempt has succeeded, or one in which it has failed. In the first, each planned
edge is an action: it leads to its target, or fails there. In the second nothing is to be chosen: the corrective edges
answer, each as often as they did before, or the walk begins anew from the start pose.

An edge's probability is that of the most reliable path (`goal_planner`), halved for each failure in the present run.
What follows a failure is seen more rarely: the shares of a node's corrective edges, and their success, are taken from
the node's own failures and, as if they had been `POOLED` more, from those of all nodes (a Dirichlet and a Beta prior of
that strength).
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
from ctrlgraph.terrain.profile import TerrainPreview

POOLED = 2.0
"""Prior weight of the pooled failures of all nodes, in pseudo-counts."""
UNKNOWN_S = 5.0
"""How long an attempt takes of which nothing is known, simulated s."""
GIVE_UP_S = 1e6
"""What it costs to give up, as simulated s: everything else is tried before."""
RESET_COST_S = 60.0
"""What it costs to begin anew from the start pose, as simulated s, besides the time until then."""
FAILURE_COST_S = 10.0
"""Cost of a failure in addition to its duration, simulated s."""

GIVE_UP = -1
"""The action of a state from which nothing leads to the goal."""
CORRECT = -2
"""The action after a failure: nothing is chosen."""
_EXACT = 1e-13  # of values as large as what giving up costs, and a walk takes seconds
_LONGEST_S = 1e5  # a log may be a stranger's

Correction = tuple[str, str]
"""What a corrective edge is at whatever node: its target and its condition."""


@dataclass(frozen=True)
class GraphEvidence:
    """What is known of a graph's edges, planned and corrective, and of what came after failures.

    corrections: by node and corrective edge how often it answered the node's failures; resets: by node how often one
    was answered by beginning anew.
    """

    edges: Mapping[Edge, EdgeEvidence] = field(default_factory=dict)
    corrections: Mapping[Edge, int] = field(default_factory=dict)
    resets: Mapping[str, int] = field(default_factory=dict)

    def of(self, edge: Edge) -> EdgeEvidence:
        """Return what is known of an edge."""
        return self.edges.get(edge, EdgeEvidence())


@dataclass(frozen=True)
class FailureAnswer:
    """What a node's failure leads to: a corrective edge, or None for beginning anew; its probability, and the
    probability that its target then succeeds.
    """

    edge: Edge | None
    probability: float
    success: float = 1.0


class TransitionModel:
    """The table of a graph's transitions to a goal, on one kind of ground.

    States are numbered: node i has succeeded is i, has failed is N + i. `table` has rewards of minus the simulated
    seconds, the costs of failures and resets among them; `edges` are the actions by their numbers; is_reset: (O,)
    which outcomes begin anew.
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
        self._seconds = AttemptDurations(evidence)
        self._answers = FailureAnswers(graph, evidence)
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
        """Return what may come after a failure of a node, the most probable first."""
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
        """Return the table's choice that takes an edge at a node; that gives up where None."""
        table, state = self.table, self._number[node]
        choices = range(table.choice_start[state], table.choice_start[state + 1])
        wanted = GIVE_UP if edge is None else self._action[edge]
        return next(c for c in choices if table.action[c] == wanted)

    def _succeeded(self, node: str, preview: TerrainPreview | None) -> dict[int, list[ActionOutcome]]:
        if node == self.goal:
            return {CORRECT: [ActionOutcome(ENDED)]}
        edges = self.graph.planned_edges(node)
        if preview is not None:
            # as the most reliable path does: others only where none is for this ground
            edges = [edge for edge in edges if self.graph.beyond(edge, preview) == 0.0] or edges
        actions = {self._action[edge]: self._attempted(edge, self.evidence.of(edge).probability) for edge in edges}
        return {**actions, GIVE_UP: [ActionOutcome(FAILED, 1.0, -GIVE_UP_S)]}

    def _failed(self, node: str) -> dict[int, list[ActionOutcome]]:
        outcomes: list[ActionOutcome] = []
        for answer in self._answers.of(node):
            if answer.edge is None:
                seconds = self._seconds.of_start
                start = self._number[self.graph.start]
                outcomes.append(_Reset(start, answer.probability, -seconds - self.reset_cost, seconds))
            else:
                attempted = self._attempted(answer.edge, answer.success)
                outcomes += [each._replace(probability=each.probability * answer.probability) for each in attempted]
        return {CORRECT: outcomes}

    def _attempted(self, edge: Edge, probability: float) -> list[ActionOutcome]:
        """An edge that is taken: it succeeds with this probability, or fails."""
        done, failed = self._seconds.success(edge), self._seconds.failure(edge)
        arrived = ActionOutcome(self.state(edge.target), probability, -done, done)
        return [
            arrived,
            ActionOutcome(
                self.state(edge.target, succeeded=False), 1.0 - probability, -failed - FAILURE_COST_S, failed
            ),
        ]


class _Reset(ActionOutcome):
    """An outcome that begins anew from the start pose."""


class AttemptDurations:
    """How long attempts take, simulated s: by what is known of the edge, else of its target from anywhere; one from the
    start pose is `of_start`.
    """

    def __init__(self, evidence: GraphEvidence) -> None:
        self._evidence = evidence
        known = evidence.edges.items()
        self._success = _means((edge.target, each.mean_s, each.successes) for edge, each in known)
        failures = ((edge.target, each.mean_failure_s, each.attempts - each.successes) for edge, each in known)
        self._failure = _means(failures)
        self.of_start = UNKNOWN_S

    def success(self, edge: Edge) -> float:
        """Return how long it takes where it succeeds, s."""
        return _first(self._evidence.of(edge).mean_s, self._success.get(edge.target), UNKNOWN_S)

    def failure(self, edge: Edge) -> float:
        """Return how long it takes where it fails, s."""
        known = self._evidence.of(edge).mean_failure_s
        return _first(known, self._failure.get(edge.target), self.success(edge))


class FailureAnswers:
    """What follows failures, by node: from its own and, with a weight, from those of all nodes."""

    def __init__(self, graph: ControllerGraph, evidence: GraphEvidence) -> None:
        self._graph, self._evidence = graph, evidence
        self._counts: dict[Correction | None, float] = defaultdict(float)
        self._tried: dict[Correction, float] = defaultdict(float)
        self._held: dict[Correction, float] = defaultdict(float)
        for edge, count in evidence.corrections.items():
            self._counts[_correction(edge)] += count
        self._counts[None] += sum(evidence.resets.values())
        for edge, known in evidence.edges.items():
            if not edge.planned:
                self._tried[_correction(edge)] += known.attempts
                self._held[_correction(edge)] += known.successes

    def of(self, node: str) -> list[FailureAnswer]:
        """Return what may come after a failure of a node, its corrective edges in their order, beginning anew last."""
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
        """How often an answer was the one, anywhere; one that never was counts for half a time."""
        return 0.5 + self._counts.get(None if edge is None else _correction(edge), 0.0)

    def _own(self, node: str, edge: Edge | None) -> int:
        return self._evidence.resets.get(node, 0) if edge is None else self._evidence.corrections.get(edge, 0)

    def _success(self, edge: Edge) -> float:
        kind, own = _correction(edge), self._evidence.of(edge)
        anywhere = (1.0 + self._held[kind]) / (2.0 + self._tried[kind])
        return (own.successes + POOLED * anywhere) / (own.attempts + POOLED)


def _correction(edge: Edge) -> Correction:
    return edge.target, "" if edge.when is None else edge.when.value


def _means(known: Iterable[tuple[str, float, int]]) -> dict[str, float]:
    """The mean of what was seen, weighted by how often, of each name."""
    sums: dict[str, tuple[float, int]] = {}
    for name, mean, count in known:
        if count > 0 and math.isfinite(mean):
            total, number = sums.get(name, (0.0, 0))
            sums[name] = total + count * _bounded(mean), number + count
    return {name: total / number for name, (total, number) in sums.items()}


def _first(*known: float | None) -> float:
    return next(_bounded(each) for each in known if each is not None and math.isfinite(each))


def _bounded(seconds: float) -> float:
    """A duration that a walk may have: nothing takes no time, or a way that goes in a circle would cost nothing."""
    return min(max(seconds, 0.01), _LONGEST_S)
