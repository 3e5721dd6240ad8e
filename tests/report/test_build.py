"""A whole report: a self-contained page, a file per figure, and clear errors."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from report_samples import GRAPH, MemorySweeps, Page, attempt, log_run, record, report_with
from small_project import make_project

from ctrlgraph.cli.main import cli
from ctrlgraph.errors import CtrlGraphError, RunLogError
from ctrlgraph.project.project import Project
from ctrlgraph.report import build_report, report_page
from ctrlgraph.report.output import Output

A, B = "1121-aaaaa", "1122-bbbbb"
MINUS = "\N{MINUS SIGN}"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a report of two different runs, with sweeps of the squat."""
    directory, sweeps = tmp_path_factory.mktemp("built"), MemorySweeps()
    project = Project(make_project(directory / "motions", GRAPH))
    log_run(project, A, failures=1)
    log_run(project, B, failures=15, started=2e9, friction=0.5)
    sweeps.add("squat", [("slope", (-2.0, 0.0, 2.0))], lambda slope: float(slope > -1))
    sweeps.add("stand->squat", [("mass", (0.8, 1.0, 1.2))], lambda mass: 1.0)
    sweeps.add("squat", [("push", (0.0, 100.0)), ("phase", (0.0, 0.5))], lambda push, phase: 1 - push / 200)
    return report_with(sweeps, project, directory / "out", compare_runs=(A, B), command="ctrlgraph report")


def test_the_page_is_well_formed_and_its_ids_are_its_own(built: Path) -> None:
    page = Page(built.read_text(encoding="utf-8"))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)


