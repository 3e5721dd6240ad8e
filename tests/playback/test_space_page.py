"""The replay page in space: one file, no network, the poses of the log, seen from any side."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from box_quadruped import box_quadruped
from browser import Watched

from ctrlgraph.character.spatial.spatial_frames import rotation_matrix
from ctrlgraph.character.spatial_model import Mesh, Shape
from ctrlgraph.control.keyframes.keyframes import new_keyframes
from ctrlgraph.engine.spatial_pushes import SpatialPush
from ctrlgraph.pictures.spatial import VIEWS
from ctrlgraph.pictures.spatial.spatial_view import view_of
from ctrlgraph.playback import PlaybackEncoder, read_message
from ctrlgraph.playback.assets import SPACE, embedded_bytes, joined, module
from ctrlgraph.playback.page import ReplayedMotion, replay_page
from ctrlgraph.project.project import Project
from ctrlgraph.project.shipped import copy_project
from ctrlgraph.simulation.disturbances import Disturbances
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder, Signals
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.spatial import parse_spatial
from ctrlgraph.walks.random_run import walk_random
from ctrlgraph.walks.replay import replay_walk
from ctrlgraph.walks.replay_page import write_replay_page

STEP = 0.002  # s
PLACE, TURN = 5e-5, 1e-4  # resolution of the format, m and rad
TERRAINS = (
    "flat", "slope=5 bank=3", "rough=0.03 hills=0.2 seed=4", "stairs=0.5:4:0.3:0.1", "stairs=0.5:4:0.3:-0.1",
    "bank=-4 block=0.5:-0.4:0.6:0.3:0.2:30,-1:1:1:1:0.4",
)  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with a logged walk of a robot that is pushed on rough ground."""
    directory = tmp_path_factory.mktemp("space") / "robot"
    copy_project(directory, "quadruped")
    project = Project(directory, engine="mujoco")
    world = Environment("rough=0.02 seed=3", engine="mujoco", disturbances=Disturbances(20.0, 40.0, 0.5))
    walk_random(project, transitions=2, seed=5, world=world)
    return project


