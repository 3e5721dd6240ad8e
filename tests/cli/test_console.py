"""What several commands print with."""

from __future__ import annotations

import json
import math
import time

import pytest

from ctrlgraph.cli import console
from ctrlgraph.cli.display import integration as integration_display


def test_json_says_null_for_what_json_cannot_say(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_json({"a": math.nan, "b": [math.inf, 1.5], "c": {"d": (-math.inf, "x")}})
    assert json.loads(capsys.readouterr().out) == {"a": None, "b": [None, 1.5], "c": {"d": [None, "x"]}}


@pytest.mark.parametrize(
    ("share", "interval", "text"),
    [(0.97, None, "97 %"), (1.0, (0.912, 1.0), "100 % (91-100)"), (0.0, (0.0, 0.1), "0 % (0-10)"), (None, None, "-")],
)
def test_percentages(share: float | None, interval: tuple[float, float] | None, text: str) -> None:
    assert console.percent(share, interval) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "0 s"),
        (59.6, "1 min"),
        (260, "4 min 20 s"),
        (3599.4, "59 min 59 s"),
        (3600, "1 h"),
        (3900, "1 h 5 min"),
        (7190, "2 h"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert console.duration(seconds) == text


def test_an_integration_says_how_long_its_steps_take_once_it_knows(monkeypatch, capsys) -> None:
    now = [0.0]
    monkeypatch.setattr(integration_display.time, "monotonic", lambda: now[0])
    with integration_display.IntegrationDisplay(5, 10.0) as display:
        display.begun("dip after every node", 20)
        now[0] = 60.0
        display.advanced(1)  # compiling came before it
        now[0] = 69.5
        display.advanced(20)
        display.begun("into dip", 600)
        display.advanced(1)
        now[0] = 169.5
        display.advanced(101)  # the others were not needed
        display.begun("out of dip", 50)
    assert capsys.readouterr().err.splitlines() == [
        "seed 5",
        "promising transitions are learned for at most 10 min (--minutes) afterwards",
        "dip after every node: 20 rollouts",
        "into dip: 600 rollouts, about 5 min",
        "out of dip: 50 rollouts, about 50 s",
    ]


def test_progress_is_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    console.stderr.cache_clear()
    with console.progress("walking", total=2) as (bar, task):
        bar.update(task, advance=1)
        bar.refresh()
    out, err = capsys.readouterr()
    assert (out, "walking" in err, "50%" in err) == ("", True, True)


def test_progress_says_a_line_now_and_then_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "FIRST_LINE_S", 0.2)
    for total, share in ((4, "25 %, "), (None, "")):
        said = ""
        with console.progress("walking", total=total) as (bar, task):
            bar.update(task, advance=1)
            while said.count("\n") < 2:
                said += capsys.readouterr().err
                time.sleep(0.01)
        assert said.splitlines()[:2] == [f"walking: {share}0 s"] * 2


def test_progress_of_a_moment_is_silent_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with console.progress("walking", total=2) as (bar, task):
        bar.update(task, advance=1)
    assert capsys.readouterr() == ("", "")
