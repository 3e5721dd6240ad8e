"""The gallery: an animation of each motion from just before it to rest, and a page of all motions."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from small_project import GRAPH, ROOT, make_small

from ctrlgraph.cli.main import main
from ctrlgraph.project.project import Project
from ctrlgraph.report import gallery
from ctrlgraph.report.gallery import animate, trimmed
from ctrlgraph.report.markdown import BEGIN, END
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.examples import entries, starts
from tests.pictures.posing import durations, humanoid, walking


@pytest.fixture
def small(tmp_path) -> Project:
    directory = make_small(tmp_path / "small")
    text = GRAPH.replace("spring: {", "spring: {description: up | at <i>once</i>, ", 1)
    (directory / "controllers" / "stunts").mkdir()
    (directory / "controllers" / "spring.t").rename(directory / "controllers" / "stunts" / "spring.t")
    (directory / "controllers" / "straighten.t").rename(directory / "controllers" / "stunts" / "straighten.t")
    (directory / "graph.yaml").write_text(text.replace("controllers/spring.t", "controllers/stunts/spring.t"))
    return Project(directory)


def film(project: Project, path: Path) -> list[int]:
    (way,) = entries(project.graph, "spring")
    with Evaluator(project) as evaluator:
        ((begun, _),) = starts(evaluator, way, 1, seed=1)
        animate(project, begun, path)
    with Image.open(path) as shown:
        assert shown.format == "WEBP" and shown.size == gallery.SIZE
    return durations(path)


def test_an_animation_is_small_and_has_the_usual_rate_where_that_is_small_enough(small, tmp_path) -> None:
    shown = film(small, tmp_path / "a.webp")
    assert min(shown) == pytest.approx(1000 / gallery.RATES[0], abs=1)
    assert sum(shown) / 1000 > gallery.LEAD_S
    assert (tmp_path / "a.webp").stat().st_size <= gallery.MAX_BYTES


def test_an_animation_that_is_too_large_has_fewer_pictures_a_second(small, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(gallery, "MAX_BYTES", 1)
    assert min(film(small, tmp_path / "a.webp")) == pytest.approx(1000 / gallery.RATES[-1], abs=1)


def test_a_motion_is_shown_from_a_moment_before_it_to_rest() -> None:
    walk = walking(humanoid(), 3.0)
    still = np.repeat(walk.position[100][None], len(walk) - 100, axis=0)
    trace = replace(walk, position=np.concatenate([walk.position[:100], still]))
    shown = trimmed(trace, 0.3, 0.5)
    assert shown.time[0] == pytest.approx(0.3, abs=0.011)
    assert shown.time[-1] == pytest.approx(walk.time[100] + gallery.REST_S, abs=0.021)
    resting = trimmed(trace, 1.6, 2.0)  # a motion at rest is shown, too
    assert resting.time[-1] == pytest.approx(2.0 + gallery.REST_S, abs=0.011)
    long = walking(humanoid(), 12.0)
    shown = trimmed(long, 0.0, 0.4)  # the end of a long motion
    assert shown.time[-1] == long.time[-1]
    assert np.ptp(shown.time) == pytest.approx(gallery.MAX_S, abs=0.011)


def test_the_page_shows_each_motion_in_its_group_and_escapes_text(small, tmp_path) -> None:
    (tmp_path / "images" / "motions").mkdir(parents=True)
    (tmp_path / "images" / "motions" / "squat.webp").write_bytes(b"")
    text = gallery.gallery(small, tmp_path, "motions.md", "ctrlgraph report motions --animations")
    assert re.findall(r"^## (.*)$", text, flags=re.MULTILINE) == ["Stunts", "Others"]
    link = "motions.md#squat"
    assert f"[![squat](images/motions/squat.webp)]({link})<br>**[squat]({link})**<br>No description." in text
    assert "**[spring](motions.md#spring)**<br>Up \\| at \\<i\\>once\\</i\\>." in text
    assert "spring.webp" not in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.split(r"(?<!\\)\|", line)) for line in rows} == {gallery.COLUMNS + 2}


@pytest.mark.parametrize(("name", "found"), [("walk_to_stop", "walk_to_stop"), ("Éa b?-c", "éa-b-c")])
def test_a_motion_leads_to_the_heading_of_its_section(name, found) -> None:
    assert gallery.anchor(name) == found


@pytest.mark.slow
def test_the_command_films_all_motions_and_updates_the_gallery(small, tmp_path, capsys) -> None:
    docs = tmp_path / "docs"
    page = ["--project", str(small.directory), "report", "motions", "--trials", "1", "-o", str(docs / "motions.md")]
    assert main(page) == 0
    assert not (docs / "gallery.md").exists()
    assert main([*page, "--animations"]) == 0
    assert all(len(durations(docs / "images" / "motions" / f"{name}.webp")) > 1 for name in small.graph.nodes)
    written = (docs / "gallery.md").read_text()
    assert all(f"images/motions/{name}.webp" in written for name in small.graph.nodes)
    (docs / "gallery.md").write_text(f"mine\n{BEGIN}\nold\n{END}\n")
    assert main(page) == 0
    assert (docs / "gallery.md").read_text() == f"mine\n{BEGIN}{written.partition(BEGIN)[2]}"


def test_a_gallery_without_a_page_is_a_usage_error(small, tmp_path, capsys) -> None:
    assert main(["--project", str(small.directory), "report", "motions", "--animations"]) == 2
    assert "also give -o FILE.md" in capsys.readouterr().err
    assert main(["--project", str(small.directory), "report", "motions", "-o", str(tmp_path / "gallery.md")]) == 2
    assert "gallery.md is the name of the gallery" in capsys.readouterr().err


# --- the shipped page ---


def test_the_shipped_gallery_has_the_motions_of_the_graph() -> None:
    """Update the pages after a change of the graph: `ctrlgraph report motions -o FILE --animations`."""
    text = (ROOT / "docs" / "results" / "gallery.md").read_text(encoding="utf-8")
    listed = re.findall(r"\*\*\[([^]]+)\]\(motions\.md#", text.partition(BEGIN)[2].partition(END)[0])
    assert sorted(listed) == sorted(Project(ROOT).graph.nodes)
    for link in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text):
        assert (ROOT / "docs" / "results" / link).is_file()
