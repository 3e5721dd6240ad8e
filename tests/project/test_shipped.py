"""The shipped project is found, in a checkout and in an installed package."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from ctrlgraph.cli.main import main
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.project import shipped
from ctrlgraph.project.project import Project
from ctrlgraph.project.shipped import PAGES, PARTS, PROJECTS, copy_project, shipped_file, shipped_project
from ctrlgraph.robustness.gates.gate import load_gate
from ctrlgraph.robustness.sweeps.scenario import load_scenario
from ctrlgraph.robustness.sweeps.sweep import new_sweeps

HOME = "ctrlgraph/data/docs/"
"""Directory of the pages in the wheel."""


def test_a_checkout_has_it_at_the_root() -> None:
    assert shipped_file("characters") == Path(__file__).parents[2] / "characters"


def test_an_installed_package_has_it_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "ctrlgraph" / "data" / "graph.yaml"
    inside.parent.mkdir(parents=True)
    inside.write_text("")
    monkeypatch.setattr(shipped, "__file__", str(tmp_path / "ctrlgraph" / "project" / "shipped.py"))
    assert shipped_file("graph.yaml") == inside


@pytest.mark.parametrize("name", PROJECTS)
def test_a_copy_is_whole_its_gate_and_scenarios_can_be_asked_at_once(tmp_path: Path, name: str) -> None:
    copy_project(tmp_path / "mine", name)
    project = Project(tmp_path / "mine")
    assert load_gate(project.directory / "gate.yaml", project).requirements
    scenarios = sorted((project.directory / "scenarios").glob("*.yaml"))
    shipped_ones = shipped_project(name)["scenarios"].glob("*.yaml")
    assert [path.name for path in scenarios] == sorted(path.name for path in shipped_ones)
    for path in scenarios:
        assert new_sweeps(project, load_scenario(path), seed=1)


@pytest.mark.parametrize("name", PROJECTS)
def test_a_shipped_project_is_checked_without_a_warning(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy_project(tmp_path / "mine", name)
    monkeypatch.chdir(tmp_path / "mine")
    assert main(["check"]) == 0
    assert capsys.readouterr().out.endswith(": 0 errors, 0 warnings\n")


def test_every_part_travels_in_the_wheel() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    settings = tomllib.loads(text)["tool"]["hatch"]["build"]["targets"]
    inside = settings["wheel"]["force-include"]
    root = Path(__file__).parents[2]
    for name in PROJECTS:
        parts = [str(path.relative_to(root)) for path in shipped_project(name).values()]
        assert {part: inside.get(part) for part in parts} == {part: f"ctrlgraph/data/{part}" for part in parts}
    assert {*(f"/{part}" for part in PARTS), "/projects"} <= set(settings["sdist"]["include"])


def pages(root: Path) -> list[str]:
    """Return the documentation pages, relative to docs/."""
    return sorted(path.relative_to(root / "docs").as_posix() for path in (root / "docs").rglob("*.md"))


@pytest.mark.slow
def test_the_wheel_contains_all_pages_but_the_results(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(root)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode and "hatchling" in done.stderr:
        pytest.skip("hatchling cannot be installed here")
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    files = zipfile.ZipFile(wheel).namelist()
    inside = sorted(name.removeprefix(HOME) for name in files if name.startswith(HOME))
    assert {page.split("/")[0] for page in inside} >= {"guides", "reference", "decisions", "README.md"}
    assert inside == [page for page in pages(root) if not page.startswith("results/")]


@pytest.mark.parametrize("name", PROJECTS)
def test_files_of_a_new_project_refer_to_existing_pages_only(name: str, tmp_path: Path) -> None:
    copied = [tmp_path / "mine" / path for path in copy_project(tmp_path / "mine", name)]
    texts = [path.read_text(encoding="utf-8") for path in copied if path.suffix != ".npz"]
    referred = {page for text in texts for page in re.findall(r"docs/([\w/-]+\.md)", text)}
    existing = set(pages(Path(__file__).parents[2]))
    # a comment may omit the folder: changing it would change the digest of a character
    assert referred - {"NAME.md"} <= existing | {Path(page).name for page in existing}
    assert f"{PAGES[name]}.md" in existing


def test_what_is_missing_is_named() -> None:
    with pytest.raises(CtrlGraphError, match=r"^this installation lacks the shipped 'wings': install ctrlgraph again$"):
        shipped_file("wings")
