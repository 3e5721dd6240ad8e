"""The smallest character of docs/reference/character.md: its three files are a project that does what the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ctrlgraph.cli.main import main
from tests.docs.pages import blocks, read


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The files that the section shows, by the names that stand before them."""
    section = (
        read("docs/reference/character.md")
        .partition("## The smallest character that can be run")[2]
        .partition("\n## ")[0]
    )
    names = re.findall(r"`([\w/]+\.(?:yaml|t))`", section)
    shown = [
        block.text
        for block in blocks("yaml", "ctrl")
        if block.page == "docs/reference/character.md" and block.text in section
    ]
    for name, text in zip(dict.fromkeys(names), shown, strict=True):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_it_is_checked_run_and_walked_as_the_page_says(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--project", str(project), "check"]) == 0
    assert capsys.readouterr().out.strip() in read("docs/reference/character.md")
    assert main(["--project", str(project), "run", "leaning", "--from", "upright", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["measures"]["torso"] == pytest.approx(0.412, abs=5e-4)
    assert main(["--project", str(project), "walk", "--random", "--transitions", "6", "--seed", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["succeeded"] == 6


def test_more_than_its_spring_can_hold_fails_in_the_page_s_words(project, capsys) -> None:
    path = project / "graph.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("args: [.4]", "args: [1.3]"), encoding="utf-8")
    assert main(["--project", str(project), "run", "leaning", "--from", "upright"]) == 1
    said = capsys.readouterr().out.splitlines()[0].removeprefix("leaning: failed: ")
    assert f"`{said}`" in read("docs/reference/character.md")
