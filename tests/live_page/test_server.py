"""Access to the server, validation of messages, limits, and conflicts between pages."""

from __future__ import annotations

import asyncio
import json
import os
import re
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from live_socket import socket_page
from starlette.websockets import WebSocketDisconnect

from ctrlgraph.cli.main import main
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page import clients, protocol, server
from ctrlgraph.live_page.live_page import LivePage, open_live_page
from ctrlgraph.live_page.saved_state import read_saved_state, saved_state_path
from ctrlgraph.live_page.scripts import Scripts
from ctrlgraph.project.project import Project
from ctrlgraph.walks.goal_walk import go_to

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it prefers another HTTP package
    from starlette.testclient import TestClient

SQUAT = "controllers/squat.t"
PUSH = {"type": "push", "time": 0.5, "link": "uTorso", "x": 10.0, "y": 0.0}


def unheard(small: Project, *names: str) -> LivePage:
    """Return a live page of the small project that does not listen."""
    opened = open_live_page(small, names)
    opened.listener.close()
    return opened


@pytest.fixture
def page(small: Project) -> LivePage:
    """Return a live page of the small project that no browser has opened."""
    return unheard(small, "stand")


@contextmanager
def client_of(page: LivePage) -> Iterator[TestClient]:
    origin = f"http://127.0.0.1:{page.server.port}"
    with TestClient(page.server.app, base_url=origin, headers={"origin": origin}) as client:
        yield client


def dial(client: TestClient, page: LivePage, headers: dict[str, str] | None = None) -> Any:
    """Open a socket; Starlette's client uses another host for a bare path."""
    return client.websocket_connect(f"ws://127.0.0.1:{page.server.port}/live", headers=headers or {})


def token_of(page: LivePage) -> str:
    return urlsplit(page.address).fragment


class Page:
    """An authenticated page."""

    def __init__(self, socket: Any, token: str) -> None:
        self.socket = socket
        self.say(type="hello", token=token)

    def say(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def until(self, type: str, **having: Any) -> dict[str, Any]:
        """Return the next message of a type that has these entries."""
        for _ in range(3000):
            message = self.socket.receive()
            if message["type"] == "websocket.close":
                raise WebSocketDisconnect(message["code"], message["reason"])
            if message.get("text") is None:
                continue
            found: dict[str, Any] = json.loads(message["text"])
            if found["type"] == type and all(found.get(name) == value for name, value in having.items()):
                return found
        raise AssertionError(f"no {type} was sent")

    def motion(self, of: str) -> bytes:
        """Return the samples of the next motion of this name."""
        self.until("samples", of=of)
        found: bytes = self.socket.receive_bytes()
        return found


@contextmanager
def opened_page(page: LivePage) -> Iterator[Page]:
    """Open one page of a server."""
    with client_of(page) as client, dial(client, page) as socket:
        yield Page(socket, token_of(page))


@pytest.fixture
def pages(page: LivePage) -> Iterator[Callable[[], Page]]:
    """Open pages of one server."""
    with ExitStack() as stack:
        client = stack.enter_context(client_of(page))

        def opened() -> Page:
            made = Page(stack.enter_context(dial(client, page)), token_of(page))
            made.until("welcome")
            return made

        yield opened


def test_only_files_of_the_page_are_served(page: LivePage, small: Project) -> None:
    with client_of(page) as client:
        answer = client.get("/")
        assert answer.status_code == 200 and "script-src 'self'" in answer.headers["content-security-policy"]
        assert client.get("/main.js").headers["content-type"].startswith("text/javascript")
        outside = ("/graph.yaml", "/../graph.yaml", "/%2e%2e/graph.yaml", "/..%2fgraph.yaml")
        for path in (*outside, "/controllers/squat.t", "/x"):
            assert client.get(path).status_code == 404, path


@pytest.mark.parametrize(
    "headers",
    [{"host": "evil.example:8000"}, {"host": "evil.example"}, {"origin": "http://evil.example"}, {"origin": "null"}],
)
def test_other_hosts_and_origins_are_rejected(page: LivePage, headers: dict[str, str]) -> None:
    with client_of(page) as client:
        assert client.get("/", headers=headers).status_code == 403
        with pytest.raises(WebSocketDisconnect), dial(client, page, headers):
            pass


def test_a_socket_without_an_origin_is_refused(page: LivePage) -> None:
    with (
        TestClient(page.server.app, base_url=f"http://127.0.0.1:{page.server.port}") as client,
        pytest.raises(WebSocketDisconnect),
        dial(client, page),
    ):
        pass


@pytest.mark.parametrize("first", ['{"type":"hello","token":"guessed"}', '{"type":"undo"}', "nothing", "[" * 5000])
def test_a_wrong_token_is_rejected(page: LivePage, first: str) -> None:
    with client_of(page) as client, dial(client, page) as socket:
        socket.send_text(first)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_text()
        assert closed.value.code == server.WRONG_TOKEN


def test_it_listens_on_this_machine_only(small: Project) -> None:
    opened = open_live_page(small, ["stand"])
    with opened.listener:
        assert opened.listener.getsockname()[0] == "127.0.0.1"
        with pytest.raises(
            CtrlGraphError, match=r"cannot listen on port \d+, so choose another --port: address already in use"
        ):
            open_live_page(small, ["stand"], port=opened.server.port)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"type": "open", "path": "../graph.yaml"}, "'../graph.yaml' lies outside the project: give a relative path"),
        ({"type": "open", "path": "/etc/passwd"}, "'/etc/passwd' lies outside the project"),
        ({"type": "open", "path": "graph.yaml"}, "the project has no script 'graph.yaml'"),
        ({"type": "save", "path": "controllers/no.t", "digest": ""}, "the project has no script 'controllers/no.t'"),
        ({"type": "edit", "path": SQUAT, "text": "x" * 500_001, "base": 0}, "the script is longer than 500,000 bytes"),
        ({"type": "edit", "path": SQUAT, "text": "\ud800", "base": 0}, "invalid message from the page"),
        ({"type": "plan", "nodes": ["wlak"]}, "the graph has no node 'wlak'"),
        (PUSH | {"link": "tail"}, "the character humanoid has no link 'tail'"),
        (PUSH | {"x": 1e9}, "invalid message from the page: x: Input should be less"),
        ({"type": "world", "time": 0.5, "engine": "bullet"}, "there is no engine 'bullet'"),
        ({"type": "set", "values": {"a": "b"}}, "from the page: values.a: Input should be a valid number"),
        ({"type": "rm", "path": "/"}, "invalid message from the page"),
    ],
)
def test_invalid_messages_are_reported_in_one_sentence(
    pages: Callable[[], Page], message: dict[str, Any], expected: str
) -> None:
    opened = pages()
    opened.say(**message)
    sentence = opened.until("notice")["message"]
    assert expected in sentence and "\n" not in sentence


