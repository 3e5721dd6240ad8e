"""Cost estimates of the look-ahead planner, for transitions that have not been simulated yet.

Costs are in metres, like a position error. Each transition and each second adds to them, so that of two paths the
shorter one is tried first.
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
from ctrlgraph.terrain.terrain import TerrainPreview

if TYPE_CHECKING:
    from ctrlgraph.simulation.planar_snapshot import Snapshot

TOO_NEAR = 3.0
"""Cost of a state from which no take-off can be reached any more."""

_TRANSITION = 0.1  # cost of a transition
_SECOND = 0.08  # cost of a second
_OVER_IT = 3.0  # cost of passing an obstacle with a motion that is not made for it
_PASSED = 2.0  # merit of a passed obstacle
_HOME = 1.0  # cost of each transition to the start pose
_FAR_FROM_HOME = 20  # transitions to the start pose if there is no path
_NEARLY = 5.0  # cost of an edge for other ground
_TO_STOP = 0.4  # cost of each transition to the start pose, without obstacles
_TAKES_IT = 1.0  # merit of a motion for the obstacle ahead, if it can begin there
_DETOUR = 1.0  # cost of each motion that leads neither forward nor nearer to a take-off
_FAILED = 0.3  # cost of each failure of the same edge in this search
_FAR_ENOUGH = 4.0  # distance beyond which a longer one is not better, without obstacles, m
_STAYS = 0.1  # distance below which a motion counts as staying in place, m


@dataclass(frozen=True, slots=True)
class Reached:
    """A state reached in a search."""

    path: tuple[PlannedTransition, ...]
    """Transitions from the beginning of the search."""
    node: str
    """Node that has just ended."""
    x: float
    """Position of the centre of mass, m."""
    preview: TerrainPreview
    snapshot: Snapshot
    before: Reached | None = None
    """Previous state."""
    seconds: float = 0.0
    """Simulated time since the beginning of the search, s."""
    detours: int = 0
    """Number of transitions that were detours."""


class TransitionCosts:
    """Cost estimates from learned strides, kept from search to search."""

    def __init__(self, graph: ControllerGraph) -> None:
        self.strides = StrideModel()
        self._graph = graph
        self._paths: dict[str, dict[str, list[str]]] = {}

    def cost(
        self, state: Reached, transition: PlannedTransition, *, passed: int, failed: int, origin: float, is_plain: bool
    ) -> float:
        """Return the estimated cost of a transition, m; infinite for a motion over an obstacle that is not there.

        Args:
            state: state before the transition.
            transition: the transition.
            passed: number of obstacles that the state has passed.
            failed: number of failures of the same edge in this search.
            origin: position at the beginning of the search, m.
            is_plain: whether the search has no obstacle to pass.
        """
        edge = transition.edge
        mismatch = self._graph.beyond(edge, state.preview)
        ahead = state.preview.ahead
        length = _TRANSITION * len(state.path) + _SECOND * state.seconds - 10.0 * passed
        length += _DETOUR * (state.detours + self.is_detour(state, transition))
        length += _FAILED * failed
        if self._graph.take_off(edge) is not None:
            # its duration does not count, since the obstacle must be taken somewhere
            return length - _TAKES_IT if mismatch == 0.0 else math.inf
        length += _SECOND * self.strides.seconds(edge, transition.cycles)
        if mismatch > 0.0:
            length += _NEARLY
        distance = self.strides.distance(self._graph, edge, transition.cycles)
        if ahead is None or is_plain:
            # some distance forward, and then to the start pose, which completes a plan
            length += _OVER_IT * (ahead is not None and distance > ahead.distance)
            forward = min(state.x + distance - origin, _FAR_ENOUGH)
            return length - 0.2 * forward + _TO_STOP * self._hops_home(edge.target)
        return length + self._misplaced(edge.target, ahead, ahead.distance - distance)

    def merit(self, state: Reached, passed: int) -> float:
        """Return the merit of a state as the end of an incomplete plan, m.

        It is the position plus a few metres for each passed obstacle, less the cost of the transitions to the start
        pose. The last term is needed because a body that lies across a stair is further ahead, but stuck.
        """
        merit = _PASSED * passed + state.x - _HOME * self._hops_home(state.node)
        return merit if self.has_room(state) else merit - TOO_NEAR

    def has_room(self, state: Reached) -> bool:
        """Return whether a motion for the next obstacle can still begin ahead; True if there is no such motion."""
        ahead = state.preview.ahead
        wanted = [] if ahead is None else self.takeoffs_over(ahead)
        leads = ((self.lead(state.node, edge.source), takeoff.distance[0]) for edge, takeoff in wanted)
        left = [ahead.distance - lead[1] - nearest for lead, nearest in leads if ahead is not None and lead is not None]
        return not wanted or max(left, default=-math.inf) >= 0.0

    def is_detour(self, state: Reached, transition: PlannedTransition) -> bool:
        """Return whether a transition, such as a gesture, leads neither forward nor closer to a useful motion.

        Useful is a motion for the obstacle ahead, or a gait without an obstacle.
        """
        edge = transition.edge
        if edge.target == self._graph.start or self._graph.take_off(edge) is not None:
            return False
        if abs(self.strides.distance(self._graph, edge, transition.cycles)) >= _STAYS:
            return False
        return self._hops_forward(edge.target, state) >= self._hops_forward(state.node, state)

    def takeoffs_over(self, ahead: ObstacleAhead) -> list[tuple[Edge, TakeOff]]:
        """Return the edges that can take an obstacle, with their take-offs, at any distance."""
        return [(edge, wanted) for edge, wanted in self._graph.takeoffs if wanted.takes(ahead.kind, ahead.size)]

    def lead(self, source: str, target: str) -> tuple[int, float] | None:
        """Return transitions and distance, m, of the shortest planned path between nodes; None if there is none."""
        path = self._shortest(source).get(target)
        if path is None:
            return None
        way = 0.0
        for a, b in itertools.pairwise(path):
            edge = self._graph.planned_edge(a, b)
            assert edge is not None
            way += self.strides.distance(self._graph, edge, self._graph.node(b).cycles[0])
        return len(path) - 1, way

    def _hops_home(self, node: str) -> int:
        """Return the number of transitions from a node to the start pose."""
        home = self.lead(node, self._graph.start)
        return _FAR_FROM_HOME if home is None else home[0]

    def _hops_forward(self, node: str, state: Reached) -> int:
        """Return the number of transitions from a node to a motion that leads forward from a state."""
        ahead = state.preview.ahead
        wanted = [] if ahead is None else self.takeoffs_over(ahead)
        if not wanted:
            return self._hops_to_gait(node)
        leads = (self.lead(node, edge.source) for edge, _ in wanted)
        return min((lead[0] for lead in leads if lead is not None), default=_FAR_FROM_HOME)

    def _misplaced(self, node: str, ahead: ObstacleAhead, left: float) -> float:
        """Return the position error of a state in which `node` has ended `left` metres before an obstacle, m.

        It is that of the best take-off for the obstacle, with the path to its beginning.
        """
        takeoffs = self.takeoffs_over(ahead)
        if not takeoffs:
            # no motion is made for it, but a gait can pass it with a run-up
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

    def _hops_to_gait(self, node: str) -> int:
        """Return the number of transitions from a node to a gait."""
        ways = self._shortest(node)
        return min((len(path) - 1 for name, path in ways.items() if self._graph.node(name).cycles[1] > 1), default=9)


def _outside(limits: Interval, value: float) -> float:
    return max(limits[0] - value, value - limits[1], 0.0)
