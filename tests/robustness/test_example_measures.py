"""Measures of examples, kept so that a check warns of conditions that hold for another node's motion."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctrlgraph.cli.main import main
from ctrlgraph.graph.model import Node
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.example_measures import accepts, load_examples, not_told_apart, save_examples

STANDING = {"com_height": 0.95, "com_speed": 0.01, "torso": 0.0, "duration": 1.0, "flight": 0.1}
SQUATTING = {"com_height": 0.6, "com_speed": 0.01, "torso": 0.4, "duration": 1.0, "flight": 0.0}


@pytest.fixture
def kept(small: Project) -> Project:
    save_examples(small, {"stand": STANDING, "squat": SQUATTING})
    return small


def check(project: Project, capsys: pytest.CaptureFixture[str], *paths: Path) -> str:
    assert main(["--project", str(project.directory), "check", *map(str, paths)]) == 0
    return capsys.readouterr().out


def test_a_node_accepts_a_motion_by_its_conditions_and_its_time() -> None:
    node = Node("stand", "stand.t", success={"com_height": (0.9, 1.1)}, timeout=2.0)
    assert accepts(node, STANDING)
    assert not accepts(node, SQUATTING)
    assert not accepts(node, STANDING | {"duration": 2.1})
    assert not accepts(node, {"duration": 1.0})  # com_height was not measured


def test_examples_are_those_of_the_controllers_as_they_are_now(kept: Project) -> None:
    assert load_examples(kept) == {"stand": STANDING, "squat": SQUATTING}
    script = kept.directory / "controllers" / "squat.t"
    script.write_text(script.read_text().replace("TRANSITION", "TRANSITION to(-1).after(time 9);\n    TRANSITION", 1))
    assert load_examples(Project(kept.directory)) == {"stand": STANDING}


@pytest.mark.parametrize(
    "text",
    ["", "[" * 100_000, "[1]", "null", '{"stand": 1}', '{"stand": {"hash": "x", "measures": [1]}}', "\xff"]
    + [
        '{"stand": {"hash": "x", "measures": {"torso": ' + value + "}}}" for value in ('"a"', "NaN", "1e999", "9" * 400)
    ],
)
def test_a_damaged_file_succeeds_no_examples(kept: Project, capsys: pytest.CaptureFixture[str], text: str) -> None:
    (kept.runs_directory / "examples.json").write_text(text, encoding="latin-1")
    assert load_examples(kept) == {}
    assert "0 errors, 0 warnings" in check(kept, capsys)


def test_the_check_of_a_project_warns_of_conditions_that_succeed_for_another_motion(
    kept: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "0 errors, 0 warnings" in check(kept, capsys)
    graph = kept.graph_path.read_text()
    loose = graph.replace("com_height: [0.45, 0.75]", "com_height: [0.4, 1.1]")
    kept.graph_path.write_text(loose)
    out = check(kept, capsys)
    assert "graph.yaml:7:20: warning: the success conditions of 'squat' also hold for stand" in out
    assert "0 errors, 0 warnings" in check(kept, capsys, kept.directory / "controllers" / "squat.t")
    kept.graph_path.write_text(loose.replace("kind: static, timeout: 4,", "kind: static, also: {stand: low is high},"))
    assert "0 errors, 0 warnings" in check(kept, capsys)


def test_integrate_warns_of_them_and_keeps_the_examples_for_the_check(
    small: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    script = (
        "SET SUCCESS com_height = 0.3:1.2\nBEGINSCRIPT rest(void)\n  PHASE 0\n    TRANSITION to(-1).after(time 0.3);\n"
    )
    (small.directory / "controllers" / "rest.t").write_text(script + "  ENDPHASE\nENDSCRIPT\n")
    words = ["integrate", "controllers/rest.t", "--only", "stand", "--trials", "6", "--jobs", "1", "--seed", "3"]
    project = ["--project", str(small.directory)]
    main([*project, *words, "--minutes", "0", "--dry-run", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["confused"] == ["stand", "squat", "spring"]
    examples = load_examples(small)
    assert examples.keys() == {"stand", "squat", "spring"}
    node = Node("rest", "controllers/rest.t", success={"com_height": (0.3, 1.2)})
    assert not_told_apart(node, examples) == ["stand", "squat", "spring"]
