"""`ctrlgraph robustness pushes` on the five-link biped: ranges of pushes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctrlgraph.cli.main import main

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


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["walk", "--step", "500", "--most", "100"],
            "--step 500 must not be above --most 100, or no push is simulated",
        ),
        (["fall"], "no naive or learned edge leads from 'launch' to 'fall'"),
    ],
)
def test_what_there_is_not_is_told(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*WORDS, *words]) != 0
    assert message in capsys.readouterr().err
