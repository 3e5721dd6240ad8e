"""Handlers of messages from pages while a player steers the motion, and the log of the played motions.

The method `on_TYPE` handles the messages of `live_page.protocol` whose field `type` is TYPE. The argument `page` is the
number of the page that has sent the message. There are no handlers of messages that change scripts, constants or the
world: a logged motion could not be replayed after them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.controller import Command
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page import protocol
from ctrlgraph.live_page.graph_panel import edge_evidence
from ctrlgraph.live_page.history import ChosenSettings
from ctrlgraph.live_page.motion.played_walk import PlayedWalk
from ctrlgraph.live_page.motion.world import Choice, Event, Steering
from ctrlgraph.live_page.motion_commands import pushed
from ctrlgraph.live_page.played_log import log_played
from ctrlgraph.live_page.workspace import Workspace
from ctrlgraph.walks.lookahead import LookAhead

if TYPE_CHECKING:
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.walks.logged_walk import WalkSummary

AHEAD_S, AHEAD_OF_OBSTACLES_S = 2.0, 8.0
"""Time by which a motion is simulated ahead of the position that pages show, on ground without and with obstacles, s.

A search for a way over an obstacle takes several seconds.
"""
MAX_PLAYED_EVENTS = 1000
"""Maximum number of choices, desired velocities and pushes in a motion."""
GATE_WIDTH_M, GATE_DISTANCE_M, GATE_TURN_RAD = 1.6, (4.0, 6.0), 0.7
"""Width of gates, range of the distance from one to the next, and largest change of direction."""
MIN_LOGGED_S = 0.5
"""Minimum duration of a played motion that is logged, s."""


@dataclass(frozen=True)
class Play:
    """How a motion is played."""

    world: Environment
    """Environment of the motion."""
    command: str = ""
    """Command line, for the log."""
    gates: int = 0
    """Number of gates that the page shows, for a character in space. Nothing collides with them."""
    seed: int = 0
    """Seed of the places of the gates."""


class PlayCommands:
    """Handlers of messages that steer a motion.

    Args:
        workspace: Shared data of the session.
        play: Environment of the motion.

    Attributes:
        logged: Summaries of the motions that were logged.
    """

    def __init__(self, workspace: Workspace, play: Play) -> None:
        self.logged: list[WalkSummary] = []
        self._workspace, self._play = workspace, play
        self._playheads: dict[int | None, float] = {}
        self._until = 0.0  # the motion was shown up to this time, s
        project = workspace.project
        # a copy of the simulation of a character in space takes too long for a player
        tries = not isinstance(project.character, SpatialCharacter)
        self._ahead_s = AHEAD_OF_OBSTACLES_S if tries and play.world.planar_ground().obstacles else AHEAD_S
        planner = LookAhead(project, play.world, 0) if tries else None
        workspace.played = PlayedWalk(project.graph, edge_evidence(project), planner)

    def nodes(self) -> dict[str, Any]:
        """Return the nodes that keys choose, for the page."""
        walk = self._workspace.played
        assert walk is not None
        lists: dict[str, Any] = {"speeds": [], "jump": [], "down": []}
        gates = gate_places(self._play.gates, self._play.seed)
        return {"start": self._workspace.project.graph.start, **lists, **walk.nodes.as_dict(), "gates": gates}

    @property
    def is_due(self) -> bool:
        """Return whether the motion must be simulated further."""
        live = self._workspace.stage.live
        if live is None or live.ended is not None:
            return False
        return live.time < max(self._playheads.values(), default=0.0) + self._ahead_s

    def on_playhead(self, page: int | None, message: protocol.Playhead) -> None:
        """Store the time of the motion that a page shows, so that the motion is simulated not too far ahead of it."""
        self._playheads[page] = message.time
        self._until = max(self._until, message.time)

    def on_left(self, page: int | None) -> None:
        """Do nothing: the motion waits for a page that has disconnected."""

    def on_drive(self, page: int | None, message: protocol.Drive) -> None:
        """Let the motion go to a node, which then goes on, or to a jump."""
        self._workspace.project.graph.node(message.node)
        self._add(Choice(message.time, message.node))

    def on_steer(self, page: int | None, message: protocol.Steer) -> None:
        """Set the desired velocity of the gait that runs at the time in the message."""
        live = self._workspace.stage.live
        if live is None or live.gait_at(message.time) is None:
            raise CtrlGraphError("no gait runs at this time: choose a gait first")
        self._add(Steering(message.time, Command(message.forward, message.sideways, message.turn)))

    def on_push(self, page: int | None, message: protocol.PushLink) -> None:
        """Push a link of the character at a time of the motion."""
        self._add(pushed(self._workspace.project.character, message))

    def on_plan(self, page: int | None, message: protocol.Plan) -> None:
        """Log the motion, and begin a new one."""
        self.log()
        self._playheads.clear()
        self._until = 0.0
        self._workspace.settings = ChosenSettings()
        self._workspace.begin()

    def _add(self, event: Event) -> None:
        settings = self._workspace.settings
        if len(settings.events) >= MAX_PLAYED_EVENTS:
            raise CtrlGraphError(f"a motion can have at most {MAX_PLAYED_EVENTS} commands: begin a new one")
        # the clock of a page can step back: its last command also replaces those with later times
        kept = [each for each in settings.events if not _replaces(event, each)]
        self._workspace.apply(ChosenSettings(settings.values, (*kept, event)))
        self._workspace.dirty = False

    def log(self) -> None:
        """Log the motion as far as a page has shown it.

        Raises:
            RunLogError: The log cannot be written.
        """
        stage = self._workspace.stage
        live = stage.live
        if live is None or self._until < MIN_LOGGED_S:
            return
        until = min(self._until, live.time)
        summary = log_played(self._workspace.project, self._play.world, live, until, self._play.command)
        if summary is not None:
            self.logged.append(summary)
            self._workspace.broadcast({"type": "logged", "run": summary.run, "seconds": until})

    def close(self) -> None:
        """Log the motion, and free the simulation of the planner."""
        try:
            self.log()
        finally:
            if self._workspace.played is not None:
                self._workspace.played.close()


def _replaces(event: Event, other: Event) -> bool:
    """Return whether a new command replaces an earlier one of the same kind, because it has an earlier time."""
    if isinstance(event, Steering):
        return isinstance(other, Steering) and other.time > event.time
    return isinstance(event, Choice) and isinstance(other, Choice) and other.time > event.time


def gate_places(count: int, seed: int) -> list[tuple[float, float, float, float]]:
    """Return gates along a winding path from the origin: x and y of the middle, m, direction, rad, and width, m.

    Args:
        count: Number of gates.
        seed: Seed of the path.
    """
    rng = np.random.default_rng(seed)
    x = y = angle = 0.0
    found = []
    for _ in range(count):
        angle += float(rng.uniform(-GATE_TURN_RAD, GATE_TURN_RAD))
        distance = float(rng.uniform(*GATE_DISTANCE_M))
        x, y = x + distance * math.cos(angle), y + distance * math.sin(angle)
        found.append((x, y, angle, GATE_WIDTH_M))
    return found
