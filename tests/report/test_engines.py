"""The section about sweeps that ran on several engines."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from report_samples import MemorySweeps, Page, record, report_with

from ctrlgraph.project.project import Project
from ctrlgraph.report.build import _world
from ctrlgraph.report.evidence import Evidence

DASH, ARROW = "\N{EN DASH}", "\N{RIGHTWARDS ARROW}"


@pytest.fixture
def swept(sweeps: MemorySweeps) -> MemorySweeps:
    """The squat and an edge on both engines; of the edge, half fails on MuJoCo."""
    for more, share in (({}, 1.0), ({"engine": "mujoco"}, 0.5)):
        sweeps.add("squat", [], lambda: 1.0, trials=20, **more)
        sweeps.add("stand->squat", [], lambda share=share: share, trials=20, **more)
        sweeps.add("rise", [], lambda share=share: share, trials=1, **({"noise": 0.0} | more))
    sweeps.add("prone", [], lambda: 1.0)
    return sweeps


def test_the_engines_stand_side_by_side_with_what_differs_first(
    project: Project, swept: MemorySweeps, tmp_path: Path
) -> None:
    page = report_with(swept, project, tmp_path / "out")
    shown = Page(page.read_text(encoding="utf-8"))
    assert "#engines" in shown.links
    print(shown.text[shown.text.index("the first condition") :][:700])
    place, all_held = "phase 0, controllers/poses/squat.t:2", f"100 % (84{DASH}100)"
    assert (
        "motion ode mujoco p the first condition that differs"
        f" rise noise 0 holds fails mujoco: rise: com_height is below 0.45 {place}"
        f" squat noise 0.1 {all_held} {all_held} 1.000"
        f" stand{ARROW}squat noise 0.1 {all_held} 50 % (30{DASH}70) < 0.001"
        f" mujoco: squat: com_height is below 0.45 10 of 20 {place}"
    ) in shown.text


def test_the_numbers_are_in_files(project: Project, swept: MemorySweeps, tmp_path: Path) -> None:
    page = report_with(swept, project, tmp_path / "out")
    with (page.parent / "figures" / "engines.csv").open(newline="") as file:
        rows = {row["target"]: row for row in csv.DictReader(file)}
    assert (rows["stand->squat"]["mujoco_successes"], rows["stand->squat"]["first_worst"]) == ("10", "mujoco")
    assert [row["target"] for row in json.loads(page.with_suffix(".json").read_text())["engines"]] == list(rows)


def test_without_a_second_engine_there_is_no_such_section(
    project: Project, sweeps: MemorySweeps, tmp_path: Path
) -> None:
    sweeps.add("squat", [], lambda: 1.0)
    text = report_with(sweeps, project, tmp_path / "out").read_text(encoding="utf-8")
    assert 'id="engines"' not in text and "#engines" not in text


def test_filmstrips_show_the_world_of_the_newest_run_on_the_projects_engine(project: Project) -> None:
    runs = record("a", friction=0.5), record("b", engine="mujoco", friction=0.7), record("c", friction=0.6)
    evidence = Evidence(runs)
    assert (_world(project, evidence).engine, _world(project, evidence).friction) == ("ode", 0.6)
    there = Project(project.directory, engine="mujoco")
    assert (_world(there, evidence).engine, _world(there, evidence).friction) == ("mujoco", 0.7)
    empty = Evidence()
    assert (_world(there, empty).engine, _world(there, empty).terrain) == ("mujoco", "flat")
