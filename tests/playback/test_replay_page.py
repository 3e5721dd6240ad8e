"""The replay page: one file, no network, and exactly the poses of the log."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from browser import Watched
from click.testing import CliRunner
from small_project import make_small

from ctrlgraph.cli.main import cli
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.playback import PlaybackEncoder
from ctrlgraph.playback.page import ReplayedMotion, replay_page
from ctrlgraph.playback.script_data import scripts_of
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.walks import replay_page as pages
from ctrlgraph.walks.random_run import walk_random
from ctrlgraph.walks.replay import replay_walk
from ctrlgraph.walks.replay_page import write_replay_page

STEP = 0.002  # s
ALLOWED = (1e-4, 1e-4, 2e-4)  # resolution of the format, m and rad


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with two logged walks."""
    project = Project(make_small(tmp_path_factory.mktemp("played") / "small"))
    for seed in (7, 8):
        walk_random(project, transitions=4, seed=seed)
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
def every_step(project: Project) -> tuple[Signals, Trace]:
    """The walk's signals in every step, and the sampled states that were compared with the log bit for bit."""
    with project.read_log() as log:
        replay = replay_walk(project, log, log.run("last"), 0, verify=True, draw=True, signal_rate=1 / STEP)
    assert replay.difference is None
    assert replay.states is not None and replay.signals is not None
    return replay.signals, replay.states.trace


def test_the_page_works_offline_without_errors(opened: Watched, page: Path) -> None:
    opened.evaluate("() => { player.play(); }")
    opened.until("() => player.time > 0.2")
    assert opened.requests == [page.as_uri()]
    assert opened.errors == []


def of(signals: Signals, quantity: str, links: tuple[str, ...], rows: np.ndarray) -> np.ndarray:
    return np.array([signals.columns[f"{quantity}.{name}"][rows] for name in links]).T


def rows_at(signals: Signals, times: np.ndarray) -> np.ndarray:
    """Return the last step at each time; two controllers share one."""
    rows = np.searchsorted(signals.columns["time"], times + STEP / 10) - 1
    assert np.abs(signals.columns["time"][rows] - times).max() < 1e-6
    return rows


def poses_in(opened: Watched) -> list[np.ndarray]:
    """Times, x, y and rotations of all samples, as the browser has them."""
    poses = opened.evaluate(
        """() => Array.from({ length: panels[0].playback.samples }, (_, i) => {
          const pose = panels[0].playback.pose(panels[0].playback.timeOf(i));
          return [pose.time, Array.from(pose.x), Array.from(pose.y), Array.from(pose.rotation)];
        })"""
    )
    return [np.array(column) for column in zip(*poses, strict=True)]


def test_poses_are_those_of_the_log(opened: Watched, project: Project, every_step: tuple[Signals, Trace]) -> None:
    signals, verified = every_step
    links = project.character.link_names
    # page and log have different samples; both are compared with every step
    rows = rows_at(signals, verified.time)
    for axis, name in enumerate(("x", "y")):
        assert (of(signals, name, links, rows) == verified.position[:, :, axis]).all()
    assert (of(signals, "rotation", links, rows) == verified.angle).all()
    times, *values = poses_in(opened)
    assert len(times) > 100
    for name, decoded, allowed in zip(("x", "y", "rotation"), values, ALLOWED, strict=True):
        assert np.abs(decoded - of(signals, name, links, rows_at(signals, times))).max() < allowed


@pytest.mark.slow
def test_it_plays_pauses_and_stops_at_the_end(opened: Watched) -> None:
    page = opened.page
    page.keyboard.press("Space")
    opened.until("() => player.playing && player.time > 0.1")
    page.keyboard.press("Space")
    assert opened.evaluate("() => player.playing") is False
    page.keyboard.press("End")
    assert opened.evaluate("() => player.time === player.end")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert opened.evaluate("() => player.time") == pytest.approx(0.02)
    page.keyboard.press("Shift+ArrowRight")
    assert opened.evaluate("() => panels[0].playback.stretches('phase').some((each) => each.from === player.time)")


