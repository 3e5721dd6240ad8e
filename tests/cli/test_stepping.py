"""Exit codes of `ctrlgraph experiment stepping`: on a given ground as a run, on random courses 0."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.cli.main import main

PROJECT = Path(__file__).parents[2] / "projects" / "tracking"


def stepping(*words: str) -> int:
    action, *rest = words
    return main(
        ["--project", str(PROJECT), "experiment", "stepping", action, str(PROJECT / "stepping" / "few.yaml"), *rest]
    )


@pytest.mark.slow
def test_a_named_ground_that_is_not_crossed_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert stepping("walk", "--ideal", "--with", "terrain=course=3:gap:2:1") == 1
    assert "a sole stood on a gap" in capsys.readouterr().out
    assert stepping("walk", "--ideal", "--with", "terrain=course=1:gap:0.3:1") == 0
    assert "crossed" in capsys.readouterr().out


@pytest.mark.slow
def test_courses_that_are_not_crossed_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert stepping("walk", "--ideal", "--courses", "2", "--seed", "128000") == 0
    assert " of 2 courses crossed" in capsys.readouterr().out
