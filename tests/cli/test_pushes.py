"""`ctrlgraph robustness pushes` on the five-link biped: ranges of pushes, and the picture of an answer."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.cli.main import main
from ctrlgraph.experiments.gaits.push_response import PushResponse, leg_phase
from ctrlgraph.project.project import Project

FIVE_LINK = Path(__file__).parents[2] / "projects" / "five-link"
WORDS = ["--project", str(FIVE_LINK), "robustness", "pushes", "--from", "launch", "--at", "0.84"]


@pytest.mark.slow
def test_a_walk_by_its_phase_holds_what_it_continues_after_and_more(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, "walk", "--step", "100", "--most", "300", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (limits,) = found["limits"]
    assert (found["after"], found["at"], limits["node"]) == ("launch", 0.84, "walk")
    assert limits["upright"] == [-300.0, 300.0]
    assert -300.0 <= limits["continues"][0] < 0.0 < limits["continues"][1] <= 300.0


@pytest.mark.slow
def test_a_push_that_fells_ends_the_range(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, "regulated", "--step", "10", "--most", "50", "--json"]) == 0
    (limits,) = json.loads(capsys.readouterr().out)["limits"]
    assert -50.0 < limits["upright"][0] <= 0.0 <= limits["upright"][1] < 50.0


@pytest.mark.slow
def test_the_phase_of_a_walk_rises_through_every_step() -> None:
    with PushResponse(Project(FIVE_LINK), "walk", "launch", 0.84, 2) as response:
        signals = response.signals(0.0)
        phase, stands = leg_phase(signals, response.character)
    swaps = np.flatnonzero(np.diff(stands) != 0)
    assert len(swaps) >= 3
    for begin, end in itertools.pairwise(swaps):
        step = phase[begin + 1 : end + 1]
        assert step[0] == pytest.approx(-0.30, abs=0.03)
        assert step[-1] == pytest.approx(0.31, abs=0.03)
        assert (np.diff(step) > 0.0).mean() > 0.95


@pytest.mark.slow
def test_an_answer_is_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "answer.svg"
    assert main([*WORDS, "walk", "--plot", str(picture), "--joint", "rKnee", "--seconds", "0.5"]) == 0
    text = picture.read_text()
    for word in ("undisturbed", "pushed", "phase, rad", "torque of rKnee, N m"):
        assert word in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["walk", "--joint", "tail"], "the character five-link has no joint 'tail'"),
        (["walk", "--step", "500", "--most", "100"], "--step 500 is above --most 100: no push would be tried"),
        (["fall"], "no naive or learned edge leads from 'launch' to 'fall'"),
    ],
)
def test_what_there_is_not_is_told(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, *words]) != 0
    assert message in capsys.readouterr().err
