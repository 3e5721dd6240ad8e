"""`ctrlgraph docs`: the pages travel with the package, and what a project's files point to is there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import click
import pytest

from ctrlgraph.cli.main import COMMANDS, main
from ctrlgraph.project.shipped import PROJECTS, copy_project

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in (ROOT / "docs").rglob("*.md"))


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["docs", *arguments]) == 0
    return capsys.readouterr().out


def test_the_pages_are_listed_in_groups_each_with_what_it_tells(capsys: pytest.CaptureFixture[str]) -> None:
    lines = out(capsys).splitlines()
    groups = [line for line in lines if not line.startswith(" ")]
    listed = dict(line.split(maxsplit=1) for line in lines if line.startswith(" "))
    assert groups[:3] == ["Begin here", "How do I ...", "Reference"]
    assert sorted(listed) == [page for page in PAGES if page != "README"]
    assert listed["graph-file"] == "graph.yaml: nodes, edges, success, corrections"
    assert listed["how-to/make-a-film"] and listed["decisions/0012-friction-cone"]


@pytest.mark.parametrize("name", ["graph-file", "graph-file.md", "docs/graph-file.md"])
def test_a_page_is_printed_as_it_is_written(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert out(capsys, name) == (ROOT / "docs" / "graph-file.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("0012", "decisions/0012-friction-cone"),
        ("decisions/0012", "decisions/0012-friction-cone"),
        ("0012-friction-cone", "decisions/0012-friction-cone"),
        ("decisions", "decisions/README"),
        ("make-a-film", "how-to/make-a-film"),
        ("README", "README"),
    ],
)
def test_a_page_in_a_folder_is_found_by_its_name_or_number(name, page, capsys) -> None:
    assert out(capsys, name) == (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("topic", [["fall", "exits"], ["Fall exits"], ["language#fall-exits"]])
def test_a_section_is_printed_by_its_heading(topic: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, *topic)
    assert text.startswith("### Fall exits\n") and "gives up" in text
    assert "### Failure" not in text


def test_a_command_is_its_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert out(capsys, "suggest-edges").startswith("## `ctrlgraph suggest-edges [NODE]`\n")
    assert out(capsys, "ctrlgraph", "walk").startswith("## `ctrlgraph walk`\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_comes_before_a_page_or_a_node_of_its_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert re.match(rf"## `ctrlgraph {name}[` ]", out(capsys, name))


def test_what_else_has_a_command_s_name_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", "walk"]) == 0
    assert "motions#walk" in capsys.readouterr().err
    assert main(["docs", "robustness"]) == 0
    assert "docs/robustness.md" in capsys.readouterr().err
    assert out(capsys, "docs/robustness.md").startswith("# ")


def test_a_heading_in_a_block_of_code_begins_no_section(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "first-motion#a-leap")
    assert "# Leaps straight up from the stand" in text and "ENDSCRIPT" in text


def test_words_are_found_in_sections_those_first_that_have_them_in_the_heading(capsys) -> None:
    found = json.loads(out(capsys, "--json", "corrective", "edges"))["found"]
    assert found[0] == {
        "page": "graph-file",
        "anchor": "failures-and-corrective-edges",
        "heading": "Failures and corrective edges",
        "line": found[0]["line"],
    }
    assert "corrective edges" in found[0]["line"]
    assert len(found) > 5
    shown = out(capsys, "corrective", "edges").splitlines()
    assert shown[0] == "graph-file#failures-and-corrective-edges  Failures and corrective edges"


def test_what_is_found_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    for match in json.loads(out(capsys, "--json", "parquet"))["found"]:
        assert "parquet" in out(capsys, f"{match['page']}#{match['anchor']}").lower()


def test_json_has_the_pages_and_their_texts(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(out(capsys, "--json"))["pages"]
    assert listed[0]["name"] == "first-motion"
    assert {"name", "group", "tells"} == set(listed[0])
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert json.loads(out(capsys, "glossary", "--json")) == {"page": "glossary", "text": text}
    section = json.loads(out(capsys, "fall", "exits", "--json"))
    assert (section["page"], section["anchor"], section["heading"]) == ("language", "fall-exits", "Fall exits")


def test_what_is_not_there_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs", "graph-fiel"]) == 1
    said = "error: there is no page 'graph-fiel', and no section that has its words; did you mean 'graph-file'?\n"
    assert capsys.readouterr().err == said
    for topic in ("../pyproject.toml", "/etc/passwd", "docs/../README.md"):
        assert main(["docs", topic]) == 1
        assert "`ctrlgraph docs` lists the pages" in capsys.readouterr().err
    assert main(["docs", "graph-file#nothing"]) == 1
    assert capsys.readouterr().err == (
        "error: the page graph-file has no section 'nothing'; `ctrlgraph docs graph-file` prints the page\n"
    )


def test_a_long_page_goes_through_the_pager_on_a_terminal_only(capsys, monkeypatch) -> None:
    paged: list[str] = []
    monkeypatch.setattr(click, "echo_via_pager", paged.append)
    out(capsys, "glossary")
    assert paged == []
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    assert out(capsys, "glossary") == ""
    assert paged == [(ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")]
    assert out(capsys, "first-motion#a-project").startswith("## A project\n")
    assert len(paged) == 1


def test_every_page_goes_into_the_wheel_and_no_picture() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = settings["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["hooks"]["custom"]["path"] == "scripts/pages_of_wheel.py"
    assert [source for source in wheel["force-include"] if source.startswith("docs")] == []  # one home


@pytest.mark.slow
def test_the_wheel_has_every_page(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode and "hatchling" in done.stderr:
        pytest.skip("hatchling cannot be had here")
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    inside = sorted(name for name in names if name.startswith("ctrlgraph/data/docs/"))
    assert inside == sorted(f"ctrlgraph/data/docs/{page}.md" for page in PAGES)


@pytest.mark.parametrize("name", PROJECTS)
def test_what_the_files_of_a_new_project_point_to_is_a_page(name: str, tmp_path: Path) -> None:
    copied = copy_project(tmp_path / "mine", name)
    pointers = set()
    for path in copied:
        if str(path).endswith(".npz"):  # a table of numbers
            continue
        text = (tmp_path / "mine" / path).read_text(encoding="utf-8")
        pointers |= set(re.findall(r"docs/([\w-]+)\.md", text)) | set(re.findall(r"ctrlgraph docs ([\w-]+)", text))
    assert "NAME" in pointers  # the README tells how they are meant
    assert pointers - {"NAME"} <= set(PAGES)
