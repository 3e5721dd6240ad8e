"""Every example runs, in a project of its own, and prints what it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ctrlgraph.project.shipped import copy_project

EXAMPLES = Path(__file__).parents[1] / "examples"
PRINTS = {
    "simulate_a_controller.py": "squat completed",
    "write_a_script.py": "asked for -1.4, got -1.3",
    "walk_the_graph.py": "transitions succeeded",
    "read_the_log.py": "stand -> ",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("examples") / "project"
    copy_project(directory)
    return directory


def run(example: str, directory: Path) -> str:
    command = [sys.executable, str(EXAMPLES / example)]
    found = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_every_example_is_listed_here() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PRINTS)


# in this order: the log is read after something was logged
def test_examples_print_what_they_promise(project: Path) -> None:
    for example, text in PRINTS.items():
        assert text in run(example, project), example