@pytest.fixture(scope="module")
def page(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "walk.html"
    with project.read_log() as log:
        write_replay_page(project, log, [(log.run("last"), 0)], path)
    return path


@pytest.fixture
def opened(page: Path, open_page: Callable[..., Watched]) -> Watched:
    watched = open_page(page.as_uri(), offline=True)
    watched.page.wait_for_selector("html[data-ready]")
    return watched


@pytest.fixture(scope="module")
def every_step(project: Project) -> tuple[Signals, SpatialTrace]:
    """The walk's signals in every step, and the sampled states that were compared with the log bit for bit."""
    with project.read_log() as log:
        replay = replay_walk(project, log, log.run("last"), 0, verify=True, draw=True, signal_rate=1 / STEP)
    assert replay.difference is None
    assert replay.states is not None and replay.signals is not None
    return replay.signals, replay.states.trace


def poses_of(signals: Signals, links: tuple[str, ...], times: np.ndarray) -> np.ndarray:
    """Positions and orientations (n, L, 7) in the last step at each time; two controllers share one."""
    rows = np.searchsorted(signals.columns["time"], times + STEP / 10) - 1
    assert np.abs(signals.columns["time"][rows] - times).max() < 1e-6
    names = ("x", "y", "z", "qw", "qx", "qy", "qz")
    return np.array([[signals.columns[f"{name}.{link}"][rows] for name in names] for link in links]).transpose(2, 0, 1)


def test_the_page_works_offline_without_errors(opened: Watched, page: Path) -> None:
    opened.evaluate("() => { player.play(); }")
    opened.until("() => player.time > 0.2")
    assert opened.requests == [page.as_uri()]
    assert opened.errors == []


def test_links_in_the_scene_are_those_of_the_log(
    opened: Watched, project: Project, every_step: tuple[Signals, SpatialTrace]
) -> None:
    signals, verified = every_step
    links = project.character.link_names
    assert (poses_of(signals, links, verified.time) == verified.pose).all()
    found = opened.evaluate(
        """(links) => {
          const { playback, figure } = panels[0];
          return Array.from({ length: playback.samples }, (_, i) => {
            player.seek(playback.timeOf(i));
            return [player.time, links.map((name) => figure.scene.getObjectByName(name).matrixWorld.toArray())];
          });
        }""",
        list(links),
    )
    assert len(found) > 100
    wanted = poses_of(signals, links, np.array([time for time, _ in found]))
    matrices = np.array([matrix for _, matrix in found]).reshape(len(found), len(links), 4, 4)
    assert np.abs(matrices[:, :, 3, :3] - wanted[:, :, :3]).max() < PLACE
    turned = matrices[:, :, :3, :3].transpose(0, 1, 3, 2)
    assert np.abs(turned - rotation_matrix(wanted[:, :, 3:])).max() < TURN


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
def test_views_are_those_of_pictures_with_the_character_in_the_middle(opened: Watched, view: str) -> None:
    opened.page.get_by_role("button", name=view, exact=True).click()
    opened.evaluate("() => player.seek(0)")
    viewer = opened.evaluate("() => panels[0].figure.viewer")
    assert np.allclose(viewer, view_of(view).viewer, atol=1e-6)
    box = opened.page.locator(".cg-figure").bounding_box()
    assert box is not None
    com = opened.evaluate("() => panels[0].figure.pageOf(...panels[0].playback.comOf(0))")
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    assert np.abs(np.subtract(com, middle)).max() < 0.15 * box["height"]
    assert opened.evaluate(
        """() => {
          const { figure, playback } = panels[0];
          const pose = playback.pose(0);
          const grip = figure.grip(...figure.pageOf(...playback.comOf(0)));
          const [x, y, z] = figure.gripped(grip, pose);
          return Math.hypot(...playback.comOf(0).map((along, c) => along - [x, y, z][c])) < playback.body.size;
        }"""
    )


@pytest.mark.slow
def test_views_have_keys_and_dragging_turns_them(opened: Watched) -> None:
    page = opened.page
    page.keyboard.press("2")
    assert np.allclose(opened.evaluate("() => panels[0].figure.viewer"), view_of("side").viewer, atol=1e-6)
    box = page.locator(".cg-figure").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 30)
    page.mouse.up()
    right, _, up = opened.evaluate("() => panels[0].figure.viewer")
    assert right < -0.1 and up > view_of("side").viewer[2]  # the picture follows the mouse


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(
    page: Path, open_page: Callable[..., Watched], width: int, scheme: str
) -> None:
    watched = open_page(page.as_uri(), viewport={"width": width, "height": 800}, color_scheme=scheme)
    watched.page.wait_for_selector("html[data-ready]")
    assert watched.evaluate("() => document.documentElement.scrollWidth") == width
    boxes = [watched.page.locator(name).bounding_box() for name in (".badge", ".cg-views", ".stage")]
    badge, views, stage = (box or {} for box in boxes)
    assert badge["x"] + badge["width"] < views["x"] or badge["y"] + badge["height"] < views["y"]
    assert views["x"] > stage["x"] and views["x"] + views["width"] < stage["x"] + stage["width"]


@pytest.mark.slow
def test_arrows_show_forces_and_pushes(opened: Watched, every_step: tuple[Signals, SpatialTrace]) -> None:
    signals, _ = every_step
    columns = signals.columns
    pushed = columns["time"][np.flatnonzero(columns["push_x"])]
    assert len(pushed) > 0
    time = float(np.ceil(pushed[0] * 50) / 50)
    row = int(np.searchsorted(columns["time"], time + STEP / 10)) - 1
    opened.page.get_by_label("forces").check()
    shown = """(time) => {
      player.seek(time);
      const arrows = [];
      panels[0].figure.scene.traverse((each) => {
        if (!["force", "push"].includes(each.name) || !each.visible) return;
        const [, head] = each.children;
        const along = head.position.clone().setY(head.position.y + head.scale.y).applyQuaternion(each.quaternion);
        arrows.push([each.name, each.position.toArray(), along.toArray()]);
      });
      return arrows;
    }"""
    arrows = opened.evaluate(shown, time)
    (push,) = [np.array(rest) for name, *rest in arrows if name == "push"]
    assert np.abs(push.sum(axis=0) - [columns[f"push_at_{axis}"][row] for axis in "xyz"]).max() < 1e-4
    assert np.sign(push[1, 0]) == np.sign(columns["push_x"][row])
    forces = np.array([rest[1] for name, *rest in arrows if name == "force"])
    links = {name.partition(".")[2] for name in columns if name.startswith("force_z.")}
    recorded = [[columns[f"force_{axis}.{link}"][row] for axis in "xyz"] for link in links]
    total = np.nansum(recorded, axis=0)
    assert np.allclose(
        forces.sum(axis=0) / np.linalg.norm(forces.sum(axis=0)), total / np.linalg.norm(total), atol=0.01
    )


