"""`ctrlgraph docs`: the pages travel with the package, and what a project's files point to is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from ctrlgraph.cli.main import main
from ctrlgraph.project.shipped import PROJECTS, copy_project

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.stem for path in (ROOT / "docs").glob("*.md"))


def test_the_pages_are_listed_each_with_what_it_tells(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs"]) == 0
    listed = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert sorted(listed) == [page for page in PAGES if page != "README"]
    assert listed["graph-file"] == "graph.yaml: nodes, edges, success, corrections"


@pytest.mark.parametrize("name", ["graph-file", "graph-file.md", "docs/graph-file.md"])
def test_a_page_is_printed_as_it_is_written(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", name]) == 0
    assert capsys.readouterr().out == (ROOT / "docs" / "graph-file.md").read_text(encoding="utf-8")


def test_a_page_that_is_not_there_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", "graph-fiel"]) == 1
    assert capsys.readouterr().err == "error: there is no page 'graph-fiel'; did you mean 'graph-file'?\n"
    assert main(["docs", "../pyproject.toml"]) == 1


def test_every_page_is_in_the_wheel() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    pages = {f"docs/{page}.md": f"ctrlgraph/data/docs/{page}.md" for page in PAGES}
    assert {source: copy for source, copy in included.items() if source.startswith("docs/")} == pages


@pytest.mark.parametrize("name", PROJECTS)
def test_what_the_files_of_a_new_project_point_to_is_a_page(name: str, tmp_path: Path) -> None:
    copied = copy_project(tmp_path / "mine", name)
    pointers = set()
    for path in copied:
        text = (tmp_path / "mine" / path).read_text(encoding="utf-8")
        pointers |= set(re.findall(r"docs/([\w-]+)\.md", text)) | set(re.findall(r"ctrlgraph docs ([\w-]+)", text))
    assert "NAME" in pointers  # the README tells how they are meant
    assert pointers - {"NAME"} <= set(PAGES)
