"""A session of the live page: the motion and the scripts that all connected pages share.

The session has its own thread, and only this thread uses the project and the simulation. Other threads pass commands of
pages to the session by `Session.post`. The session sends messages and motions to pages by the function `send`. It
simulates the motion in short pieces and executes commands between two pieces, so that no command has to wait for the
end of the motion.
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
from ctrlgraph.live_page import protocol
from ctrlgraph.live_page.clients import Item
from ctrlgraph.live_page.motion_commands import MotionCommands, SettingCommands
from ctrlgraph.live_page.play_commands import Play, PlayCommands
from ctrlgraph.live_page.saved_state import SavedState
from ctrlgraph.live_page.script_commands import ScriptCommands
from ctrlgraph.live_page.scripts import Conflict
from ctrlgraph.live_page.steering import SteeringCommands, steered_nodes
from ctrlgraph.live_page.variants import VariantCommands
from ctrlgraph.live_page.workspace import SendItems, Workspace

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

_SAVE_INTERVAL_S = 0.5


class Session:
    """A session of the live page: a thread that executes the commands of pages and simulates the motion.

    Args:
        project: Project whose scripts are edited.
        names: Names of nodes in order, or the path of a script. Empty: the nodes and script of the last session or,
            without a saved state, the start node.
        send: Function that sends items to pages.
        terrain: Terrain at the beginning of motions, as text such as "slope=4".
        friction: Friction coefficient of this terrain.
        saved_state: State of the last session. None: there is no saved state.
        save: Function that saves the state of this session.
        play: Environment in which a player steers the motion. None: the motion is edited.

    Attributes:
        is_compiling: True if the session is compiling and cannot execute commands.
    """

    def __init__(
        self,
        project: Project,
        names: Sequence[str],
        send: SendItems,
        *,
        terrain: str = "flat",
        friction: float = 1.0,
        saved_state: SavedState | None = None,
        save: Callable[[SavedState], None] = lambda state: None,
        play: Play | None = None,
    ) -> None:
        self._save, self._saved_at = save, 0.0
        self._workspace = workspace = Workspace(project, names, send, terrain, friction)
        self._scripts, self._motions = ScriptCommands(workspace), MotionCommands(workspace)
        self._variants = VariantCommands(workspace, self._scripts)
        self._player = None if play is None else PlayCommands(workspace, play)
        self._command_groups: tuple[object, ...] = (
            (self._scripts, SettingCommands(workspace), self._motions, self._variants, SteeringCommands(workspace))
            if self._player is None
            else (self._player,)
        )
        self._waiting = 0  # number of queued commands, without those that only report the time that a page shows
        self._lock = threading.Lock()
        if workspace.played is not None:
            workspace.played.interrupt(lambda: self._waiting > 0)
        self._commands: queue.SimpleQueue[tuple[int | None, Any, Callable[[], None]]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="session", daemon=True)
        self._graph_message: dict[str, Any] | None = None
        self.is_compiling = False
        workspace.restore(saved_state or SavedState(), restore_target=not names)

    # --- from other threads ---

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def post(self, page: int | None, message: Any, done: Callable[[], None] = lambda: None) -> None:
        """Add a command to the queue of the session. Any thread can call this method.

        Args:
            page: Number of the page that has sent the command. None: the command is not from a page.
            message: The command. It is a message of `live_page.protocol`; "join" if a page has connected, "left" if it
                has disconnected; "stop" to end the session; the data of the graph's picture (see `graph_panel`); or
                the path of a file that another program has changed.
            done: Called after the command has been executed.
        """
        self._count(message, 1)
        self._commands.put((page, message, done))

    def _count(self, message: Any, by: int) -> None:
        if not isinstance(message, protocol.Playhead):
            with self._lock:
                self._waiting += by

    def stop(self, timeout: float = 10.0) -> bool:
        """Stop the thread of the session, and save the state.

        The function does not wait for the end of a compilation, which cannot be interrupted.

        Args:
            timeout: Maximum time to wait for the thread, s.

        Returns:
            True if the thread has stopped.
        """
        self.post(None, "stop")
        ends = time.monotonic() + timeout
        while self._thread.is_alive() and not self.is_compiling and time.monotonic() < ends:
            self._thread.join(0.05)
        if self._thread.is_alive():
            self._save_state()
        return not self._thread.is_alive()

    @property
    def logged(self) -> list[tuple[float, str]]:
        """Return the duration, s, of each logged motion, and the command that replays it, without `ctrlgraph`."""
        summaries = [] if self._player is None else self._player.logged
        return [(each.tally.simulated_s, f"replay {each.run}") for each in summaries]

    @property
    def names(self) -> list[str]:
        """Return the names of the nodes that the motion runs in order, and then the name of the script, if any."""
        target = self._workspace.target
        return [*target.names, *([target.script] if target.script else [])]

    # --- the thread ---

    def _work(self) -> None:
        workspace = self._workspace
        with compilation.watched(self._broadcast_compiling):
            try:
                self._report_errors(workspace.begin)
                while self._process_commands():
                    self._report_errors(self._simulate_piece)
            finally:
                self._save_state()
                if self._player is not None:
                    self._report_errors(self._player.close)
                workspace.stage.close()

    def _report_errors(self, act: Callable[[], None], page: int | None = None) -> None:
        """Call a function. If it raises an error, show the error on a page. The session continues after errors.

        Args:
            act: Function to call.
            page: Number of the page that shows an error. None: all pages.
        """
        report_error = self._workspace.report_error
        try:
            act()
        except SourceError as error:
            report_error(error.findings[0].render().splitlines()[0], page)
        except CtrlGraphError as error:
            report_error(str(error), page)
        except Exception as error:
            fault = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            report_error(f"a fault in ctrlgraph itself: {printable(fault)}; please report this fault", page)

    def _broadcast_compiling(self, now: bool) -> None:
        self.is_compiling = now
        self._workspace.send([{"type": "compiling", "now": now}], None, True)

    def _process_commands(self) -> bool:
        """Execute all queued commands. If nothing is to be simulated, wait for a command.

        Returns:
            False after the command "stop", otherwise True.
        """
        workspace = self._workspace
        while True:
            try:
                if self._scripts.is_due or self._driver.is_due:
                    page, message, done = self._commands.get_nowait()
                else:
                    page, message, done = self._commands.get(timeout=self._max_wait())
            except queue.Empty:
                if workspace.dirty and time.monotonic() - self._saved_at >= _SAVE_INTERVAL_S:
                    self._save_state()
                return True
            self._count(message, -1)
            if isinstance(message, str) and message == "stop":
                return False
            self._report_errors(partial(self._execute, page, message), page)
            done()

    def _execute(self, page: int | None, message: Any) -> None:
        workspace = self._workspace
        try:
            self._dispatch(page, message)
        except Conflict as conflict:
            name = conflict.name
            self._scripts.file_changed(workspace.scripts.get(name).path)  # so that the session has the file's text
            workspace.reply({"type": "conflict", "path": name, "message": str(conflict), "text": conflict.text}, page)
            workspace.reply_script(name, page)

    @property
    def _driver(self) -> MotionCommands | PlayCommands:
        """Return the handlers that know which time of the motion the pages show."""
        return self._player or self._motions

    def _max_wait(self) -> float | None:
        """Return how long the thread may wait for a command, s. None: without limit."""
        if self._scripts.due_in is not None:
            return self._scripts.due_in
        return _SAVE_INTERVAL_S if self._workspace.dirty else None

    def _dispatch(self, page: int | None, message: Any) -> None:
        if isinstance(message, Path):
            if self._player is None:
                self._scripts.file_changed(message)
        elif isinstance(message, dict):
            self._graph_message = message
            self._workspace.broadcast({"type": "graph", "graph": message})
        elif message == "join":
            self._send_welcome(page)
        elif message == "left":
            self._driver.on_left(page)
        else:
            name = f"on_{message.type}"
            handler = next((commands for commands in self._command_groups if hasattr(commands, name)), None)
            if handler is None:
                raise CtrlGraphError(f"a motion that is played takes no message '{message.type}'")
            getattr(handler, name)(page, message)

    def _simulate_piece(self) -> None:
        """Update the motion after a change of scripts or, without a change, simulate the next piece of the motion."""
        if self._scripts.is_due:
            self._scripts.apply_changes()
        elif self._driver.is_due and self._workspace.stage.advance():
            self._workspace.broadcast_state()

    def _save_state(self) -> None:
        self._workspace.dirty, self._saved_at = False, time.monotonic()
        self._save(self._workspace.saved_state())

    def _send_welcome(self, page: int | None) -> None:
        """Send the complete state of the session to a page that has connected."""
        workspace = self._workspace
        project, stage = workspace.project, workspace.stage
        items: list[Item] = [
            {
                "type": "welcome",
                "page": page,
                "project": project.directory.resolve().name,
                "character": project.character.name,
                "engines": list(ENGINES.names),
                "nodes": [{"name": n.name, "static": n.is_static, "script": n.file} for n in project.graph],
                "steered": steered_nodes(project),
                "play": None if self._player is None else self._player.nodes(),
                "scripts": [] if self._player is not None else workspace.scripts.names(),
                "drafts": [name for name, script in workspace.scripts.opened().items() if not script.saved],
            },
            workspace.state(),
        ]
        items += stage.join_messages(workspace.terrain)
        items += self._variants.join_messages()
        if self._graph_message is not None:
            items.append({"type": "graph", "graph": self._graph_message})
        workspace.send(items, page, True)