@pytest.mark.slow
def test_layers_can_be_shown(opened: Watched) -> None:
    for box in opened.page.locator(".layers input").all():
        box.check()
    opened.evaluate("() => player.seek(1.2)")
    counted = (
        "() => { let n = 0; panels[0].figure.scene.traverseVisible((each) => { n += each.isMesh ?? 0; }); return n; }"
    )
    many = opened.evaluate(counted)
    for box in opened.page.locator(".layers input").all():
        box.uncheck()
    opened.evaluate("() => player.seek(1.3)")
    assert opened.evaluate(counted) < many / 3
    assert opened.errors == []


def simulated(character: Any, seconds: float = 0.3, pushes: tuple[Any, ...] = ()) -> Signals:
    """Return the signals of a motion in which all joints turn a little."""
    joints = character.joints
    frames = np.array([np.zeros(len(joints)), np.linspace(-0.3, 0.3, len(joints))])
    gains = np.array([(joint.kp, joint.kd) for joint in joints])
    names = tuple(joint.name for joint in joints)
    turning = new_keyframes("turn", names, np.arange(len(joints)), np.array([0.0, 0.2]), frames, gains)
    with Simulation(character, engine="mujoco") as simulation:
        simulation.disturb(pushes)
        recorder = SignalRecorder(simulation, 100.0)
        recorder.begin("turn")
        simulation.run(turning, timeout=seconds)
        return recorder.signals()


@pytest.mark.slow
def test_poses_of_targets_are_those_of_the_joint_angles(open_page: Callable[..., Watched], tmp_path: Path) -> None:
    character = box_quadruped()
    signals = simulated(character)
    for joint in character.joint_names:
        signals.columns[f"target.{joint}"] = signals.columns[f"angle.{joint}"]
    path = page_of(tmp_path, PlaybackEncoder(character).message(signals))
    watched = open_page(path.as_uri())
    watched.page.wait_for_selector("html[data-ready]")
    watched.page.get_by_label("targets").check()
    off = watched.evaluate(
        """() => {
          const { playback, figure } = panels[0];
          player.seek(0.15);
          return playback.body.links.map(({ name }) => {
            const same = [];
            figure.scene.traverse((each) => { if (each.name === name) same.push(each.matrixWorld.elements); });
            const [one, ...others] = same;
            return Math.max(...others.flatMap((other) => other.map((x, k) => Math.abs(x - one[k]))));
          });
        }"""
    )
    assert max(off) < 1e-3
    assert len(off) == len(character.links)


def page_of(directory: Path, message: bytes, title: str = "a motion") -> Path:
    """Write a page with one motion."""
    row = {"time": 0, "seconds": 1, "node": title, "source": None, "kind": "start", "cycles": 1}
    row |= {"status": "completed", "reason": ""}
    graph = {"width": 9, "height": 9, "nodes": [], "edges": [], "left_out": 0}
    path = directory / "page.html"
    motion = ReplayedMotion(title, title, False, message, [row])
    path.write_text(replay_page(title, [motion], graph, in_space=True), encoding="utf-8")
    return path


def test_untrusted_names_are_text(open_page: Callable[..., Watched], tmp_path: Path) -> None:
    bad = "</script><img src=x onerror=\"document['title']='taken'\">"
    plain = box_quadruped()
    links = tuple(replace(link, name=f"{bad}{k}") for k, link in enumerate(plain.links))
    joints = tuple(replace(joint, name=f"{bad}{k}") for k, joint in enumerate(plain.joints))
    character = replace(plain, name=bad, links=links, joints=joints)
    signals = simulated(character)
    signals.columns["node"] = np.array([bad] * len(signals))
    watched = open_page(page_of(tmp_path, PlaybackEncoder(character).message(signals), bad).as_uri())
    watched.page.wait_for_selector("html[data-ready]")
    assert watched.page.title() == bad
    assert watched.page.locator("img").count() == 0
    assert watched.errors == []


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda message: b"GIF8" + message[4:], "not a playback"),
        (lambda message: message.replace(b'"format":1', b'"format":9'), "this playback has format 9, not 1"),
        (lambda message: message[: len(message) // 2], ""),
        (lambda message: message[:8] + b"{" + message[9:].replace(b"]", b"[", 3), ""),
        (lambda _: b"", "not a playback"),
    ],
)
def test_a_damaged_motion_is_reported(
    open_page: Callable[..., Watched], tmp_path: Path, damage: Callable[[bytes], bytes], sentence: str
) -> None:
    character = box_quadruped()
    message = damage(PlaybackEncoder(character).message(simulated(character, 0.05)))
    watched = open_page(page_of(tmp_path, message).as_uri())
    note = watched.page.locator(".note")
    note.wait_for()
    assert note.inner_text().startswith(f"This page cannot play: {sentence}")
    assert watched.errors == []


