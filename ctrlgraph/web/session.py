"""A session: what the pages of a server work on together. Its thread alone touches project and simulation.

Pages say what they want through `post`, from any thread; what they are told goes out through `tell`. Between two
pieces of the motion the session sees to what has been said, so that nothing waits for a motion to end.
"""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph import compilation
from ctrlgraph.engine.engine import ENGINES, known_engine
from ctrlgraph.engine.pushes import Push
from ctrlgraph.errors import CtrlGraphError, SourceError, printable
from ctrlgraph.terrain.words import parse
from ctrlgraph.web import protocol
from ctrlgraph.web.clients import Item
from ctrlgraph.web.graph_panel import evidence
from ctrlgraph.web.programs import Programs, scripts_of
from ctrlgraph.web.script_panel import ScriptPanel
from ctrlgraph.web.scripts import Conflict, Scripts
from ctrlgraph.web.search_panel import SearchPanel
from ctrlgraph.web.segments import EndsHere, LiveSegment, Queue, RandomWalk, WayToGoal, way_there
from ctrlgraph.web.settings import ChosenSettings, History
from ctrlgraph.web.stage import Stage
from ctrlgraph.web.state_file import Remembered, UnsavedText
from ctrlgraph.web.target import Target, target_of
from ctrlgraph.web.told import events_of, kept_event, told_event
from ctrlgraph.web.variants import Variants
from ctrlgraph.web.world import MAX_EVENTS, Event, LiveWorld, WorldChange

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.profile import TerrainPreview

AHEAD_S = 8.0
"""So far before the pages a walk is simulated, s."""

_REMEMBER_EVERY_S = 0.5
_TYPED_S = 0.08
"""So long after the last letter (s) the motion follows a text: what is wrong with it is told before, and at once."""

Tell = Callable[[Sequence[Item], int | None, bool], None]
"""(items, to which page or None for all, whether that page joins with them; of all: whether those hear it that have not
joined yet, too)."""


