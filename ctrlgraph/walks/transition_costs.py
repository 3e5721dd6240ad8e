"""Cost estimates of the look-ahead planner, for transitions that have not been simulated yet.

A cost is a duration in s: the time since the beginning of the search, the expected time of the transition and of the
rest of the way, and penalties, so that of two paths the faster one is tried first.

A take-off is the obstacle that an edge requires, with the distance at which it must be ahead (`graph.ground.TakeOff`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping
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

ANY_SOURCE = ""
"""Source under which failures of a node over any edge are counted."""
NEAR_HOME = 2
"""Maximum number of planned edges from a node on the feet to the start node. From lying poses the paths are longer."""

_TRANSITION = 0.3  # cost of a transition, s
_PACE = 0.8  # expected speed on the rest of the way, m/s; below that of a walk, so that long paths are continued
_BEHIND = 0.5  # expected distance behind the beginning of an obstacle at which a motion over it ends, m
_OVER_IT = 6.0  # cost of passing an obstacle with a motion that is not made for it, s
_MISPLACED = 2.0  # cost of a metre by which a motion over an obstacle would begin too near or too far away, s/m
_CROSSING = 4.0  # expected time of each obstacle on the rest of the way, s
_PASSED = 2.0  # merit of a passed obstacle, m
_HOME = 1.0  # cost of each transition to the start pose, m
_FAR_FROM_HOME = 20  # transitions to the start pose if there is no path
_NEARLY = 10.0  # cost of an edge for other ground, s
_UNKNOWN = 5.0  # cost of a motion of which the distance is not known, s
_FLOOR = 20.0  # cost of a motion that leads to the ground, s
_STANDING = 1.0  # cost of a plan that ends in a static pose, from which the next gait must start, s
_FAILED = 1.0  # cost of each failure of the same edge in this search, s
_FAILED_OVER = 2.0  # cost of each failure of the same motion over an obstacle in this search, s
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
        self,
        state: Reached,
        transition: PlannedTransition,
        *,
        end: float,
        obstacles: int,
        failures: Mapping[tuple[str, str], int],
    ) -> float:
        """Return the estimated cost of a path that continues with a transition, s; infinite if it is not allowed.

        A transition is not allowed if it requires an obstacle that is not ahead, or if it is a detour (`is_detour`).

        Args:
            state: state before the transition.
            transition: the transition.
            end: position x at which the plan is complete, m.
            obstacles: number of obstacles between `state` and `end`.
            failures: number of failures in this search, by source and target of the edge. The failures of a target over
                any edge have the source `ANY_SOURCE`.
        """
        edge = transition.edge
        mismatch = self._graph.beyond(edge, state.preview)
        ahead = state.preview.ahead
        takeoff = self._graph.take_off(edge)
        if self.is_detour(state, transition) or (takeoff is not None and mismatch > 0.0):
            return math.inf
        cost = _TRANSITION * len(state.path) + _FAILED * failures[edge.source, edge.target]
        cost += _FLOOR * self._leads_down(state.node, edge.target)
        is_known = takeoff is not None or edge.target == self._graph.start or self.strides.knows(self._graph, edge)
        cost += 0.0 if is_known else _UNKNOWN
        if takeoff is not None and ahead is not None:
            distance = ahead.distance + _BEHIND
            seconds = self._seconds_over(edge, distance)
            obstacles -= self._crossed(edge)
            cost += _FAILED_OVER * failures[ANY_SOURCE, edge.target]
        else:
            distance = self.strides.distance(self._graph, edge, transition.cycles)
            seconds = self.strides.seconds(self._graph, edge, transition.cycles)
            cost += _NEARLY * (mismatch > 0.0)
            if ahead is not None and distance > ahead.distance and self.takeoffs_over(ahead):
                # whether a motion that is not made for the obstacle passes it is unknown
                cost += _OVER_IT + _FAILED_OVER * failures[ANY_SOURCE, edge.target]
                obstacles = 0 if state.x + distance > end else obstacles
                distance = min(distance, end - state.x)
            elif ahead is not None and state.x + ahead.distance < end:
                cost += self._misplaced(edge.target, ahead, ahead.distance - distance, failures)
        rest = (end - state.x - distance) / _PACE + _CROSSING * max(obstacles, 0)
        return cost + state.seconds + seconds + rest

    def total(self, state: Reached, end: float) -> float:
        """Return the cost of a complete plan that ends in a state, s.

        Args:
            state: state at the end of the plan.
            end: position x at which a plan is complete, m. A plan that leads further is better.
        """
        standing = _STANDING * self._graph.node(state.node).is_static
        return state.seconds + _TRANSITION * len(state.path) + (end - state.x) / _PACE + standing

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
        motion if the path to it has fewer edges. A motion of which the distance is not known can lead forward.

        Args:
            state: state before the transition.
            transition: the transition.
        """
        edge = transition.edge
        if edge.target == self._graph.start or self._graph.take_off(edge) is not None:
            return False
        if not self.strides.knows(self._graph, edge):
            return False
        if abs(self.strides.distance(self._graph, edge, transition.cycles)) >= _STAYS:
            return False
        return self._hops_forward(edge.target, state) >= self._hops_forward(state.node, state)

    def is_on_its_feet(self, node: str) -> bool:
        """Return whether few planned edges lead from a node to the start node.

        More edges lead there from a node that ends on the ground.

        Args:
            node: name of the node.
        """
        return self._hops_home(node) <= NEAR_HOME

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

    def hops(self, node: str, goals: Collection[str]) -> int | None:
        """Return the number of transitions from a node to the nearest of several nodes; None if no path leads there."""
        ways = self._shortest(node)
        return min((len(ways[goal]) - 1 for goal in goals if goal in ways), default=None)

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

    def _leads_down(self, source: str, target: str) -> bool:
        """Return whether a transition leads to the ground, or on the ground no nearer to the start pose."""
        return not self.is_on_its_feet(target) and self._hops_home(target) >= self._hops_home(source)

    def _crossed(self, edge: Edge) -> int:
        """Return the number of obstacles that the target of an edge crosses at least: 1, or more for a flight."""
        least = self._graph.node(edge.target).success.get("crossed", (1.0, 1.0))[0]
        return int(min(max(least, 1.0), 100.0))

    def _seconds_over(self, edge: Edge, distance: float) -> float:
        """Return the expected duration of a motion over an obstacle, s.

        Args:
            edge: edge to the motion, whose target is expected to be as fast as in earlier tries.
            distance: expected distance, m.
        """
        return distance / (self.strides.speed(self._graph, edge) or _PACE)

    def _misplaced(
        self, node: str, ahead: ObstacleAhead, left: float, failures: Mapping[tuple[str, str], int]
    ) -> float:
        """Return the cost of a state's position before an obstacle, s.

        The motion over the obstacle begins after the shortest path to the source of an edge that crosses the obstacle.
        The cost is the time that this motion and its path take longer than the walk, plus a cost of each metre by which
        the motion would begin too near or too far away. Of several edges, the cheapest one counts.

        Args:
            node: name of the node that has ended in this state.
            ahead: the obstacle.
            left: distance from the state to the obstacle, m; negative beyond its beginning.
            failures: number of failures in this search, by source and target of the edge.
        """
        takeoffs = self.takeoffs_over(ahead)
        if not takeoffs:
            # no edge is for this obstacle, but a gait can pass it with a run-up
            return 0.5 + abs(left + 0.5) * 0.2
        costs = []
        for edge, wanted in takeoffs:
            lead = self.lead(node, edge.source)
            if lead is not None:
                hops, way = lead
                begin = max(left - way, 0.0) + _BEHIND
                slow = max(self._seconds_over(edge, begin) - begin / _PACE, 0.0)
                off = _MISPLACED * _outside(wanted.distance, left - way)
                costs.append((1.0 + _TRANSITION) * hops + slow + off + _FAILED * failures[edge.source, edge.target])
        return min(costs, default=_OVER_IT)

    def _shortest(self, source: str) -> dict[str, list[str]]:
        if source not in self._paths:
            self._paths[source] = self._graph.shortest_paths(source)
        return self._paths[source]


def _outside(limits: Interval, value: float) -> float:
    return max(limits[0] - value, value - limits[1], 0.0)
