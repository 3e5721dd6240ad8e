"""The workspace: what the commands of a session work on together, and how pages are told of it."""

from __future__ import annotations

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
from ctrlgraph.web.settings import ChosenSettings, History
from ctrlgraph.web.stage import Stage
from ctrlgraph.web.target import target_of
from ctrlgraph.web.told import told_event
from ctrlgraph.web.variants import Variants
from ctrlgraph.web.world import Event, LiveWorld, WorldChange

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
        self.programs.set_values(dict(self.settings.values))
        self.stage.begin(self.world(), self.segments(), self.settings.events)
        self.tell_state()

    def revise(self, events: Sequence[Event] | None = None) -> None:
        """Go on with scripts, constants and world as they now are."""
        if self.stage.live is None:
            self.begin()
            return
        self.stage.revise(events)
        self.tell_state()

    def change(self, settings: ChosenSettings, *, final: bool = True) -> None:
        """Let constants and world be others; a slider that is drawn is one change."""
        if settings == self.settings:
            if final:
                self.history.close()
            return
        self.history.leave(self.settings, final=final)
        self.take(settings)

    def take(self, settings: ChosenSettings) -> None:
        """Let constants and world be these; where they cannot be, all stays as it is."""
        before, self.settings = self.settings, settings
        try:
            self.programs.set_values(dict(settings.values))
            self.revise(settings.events)
        except CtrlGraphError:
            self.settings = before
            self.programs.set_values(dict(before.values))
            raise
        self.dirty = True

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
            "target": {"names": list(self.target.names), "script": self.target.script, "cycles": self.target.cycles},
            "world": {"friction": world.terrain.friction, "engine": world.engine, "slope": slopes[-1]},
            "events": [told_event(event) for event in settings.events],
            "undo": len(self.history.undo),
            "redo": len(self.history.redo),
            "values": dict(settings.values),
            "notes": list(self.programs.notes.values()),
        }

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
