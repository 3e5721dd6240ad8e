"""What pages do with the motion: another one, a walk from here, an end here."""

from __future__ import annotations

from typing import Any

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.web import protocol
from ctrlgraph.web.graph_panel import evidence
from ctrlgraph.web.segments import EndsHere, Queue, RandomWalk, WayToGoal, way_there
from ctrlgraph.web.target import Target
from ctrlgraph.web.workspace import Workspace

AHEAD_S = 8.0
"""So far before the pages a walk is simulated, s."""


class MotionCommands:
    """Does what is said of the motion, and knows where the pages are in it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._playheads: dict[int | None, float] = {}

    @property
    def is_due(self) -> bool:
        """Tell whether the present motion is to be simulated further."""
        stage = self._workspace.stage
        if stage.live is None or stage.live.ended is not None:
            return False
        return not stage.is_walking or stage.live.time < max(self._playheads.values(), default=0.0) + AHEAD_S

    def on_plan(self, page: int | None, message: protocol.Plan) -> None:
        """Run nodes one after another, or a script."""
        at = self._workspace
        before = at.target
        for name in message.nodes:
            at.project.graph.node(name)
        names = message.nodes
        if len(names) == 1 and message.script is None:
            names = way_there(at.project.graph, names[0], at.preview())
        at.target = Target(tuple(names), message.script, message.cycles)
        try:
            at.segments()
        except CtrlGraphError:
            at.target = before
            raise
        if not names and message.script is None:
            at.target = Target((at.project.graph.start,))
        at.begin()
        at.dirty = True

    def on_walk(self, page: int | None, message: protocol.Walk) -> None:
        """Go to a node from where the motion is, or on at random."""
        project = self._workspace.project
        way: Any
        if message.goal is None:
            way = RandomWalk(project.graph, message.seed)
        else:
            way = WayToGoal(project.graph, message.goal, evidence(project))
        self._playheads[page] = message.time
        self._follow(Queue([], way), message.time)

    def on_stay(self, page: int | None, message: protocol.Stay) -> None:
        """End with the node that runs at a time."""
        self._follow(Queue([], EndsHere()), message.time)

    def _follow(self, following: Queue, moment: float) -> None:
        self._workspace.stage.follow(following, moment)
        self._workspace.tell_state()

    def on_playhead(self, page: int | None, message: protocol.Playhead) -> None:
        """Take note of where a page is."""
        self._playheads[page] = message.time

    def on_left(self, page: int | None) -> None:
        """Forget where a page was that has gone."""
        self._playheads.pop(page, None)
