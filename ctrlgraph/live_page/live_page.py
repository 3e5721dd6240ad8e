"""Opening and serving the live page of a project."""

from __future__ import annotations

import contextlib
import secrets
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page import access
from ctrlgraph.live_page.graph_panel import graph_panel_in_process
from ctrlgraph.live_page.plan_protocol import parse_plan_message
from ctrlgraph.live_page.plan_session import PlanSession
from ctrlgraph.live_page.play_commands import Play
from ctrlgraph.live_page.saved_state import SavedState, read_saved_state, saved_state_path, write_saved_state
from ctrlgraph.live_page.server import LiveServer, open_listener, page_files, plan_page_files, runner
from ctrlgraph.live_page.session import Session
from ctrlgraph.live_page.workspace import SendItems

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project


@dataclass(frozen=True)
class LivePage:
    """A live page that is ready to be served by `serve_live_page`."""

    address: str
    """Address for the browser, with the token (secret text) that gives access."""
    names: tuple[str, ...]
    """Names of the nodes and the script that the page shows."""
    server: LiveServer
    """Web server of the page."""
    listener: socket.socket
    """Network socket that listens for connections."""
    warnings: tuple[str, ...] = ()
    """Warnings to print in the terminal."""


def open_live_page(
    project: Project,
    names: Sequence[str] = (),
    *,
    port: int = 0,
    terrain: str = "flat",
    friction: float = 1.0,
    forget: bool = False,
    play: Play | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> LivePage:
    """Create the live page of a script or of nodes. `serve_live_page` then serves it.

    Args:
        project: Project whose scripts are edited.
        names: Names of nodes in order, or the path of a script. Empty: the nodes and script of the last session.
        port: Port on this machine. 0: the port of the last session or, if that port is taken, any free port.
        terrain: Terrain at the beginning of motions, as text such as "slope=4".
        friction: Friction coefficient of this terrain.
        forget: True: ignore the saved state of the last session.
        play: How a player steers the motion. Such a session saves no state and does not use the saved one. None: the
            motion is edited.
        report: Function that prints a message in the terminal. It is called if the server cannot send an item.

    Raises:
        CtrlGraphError: If a name in `names` is neither a node nor a script of the project, or `port` is taken.
        SourceError: If the project has errors.
    """
    file = saved_state_path(project.directory)
    warnings: list[str] = []
    saved = SavedState() if forget or play is not None else read_saved_state(file, warnings.append)
    listener = open_listener(port, wanted=saved.port)
    token, number = saved.token or secrets.token_urlsafe(24), int(listener.getsockname()[1])
    identity = {"token": token, "port": number}

    def save(state: SavedState) -> None:
        if play is not None:
            return
        with contextlib.suppress(CtrlGraphError):  # `open_live_page` has reported that the file cannot be written
            write_saved_state(file, state.model_copy(update=identity))

    try:

        def make_session(send: SendItems) -> Session:
            return Session(
                project, names, send, terrain=terrain, friction=friction, saved_state=saved, save=save, play=play
            )

        at_start = None if play is not None else partial(graph_panel_in_process, project.directory)
        dimensions = 3 if isinstance(project.character, SpatialCharacter) else 2
        watched = _watched_directories(project) if play is None else []
        mode = "edit" if play is None else "play"
        served = page_files(dimensions, mode)
        server = LiveServer(make_session, token, number, watched, at_start, report, served=served)
    except BaseException:
        listener.close()
        raise
    try:
        if play is None:
            write_saved_state(file, saved.model_copy(update=identity))
    except CtrlGraphError as error:
        warnings.append(str(error))
    address = f"http://{access.HOST}:{number}/#{token}"
    return LivePage(address, tuple(server.session.names), server, listener, tuple(warnings))


def open_plan_page(
    robot: str, port: int = 0, report: Callable[[str], None] = lambda _: None, directory: Path | None = None
) -> LivePage:
    """Create the page on which a planned robot is steered. `serve_live_page` then serves it.

    Args:
        robot: Name of the robot.
        port: Port on this machine. 0: any free port.
        report: Function that prints a message in the terminal.
        directory: Directory in which motions are logged. None: nothing is logged.

    Raises:
        CtrlGraphError: If `port` is taken.
    """
    listener = open_listener(port)
    token, number = secrets.token_urlsafe(24), int(listener.getsockname()[1])
    try:
        server = LiveServer(
            partial(PlanSession, robot, directory=directory),
            token,
            number,
            report=report,
            served=plan_page_files(),
            parse=parse_plan_message,
        )
    except BaseException:
        listener.close()
        raise
    return LivePage(f"http://{access.HOST}:{number}/#{token}", (robot,), server, listener)


def serve_live_page(page: LivePage) -> bool:
    """Serve a live page until Ctrl-C.

    Returns:
        True if the thread of the session has ended. False: the thread is compiling, and Python cannot exit normally.
    """
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises KeyboardInterrupt again after the shutdown
        runner(page.server).run(sockets=[page.listener])
    return page.server.has_stopped


def _watched_directories(project: Project) -> list[Path]:
    """Return the script directories of a project. Links that lead out of the project are skipped."""
    inside = project.directory.resolve()
    return [root for root in project.library.roots if root.resolve().is_relative_to(inside)]
