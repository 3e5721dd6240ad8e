"""A live page of the small project, served by a thread or by a process of its own."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from waiting import PATIENCE_S

from ctrlgraph.project.project import Project

for package in ("starlette", "uvicorn", "watchfiles", "websockets", "httpx"):
    pytest.importorskip(package)


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a state directory of its own for each test."""
    state = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    return state


@pytest.fixture(autouse=True)
def relaxed_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Relax the time limits, which a busy machine may exceed. Tests of the limits set their own."""
    from ctrlgraph.live_page import server

    monkeypatch.setattr(server, "HELLO_TIMEOUT_S", PATIENCE_S)
    monkeypatch.setattr(server, "UNREAD_TIMEOUT_S", PATIENCE_S)


@pytest.fixture(autouse=True)
def graph_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay out the small graph in this process."""
    from ctrlgraph.live_page.graph_panel import graph_panel

    target = "ctrlgraph.live_page.live_page.graph_panel_in_process"
    monkeypatch.setattr(target, lambda directory: graph_panel(Project(directory)))


class Messages:
    """The messages of a session in order; samples have their data."""

    def __init__(self) -> None:
        self._items: queue.Queue[tuple[Any, int | None]] = queue.Queue()
        self.all: list[dict[str, Any]] = []

    def __call__(self, items: Sequence[Any], to: int | None, joins: bool) -> None:
        for item in items:
            self._items.put((item, to))

    def until(self, type: str, **having: Any) -> dict[str, Any]:
        """Return the next message of a type that has these entries."""
        while True:
            item, to = self._items.get(timeout=PATIENCE_S)
            if isinstance(item, bytes):
                self.all[-1]["data"] = item
                continue
            message = {**json.loads(json.dumps(item)), "to": to}
            self.all.append(message)
            if message["type"] == type and all(message.get(name) == value for name, value in having.items()):
                return message

    def until_ended(self) -> dict[str, Any]:
        """Return the state in which the motion has ended."""
        while True:
            state = self.until("state")
            if state["ended"] is not None:
                return state


@pytest.fixture
def open_session(small: Project) -> Iterator[Callable[..., tuple[Any, Messages]]]:
    """Open sessions of the small project, or of another `project`, which stop after the test."""
    from ctrlgraph.live_page.session import Session

    with ExitStack() as stack:

        def opened(*names: str, project: Project = small, **more: Any) -> tuple[Any, Messages]:
            messages = Messages()
            session = Session(project, names, messages, **more)
            session.start()
            stack.callback(session.stop)
            return session, messages

        yield opened


@pytest.fixture
def open_live(small: Project) -> Iterator[Callable[..., str]]:
    """Open live pages of nodes of the small project, each served by a thread; return the address."""
    from ctrlgraph.live_page.live_page import open_live_page

    with ExitStack() as stack:

        def opened(*names: str) -> str:
            page = open_live_page(small, names)
            stack.enter_context(_in_thread(page))
            return page.address

        yield opened


@pytest.fixture
def live(open_live: Callable[..., str]) -> str:
    """Return the address of a live page of a stand, a squat and a stand."""
    return open_live("stand", "squat", "stand")


@pytest.fixture
def in_thread() -> Callable[[Any], AbstractContextManager[None]]:
    """Return a context manager that serves a live page in a thread."""
    return _in_thread


@contextmanager
def _in_thread(page: Any) -> Iterator[None]:
    """Serve a live page in a thread."""
    from ctrlgraph.live_page.server import runner

    running = runner(page.server)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [page.listener]})
    thread.start()
    try:
        yield
    finally:
        running.should_exit = True
        thread.join()


class Served:
    """`ctrlgraph edit` in a separate process."""

    def __init__(self, directory: Path, *arguments: str, browser: str = "") -> None:
        self.directory, self._arguments, self._browser = directory, arguments, browser
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "ctrlgraph", "--project", str(self.directory), "edit"]
        if not self._browser:
            command.append("--no-browser")
        self.process = subprocess.Popen(
            [*command, *self._arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "BROWSER": self._browser},
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.match(r"(http://127\.0\.0\.1:\d+/#\S+)", line)
            if found is not None:
                self.address = found[1]
                return
        raise AssertionError("it has not printed its address")

    def kill(self) -> None:
        """End it as a crash does."""
        self.process.kill()
        self.process.communicate()

    def interrupt(self) -> int:
        """End it by Ctrl-C; returns its exit code."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode


@pytest.fixture
def serve(small: Project) -> Iterator[Callable[..., Served]]:
    """Start `ctrlgraph edit` in the small project."""
    served: list[Served] = []

    def start(*arguments: str, browser: str = "") -> Served:
        served.append(Served(small.directory, *arguments, browser=browser))
        return served[-1]

    yield start
    for each in served:
        each.kill()