@pytest.mark.slow
def test_the_slider_the_lanes_and_the_log_go_to_a_moment(opened: Watched) -> None:
    page = opened.page
    page.locator(".cg-slider").fill("1.5")
    assert opened.evaluate("() => player.time") == pytest.approx(1.5, abs=0.01)
    lane = page.locator("canvas.cg-lane").first
    box = lane.bounding_box()
    assert box is not None
    lane.click(position={"x": box["width"] / 4, "y": 5})
    from_s, to_s = opened.evaluate("() => panels[0].lanes.window")
    assert opened.evaluate("() => player.time") == pytest.approx(from_s + (to_s - from_s) / 4, abs=0.05)
    page.locator(".log tbody tr").nth(2).click()
    assert opened.evaluate("() => player.time === panels[0].rows[2].time")
    node = page.locator(".log tr[aria-current] td").nth(1).inner_text()
    assert page.locator(".badge").inner_text() == node
    assert page.locator(".cg-node.cg-lit").get_attribute("aria-label").replace("_", " ") == node
    row = opened.evaluate("() => panels[0].row")
    edge = f"{row['source']} → {row['node']}".replace("_", " ")
    assert any(text.startswith(edge) for text in page.locator(".cg-lit title").all_text_contents())


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_nothing_is_wider_than_the_window(
    page: Path, open_page: Callable[..., Watched], width: int, scheme: str
) -> None:
    watched = open_page(page.as_uri(), viewport={"width": width, "height": 800}, color_scheme=scheme)
    watched.page.wait_for_selector("html[data-ready]")
    assert watched.evaluate("() => document.documentElement.scrollWidth") == width
    wide = "(e) => e.clientWidth && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX != 'visible'"
    scrolled = f"() => [...document.querySelectorAll('.bar, .bar *')].filter({wide}).map((e) => e.className)"
    assert watched.evaluate(scrolled) == []


def test_untrusted_names_are_text(project: Project, open_page: Callable[..., Watched], tmp_path: Path) -> None:
    bad = "</script><img src=x onerror=\"document.title='taken'\">"
    with project.read_log() as log:
        signals = replay_walk(project, log, log.run("last"), 0, signal_rate=50.0).signals
    assert signals is not None
    signals.columns["node"][:] = bad
    row = {"time": 0, "seconds": 1, "node": bad, "source": bad, "kind": bad, "cycles": 1, "status": bad, "reason": bad}
    message = PlaybackEncoder(project.character).message(signals)
    node = {"name": bad, "lines": [bad], "static": True, "start": True, "x": 0, "y": 0, "width": 10, "height": 10}
    graph = {"width": 9, "height": 9, "nodes": [node], "edges": [], "left_out": 0}
    path = tmp_path / "bad.html"
    path.write_text(replay_page(bad, [ReplayedMotion(bad, bad, True, message, [row])], graph), encoding="utf-8")
    watched = open_page(path.as_uri())
    watched.page.wait_for_selector("html[data-ready]")
    assert watched.page.title() == bad
    assert watched.page.locator("img").count() == 0
    assert watched.errors == []


def test_the_page_forbids_everything_from_outside(opened: Watched, page: Path) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page.read_text(encoding="utf-8"))
    assert policy is not None
    assert policy[1].startswith("default-src 'none'")
    assert "unsafe" not in policy[1]
    assert opened.evaluate("() => fetch('https://example.org').then(() => 'answered', () => 'refused')") == "refused"


def command(project: Project, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["--project", str(project.directory), "replay", *words])
    return result.exit_code, result.stdout if result.exit_code < 2 else result.output


@pytest.mark.slow
def test_several_runs_are_side_by_side(project: Project, open_page: Callable[..., Watched], tmp_path: Path) -> None:
    with project.read_log() as log:
        ids = [run.id for run in log.runs()]
    path = tmp_path / "both.html"
    code, output = command(project, *ids, "--page", str(path), "--between", "0", "2", "--json")
    assert code == 0
    data = json.loads(output)
    assert [walk["run"] for walk in data["walks"]] == ids
    assert all(walk["identical"] for walk in data["walks"])
    watched = open_page(path.as_uri(), viewport={"width": 1280, "height": 800})
    watched.page.wait_for_selector("html[data-ready]")
    first, second = (panel.bounding_box() for panel in watched.page.locator(".panel").all())
    assert first["y"] == second["y"]
    assert watched.evaluate("() => player.end") == pytest.approx(2.0, abs=0.03)


@pytest.mark.slow
def test_a_part_begins_at_its_second(project: Project, open_page: Callable[..., Watched], tmp_path: Path) -> None:
    path = tmp_path / "part.html"
    assert command(project, "last", "--page", str(path), "--between", "1", "2")[0] == 0
    watched = open_page(path.as_uri())
    watched.page.wait_for_selector("html[data-ready]")
    assert watched.evaluate("() => [player.start, player.end]") == pytest.approx([1.0, 2.0], abs=0.021)


