"""Cost estimates of the look-ahead planner, for transitions that have not been simulated yet.

A cost is a length in m: by how much a motion over the next obstacle would begin too near or too far away, plus an
amount for each transition and each second, so that of two paths the shorter one is tried first.

A take-off is the obstacle that an edge requires, with the distance at which it must be ahead (`graph.ground.TakeOff`).
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
    from ctrlgraph.simulation.snapshot import Snapshot

TOO_NEAR = 3.0
"""Cost of a state that is too near to the next obstacle to begin a motion over it, m."""

_TRANSITION = 0.1  # cost of a transition
_SECOND = 0.08  # cost of a second
_OVER_IT = 3.0  # cost of passing an obstacle with a motion that is not made for it
_PASSED = 2.0  # merit of a passed obstacle
_HOME = 1.0  # cost of each transition to the start pose
_FAR_FROM_HOME = 20  # transitions to the start pose if there is no path
_NEARLY = 5.0  # cost of an edge for other ground
_TO_COMPLETE = 0.4  # cost of each further transition that completes a plan, without obstacles
_TAKES_IT = 1.0  # merit of a motion for the obstacle ahead, if it can begin there
_DETOUR = 1.0  # cost of each motion that leads neither forward nor nearer to a take-off
_FAILED = 0.3  # cost of each failure of the same edge in this search
_FAR_ENOUGH = 4.0  # distance beyond which a longer one is not better, without obstacles, m
_STAYS = 0.1  # distance below which a motion counts as staying in place, m


@dataclass(frozen=True, slots=True)
class Reached:
    """A state that a search of the look-ahead planner has simulated, and the transitions that lead to the state."""

    path: tuple[PlannedTransition, ...]
    """Transitions from the beginning of the search to this state."""
    node: str
    """Name of the node that has just ended."""
    x: float
    """Position x of the centre of mass, m."""
    preview: TerrainPreview
    """Ground under and ahead of the character."""
    snapshot: Snapshot
    """Copy of the simulation's state, from which later transitions are simulated."""
    before: Reached | None = None
    """State before the last transition; None at the beginning of the search."""
    seconds: float = 0.0
    """Simulated time since the beginning of the search, s."""
    detours: int = 0
    """Number of transitions on the path that led neither forward nor nearer to a useful motion.

    `TransitionCosts.is_detour` decides this.
    """


