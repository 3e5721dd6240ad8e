"""A player steers a motion: choices of nodes are events, and everything is logged so that it replays bit for bit."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Watched
from session_page import SessionPage
from small_project import GRAPH

from ctrlgraph.cli.main import main
from ctrlgraph.errors import CtrlGraphError, RunLogError
from ctrlgraph.graph.model import PlayNodes
from ctrlgraph.live_page.live_page import open_live_page
from ctrlgraph.live_page.motion.played_walk import MANY_CYCLES, nodes_to_play
from ctrlgraph.live_page.play_commands import GATE_DISTANCE_M, Play, gate_places
from ctrlgraph.project.project import Project
from ctrlgraph.project.shipped import copy_project
from ctrlgraph.walks.replay import replay_walk

PLAY = "play: {speeds: [stand], jump: [spring], down: [squat]}\n"
Open = Callable[..., tuple[SessionPage, Any, Any]]


@pytest.fixture
def played(small: Project) -> Project:
    """The small project, whose keys choose a squat and a spring."""
    (small.directory / "graph.yaml").write_text(GRAPH.replace("nodes:\n", PLAY + "nodes:\n", 1))
    return Project(small.directory)


@pytest.fixture
def open_play(open_session: Callable[..., Any]) -> Open:
    """Open sessions that are played; return a page, its messages and the session."""

    def opened(project: Project) -> tuple[SessionPage, Any, Any]:
        session, messages = open_session(project=project, play=Play(project.environment(), "ctrlgraph play"))
        session.post(1, "join")
        page = SessionPage(session, messages)
        page.say(type="playhead", time=0.0)
        return page, messages, session

    return opened


def until_runs(page: SessionPage, messages: Any, name: str, count: int = 1) -> list[dict[str, Any]]:
    """Show the motion further and further until a node has begun `count` times; return the segments."""
    shown = 0.0
    while True:
        shown += 0.5
        page.say(type="playhead", time=shown)
        page.say(type="drive", time=1e4, node="stand")  # answered by a state; it takes effect after the motion
        segments = messages.until("state")["segments"]
        if sum(each["name"] == name for each in segments) >= count:
            return segments


def stopped(session: Any) -> str:
    """Stop a session, and return the id of the only run that it has logged."""
    assert session.stop(600.0)
    ((_, replaying),) = session.logged
    return str(replaying.removeprefix("replay "))


def assert_replays(project: Project, run: str) -> list[Any]:
    """Check that the replay of a logged motion has the same bits; return its attempts."""
    with project.read_log() as log:
        replayed = replay_walk(project, log, log.run(run), 0, verify=True)
    assert replayed.difference is None
    assert replayed.changes.sentences() == []
    return list(replayed.attempts)


def test_a_chosen_node_begins_at_the_next_switch_and_goes_on(played: Project, open_play: Open) -> None:
    page, messages, session = open_play(played)
    messages.until("welcome")
    page.say(type="drive", time=1.0, node="squat")
    segments = until_runs(page, messages, "squat")
    names = [each["name"] for each in segments]
    assert names[:2] == ["stand", "squat"]
    assert 1.0 <= segments[1]["from"] < 2.5
    assert segments[1]["cycles"] == MANY_CYCLES
    assert segments[0]["succeeded"]
    assert session.stop(600.0)


def test_after_a_jump_the_motion_returns_to_the_chosen_node(played: Project, open_play: Open) -> None:
    page, messages, session = open_play(played)
    page.say(type="drive", time=1.0, node="spring")
    segments = until_runs(page, messages, "stand", 2)
    assert [each["name"] for each in segments][:3] == ["stand", "spring", "stand"]
    assert session.stop(600.0)


def test_everything_is_logged_and_replays_bit_for_bit(played: Project, open_play: Open) -> None:
    page, messages, session = open_play(played)
    page.say(type="drive", time=1.0, node="squat")
    until_runs(page, messages, "squat")
    page.say(type="push", time=1.2, link="uTorso", x=60.0, y=10.0)
    page.say(type="drive", time=4.0, node="stand")
    page.say(type="playhead", time=7.0)
    until_runs(page, messages, "stand", 2)
    attempts = assert_replays(played, stopped(session))
    assert [each.node for each in attempts][:3] == ["stand", "squat", "stand"]
    assert attempts[1].cycles < MANY_CYCLES
    with played.read_log() as log:
        settings = log.run(attempts[0].run).settings
    assert [each["link"] for each in settings["played"]["pushes"]] == ["uTorso"]


def test_planners_do_not_count_played_attempts(played: Project, open_play: Open) -> None:
    page, messages, session = open_play(played)
    page.say(type="drive", time=1.0, node="squat")
    until_runs(page, messages, "squat")
    attempts = assert_replays(played, stopped(session))
    edge = played.graph.planned_edge("stand", "squat")
    assert attempts[1].edge_hash != played.edge_hash(edge, played.environment().digest)


def test_a_new_start_logs_the_motion_and_begins_another(played: Project, open_play: Open) -> None:
    page, messages, session = open_play(played)
    page.say(type="playhead", time=2.0)
    messages.until("samples")
    page.say(type="plan", nodes=[])
    logged = messages.until("logged")
    assert messages.until("state")["events"] == []
    assert session.stop(600.0)
    assert [replaying for _, replaying in session.logged] == [f"replay {logged['run']}"]
    assert_replays(played, logged["run"])


def test_a_played_motion_can_be_longer_than_an_edited_one(
    played: Project, open_play: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ctrlgraph.live_page.motion.live.MAX_MOTION_S", 1.0)
    page, messages, session = open_play(played)
    page.say(type="playhead", time=2.0)
    while sum(len(message.get("data", b"")) > 0 for message in messages.all) < 8:  # the first pieces
        messages.until("samples")
    attempts = assert_replays(played, stopped(session))
    assert sum(each.simulated_s for each in attempts) == pytest.approx(2.0, abs=0.02)


@pytest.mark.parametrize("message", [{"type": "open", "path": "controllers/stand.t"}, {"type": "set", "values": {}}])
def test_a_played_motion_takes_no_changes_of_scripts(played: Project, open_play: Open, message: dict[str, Any]) -> None:
    page, messages, _session = open_play(played)
    page.say(**message)
    assert messages.until("notice")["message"] == f"a motion that is played takes no message '{message['type']}'"


def test_an_unknown_node_cannot_be_chosen(played: Project, open_play: Open) -> None:
    page, messages, _session = open_play(played)
    page.say(type="drive", time=1.0, node="fly")
    assert messages.until("notice")["message"].startswith("the graph has no node 'fly'")


def test_commands_of_a_player_that_are_damaged_in_the_log_are_reported(played: Project, open_play: Open) -> None:
    page, messages, session = open_play(played)
    page.say(type="playhead", time=2.0)
    messages.until("samples")
    run = stopped(session)
    with played.log() as log:
        record = log.run(run)
    damaged = {**record.settings, "played": {"ends": {"0": "soon"}}}
    with played.read_log() as log, pytest.raises(RunLogError, match="commands of a player that cannot be read"):
        replay_walk(played, log, dataclasses.replace(record, settings=damaged), 0)


def test_without_a_list_in_the_graph_keys_choose_gaits_by_their_speed(tmp_path: Path) -> None:
    directory = tmp_path / "robot"
    copy_project(directory, "quadruped")
    nodes = nodes_to_play(Project(directory).graph)
    assert nodes.speeds[0] == "stand"
    assert {"walk", "trot"} <= set(nodes.speeds)
    assert nodes.speeds.index("walk") < nodes.speeds.index("trot")
    assert nodes.jump == nodes.down == ()


def test_nodes_to_play_must_exist(played: Project) -> None:
    graph = played.graph
    assert graph.play == PlayNodes(("stand",), ("spring",), ("squat",))
    data: dict[str, Any] = {"character": "humanoid", "start": "stand", "nodes": graph.nodes.values(), "edges": ()}
    with pytest.raises(CtrlGraphError, match="the graph has no node 'fly'"):
        type(graph)(**data, play=PlayNodes(("fly",)))


def test_a_steered_gait_is_logged_and_replays_bit_for_bit(tmp_path: Path, open_play: Open) -> None:
    directory = tmp_path / "robot"
    copy_project(directory, "quadruped")
    robot = Project(directory, engine="mujoco")
    page, messages, session = open_play(robot)
    page.say(type="drive", time=0.5, node="trot")
    page.say(type="playhead", time=1.0)
    while (segments := messages.until("state")["segments"])[-1]["name"] != "trot":
        pass
    begins = segments[-1]["from"]
    page.say(type="steer", time=begins + 0.6, forward=0.1, sideways=0.0, turn=0.0)
    # the clock of the page has stepped back: the command that was sent last holds
    page.say(type="steer", time=begins + 0.5, forward=0.4, sideways=0.0, turn=0.6)
    page.say(type="drive", time=begins + 1.5, node="walk")
    page.say(type="playhead", time=begins + 2.5)
    while (segments := messages.until("state")["segments"])[-1]["name"] != "walk":
        pass
    attempts = assert_replays(robot, stopped(session))
    names = [each.node for each in attempts]
    assert names.index("trot") < names.index("walk")
    with robot.read_log() as log:
        logged = log.run(attempts[0].run).settings["played"]
    assert [(each["forward"], each["turn"]) for each in logged["commands"]] == [(0.4, 0.6)]
    assert logged["ends"][str(names.index("trot"))] == pytest.approx(begins + 1.5, abs=0.02)


@pytest.fixture
def opened(played: Project, in_thread: Callable[..., Any], open_page: Callable[..., Watched]) -> Iterator[Watched]:
    page = open_live_page(played, play=Play(played.environment()))
    with in_thread(page):
        watched = open_page(page.address, viewport={"width": 1280, "height": 900})
        watched.until("() => window.ctrlgraphLive?.present.samples > 50")
        yield watched
    assert page.server.session.logged


def test_the_page_shows_its_keys_and_each_key_acts(opened: Watched) -> None:
    page = opened.page
    buttons = "[...document.querySelectorAll('#play button')].map((each) => each.textContent)"
    shown = opened.evaluate(f"() => {buttons}")
    assert shown == ["→ faster", "← slower", "X stop", "Space jump", "↓ down", "↑ up", "P pause", "R new start"]
    page.keyboard.press("ArrowDown")
    runs = (
        "() => ctrlgraphLive.state.segments.some(({{ name, from }}) => "
        "name === '{}' && from < ctrlgraphLive.player.time)"
    )
    opened.until(runs.format("squat"))
    page.keyboard.press("ArrowUp")
    opened.until("() => document.querySelector('#wish').textContent === 'stand'")
    page.keyboard.press("Space")
    opened.until(runs.format("spring"))
    page.keyboard.press("p")
    opened.until("() => !ctrlgraphLive.player.playing")
    page.keyboard.press("r")
    opened.until_told("are logged as run")
    assert opened.errors == []


def test_gates_are_a_winding_path_that_depends_on_the_seed_only() -> None:
    gates = gate_places(10, 3)
    assert gates == gate_places(10, 3)
    assert gates != gate_places(10, 4)
    distances = [math.dist(a[:2], b[:2]) for a, b in itertools.pairwise([(0.0, 0.0), *gates])]
    assert all(GATE_DISTANCE_M[0] <= each <= GATE_DISTANCE_M[1] for each in distances)


def test_gates_need_a_character_in_space(
    played: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(played.directory)
    assert main(["play", "--gates", "3", "--no-browser"]) == 1
    assert "--gates needs a character in space, but humanoid moves in the plane" in capsys.readouterr().err
