"""The live page of a project: session, server and address."""

from __future__ import annotations

import contextlib
import secrets
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page import access
from ctrlgraph.live_page.graph_panel import graph_panel_in_process
from ctrlgraph.live_page.saved_state import SavedState, read_saved_state, saved_state_path, write_saved_state
from ctrlgraph.live_page.server import LiveServer, open_listener, runner
from ctrlgraph.live_page.session import Session
from ctrlgraph.live_page.workspace import SendItems

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project


@dataclass(frozen=True)
class LivePage:
    """A page that is ready to be served."""

    address: str
    """Address with the token, for the browser."""
    names: tuple[str, ...]
    """Nodes or script that are edited."""
    server: LiveServer
    listener: socket.socket
    warnings: tuple[str, ...] = ()
    """Sentences for the terminal."""


def open_live_page(
    project: Project,
    names: Sequence[str] = (),
    *,
    port: int = 0,
    terrain: str = "flat",
    friction: float = 1.0,
    forget: bool = False,
    report: Callable[[str], None] = lambda _: None,
) -> LivePage:
    """Open the live page of a script or of nodes. Its socket is already listening.

    Args:
        project: Project whose scripts are edited.
        names: Nodes in order, or the path of a script; empty for the node or script that was edited last.
        port: Port on this machine; 0 for the port of the last session or any free port.
        terrain: Description of the initial terrain.
        friction: Friction of the initial terrain.
        forget: Ignore the state of the last session.
        report: Prints a sentence in the terminal if the server cannot send an item.

    Raises:
        CtrlGraphError: If the project has no such node or script, or the port is taken.
        SourceError: If the project has errors.
    """
    file = saved_state_path(project.directory)
    warnings: list[str] = []
    saved = SavedState() if forget else read_saved_state(file, warnings.append)
    listener = open_listener(port, wanted=saved.port)
    token, number = saved.token or secrets.token_urlsafe(24), int(listener.getsockname()[1])
    identity = {"token": token, "port": number}

    def save(state: SavedState) -> None:
        with contextlib.suppress(CtrlGraphError):  # reported at the first attempt
            write_saved_state(file, state.model_copy(update=identity))

    try:

        def make_session(send: SendItems) -> Session:
            return Session(project, names, send, terrain=terrain, friction=friction, saved_state=saved, save=save)

        at_start = partial(graph_panel_in_process, project.directory)
        server = LiveServer(make_session, token, number, _watched_directories(project), at_start, report)
    except BaseException:
        listener.close()
        raise
    try:
        write_saved_state(file, saved.model_copy(update=identity))
    except CtrlGraphError as error:
        warnings.append(str(error))
    address = f"http://{access.HOST}:{number}/#{token}"
    return LivePage(address, tuple(server.session.names), server, listener, tuple(warnings))


def serve_live_page(page: LivePage) -> bool:
    """Serve a page until Ctrl-C.

    Returns:
        Whether all threads have ended. A compiling thread would block the interpreter's exit.
    """
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises KeyboardInterrupt again after the shutdown
        runner(page.server).run(sockets=[page.listener])
    return page.server.has_stopped


def _watched_directories(project: Project) -> list[Path]:
    """Return the script directories inside the project; links that leave it are skipped."""
    inside = project.directory.resolve()
    return [root for root in project.library.roots if root.resolve().is_relative_to(inside)]
