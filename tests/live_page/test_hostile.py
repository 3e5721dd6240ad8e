"""Damaged or hostile projects and saved states: each error is one sentence."""

from __future__ import annotations

import asyncio
import errno
import json
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from session_page import SessionPage
from waiting import PATIENCE_S

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page import protocol
from ctrlgraph.live_page.clients import as_json
from ctrlgraph.live_page.live_page import open_live_page
from ctrlgraph.live_page.saved_state import saved_state_path
from ctrlgraph.live_page.scripts import Scripts
from ctrlgraph.live_page.watching import changes, watched_directories
from ctrlgraph.project.project import Project

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it prefers another HTTP package
    from starlette.testclient import TestClient

SQUAT = "controllers/squat.t"


def test_messages_contain_only_finite_numbers() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json({"cost": float("nan")})


def test_an_internal_error_is_reported_and_the_session_continues(open_session: Callable[..., tuple[Any, Any]]) -> None:
    session, messages = open_session("stand")
    session.post(None, "no such request")
    sentence = messages.until("notice")["message"]
    assert sentence.startswith("a fault in ctrlgraph itself: AttributeError: ") and "\n" not in sentence
    session.post(7, "join")
    assert messages.until("welcome")["to"] == 7
    messages.until_ended()


def test_a_value_is_not_written_at_the_position_of_an_older_text(
    open_session: Callable[..., tuple[Any, Any]], small: Project
) -> None:
    page = SessionPage(*open_session("stand", "squat"))
    messages, said = page.messages, page.say
    messages.until("branch")
    file, name = small.directory / SQUAT, "squat.t/0/LIPOSE rKnee/angle"

    said(type="open", path=SQUAT)
    script = messages.until("script")
    lines = script["text"].split("\n")
    at = next(i for i, line in enumerate(lines) if "rKnee(" in line)
    text = "\n".join([*lines[:at], lines[at].replace("rKnee(", "rWrist("), "POSE tail(0, 1, 1);", *lines[at:]])
    said(type="edit", path=SQUAT, text=text, base=script["revision"])
    found = messages.until("findings", revision=script["revision"] + 1)["findings"]
    assert any("tail" in each["message"] for each in found)
    said(type="save", path=SQUAT, digest=script["digest"])
    digest = messages.until("script", saved=True)["digest"]
    said(type="write", files={SQUAT: {"values": {name: 1.5}, "digest": digest}})
    assert messages.until("notice")["message"].startswith(f"the motion still runs an earlier version of {SQUAT}")
    assert file.read_text() == text
    text = text.replace("POSE tail(0, 1, 1);", "")
    said(type="edit", path=SQUAT, text=text, base=script["revision"] + 1)
    said(type="save", path=SQUAT, digest=digest)
    digest = messages.until("script", text=text, saved=True)["digest"]
    said(type="write", files={SQUAT: {"values": {name: 1.5}, "digest": digest}})
    messages.until("written")
    assert file.read_text().split("\n")[at + 2].count("rKnee(1.5)") == 1


def test_links_are_not_followed_when_scripts_are_watched_and_new_directories_are_watched_too(
    small: Project, tmp_path: Path
) -> None:
    outside, root = tmp_path / "outside" / "below", small.directory / "controllers"
    outside.mkdir(parents=True)
    (root / "link").symlink_to(outside.parent)
    (root / "loop").symlink_to(root)
    assert watched_directories([root]) == [root]

    new, seen = root / "new", set[Path]()

    async def touch() -> None:
        while True:  # until watching has begun
            if new not in seen and new.is_dir():
                new.rmdir()
            new.mkdir(exist_ok=True)
            if new in seen:
                (outside / "a.t").write_text(str(time.monotonic()))
                (new / "b.t").write_text(str(time.monotonic()))
            await asyncio.sleep(0.1)

    async def watch() -> None:
        touching = asyncio.ensure_future(touch())
        async with aclosing(changes([root], asyncio.Event())) as watching:
            async for found in watching:
                seen.update(found)
                if new / "b.t" in seen:
                    break
        touching.cancel()

    with ThreadPoolExecutor() as threads:  # this thread may have the event loop of a browser
        threads.submit(asyncio.run, watch()).result(timeout=PATIENCE_S)
    assert seen == {new, new / "b.t"}


def test_the_number_of_watched_directories_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctrlgraph.live_page.watching.MAX_DIRECTORIES", 5)
    for number in range(9):
        (tmp_path / str(number)).mkdir()
    assert len(watched_directories([tmp_path])) == 5


