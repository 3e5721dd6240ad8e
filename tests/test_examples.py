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
    "learn_to_walk.py": "reference pose: ",
}
ARGUMENTS = {
    "learn_to_walk.py": "--jobs 1 --generations 1 --population 4 --seconds 0.2 --evaluations 1 --filmstrip walk.png"
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("examples") / "project"
    copy_project(directory)
    return directory


def test_every_example_is_listed_here() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PRINTS)


@pytest.mark.slow
@pytest.mark.parametrize("example", PRINTS)
def test_an_example_runs_in_a_process_of_its_own(project: Path, example: str) -> None:
    command = [sys.executable, str(EXAMPLES / example), *ARGUMENTS.get(example, "").split()]
    found = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    assert PRINTS[example] in found.stdout
