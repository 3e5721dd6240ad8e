"""What several commands print with."""

from __future__ import annotations

import json
import math

import pytest

from ctrlgraph.cli import console


def test_json_says_null_for_what_json_cannot_say(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_json({"a": math.nan, "b": [math.inf, 1.5], "c": {"d": (-math.inf, "x")}})
    assert json.loads(capsys.readouterr().out) == {"a": None, "b": [None, 1.5], "c": {"d": [None, "x"]}}


@pytest.mark.parametrize(
    ("share", "interval", "text"),
    [(0.97, None, "97 %"), (1.0, (0.912, 1.0), "100 % (91-100)"), (0.0, (0.0, 0.1), "0 % (0-10)"), (None, None, "-")],
)
def test_percentages(share: float | None, interval: tuple[float, float] | None, text: str) -> None:
    assert console.percent(share, interval) == text


def test_progress_is_silent_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress("walking", total=2) as (bar, task):
        bar.update(task, advance=1)
    assert capsys.readouterr() == ("", "")
