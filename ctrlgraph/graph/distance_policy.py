"""The policy past a place on ground without obstacles: which edge to take in which node, and for how many cycles, by
the way that is left.

States are those of the graph's transitions (`transition_model`) with the distance to go, in cells between which values
are interpolated. An edge leads on by what the log says its target went; an attempt that fails leads nowhere, and who
begins anew has the whole way before him again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.goal_planner import PlannedEdge
from ctrlgraph.graph.model import ControllerGraph, Edge
from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.graph.stride import StrideModel
from ctrlgraph.graph.transition_model import (
    FAILURE_COST_S,
    GIVE_UP_S,
    RESET_COST_S,
    AttemptDurations,
    FailureAnswers,
    GraphEvidence,
)
from ctrlgraph.policies import ENDED, FAILED, TransitionTable, evaluate, solve
from ctrlgraph.terrain.profile import TerrainPreview

CELL_M = 0.25
"""Cell size of the distance to go, m; larger for long distances, so that there are at most `MAX_CELLS`."""
MAX_CELLS = 60
_MAX_M = 1e4
_MAX_S = 1e5
_GIVE_UP = -1
_LONGEST_PLAN = 100


class _Leads(NamedTuple):
    """What a choice may lead to before distances are told apart: a state without one, and how far it leads on, m."""

    state: int
    probability: float
    seconds: float
    cost: float
    metres: float = 0.0
    anew: bool = False


@dataclass(frozen=True)
class DistancePlan:
    """What a policy does past a place, seen from `source` with `to_go` m left.

    steps: edges and cycles of the way on which nothing fails; no_reset: the probability to come there without beginning
    anew; seconds: until then, of walks that do so.
    """

    source: str
    to_go: float
    steps: tuple[tuple[PlannedEdge, int], ...]
    no_reset: float
    seconds: float

    def explain(self) -> str:
        """Return the way without failures, and the evidence of its edges."""
        way = [self.source, *(_told(step.edge.target, cycles) for step, cycles in self.steps)]
        lines = [
            f"policy {' -> '.join(way)}, {self.to_go:.1f} m on: p = {self.no_reset:.2f} without beginning anew,"
            f" about {self.seconds:.1f} s"
        ]
        explained = dict.fromkeys(step.explain() for step, _ in self.steps)
        return "\n".join(lines + [f"  {line}" for line in explained])

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON data."""
        steps = [{"to": step.edge.target, "cycles": cycles} for step, cycles in self.steps]
        expected = {"no_reset": self.no_reset, "seconds": self.seconds}
        return {"source": self.source, "to_go": self.to_go, "steps": steps, "expected": expected}


