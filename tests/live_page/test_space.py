"""The live page of a character in space: simulated, drawn and pushed as in the plane."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import Watched
from session_page import SessionPage

from ctrlgraph.engine.spatial_pushes import SpatialPush
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page import protocol
from ctrlgraph.live_page.live_page import open_live_page
from ctrlgraph.live_page.saved_state import SavedState
from ctrlgraph.playback import read_message
from ctrlgraph.project.project import Project
from ctrlgraph.project.shipped import copy_project
from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder, Signals
from ctrlgraph.simulation.simulation import Simulation

NODES = ("stand", "leap")
PUSH = {"time": 0.5, "link": "trunk", "x": 5.0, "y": 30.0, "z": 10.0, "point": [0.1, 0.0, 0.05], "duration": 0.1}


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> Project:
    directory = tmp_path_factory.mktemp("live") / "robot"
    copy_project(directory, "quadruped")
    return Project(directory, engine="mujoco")


@pytest.fixture
def open_robot(robot: Project, open_session: Callable[..., Any]) -> Callable[..., tuple[SessionPage, Any]]:
    """Open sessions of the robot with a page."""

    def opened(**more: Any) -> tuple[SessionPage, Any]:
        session, messages = open_session(*NODES, project=robot, **more)
        session.post(1, "join")
        return SessionPage(session, messages), messages

    return opened


def simulated(robot: Project, *pushes: SpatialPush) -> Signals:
    """Return the signals of the nodes without a live page."""
    with Simulation(robot.character, engine="mujoco") as simulation:
        simulation.disturb(pushes)
        recorder = SignalRecorder(simulation, 100.0, robot.relative)
        for source, name in zip((None, *NODES), NODES, strict=False):
            recorder.begin(name)
            node = robot.graph.node(name)
            edge = None if source is None else robot.graph.planned_edge(source, name, simulation.preview)
            simulation.run_rollout(robot.rollout(edge, node, node.cycles[0], simulation.preview))
        return recorder.signals()


def last_places(messages: Any) -> np.ndarray:
    """Return the positions of the links in the last sample that a page has received, (3, L), m."""
    data = [each["data"] for each in messages.all if each["type"] == "samples" and each["of"] == "present"]
    _, arrays = read_message(data[-1])
    return np.array([arrays[axis][:, -1] + arrays["com"][k, -1] for k, axis in enumerate("xyz")])


def expected_places(robot: Project, signals: Signals) -> np.ndarray:
    links = robot.character.link_names
    return np.array([[signals.columns[f"{axis}.{link}"][-1] for link in links] for axis in "xyz"])


def test_the_motion_is_that_of_a_simulation_also_after_a_push_at_a_point(
    robot: Project, open_robot: Callable[..., tuple[SessionPage, Any]]
) -> None:
    page, messages = open_robot()
    messages.until_ended()
    calm = expected_places(robot, simulated(robot))
    assert np.abs(last_places(messages) - calm).max() < 1e-4
    page.say(type="push", **PUSH)
    messages.until("branch")
    state = messages.until_ended()
    push = {"push": "trunk", **{name: value for name, value in PUSH.items() if name != "link"}}
    assert state["events"] == [push]
    force, point = (PUSH["x"], PUSH["y"], PUSH["z"]), tuple(PUSH["point"])
    pushed = expected_places(robot, simulated(robot, SpatialPush(0.5, 0.1, "trunk", force, point)))
    assert np.abs(pushed - calm).max() > 1e-3
    assert np.abs(last_places(messages) - pushed).max() < 1e-4
    page.say(type="undo")
    messages.until("branch")
    assert messages.until_ended()["events"] == []
    assert np.abs(last_places(messages) - calm).max() < 1e-4


def test_the_slope_ahead_friction_and_engine_can_change(open_robot: Callable[..., tuple[SessionPage, Any]]) -> None:
    page, messages = open_robot()
    messages.until_ended()
    for change in ({"slope": 4.0}, {"friction": 0.6}, {"engine": "ode"}):
        page.say(type="world", time=0.3, **change)
        messages.until("branch")
        world = messages.until_ended()["world"]
        ((name, value),) = change.items()
        assert world[name] == value
    headers = [read_message(each["data"])[0] for each in messages.all if each["type"] == "samples"]
    grounds = [header["ground"] for header in headers if "ground" in header]
    assert grounds[-1]["y"][-1] > 100.0
    assert grounds[-1]["friction"] == 0.6


def test_rough_ground_is_sent_and_its_slope_cannot_change(open_robot: Callable[..., tuple[SessionPage, Any]]) -> None:
    page, messages = open_robot(terrain="rough=0.02 seed=2")
    messages.until_ended()
    _, arrays = read_message(next(each["data"] for each in messages.all if each["type"] == "samples"))
    assert 0.01 < arrays["ground.grid"].max() < 0.0201
    page.say(type="world", time=0.3, slope=4.0)
    sentence = "the slope cannot change on ground with 'bank', 'rough' or 'hills': restart the motion on other ground"
    assert messages.until("notice")["message"] == sentence


def test_pushes_are_restored_in_the_next_session(open_robot: Callable[..., tuple[SessionPage, Any]]) -> None:
    push = {"push": "trunk", **{name: value for name, value in PUSH.items() if name != "link"}}
    _, messages = open_robot(saved_state=SavedState.model_validate({"events": [push, {**push, "push": "wing"}]}))
    assert messages.until_ended()["events"] == [push]


@pytest.mark.parametrize("point", [[1e9, 0, 0], [0, 0], "here", [0, 0, None]])
def test_points_that_are_not_on_a_character_are_refused(point: Any) -> None:
    with pytest.raises(CtrlGraphError, match="point"):
        protocol.parse(json.dumps({"type": "push", **PUSH, "point": point}))


@pytest.fixture
def opened(
    robot: Project, in_thread: Callable[..., Any], open_page: Callable[..., Watched], tmp_path: Path
) -> Iterator[Watched]:
    page = open_live_page(robot, NODES)
    with in_thread(page):
        watched = open_page(page.address, viewport={"width": 1280, "height": 900})
        ended(watched)
        yield watched


def ended(page: Watched) -> None:
    page.until("() => 'ctrlgraphLive' in window")  # three.js is loaded before
    state = "() => { const { state, version, present } = ctrlgraphLive;"
    page.until(state + " return state?.ended != null && state.version >= version && present.samples > 50; }")


@pytest.mark.slow
def test_the_page_plays_in_space_without_external_requests(opened: Watched) -> None:
    opened.until("() => ctrlgraphLive.player.time > 0.05")
    links = (
        "() => ctrlgraphLive.present.body.links.every(({ name }) => ctrlgraphLive.figure.scene.getObjectByName(name))"
    )
    assert opened.evaluate(links)
    assert opened.evaluate("() => !document.getElementById('no-scripts').hidden")
    assert opened.errors == []
    origin = opened.requests[0].split("#")[0]
    assert all(each.startswith(origin) or each.startswith("ws://127.0.0.1") for each in opened.requests)


def test_dragging_a_link_pushes_it_at_the_point_that_was_dragged(opened: Watched) -> None:
    page = opened.page
    opened.evaluate("() => { ctrlgraphLive.player.pause(); ctrlgraphLive.player.seek(0.5); }")
    x, y = opened.evaluate("() => ctrlgraphLive.figure.pageOf(...ctrlgraphLive.present.pose(0.5).com)")
    grip = opened.evaluate("([x, y]) => ctrlgraphLive.figure.grip(x, y)", [x, y])
    viewer = np.array(opened.evaluate("() => ctrlgraphLive.figure.viewer"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y)
    page.mouse.up()
    (event,) = opened.until("() => ctrlgraphLive.state.events.length && ctrlgraphLive.state.events")
    force = np.array([event[axis] for axis in "xyz"])
    assert event["push"] == opened.evaluate("(link) => ctrlgraphLive.present.body.links[link].name", grip["link"])
    assert event["point"] == pytest.approx(grip["point"], abs=2e-3)
    assert abs(force @ viewer) < 1e-6 * np.linalg.norm(force)  # in the plane of the picture
    assert abs(force[2]) < 0.05 * np.linalg.norm(force)  # level, as the drag
    ended(opened)
    assert opened.errors == []


@pytest.mark.slow
def test_a_drag_beside_the_character_turns_the_picture(opened: Watched) -> None:
    page = opened.page
    before = opened.evaluate("() => ctrlgraphLive.figure.viewer")
    box = page.locator("#figure").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 30, box["y"] + box["height"] - 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + box["height"] - 30)
    page.mouse.up()
    assert np.abs(np.subtract(opened.evaluate("() => ctrlgraphLive.figure.viewer"), before)).max() > 0.1
    assert opened.evaluate("() => ctrlgraphLive.state.events") == []
