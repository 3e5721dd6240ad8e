"""The walk of a played motion: the player chooses nodes, and a planner chooses the edges that lead there.

Choices are events of the motion. What the walk does at a time depends only on the motion up to then, so that the motion
can be simulated again from any stored state.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.conditions import FALLS
from ctrlgraph.graph.goal_planner import EdgeEvidence, plan_path
from ctrlgraph.graph.model import ControllerGraph, Edge, EdgeKind, Node, PlayNodes
from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.live_page.motion.segments import MAX_FAILURES, LiveSegment
from ctrlgraph.live_page.motion.world import Choice
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.terrain.terrain import TerrainPreview
from ctrlgraph.walks.course_walk import is_progress
from ctrlgraph.walks.walker import next_corrections

if TYPE_CHECKING:
    from ctrlgraph.simulation.snapshot import Snapshot
    from ctrlgraph.walks.lookahead import LookAhead

MANY_CYCLES = 1000
"""Number of cycles of a node that goes on until the player chooses another one."""
JUMP_WITHIN_S = 8.0
"""Time after the key for a jump within which the jump must begin, s. Otherwise it is left out."""
BLOCKED_M = 1.0
"""Distance from the place of a search that has found no way over an obstacle within which no other search begins, m."""


@dataclass(frozen=True)
class Situation:
    """A played motion up to the present."""

    time: float
    """Time of the motion, s."""
    x: float
    """Position of the centre of mass along the ground, m."""
    preview: TerrainPreview
    """Slope of the ground, and the obstacle ahead."""
    choices: Sequence[Choice]
    """Choices of the player up to this time, in the order of time."""
    runs: Sequence[tuple[LiveSegment, Outcome | None, float]]
    """(segment, outcome, start time in s) of each segment that has begun. Outcome None: it still runs."""
    snapshot: Callable[[], Snapshot]
    """Function that returns the state of the simulation."""


class PlayedWalk:
    """Walk of a played motion: chooses the next segments, and ends the one that runs when the player wants another.

    A segment that goes on ends after its present cycle, which is the next possible switch of its motion.

    Args:
        graph: Graph with the nodes.
        evidence: Numbers of logged attempts and successes, by edge. Edges without attempts may be missing.
        planner: Planner that tries transitions in a copy of the simulation. None: the most reliable path is taken.
    """

    def __init__(
        self, graph: ControllerGraph, evidence: Mapping[Edge, EdgeEvidence], planner: LookAhead | None = None
    ) -> None:
        self.nodes = nodes_to_play(graph)
        self._graph, self._evidence, self._planner = graph, evidence, planner
        self._planned: dict[tuple[str, int, tuple[str, ...]], tuple[PlannedTransition, ...]] = {}
        self._blocked: list[tuple[float, float]] = []  # (x, time) at which no way over an obstacle was found, m, s

    def interrupt(self, is_interrupted: Callable[[], bool]) -> None:
        """Set a function that is called often while the planner searches, and that returns whether it has to stop."""
        if self._planner is not None:
            self._planner.is_interrupted = is_interrupted

    def close(self) -> None:
        """Free the simulation of the planner."""
        if self._planner is not None:
            self._planner.close()

    def first(self) -> LiveSegment:
        """Return the first segment of the motion: the start node, which goes on."""
        return LiveSegment(self._graph.start, None, MANY_CYCLES)

    def goal(self, now: Situation) -> str:
        """Return the name of the node that the player wants to go on. A jump is not such a node."""
        last = next((each for each in reversed(now.choices) if each.node not in self.nodes.jump), None)
        if last is None or (self._is_moving(last.node) and self.is_blocked(now, last.time)):
            return self._graph.start
        return last.node

    def is_blocked(self, now: Situation, since: float) -> bool:
        """Return whether no way over the obstacle ahead was found since a time (s), so that the character stops."""
        return any(abs(now.x - x) < BLOCKED_M and since < time <= now.time for x, time in self._blocked)

    def keep(self, now: Situation, rest: Sequence[LiveSegment]) -> None:
        """Keep the rest of a path, which is taken again if the motion comes to the same state after a command."""
        path = tuple(PlannedTransition(each.edge, each.cycles) for each in rest if each.edge is not None)
        if self._planner is not None and all(each.cycles != MANY_CYCLES for each in path):
            self._planned[now.runs[-1][0].name, now.snapshot().digest, ()] = path

    def jumps(self, now: Situation) -> tuple[str, ...]:
        """Return the jumps of which one is still to begin; empty if there is none."""
        last = next((each for each in reversed(now.choices) if each.node in self.nodes.jump), None)
        if last is None or now.time - last.time > JUMP_WITHIN_S:
            return ()
        has_begun = any(begins >= last.time and run.name in self.nodes.jump for run, _, begins in now.runs)
        return () if has_begun else (last.node, *(name for name in self.nodes.jump if name != last.node))

    def is_over(self, now: Situation) -> bool:
        """Return whether the segment that runs has to end at its next possible switch."""
        segment = now.runs[-1][0]
        if segment.cycles != MANY_CYCLES:
            return False
        goal = self.goal(now)
        return goal != segment.name or bool(self.jumps(now)) or self._has_obstacle(now, goal)

    def next(self, now: Situation) -> list[LiveSegment]:
        """Return the segments that follow the one that has ended. Empty: the motion ends."""
        segment, outcome, _ = now.runs[-1]
        assert outcome is not None
        if outcome.status is Status.DIVERGED:
            return []
        if self._is_recovering(now):
            return self._corrections(now, segment, outcome)
        goal = self.goal(now)
        jumps = self.jumps(now)
        path = self._path(now, segment.name, jumps) if jumps else ()
        if not path and self._has_obstacle(now, goal):
            path = self._over_obstacle(now, segment.name)
            if path:
                return [LiveSegment(each.edge.target, each.edge, each.cycles) for each in path]
            goal = self.goal(now)
        if not path and goal == segment.name:
            # a node may follow itself, although the graph has no such edge
            return [LiveSegment(goal, Edge(goal, goal, EdgeKind.NAIVE), MANY_CYCLES)]
        path = path or self._path(now, segment.name, (goal,))
        return [self._segment(each, goal) for each in path]

    def _segment(self, transition: PlannedTransition, goal: str) -> LiveSegment:
        edge = transition.edge
        goes_on = edge.target == goal and edge.kind is EdgeKind.NAIVE
        return LiveSegment(edge.target, edge, MANY_CYCLES if goes_on else transition.cycles)

    def _is_moving(self, name: str) -> bool:
        return name in self.nodes.speeds and pace(self._graph.node(name)) > 0.0

    def _has_obstacle(self, now: Situation, goal: str) -> bool:
        return self._planner is not None and now.preview.ahead is not None and self._is_moving(goal)

    # --- paths ---

    def _path(self, now: Situation, node: str, goals: tuple[str, ...]) -> tuple[PlannedTransition, ...]:
        """Return a path to one of several nodes: one that was tried, otherwise the most reliable one."""
        found: tuple[PlannedTransition, ...] = ()
        if self._planner is not None:
            snapshot = now.snapshot()
            key = node, snapshot.digest, goals
            if key not in self._planned:
                self._planned[key] = self._planner.path_to(node, snapshot, goals)
            found = self._planned[key]
        return found or self._most_reliable(now, node, goals[0])

    def _most_reliable(self, now: Situation, node: str, goal: str) -> tuple[PlannedTransition, ...]:
        try:
            plan = plan_path(self._graph, node, goal, self._evidence, now.preview)
        except CtrlGraphError:  # no path to the goal
            return ()
        edges = (step.edge for step in plan.steps)
        return tuple(PlannedTransition(edge, self._graph.node(edge.target).cycles[0]) for edge in edges)

    def _over_obstacle(self, now: Situation, node: str) -> tuple[PlannedTransition, ...]:
        """Return a path over the next obstacles. Empty: none was found, and the character stops."""
        assert self._planner is not None
        snapshot = now.snapshot()
        key = node, snapshot.digest, ()
        if key not in self._planned:
            prospect = self._planner.plan(node, snapshot, enough=0)  # the player waits
            self._planned[key] = prospect.path if is_progress(prospect, now.x, self._planner) else ()
        if not self._planned[key]:
            self._blocked.append((now.x, now.time))
        return self._planned[key]

    # --- falls ---

    def _has_fallen(self, segment: LiveSegment, outcome: Outcome) -> bool:
        fell = any(each.when in FALLS for each in self._graph.corrections(segment.name, outcome))
        return not outcome.succeeded and fell

    def _is_recovering(self, now: Situation) -> bool:
        """Return whether the character has fallen, and no static pose has succeeded since."""
        for segment, outcome, _ in reversed(now.runs):
            if outcome is None:
                continue
            if outcome.succeeded and self._graph.node(segment.name).is_static:
                return False
            if self._has_fallen(segment, outcome):
                return True
        return False

    def _corrections(self, now: Situation, segment: LiveSegment, outcome: Outcome) -> list[LiveSegment]:
        failures = 0
        for run, ended, _ in reversed(now.runs):
            if ended is not None and ended.succeeded and self._graph.node(run.name).is_static:
                break
            failures += ended is not None and not ended.succeeded
        edge = next(iter(next_corrections(self._graph, segment.name, outcome, now.preview)), None)
        if edge is None or failures > MAX_FAILURES:
            return []
        return [LiveSegment(edge.target, edge, self._graph.node(edge.target).cycles[0])]


class PlayedQueue:
    """The segments of a played motion that have not begun: those that the walk has planned.

    Args:
        walk: Walk that plans the segments.
    """

    def __init__(self, walk: PlayedWalk) -> None:
        self.walk = walk
        self.waiting: deque[LiveSegment] = deque()

    def next(self, now: Situation) -> LiveSegment | None:
        """Return the segment that follows the one that has ended. None: the motion ends.

        Planned segments are discarded after a failure.
        """
        outcome = now.runs[-1][1]
        if outcome is None or not outcome.succeeded:
            self.waiting.clear()
        if self.waiting:
            self.walk.keep(now, self.waiting)
        else:
            self.waiting.extend(self.walk.next(now))
        return self.waiting.popleft() if self.waiting else None


def nodes_to_play(graph: ControllerGraph) -> PlayNodes:
    """Return the nodes that keys choose: those in the graph file or, without them, all gaits by their speed."""
    if graph.play != PlayNodes():
        return graph.play
    reached = graph.shortest_paths(graph.start)
    gaits = [node for node in graph if node.name in reached and node.cycles[1] > 1 and pace(node) > 0.0]
    return PlayNodes((graph.start, *(node.name for node in sorted(gaits, key=pace))))


def pace(node: Node) -> float:
    """Return the speed of a node according to its success conditions, m/s; 0 for a pose and without a condition."""
    ranges = [node.success[name] for name in ("com_speed", "speed", "forward_speed") if name in node.success]
    low, high = ranges[0] if ranges else (0.0, 0.0)
    return 0.0 if node.is_static or not -100.0 < low <= high < 100.0 else (low + high) / 2