class DistancePolicy:
    """The policy of the least expected time past a place `metres` ahead of the start pose."""

    def __init__(
        self,
        graph: ControllerGraph,
        metres: float,
        evidence: GraphEvidence,
        strides: StrideModel,
        preview: TerrainPreview | None = None,
        reset_cost: float = RESET_COST_S,
    ) -> None:
        """
        Raises:
            CtrlGraphError: the place is not ahead.
        """
        if not 0.0 < metres < _MAX_M:
            raise CtrlGraphError(f"the place to go to lies ahead, within {_MAX_M:g} m, not at {metres:g}")
        self.graph, self.metres, self.evidence, self.strides = graph, metres, evidence, strides
        self._preview, self._reset_cost = preview, reset_cost
        self._cells = min(MAX_CELLS, math.ceil(metres / CELL_M))
        self._cell = metres / self._cells
        self._number = {name: i for i, name in enumerate(graph.nodes)}
        self._seconds, self._answers = AttemptDurations(evidence), FailureAnswers(graph, evidence)
        self.transitions: list[PlannedTransition] = []
        states = [self._succeeded(name) for name in graph.nodes] + [self._failed(name) for name in graph.nodes]
        self._bare = len(states)
        self._table, self._anew = self._with_distances(states)
        self._solution = solve(self._table)

    def transition(self, node: str, to_go: float) -> PlannedTransition | None:
        """Return the choice in a node at a distance to go, m; None if nothing leads on."""
        action = int(self._solution.action[self._state(node, to_go)])
        return None if action == _GIVE_UP else self.transitions[action]

    def plan(self, node: str, to_go: float) -> DistancePlan:
        """Return what is to be expected from there."""
        steps: list[tuple[PlannedEdge, int]] = []
        state, at, left = self._state(node, to_go), node, to_go
        while left > 0.0 and len(steps) < _LONGEST_PLAN and (chosen := self.transition(at, left)) is not None:
            steps.append((PlannedEdge(chosen.edge, self.evidence.of(chosen.edge)), chosen.cycles))
            left -= self.strides.distance(self.graph, chosen.edge, chosen.cycles)
            at = chosen.edge.target
        arrives, timed = self._prospects
        seconds = float(timed[state] / arrives[state]) if arrives[state] > 0.0 else math.nan
        return DistancePlan(node, to_go, tuple(steps), float(arrives[state]), seconds)

    def _state(self, node: str, to_go: float) -> int:
        cell = min(max(round(to_go / self._cell), 1), self._cells)
        return (cell - 1) * self._bare + self._number[node]

    @cached_property
    def _prospects(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Of each state the probability to arrive without beginning anew, and the expected time of walks that do, times
        that probability.
        """
        table, choice = self._table, self._solution.choice
        lasting = replace(table, next_state=np.where(self._anew, FAILED, table.next_state))
        ended = np.where(lasting.next_state == ENDED, 1.0, 0.0)
        arrives = evaluate(lasting, choice, ended)
        later = np.where(lasting.next_state >= 0, arrives[lasting.next_state], ended)
        return arrives, evaluate(lasting, choice, lasting.duration * later)

    def _succeeded(self, node: str) -> dict[int, list[_Leads]]:
        edges = self.graph.planned_edges(node)
        if self._preview is not None:
            preview = self._preview
            edges = [edge for edge in edges if self.graph.beyond(edge, preview) == 0.0] or edges
        choices: dict[int, list[_Leads]] = {}
        for edge in edges:
            for cycles in sorted(set(self.graph.node(edge.target).cycles)):
                choices[len(self.transitions)] = self._attempted(edge, cycles)
                self.transitions.append(PlannedTransition(edge, cycles))
        return choices | {_GIVE_UP: [_Leads(FAILED, 1.0, 0.0, GIVE_UP_S)]}

    def _attempted(self, edge: Edge, cycles: int) -> list[_Leads]:
        probability = self.evidence.of(edge).probability
        metres = self.strides.distance(self.graph, edge, cycles)
        known = self.strides.seconds(edge, cycles)
        done = min(max(known if math.isfinite(known) else 0.0, 0.01), _MAX_S)
        failed, target = self._seconds.failure(edge), self._number[edge.target]
        way = min(max(metres, -_MAX_M), _MAX_M) if math.isfinite(metres) else 0.0
        return [
            _Leads(target, probability, done, done, way),
            _Leads(target + len(self._number), 1.0 - probability, failed, failed + FAILURE_COST_S),
        ]

    def _failed(self, node: str) -> dict[int, list[_Leads]]:
        leads: list[_Leads] = []
        for answer in self._answers.of(node):
            if answer.edge is None:
                seconds, start = self._seconds.of_start, self._number[self.graph.start]
                leads.append(_Leads(start, answer.probability, seconds, seconds + self._reset_cost, anew=True))
                continue
            target = self._number[answer.edge.target]
            done, failed = self._seconds.success(answer.edge), self._seconds.failure(answer.edge)
            share = answer.probability * answer.success
            again = answer.probability - share
            leads.append(_Leads(target, share, done, done))
            leads.append(_Leads(target + len(self._number), again, failed, failed + FAILURE_COST_S))
        return {_GIVE_UP: leads}

    def _with_distances(self, states: list[dict[int, list[_Leads]]]) -> tuple[TransitionTable, NDArray[np.bool_]]:
        """The table of all states at all distances to go, and which of its outcomes begin anew."""
        choices = [(action, leads) for state in states for action, leads in state.items()]
        flat = np.array([each for _, leads in choices for each in leads], dtype=np.float64)
        owner = np.repeat(np.arange(len(choices)), [len(leads) for _, leads in choices])
        kept = flat[:, 1] > 0.0
        flat, owner = flat[kept], owner[kept]
        bare = flat[:, 0].astype(np.int64)
        # how many cells are left after each outcome, from each cell: all of them after a reset
        cells = np.arange(1, self._cells + 1)[:, None]
        left = np.where(flat[:, 5] > 0.0, self._cells, np.minimum(cells - flat[:, 4] / self._cell, self._cells))
        low = np.clip(np.floor(left), 1, max(self._cells - 1, 1)).astype(np.int64)
        upper = np.clip(left - low, 0.0, 1.0)
        ends = np.where(bare == FAILED, FAILED, np.where(left <= 0.0, ENDED, 0))
        between = np.stack([low, np.minimum(low + 1, self._cells)], -1)
        number = np.where(ends[..., None] < 0, ends[..., None], (between - 1) * self._bare + bare[:, None])
        upper = np.where(ends < 0, 0.0, upper)
        weight = np.stack([1.0 - upper, upper], -1) * flat[:, 1, None]
        some = weight.ravel() > 0.0
        each = np.repeat(np.tile(np.arange(len(flat)), self._cells), 2)[some]
        number_of_choice = (np.arange(self._cells)[:, None] * len(choices) + owner).repeat(2, axis=1).ravel()[some]
        counts = np.bincount(number_of_choice, minlength=len(choices) * self._cells)
        per_state = np.tile([len(state) for state in states], self._cells)
        table = TransitionTable(
            np.concatenate([[0], np.cumsum(per_state)]).astype(np.int64),
            np.tile(np.array([action for action, _ in choices], dtype=np.int64), self._cells),
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            number.ravel()[some],
            weight.ravel()[some],
            -flat[each, 3],
            flat[each, 2],
        )
        return table, flat[each, 5] > 0.0


def _told(node: str, cycles: int) -> str:
    return node if cycles == 1 else f"{node} x{cycles}"
