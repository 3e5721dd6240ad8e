"""A regulator made of our own walk: it follows the steps that it was recorded from, and answers a push."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.cli.main import main
from ctrlgraph.project.project import Project
from ctrlgraph.project.rollout_request import RolloutRequest, RolloutResult, carry_out
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.simulation import Push

FIVE_LINK = Path(__file__).resolve().parents[2] / "projects" / "five-link"

GRAPH = """\
character: five-link
start: launch
nodes:
  launch: {script: controllers/gaits/launch.t, args: [0.3], timeout: 5, success: {com_height: [0.6, 0.95]}}
  walk: {tracking: tracking/walk.yaml, cycles: [2, 4], timeout: 10, success: {com_height: [0.6, 0.95]}}
edges:
  - {from: launch, to: walk}
  - {from: walk, to: launch}
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The five-link biped with a launch, a walk, and a regulator along three steps of it in `steps.yaml`."""
    directory = tmp_path_factory.mktemp("regulated") / "five-link"
    shutil.copytree(FIVE_LINK, directory)
    (directory / "graph.yaml").write_text(GRAPH)
    steps = str(directory / "steps.yaml")
    words = ["record", "regulator", "walk", "--from", "launch", "--cycles", "2", "--steps", "3", "-o", steps]
    assert main(["--project", str(directory), *words]) == 0
    return Project(directory)


STIFF = np.array([3e8, 1e7, 2e8, 1e8, 2500.0])
"""Weights that hold against pushes; the source's hold their walk, and little more."""


def run(project: Project, push: float = 0.0, weights: np.ndarray | None = None) -> RolloutResult:
    """Run it after the launch, pushed in the middle of its first step; with its own weights, if none are given."""
    regulator = project.read_controller("regulator", project.directory / "steps.yaml")
    if weights is not None:
        regulator = regulator.with_constants(weights)
    bounds = {"torso": (-1.0, 1.0), "com_height": (0.5, 1.0)}
    request = RolloutRequest("steps", Rollout(regulator, success={"steps": (2, 4)}, bounds=bounds))
    pushes = [Push(0.5, 0.1, "torso", push)] if push else []
    return carry_out(project, request, after=project.graph.node("launch"), pushes=pushes)


@pytest.mark.slow
def test_it_makes_the_steps_that_it_was_recorded_from(project) -> None:
    result = run(project)
    assert result.succeeded, result.headline
    assert result.outcome.phase == 2
    assert result.outcome.measures["distance"] > 0.5
    assert result.outcome.measures["peak_torque"] <= 300.0 + 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("push", [-100.0, 100.0])
def test_with_stiff_weights_it_goes_on_after_a_push_that_does_something(project, push) -> None:
    plain, pushed = run(project, 0.0, STIFF), run(project, push, STIFF)
    assert pushed.succeeded, pushed.headline
    assert abs(pushed.outcome.measures["distance"] - plain.outcome.measures["distance"]) > 1e-3


@pytest.mark.slow
def test_the_same_run_is_the_same_bit_for_bit(project) -> None:
    assert run(project, -50.0).history_digest == run(project, -50.0).history_digest


@pytest.mark.slow
def test_the_command_tells_what_was_recorded_and_what_came_of_it(project, capsys) -> None:
    output = project.directory / "again.yaml"
    words = ["walk", "--from", "launch", "--cycles", "2", "--steps", "3", "--rate", "125", "--json"]
    assert main(["--project", str(project.directory), "record", "regulator", *words, "-o", str(output)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["steps"] == 3
    assert told["error_rad"] < 0.3
    assert set(told) == {"file", "steps", "samples", "error_rad", "recorded", "tracked"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["walk", "-o", "graph.yaml"], "graph.yaml exists and is not a regulator: choose another name"),
        (["walk", "-o", "steps.t"], "steps.t is not a file name for a regulator: the name must end in .yaml"),
        (
            ["walk", "--from", "launch", "--steps", "9", "-o", "new.yaml"],
            "walk has only 5 steps, not 9: record more --seconds",
        ),
    ],
)
def test_what_cannot_be_recorded_is_said_and_nothing_is_written(project, words, said, capsys, monkeypatch) -> None:
    monkeypatch.chdir(project.directory)
    before = (project.directory / "graph.yaml").read_text()
    assert main(["record", "regulator", *words]) == 1
    assert f"error: {said}" in capsys.readouterr().err
    assert (project.directory / "graph.yaml").read_text() == before
    assert not (project.directory / "new.yaml").exists()
