"""A session: what the pages of a server work on together. Its thread alone touches project and simulation.

Pages say what they want through `post`, from any thread; what they are told goes out through `tell`. Between two
pieces of the motion the session sees to what has been said, so that nothing waits for a motion to end.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph import compilation
from ctrlgraph.engine.engine import ENGINES
from ctrlgraph.errors import CtrlGraphError, SourceError, printable
from ctrlgraph.web.clients import Item
from ctrlgraph.web.motion_commands import MotionCommands
from ctrlgraph.web.saved_state import remembered_of, take_up
from ctrlgraph.web.script_commands import ScriptCommands
from ctrlgraph.web.scripts import Conflict
from ctrlgraph.web.search_commands import SearchCommands
from ctrlgraph.web.setting_commands import SettingCommands
from ctrlgraph.web.state_file import Remembered
from ctrlgraph.web.undo_commands import UndoCommands
from ctrlgraph.web.variant_commands import VariantCommands
from ctrlgraph.web.workspace import Tell, Workspace

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

_REMEMBER_EVERY_S = 0.5


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
        self._remember, self._remembered_at = remember, 0.0
        self._workspace = at = Workspace(project, names, tell, terrain, friction)
        self._scripts, self._settings, self._motions = ScriptCommands(at), SettingCommands(at), MotionCommands(at)
        self._undoing, self._searches = UndoCommands(at, self._scripts), SearchCommands(at)
        self._variants = VariantCommands(at, self._scripts)
        self._commands: queue.SimpleQueue[tuple[int | None, Any, Callable[[], None]]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="session", daemon=True)
        self._graph_told: dict[str, Any] | None = None
        self._compiling = False
        take_up(at, remembered or Remembered(), asked=bool(names))

    # --- from other threads ---

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def post(self, page: int | None, message: Any, done: Callable[[], None] = lambda: None) -> None:
        """Say something: a message of the protocol, "join", "left", "stop", or the path of a file that has changed.

        Args:
            done: called once it has been seen to.
        """
        self._commands.put((page, message, done))

    def stop(self, timeout: float = 10.0) -> bool:
        """Stop working, and remember what is to be remembered.

        Returns:
            whether it has stopped: a compilation cannot be broken off, and is not waited for.
        """
        self.post(None, "stop")
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
        target = self._workspace.target
        return [*target.names, *([target.script] if target.script else [])]

    # --- the thread ---

    def _work(self) -> None:
        at = self._workspace
        with compilation.watched(self._tell_compiling):
            try:
                self._safely(at.begin)
                while self._obey():
                    self._safely(self._go_on)
            finally:
                self._save_state()
                at.stage.close()
                at.variants.close()

    def _safely(self, act: Callable[[], None], page: int | None = None) -> None:
        """Do something, and tell a page (all of them where None) what came in between: the session goes on in any
        case."""
        complain = self._workspace.complain
        try:
            act()
        except SourceError as error:
            complain(error.findings[0].render().splitlines()[0], page)
        except CtrlGraphError as error:
            complain(str(error), page)
        except Exception as error:
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            complain(f"a fault in ctrlgraph itself: {printable(what)}; please report it", page)

    def _tell_compiling(self, now: bool) -> None:
        self._compiling = now
        self._workspace.tell([{"type": "compiling", "now": now}], None, True)

    def _obey(self) -> bool:
        """Do what has been said; False where that was to stop. Waits for something where nothing else is to be done."""
        while True:
            try:
                if self._has_work():
                    page, message, done = self._commands.get_nowait()
                else:
                    page, message, done = self._commands.get(timeout=self._longest_wait())
            except queue.Empty:
                self._safely(self._look_after)
                return True
            if isinstance(message, str) and message == "stop":
                return False
            self._safely(partial(self._answer, page, message), page)
            done()

    def _answer(self, page: int | None, message: Any) -> None:
        at = self._workspace
        try:
            self._do(page, message)
        except Conflict as conflict:
            name = conflict.name
            self._scripts.file_changed(at.scripts.get(name).path)  # what its file is now
            at.say({"type": "conflict", "path": name, "told": str(conflict), "text": conflict.text}, to=page)
            at.tell_script(name, page)

    def _longest_wait(self) -> float | None:
        """How long nothing is to be done, s; None: until something is said."""
        if self._scripts.due_in is not None:
            return self._scripts.due_in
        return _REMEMBER_EVERY_S if self._workspace.dirty or self._searches.panel.path else None

    def _do(self, page: int | None, message: Any) -> None:
        if isinstance(message, Path):
            self._scripts.file_changed(message)
        elif isinstance(message, dict):
            self._graph_told = message
            self._workspace.say({"type": "graph", "graph": message})
        elif message == "join":
            self._welcome(page)
        elif message == "left":
            self._motions.on_left(page)
        else:
            self._commanded(message.type)(page, message)

    def _commanded(self, name: str) -> Callable[[int | None, Any], None]:
        """What does a message of a type."""
        for commands in self._groups():
            act: Callable[[int | None, Any], None] | None = getattr(commands, f"on_{name}", None)
            if act is not None:
                return act
        raise AttributeError(name)

    def _groups(self) -> tuple[Any, ...]:
        return self._scripts, self._settings, self._undoing, self._motions, self._variants, self._searches

    def _has_work(self) -> bool:
        return (
            self._scripts.is_due
            or self._motions.is_due
            or self._is_beside_due()
            or self._workspace.variants.is_any_to_make
        )

    def _is_beside_due(self) -> bool:
        beside = self._workspace.stage.beside
        return beside is not None and beside.ended is None

    def _go_on(self) -> None:
        """Simulate a piece."""
        at = self._workspace
        if self._scripts.is_due:
            self._scripts.follow()
        elif self._motions.is_due:
            if at.stage.advance():
                at.tell_state()
        elif self._is_beside_due():
            at.stage.advance_beside()
        elif at.variants.is_any_to_make:
            self._variants.make()

    def _look_after(self) -> None:
        """What is to be done now and then."""
        if self._workspace.dirty and time.monotonic() - self._remembered_at >= _REMEMBER_EVERY_S:
            self._save_state()
        if self._searches.panel.is_due:
            self._searches.look()

    def _save_state(self) -> None:
        self._workspace.dirty, self._remembered_at = False, time.monotonic()
        self._remember(remembered_of(self._workspace))

    def _welcome(self, page: int | None) -> None:
        """Tell a page that joins everything."""
        at = self._workspace
        project, stage = at.project, at.stage
        items: list[Item] = [
            {
                "type": "welcome",
                "page": page,
                "project": project.directory.resolve().name,
                "character": project.character.name,
                "engines": list(ENGINES.names),
                "nodes": [{"name": n.name, "static": n.is_static, "script": n.file} for n in project.graph],
                "scripts": at.scripts.names(),
                "drafts": [name for name, script in at.scripts.opened().items() if not script.saved],
            },
            at.state(),
        ]
        items += stage.for_newcomer(at.terrain)
        items.append(at.variants.told())
        for variant in at.variants.items:
            if variant.recording is not None:
                items += stage.motion(variant.recording, variant.name, at.terrain)
        if self._graph_told is not None:
            items.append({"type": "graph", "graph": self._graph_told})
        items.append(self._searches.panel.told())
        at.tell(items, page, True)
