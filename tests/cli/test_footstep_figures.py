"""`ctrlgraph experiment footsteps`: the figures that it offers, what it prints, and what it draws."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctrlgraph.cli.commands.experiment.footsteps import NAMES
from ctrlgraph.cli.main import main
from ctrlgraph.footsteps.scenarios.figures import FIGURES


def test_every_scenario_is_offered() -> None:
    assert tuple(FIGURES) == NAMES


@pytest.mark.parametrize("name", ["pattern", "polygon", "robots"])
def test_a_figure_is_drawn_and_its_measures_are_printed(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "figure.svg"
    assert main(["experiment", "footsteps", name, "-o", str(picture), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["number"] == FIGURES[name].number
    assert found["measures"] == pytest.approx(FIGURES[name].run().measures)
    assert FIGURES[name].shows.removesuffix(".") in picture.read_text()
