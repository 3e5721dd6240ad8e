"""Segments: what a live motion is made of, node after node, and who says what comes next."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import numpy as np

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.goal_planner import EdgeEvidence, plan_path
from ctrlgraph.graph.model import ControllerGraph, Edge
from ctrlgraph.graph.random_planner import draw_transition
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.terrain.profile import TerrainPreview
from ctrlgraph.walkthrough.walker import next_correction

MAX_FAILURES = 10
"""After so many failures in a row a live walk stops."""


@dataclass(frozen=True, slots=True)
class LiveSegment:
    """A node, over an edge where one leads to it, or a script by itself, and how often it runs."""

    name: str
    edge: Edge | None = None
    cycles: int = 1
    script: Path | None = None


class Way(Protocol):
    """Who says what comes after a segment."""

    def next(self, segment: LiveSegment, outcome: Outcome, preview: TerrainPreview) -> LiveSegment | None:
        """Return what comes next; None where the motion ends."""
        ...


class EndsHere:
    """The motion ends where its segments do, or where one of them fails."""

    def next(self, segment: LiveSegment, outcome: Outcome, preview: TerrainPreview) -> LiveSegment | None:
        """Return None."""
        return None


class _Walk:
    """A walk of the graph: after a failure the corrective edges, then on."""

    def __init__(self, graph: ControllerGraph) -> None:
        self._graph = graph
        self._failures = 0
        self._recovering = False

    def next(self, segment: LiveSegment, outcome: Outcome, preview: TerrainPreview) -> LiveSegment | None:
        """Return what comes next; None where the walk has come to its end, or nothing helps any more."""
        graph = self._graph
        if outcome.status is Status.DIVERGED or segment.name not in graph:
            return None
        if outcome.succeeded and (not self._recovering or graph.node(segment.name).is_static):
            self._recovering, self._failures = False, 0
            return self._onward(segment.name, preview)
        if not outcome.succeeded:
            self._failures += 1
            self._failed(segment)
        self._recovering = True
        edge = next_correction(graph, segment.name, outcome, preview)
        if edge is None or self._failures > MAX_FAILURES:
            return None
        return LiveSegment(edge.target, edge, graph.node(edge.target).cycles[0])

    def _failed(self, segment: LiveSegment) -> None:
        """Take note of a segment that has failed."""

    def _onward(self, source: str, preview: TerrainPreview) -> LiveSegment | None:
        raise NotImplementedError


class RandomWalk(_Walk):
    """Edges are drawn as `ctrlgraph walk` draws them."""

    def __init__(self, graph: ControllerGraph, seed: int) -> None:
        super().__init__(graph)
        self._rng = np.random.default_rng(seed)

    def _onward(self, source: str, preview: TerrainPreview) -> LiveSegment | None:
        try:
            drawn = draw_transition(self._graph, source, self._rng, preview)
        except CtrlGraphError:  # nothing leads on
            return None
        return LiveSegment(drawn.edge.target, drawn.edge, drawn.cycles)


class WayToGoal(_Walk):
    """The most reliable way to a node, planned anew after each failure."""

    def __init__(self, graph: ControllerGraph, goal: str, evidence: Mapping[Edge, EdgeEvidence]) -> None:
        """
        Raises:
            CtrlGraphError: there is no such node.
        """
        super().__init__(graph)
        graph.node(goal)
        self.goal = goal
        self._evidence = dict(evidence)
        self._failed_edges: Counter[Edge] = Counter()

    def _failed(self, segment: LiveSegment) -> None:
        if segment.edge is not None:
            self._failed_edges[segment.edge] += 1

    def _onward(self, source: str, preview: TerrainPreview) -> LiveSegment | None:
        if source == self.goal:
            return None
        known = dict(self._evidence)
        for edge, times in self._failed_edges.items():
            found = known.get(edge, EdgeEvidence())
            known[edge] = EdgeEvidence(found.attempts, found.successes, found.mean_s, times)
        try:
            plan = plan_path(self._graph, source, self.goal, known, preview)
        except CtrlGraphError:  # no way leads there
            return None
        edge = plan.steps[0].edge
        return LiveSegment(edge.target, edge, self._graph.node(edge.target).cycles[0])


def segments_of(
    graph: ControllerGraph, names: Iterable[str], preview: TerrainPreview, cycles: Mapping[int, int] | None = None
) -> list[LiveSegment]:
    """Return nodes one after another, each over its planned edge from the one before, where there is one.

    Args:
        cycles: by place in the sequence, where it is not the node's least number.

    Raises:
        CtrlGraphError: there is no such node.
    """
    listed = list(names)
    found = [
        LiveSegment(name, None, (cycles or {}).get(i, graph.node(name).cycles[0])) for i, name in enumerate(listed)
    ]
    for i, (source, target) in enumerate(pairwise(listed), start=1):
        found[i] = LiveSegment(target, graph.planned_edge(source, target, preview), found[i].cycles)
    return found


def way_there(graph: ControllerGraph, name: str, preview: TerrainPreview) -> list[str]:
    """Return the nodes of the shortest way from the start node to one, both among them; itself alone, where there is no
    way.

    Raises:
        CtrlGraphError: there is no such node.
    """
    graph.node(name)
    return graph.shortest_paths(graph.start, preview).get(name, [name])


class Queue:
    """What comes next: segments that are settled, then what a way says."""

    def __init__(self, segments: Iterable[LiveSegment], way: Way) -> None:
        self.waiting = deque(segments)
        self.way = way

    def next(self, segment: LiveSegment, outcome: Outcome, preview: Callable[[], TerrainPreview]) -> LiveSegment | None:
        """Return what comes after a segment; None where the motion ends."""
        if not outcome.succeeded or (outcome.fell and not outcome.judged):
            if isinstance(self.way, EndsHere):
                return None  # what was to come still does, once an edit has mended it
            self.waiting.clear()  # what was to come cannot be entered from here
            return self.way.next(segment, outcome, preview())
        if self.waiting:
            return self.waiting.popleft()
        return self.way.next(segment, outcome, preview())
