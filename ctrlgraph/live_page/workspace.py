"""The workspace of a session: the data that all its commands use, and the messages about this data."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ctrlgraph.engine.engine import ENGINES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page.clients import Item
from ctrlgraph.live_page.history import ChosenSettings, History, UndoStep
from ctrlgraph.live_page.motion.programs import Programs
from ctrlgraph.live_page.motion.segments import LiveSegment, Target, parse_target
from ctrlgraph.live_page.motion.stage import Stage
from ctrlgraph.live_page.motion.world import LiveWorld, WorldChange, event_data
from ctrlgraph.live_page.saved_state import SavedDraft, SavedState, restored_events
from ctrlgraph.live_page.script_panel import ScriptPanel
from ctrlgraph.live_page.scripts import Scripts
from ctrlgraph.terrain.words import parse

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.terrain import TerrainPreview

SendItems = Callable[[Sequence[Item], int | None, bool], None]
"""Function that sends items to the page of a number, or to all pages that have joined (None).

If the third argument is true, the page joins or, for None, the items also go to pages that have not joined yet."""


class Workspace:
    """Data of a session. Only the thread of the session uses it.

    Args:
        project: Project whose scripts are edited.
        names: Names of nodes in order, or the path of a script; empty for the start node.
        send: Function that sends items to pages.
        terrain: Terrain at the beginning of motions, as text.
        friction: Friction coefficient of this terrain.

    Attributes:
        scripts: texts of the scripts.
        programs: controllers that are compiled from them.
        settings: values of constants and events of the world that the user has chosen.
        history: undo history.
        target: nodes and script that the motion runs.
        stage: the motions.
        dirty: whether the saved state is out of date.

    Raises:
        CtrlGraphError: If the project has no node or script of a name in `names`, or its engine is not installed.
    """

    def __init__(self, project: Project, names: Sequence[str], send: SendItems, terrain: str, friction: float) -> None:
        self.project, self.send = project, send
        self.scripts, self.programs = Scripts(project), Programs(project)
        self.panel = ScriptPanel(project, self.scripts, self.programs)
        self.terrain, self.engine = parse(terrain, friction), project.engine
        ENGINES[self.engine].load()  # report a missing engine before the page is served
        self.settings, self.history = ChosenSettings(), History()
        self.stage = Stage(project, self.programs, lambda items: send(items, None, False))
        self.target = parse_target(project, self.scripts, names, self.preview())
        self.dirty = False

    # --- the motion ---

    def preview(self) -> TerrainPreview:
        """Return the terrain preview at the start pose."""
        return self.terrain.preview(0.0)

    def world(self) -> LiveWorld:
        """Return the world in which motions begin."""
        return LiveWorld(self.terrain, self.engine)

    def segments(self) -> list[LiveSegment]:
        """Return the segments of the target.

        Raises:
            CtrlGraphError: If a node or the script of the target is no longer in the project.
        """
        return self.target.segments(self.project, self.scripts, self.preview())

    def segments_now(self) -> list[LiveSegment]:
        """Return the past, current and queued segments of the motion."""
        live = self.stage.live
        if live is None:
            return self.segments()
        return [*(segment for segment, _, _ in live.segments), *live.queue.waiting]

    def begin(self) -> None:
        """Restart the motion."""
        self._begin()
        self.broadcast_state()

    def _begin(self) -> None:
        self.programs.set_values(dict(self.settings.values))
        self.stage.begin(self.world(), self.segments(), self.settings.events)

    def revise(self) -> None:
        """Continue the motion with the current scripts and constants."""
        if self.stage.live is None:
            self._begin()
        else:
            self.stage.revise()
        self.broadcast_state()

    def change_settings(self, name: str, settings: ChosenSettings, *, final: bool = True) -> None:
        """Change constants and world as a step that can be undone. All changes while a slider is dragged are one step.

        Args:
            name: Name of the step.
            settings: New settings.
            final: False if the next change of this name belongs to the same step.

        Raises:
            CtrlGraphError: If a push is out of range.
        """
        if settings != self.settings:
            self.apply(settings, UndoStep(name, self.settings, settings), group=name)
        if final:
            self.history.close()

    def apply(self, settings: ChosenSettings, step: UndoStep | None = None, *, group: str = "") -> None:
        """Apply constants and events of the world. If one of them is invalid, nothing changes.

        Args:
            settings: New settings.
            step: Step to add to the undo history; None adds none.
            group: Group of steps to which it belongs (`History.add`).

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
            page: Number of the page; None for all pages.
        """
        self.send([message], page, False)

    def report_error(self, sentence: str, page: int | None = None) -> None:
        """Show an error on a page.

        Args:
            sentence: Error message.
            page: Number of the page; None for all pages.
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
                "first": self.first_script(),
            },
            "world": {"friction": world.terrain.friction, "engine": world.engine, "slope": slopes[-1]},
            "events": [event_data(event) for event in settings.events],
            "undo": len(self.history.undo),
            "redo": len(self.history.redo),
            "undoes": self.history.undo[-1].name if self.history.undo else "",
            "redoes": self.history.redo[-1].name if self.history.redo else "",
            "values": dict(settings.values),
            "notes": list(self.programs.notes.values()),
        }

    def first_script(self) -> str | None:
        """Return the name of the script that a page shows first; None if the target runs no script."""
        try:
            own = self.target.own_script(self.project, self.scripts)
            return None if own is None else self.panel.default_script(own, self.segments(), self.preview())
        except CtrlGraphError:  # its file no longer exists
            return None

    def broadcast_state(self) -> None:
        """Send the state to all pages."""
        self.broadcast(self.state())

    def constants(self, name: str) -> dict[str, Any]:
        """Return the message with the constants of a script."""
        return self.panel.constants(name, self.segments_now(), self.preview())

    def reply_script(self, name: str, page: int | None) -> None:
        """Send the text of a script to a page, if the script exists.

        Args:
            name: Name of the script.
            page: Number of the page; None for all pages.
        """
        try:
            self.reply(self.panel.text(name), page)
        except CtrlGraphError:
            return

    # --- the saved state ---

    def saved_state(self) -> SavedState:
        """Return the state to save, without token and port."""
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
        """Restore the parts of a saved state that fit the project.

        Args:
            state: The saved state.
            restore_target: Whether to restore the nodes and the script that the motion runs, too.
        """
        graph = self.project.graph
        if restore_target and (state.names or state.script) and all(name in graph for name in state.names):
            self.target = Target(tuple(state.names), state.script, state.cycles)
            try:
                self.segments()
            except CtrlGraphError:
                self.target = Target((graph.start,))
        for name, draft in state.drafts.items():
            try:
                script = self.scripts.get(name)
                self.scripts.put(name, draft.text, script.revision)
                self.programs.revise(script.path, script.text)
            except CtrlGraphError:
                continue
        events = restored_events(state.events, self.project.character)
        self.settings = ChosenSettings(tuple(sorted(state.values.items())), events)