@pytest.mark.slow
def test_a_hundred_megabytes_are_refused(pages: Callable[[], Page], small: Project) -> None:
    opened = pages()
    opened.say(type="edit", path=SQUAT, text="x" * 100_000_000, base=0)
    assert opened.until("notice")["message"].startswith(
        f"a message may have at most {protocol.MAX_MESSAGE:,} characters"
    )
    (small.directory / SQUAT).write_text("# " + "x" * 100_000_000)
    opened.say(type="open", path=SQUAT)
    assert "the script is longer than 500,000 bytes" in opened.until("notice")["message"]


@pytest.mark.slow
def test_stopping_during_compilation_saves_the_target(
    serve: Callable[..., Any], small: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "nothing compiled"))
    served = serve("stand", "squat")
    while not served.process.stdout.readline().startswith("compiling"):
        pass
    assert served.interrupt() == 0  # without waiting for the compilation
    assert read_saved_state(saved_state_path(small.directory)).names == ["stand", "squat"]


def test_findings_come_before_the_motion_does(pages: Callable[[], Page]) -> None:
    opened = pages()
    opened.say(type="open", path="controllers/stand.t")
    script = opened.until("script")
    opened.until("findings")
    opened.say(
        type="edit", path=script["path"], text=script["text"].replace("POSE", "POES", 1), base=script["revision"]
    )
    found = opened.until("findings", revision=script["revision"] + 1)
    assert [each["severity"] for each in found["findings"]][:1] == ["error"] and found["findings"][0]["line"] == 6


def test_a_conflicting_write_is_reported_and_nothing_is_lost(pages: Callable[[], Page], small: Project) -> None:
    one, other = pages(), pages()
    one.say(type="plan", nodes=["stand", "squat"])
    for each in (one, other):
        each.until("branch")
        each.say(type="open", path=SQUAT)
    digest, name = one.until("script")["digest"], "squat.t/0/LIPOSE rKnee/angle"
    assert name in [item["id"] for item in one.until("constants")["items"]]
    other.until("constants")
    one.say(type="write", files={SQUAT: {"values": {name: 1.5}, "digest": digest}})
    one.until("written")
    written = (small.directory / SQUAT).read_text()
    other.say(type="write", files={SQUAT: {"values": {name: 1.7}, "digest": digest}})  # an old digest
    conflict = other.until("conflict")
    assert (
        conflict["message"]
        == f"another page or program has changed the file {SQUAT}, so nothing was written: use the other text, or"
        " keep this text"
    )
    assert conflict["text"] == written == (small.directory / SQUAT).read_text()
    assert "rKnee(1.5)" in written


