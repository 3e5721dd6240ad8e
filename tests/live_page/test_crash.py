"""A server that is killed or flooded: files are the old or the new ones, and memory is bounded."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from live_socket import socket_page
from waiting import PATIENCE_S, until

from ctrlgraph.live_page import clients, protocol
from ctrlgraph.live_page.script_commands import ScriptCommands
from ctrlgraph.project.project import Project

SQUAT, KNEE = "controllers/squat.t", "squat.t/0/LIPOSE rKnee/angle"
DIES = """
import os, pathlib, signal

def dying(name, path):
    return "squat" in pathlib.Path(path).name and name in {names!r} and os.kill(os.getpid(), signal.SIGKILL)

write_text, replace = pathlib.Path.write_text, pathlib.Path.replace

def half(self, text, *more, **named):
    if "squat" in self.name and "half" in {names!r}:
        write_text(self, text[:len(text) // 2], *more, **named)
        dying("half", self)
    return write_text(self, text, *more, **named)

def replaced(self, target):
    dying("before", target)
    found = replace(self, target)
    dying("after", target)
    return found

pathlib.Path.write_text, pathlib.Path.replace = half, replaced
"""


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["half", "before", "after"])
def test_killing_the_server_during_a_write_leaves_the_old_or_the_new_file(
    serve: Callable[..., Any], small: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    from websockets.exceptions import ConnectionClosed

    injected = tmp_path / "injected"
    injected.mkdir()
    (injected / "sitecustomize.py").write_text(DIES.format(names=(moment,)))
    path = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(injected), path))))
    file = small.directory / SQUAT
    before = file.read_text()
    served = serve("stand", "squat")
    with socket_page(served.address) as page:
        page.say(type="open", path=SQUAT)
        digest = page.until("script")["digest"]
        page.say(type="write", files={SQUAT: {"values": {KNEE: 1.5}, "digest": digest}})
        with pytest.raises(ConnectionClosed):
            page.until("written")
    assert served.process.wait(timeout=PATIENCE_S) < 0
    after = before.replace("rKnee(2)", "rKnee(1.5)", 1)
    assert after != before and file.read_text() == (after if moment == "after" else before)
    monkeypatch.setenv("PYTHONPATH", path)
    served.process.communicate()
    served.start()
    with socket_page(served.address) as page:  # the next server ignores temporary files
        welcome = page.until("welcome")
    assert sorted(welcome["scripts"]) == sorted(
        f"controllers/{each}.t" for each in ("spring", "squat", "stand", "straighten")
    )


def test_reading_from_a_page_stops_at_the_limit_of_unanswered_messages(
    live: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading resumes after the session has answered. A session that compiles for a minute answers nothing."""
    monkeypatch.setattr(clients, "MAX_UNANSWERED", 5)
    seen, goes_on = [], threading.Event()

    def slow(self: ScriptCommands, page: int | None, message: protocol.Open) -> None:
        seen.append(message)
        goes_on.wait(PATIENCE_S)

    monkeypatch.setattr(ScriptCommands, "on_open", slow)
    taken = []
    count = clients.Client.request_received
    monkeypatch.setattr(clients.Client, "request_received", lambda self, size: (taken.append(size), count(self, size)))
    # a page with unread messages does not answer the closing handshake, and the server does not wait for it
    with socket_page(live) as page:
        page.until("welcome")
        for _ in range(40):
            page.say(type="open", path=SQUAT)
        until(lambda: len(seen) == 1 and len(taken) == 5)
        time.sleep(0.3)  # the others stay in the socket
        assert len(seen) == 1 and len(taken) == 5
        goes_on.set()
        until(lambda: len(seen) == 40)
