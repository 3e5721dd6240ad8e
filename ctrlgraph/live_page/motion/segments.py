"""Segments of a live motion (one node or script each), and the walks that choose the next segment."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.errors import CtrlGraphError, printable
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
    """Part of a live motion: one node, or a script without a node."""

    name: str
    """Name of the node, or file name of the script without the ending."""
    edge: Edge | None = None
    """Edge by which the node is entered; None if there is none."""
    cycles: int = 1
    """Number of cycles."""
    script: Path | None = None
    """Path of the script; None for a node."""


class LiveWalk:
    """Walk of the graph that takes corrective edges after failures. Subclasses choose the planned edges."""

    def __init__(self, graph: ControllerGraph) -> None:
        self._graph = graph
        self._failures = 0
        self._recovering = False

    def next(self, segment: LiveSegment, outcome: Outcome, preview: TerrainPreview) -> LiveSegment | None:
        """Return the next segment.

        Args:
            segment: Segment that has ended.
            outcome: Outcome of this segment.
            preview: Ground under and ahead of the character.

        Returns:
            The next segment; None if the walk has reached its goal or cannot recover from a failure.
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
        """Take note of a failed segment. Subclasses can override this."""

    def _next_transition(self, source: str, preview: TerrainPreview) -> LiveSegment | None:
        raise NotImplementedError


class RandomWalk(LiveWalk):
    """Random walk that chooses edges by their weights and a seed."""

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
    """Walk to a node by the most reliable path, which is planned again after each segment.

    Args:
        graph: Graph to walk.
        goal: Name of the goal node.
        evidence: Logged attempts of each edge.

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


def segments_of(
    graph: ControllerGraph, names: Iterable[str], preview: TerrainPreview, cycles: Mapping[int, int] | None = None
) -> list[LiveSegment]:
    """Return nodes in order as segments, each with the planned edge from the node before it, if there is one.

    Args:
        graph: Graph with the nodes.
        names: Names of the nodes.
        preview: Terrain preview, which selects edges.
        cycles: Numbers of cycles by index in `names`. Other nodes have their minimum.

    Raises:
        CtrlGraphError: If a name is not a node.
    """
    listed = list(names)
    found = [
        LiveSegment(name, None, (cycles or {}).get(i, graph.node(name).cycles[0])) for i, name in enumerate(listed)
    ]
    for i, (source, target) in enumerate(pairwise(listed), start=1):
        found[i] = LiveSegment(target, graph.planned_edge(source, target, preview), found[i].cycles)
    return found


def path_to(graph: ControllerGraph, name: str, preview: TerrainPreview) -> list[str]:
    """Return the names of the nodes on the shortest path from the start node to a node, including both.

    Args:
        graph: Graph with the nodes.
        name: Name of the last node.
        preview: Terrain preview, which selects edges.

    Returns:
        The path; only `name` if no path leads to this node.

    Raises:
        CtrlGraphError: If `name` is not a node.
    """
    graph.node(name)
    return graph.shortest_paths(graph.start, preview).get(name, [name])


class Queue:
    """The segments that follow: first given ones (`waiting`), then those that a walk chooses.

    Without a walk, the motion ends after the last given segment or at a failure.
    """

    def __init__(self, segments: Iterable[LiveSegment], walk: LiveWalk | None = None) -> None:
        self.waiting = deque(segments)
        self.walk = walk

    def next(self, segment: LiveSegment, outcome: Outcome, preview: Callable[[], TerrainPreview]) -> LiveSegment | None:
        """Return the next segment and remove it from the queue.

        Args:
            segment: Segment that has ended.
            outcome: Outcome of this segment.
            preview: Function that returns the ground under and ahead of the character.

        Returns:
            The next segment; None to end the motion.
        """
        if not outcome.succeeded or (outcome.fell and not outcome.judged):
            if self.walk is None:
                return None  # keep the waiting segments: an edit can fix the failure
            self.waiting.clear()  # they cannot start from here
        elif self.waiting:
            return self.waiting.popleft()
        return None if self.walk is None else self.walk.next(segment, outcome, preview())


@dataclass(frozen=True)
class Target:
    """What a live motion runs: nodes in order, then a script if there is one."""

    names: tuple[str, ...] = ()
    """Names of the nodes."""
    script: str | None = None
    """Name of the script."""
    cycles: int | None = None
    """Number of cycles of the last segment; None for the minimum of the node, or 1 for a script."""

    def segments(self, project: Project, scripts: Scripts, preview: TerrainPreview) -> list[LiveSegment]:
        """Return the segments of the motion.

        Args:
            project: Project with the graph.
            scripts: Scripts of the project.
            preview: Terrain preview, which selects edges.

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
        """Return the name of the script of the last segment; None if this segment runs another kind of controller.

        Args:
            project: Project with the graph.
            scripts: Scripts of the project.
        """
        if self.script is not None:
            return self.script
        file = printable(project.graph.node(self.names[-1]).file)
        return file if file in scripts.names() else None


def parse_target(project: Project, scripts: Scripts, names: Sequence[str], preview: TerrainPreview) -> Target:
    """Return the target that the command line names; the start node if it names none.

    A single node, or the script of a node, gets the shortest path from the start node.

    Args:
        project: Project with the graph.
        scripts: Scripts of the project.
        names: Names of nodes in order, or the path of a script.
        preview: Terrain preview, which selects edges.

    Raises:
        CtrlGraphError: If a name is neither a node nor a script of the project.
    """
    graph = project.graph
    if not names:
        return Target((graph.start,))
    if len(names) == 1 and names[0] not in graph:
        script = scripts.name_of(Path(names[0]))
        if script is None and Path(names[0]).exists():
            raise CtrlGraphError(
                f"{display_path(names[0])} is not a script of this project: it is outside its directories"
            )
        if script is None:
            raise unknown_controller(project, names[0])
        node = next((node.name for node in graph if printable(node.file) == script and not node.mirrored), None)
        return Target((), script) if node is None else Target(tuple(path_to(graph, node, preview)))
    for name in names:
        graph.node(name)
    return Target(tuple(path_to(graph, names[0], preview) if len(names) == 1 else names))
