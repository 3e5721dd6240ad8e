"""The workspace: what the commands of a session work on together, and how pages are told of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ctrlgraph.engine.engine import ENGINES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.terrain.words import parse
from ctrlgraph.web.clients import Item
from ctrlgraph.web.programs import Programs
from ctrlgraph.web.script_panel import ScriptPanel
from ctrlgraph.web.scripts import Scripts
from ctrlgraph.web.segments import LiveSegment
from ctrlgraph.web.settings import ChosenSettings, History, UndoStep
from ctrlgraph.web.stage import Stage
from ctrlgraph.web.target import target_of
from ctrlgraph.web.told import told_event
from ctrlgraph.web.variants import Variants
from ctrlgraph.web.world import LiveWorld, WorldChange

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.profile import TerrainPreview

Tell = Callable[[Sequence[Item], int | None, bool], None]
"""(items, to which page or None for all, whether that page joins with them; of all: whether those hear it that have not
joined yet, too)."""


class Workspace:
    """Scripts, programs, settings, target and motions of a session. Its thread alone touches them.

    dirty: whether something has changed that is to survive the process.

    Args:
        project: whose scripts are edited.
        names: nodes, one after another, or the path of a script; the start node where there are none.
        tell: sends to pages.
        terrain: in words, and friction: of the ground to begin with.

    Raises:
        CtrlGraphError: the project has no such node or script, or its engine is not installed.
    """

    def __init__(self, project: Project, names: Sequence[str], tell: Tell, terrain: str, friction: float) -> None:
        self.project, self.tell = project, tell
        self.scripts, self.programs = Scripts(project), Programs(project)
        self.panel = ScriptPanel(project, self.scripts, self.programs)
        self.terrain, self.engine = parse(terrain, friction), project.engine
        ENGINES[self.engine].load()  # that it is not installed is said before anything is served
        self.settings, self.history, self.variants = ChosenSettings(), History(), Variants()
        self.stage = Stage(project, self.programs, lambda items: tell(items, None, False))
        self.target = target_of(project, self.scripts, names, self.preview())
        self.dirty = False

    # --- the motion ---

    def preview(self) -> TerrainPreview:
        """Return the ground at the start pose."""
        return self.terrain.preview(0.0)

    def world(self) -> LiveWorld:
        """Return the world in which motions begin."""
        return LiveWorld(self.terrain, self.engine)

    def segments(self) -> list[LiveSegment]:
        """Return the segments of the target.

        Raises:
            CtrlGraphError: the project has no such node or script.
        """
        return self.target.segments(self.project, self.scripts, self.preview())

    def segments_now(self) -> list[LiveSegment]:
        """Return what has been run, is run, and is settled to come."""
        live = self.stage.live
        if live is None:
            return self.segments()
        return [*(segment for segment, _, _ in live.segments), *live.queue.waiting]

    def begin(self) -> None:
        """Begin the motion anew."""
        self._begin()
        self.tell_state()

    def _begin(self) -> None:
        self.programs.set_values(dict(self.settings.values))
        self.stage.begin(self.world(), self.segments(), self.settings.events)

    def revise(self) -> None:
        """Go on with scripts and constants as they now are."""
        if self.stage.live is None:
            self._begin()
        else:
            self.stage.revise()
        self.tell_state()

    def change(self, what: str, settings: ChosenSettings, *, final: bool = True) -> None:
        """Let constants and world be others, so that it can be undone; a slider that is drawn is one change.

        Args:
            what: it is called.
            final: False where the next change of this name belongs to it.
        """
        if settings != self.settings:
            self.take(settings, UndoStep(what, self.settings, settings), group=what)
        if final:
            self.history.close()

    def take(self, settings: ChosenSettings, step: UndoStep | None = None, *, group: str = "") -> None:
        """Let constants and world be these; where they cannot be, all stays as it is.

        Args:
            step: by which this can be undone, of a group of changes; None where it is no change of its own.
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
        self.tell_state()

    # --- what is told ---

    def say(self, message: dict[str, Any], to: int | None = None) -> None:
        """Tell one message to a page, or to all."""
        self.tell([message], to, False)

    def complain(self, sentence: str, to: int | None = None) -> None:
        """Tell what cannot be."""
        self.say({"type": "told", "kind": "error", "told": sentence}, to)

    def state(self) -> dict[str, Any]:
        """Return how things stand, as pages are told of it."""
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
            "events": [told_event(event) for event in settings.events],
            "undo": len(self.history.undo),
            "redo": len(self.history.redo),
            "undoes": self.history.undo[-1].what if self.history.undo else "",
            "redoes": self.history.redo[-1].what if self.history.redo else "",
            "values": dict(settings.values),
            "notes": list(self.programs.notes.values()),
        }

    def first_script(self) -> str | None:
        """Return the script that a page shows first; None where the target is of none."""
        try:
            own = self.target.own_script(self.project, self.scripts)
            return None if own is None else self.panel.first(own, self.segments(), self.preview())
        except CtrlGraphError:  # its file has gone
            return None

    def tell_state(self) -> None:
        """Tell all pages how things stand."""
        self.say(self.state())

    def constants(self, name: str) -> dict[str, Any]:
        """Return a script's constants, as pages are told of them."""
        return self.panel.constants(name, self.segments_now(), self.preview())

    def tell_script(self, name: str, to: int | None = None) -> None:
        """Tell a script's text to a page, or to all; nothing where there is none."""
        try:
            self.say(self.panel.text(name), to)
        except CtrlGraphError:
            return
