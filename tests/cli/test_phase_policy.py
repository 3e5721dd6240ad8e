"""What `ctrlgraph phase-policy` and `return-map` refuse before anything is simulated."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.cli.main import main
from ctrlgraph.project.shipped import copy_project


@pytest.fixture
def jump(tmp_path: Path) -> Path:
    """The jump of a copy of the tracking project."""
    copy_project(tmp_path / "tracking", "tracking")
    return tmp_path / "tracking" / "tracking" / "jump.yaml"


@pytest.mark.parametrize("option", ["-o", "--table"])
def test_a_policy_takes_no_other_files_place(jump: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = jump.read_bytes()
    words = ["--project", str(jump.parents[1]), "phase-policy", str(jump), "--rate", "1", "--points", "4"]
    assert main([*words, "--actions", "2", option, str(jump)]) == 2
    assert "does not end in .npz" in capsys.readouterr().err
    assert jump.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["phase-policy", "--rate", "5", "--fastest", "2"],
            "the wanted rate 5 is not between --slowest 0.3 and --fastest 2",
        ),
        (["return-map", "--slowest", "2", "--fastest", "1"], "--slowest 2 is not below --fastest 1"),
    ],
)
def test_rates_that_fit_no_grid_are_refused(
    jump: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--project", str(jump.parents[1]), words[0], str(jump), *words[1:]]) == 1
    assert capsys.readouterr().err == f"error: {message}\n"
