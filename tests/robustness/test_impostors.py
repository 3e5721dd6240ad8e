"""Impostors: altered motions, which the conditions of their node must reject."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from small_project import GRAPH, ROOT, make_small

from ctrlgraph.cli.main import main
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.examples import entries, run_example, starts
from ctrlgraph.robustness.impostors import impostors

SCRIPTS = ROOT / "tests" / "data" / "impostors"
"""Scripts of motions that resemble a shipped one, each with the name of the script that it replaces."""


@pytest.fixture
def project_with(tmp_path):
    """The small project with other text in its graph file."""

    def make(old: str = "", new: str = "") -> Project:
        directory = make_small(tmp_path / "small")
        assert old in GRAPH
        (directory / "graph.yaml").write_text(GRAPH.replace(old, new, 1))
        return Project(directory)

    return make


def accepted(project: Project, node: str) -> set[str]:
    return {each.alteration for each in impostors(project, [node]) if each.accepted}


def test_conditions_that_do_not_speak_of_arms_accept_raised_arms(project_with) -> None:
    assert {"arms_up", "head_back"} <= accepted(project_with(), "stand")


def test_a_range_of_the_arms_rejects_raised_arms_but_not_another_head(project_with) -> None:
    found = impostors(
        project_with("com_speed: [0, 0.1]}}\n  squat", "com_speed: [0, 0.1], arm_flexion: [-.3, .3]}}\n  squat")
    )
    rejected = {each.alteration: each.rejected_by for each in found if each.node == "stand" and not each.accepted}
    assert rejected["arms_up"].startswith("arm_flexion 2.8")
    assert "head_back" not in rejected


def test_exchanged_arms_of_a_symmetric_motion_are_no_impostor(project_with) -> None:
    assert "arms_exchanged" not in {each.alteration for each in impostors(project_with(), ["stand"])}


def test_the_command_fails_until_the_graph_file_has_a_reason(project_with, capsys, monkeypatch) -> None:
    arguments, directory = ["gate", "confusion", "--impostors", "stand", "--json"], project_with().directory
    monkeypatch.chdir(directory)
    assert main(arguments) == 1
    found = json.loads(capsys.readouterr().out)
    names = [each["alteration"] for each in found["impostors"] if each["accepted"]]
    also = ", ".join(f"{name}: it may stand so" for name in names)
    (directory / "graph.yaml").write_text(GRAPH.replace("stand: {", f"stand: {{also: {{{also}}}, ", 1))
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["passed"]


def test_the_number_of_trials_is_refused_as_it_has_no_effect(project_with, monkeypatch, capsys) -> None:
    monkeypatch.chdir(project_with().directory)
    assert main(["gate", "confusion", "--impostors", "stand", "--trials", "2"]) == 2
    assert "omit --trials" in capsys.readouterr().err


@pytest.mark.slow
def test_no_node_of_the_shipped_graph_accepts_an_impostor() -> None:
    found = impostors(Project(ROOT))
    assert len(found) >= 60
    assert [(each.node, each.alteration) for each in found if each.accepted and not each.because] == []


@pytest.mark.parametrize(
    ("node", "script", "rejected_by"),
    [
        ("sit_up", "controllers/recovery/sit_up.t", "max_foot_clearance"),
        ("walkover", "controllers/stunts/walkover_over.t", "landing_to_upright"),
    ],
)
@pytest.mark.parametrize("engine", ["ode", "mujoco"])
def test_only_one_condition_rejects_a_script_that_resembles_the_shipped_one(
    node, script, rejected_by, engine, tmp_path
) -> None:
    for name in ("characters", "controllers", "learned"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(SCRIPTS / Path(script).name, tmp_path / script)
    shutil.copy(ROOT / "graph.yaml", tmp_path)
    with Evaluator(Project(tmp_path, engine=engine)) as evaluator:
        plan = entries(evaluator.project.graph, node)[0]
        ((begun, cycles),) = starts(evaluator, plan, trials=1, seed=1)
        outcome = run_example(evaluator, begun, cycles)
    assert [text.split()[0] for text in outcome.reason.split(", ")] == [rejected_by]
