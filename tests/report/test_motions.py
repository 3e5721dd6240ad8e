"""The page of motions: complete, safe, compared with human figures, and up to date with the graph."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
from pathlib import Path

import pytest
from small_project import GRAPH, ROOT, endless, make_small

from ctrlgraph.cli.main import main
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.project.project import Project
from ctrlgraph.report import motions
from ctrlgraph.report.human_figures import HumanFigure, human_motions
from ctrlgraph.report.markdown import BEGIN, END, with_page, write_page
from ctrlgraph.report.motions import motion_entries, page
from ctrlgraph.simulation.measures import MEASURES


@pytest.fixture(scope="module")
def small_page(tmp_path_factory):
    """The entries of the small project, and its page."""
    directory = make_small(tmp_path_factory.mktemp("motions") / "small")
    text = GRAPH.replace("nodes:\n", "plausible: {impact: [0, 30]}\nnodes:\n", 1)
    wider = "plausible: {impact: {range: [0, 40], because: it | jumps}}, description: up <b>at once</b>, "
    (directory / "graph.yaml").write_text(text.replace("spring: {", f"spring: {{{wider}", 1))
    project = Project(directory)
    found = motion_entries(project, trials=2, seed=1)
    return found, page(project, found, directory / "docs", "ctrlgraph report motions")


def headings(text: str) -> list[str]:
    return [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]


def test_every_node_has_its_section_in_the_order_of_the_graph(small_page) -> None:
    found, text = small_page
    assert headings(text) == ["All motions", "stand", "squat", "spring"]
    assert [entry.before for entry in found] == [["squat", "spring"], ["stand"], ["stand"]]
    assert "- entered from squat, spring; leads to squat, spring\n" in text


def test_a_gait_that_leads_to_no_static_pose_has_its_section(tmp_path) -> None:
    directory = make_small(tmp_path / "small")
    (directory / "graph.yaml").write_text(endless(GRAPH).replace("spring: {", "spring: {cycles: [1, 2], ", 1))
    found = {entry.node.name: entry for entry in motion_entries(Project(directory), trials=1, seed=1)}
    assert found["spring"].succeeded.trials == 2 and found["spring"].after == ["twitch"]


def test_its_figures_are_those_of_the_examples(small_page) -> None:
    found, text = small_page
    stand = found[0]
    assert (stand.succeeded.successes, stand.succeeded.trials) == (4, 4) and len(stand.examples) == 4
    middle = stand.median("peak_joint_speed")
    values = sorted(each["peak_joint_speed"] for each in stand.examples)
    assert values[0] <= middle <= values[-1]
    assert re.search(rf"^\| `peak_joint_speed`, rad/s \| {middle:.3g} \|", text, flags=re.MULTILINE)
    share, joint = found[2].torque
    peak = max(each["peak_torque"] for each in found[2].examples)
    assert 0 < share <= 1 and joint in Project(ROOT).character.joint_names and peak > 10


def test_text_of_files_is_escaped(small_page) -> None:
    _, text = small_page
    assert "Up \\<b\\>at once\\</b\\>." in text
    assert "- impact: 0 to 40, because it \\| jumps\n" in text
    assert "[controllers/spring.t](../controllers/spring.t)" in text


def test_the_page_is_written_between_its_marker_lines(tmp_path) -> None:
    path = tmp_path / "page.md"
    write_page(path, "one\n")
    assert path.read_text() == f"# The motions\n\n{BEGIN}\n\none\n\n{END}\n"
    path.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    write_page(path, "new\n")
    assert path.read_text() == f"before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"
    for text in ("mine\n", f"{BEGIN}\n", f"{END}\n{BEGIN}\n", f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n"):
        with pytest.raises(CtrlGraphError, match=r"^page\.md has no place for the page: add the lines"):
            with_page(text, "new", "page.md")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="makes a pipe")
def test_a_page_is_not_written_to_a_pipe(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("page.md")
    with pytest.raises(CtrlGraphError, match=r"^page\.md cannot be read: it is not a regular file$"):
        write_page(Path("page.md"), "new\n")
    Path("old.md").write_bytes(b"\xff")
    with pytest.raises(CtrlGraphError, match=r"^old\.md cannot be read: save the file as UTF-8 text$"):
        write_page(Path("old.md"), "new\n")


def test_the_command_writes_the_page_and_prints_its_data(tmp_path, capsys) -> None:
    directory = make_small(tmp_path / "small")
    path = tmp_path / "docs" / "results" / "motions.md"
    assert main(["--project", str(directory), "report", "motions", "--trials", "1", "-o", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in said["motions"]] == ["stand", "squat", "spring"]
    assert headings(path.read_text()) == ["All motions", "stand", "squat", "spring"]
    path.write_text("mine\n")
    assert main(["--project", str(directory), "report", "motions", "--trials", "1", "-o", str(path)]) == 1
    assert path.read_text() == "mine\n"


def test_a_file_without_a_place_for_the_page_is_reported_before_simulating(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(motions, "motion_entries", None)
    arguments = ["--project", str(make_small(tmp_path / "small")), "report", "motions", "-o"]
    path, pipe = tmp_path / "motions.md", tmp_path / "pipe.md"
    path.write_text("mine\n")
    assert main([*arguments, str(path)]) == 1
    assert "has no place for the page" in capsys.readouterr().err
    os.mkfifo(pipe)
    assert main([*arguments, str(pipe)]) == 1  # reading a pipe would block
    assert "is not a regular file" in capsys.readouterr().err


def test_pictures_follow_no_link_out_of_the_page_s_directory(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(motions, "motion_entries", None)
    directory, elsewhere = make_small(tmp_path / "small"), tmp_path / "pictures"
    elsewhere.mkdir()
    (directory / "images").mkdir()
    (directory / "images" / "motions").symlink_to(elsewhere)
    page = str(directory / "motions.md")
    assert main(["--project", str(directory), "report", "motions", "--animations", "-o", page]) == 1
    assert "it is a link that leads out of" in capsys.readouterr().err
    assert list(elsewhere.iterdir()) == []


# --- human figures ---


def test_human_figures_have_valid_measures_units_and_sources() -> None:
    for motion in human_motions().values():
        assert motion.nodes and motion.figures
        for figure in motion.figures:
            unit = MEASURES[figure.measure].unit
            assert figure.unit == ("deg" if unit == "rad" else unit)
            assert figure.range[0] < figure.range[1]
            assert figure.source or figure.basis == "estimate"


def test_how_far_a_value_is_beyond_a_human_range() -> None:
    figure = HumanFigure("knee_strike", (10.0, 20.0), "deg", "estimate", "")
    assert figure.deviation(math.radians(15)) == 0.0
    assert figure.deviation(math.radians(25)) == pytest.approx(0.25)
    assert figure.deviation(math.radians(8)) == pytest.approx(0.2)
    assert HumanFigure("trunk_lean", (0.0, 5.0), "deg", "estimate", "").deviation(math.radians(-1)) == pytest.approx(
        0.2
    )


GAITS = ("walk", "slow_walk", "fast_walk", "jog", "sprint")
OF_A_GAIT = {"speed", "stride_length", "knee_swing", "knee_strike", "trunk_lean", "arm_range", "cost_of_transport"}


@pytest.mark.parametrize("gait", GAITS)
def test_a_human_gait_is_whole_and_its_speed_is_that_of_its_strides(gait: str) -> None:
    ranges = {figure.measure: figure.range for figure in human_motions()[gait].figures}
    assert ranges.keys() >= OF_A_GAIT
    assert ranges.keys() & {"double_support", "flight"}
    (rate,) = ranges.keys() & {"cadence", "stride_frequency"}
    a_second = [each / 2 if rate == "cadence" else each for each in ranges[rate]]
    slow, fast = (a * b for a, b in zip(ranges["stride_length"], a_second, strict=True))
    assert (slow, fast) == pytest.approx(ranges["speed"], rel=0.1)


# --- the shipped page ---


def test_the_shipped_gaits_are_within_15_percent_of_human_figures() -> None:
    """Impact, joint speed and the posture of pelvis, hips and spine are not among them: the page has their figures."""
    left_out = {"impact", "peak_joint_speed", "pelvis_tilt", "hip_extension", "trunk_flexion"}
    text = (ROOT / "docs" / "results" / "motions.md").read_text(encoding="utf-8")
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    beyond = {
        (row[0], row[1]): row[5]
        for row in rows
        if len(row) == 7 and row[0].replace(" ", "_") in GAITS and row[1] not in left_out
    }
    assert len(beyond) >= 24
    far = {each: text for each, text in beyond.items() if text != "within" and not float(text.rstrip(" %")) <= 15}
    assert not far


def test_the_shipped_page_has_the_motions_of_the_graph() -> None:
    """After a change of the graph, make the page again: `ctrlgraph report motions -o docs/results/motions.md`."""
    text = (ROOT / "docs" / "results" / "motions.md").read_text(encoding="utf-8")
    written = text.partition(BEGIN)[2].partition(END)[0]
    listed = [name.replace("\\", "") for name in headings(written)]
    graph = Project(ROOT).graph
    assert [name for name in listed if name in graph] == list(graph.nodes)
    for node in graph:
        section = written.partition(f"\n## {node.name}\n")[2].partition("\n## ")[0]
        before = dict.fromkeys(edge.source for edge in graph.edges if edge.planned and edge.target == node.name)
        after = dict.fromkeys(edge.target for edge in graph.planned_edges(node.name))
        line = f"- entered from {', '.join(before) or 'nowhere'}; leads to {', '.join(after) or 'nowhere'}"
        assert line in section.splitlines()
        assert node.file in section


def test_the_pictures_of_the_shipped_page_exist() -> None:
    text = (ROOT / "docs" / "results" / "motions.md").read_text(encoding="utf-8")
    for link in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text):
        assert (ROOT / "docs" / "results" / Path(link)).is_file()


def test_a_project_in_space_has_a_page_with_filmstrips_and_no_human_figures(tmp_path, monkeypatch, capsys) -> None:
    for folder in ("characters", "controllers"):
        shutil.copytree(ROOT / "projects" / "quadruped" / folder, tmp_path / folder)
    node = "stand: {keyframes: controllers/stand.yaml, kind: static, success: {tilt: [0, 0.2]}}"
    gait = "walk: {gait: controllers/walk.yaml, cycles: [1, 1], success: {tilt: [0, 0.25]}}"
    edges = "[{from: stand, to: walk}, {from: walk, to: stand}]"
    (tmp_path / "graph.yaml").write_text(
        f"character: quadruped\nstart: stand\nnodes:\n  {node}\n  {gait}\nedges: {edges}\n"
    )
    (tmp_path / "page.md").write_text(f"{BEGIN}\n{END}\n")
    monkeypatch.chdir(tmp_path)
    words = ["report", "motions", "--engine", "mujoco", "--trials", "1", "-o", "page.md"]
    assert main([*words, "--animations"]) == 0, capsys.readouterr().err
    assert headings(Path("page.md").read_text()) == ["All motions", "stand", "walk"]
    assert {path.name for path in Path("images/motions").iterdir()} == {
        f"{name}.{suffix}" for name in ("stand", "walk") for suffix in ("png", "webp")
    }
