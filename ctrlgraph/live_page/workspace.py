"""The workspace of a session: the data that all handlers of messages share, and messages to pages about the data."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ctrlgraph.engine.engine import ENGINES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page.clients import Item
from ctrlgraph.live_page.history import ChosenSettings, History, UndoStep
from ctrlgraph.live_page.motion.played_walk import PlayedWalk
from ctrlgraph.live_page.motion.programs import Programs
from ctrlgraph.live_page.motion.segments import LiveSegment, Target, parse_target
from ctrlgraph.live_page.motion.stage import Stage
from ctrlgraph.live_page.motion.world import (
    MAX_EVENTS,
    Event,
    LiveWorld,
    Steering,
    WorldChange,
    event_data,
    first_ground,
)
from ctrlgraph.live_page.saved_state import SavedDraft, SavedState, restored_events
from ctrlgraph.live_page.script_panel import ScriptPanel
from ctrlgraph.live_page.scripts import Scripts

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.terrain import TerrainPreview

MAX_SENT_EVENTS = 200
"""Maximum number of events that are sent to pages, the last ones."""

SendItems = Callable[[Sequence[Item], int | None, bool], None]
"""Function that sends items to pages.

Its arguments are the items; the number of the page, or None for all pages that have joined; and a flag. If the flag is
True, the page joins, that is, it receives later items for all pages. If the flag is True and the page is None, the
items also go to pages that have not joined yet."""


class Workspace:
    """Shared data of a session: scripts, motion, settings and undo history. Only the thread of the session uses them.

    Args:
        project: Project whose scripts are edited.
        names: Names of nodes in order, or the path of a script. Empty: the start node.
        send: Function that sends items to pages.
        terrain: Terrain at the beginning of motions, as text such as "slope=4".
        friction: Friction coefficient of this terrain.

    Attributes:
        scripts: Scripts with the texts that pages have changed.
        programs: Controllers that are compiled from the scripts.
        settings: Values of constants, pushes, and changes of slope, friction or engine that the user has chosen.
        history: Undo history.
        target: Nodes and script that the motion runs.
        stage: The current motion, and the motion before the last change.
        played: Walk of the motion that a player steers. None: the motion is edited.
        dirty: True if the session has changed since its state was last saved.

    Raises:
        CtrlGraphError: If a name in `names` is neither a node nor a script of the project, or the project's engine is
            not installed.
    """

    def __init__(self, project: Project, names: Sequence[str], send: SendItems, terrain: str, friction: float) -> None:
        self.project, self.send = project, send
        self.scripts, self.programs = Scripts(project), Programs(project)
        self.panel = ScriptPanel(project, self.scripts, self.programs)
        self.terrain, self.engine = first_ground(project.character, terrain, friction), project.engine
        ENGINES[self.engine].load()  # report a missing engine before the page is served
        self.settings, self.history = ChosenSettings(), History()
        self.stage = Stage(project, self.programs, lambda items: send(items, None, False))
        self.target = parse_target(project, self.scripts, names, self.preview())
        self.played: PlayedWalk | None = None
        self.dirty = False

    # --- the motion ---

    def preview(self) -> TerrainPreview:
        """Return the slope of the ground at the start pose, and the obstacle ahead."""
        return self.terrain.preview(0.0)

    def world(self) -> LiveWorld:
        """Return the terrain and the engine with which motions begin."""
        return LiveWorld(self.terrain, self.engine)

    def segments(self) -> list[LiveSegment]:
        """Return the segments (one node or script each) that the motion is to run.

        Raises:
            CtrlGraphError: If a node or the script is no longer in the project.
        """
        return self.target.segments(self.project, self.scripts, self.preview())

    def segments_now(self) -> list[LiveSegment]:
        """Return the segments of the motion that have ended, the segment that runs, and the segments that follow."""
        live = self.stage.live
        if live is None:
            return self.segments()
        return [*(segment for segment, _, _ in live.segments), *live.queue.waiting]

    def begin(self) -> None:
        """Restart the motion, and send the new state to all pages."""
        self._begin()
        self.broadcast_state()

    def _begin(self) -> None:
        self.programs.set_values(dict(self.settings.values))
        if self.played is not None:
            self.stage.begin_played(self.world(), self.played)
        else:
            self.stage.begin(self.world(), self.segments(), self.settings.events)

    def revise(self) -> None:
        """Simulate the motion again from the time at which changed scripts or constants take effect."""
        if self.stage.live is None:
            self._begin()
        else:
            self.stage.revise()
        self.broadcast_state()

    def change_settings(self, name: str, settings: ChosenSettings, *, final: bool = True) -> None:
        """Change settings so that the change can be undone. All changes while a slider is dragged are undone together.

        Args:
            name: Name of the change, such as "constants".
            settings: New settings.
            final: False: the next change of this name is undone together with this one.

        Raises:
            CtrlGraphError: If a push is out of range.
        """
        if settings != self.settings:
            self.apply(settings, UndoStep(name, self.settings, settings), group=name)
        if final:
            self.history.close()

    def add_event(self, event: Event) -> None:
        """Add an event to the motion, so that it can be undone.

        Raises:
            CtrlGraphError: If the motion has too many events, or a push is out of range.
        """
        settings = self.settings
        if len(settings.events) >= MAX_EVENTS:
            raise CtrlGraphError(
                f"a motion can have at most {MAX_EVENTS} pushes and changes of world or speed: press Clear first"
            )
        name = {WorldChange: "world", Steering: "steering"}.get(type(event), "push")
        self.change_settings(name, ChosenSettings(settings.values, (*settings.events, event)))

    def apply(self, settings: ChosenSettings, step: UndoStep | None = None, *, group: str = "") -> None:
        """Change settings, and simulate the motion again with them. If a setting is invalid, nothing changes.

        Args:
            settings: New settings.
            step: Change to add to the undo history. None: nothing is added.
            group: Group of changes that are undone together (see `History.add`). Empty: none.

        Raises:
            CtrlGraphError: If a push is out of range.
        """
        before, self.settings = self.settings, settings
        try:
            self.programs.set_values(dict(settings.values))
            if self.stage.live is None:
                self._begin()
            else:
                self.stage.revise(settings.events)
        except CtrlGraphError:
            self.settings = before
            self.programs.set_values(dict(before.values))
            raise
        self.dirty = True
        if step is not None:
            self.history.add(step, group=group, seconds=math.inf)
        self.broadcast_state()

    # --- messages ---

    def broadcast(self, message: dict[str, Any]) -> None:
        """Send a message to all pages."""
        self.send([message], None, False)

    def reply(self, message: dict[str, Any], page: int | None) -> None:
        """Send a message to a page.

        Args:
            message: Message to send.
            page: Number of the page. None: all pages.
        """
        self.send([message], page, False)

    def report_error(self, sentence: str, page: int | None = None) -> None:
        """Show an error on a page.

        Args:
            sentence: Error message.
            page: Number of the page. None: all pages.
        """
        self.reply({"type": "notice", "kind": "error", "message": sentence}, page)

    def state(self) -> dict[str, Any]:
        """Return the message with the state of the motion, its settings and the undo history."""
        live, settings = self.stage.live, self.settings
        world = self.world() if live is None else live.world
        changes = [event for event in settings.events if isinstance(event, WorldChange)]
        slopes = [self.preview().slope, *(each.slope for each in changes if each.slope is not None)]
        return {
            "type": "state",
            **self.stage.state(),
            "target": {
                "names": list(self.target.names),
                "script": self.target.script,
                "cycles": self.target.cycles,
                "first": None if self.played is not None else self.first_script(),
            },
            "world": {"friction": world.terrain.friction, "engine": world.engine, "slope": slopes[-1]},
            "events": [event_data(event) for event in settings.events[-MAX_SENT_EVENTS:]],
            "undo": len(self.history.undo),
            "redo": len(self.history.redo),
            "undoes": self.history.undo[-1].name if self.history.undo else "",
            "redoes": self.history.redo[-1].name if self.history.redo else "",
            "values": dict(settings.values),
            "notes": list(self.programs.notes.values()),
        }

    def first_script(self) -> str | None:
        """Return the name of the script that a page shows first. None: the last node of the motion runs no script."""
        try:
            own = self.target.own_script(self.project, self.scripts)
            return None if own is None else self.panel.default_script(own, self.segments(), self.preview())
        except CtrlGraphError:  # its file no longer exists
            return None

    def broadcast_state(self) -> None:
        """Send the state of the motion, its settings and the undo history to all pages."""
        self.broadcast(self.state())

    def constants(self, name: str) -> dict[str, Any]:
        """Return the message with the constants of a script, and of the scripts that run together with it."""
        return self.panel.constants(name, self.segments_now(), self.preview())

    def reply_script(self, name: str, page: int | None) -> None:
        """Send the text of a script to a page. If the script does not exist any more, nothing is sent.

        Args:
            name: Name of the script.
            page: Number of the page. None: all pages.
        """
        with suppress(CtrlGraphError):
            self.reply(self.panel.text(name), page)

    # --- the saved state ---

    def saved_state(self) -> SavedState:
        """Return the state to save for the next session, without the token and the port."""
        opened = self.scripts.opened().items()
        drafts = {name: SavedDraft(text=s.text, digest=s.digest) for name, s in opened if not s.saved}
        target, settings = self.target, self.settings
        return SavedState.model_validate(
            {
                "names": list(target.names),
                "script": target.script,
                "cycles": target.cycles,
                "values": dict(settings.values),
                "events": [event_data(event) for event in settings.events],
                "drafts": drafts,
            }
        )

    def restore(self, state: SavedState, *, restore_target: bool) -> None:
        """Restore a saved state of the last session. Everything that no longer fits the project is ignored.

        Args:
            state: The saved state.
            restore_target: True also restores which nodes and script the motion runs.
        """
        graph = self.project.graph
        if restore_target and (state.names or state.script) and all(name in graph for name in state.names):
            self.target = Target(tuple(state.names), state.script, state.cycles)
            try:
                self.segments()
            except CtrlGraphError:
                self.target = Target((graph.start,))
        for name, draft in state.drafts.items():
            with suppress(CtrlGraphError):
                script = self.scripts.get(name)
                self.scripts.put(name, draft.text, script.revision)
                self.programs.revise(script.path, script.text)
        events = restored_events(state.events, self.project.character)
        self.settings = ChosenSettings(tuple(sorted(state.values.items())), events)
