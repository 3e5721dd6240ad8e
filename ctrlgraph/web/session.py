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
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph import compilation
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script.compiler import check_script
from ctrlgraph.engine.engine import ENGINES, known_engine
from ctrlgraph.engine.pushes import Push
from ctrlgraph.engine.settings import WorldSettings
from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.graph.goal_planner import EdgeEvidence
from ctrlgraph.optimization.search_space import search_space
from ctrlgraph.paths import contained, display_path
from ctrlgraph.playback import PlaybackEncoder
from ctrlgraph.simulation.signals import Signals
from ctrlgraph.terrain.words import parse
from ctrlgraph.web import protocol, searches
from ctrlgraph.web.clients import Item
from ctrlgraph.web.live import Branch, LiveSimulation, told
from ctrlgraph.web.motion import Recording
from ctrlgraph.web.programs import Programs
from ctrlgraph.web.scripts import Conflict, Scripts
from ctrlgraph.web.segments import Queue, RandomWalk, Segment, Stop, WayToGoal, segments_of, way_there
from ctrlgraph.web.state_file import Draft, KeptVariant, Remembered
from ctrlgraph.web.told import event_of, is_of, phases_of, told_event, told_finding, told_parameter
from ctrlgraph.web.world import MAX_EVENTS, Event, World, WorldChange

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.profile import Terrain, TerrainPreview

AHEAD_S = 8.0
"""So far before the pages a walk is simulated, s."""

GHOST_AFTER_S = 0.8
"""A motion that was seen for less (s) is no ghost of the next one: a slider that is drawn leaves one, not fifty."""

MAX_UNDO = 200
MAX_VARIANTS = 4
_SEARCH_EVERY_S = 1.0
_REMEMBER_EVERY_S = 0.5

Tell = Callable[[Sequence[Item], int | None, bool], None]
"""(items, to which page or None for all, whether that page joins with them)."""


@dataclass(frozen=True)
class _Settings:
    """What undo takes back: constants by id, and what changes in the world."""

    values: tuple[tuple[str, float], ...] = ()
    events: tuple[Event, ...] = ()


@dataclass
class _Variant:
    """A motion that was kept, and what makes it again."""

    number: int
    label: str
    drafts: dict[str, str]
    settings: _Settings
    recording: Recording


