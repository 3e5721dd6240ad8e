"""A character in space is steered on the live page: keys change its desired velocity and choose its gait."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from browser import Watched
from session_page import SessionPage

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page import protocol
from ctrlgraph.live_page.live_page import open_live_page
from ctrlgraph.live_page.saved_state import SavedState
from ctrlgraph.project.project import Project
from ctrlgraph.project.shipped import copy_project
from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder, Signals
from ctrlgraph.simulation.simulation import Simulation

NODES = ("stand", "trot")
COMMAND, OTHER = {"forward": 1.1, "sideways": 0.0, "turn": 0.5}, {"forward": 0.5, "sideways": 0.1, "turn": 0.0}
Open = Callable[..., tuple[SessionPage, Any, Any]]


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> Project:
    directory = tmp_path_factory.mktemp("live") / "robot"
    copy_project(directory, "quadruped")
    return Project(directory, engine="mujoco")


@pytest.fixture
def open_robot(robot: Project, open_session: Callable[..., Any]) -> Open:
    """Open sessions of the robot with a page; return the page, its messages and the live motion."""

    def opened(**more: Any) -> tuple[SessionPage, Any, Any]:
        session, messages = open_session(*NODES, project=robot, **more)
        session.post(1, "join")
        return SessionPage(session, messages), messages, session._workspace.stage

    return opened


def simulated(robot: Project, *commands: tuple[float, dict[str, float]]) -> Signals:
    """Return the signals of the nodes without a live page, with commands from times (s) on."""
    with Simulation(robot.character, engine="mujoco") as simulation:
        recorder = SignalRecorder(simulation, 100.0, robot.relative)

        def see(moment: Any) -> None:
            recorder.see(moment)
            for time, command in commands:
                if time <= simulation.time + 1e-9:
                    simulation.command(**command)

        simulation.watch(see, 0.01)
        for source, name in zip((None, *NODES), NODES, strict=False):
            recorder.begin(name)
            edge = None if source is None else robot.graph.planned_edge(source, name, simulation.preview)
            node = robot.graph.node(name)
            simulation.run_rollout(robot.rollout(edge, node, node.cycles[0], simulation.preview))
        return recorder.signals()


def assert_begins_as(stage: Any, signals: Signals) -> None:
    """Check that the live motion begins with exactly these signals; the last sample belongs to what follows."""
    live, last = stage.live.recording.whole(), len(signals) - 1
    for name, values in signals.columns.items():
        np.testing.assert_array_equal(live.columns[name][:last], values[:last])


def until_third_trot(messages: Any) -> dict[str, Any]:
    while True:
        state = messages.until("state")
        if sum(each["name"] == "trot" for each in state["segments"]) > 2:
            return state


def test_a_steered_gait_goes_on_exactly_as_a_simulation_with_these_commands(robot: Project, open_robot: Open) -> None:
    page, messages, stage = open_robot()
    begins = messages.until_ended()["segments"][1]["from"]
    first, second = begins + 1.0, begins + 2.0
    page.say(type="steer", time=first, **COMMAND)
    page.say(type="steer", time=second, **OTHER)
    page.say(type="playhead", time=begins + 20.0)
    state = until_third_trot(messages)
    assert state["events"] == [{"time": first, **COMMAND}, {"time": second, **OTHER}]
    steered = simulated(robot, (first, COMMAND), (second, OTHER))
    assert_begins_as(stage, steered)
    assert np.ptp(steered.columns["com_y"]) > 0.1
    page.say(type="undo")
    page.say(type="undo")
    while messages.until("state")["events"]:
        pass
    until_third_trot(messages)
    assert_begins_as(stage, simulated(robot))


def test_a_restored_session_repeats_the_commands(robot: Project, open_robot: Open) -> None:
    events = [{"time": 4.0, **COMMAND}]
    _, messages, stage = open_robot(saved_state=SavedState.model_validate({"events": events}))
    assert messages.until_ended()["events"] == events
    assert_begins_as(stage, simulated(robot, (4.0, COMMAND)))


def test_a_number_key_ends_the_gait_and_walks_to_the_node_which_goes_on(open_robot: Open) -> None:
    page, messages, _stage = open_robot()
    begins = messages.until_ended()["segments"][1]["from"]
    page.say(type="playhead", time=begins + 20.0)
    page.say(type="drive", time=begins + 2.0, node="turn_left")
    names = []
    while names.count("turn_left") < 2:
        segments = messages.until("state")["segments"]
        names = [each["name"] for each in segments]
    assert names[:2] == ["stand", "trot"]
    assert segments[2]["from"] == pytest.approx(begins + 2.0, abs=0.01)
    assert set(names[names.index("turn_left") :]) == {"turn_left"}


def test_a_command_holds_until_another_node_runs(robot: Project, open_robot: Open) -> None:
    page, messages, stage = open_robot()
    begins = messages.until_ended()["segments"][1]["from"]
    page.say(type="playhead", time=begins + 20.0)
    page.say(type="steer", time=begins + 1.0, **COMMAND)
    page.say(type="drive", time=begins + 2.0, node="walk")
    while (segments := messages.until("state")["segments"])[-1]["name"] != "walk" or len(segments) < 5:
        pass
    columns = stage.live.recording.whole().columns
    late = columns["time"] > segments[-1]["from"] - 1.0
    assert np.ptp(columns["com_y"][late]) < 0.2


def test_a_pose_takes_no_command(open_robot: Open) -> None:
    page, messages, _stage = open_robot()
    messages.until_ended()
    page.say(type="steer", time=0.5, **COMMAND)
    assert messages.until("notice")["message"] == "no gait runs at this time: choose a gait first"


@pytest.mark.parametrize("change", [{"forward": 1e3}, {"turn": None}, {"sideways": float("nan")}])
def test_commands_beyond_those_of_gait_files_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(CtrlGraphError, match=next(iter(change))):
        protocol.parse(json.dumps({"type": "steer", "time": 1.0, **COMMAND, **change}))


@pytest.fixture
def opened(robot: Project, in_thread: Callable[..., Any], open_page: Callable[..., Watched]) -> Iterator[Watched]:
    page = open_live_page(robot, NODES)
    with in_thread(page):
        watched = open_page(page.address, viewport={"width": 1280, "height": 900})
        watched.until("() => window.ctrlgraphLive?.state?.ended != null && ctrlgraphLive.present.samples > 50")
        yield watched


def test_keys_of_the_page_steer_the_robot(opened: Watched) -> None:
    page = opened.page
    begins = opened.evaluate("() => ctrlgraphLive.state.segments[1].from")
    opened.evaluate("(time) => ctrlgraphLive.player.seek(time)", begins + 1.0)
    page.locator("#figure").focus()
    page.keyboard.press("w")
    opened.until("() => ctrlgraphLive.state.events.length === 1 && ctrlgraphLive.state.walking")
    page.keyboard.down("a")
    opened.until("() => ctrlgraphLive.state.events.length === 2")
    page.keyboard.up("a")
    # until an answer of the server has them, a state without the last commands can arrive
    events = "JSON.stringify(ctrlgraphLive.state.events.map((each) => [each.forward, each.turn]))"
    opened.until(f"() => {events} === '[[0.9,0],[0.9,0.8],[0.9,0]]'")
    opened.until("() => document.querySelector('#command').textContent.includes('forward 0.90 m/s')")
    choose_walk(opened)
    opened.until("() => document.querySelector('#gaits [aria-pressed=true]')?.dataset.node === 'walk'")
    assert opened.errors == []


def test_a_key_adds_to_the_last_command_when_the_clock_has_stepped_back_to_just_before_it(opened: Watched) -> None:
    begins = opened.evaluate("() => ctrlgraphLive.state.segments[1].from")
    opened.evaluate("(time) => ctrlgraphLive.player.seek(time)", begins + 1.0)
    opened.page.locator("#figure").focus()
    opened.page.keyboard.press("w")
    opened.until("() => ctrlgraphLive.state.events.length === 1 && ctrlgraphLive.state.walking")
    time = opened.evaluate("() => { ctrlgraphLive.player.pause(); return ctrlgraphLive.state.events[0].time; }")
    opened.page.wait_for_timeout(1100)  # longer than any command counts as recent
    opened.evaluate("(time) => ctrlgraphLive.player.seek(time)", time - 0.2)
    opened.page.keyboard.press("w")
    opened.until("() => ctrlgraphLive.state.events.map((each) => each.forward).join() === '0.9,1'")


def choose_walk(opened: Watched) -> None:
    number = opened.evaluate(
        "() => [...document.querySelectorAll('#gaits button')].findIndex((each) => each.dataset.node === 'walk')"
    )
    opened.page.keyboard.press(str(number))
    opened.until("() => ctrlgraphLive.state.segments.at(-1).name === 'walk'")


def test_a_held_key_steers_the_next_gait_too(opened: Watched) -> None:
    begins = opened.evaluate("() => ctrlgraphLive.state.segments[1].from")
    opened.evaluate("(time) => ctrlgraphLive.player.seek(time)", begins + 1.0)
    opened.page.locator("#figure").focus()
    opened.page.keyboard.down("a")
    choose_walk(opened)
    last = "ctrlgraphLive.state.events.at(-1)"
    opened.until(f"() => {last}.turn === 0.8 && {last}.time >= ctrlgraphLive.state.segments.at(-1).from - 1e-6")
    opened.page.keyboard.up("a")
    opened.until(f"() => {last}.turn === 0")
    assert opened.errors == []


def test_a_late_answer_of_the_server_does_not_change_what_keys_mean(opened: Watched) -> None:
    begins = opened.evaluate("() => ctrlgraphLive.state.segments[1].from")
    opened.evaluate("(time) => ctrlgraphLive.player.seek(time)", begins + 1.0)
    opened.page.locator("#figure").focus()
    opened.evaluate(
        "(time) => ctrlgraphLive.state.events.push({ time, forward: 0.8, sideways: 0, turn: 0.8 })", begins + 0.5
    )  # a turn that has ended, but not in the last state of the server
    opened.page.keyboard.down("d")
    opened.until("() => ctrlgraphLive.state.events.at(-1).turn === -0.8")
    opened.page.keyboard.up("d")
    opened.until("() => ctrlgraphLive.state.events.at(-1).turn === 0")