def test_a_conflicting_edit_is_reported_and_nothing_is_lost(pages: Callable[[], Page]) -> None:
    one, other = pages(), pages()
    for each in (one, other):
        each.say(type="open", path=SQUAT)
    script = one.until("script")
    one.say(type="edit", path=SQUAT, text=script["text"] + "# one\n", base=script["revision"])
    one.until("script", revision=script["revision"] + 1)
    other.say(type="edit", path=SQUAT, text=script["text"] + "# other\n", base=script["revision"])
    assert other.until("conflict")["text"] == script["text"] + "# one\n"


def test_a_changed_file_conflicts_with_unsaved_text(pages: Callable[[], Page], small: Project) -> None:
    opened = pages()
    opened.say(type="open", path=SQUAT)
    script = opened.until("script")
    opened.say(type="edit", path=SQUAT, text=script["text"] + "# mine\n", base=script["revision"])
    opened.until("script", saved=False)
    (small.directory / SQUAT).write_text(script["text"] + "# theirs\n")
    assert opened.until("conflict")["text"] == script["text"] + "# theirs\n"
    opened.say(type="save", path=SQUAT, digest=script["digest"])
    opened.until("conflict")
    assert (small.directory / SQUAT).read_text() == script["text"] + "# theirs\n"


def test_a_page_that_never_reads_is_dropped_and_frees_its_memory() -> None:
    async def flood() -> clients.Client:
        known = clients.Clients(asyncio.get_running_loop())
        client = known.add()
        known.post([], client.number, joins=True)
        for _ in range(2 * clients.MAX_WAITING):
            known.post([{"type": "state"}, b"x" * 100_000])
        await asyncio.sleep(0.1)
        assert await client.next() is None
        return client

    with ThreadPoolExecutor() as threads:  # this thread may have the event loop of a browser
        client = threads.submit(asyncio.run, flood()).result()
    assert client.behind and len(client) == 0 and client.waiting_bytes == 0


def test_unsaved_work_is_restored_from_a_private_file(small: Project) -> None:
    first = unheard(small, "stand", "squat")
    with opened_page(first) as opened:
        opened.say(type="open", path=SQUAT)
        script = opened.until("script")
        opened.say(type="edit", path=SQUAT, text=script["text"] + "# a draft\n", base=script["revision"])
        opened.until("script", saved=False)
        opened.say(type="set", values={"squat.t/0/LIPOSE rKnee/angle": 1.5})
        opened.until("state", undo=2, undoes="constants")
    file = saved_state_path(small.directory)
    assert file.stat().st_mode & 0o077 == 0 and not file.is_relative_to(small.directory)
    again = unheard(small)
    assert token_of(again) == token_of(first) and again.names == ("stand", "squat")
    with opened_page(again) as opened:
        assert opened.until("state")["values"] == {"squat.t/0/LIPOSE rKnee/angle": 1.5}
        opened.say(type="open", path=SQUAT)
        assert opened.until("script")["text"].endswith("# a draft\n")
    assert not (small.directory / SQUAT).read_text().endswith("# a draft\n")


def test_a_variant_is_kept_restored_and_dropped(small: Project) -> None:
    with opened_page(unheard(small, "stand", "squat")) as opened:
        opened.say(type="open", path=SQUAT)
        script = opened.until("script")
        opened.say(type="edit", path=SQUAT, text=script["text"] + "# a draft\n", base=script["revision"])
        opened.say(type="set", values={"squat.t/0/LIPOSE rKnee/angle": 1.5})
        opened.until("state", undo=2)
        opened.say(type="keep")
        assert opened.until("variants")["items"] == [{"number": 1, "label": "variant 1"}]
        opened.motion("variant:1")
        for _ in range(2):
            opened.say(type="undo")
        assert opened.until("state", undo=0)["values"] == {}
        opened.say(type="restore", variant=1)
        assert opened.until("state", undoes="variant")["values"] == {"squat.t/0/LIPOSE rKnee/angle": 1.5}
        assert opened.until("script")["text"].endswith("# a draft\n")
        opened.say(type="drop", variant=1)
        assert opened.until("variants")["items"] == []
        opened.say(type="restore", variant=1)
        assert opened.until("notice")["message"] == "this variant has been removed: choose another variant"


