"""The study on docs/reference/python.md runs as it stands and prints what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ctrlgraph.project.shipped import copy_project
from tests.docs.pages import ROOT, blocks

STUDY = next(block.text for block in blocks("python") if block.page == "docs/reference/python.md")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy_project(tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    return tmp_path / "project"


def test_the_study_runs_and_draws_its_picture(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    short = STUDY.replace("TRIALS = 10", "TRIALS = 1").replace("np.arange(-10, 11, 2)", "np.array([0.0])")
    assert short != STUDY
    exec(compile(short, "docs/reference/python.md", "exec"), {})
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["stand", "100%"],
        ["walk", "100%"],
        ["squat", "100%"],
    ]
    assert (project / "slope-study.png").is_file()


@pytest.mark.slow
def test_the_study_prints_what_the_page_shows(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(STUDY, "docs/reference/python.md", "exec"), {})
    shown = re.search(
        r"^```console\n(stand .*?)^```$", (ROOT / "docs/reference/python.md").read_text(), re.MULTILINE | re.DOTALL
    )
    assert shown is not None and capsys.readouterr().out == shown[1]
