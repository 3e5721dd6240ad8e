"""The live page of a project: session, server and address put together."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.web import trust
from ctrlgraph.web.graph_panel import graph_panel_elsewhere
from ctrlgraph.web.server import LiveServer, listening, runner
from ctrlgraph.web.session import Session
from ctrlgraph.web.state_file import Remembered, recall, remember, state_path
from ctrlgraph.web.workspace import Tell

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project


@dataclass(frozen=True)
class LivePage:
    """A page that is about to be served.

    address: what a browser opens, with the token; names: what is edited; warnings: sentences for whoever started it.
    """

    address: str
    names: tuple[str, ...]
    server: LiveServer
    listener: socket.socket
    warnings: tuple[str, ...] = ()


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
    """Return the page of a script or of nodes of a project, listening already.

    Args:
        names: the path of a script, or nodes one after another; what was edited last where there are none.
        port: where it listens on this machine; that of the last time, or any that is free, where 0.
        terrain: in words; friction: of the ground.
        forget: take nothing from the last time.
        report: gets a sentence for the terminal where the server cannot send something.

    Raises:
        CtrlGraphError: the project has no such node or script, or the port is taken.
        SourceError: the project has faults.
    """
    file = state_path(project.directory)
    warnings: list[str] = []
    before = Remembered() if forget else recall(file, warnings.append)
    listener = listening(port, wanted=before.port)
    token, number = before.token or trust.new_token(), int(listener.getsockname()[1])
    identity = {"token": token, "port": number}

    def keep(state: Remembered) -> None:
        with contextlib.suppress(CtrlGraphError):  # said when it was tried first
            remember(file, state.model_copy(update=identity))

    try:

        def make(tell: Tell) -> Session:
            return Session(project, names, tell, terrain=terrain, friction=friction, remembered=before, remember=keep)

        at_start = partial(graph_panel_elsewhere, project.directory)
        server = LiveServer(make, token, number, _watched(project), at_start, report)
    except BaseException:
        listener.close()
        raise
    try:
        remember(file, before.model_copy(update=identity))
    except CtrlGraphError as error:
        warnings.append(str(error))
    address = f"http://{trust.HOST}:{number}/#{token}"
    return LivePage(address, tuple(server.session.names), server, listener, tuple(warnings))


def serve_live_page(page: LivePage) -> bool:
    """Serve a page until Ctrl-C.

    Returns:
        whether all threads have ended; one that compiles goes on, and the interpreter would wait for it.
    """
    with contextlib.suppress(KeyboardInterrupt):  # which is told again once everything has been put away
        runner(page.server).run(sockets=[page.listener])
    return page.server.is_at_rest


def _watched(project: Project) -> list[Path]:
    """The directories in which scripts are saved; one that is a link out of the project is not watched."""
    inside = project.directory.resolve()
    return [root for root in project.library.roots if root.resolve().is_relative_to(inside)]