@pytest.mark.parametrize("mode", [0o644, 0o660])
def test_a_token_in_a_file_writable_by_others_is_ignored(small: Project, mode: int) -> None:
    unheard(small, "stand")
    file = saved_state_path(small.directory)
    assert read_saved_state(file).token
    file.chmod(mode)
    assert read_saved_state(file).token == ""
    file.write_text("{")
    file.chmod(0o600)
    assert read_saved_state(file).token == ""


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["sqaut"], "error: 'sqaut' is neither a node of the graph nor a script; did you mean 'squat'?"),
        (["stand", "sqaut"], "did you mean 'squat'?"),
        (["controllers/sqaut.t"], "did you mean 'controllers/squat.t'?"),
        (["stand", "--with", "terrain=hilly"], "error: terrain 'hilly' is not one of"),
        (["OUTSIDE"], "is not a script of this project: the file is outside the script directories"),
    ],
)
def test_the_command_says_in_one_sentence_what_cannot_be_edited(
    small: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    outside = tmp_path / "outside.t"
    outside.write_text("BEGINSCRIPT outside(void)\n")
    given = [str(outside) if word == "OUTSIDE" else word for word in arguments]
    assert main(["--project", str(small.directory), "edit", "--no-browser", *given]) == 1
    assert expected in capsys.readouterr().err


def test_the_graph_contains_logged_success(page: LivePage, small: Project) -> None:
    go_to(small, "squat", keep_states=False)
    with opened_page(page) as opened:
        graph = opened.until("graph")["graph"]
    assert {node["name"] for node in graph["nodes"]} == {"stand", "squat", "spring"}
    [edge] = [each for each in graph["edges"] if (each["source"], each["target"]) == ("stand", "squat")]
    assert edge["success"]["attempts"] == 1


def test_a_walk_is_simulated_a_few_seconds_ahead_of_its_viewer(pages: Callable[[], Page]) -> None:
    opened = pages()
    opened.until("state", ended="success")
    opened.say(type="walk", time=0.0, seed=1)
    reached = 0.0
    while True:
        state = opened.until("state")
        reached = max(each["from"] for each in state["segments"])
        if reached > 4.0:
            break
    assert state["walking"] and state["ended"] is None and reached < 15.0
    opened.say(type="stay", time=0.0)
    assert opened.until("state", walking=False)["segments"][0]["name"] == "stand"


ODD = "controllers/caf\\udce9.t"
"""Name on a page of the script below, whose file name is not UTF-8."""


@pytest.fixture
def odd_script(small: Project) -> Path:
    file: Path = small.directory / "controllers" / os.fsdecode(b"caf\xe9.t")
    file.write_text((small.directory / SQUAT).read_text().replace("squat", "cafe"))
    return file


def test_a_script_whose_name_is_not_utf_8_is_shown_edited_and_saved(
    small: Project, odd_script: Path, in_thread: Callable[..., Any]
) -> None:
    page = open_live_page(small, [str(odd_script)])
    assert page.names == (ODD,)
    with in_thread(page), socket_page(page.address) as browser:
        assert ODD in browser.until("welcome")["scripts"]
        browser.say(type="open", path=ODD)
        script = browser.until("script")
        assert script["text"] == odd_script.read_text()
        text = script["text"] + "# saved\n"
        browser.say(type="edit", path=ODD, text=text, base=script["revision"])
        browser.say(type="save", path=ODD, digest=script["digest"])
        assert browser.until("script", path=ODD, saved=True)["text"] == text
    assert odd_script.read_text() == text
    assert read_saved_state(saved_state_path(small.directory), print).script == ODD


def test_a_message_that_cannot_be_sent_is_reported_and_skipped(
    small: Project, odd_script: Path, in_thread: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "_NOT_UTF_8", re.compile("(?!)"))
    monkeypatch.setattr(Scripts, "_name", lambda self, path: path.relative_to(small.directory).as_posix())
    reported: list[str] = []
    page = open_live_page(small, ["stand"], report=reported.append)
    with in_thread(page), socket_page(page.address) as browser:
        notice = browser.until("notice")  # the welcome contains the names of scripts
        assert notice["kind"] == "error"
        assert notice["message"].startswith(
            "a message could not be sent to the page: a fault in ctrlgraph itself (Unicode"
        )
        browser.say(type="open", path=SQUAT)
        browser.until("script", path=SQUAT)
    assert reported == [notice["message"]]