@dataclass
class _Target:
    """What the motion is made of: the nodes that were asked for, or a script after them."""

    names: list[str] = field(default_factory=list)
    script: str | None = None
    cycles: int | None = None


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
        self._commands: queue.SimpleQueue[tuple[int | None, Any]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="session", daemon=True)
        self._settings = _Settings()
        self._undo: list[_Settings] = []
        self._redo: list[_Settings] = []
        self._undo_open = False
        self._variants: list[_Variant] = []
        self._next_variant = 1
        self._live: LiveSimulation | None = None
        self._beside: LiveSimulation | None = None
        self._ghost: Recording | None = None
        self._encoders: dict[str, tuple[PlaybackEncoder, Terrain]] = {}
        self._version = 0
        self._shown_since = 0.0
        self._playheads: dict[int | None, float] = {}
        self._search: str | None = None
        self._search_seen: tuple[float, int] = (0.0, 0)
        self._search_looked = 0.0
        self._graph_told: dict[str, Any] | None = None
        self._new_ghost = False
        self._ranges: dict[str, tuple[float, float]] = {}
        self._dirty, self._remembered_at = False, 0.0
        self._ended_told: str | None = None
        self._fault = ""
        self._target = self._target_of(list(names))
        self._recall(remembered or Remembered(), asked=bool(names))

    # --- from other threads ---

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def post(self, page: int | None, message: Any) -> None:
        """Say something: a message of the protocol, "join", "left", "stop", or the path of a file that has changed."""
        self._commands.put((page, message))

    def stop(self, timeout: float = 10.0) -> None:
        """Stop working, and remember what is to be remembered."""
        self._commands.put((None, "stop"))
        self._thread.join(timeout)

    @property
    def names(self) -> list[str]:
        """Return the target in words."""
        return [self._target.script] if self._target.script else self._target.names

    # --- the thread ---

    def _work(self) -> None:
        with compilation.watched(lambda is_compiling: self._say({"type": "compiling", "now": is_compiling})):
            try:
                self._begin()
                while self._obey():
                    self._go_on()
            finally:
                self._save_state()
                for live in (self._live, self._beside):
                    if live is not None:
                        live.close()

    def _obey(self) -> bool:
        """Do what has been said; False where that was to stop. Waits for something where nothing else is to be done."""
        while True:
            busy = self._has_work()
            try:
                if busy:
                    page, message = self._commands.get_nowait()
                else:
                    page, message = self._commands.get(
                        timeout=_REMEMBER_EVERY_S if self._dirty or self._search else None
                    )
            except queue.Empty:
                self._look_after()
                return True
            if isinstance(message, str) and message == "stop":
                return False
            try:
                self._do(page, message)
            except Conflict as conflict:
                path = getattr(message, "path", "")
                self._say({"type": "conflict", "path": path, "told": str(conflict), "text": conflict.text}, to=page)
                self._tell_script(path, page)
            except SourceError as error:
                self._complain(error.findings[0].render().splitlines()[0], page)
            except CtrlGraphError as error:
                self._say({"type": "told", "kind": "error", "told": str(error)}, to=page)

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
        live = self._live
        if live is not None and live.ended is None:
            if isinstance(live.queue.way, Stop):
                return True
            if live.time < max(self._playheads.values(), default=0.0) + AHEAD_S:
                return True
        return self._beside is not None and self._beside.ended is None

    def _go_on(self) -> None:
        """Simulate a piece."""
        live = self._live
        if live is None or not self._has_work():
            return
        if live.ended is None:
            self._advance(live, "present")
        elif self._beside is not None and self._beside.ended is None:
            self._advance(self._beside, "search")

    def _advance(self, live: LiveSimulation, of: str) -> None:
        count = len(live.segments)
        try:
            taken = live.advance()
        except CtrlGraphError as error:
            live.ended = str(error)
            taken = None
        if taken is not None:
            self._tell_samples(live, of, taken)
        if of == "present" and (live.ended != self._ended_told or len(live.segments) != count):
            self._tell_state()

    def _look_after(self) -> None:
        """What is to be done now and then."""
        now = time.monotonic()
        if self._dirty and now - self._remembered_at >= _REMEMBER_EVERY_S:
            self._save_state()
        if self._search is not None and now - self._search_looked >= _SEARCH_EVERY_S:
            self._look_at_search()

    # --- the motion ---

    def _target_of(self, names: list[str]) -> _Target:
        """
        Raises:
            CtrlGraphError: a name is neither a node nor a script of the project.
        """
        graph = self._project.graph
        if not names:
            return _Target([graph.start])
        if len(names) == 1 and names[0] not in graph:
            script = self._scripts.name_of(Path(names[0]))
            if script is None and Path(names[0]).exists():
                raise CtrlGraphError(f"{display_path(names[0])} is no script of this project: it lies elsewhere")
            if script is not None:
                own = next((n.name for n in graph if n.file == script and not n.mirrored), None)
                return _Target(way_there(graph, own, self._preview())) if own else _Target([], script)
        for name in names:
            graph.node(name)
        return _Target(way_there(graph, names[0], self._preview()) if len(names) == 1 else names)

    def _preview(self) -> TerrainPreview:
        return self._terrain.preview(0.0)

    def _segments(self) -> list[Segment]:
        """The segments of the target."""
        graph, target, preview = self._project.graph, self._target, self._preview()
        cycles = {} if target.cycles is None else {len(target.names) - 1: target.cycles}
        found = segments_of(graph, target.names, preview, cycles if target.script is None else {})
        if target.script is not None:
            path = self._scripts.get(target.script).path
            found.append(Segment(path.stem, None, target.cycles or 1, path))
        return found

    def _begin(self) -> None:
        """Begin the motion anew."""
        first, *others = self._segments()
        self._programs.set_values(dict(self._settings.values))
        before, self._live = self._live, None
        if before is not None:
            self._ghost_of(before)
            before.close()
        self._fault = ""
        try:
            self._live = LiveSimulation(
                self._project,
                self._programs,
                World(self._terrain, self._engine),
                first,
                Queue(others, Stop()),
                self._settings.events,
            )
        except CtrlGraphError as error:
            self._fault = str(error).splitlines()[0]
        self._branched(Branch(0, 0.0))

    def _branched(self, branch: Branch | None) -> None:
        """Tell that the motion goes on from somewhere else."""
        if branch is None:
            self._tell_state()
            return
        self._version += 1
        self._shown_since = time.monotonic()
        self._say(
            {
                "type": "branch",
                "version": self._version,
                "sample": branch.sample,
                "time": branch.time,
                "keeps_ghost": not self._new_ghost,
            }
        )
        self._new_ghost = False
        self._tell_state()

    def _ghost_of(self, live: LiveSimulation) -> None:
        """Keep the motion as the ghost of what comes now, unless it was seen for a moment only."""
        if self._ghost is None or time.monotonic() - self._shown_since >= GHOST_AFTER_S:
            self._ghost = live.recording.copy()
            self._new_ghost = True

    def _revise(self, events: Sequence[Event] | None = None) -> None:
        """Go on with scripts, constants and world as they now are."""
        live = self._live
        if live is None:
            self._begin()
            return
        before = live.recording.copy()
        branch = live.revise(events)
        if branch is not None and (self._ghost is None or time.monotonic() - self._shown_since >= GHOST_AFTER_S):
            self._ghost, self._new_ghost = before, True
        self._branched(branch)
        if live.ended is None:
            self._advance(live, "present")  # what the page waits for

    # --- what is told ---

    def _say(self, message: dict[str, Any], to: int | None = None) -> None:
        self._tell([message], to, False)

    def _tell_samples(self, live: LiveSimulation, of: str, taken: Signals) -> None:
        head = {"type": "samples", "of": of, "version": self._version}
        data = self._encoder(of, live.world.terrain).message(taken, live.recording.samples - len(taken))
        self._tell([head, data], None, False)

    def _encoder(self, of: str, terrain: Terrain) -> PlaybackEncoder:
        """The one encoder of a motion that goes on, over the ground that is there now."""
        encoder, before = self._encoders.get(of, (None, None))
        if encoder is None:
            encoder = PlaybackEncoder(self._project.character, terrain, tick=WorldSettings().dt)
        elif before is not terrain:
            encoder.go_over(terrain)
        self._encoders[of] = encoder, terrain
        return encoder

    def _motion(self, recording: Recording, of: str, terrain: Terrain) -> list[Item]:
        """A recorded motion as a whole, for a page that has nothing of it."""
        whole = recording.whole()
        if whole is None:
            return []
        if of in self._encoders:
            encoder = self._encoder(of, terrain).for_newcomer()
        else:
            encoder = PlaybackEncoder(self._project.character, terrain, tick=WorldSettings().dt)
        return [{"type": "samples", "of": of, "version": self._version}, encoder.message(whole)]

    def _state(self) -> dict[str, Any]:
        live = self._live
        segments = [] if live is None else live.segments
        world = World(self._terrain, self._engine) if live is None else live.world
        self._ended_told = None if live is None else live.ended
        changes = [event for event in self._settings.events if isinstance(event, WorldChange)]
        slopes = [self._preview().slope, *(each.slope for each in changes if each.slope is not None)]
        return {
            "type": "state",
            "version": self._version,
            "target": {"names": self._target.names, "script": self._target.script, "cycles": self._target.cycles},
            "segments": [
                {
                    "name": segment.name,
                    "source": None if segment.edge is None else segment.edge.source,
                    "kind": None if segment.edge is None else segment.edge.kind.value,
                    "cycles": segment.cycles,
                    "from": begins,
                    "succeeded": None if outcome is None else outcome.succeeded,
                    "told": "" if outcome is None else told(outcome),
                }
                for segment, outcome, begins in segments
            ],
            "ended": self._fault or (None if live is None else live.ended),
            "walking": live is not None and not isinstance(live.queue.way, Stop),
            "world": {
                "friction": world.terrain.friction,
                "engine": world.engine,
                "slope": slopes[-1],
            },
            "events": [told_event(event) for event in self._settings.events],
            "undo": len(self._undo),
            "redo": len(self._redo),
            "values": dict(self._settings.values),
            "notes": list(self._programs.notes.values()),
        }

    def _tell_state(self) -> None:
        self._say(self._state())

    def _script(self, name: str) -> dict[str, Any]:
        script = self._scripts.get(name)
        return {
            "type": "script",
            "path": name,
            "text": script.text,
            "revision": script.revision,
            "digest": script.digest,
            "saved": script.saved,
            "phases": phases_of(self._project.library.parse(script.path).script),
        }

    def _tell_script(self, name: str, to: int | None = None) -> None:
        try:
            self._say(self._script(name), to)
        except CtrlGraphError:
            return

    def _findings(self, name: str, began: float) -> dict[str, Any]:
        """What is wrong with a script, and with those that it is part of."""
        script = self._scripts.get(name)
        found = list(check_script(self._project.library, script.path, self._project.character))
        known = set(found)
        for errors in self._programs.errors.values():
            found += [each for each in errors if each not in known and not is_of(each, script.path)]
        return {
            "type": "findings",
            "path": name,
            "revision": script.revision,
            "findings": [told_finding(each, self._project) for each in found[:100]],
            "ms": 1000 * (time.perf_counter() - began),
        }

    def _constants(self, name: str) -> dict[str, Any]:
        """A script's constants as sliders: their values in the text, and from where to where they may go."""
        script = self._scripts.get(name)
        items = []
        for each, (parameter, value) in self._parameters().items():
            if Path(parameter.path).stem == script.path.stem:
                low, high = self._ranges.get(each, (value - abs(value) - 0.1, value + abs(value) + 0.1))
                items.append(told_parameter(parameter, each, value, low, high))
        items.sort(key=lambda item: (item["line"], item["column"]))
        return {"type": "constants", "path": name, "items": items}

    def _parameters(self) -> dict[str, tuple[Parameter, float]]:
        segments = self._segments() if self._live is None else [segment for segment, _, _ in self._live.segments]
        segments += [] if self._live is None else list(self._live.queue.waiting)
        self._ranges = {}
        found = self._programs.parameters(segments, self._preview())
        for controller in self._programs.controllers():
            try:
                space = search_space(controller, self._project.character, tied=False)
            except CtrlGraphError:  # nothing that a search would change
                continue
            for item in space.items:
                for parameter in item.parameters:
                    self._ranges.setdefault(parameter.own_id, (min(item.low, item.high), max(item.low, item.high)))
        return found

    # --- what pages say ---

    def _on_join(self, page: int | None) -> None:
        project = self._project
        items: list[Item] = [
            {
                "type": "welcome",
                "page": page,
                "project": display_path(project.directory),
                "character": project.character.name,
                "engines": list(ENGINES.names),
                "nodes": [{"name": n.name, "static": n.is_static, "script": n.file} for n in project.graph],
                "scripts": self._scripts.names(),
                "first": self._first_script(),
                "drafts": [name for name, script in self._scripts.opened().items() if not script.saved],
            },
            self._state(),
        ]
        if self._live is not None:
            items += self._motion(self._live.recording, "present", self._live.world.terrain)
        if self._ghost is not None:
            items += self._motion(self._ghost, "ghost", self._terrain)
        items.append(self._variants_told())
        for variant in self._variants:
            items += self._motion(variant.recording, f"variant:{variant.number}", self._terrain)
        if self._graph_told is not None:
            items.append({"type": "graph", "graph": self._graph_told})
        items.append({"type": "searches", "files": searches.checkpoints(project.directory), "watched": self._search})
        self._tell(items, page, True)

    def _on_left(self, page: int | None) -> None:
        self._playheads.pop(page, None)

    def _on_open(self, page: int | None, message: protocol.Open) -> None:
        began = time.perf_counter()
        items = [self._script(message.path), self._findings(message.path, began), self._constants(message.path)]
        self._tell(items, page, False)

    def _on_edit(self, page: int | None, message: protocol.Edit) -> None:
        began = time.perf_counter()
        script = self._scripts.put(message.path, message.text, message.base)
        self._programs.revise(script.path, None if script.saved else script.text)
        self._script_changed(message.path, page, began)

    def _script_changed(self, name: str, page: int | None, began: float) -> None:
        """Tell what came of a script's text, and go on with it."""
        said = self._script(name)
        self._say(said | {"by": page})
        self._say(self._findings(name, began))
        self._revise()
        if self._programs.errors:  # also of what it is part of
            self._say(self._findings(name, began))
        self._say(self._constants(name))
        self._dirty = True

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
            self._say(self._script(name))
            self._dirty = True

    def _on_save(self, page: int | None, message: protocol.Save) -> None:
        script = self._scripts.save(message.path, message.digest)
        self._programs.revise(script.path, None)
        self._say(self._script(message.path) | {"by": page})
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
        self._change(_Settings(tuple(sorted(values.items())), self._settings.events), final=message.final)

    def _on_write(self, page: int | None, message: protocol.Write) -> None:
        parameters = {name: parameter for name, (parameter, _) in self._parameters().items()}
        script = self._scripts.write_values(message.path, message.values, parameters, message.digest)
        self._programs.revise(script.path, None)
        kept = tuple(pair for pair in self._settings.values if pair[0] not in message.values)
        self._settings = _Settings(kept, self._settings.events)
        self._programs.set_values(dict(kept))
        self._say({"type": "written", "path": message.path, "values": message.values, "by": page})
        self._script_changed(message.path, page, time.perf_counter())

    def _on_undo(self, page: int | None, message: protocol.Undo) -> None:
        if self._undo:
            self._redo.append(self._settings)
            self._take(self._undo.pop())

    def _on_redo(self, page: int | None, message: protocol.Undo) -> None:
        if self._redo:
            self._undo.append(self._settings)
            self._take(self._redo.pop())

    def _change(self, settings: _Settings, *, final: bool = True) -> None:
        """Let constants and world be others; a slider that is drawn is one change."""
        if settings == self._settings:
            self._undo_open = self._undo_open and not final
            return
        if not self._undo_open:
            self._undo = [*self._undo[-MAX_UNDO + 1 :], self._settings]
        self._undo_open = not final
        self._redo.clear()
        self._take(settings)

    def _take(self, settings: _Settings) -> None:
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
        self._change(_Settings(self._settings.values, (*self._settings.events, event)))

    def _on_calm(self, page: int | None, message: protocol.Calm) -> None:
        self._change(_Settings(self._settings.values))

    def _on_plan(self, page: int | None, message: protocol.Plan) -> None:
        before = self._target
        for name in message.nodes:
            self._project.graph.node(name)
        names = message.nodes
        if len(names) == 1 and message.script is None:
            names = way_there(self._project.graph, names[0], self._preview())
        self._target = _Target(list(names), message.script, message.cycles)
        try:
            self._segments()
        except CtrlGraphError:
            self._target = before
            raise
        if not names and message.script is None:
            self._target = _Target([self._project.graph.start])
        self._begin()
        self._dirty = True

    def _on_walk(self, page: int | None, message: protocol.Walk) -> None:
        graph = self._project.graph
        way: Any
        if message.goal is None:
            way = RandomWalk(graph, message.seed)
        else:
            way = WayToGoal(graph, message.goal, self._evidence(graph))
        self._playheads[page] = message.time
        self._follow(Queue([], way), message.time)

    def _on_stay(self, page: int | None, message: protocol.Stay) -> None:
        self._follow(Queue([], Stop()), message.time)

    def _follow(self, following: Queue, moment: float) -> None:
        live = self._live
        if live is None:
            raise CtrlGraphError("there is no motion to go on from")
        before = live.recording.copy()
        branch = live.follow(following, moment)
        if branch is not None:
            self._ghost, self._new_ghost = before, True
        self._branched(branch)

    def _on_playhead(self, page: int | None, message: protocol.Playhead) -> None:
        self._playheads[page] = message.time

    def _evidence(self, graph: ControllerGraph) -> dict[Any, EdgeEvidence]:
        """What the log has of edges, by name."""
        try:
            with self._project.read_log() as log:
                measured = {(e.source, e.target, e.kind): e.success for e in log.statistics().edges}
        except CtrlGraphError:
            return {}
        found = {}
        for edge in graph.edges:
            rate = measured.get((edge.source, edge.target, edge.kind.value))
            if rate is not None:
                mean = rate.mean_s if math.isfinite(rate.mean_s) else 0.0
                found[edge] = EdgeEvidence(rate.attempts, rate.successes, mean)
        return found

    # --- variants ---

    def _on_keep(self, page: int | None, message: protocol.Keep) -> None:
        if self._live is None:
            return
        if len(self._variants) >= MAX_VARIANTS:
            raise CtrlGraphError(f"{MAX_VARIANTS} variants are kept already; drop one first")
        drafts = {name: script.text for name, script in self._scripts.opened().items() if not script.saved}
        number, self._next_variant = self._next_variant, self._next_variant + 1
        label = message.label or f"variant {number}"
        variant = _Variant(number, label, drafts, self._settings, self._live.recording.copy())
        self._variants.append(variant)
        self._tell(
            [self._variants_told(), *self._motion(variant.recording, f"variant:{number}", self._terrain)], None, False
        )
        self._dirty = True

    def _on_restore(self, page: int | None, message: protocol.Variant) -> None:
        variant = self._variant(message.variant)
        began = time.perf_counter()
        changed = []
        for name, script in self._scripts.opened().items():
            text = variant.drafts.get(name, script.on_disk)
            if text != script.text:
                self._scripts.put(name, text, script.revision)
                self._programs.revise(script.path, None if script.saved else script.text)
                changed.append(name)
        self._change(variant.settings)
        self._revise()
        for name in changed:
            self._tell([self._script(name), self._findings(name, began), self._constants(name)], None, False)

    def _on_drop(self, page: int | None, message: protocol.Variant) -> None:
        self._variants.remove(self._variant(message.variant))
        self._say(self._variants_told())
        self._dirty = True

    def _variant(self, number: int) -> _Variant:
        found = next((each for each in self._variants if each.number == number), None)
        if found is None:
            raise CtrlGraphError("this variant has been dropped")
        return found

    def _variants_told(self) -> dict[str, Any]:
        return {"type": "variants", "items": [{"number": v.number, "label": v.label} for v in self._variants]}

    # --- searches ---

    def _on_search(self, page: int | None, message: protocol.Watch) -> None:
        self._search, self._search_seen = message.path, (0.0, 0)
        if self._beside is not None:
            self._beside.close()
            self._beside = None
        if message.path is None:
            files = searches.checkpoints(self._project.directory)
            self._say({"type": "searches", "files": files, "watched": None})
        else:
            self._look_at_search()

    def _look_at_search(self) -> None:
        """Tell how the search that is watched has gone on, and let its best so far move beside the present motion."""
        self._search_looked = time.monotonic()
        assert self._search is not None
        try:
            status = contained(self._project.directory, self._search).stat()
            seen = status.st_mtime, status.st_size
            if seen == self._search_seen:
                return
            self._search_seen = seen
            progress = searches.read_progress(self._project.directory, self._search)
        except (OSError, CtrlGraphError) as error:
            said = (
                str(error)
                if isinstance(error, CtrlGraphError)
                else f"{self._search} cannot be watched: it is not there"
            )
            self._search = None
            self._say({"type": "told", "kind": "error", "told": said})
            return
        self._say({"type": "search", "path": self._search, "progress": progress.as_dict()})
        if progress.values:
            self._move_beside(progress.values)

    def _move_beside(self, values: dict[str, float]) -> None:
        if self._beside is not None:
            self._beside.close()
        programs = Programs(self._project)
        programs.set_values(values)
        first, *others = self._segments()
        self._beside = LiveSimulation(
            self._project, programs, World(self._terrain, self._engine), first, Queue(others, Stop())
        )
        self._encoders.pop("search", None)

    def _first_script(self) -> str | None:
        """The script that a page shows first: that of the last node of the target."""
        if self._target.script is not None:
            return self._target.script
        node = self._project.graph.node(self._target.names[-1])
        return node.file if node.file in self._scripts.names() else None

    # --- what survives ---

    def _save_state(self) -> None:
        self._dirty, self._remembered_at = False, time.monotonic()
        opened = self._scripts.opened().items()
        self._remember(
            Remembered(
                names=self._target.names,
                script=self._target.script,
                cycles=self._target.cycles,
                drafts={name: Draft(text=s.text, digest=s.digest) for name, s in opened if not s.saved},
                values=dict(self._settings.values),
                events=[told_event(event) for event in self._settings.events],
                variants=[
                    KeptVariant(
                        number=v.number,
                        label=v.label,
                        drafts=v.drafts,
                        values=dict(v.settings.values),
                        events=[told_event(event) for event in v.settings.events],
                    )
                    for v in self._variants
                ],
            )
        )

    def _recall(self, state: Remembered, *, asked: bool) -> None:
        """Go on with what was remembered, so far as it still fits the project."""
        graph = self._project.graph
        if not asked and (state.names or state.script) and all(name in graph for name in state.names):
            self._target = _Target(list(state.names), state.script, state.cycles)
            try:
                self._segments()
            except CtrlGraphError:
                self._target = _Target([graph.start])
        for name, draft in state.drafts.items():
            try:
                script = self._scripts.get(name)
                self._scripts.put(name, draft.text, script.revision)
                self._programs.revise(script.path, script.text)
            except CtrlGraphError:
                continue
        try:
            events = tuple(event_of(entry) for entry in state.events[:MAX_EVENTS])
        except (TypeError, ValueError, KeyError):
            events = ()
        self._settings = _Settings(tuple(sorted(state.values.items())), events)
