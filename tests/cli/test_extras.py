"""What an optional dependency is needed for says so before any work is done."""

from __future__ import annotations

import sys
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from ctrlgraph.cli.main import main


def started(_: BaseProcess) -> None:
    """Stand in for the start of a worker, which has a simulation of its own."""
    raise AssertionError("a worker is started")


CLUSTER = "--cluster needs the package distributed: pip install 'ctrlgraph[cluster]'"
FILM = "an .mp4 or .webm film (not a .gif) needs the package imageio-ffmpeg: pip install 'ctrlgraph[video]'"


@pytest.mark.parametrize(
    ("arguments", "module", "sentence"),
    [
        (
            ["robustness", "basins", "squat"],
            "sklearn",
            "a basin of attraction needs the package scikit-learn: pip install 'ctrlgraph[basins]'",
        ),
        (["report", "-o", "page"], "jinja2", "a report needs the package jinja2: pip install 'ctrlgraph[report]'"),
        (["robustness", "sweep", "stand", "--cluster", "127.0.0.1:1"], "distributed", CLUSTER),
        (["learn", "stand", "squat", "--cluster", "127.0.0.1:1"], "distributed", CLUSTER),
        (
            ["export", "squat", "-o", "x.rrd"],
            "rerun",
            "an .rrd file needs the package rerun-sdk: pip install 'ctrlgraph[rerun]'",
        ),
        (["run", "stand", "--video", "film.mp4"], "imageio_ffmpeg", FILM),
        (["walk", "--video", "film.mp4"], "imageio_ffmpeg", FILM),
    ],
)
def test_an_extra_that_is_missing_is_said_before_anything_is_simulated(
    arguments: list[str],
    module: str,
    sentence: str,
    still: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, "ctrlgraph.simulation.simulation", None)
    monkeypatch.setattr(BaseProcess, "start", started)
    assert main(["--project", str(still.directory), *arguments]) == 1
    assert capsys.readouterr().err == f"error: {sentence}\n"
    assert list(tmp_path.iterdir()) == []
