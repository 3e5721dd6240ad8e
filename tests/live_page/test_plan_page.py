"""The page on which planned robots are steered: messages, limits, access, and keys and the mouse in a browser."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlsplit

import pytest
from browser import Watched
from waiting import until

from ctrlgraph.cli.main import main
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.live_page import steered_plan
from ctrlgraph.live_page.live_page import open_plan_page
from ctrlgraph.live_page.plan_protocol import MAX_MESSAGE_WAYPOINTS, parse_plan_message
from ctrlgraph.live_page.plan_session import PlanSession
from ctrlgraph.live_page.server import WRONG_TOKEN
from ctrlgraph.live_page.steered_plan import MAX_UNSAFE, MAX_WAYPOINTS, SteeredPlan

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it prefers another HTTP package
    from starlette.testclient import TestClient
    from starlette.websockets import WebSocketDisconnect

WALK = {"type": "velocity", "forward": 0.5, "left": 0.0, "turn": 0.0}


def said(**message: Any) -> Any:
    return parse_plan_message(json.dumps(message))


def test_the_same_messages_lead_to_the_same_bits() -> None:
    def plan() -> list[dict[str, Any]]:
        steered, found = SteeredPlan("biped"), []
        for i in range(150):
            if i == 10:
                steered.act(said(**WALK))
            if i == 60:
                steered.act(said(type="impulse", x=0.1, y=0.2))
            if i == 80:
                steered.act(said(type="unsafe", x=1.0, y=0.1, radius=0.1))
            if i == 90:
                steered.act(said(type="way", points=[(2.0, 0.0), (2.0, 1.0)]))
            found.append({name: value for name, value in steered.tick().items() if name != "ms"})
        return found

    first = plan()
    assert first == plan()
    assert first[-1]["mass"][0] > 0.5
    assert first[-1]["way"][-1] == [2.0, 1.0]
    assert len(first[-1]["unsafe"]) == 1
    json.dumps(first, allow_nan=False)


def test_a_key_changes_the_next_footsteps_in_the_next_tick() -> None:
    steered = SteeredPlan("quadruped")
    steered.act(said(**WALK))
    for _ in range(100):
        steered.tick()
    before = steered.tick()["next"]
    steered.act(said(**(WALK | {"forward": -0.5})))
    after = steered.tick()["next"]
    assert max(abs(a[1] - b[1]) for a, b in zip(before, after, strict=True)) > 0.005


def test_a_velocity_leaves_the_path_and_more_points_extend_it() -> None:
    steered = SteeredPlan("crawler")
    steered.act(said(type="way", points=[(1.0, 0.0)], more=True))
    steered.act(said(type="way", points=[(1.0, 1.0)], more=True))
    assert steered.tick()["way"][-1] == [1.0, 1.0]
    steered.act(said(type="way", points=[(0.0, 1.0)]))
    assert steered.tick()["way"][-1] == [0.0, 1.0]
    steered.act(said(**WALK))
    assert steered.tick()["way"] == []


def test_paths_and_unsafe_places_are_limited() -> None:
    steered = SteeredPlan("biped")
    for _ in range(MAX_UNSAFE):
        steered.act(said(type="unsafe", x=9.0, y=9.0, radius=0.1))
    with pytest.raises(
        CtrlGraphError, match=r"^there can be at most 50 unsafe places: restart the robot to remove them$"
    ):
        steered.act(said(type="unsafe", x=9.0, y=9.0, radius=0.1))
    points = [(0.01 * k, 0.0) for k in range(MAX_MESSAGE_WAYPOINTS)]
    with pytest.raises(CtrlGraphError, match=r"^a path can have at most 2,000 waypoints: draw a new one$"):
        for _ in range(MAX_WAYPOINTS // MAX_MESSAGE_WAYPOINTS + 1):
            steered.act(said(type="way", points=points, more=True))


@pytest.mark.parametrize(
    "message",
    [
        WALK | {"forward": 1e9},
        WALK | {"forward": "1"},
        WALK | {"more": 1},
        {"type": "way", "points": []},
        {"type": "way", "points": [[0, 0]] * (MAX_MESSAGE_WAYPOINTS + 1)},
        {"type": "impulse", "x": 5.0, "y": 0.0},
        {"type": "unsafe", "x": 0.0, "y": 0.0, "radius": 0.0},
        {"type": "begin", "robot": "../x"},
        {"type": "open", "path": "controllers/walk.t"},
        {"type": "save", "path": "x", "digest": ""},
        {"type": "velocity", "forward": float("nan"), "left": 0.0, "turn": 0.0},
    ],
)
def test_messages_out_of_range_and_those_of_other_pages_are_refused(message: dict[str, Any]) -> None:
    with pytest.raises(CtrlGraphError, match=r"^invalid message from the page: "):
        parse_plan_message(json.dumps(message))


def test_a_long_way_between_two_points_is_refused_or_bounded() -> None:
    steered = SteeredPlan("biped")
    with pytest.raises(CtrlGraphError, match=r"^a path can have at most 1,000 m: draw a new one$"):
        steered.act(said(type="way", points=[(1e4, 1e4)]))


def test_a_path_cannot_grow_without_limit_by_more_points() -> None:
    steered = SteeredPlan("biped")
    steered.act(said(type="way", points=[(900.0, 0.0)], more=True))
    with pytest.raises(CtrlGraphError, match=r"^a path can have at most 1,000 m: draw a new one$"):
        steered.act(said(type="way", points=[(0.0, 0.0)], more=True))
    assert steered.follower is not None
    assert steered.follower.points[-1] == (900.0, 0.0)


def test_a_fallen_robot_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(steered_plan, "FALLEN_M", 0.0)
    session = PlanSession("biped", lambda items, to, joins: sent.extend(items))  # type: ignore[arg-type]
    session.start()
    session.post(1, "join")
    until(lambda: any(each["type"] == "notice" for each in sent))
    assert session.stop(60.0)
    notices = [each["message"] for each in sent if each["type"] == "notice"]
    assert notices[0] == "the robot has fallen; it starts again"


def executed(session: PlanSession, messages: list[tuple[int, Any]]) -> None:
    """Wait until a session, begun if it was not, has executed messages that were queued at once."""
    done: list[int] = []
    for page, message in messages:
        session.post(page, message, lambda: done.append(1))
    if not session._thread.is_alive():
        session.start()
    until(lambda: len(done) == len(messages))


def test_a_page_that_joins_during_a_pause_gets_the_last_plan() -> None:
    sent: list[tuple[int | None, dict[str, Any]]] = []

    def send(items: Any, to: int | None, joins: bool) -> None:
        sent.extend((to, each) for each in items)

    session = PlanSession("biped", send)
    executed(session, [(1, "join")])
    until(lambda: any(each["type"] == "plan" for _, each in sent))
    for page, message in ((1, said(type="pause", on=True)), (1, "left"), (2, "join")):
        executed(session, [(page, message)])
    assert session.stop(60.0)
    last = [each for to, each in sent if to is None and each["type"] == "plan"][-1]
    welcome, plan = (each for to, each in sent if to == 2)
    assert (welcome["type"], welcome["paused"], plan) == ("welcome", True, last)


def test_of_many_queued_begins_of_a_page_only_the_last_is_executed() -> None:
    begun: list[str] = []
    session = PlanSession(
        "biped",
        lambda items, to, joins: begun.extend(
            str(each["robot"]) for each in items if isinstance(each, dict) and each["type"] == "welcome" and to is None
        ),
    )
    flood = [(1, said(type="begin", robot=robot)) for robot in ["table", "crawler"] * 50]
    executed(session, [(1, "join"), *flood, (2, said(type="begin", robot="quadruped"))])
    assert session.stop(60.0)
    assert begun == ["crawler", "quadruped"]


def test_queued_messages_of_a_page_that_has_left_are_dropped() -> None:
    sent: list[dict[str, Any]] = []
    session = PlanSession("biped", lambda items, to, joins: sent.extend(items))  # type: ignore[arg-type]
    executed(session, [(1, "join"), (1, said(type="begin", robot="table")), (1, "left")])
    assert session.stop(60.0)
    assert all(each["type"] != "welcome" for each in sent)


def test_a_robot_is_compiled_for_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    SteeredPlan("table")

    def fail(*_: object) -> None:
        raise AssertionError("planned before the first tick")

    monkeypatch.setattr(FootstepPlanner, "update", fail)
    SteeredPlan("table")


def test_only_a_page_with_the_token_steers_and_only_files_of_the_page_are_served() -> None:
    page = open_plan_page("biped")
    origin = {"origin": f"http://127.0.0.1:{page.server.port}"}
    live = f"ws://127.0.0.1:{page.server.port}/live"
    page.listener.close()
    with TestClient(page.server.app, base_url=origin["origin"], headers=origin) as client:
        answer = client.get("/")
        assert answer.status_code == 200 and "script-src 'self'" in answer.headers["content-security-policy"]
        assert client.get("/planview.js").status_code == 200
        for path in ("/main.js", "/editor.js", "/graph.yaml", "/%2e%2e/graph.yaml"):
            assert client.get(path).status_code == 404, path
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(live, headers={"origin": "http://x"}):
            pass
        with client.websocket_connect(live) as socket:
            socket.send_text('{"type":"hello","token":"guessed"}')
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_text()
            assert closed.value.code == WRONG_TOKEN
        with client.websocket_connect(live) as socket:
            socket.send_text(json.dumps({"type": "hello", "token": urlsplit(page.address).fragment}))
            while json.loads(socket.receive_text())["type"] != "plan":
                pass
            socket.send_text('{"type":"reread","path":"x"}')
            while (found := json.loads(socket.receive_text()))["type"] != "notice":
                pass
            assert found["message"].startswith("invalid message from the page: ")


@pytest.mark.slow
def test_keys_and_the_mouse_steer_a_robot(
    in_thread: Callable[[Any], AbstractContextManager[None]], open_page: Callable[..., Watched]
) -> None:
    page = open_plan_page("quadruped")
    with in_thread(page):
        watched = open_page(page.address)
        watched.until("() => ctrlgraphPlan.time() > 0.1")
        watched.page.keyboard.press("w")
        watched.until("() => ctrlgraphPlan.mass()[0] > 0.1")
        watched.page.keyboard.press("x")
        watched.until("() => document.getElementById('facts').textContent.includes('standing')")
        watched.page.keyboard.press("3")
        watched.until("() => ctrlgraphPlan.robot() === 'biped' && ctrlgraphPlan.time() > 0.1")
        box = watched.page.locator("#figure").bounding_box()
        assert box is not None
        watched.page.mouse.click(box["x"] + 0.2 * box["width"], box["y"] + 0.8 * box["height"])
        watched.until("() => ctrlgraphPlan.mass() && Math.hypot(...ctrlgraphPlan.mass()) > 0.1")
        page.server.session._send([{"type": "notice", "kind": "error", "message": "a notice"}], None, False)  # type: ignore[attr-defined]
        watched.until("() => document.getElementById('status').textContent === 'a notice'")
        watched.until("() => document.getElementById('status').textContent === ''")
        assert watched.errors == []


@pytest.mark.parametrize("given", [["--gates", "3"], ["--with", "slope=3"], ["--seed", "0"], ["--engine", "ode"]])
def test_options_without_effect_are_refused(capsys: pytest.CaptureFixture[str], given: list[str]) -> None:
    assert main(["play", "--footsteps", "biped", *given]) == 1
    error = capsys.readouterr().err
    assert error == f"error: {given[0]} has no effect on planned footsteps: omit it, or omit --footsteps\n"


def test_the_directory_of_logs_is_one_of_planned_footsteps(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--log", "plans"]) == 1
    assert capsys.readouterr().err == (
        "error: --log is only for --footsteps: omit it; other motions are in the run log\n"
    )
