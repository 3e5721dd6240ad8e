"""What the look-ahead planner weighs: what a way over the graph promises, before it is simulated.

All of it is in metres of a badly chosen place: each transition on the way and each second of it cost something, so that
of two ways the shorter one is tried first.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctrlgraph.graph.ground import Interval, TakeOff
from ctrlgraph.graph.model import ControllerGraph, Edge
from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.graph.stride import StrideModel
from ctrlgraph.terrain.obstacles import ObstacleAhead
from ctrlgraph.terrain.profile import TerrainPreview

if TYPE_CHECKING:
    from ctrlgraph.simulation.snapshot import Snapshot

TOO_NEAR = 3.0
"""To be content with a place from which no take-off is within reach any more."""

_TRANSITION = 0.1
_SECOND = 0.08
_OVER_IT = 3.0  # to run over an obstacle with a motion that is not made for it
_PASSED = 2.0
_HOME = 1.0  # for each transition to the start pose
_FAR_FROM_HOME = 20
_NEARLY = 5.0  # an edge that is for other ground
_TO_STOP = 0.4  # for each transition to the start pose where nothing stands in the way
_TAKES_IT = 1.0  # for a motion that takes the obstacle ahead, from where it may be entered
_DETOUR = 1.0  # for each motion that leads neither on nor nearer to a take-off: a gesture
_FAILED = 0.3  # for each time that the same edge has failed in this search
_FAR_ENOUGH = 4.0  # where nothing stands in the way, m
_STAYS = 0.1  # what moves the body by less stays where it is, m


@dataclass(frozen=True, slots=True)
class Reached:
    """A state that a search has come to: over these transitions to a node, at x (m) on the course."""

    path: tuple[PlannedTransition, ...]
    node: str
    x: float
    preview: TerrainPreview
    snapshot: Snapshot
    before: Reached | None = None
    seconds: float = 0.0
    detours: int = 0


class WayCosts:
    """What the ways of a graph promise, by what is known of strides; kept from search to search."""

    def __init__(self, graph: ControllerGraph) -> None:
        self.strides = StrideModel()
        self._graph = graph
        self._paths: dict[str, dict[str, list[str]]] = {}

    def cost(
        self,
        state: Reached,
        transition: PlannedTransition,
        *,
        passed: int,
        failed: int,
        begun: float,
        is_plain: bool,
    ) -> float:
        """Return what a transition is expected to be off by, in metres; infinite for one that takes what is not there.

        Args:
            passed: obstacles that the state has passed; failed: how often the same edge has failed in this search.
            begun: where the search began, m.
            is_plain: nothing stands in the way that the search is to pass.
        """
        edge = transition.edge
        off = self._graph.beyond(edge, state.preview)
        ahead = state.preview.ahead
        length = _TRANSITION * len(state.path) + _SECOND * state.seconds - 10.0 * passed
        length += _DETOUR * (state.detours + self.is_detour(state, transition))
        length += _FAILED * failed
        if self._graph.takes(edge):
            # how long it takes says nothing against it: it has to be taken somewhere
            return length - _TAKES_IT if off == 0.0 else math.inf
        length += _SECOND * self.strides.seconds(edge, transition.cycles)
        if off > 0.0:
            length += _NEARLY
        way = self.strides.distance(self._graph, edge, transition.cycles)
        if ahead is None or is_plain:
            # some way on, and then into the start pose, which completes a plan
            length += _OVER_IT * (ahead is not None and way > ahead.distance)
            on = min(state.x + way - begun, _FAR_ENOUGH)
            return length - 0.2 * on + _TO_STOP * self._from_home(edge.target)
        return length + self._misplaced(edge.target, ahead, ahead.distance - way)

    def merit(self, state: Reached, passed: int) -> float:
        """Return how good a state is to be content with that is not far enough: metres of way, an obstacle that was
        passed for a few of them, less the transitions to the start pose, from which everything is open: who lies across
        a stair is further, and stuck."""
        merit = _PASSED * passed + state.x - _HOME * self._from_home(state.node)
        return merit if self.has_room(state) else merit - TOO_NEAR

    def has_room(self, state: Reached) -> bool:
        """Tell whether something that takes the next obstacle can begin ahead of a state, not behind it; of an obstacle
        that nothing takes, always."""
        ahead = state.preview.ahead
        wanted = [] if ahead is None else self.takeoffs_over(ahead)
        leads = ((self.lead(state.node, edge.source), takeoff.distance[0]) for edge, takeoff in wanted)
        left = [ahead.distance - lead[1] - nearest for lead, nearest in leads if ahead is not None and lead is not None]
        return not wanted or max(left, default=-math.inf) >= 0.0

    def is_detour(self, state: Reached, transition: PlannedTransition) -> bool:
        """Tell whether a transition is expected to lead neither on nor nearer to what leads on: to a motion that takes
        the obstacle ahead, or to a gait where there is none. A gesture does, and comes last."""
        edge = transition.edge
        if edge.target == self._graph.start or self._graph.takes(edge):
            return False
        if abs(self.strides.distance(self._graph, edge, transition.cycles)) >= _STAYS:
            return False
        return self._to_lead_on(edge.target, state) >= self._to_lead_on(state.node, state)

    def takeoffs_over(self, ahead: ObstacleAhead) -> list[tuple[Edge, TakeOff]]:
        """Return the edges that an obstacle can be taken over, however far it is, and what they want ahead."""
        return [(edge, wanted) for edge, wanted in self._graph.takeoffs if wanted.takes(ahead.kind, ahead.size)]

    def lead(self, source: str, target: str) -> tuple[int, float] | None:
        """Return the transitions and metres of the shortest planned way from a node to another; None where none leads
        there."""
        path = self._shortest(source).get(target)
        if path is None:
            return None
        way = 0.0
        for a, b in itertools.pairwise(path):
            edge = self._graph.planned_edge(a, b)
            assert edge is not None
            way += self.strides.distance(self._graph, edge, self._graph.node(b).cycles[0])
        return len(path) - 1, way

    def _from_home(self, node: str) -> int:
        """How many transitions a node is away from the start pose."""
        home = self.lead(node, self._graph.start)
        return _FAR_FROM_HOME if home is None else home[0]

    def _to_lead_on(self, node: str, state: Reached) -> int:
        """How many transitions a node is away from one that leads on from a state."""
        ahead = state.preview.ahead
        wanted = [] if ahead is None else self.takeoffs_over(ahead)
        if not wanted:
            return self._lead_to_gait(node)
        leads = (self.lead(node, edge.source) for edge, _ in wanted)
        return min((lead[0] for lead in leads if lead is not None), default=_FAR_FROM_HOME)

    def _misplaced(self, node: str, ahead: ObstacleAhead, left: float) -> float:
        """How badly placed a state is in which `node` has ended `left` metres before an obstacle: by the nearest
        take-off that the graph has for it, the ways to where it begins reckoned with."""
        takeoffs = self.takeoffs_over(ahead)
        if not takeoffs:
            # nothing is made for it: over it with a run-up, as a gait goes over what it can
            return 0.5 + abs(left + 0.5) * 0.2
        if left < 0.0:
            return _OVER_IT - left
        costs = []
        for edge, wanted in takeoffs:
            lead = self.lead(node, edge.source)
            if lead is not None:
                hops, way = lead
                costs.append(_TRANSITION * hops + _outside(wanted.distance, left - way))
        return min(costs, default=_OVER_IT + left)

    def _shortest(self, source: str) -> dict[str, list[str]]:
        if source not in self._paths:
            self._paths[source] = self._graph.shortest_paths(source)
        return self._paths[source]

    def _lead_to_gait(self, node: str) -> int:
        """How many transitions a node is away from one that goes on for cycles."""
        ways = self._shortest(node)
        return min((len(path) - 1 for name, path in ways.items() if self._graph.node(name).cycles[1] > 1), default=9)


def _outside(limits: Interval, value: float) -> float:
    return max(limits[0] - value, value - limits[1], 0.0)