class TransitionCosts:
    """Cost estimates of transitions, from the distances and durations of transitions that were simulated before.

    Attributes:
        strides: model of the distance and duration of a transition, fitted to simulated transitions.
    """

    def __init__(self, graph: ControllerGraph) -> None:
        self.strides = StrideModel()
        self._graph = graph
        self._paths: dict[str, dict[str, list[str]]] = {}

    def cost(
        self, state: Reached, transition: PlannedTransition, *, passed: int, failed: int, origin: float, is_plain: bool
    ) -> float:
        """Return the estimated cost of a transition, m; infinite if it requires an obstacle that is not ahead.

        Args:
            state: state before the transition.
            transition: the transition.
            passed: number of obstacles between the beginning of the search and `state`.
            failed: number of failures of the transition's edge in this search.
            origin: position x of the centre of mass at the beginning of the search, m.
            is_plain: whether the search has no obstacle to pass.
        """
        edge = transition.edge
        mismatch = self._graph.beyond(edge, state.preview)
        ahead = state.preview.ahead
        length = _TRANSITION * len(state.path) + _SECOND * state.seconds - 10.0 * passed
        length += _DETOUR * (state.detours + self.is_detour(state, transition))
        length += _FAILED * failed
        if self._graph.take_off(edge) is not None:
            # a slow motion is better than none, since the obstacle must be taken somewhere
            slow = min(_SECOND * self.strides.seconds(self._graph, edge, transition.cycles), _TAKES_IT)
            return length - _TAKES_IT + slow if mismatch == 0.0 else math.inf
        length += _SECOND * self.strides.seconds(self._graph, edge, transition.cycles)
        if mismatch > 0.0:
            length += _NEARLY
        distance = self.strides.distance(self._graph, edge, transition.cycles)
        if ahead is None or is_plain:
            # some distance forward, and then two more transitions or the start pose, which completes a plan
            length += _OVER_IT * (ahead is not None and distance > ahead.distance)
            forward = min(state.x + distance - origin, _FAR_ENOUGH)
            missing = min(max(2 - len(state.path), 0), self._hops_home(edge.target))
            return length - 0.2 * forward + _TO_COMPLETE * missing
        return length + self._misplaced(edge.target, ahead, ahead.distance - distance)

    def merit(self, state: Reached, passed: int) -> float:
        """Return how good a state is as the end of an incomplete plan, m (larger is better).

        The merit is x plus a few metres for each passed obstacle, minus a cost for each transition from this state to
        the start node. This cost is needed because a body that lies across a stair is further ahead, but stuck.
        `TOO_NEAR` is subtracted if there is too little distance to begin a motion over the next obstacle.

        Args:
            state: state at the end of the plan.
            passed: number of obstacles between the beginning of the search and `state`.
        """
        merit = _PASSED * passed + state.x - _HOME * self._hops_home(state.node)
        return merit if self.has_room(state) else merit - TOO_NEAR

    def has_room(self, state: Reached) -> bool:
        """Return whether there is still enough distance to the next obstacle to begin a motion over the obstacle.

        The result is also True if no obstacle is in sight, or if the graph has no motion over the obstacle.
        """
        ahead = state.preview.ahead
        wanted = [] if ahead is None else self.takeoffs_over(ahead)
        leads = ((self.lead(state.node, edge.source), takeoff.distance[0]) for edge, takeoff in wanted)
        left = [ahead.distance - lead[1] - nearest for lead, nearest in leads if ahead is not None and lead is not None]
        return not wanted or max(left, default=-math.inf) >= 0.0

    def is_detour(self, state: Reached, transition: PlannedTransition) -> bool:
        """Return whether a transition, such as one to a gesture, leads neither forward nor nearer to a useful motion.

        A useful motion is one over the obstacle ahead or, if the graph has none, a gait. A node is nearer to such a
        motion if the path to it has fewer edges.

        Args:
            state: state before the transition.
            transition: the transition.
        """
        edge = transition.edge
        if edge.target == self._graph.start or self._graph.take_off(edge) is not None:
            return False
        if abs(self.strides.distance(self._graph, edge, transition.cycles)) >= _STAYS:
            return False
        return self._hops_forward(edge.target, state) >= self._hops_forward(state.node, state)

    def takeoffs_over(self, ahead: ObstacleAhead) -> list[tuple[Edge, TakeOff]]:
        """Return the edges that can cross an obstacle, each with its take-off (required obstacle and distance).

        Args:
            ahead: the obstacle. Its kind and size count, its distance does not.
        """
        return [(edge, wanted) for edge, wanted in self._graph.takeoffs if wanted.takes(ahead.kind, ahead.size)]

    def lead(self, source: str, target: str) -> tuple[int, float] | None:
        """Return the length of the shortest path of planned edges between two nodes.

        Args:
            source: name of the node where the path begins.
            target: name of the node where the path ends.

        Returns:
            The number of transitions, and the expected distance that the character moves, m. None if there is no path.
        """
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
        """Return the number of transitions from a node to the start node."""
        home = self.lead(node, self._graph.start)
        return _FAR_FROM_HOME if home is None else home[0]

    def _hops_forward(self, node: str, state: Reached) -> int:
        """Return the number of transitions from a node to the nearest edge that crosses the obstacle ahead.

        If the graph has no such edge, return the number of transitions to the nearest gait.

        Args:
            node: name of the node.
            state: state whose preview contains the obstacle ahead.
        """
        ahead = state.preview.ahead
        wanted = [] if ahead is None else self.takeoffs_over(ahead)
        if not wanted:
            ways = self._shortest(node)
            return min((len(way) - 1 for name, way in ways.items() if self._graph.node(name).cycles[1] > 1), default=9)
        leads = (self.lead(node, edge.source) for edge, _ in wanted)
        return min((lead[0] for lead in leads if lead is not None), default=_FAR_FROM_HOME)

    def _misplaced(self, node: str, ahead: ObstacleAhead, left: float) -> float:
        """Return the cost of a state's position before an obstacle, m.

        The motion over the obstacle begins after the shortest path to the source of an edge that crosses the obstacle.
        The cost is the distance by which it would begin too near or too far away, plus the cost of the transitions of
        this path. Of several edges, the cheapest one counts.

        Args:
            node: name of the node that has ended in this state.
            ahead: the obstacle.
            left: distance from the state to the obstacle, m; negative beyond its beginning.
        """
        takeoffs = self.takeoffs_over(ahead)
        if not takeoffs:
            # no edge is for this obstacle, but a gait can pass it with a run-up
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


def _outside(limits: Interval, value: float) -> float:
    return max(limits[0] - value, value - limits[1], 0.0)