@pytest.mark.slow
def test_a_browser_without_webgl_gets_a_sentence_and_the_rest_of_the_page(opened: Watched) -> None:
    opened.page.add_init_script("HTMLCanvasElement.prototype.getContext = ((real) => function (kind, ...more) {"
                                " return kind === 'webgl2' ? null : real.call(this, kind, ...more); })"
                                "(HTMLCanvasElement.prototype.getContext);")  # fmt: skip
    opened.page.reload()
    opened.page.wait_for_selector("html[data-ready]")
    assert "it offers no WebGL 2" in opened.page.locator(".stage .note").inner_text()
    opened.page.locator(".log tbody tr").nth(1).click()
    assert opened.evaluate("() => player.time === panels[0].rows[1].time")
    assert opened.errors == []


def test_the_page_forbids_everything_from_outside(opened: Watched, page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'")
    assert "unsafe" not in policy[1]
    assert opened.evaluate("() => fetch('https://example.org').then(() => 'answered', () => 'refused')") == "refused"


def test_the_license_of_three_js_is_in_the_page(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert module("three.LICENSE.txt") in text
    assert "Drawn with three.js (MIT License" in text


def test_pages_in_the_plane_have_no_three_js() -> None:
    assert "three.js" not in replay_page("plane", [], {"width": 9, "height": 9, "nodes": [], "edges": []})[:1000]
    assert len(module("three.min.js")) > 100_000


@pytest.mark.parametrize("words", TERRAINS)
def test_the_browser_has_the_heights_of_the_ground(open_page: Callable[..., Watched], words: str) -> None:
    terrain, character = parse_spatial(words), box_quadruped()
    message = PlaybackEncoder(character, terrain).message(simulated(character, 0.05))
    rng = np.random.default_rng(0)
    places = rng.uniform(-3.0, 3.0, (400, 2))
    places = np.concatenate([places, [[500.0, -80.0], [-33.3, 77.7]]])
    script = joined(["playback.js", "terrain.js"])
    watched = open_page("about:blank")
    found = watched.evaluate(
        f"""([message, places]) => {{
          {script}
          const playback = Playback.of(Uint8Array.from(atob(message), (letter) => letter.charCodeAt(0)));
          const ground = new Ground(playback.ground, playback.surfaces["ground.grid"]);
          const reach = 2;
          const {{ position }} = ground.surface(0.3, -0.2, reach);
          const of = (name) => places.map(([x, y]) => ground[name](x, y));
          return [of("height"), of("level"), Array.from(position)];
        }}""",
        [base64.b64encode(message).decode(), places.tolist()],
    )
    heights, levels, corners = (np.array(each) for each in found)
    corners = corners.reshape(-1, 3)
    assert np.abs(heights - [terrain.height(x, y) for x, y in places]).max() < PLACE
    bridged = replace(terrain, blocks=()).bridged
    assert np.abs(levels - [bridged.height(x, y) for x, y in places]).max() < PLACE
    triangles = corners.reshape(-1, 3, 3)
    area = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    middles = triangles[np.abs(area[:, 2]) > 1e-6].mean(axis=1)  # those of walls are at two heights
    above = middles[:, 2] - [terrain.height(x, y) for x, y in middles[:, :2]]
    assert above.max() < PLACE + 1e-6
    assert (np.abs(above) < PLACE + 1e-6).mean() > 0.5  # the others are below blocks
    assert corners[:, 1].min() < -2.19 and corners[:, 0].max() > 2.29


def test_a_push_is_recorded_with_the_point_at_which_it_acts() -> None:
    character = box_quadruped()
    push = SpatialPush(start=0.05, duration=0.1, link="trunk", force=(0.0, 60.0, 10.0), point=(0.1, 0.0, 0.05))
    columns = simulated(character, pushes=(push,)).columns
    during = (columns["time"] > 0.055) & (columns["time"] < 0.145)
    for axis, force in zip("xyz", push.force, strict=True):
        assert (columns[f"push_{axis}"][during] == force).all()
    assert (columns["push_y"][~during & (columns["time"] > 0.155)] == 0.0).all()
    pose = np.stack([columns[f"{name}.trunk"] for name in ("x", "y", "z", "qw", "qx", "qy", "qz")], axis=1)[during]
    at = np.stack([columns[f"push_at_{axis}"] for axis in "xyz"], axis=1)
    assert np.allclose(at[during], pose[:, :3] + rotation_matrix(pose[:, 3:]) @ push.point, atol=1e-12)
    assert np.isnan(at[columns["push_y"] == 0.0]).all()


def test_triangles_of_bodies_are_anticlockwise_seen_from_outside() -> None:
    plain = box_quadruped()
    bone = replace(plain.links[2], shapes=(Shape("sphere", (0.02, 0.0, 0.0), (0.0, 0.0, -0.1)),))  # drawn as a hull
    mesh = Mesh(((0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)), ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)))
    mirrored = Shape("mesh", (-1.0, 1.0, 1.0), (0.0, 0.0, 0.0), collides=False, mesh="corner")
    trunk = replace(plain.links[0], shapes=(*plain.links[0].shapes, mirrored))
    links = (trunk, plain.links[1], bone, *plain.links[3:])
    character = replace(plain, links=links, meshes={"corner": mesh})
    _, arrays = read_message(PlaybackEncoder(character).message(simulated(plain, 0.05)))
    point, normal = arrays["body.point"].T, arrays["body.normal"].T
    first, second, third = (point[arrays["body.corner"].reshape(-1, 3)[:, k]] for k in range(3))
    faces = np.cross(second - first, third - first)
    outward = normal[arrays["body.corner"].reshape(-1, 3)].mean(axis=1)
    assert ((faces * outward).sum(axis=1) >= -1e-9).all()
    counts = arrays["body.count"].sum(axis=1)
    assert counts.tolist() == [len(point), len(faces)]