def test_a_page_that_would_be_too_large_is_refused(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MAX_SECONDS", 1.0)
    with project.read_log() as log, pytest.raises(CtrlGraphError, match="give --between A B"):
        write_replay_page(project, log, [(log.run("last"), 0)], tmp_path / "walk.html")


@pytest.mark.slow
def test_a_changed_walk_is_reported(tmp_path: Path, open_page: Callable[..., Watched]) -> None:
    project = Project(make_small(tmp_path / "changed"))
    run = walk_random(project, transitions=2, seed=7).run
    stand = project.directory / "controllers" / "stand.t"
    text = stand.read_text(encoding="utf-8")
    changed = re.sub(r"(waist\()0\.?0*", r"\g<1>0.02", text, count=1)
    assert changed != text
    stand.write_text(changed, encoding="utf-8")
    path = tmp_path / "walk.html"
    code, _ = command(project, run, "--page", str(path))
    assert code == 1
    watched = open_page(path.as_uri())
    watched.page.wait_for_selector("html[data-ready]")
    note = watched.page.locator(".note").inner_text()
    assert note.startswith("Different from the log: first difference at attempt 0")
    assert watched.page.locator(".log tbody tr").count() == 3


@pytest.mark.slow
def test_an_incomplete_log_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(make_small(tmp_path / "short"))
    run = walk_random(project, transitions=3, seed=7).run
    with project.read_log() as log:
        path, seconds = log.path, sum(attempt.simulated_s for attempt in log.attempts(run))
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE attempts SET started_s = 0, simulated_s = 0.01")
    page = tmp_path / "walk.html"
    assert command(project, run, "--page", str(page))[0] == 1  # the walk differs from the log but is short
    page.unlink()
    monkeypatch.setattr(pages, "MAX_SECONDS", seconds / 2)
    with (
        project.read_log() as log,
        pytest.raises(
            CtrlGraphError, match=f"walk 0 of run {run} differs from the log: it lasts at least .* simulated seconds"
        ),
    ):
        write_replay_page(project, log, [(log.run(run), 0)], page)
    assert not page.exists()


@pytest.mark.slow
def test_the_lines_of_the_phase_that_runs_are_shown(opened: Watched, project: Project) -> None:
    opened.evaluate("() => { player.pause(); player.seek(0.02); }")
    texts = {path.stem: path.read_text(encoding="utf-8") for path in project.library.paths()}
    seen = set()
    for place, first in opened.evaluate(
        "() => panels[0].playback.stretches('phase').map((each) => [each.place, each.from])"
    ):
        opened.evaluate("(time) => player.seek(time + 1e-4)", first)
        title = opened.page.locator(".script h3").inner_text()
        assert title == f"{Path(place['script']).name}, phase {place['phase']}"
        shown = opened.page.locator(".script pre").inner_text().rstrip("\n").split("\n")
        lines = texts[Path(place["script"]).stem].split("\n")
        for line in shown:
            number, text = int(line[:4]), line[5:]
            assert lines[number - 1] == text
        assert f"PHASE {place['phase']}" in shown[0] and "ENDPHASE" in shown[-1]
        seen.add(title)
    assert len(seen) > 2


@pytest.mark.slow
def test_the_graph_has_the_success_of_all_that_is_logged(opened: Watched, project: Project) -> None:
    with project.read_log() as log:
        statistics = log.statistics()
    edge = max(statistics.edges, key=lambda each: each.success.attempts)
    titles = opened.evaluate(
        "() => [...document.querySelectorAll('.graph > svg title')].map((each) => each.textContent)"
    )
    text = f"{edge.source} → {edge.target} ({edge.kind}): {edge.success.successes} of {edge.success.attempts} succeeded"
    assert text in titles
    assert "succeeded: 0 %" in opened.page.locator(".cg-legend").inner_text()


def test_the_page_has_the_text_of_key_frame_files_of_the_project() -> None:
    project = Project(Path(__file__).parents[2] / "projects" / "quadruped")
    file = "controllers/sit.yaml"
    found = scripts_of(project, [file, "", "../outside.yaml", "controllers/none.yaml"])
    assert found == {file: {"text": (project.directory / file).read_text(), "phases": []}}