class Session:
    """See the module's text.

    Args:
        project: whose scripts are edited.
        names: nodes, one after another, or the path of a script; the start node where there are none.
        terrain: in words, and friction: of the ground to begin with.
        tell: sends to pages.
        remembered: of the server before; what stands in it is gone on with.
        remember: keeps what is to survive this process.
    """

    def __init__(
        self,
        project: Project,
        names: Sequence[str],
        tell: Tell,
        *,
        terrain: str = "flat",
        friction: float = 1.0,
        remembered: Remembered | None = None,
        remember: Callable[[Remembered], None] = lambda state: None,
    ) -> None:
        self._project, self._tell, self._remember = project, tell, remember
        self._scripts, self._programs = Scripts(project), Programs(project)
        self._terrain, self._engine = parse(terrain, friction), project.engine
        ENGINES[self._engine].load()  # that it is not installed is said before anything is served
        self._commands: queue.SimpleQueue[tuple[int | None, Any]] = queue.SimpleQueue()
        self._panel = ScriptPanel(project, self._scripts, self._programs)
        self._thread = threading.Thread(target=self._work, name="session", daemon=True)
        self._settings = ChosenSettings()
        self._history = History()
        self._variants = Variants()
        self._stage = Stage(project, self._programs, lambda items: tell(items, None, False))
        self._playheads: dict[int | None, float] = {}
        self._search = SearchPanel(project.directory)
        self._graph_told: dict[str, Any] | None = None
        self._dirty, self._remembered_at = False, 0.0
        self._compiling = False
        self._changed: dict[str, float] = {}
        self._follow_at = math.inf
        self._target = target_of(project, self._scripts, names, self._preview())
        self._recall(remembered or Remembered(), asked=bool(names))

    # --- from other threads ---

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def post(self, page: int | None, message: Any) -> None:
        """Say something: a message of the protocol, "join", "left", "stop", or the path of a file that has changed."""
        self._commands.put((page, message))

    def stop(self, timeout: float = 10.0) -> bool:
        """Stop working, and remember what is to be remembered.

        Returns:
            whether it has stopped: a compilation cannot be broken off, and is not waited for.
        """
        self._commands.put((None, "stop"))
        ends = time.monotonic() + timeout
        while self._thread.is_alive() and not self._compiling and time.monotonic() < ends:
            self._thread.join(0.05)
        if self._thread.is_alive():
            self._save_state()
        return not self._thread.is_alive()

    @property
    def is_compiling(self) -> bool:
        """Tell whether it compiles, and so answers nobody."""
        return self._compiling

    @property
    def names(self) -> list[str]:
        """Return the target in words."""
        return [*self._target.names, *([self._target.script] if self._target.script else [])]

    # --- the thread ---

    def _work(self) -> None:
        with compilation.watched(self._tell_compiling):
            try:
                self._safely(self._begin)
                while self._obey():
                    self._safely(self._go_on)
            finally:
                self._save_state()
                self._stage.close()
                self._variants.close()

    def _safely(self, act: Callable[[], None], page: int | None = None) -> None:
        """Do something, and tell a page (all of them where None) what came in between: the session goes on in any
        case."""
        try:
            act()
        except SourceError as error:
            self._complain(error.findings[0].render().splitlines()[0], page)
        except CtrlGraphError as error:
            self._complain(str(error), page)
        except Exception as error:
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            self._complain(f"a fault in ctrlgraph itself: {printable(what)}; please report it", page)

    def _tell_compiling(self, now: bool) -> None:
        self._compiling = now
        self._tell([{"type": "compiling", "now": now}], None, True)

    def _obey(self) -> bool:
        """Do what has been said; False where that was to stop. Waits for something where nothing else is to be done."""
        while True:
            try:
                if self._has_work():
                    page, message = self._commands.get_nowait()
                else:
                    page, message = self._commands.get(timeout=self._longest_wait())
            except queue.Empty:
                self._safely(self._look_after)
                return True
            if isinstance(message, str) and message == "stop":
                return False
            self._safely(partial(self._answer, page, message), page)

    def _answer(self, page: int | None, message: Any) -> None:
        try:
            self._do(page, message)
        except Conflict as conflict:
            path = getattr(message, "path", "")
            self._say({"type": "conflict", "path": path, "told": str(conflict), "text": conflict.text}, to=page)
            self._tell_script(path, page)

    def _longest_wait(self) -> float | None:
        """How long nothing is to be done, s; None: until something is said."""
        if self._changed:
            return max(self._follow_at - time.monotonic(), 0.0)
        return _REMEMBER_EVERY_S if self._dirty or self._search.path else None

    def _complain(self, sentence: str, to: int | None = None) -> None:
        self._say({"type": "told", "kind": "error", "told": sentence}, to)

    def _do(self, page: int | None, message: Any) -> None:
        if isinstance(message, Path):
            self._file_changed(message)
            return
        if isinstance(message, dict):
            self._graph_told = message
            self._say({"type": "graph", "graph": message})
            return
        name = message if isinstance(message, str) else message.type
        act = getattr(self, f"_on_{name}")
        if isinstance(message, str):
            act(page)
        else:
            act(page, message)

    def _has_work(self) -> bool:
        return self._is_text_due() or self._is_present_due() or self._is_beside_due() or self._variants.is_any_to_make

    def _is_text_due(self) -> bool:
        return bool(self._changed) and time.monotonic() >= self._follow_at

    def _is_present_due(self) -> bool:
        stage = self._stage
        if stage.live is None or stage.live.ended is not None:
            return False
        return not stage.is_walking or stage.live.time < max(self._playheads.values(), default=0.0) + AHEAD_S

    def _is_beside_due(self) -> bool:
        return self._stage.beside is not None and self._stage.beside.ended is None

    def _go_on(self) -> None:
        """Simulate a piece."""
        if self._is_text_due():
            self._follow_texts()
        elif self._is_present_due():
            if self._stage.advance():
                self._tell_state()
        elif self._is_beside_due():
            self._stage.advance_beside()
        elif self._variants.is_any_to_make:
            self._make_variants()

    def _make_variants(self) -> None:
        variant = self._variants.make(self._project, LiveWorld(self._terrain, self._engine))
        if variant is not None and variant.recording is not None:
            self._tell(self._stage.motion(variant.recording, variant.name, self._terrain), None, False)

    def _look_after(self) -> None:
        """What is to be done now and then."""
        now = time.monotonic()
        if self._dirty and now - self._remembered_at >= _REMEMBER_EVERY_S:
            self._save_state()
        if self._search.is_due:
            self._look_at_search()

    # --- the motion ---

    def _preview(self) -> TerrainPreview:
        return self._terrain.preview(0.0)

    def _begin(self) -> None:
        """Begin the motion anew."""
        self._programs.set_values(dict(self._settings.values))
        self._stage.begin(
            LiveWorld(self._terrain, self._engine),
            self._segments(),
            self._settings.events,
        )
        self._tell_state()

    def _revise(self, events: Sequence[Event] | None = None) -> None:
        """Go on with scripts, constants and world as they now are."""
        if self._stage.live is None:
            self._begin()
            return
        self._stage.revise(events)
        self._tell_state()

    # --- what is told ---

    def _say(self, message: dict[str, Any], to: int | None = None) -> None:
        self._tell([message], to, False)

    def _state(self) -> dict[str, Any]:
        live, settings = self._stage.live, self._settings
        world = LiveWorld(self._terrain, self._engine) if live is None else live.world
        changes = [event for event in settings.events if isinstance(event, WorldChange)]
        slopes = [self._preview().slope, *(each.slope for each in changes if each.slope is not None)]
        return {
            "type": "state",
            **self._stage.state(),
            "target": {"names": list(self._target.names), "script": self._target.script, "cycles": self._target.cycles},
            "world": {"friction": world.terrain.friction, "engine": world.engine, "slope": slopes[-1]},
            "events": [told_event(event) for event in settings.events],
            "undo": len(self._history.undo),
            "redo": len(self._history.redo),
            "values": dict(settings.values),
            "notes": list(self._programs.notes.values()),
        }

    def _tell_state(self) -> None:
        self._say(self._state())

    def _tell_script(self, name: str, to: int | None = None) -> None:
        try:
            self._say(self._panel.text(name), to)
        except CtrlGraphError:
            return

    def _segments(self) -> list[LiveSegment]:
        """The segments of the target."""
        return self._target.segments(self._project, self._scripts, self._preview())

    def _constants(self, name: str) -> dict[str, Any]:
        return self._panel.constants(name, self._segments_now(), self._preview())

    def _segments_now(self) -> list[LiveSegment]:
        """What has been run, is run, and is settled to come."""
        live = self._stage.live
        if live is None:
            return self._segments()
        return [*(segment for segment, _, _ in live.segments), *live.queue.waiting]

    # --- what pages say ---

    def _on_join(self, page: int | None) -> None:
        project = self._project
        items: list[Item] = [
            {
                "type": "welcome",
                "page": page,
                "project": project.directory.resolve().name,
                "character": project.character.name,
                "engines": list(ENGINES.names),
                "nodes": [{"name": n.name, "static": n.is_static, "script": n.file} for n in project.graph],
                "scripts": self._scripts.names(),
                "first": self._target.first_script(project, self._scripts),
                "drafts": [name for name, script in self._scripts.opened().items() if not script.saved],
            },
            self._state(),
        ]
        items += self._stage.for_newcomer(self._terrain)
        items.append(self._variants.told())
        for variant in self._variants.items:
            if variant.recording is not None:
                items += self._stage.motion(variant.recording, variant.name, self._terrain)
        if self._graph_told is not None:
            items.append({"type": "graph", "graph": self._graph_told})
        items.append(self._search.told())
        self._tell(items, page, True)

    def _on_left(self, page: int | None) -> None:
        self._playheads.pop(page, None)

    def _on_open(self, page: int | None, message: protocol.Open) -> None:
        began = time.perf_counter()
        items = [
            self._panel.text(message.path),
            self._panel.findings(message.path, began),
            self._constants(message.path),
        ]
        self._tell(items, page, False)

    def _on_edit(self, page: int | None, message: protocol.Edit) -> None:
        began = time.perf_counter()
        script = self._scripts.put(message.path, message.text, message.base)
        self._programs.revise(script.path, None if script.saved else script.text)
        self._script_changed(message.path, page, began, after=_TYPED_S)

    def _script_changed(self, name: str, page: int | None, began: float, after: float = 0.0) -> None:
        """Tell what came of a script's text; the motion follows so long after it (s), once nothing else is said."""
        said = self._panel.text(name)
        self._say(said | {"by": page})
        self._say(self._panel.findings(name, began))
        self._changed.setdefault(name, began)
        self._follow_at = time.monotonic() + after
        self._dirty = True

    def _follow_texts(self) -> None:
        """Go on with the texts that have changed."""
        changed, self._changed = self._changed, {}
        try:
            self._revise()
            for name, began in changed.items():
                if self._programs.errors:  # also of what it is part of
                    self._say(self._panel.findings(name, began))
                self._say(self._constants(name))
        except CtrlGraphError as error:
            self._complain(str(error).splitlines()[0])

    def _file_changed(self, path: Path) -> None:
        name = self._scripts.name_of(path)
        if name is None:
            self._project.library.refresh()
            return
        began = time.perf_counter()
        known = name in self._scripts.opened()
        meaning = self._scripts.look(name) if known else "reread"
        if meaning == "conflict":
            text = self._scripts.get(name).on_disk
            sentence = f"the file {name} has been changed elsewhere; the text of this page is not saved"
            self._say({"type": "conflict", "path": name, "told": sentence, "text": text})
        if meaning == "reread":
            self._programs.revise(self._scripts.get(name).path, None)
            self._script_changed(name, None, began)
        elif meaning:
            self._programs.revise(
                self._scripts.get(name).path, None if meaning == "saved" else self._scripts.get(name).text
            )
            self._say(self._panel.text(name))
            self._dirty = True

    def _on_save(self, page: int | None, message: protocol.Save) -> None:
        script = self._scripts.save(message.path, message.digest)
        self._programs.revise(script.path, None)
        self._say(self._panel.text(message.path) | {"by": page})
        self._dirty = True

    def _on_reread(self, page: int | None, message: protocol.Reread) -> None:
        began = time.perf_counter()
        self._scripts.reread(message.path)
        self._programs.revise(self._scripts.get(message.path).path, None)
        self._script_changed(message.path, None, began)

    def _on_set(self, page: int | None, message: protocol.SetValues) -> None:
        values = dict(self._settings.values)
        for name, value in message.values.items():
            if value is None:
                values.pop(name, None)
            else:
                values[name] = value
        if len(values) > protocol.MAX_VALUES:
            raise CtrlGraphError(f"at most {protocol.MAX_VALUES} constants can have other values")
        self._change(ChosenSettings(tuple(sorted(values.items())), self._settings.events), final=message.final)

    def _on_write(self, page: int | None, message: protocol.Write) -> None:
        parameters = self._panel.parameters(self._segments_now(), self._preview())
        self._panel.require_current(message.path, self._segments_now(), self._preview())
        script = self._scripts.write_values(message.path, message.values, parameters, message.digest)
        self._programs.revise(script.path, None)
        kept = tuple(pair for pair in self._settings.values if pair[0] not in message.values)
        self._settings = ChosenSettings(kept, self._settings.events)
        self._programs.set_values(dict(kept))
        self._say({"type": "written", "path": message.path, "values": message.values, "by": page})
        self._script_changed(message.path, page, time.perf_counter())

    def _on_undo(self, page: int | None, message: protocol.Undo) -> None:
        before = self._history.back(self._settings)
        if before is not None:
            self._take(before)

    def _on_redo(self, page: int | None, message: protocol.Undo) -> None:
        after = self._history.forward(self._settings)
        if after is not None:
            self._take(after)

    def _change(self, settings: ChosenSettings, *, final: bool = True) -> None:
        """Let constants and world be others; a slider that is drawn is one change."""
        if settings == self._settings:
            if final:
                self._history.close()
            return
        self._history.leave(self._settings, final=final)
        self._take(settings)

    def _take(self, settings: ChosenSettings) -> None:
        before, self._settings = self._settings, settings
        try:
            self._programs.set_values(dict(settings.values))
            self._revise(settings.events)
        except CtrlGraphError:
            self._settings = before
            self._programs.set_values(dict(before.values))
            raise
        self._dirty = True

    def _on_push(self, page: int | None, message: protocol.PushLink) -> None:
        self._add_event(Push(message.time, message.duration, message.link, message.x, message.y))

    def _on_world(self, page: int | None, message: protocol.Change) -> None:
        engine = None if message.engine is None else known_engine(message.engine)
        if engine is not None:
            ENGINES[engine].load()
        self._add_event(WorldChange(message.time, message.slope, message.friction, engine))

    def _add_event(self, event: Event) -> None:
        if len(self._settings.events) >= MAX_EVENTS:
            raise CtrlGraphError(f"a motion may have {MAX_EVENTS} pushes and changes of its world; calm it first")
        self._change(ChosenSettings(self._settings.values, (*self._settings.events, event)))

    def _on_calm(self, page: int | None, message: protocol.Calm) -> None:
        self._change(ChosenSettings(self._settings.values))

    def _on_plan(self, page: int | None, message: protocol.Plan) -> None:
        before = self._target
        for name in message.nodes:
            self._project.graph.node(name)
        names = message.nodes
        if len(names) == 1 and message.script is None:
            names = way_there(self._project.graph, names[0], self._preview())
        self._target = Target(tuple(names), message.script, message.cycles)
        try:
            self._segments()
        except CtrlGraphError:
            self._target = before
            raise
        if not names and message.script is None:
            self._target = Target((self._project.graph.start,))
        self._begin()
        self._dirty = True

    def _on_walk(self, page: int | None, message: protocol.Walk) -> None:
        graph = self._project.graph
        way: Any
        if message.goal is None:
            way = RandomWalk(graph, message.seed)
        else:
            way = WayToGoal(graph, message.goal, evidence(self._project))
        self._playheads[page] = message.time
        self._follow(Queue([], way), message.time)

    def _on_stay(self, page: int | None, message: protocol.Stay) -> None:
        self._follow(Queue([], EndsHere()), message.time)

    def _follow(self, following: Queue, moment: float) -> None:
        self._stage.follow(following, moment)
        self._tell_state()

    def _on_playhead(self, page: int | None, message: protocol.Playhead) -> None:
        self._playheads[page] = message.time

    # --- variants ---

    def _on_keep(self, page: int | None, message: protocol.Keep) -> None:
        if self._stage.live is None:
            return
        recording = self._stage.live.recording.copy()
        variant = self._variants.keep(message.label, self._texts(), self._settings, self._target, recording)
        motion = self._stage.motion(recording, variant.name, self._terrain)
        self._tell([self._variants.told(), *motion], None, False)
        self._dirty = True

    def _texts(self) -> dict[str, str]:
        """The texts of the scripts that the motion is made of, and of those that somebody has looked at, by path."""
        stems = {stem for controller in self._programs.controllers() for stem in scripts_of(controller)}
        paths = [path for stem in sorted(stems) if (path := self._project.library.find(stem)) is not None]
        for name in filter(None, map(self._scripts.name_of, paths)):
            self._scripts.get(name)
        return {name: script.text for name, script in self._scripts.opened().items()}

    def _on_restore(self, page: int | None, message: protocol.OfVariant) -> None:
        variant = self._variants.find(message.variant)
        began = time.perf_counter()
        changed = []
        for name, text in variant.drafts.items():
            script = self._scripts.get(name)
            if text != script.text:
                self._scripts.put(name, text, script.revision)
                self._programs.revise(script.path, None if script.saved else script.text)
                changed.append(name)
        self._change(variant.settings)
        self._revise()
        self._dirty = True
        for name in changed:
            self._tell(
                [
                    self._panel.text(name),
                    self._panel.findings(name, began),
                    self._constants(name),
                ],
                None,
                False,
            )

    def _on_drop(self, page: int | None, message: protocol.OfVariant) -> None:
        self._variants.drop(message.variant)
        self._say(self._variants.told())
        self._dirty = True

    # --- searches ---

    def _on_search(self, page: int | None, message: protocol.Watch) -> None:
        self._search.watch(message.path)
        self._stage.leave_beside()
        if message.path is None:
            self._say(self._search.told())
        else:
            self._look_at_search()

    def _look_at_search(self) -> None:
        """Tell how the search that is watched has gone on, and let its best so far move beside the present motion."""
        try:
            progress = self._search.look()
        except CtrlGraphError as error:
            self._complain(str(error))
            return
        if progress is None:
            return
        self._say({"type": "search", "path": self._search.path, "progress": progress.as_dict()})
        if progress.values:
            self._move_beside(progress.values)

    def _move_beside(self, values: dict[str, float]) -> None:
        programs = Programs(self._project)
        programs.set_values(values)
        self._stage.move_beside(
            programs,
            LiveWorld(self._terrain, self._engine),
            self._segments(),
        )

    # --- what survives ---

    def _save_state(self) -> None:
        self._dirty, self._remembered_at = False, time.monotonic()
        opened = self._scripts.opened().items()
        self._remember(
            Remembered(
                names=list(self._target.names),
                script=self._target.script,
                cycles=self._target.cycles,
                drafts={name: UnsavedText(text=s.text, digest=s.digest) for name, s in opened if not s.saved},
                values=dict(self._settings.values),
                events=[kept_event(event) for event in self._settings.events],
                variants=self._variants.kept(),
            )
        )

    def _recall(self, state: Remembered, *, asked: bool) -> None:
        """Go on with what was remembered, so far as it still fits the project."""
        graph = self._project.graph
        if not asked and (state.names or state.script) and all(name in graph for name in state.names):
            self._target = Target(tuple(state.names), state.script, state.cycles)
            try:
                self._segments()
            except CtrlGraphError:
                self._target = Target((graph.start,))
        for name, draft in state.drafts.items():
            try:
                script = self._scripts.get(name)
                self._scripts.put(name, draft.text, script.revision)
                self._programs.revise(script.path, script.text)
            except CtrlGraphError:
                continue
        character = self._project.character
        self._settings = ChosenSettings(tuple(sorted(state.values.items())), events_of(state.events, character))
        self._variants.recall(state.variants, character)
