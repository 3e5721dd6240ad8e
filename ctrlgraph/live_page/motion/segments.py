"""Segments of a live motion (one node or script each), and walks of the graph, which choose the next segment."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.graph.conditions import FALLS
from ctrlgraph.graph.goal_planner import EdgeEvidence, plan_path
from ctrlgraph.graph.model import ControllerGraph, Edge
from ctrlgraph.graph.random_planner import draw_transition
from ctrlgraph.paths import display_path
from ctrlgraph.project.controller_names import unknown_controller
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.terrain.terrain import TerrainPreview
from ctrlgraph.walks.walker import next_corrections

if TYPE_CHECKING:
    from ctrlgraph.live_page.scripts import Scripts
    from ctrlgraph.project.project import Project

MAX_FAILURES = 10
"""Number of consecutive failures after which a live walk stops."""


@dataclass(frozen=True, slots=True)
class LiveSegment:
    """Part of a live motion that runs one node, or one script that is not a node."""

    name: str
    """Name of the node, or file name of the script without the ending."""
    edge: Edge | None = None
    """Edge by which the node is entered. None: the node or script runs without an edge."""
    cycles: int = 1
    """Number of cycles of the node or script."""
    script: Path | None = None
    """Path of the script. None: the segment runs a node."""
    until: float | None = None
    """Time of the motion at which the segment ends, s. None: it ends after its cycles."""


class LiveWalk:
    """Walk of the graph on the live page: chooses the next segment. After failures, it takes corrective edges.

    Subclasses choose the planned edges, which are taken without a failure.
    """

    def __init__(self, graph: ControllerGraph) -> None:
        self._graph = graph
        self._failures = 0
        self._recovering = False

    def next(self, segment: LiveSegment, outcome: Outcome, preview: TerrainPreview) -> LiveSegment | None:
        """Choose the next segment of the walk.

        Args:
            segment: Segment that has ended.
            outcome: Outcome of this segment.
            preview: Slope of the ground, and the obstacle ahead.

        Returns:
            The next segment. None: the walk has reached its goal, or cannot recover from a failure.
        """
        graph = self._graph
        if outcome.status is Status.DIVERGED or segment.name not in graph:
            return None
        if outcome.succeeded and (not self._recovering or graph.node(segment.name).is_static):
            self._recovering, self._failures = False, 0
            return self._next_transition(segment.name, preview)
        if not outcome.succeeded:
            self._failures += 1
            self._record_failure(segment)
        self._recovering = True
        edge = next(iter(next_corrections(graph, segment.name, outcome, preview)), None)
        if edge is None or self._failures > MAX_FAILURES:
            return None
        return LiveSegment(edge.target, edge, graph.node(edge.target).cycles[0])

    def _record_failure(self, segment: LiveSegment) -> None:
        """Record that a segment has failed. Subclasses that use failures override this method."""

    def _next_transition(self, source: str, preview: TerrainPreview) -> LiveSegment | None:
        raise NotImplementedError


class RandomWalk(LiveWalk):
    """Random walk of the graph. The probabilities of edges follow from their weights, and the choices from a seed."""

    def __init__(self, graph: ControllerGraph, seed: int) -> None:
        super().__init__(graph)
        self._rng = np.random.default_rng(seed)

    def _next_transition(self, source: str, preview: TerrainPreview) -> LiveSegment | None:
        try:
            drawn = draw_transition(self._graph, source, self._rng, preview)
        except CtrlGraphError:  # no edge leads to a next node
            return None
        return LiveSegment(drawn.edge.target, drawn.edge, drawn.cycles)


class LiveGoalWalk(LiveWalk):
    """Walk of the graph to a node by the most reliable path, which is planned again after each segment.

    Args:
        graph: Graph with the nodes.
        goal: Name of the node at which the walk ends.
        evidence: Numbers of logged attempts and successes, by edge. Edges without attempts may be missing.

    Raises:
        CtrlGraphError: If `goal` is not a node.
    """

    def __init__(self, graph: ControllerGraph, goal: str, evidence: Mapping[Edge, EdgeEvidence]) -> None:
        super().__init__(graph)
        graph.node(goal)
        self.goal = goal
        self._evidence = dict(evidence)

    def _record_failure(self, segment: LiveSegment) -> None:
        if segment.edge is not None:
            known = self._evidence.get(segment.edge, EdgeEvidence())
            self._evidence[segment.edge] = replace(known, failed_now=known.failed_now + 1)

    def _next_transition(self, source: str, preview: TerrainPreview) -> LiveSegment | None:
        if source == self.goal:
            return None
        try:
            plan = plan_path(self._graph, source, self.goal, self._evidence, preview)
        except CtrlGraphError:  # no path to the goal
            return None
        edge = plan.steps[0].edge
        return LiveSegment(edge.target, edge, self._graph.node(edge.target).cycles[0])


class SteeredWalk(LiveGoalWalk):
    """Walk to a node, which then runs again and again, whether its success conditions hold or not."""

    def next(self, segment: LiveSegment, outcome: Outcome, preview: TerrainPreview) -> LiveSegment | None:
        """Choose the next segment of the walk (see `LiveWalk.next`). After a fall, it takes corrective edges."""
        graph = self._graph
        if outcome.status is Status.DIVERGED or segment.name not in graph or self._recovering:
            return super().next(segment, outcome, preview)
        if not outcome.succeeded and any(each.when in FALLS for each in graph.corrections(segment.name, outcome)):
            return super().next(segment, outcome, preview)
        return self._next_transition(segment.name, preview)

    def _next_transition(self, source: str, preview: TerrainPreview) -> LiveSegment | None:
        if source == self.goal:
            return LiveSegment(source, None, self._graph.node(source).cycles[1])
        return super()._next_transition(source, preview)


def segments_of(
    graph: ControllerGraph, names: Iterable[str], preview: TerrainPreview, cycles: Mapping[int, int] | None = None
) -> list[LiveSegment]:
    """Return segments that run nodes one after another.

    Each node after the first is entered by the planned edge from the node before it, if the graph has such an edge.

    Args:
        graph: Graph with the nodes.
        names: Names of the nodes, in order.
        preview: Ground at the beginning of the motion. Edges for other ground are not used.
        cycles: Number of cycles of a node, by index of the node in `names`. All other nodes have their minimum number.

    Raises:
        CtrlGraphError: If a name is not a node.
    """
    found: list[LiveSegment] = []
    for i, name in enumerate(names):
        n_cycles = (cycles or {}).get(i, graph.node(name).cycles[0])
        edge = graph.planned_edge(found[-1].name, name, preview) if found else None
        found.append(LiveSegment(name, edge, n_cycles))
    return found


def path_to(graph: ControllerGraph, name: str, preview: TerrainPreview) -> list[str]:
    """Return the names of the nodes on the shortest path from the start node to a node, including both nodes.

    Args:
        graph: Graph with the nodes.
        name: Name of the last node.
        preview: Ground at the beginning of the motion. Edges for other ground are not used.

    Returns:
        Names of the nodes in order. If no path leads to the node, only `name`.

    Raises:
        CtrlGraphError: If `name` is not a node.
    """
    graph.node(name)
    return graph.shortest_paths(graph.start, preview).get(name, [name])


class Queue:
    """The segments of a live motion that have not begun: a list of segments, and then segments that a walk chooses.

    Without a walk, the motion ends after the last segment of the list, or at a failure.

    Args:
        segments: Segments to run next, in order.
        walk: Walk that chooses the segments after these. None: no walk.
    """

    def __init__(self, segments: Iterable[LiveSegment], walk: LiveWalk | None = None) -> None:
        self.waiting = deque(segments)
        self.walk = walk

    def next(self, segment: LiveSegment, outcome: Outcome, preview: Callable[[], TerrainPreview]) -> LiveSegment | None:
        """Return the segment that follows: the first of the queue or, if the queue is empty, one that the walk chooses.

        Args:
            segment: Segment that has ended.
            outcome: Outcome of this segment. After a failure, the queue is not used.
            preview: Function that returns the slope of the ground and the obstacle ahead, for the choice of the walk.

        Returns:
            The next segment. None: the motion ends.
        """
        if not outcome.succeeded or (outcome.fell and not outcome.judged):
            if self.walk is None:
                return None  # the waiting segments stay in the queue: they can run after an edit that fixes the failure
            self.waiting.clear()  # the waiting segments cannot start in the state after a failure
        elif self.waiting:
            return self.waiting.popleft()
        return None if self.walk is None else self.walk.next(segment, outcome, preview())


@dataclass(frozen=True)
class Target:
    """Nodes that a live motion runs in order, optionally followed by a script."""

    names: tuple[str, ...] = ()
    """Names of the nodes, in order."""
    script: str | None = None
    """Name of the script. None: no script."""
    cycles: int | None = None
    """Number of cycles of the script or, without a script, of the last node. None: 1 for a script, the minimum number
    for a node."""

    def segments(self, project: Project, scripts: Scripts, preview: TerrainPreview) -> list[LiveSegment]:
        """Return the nodes and the script as segments of a motion.

        Args:
            project: Project with the graph.
            scripts: Scripts of the project.
            preview: Ground at the beginning of the motion. Edges for other ground are not used.

        Raises:
            CtrlGraphError: If a node or the script is not in the project.
        """
        last = len(self.names) - 1
        cycles = {} if self.cycles is None or self.script is not None else {last: self.cycles}
        found = segments_of(project.graph, self.names, preview, cycles)
        if self.script is not None:
            path = scripts.get(self.script).path
            found.append(LiveSegment(path.stem, None, self.cycles or 1, path))
        return found

    def own_script(self, project: Project, scripts: Scripts) -> str | None:
        """Return the name of the script of the last node, or of the script itself. None: the last node runs no script.

        Args:
            project: Project with the graph.
            scripts: Scripts of the project.
        """
        if self.script is not None:
            return self.script
        file = printable(project.graph.node(self.names[-1]).file)
        return file if file in scripts.names() else None


def parse_target(project: Project, scripts: Scripts, names: Sequence[str], preview: TerrainPreview) -> Target:
    """Return the nodes and the script that a live motion runs, from the names on the command line.

    A single node, or the node of a script, runs after the shortest path from the start node.

    Args:
        project: Project with the graph.
        scripts: Scripts of the project.
        names: Names of nodes in order, or the path of a script. Empty: the start node.
        preview: Ground at the beginning of the motion. Edges for other ground are not used.

    Raises:
        CtrlGraphError: If a name is neither a node nor a script of the project.
    """
    graph = project.graph
    if not names:
        return Target((graph.start,))
    if len(names) == 1 and names[0] not in graph:
        script = scripts.name_of(Path(names[0]))
        if script is None and Path(names[0]).exists():
            shown = display_path(names[0])
            raise CtrlGraphError(f"{shown} is not a script of this project: the file is outside the script directories")
        if script is None:
            raise unknown_controller(project, names[0])
        node = next((node.name for node in graph if printable(node.file) == script and not node.mirrored), None)
        return Target((), script) if node is None else Target(tuple(path_to(graph, node, preview)))
    for name in names:
        graph.node(name)
    return Target(tuple(path_to(graph, names[0], preview) if len(names) == 1 else names))
