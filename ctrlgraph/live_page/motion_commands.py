"""Handlers of messages from pages that change the motion: nodes to run, values of constants, slope, friction, engine.

The method `on_TYPE` handles the messages of `live_page.protocol` whose field `type` is TYPE. The argument `page` is the
number of the page that has sent the message; None if the message is not from a page.
"""

from __future__ import annotations

from ctrlgraph.character.model import Character
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.engine.engine import ENGINES, known_engine
from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.engine.spatial_pushes import SpatialPush
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page import protocol
from ctrlgraph.live_page.graph_panel import edge_evidence
from ctrlgraph.live_page.history import ChosenSettings
from ctrlgraph.live_page.motion.segments import LiveGoalWalk, LiveWalk, Queue, RandomWalk, Target, path_to
from ctrlgraph.live_page.motion.world import WorldChange, check_slope_can_change
from ctrlgraph.live_page.workspace import Workspace

LOOKAHEAD_S = 8.0
"""Time by which a walk is simulated ahead of the position that the pages show, s."""


class MotionCommands:
    """Handlers of messages about which nodes or script the motion runs, and which time of the motion a page shows."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._playheads: dict[int | None, float] = {}

    @property
    def is_due(self) -> bool:
        """Return whether the current motion must be simulated further."""
        stage = self._workspace.stage
        if stage.live is None or stage.live.ended is not None:
            return False
        return not stage.is_walking or stage.live.time < max(self._playheads.values(), default=0.0) + LOOKAHEAD_S

    def on_plan(self, page: int | None, message: protocol.Plan) -> None:
        """Restart the motion with nodes in order, or with a script. A single node runs at the end of a path to it."""
        workspace = self._workspace
        before = workspace.target
        for name in message.nodes:
            workspace.project.graph.node(name)
        names = message.nodes
        if len(names) == 1 and message.script is None:
            names = path_to(workspace.project.graph, names[0], workspace.preview())
        workspace.target = Target(tuple(names), message.script, message.cycles)
        try:
            workspace.segments()
        except CtrlGraphError:
            workspace.target = before
            raise
        if not names and message.script is None:
            workspace.target = Target((workspace.project.graph.start,))
        workspace.begin()
        workspace.dirty = True

    def on_walk(self, page: int | None, message: protocol.Walk) -> None:
        """Continue with a walk to a node or a random walk, after the node that runs at the time in the message."""
        project = self._workspace.project
        walk: LiveWalk
        if message.goal is None:
            walk = RandomWalk(project.graph, message.seed)
        else:
            walk = LiveGoalWalk(project.graph, message.goal, edge_evidence(project))
        self._playheads[page] = message.time
        self._set_queue(Queue([], walk), message.time)

    def on_stay(self, page: int | None, message: protocol.Stay) -> None:
        """End the motion after the node that runs at the time in the message."""
        self._set_queue(Queue([]), message.time)

    def _set_queue(self, queue: Queue, time: float) -> None:
        self._workspace.stage.set_queue(queue, time)
        self._workspace.broadcast_state()

    def on_playhead(self, page: int | None, message: protocol.Playhead) -> None:
        """Store the time of the motion that a page shows, so that a walk is simulated not too far ahead of it."""
        self._playheads[page] = message.time

    def on_left(self, page: int | None) -> None:
        """Forget the time of the motion that a page shows, since the page has disconnected."""
        self._playheads.pop(page, None)


class SettingCommands:
    """Handlers of messages that change values of constants, push the character, or change slope, friction or engine."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def on_set(self, page: int | None, message: protocol.SetValues) -> None:
        """Set values of constants, or restore the values in the scripts."""
        workspace = self._workspace
        changed = dict(workspace.settings.values) | message.values
        values = {name: value for name, value in changed.items() if value is not None}
        if len(values) > protocol.MAX_VALUES:
            raise CtrlGraphError(
                f"at most {protocol.MAX_VALUES} sliders can differ from the scripts: reset some sliders"
            )
        workspace.change_settings(
            "constants", ChosenSettings(tuple(sorted(values.items())), workspace.settings.events), final=message.final
        )

    def on_push(self, page: int | None, message: protocol.PushLink) -> None:
        """Push a link of the character at a time of the motion."""
        self._workspace.add_event(pushed(self._workspace.project.character, message))

    def on_world(self, page: int | None, message: protocol.ChangeWorld) -> None:
        """Change slope, friction or engine from a time of the motion on."""
        if message.slope is not None:
            check_slope_can_change(self._workspace.terrain)
        engine = None if message.engine is None else known_engine(message.engine)
        if engine is not None:
            ENGINES[engine].load()
        self._workspace.add_event(WorldChange(message.time, message.slope, message.friction, engine))

    def on_calm(self, page: int | None, message: protocol.ClearEvents) -> None:
        """Remove all pushes, all changes of slope, friction and engine, and all desired velocities."""
        self._workspace.change_settings("calm", ChosenSettings(self._workspace.settings.values))


def pushed(character: Character, message: protocol.PushLink) -> Push | SpatialPush:
    """Return the push of a message, for a character in the plane or in space."""
    if isinstance(character, SpatialCharacter):
        force = message.x, message.y, message.z
        return SpatialPush(message.time, message.duration, message.link, force, message.point)
    return Push(message.time, message.duration, message.link, message.x, message.y)