def test_orientations_keep_their_sign_along_the_motion_and_are_decoded_within_the_resolution() -> None:
    character = box_quadruped()
    signals = simulated(character)
    flipped = [name for name in signals.columns if re.match(r"q[wxyz]\.", name)]
    for name in flipped:
        signals.columns[name] = signals.columns[name] * np.where(np.arange(len(signals)) % 2, -1.0, 1.0)
    _, arrays = read_message(PlaybackEncoder(character).message(signals))
    turns = np.stack([arrays[name] for name in ("qw", "qx", "qy", "qz")])
    assert ((turns[:, :, 1:] * turns[:, :, :-1]).sum(axis=0) > 0.9).all()
    names = ("qw", "qx", "qy", "qz")
    wanted = np.stack([[signals.columns[f"{name}.{link}"] for link in character.link_names] for name in names])
    assert np.abs((turns * wanted).sum(axis=0) ** 2 - 1.0).max() < 1e-4
    assert np.minimum(np.abs(turns - wanted).max(axis=0), np.abs(turns + wanted).max(axis=0)).max() < 2e-5


def test_a_minute_of_the_robot_takes_less_than_three_megabytes_besides_the_library(
    project: Project, every_step: tuple[Signals, SpatialTrace]
) -> None:
    signals, _ = every_step
    shown = Signals({name: values[::10] for name, values in signals.columns.items()})  # 50 samples per second
    whole, half = (
        len(embedded_bytes(PlaybackEncoder(project.character).message(part), "motion"))
        for part in (shown, shown.part(0, len(shown) // 2))
    )
    minute = (whole - half) / (len(shown) - len(shown) // 2) * 50 * 60
    assert minute < 3e6
    assert sum(len(module(name).encode()) for name in SPACE) < 700_000


def test_a_camera_that_turns_keeps_its_angle_to_the_heading(
    open_page: Callable[..., Watched], project: Project, tmp_path: Path
) -> None:
    with Simulation(project.character, engine="mujoco") as simulation:
        recorder = SignalRecorder(simulation, 100.0)
        recorder.begin("turn_left")
        simulation.run(project.controller("turn_left"), cycles=8)
        path = page_of(tmp_path, PlaybackEncoder(project.character).message(recorder.signals()))
    watched = open_page(path.as_uri())
    watched.page.wait_for_selector("html[data-ready]")
    viewer, headings = watched.evaluate(
        """() => {
          const { playback, figure } = panels[0];
          figure.setView("side");
          figure.turns = true;
          player.seek(playback.end);
          const heading = (time) => {
            const [w, x, y, z] = playback.pose(time).turn.slice(4 * playback.body.root);
            return Math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z));
          };
          return [figure.viewer, [0, 0.4, 0.8].map((back) => heading(playback.end - back))];
        }"""
    )
    side = view_of("side").viewer
    turned = math.atan2(viewer[1], viewer[0]) - math.atan2(side[1], side[0])
    assert headings[0] > headings[2] + 0.1
    assert turned == pytest.approx(headings[1], abs=0.05)