def test_the_end_of_watching_is_reported(small: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "ctrlgraph.live_page.watching.watched_directories", lambda roots: [small.directory / "graph.yaml" / "x"]
    )
    page = open_live_page(small, ["stand"])
    page.listener.close()
    origin = f"http://127.0.0.1:{page.server.port}"
    with (
        TestClient(page.server.app, base_url=origin, headers={"origin": origin}) as client,
        client.websocket_connect(f"ws://127.0.0.1:{page.server.port}/live") as socket,
    ):
        socket.send_text(json.dumps({"type": "hello", "token": page.address.partition("#")[2]}))
        while "message" not in (message := json.loads(socket.receive().get("text") or "{}")):
            pass
    assert message["message"].startswith("scripts saved by other programs are no longer noticed: ")


@pytest.mark.parametrize(
    ("text", "dropped"),
    [
        ("{{{", "cannot be read"),
        ("[1]", "all fields"),
        ('{"port":99999999,"names":["squat"]}', "'port'"),
        ('{"events":[{"time":0.1,"slope":"x"}]}', "'events'"),
        ('{"events":[{"time":NaN,"slope":NaN}],"values":{"a":NaN}}', "'events', 'values'"),
        ('{"cycles":-5,"token":"\\ud800"}', "'cycles', 'token'"),
        ('{"events":[{"time":0.1,"engine":"gone"}]}', ""),
        ('{"events":[{"push":"no link","time":0,"duration":1,"x":1,"y":1}]}', ""),
    ],
)
def test_valid_fields_of_a_damaged_saved_state_are_used(small: Project, text: str, dropped: str) -> None:
    file = saved_state_path(small.directory)
    file.parent.mkdir(parents=True)
    file.write_text(text)
    file.chmod(0o600)
    page = open_live_page(small)
    page.listener.close()
    assert page.names == (("squat",) if "squat" in text else ("stand",))
    assert dropped in "".join(page.warnings) and bool(dropped) == bool(page.warnings)


@pytest.mark.parametrize("path", ["./controllers/squat.t", "controllers/squat.t/", "controllers//./squat.t"])
def test_paths_of_scripts_are_normalised(path: str) -> None:
    message = protocol.parse(json.dumps({"type": "open", "path": path}))
    assert isinstance(message, protocol.Open) and message.path == SQUAT


@pytest.mark.parametrize("step", ["write_text", "replace"])
def test_values_are_written_to_all_scripts_or_to_none(
    open_session: Callable[..., tuple[Any, Any]], small: Project, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    page = SessionPage(*open_session("stand", "squat"))
    page.messages.until("branch")
    files = {name: page.change_of(name) for name in (SQUAT, "controllers/stand.t")}
    before = {name: (small.directory / name).read_bytes() for name in files}
    with monkeypatch.context() as broken:
        works = getattr(Path, step)

        def failing(self: Path, *given: Any, **named: Any) -> Any:
            if self.name.startswith(".stand-"):
                raise OSError(errno.ENOSPC, "No space left on device", str(self))
            return works(self, *given, **named)

        broken.setattr(Path, step, failing)
        page.say(type="write", files=files)
        sentence = page.messages.until("notice", kind="error")["message"]
    assert sentence.startswith("cannot write '") and sentence.endswith("stand.t': no space left on device")
    assert {name: (small.directory / name).read_bytes() for name in files} == before
    page.say(type="write", files=files)
    assert sorted(page.messages.until("written")["paths"]) == sorted(files)
    assert all((small.directory / name).read_bytes() != before[name] for name in files)


def test_a_byte_order_mark_and_line_ends_stay_when_values_are_written_back(
    open_session: Callable[..., tuple[Any, Any]], small: Project
) -> None:
    file = small.directory / SQUAT
    data = b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n")
    file.write_bytes(data)
    page = SessionPage(*open_session("stand", "squat"))
    page.messages.until("branch")
    page.say(type="write", files={SQUAT: page.change_of(SQUAT)})
    page.messages.until("written")
    written = file.read_bytes()
    assert written != data and written.startswith(b"\xef\xbb\xbf#") and b"\r\n" in written
    assert written.count(b"\n") == written.count(b"\r\n") == data.count(b"\n")


def test_links_stay_links_and_two_names_of_one_file_are_rejected(
    open_session: Callable[..., tuple[Any, Any]], small: Project
) -> None:
    file, other = small.directory / SQUAT, small.directory / "controllers" / "crouch.t"
    file.rename(other)
    file.symlink_to("crouch.t")
    before = other.read_text()
    page = SessionPage(*open_session("stand", "squat"))
    page.messages.until("branch")
    change = page.change_of(SQUAT)
    page.say(type="write", files={SQUAT: change})
    page.messages.until("written")
    assert file.is_symlink() and other.read_text() != before
    scripts, names = Scripts(Project(small.directory)), (SQUAT, "controllers/crouch.t")
    with pytest.raises(CtrlGraphError, match=f"^{names[0]} and {names[1]} are the same file: save only one of them$"):
        scripts.write(dict.fromkeys(names, before), {name: scripts.get(name).digest for name in names})