def test_the_page_is_self_contained_and_runs_only_its_own_script(built: Path) -> None:
    text = built.read_text(encoding="utf-8")
    page = Page(text)
    assert not {"link", "iframe", "object"} & set(page.tags)
    assert all(source.startswith("data:image/png;base64,") for source in page.sources)
    [script] = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src &#39;none&#39;; img-src data:; script-src &#39;sha256-{digest}&#39;; style-src" in text
    assert not re.search(r"<[^>]+\son\w+\s*=", text.replace(script, ""))
    # the only addresses are names of XML namespaces
    assert set(re.findall(r"https?://[^\s\"'<>)]+", text)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert "@import" not in text


def test_every_figure_is_there_as_png_and_csv(built: Path) -> None:
    figures = built.parent / "figures"
    names = ("graph", "squat-perturbations", "squat-map-1", "squat-curve-1", "squat-curve-2", "squat-durations")
    assert {path.stem for path in figures.glob("*.png")} == set(names)
    for name in names:
        with (figures / f"{name}.csv").open(newline="") as file:
            assert list(csv.DictReader(file))
    files = {path.suffix for path in built.parent.rglob("*") if path.is_file()}
    assert files == {".html", ".png", ".svg", ".csv", ".json"}


def test_the_page_shows_the_log(built: Path, directory: Path) -> None:
    squat_script = (directory / "controllers/poses/squat.t").read_text()
    text = Page(built.read_text(encoding="utf-8")).text
    assert "24 of 40" in text  # transitions
    assert "Never tried: prone → stand, rise → stand, squat → rise." in text
    assert "torso is above 0.3" in text
    assert squat_script.splitlines()[2].strip() in text  # quoted where it failed
    assert "ctrlgraph walk --seed 5 # 1121-aaaaa" in text
    assert "They differ in friction (1.0 and 0.5)." in text
    assert f"{MINUS}70 ({MINUS}84 to {MINUS}41)" in text  # 19 of 20, then 5 of 20
    assert "worse" in text


def test_the_numbers_are_in_the_data_file(built: Path) -> None:
    data = json.loads((built.parent / "report.json").read_text())
    assert data["runs"] == [A, B]
    assert (data["attempts"], data["stale_attempts"]) == (42, 42)
    assert data["summary"]["succeeded"] == 24
    squat = next(node for node in data["nodes"] if node["name"] == "squat")
    assert (squat["success"]["attempts"], squat["trials"]) == (40, 100)
    assert {change["name"]: change["verdict"] for change in data["comparison"]["changes"]} == {
        "squat": "worse",
        "stand -> squat": "worse",
        "stand": "no significant change",
    }


def test_every_text_is_escaped(directory: Path, tmp_path: Path) -> None:
    evil = "<img src=x onerror=alert(1)>{{ 7 * 7 }}"
    graph = {
        "character": "humanoid",
        "start": "stand",
        "nodes": {
            "stand": {"script": "controllers/poses/stand.t", "args": [0.5, 0.5], "kind": "static"},
            evil: {"script": "controllers/poses/squat.t", "args": [0.5], "description": evil},
        },
        "edges": [{"from": "stand", "to": evil}, {"from": evil, "to": "stand"}],
    }
    (directory / "graph.yaml").write_text(yaml.safe_dump(graph))
    project = Project(directory)
    with project.log() as log:
        log.begin_run(record(A))
        log.add(attempt(A, 0, evil, "stand", ok=False, reason=f"{evil} 1 is above 0", script=evil))
    page = build_report(project, [], tmp_path / "out", filmstrips=False, command=evil)
    text = page.read_text(encoding="utf-8")
    assert "<img" not in text
    assert evil in Page(text).text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["motions", "out"]


@pytest.mark.slow
def test_only_named_runs_count(project: Project, logged: Callable[..., None], tmp_path: Path) -> None:
    logged(A, failures=1, graph="abcdef12")
    logged(B, failures=15, started=2e9, graph="12345678")
    for names, failures in ((["1121"], 1), (["last"], 15), (["graph:1234"], 15), ([], 16)):
        page = build_report(project, names, tmp_path / "out", filmstrips=False)
        data = json.loads((page.parent / "report.json").read_text())
        assert data["summary"]["failed"] == failures


@pytest.mark.slow
def test_attempts_of_other_scripts_can_be_omitted(
    project: Project, logged: Callable[..., None], tmp_path: Path
) -> None:
    logged(A)
    edge = project.graph.planned_edges("stand")[0]
    from ctrlgraph.simulation.environment import Environment

    with project.log() as log:
        log.add(attempt(A, 50, "squat", "stand", edge_hash=project.edge_hash(edge, Environment().digest)))
    page = build_report(project, [], tmp_path / "out", filmstrips=False)
    assert json.loads((page.parent / "report.json").read_text())["stale_attempts"] == 21
    page = build_report(project, [], tmp_path / "out", filmstrips=False, current=True)
    data = json.loads((page.parent / "report.json").read_text())
    assert (data["attempts"], data["stale_attempts"]) == (1, 0)


@pytest.mark.parametrize(
    ("shown", "as_text"),
    [
        (report_page.percent(None), "\N{EN DASH}"),
        (report_page.percent(0.966), "97\N{NO-BREAK SPACE}%"),
        (report_page.points(0.004), "\N{PLUS-MINUS SIGN}0"),
        (report_page.points(0.125), "+12"),
        (report_page.points(-0.3), "\N{MINUS SIGN}30"),
        (report_page.chance(0.0004), "<\N{THIN SPACE}0.001"),
        (report_page.chance(0.0426), "0.043"),
        (report_page.limits((2.0, 2.0)), "2"),
        (report_page.limits((-0.3, 0.3)), "\N{MINUS SIGN}0.3 to 0.3"),
        (report_page.limits((0.5, math.inf)), "at least 0.5"),
        (report_page.limits((-math.inf, 2.0)), "at most 2"),
        (report_page.counted(1, "run"), "1 run"),
        (report_page.counted(0, "run"), "0 runs"),
    ],
)
def test_numbers_are_written_as(shown: str, as_text: str) -> None:
    assert shown == as_text


@pytest.mark.slow
def test_progress_counts_every_node(project: Project, logged: Callable[..., None], tmp_path: Path) -> None:
    logged(A)
    calls: list[tuple[int, int, str]] = []
    build_report(project, [], tmp_path, filmstrips=False, progress=lambda *news: calls.append(news))
    assert [done for done, _, _ in calls] == [0, 1, 2, 3, 4, 5, 6]
    assert {total for _, total, _ in calls} == {6}
    assert [what for _, _, what in calls][1:5] == ["stand", "squat", "rise", "prone"]


def test_nothing_to_report_is_said(project: Project, tmp_path: Path) -> None:
    with pytest.raises(CtrlGraphError) as caught:
        build_report(project, [], tmp_path / "out")
    assert str(caught.value) == (
        "there is nothing to report: no attempt or sweep is logged that matches"
        " (run 'ctrlgraph walk' or 'ctrlgraph robustness sweep' first)"
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_report_can_consist_of_sweeps_only(project: Project, sweeps: MemorySweeps, tmp_path: Path) -> None:
    sweeps.add("squat", [("slope", (-2.0, 0.0, 2.0))], lambda slope: 1.0)
    page = report_with(sweeps, project, tmp_path)
    assert "30 trials under perturbation" in Page(page.read_text(encoding="utf-8")).text


@pytest.mark.parametrize(
    ("names", "pair", "message"),
    [
        (["9999"], None, "no run '9999' is logged ('ctrlgraph log runs' lists them)"),
        (["graph:zzzz"], None, "no logged run has a graph with the hash 'zzzz' (give at least 4 characters)"),
        ([], (A, "last"), f"'{A}' and 'last' are the same runs: give two different runs"),
    ],
)
def test_a_run_that_does_not_fit_is_named(
    project: Project, logged: Callable[..., None], tmp_path: Path, names: list[str], pair, message: str
) -> None:
    logged(A)
    with pytest.raises(RunLogError) as caught:
        build_report(project, names, tmp_path / "out", compare_runs=pair)
    assert str(caught.value) == message


def test_a_directory_that_cannot_be_made_is_named(
    project: Project, logged: Callable[..., None], tmp_path: Path
) -> None:
    logged(A)
    (tmp_path / "file").write_text("")
    with pytest.raises(CtrlGraphError, match=r"^cannot write into '.*file': not a directory$"):
        build_report(project, [], tmp_path / "file", filmstrips=False)


def test_the_command_writes_the_page_and_prints_its_numbers(
    project: Project, logged: Callable[..., None], tmp_path: Path
) -> None:
    logged(A)
    arguments = ["--project", str(project.directory), "report", "last", "-o", str(tmp_path / "out"), "--no-filmstrips"]
    result = CliRunner().invoke(cli, [*arguments, "--json"], catch_exceptions=False)
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert (data["page"], data["attempts"]) == (str(tmp_path / "out" / "report.html"), 21)
    assert result.stderr == f"report: {tmp_path / 'out' / 'report.html'}\n"


def test_figures_are_not_written_through_a_link_that_leads_elsewhere(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "figures").symlink_to(elsewhere)
    with pytest.raises(CtrlGraphError) as raised:
        Output(tmp_path / "report")
    where = tmp_path / "report"
    assert str(raised.value) == (
        f"cannot write into '{where}/figures': it is a link that leads out of '{where}', so replace it by a directory"
    )
    assert not list(elsewhere.iterdir())


def test_no_text_of_a_csv_file_is_a_formula(tmp_path: Path) -> None:
    with Output(tmp_path) as output:
        output._rows("table", [{"name": "=cmd", "count": -1}])
    assert (tmp_path / "figures" / "table.csv").read_text() == "name,count\n'=cmd,-1\n"


@pytest.mark.slow
def test_untried_nodes_are_only_listed_unless_all_are_requested(
    project: Project, logged: Callable[..., None], tmp_path: Path
) -> None:
    logged(A)
    short = build_report(project, [], tmp_path / "short", filmstrips=False).read_text(encoding="utf-8")
    full = build_report(project, [], tmp_path / "full", filmstrips=False, everything=True).read_text(encoding="utf-8")
    assert set(re.findall(r'<article class="node-page" id="node-([\w-]+)"', short)) == {"stand", "squat"}
    assert set(re.findall(r'<article class="node-page" id="node-([\w-]+)"', full)) == set(project.graph.nodes)
    assert '<details class="node-page untried" id="untried">' in short and 'id="untried"' not in full
    assert "2 nodes were never tried" in Page(short).text
    assert short.count("<tr") < full.count("<tr")
    for text in (short, full):
        page = Page(text)
        assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
        assert "prone" in page.text  # named in either


@pytest.mark.slow
def test_filmstrips_are_simulated_for_tried_nodes_only(
    project: Project, logged: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged(A)
    drawn: list[str] = []
    monkeypatch.setattr("ctrlgraph.report.filmstrips.filmstrip_of", lambda _project, node, *_: drawn.append(node))
    build_report(project, [], tmp_path / "out")
    assert drawn == ["stand", "squat"]


def test_without_a_directory_it_is_written_into_the_project_s_runs(
    project: Project, logged: Callable[..., None]
) -> None:
    logged(A)
    arguments = ["--project", str(project.directory), "report", "--no-filmstrips"]
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    page = project.directory / "runs" / "report" / "report.html"
    assert page.is_file() and str(page) in result.stderr + result.stdout


def test_only_the_least_reliable_of_many_nodes_are_unfolded() -> None:
    class Sheet:
        def __init__(self, rate: float | None) -> None:
            self.success = None if rate is None else type("Success", (), {"rate": rate})()

    few, many = [Sheet(1.0)] * 12, [Sheet(1.0 - i / 40) for i in range(20)] + [Sheet(None)]
    assert report_page.opened(few) == few
    assert [round(node_page.success.rate, 3) for node_page in report_page.opened(many)] == [
        0.525,
        0.55,
        0.575,
        0.6,
        0.625,
        0.65,
    ]
    assert report_page.opened([Sheet(1.0)] * 13) == []
