"""`ctrlgraph init DIR`: a whole project or nothing."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ctrlgraph.cli.commands import init
from ctrlgraph.cli.main import main
from ctrlgraph.project import shipped


@pytest.fixture(autouse=True)
def origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small shipped project."""
    origin = tmp_path / "shipped"
    (origin / "controllers" / "poses").mkdir(parents=True)
    (origin / "characters").mkdir()
    (origin / "scenarios").mkdir()
    (origin / "learned").mkdir()
    (origin / "graph.yaml").write_text("start: stand\n")
    (origin / "gate.yaml").write_text("trials: 4\n")
    (origin / "controllers" / "poses" / "stand.t").write_text("# stand\n")
    (origin / "characters" / "humanoid.yaml").write_text("name: humanoid\n")
    (origin / "scenarios" / "slopes.yaml").write_text("limit: slope\n")
    (origin / "learned" / "walk.yaml").write_text("node: walk\n")
    monkeypatch.setattr(shipped, "shipped_file", lambda name: origin / name)
    return origin


def files(directory: Path) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file())


WHOLE = [
    ".gitignore",
    "README.md",
    "characters/humanoid.yaml",
    "controllers/poses/stand.t",
    "gate.yaml",
    "graph.yaml",
    "learned/walk.yaml",
    "scenarios/slopes.yaml",
]


@pytest.mark.parametrize("exists", [True, False])
def test_a_new_or_empty_directory_becomes_a_project(
    tmp_path: Path, exists: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "mine"
    if exists:
        target.mkdir()
    assert main(["init", str(target)]) == 0
    assert files(target) == WHOLE
    out = capsys.readouterr().out
    assert out.startswith(f"{target}: 8 files\nnext: cd {target} && ctrlgraph walk --random\ndocumentation: ")
    assert out.endswith("docs/guides/first-motion.md\n")


def test_the_path_of_the_page_to_read_holds_in_the_new_directory(
    origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)  # which contains the pages
    monkeypatch.setattr(init, "shipped_file", lambda name: origin / name)
    assert main(["init", "mine"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"documentation: {origin / 'docs/guides/first-motion.md'}"


@pytest.mark.parametrize("name", ["two words", "$(touch me); x", "-dash", "it's"])
def test_what_is_to_be_pasted_after_init_leads_into_the_directory(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init", "--", name]) == 0
    pasted = capsys.readouterr().out.splitlines()[1].removeprefix("next: ").partition(" && ")[0]
    shell = subprocess.run(["sh", "-c", f"{pasted} && pwd"], capture_output=True, text=True, check=True)
    assert shell.stdout == f"{tmp_path / name}\n"
    assert sorted(os.listdir(tmp_path)) == sorted([name, "shipped"])


def test_what_cannot_be_made_is_told_by_the_name_that_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    link, new = tmp_path / "link", tmp_path / "new"
    link.symlink_to(tmp_path / "nowhere")
    assert main(["init", str(link)]) == 1
    assert (
        capsys.readouterr().err
        == f"error: '{link}' is a link to a missing path: remove the link, or choose another directory\n"
    )

    def refuse(prefix: str, dir: Path) -> str:
        raise PermissionError(errno.EACCES, "Permission denied", f"{dir}/{prefix}x7")

    monkeypatch.setattr(shipped.tempfile, "mkdtemp", refuse)
    assert main(["init", str(new)]) == 1
    assert (
        capsys.readouterr().err
        == f"error: the directory '{new}' cannot be created, so choose another: permission denied\n"
    )


def test_git_leaves_alone_what_a_project_makes(tmp_path: Path) -> None:
    target = tmp_path / "mine"
    assert main(["init", str(target)]) == 0
    for made in ("runs/runs.sqlite", "runs/basins/walk.npz", ".venv/bin/python", "x/__pycache__/y.pyc"):
        (target / made).parent.mkdir(parents=True, exist_ok=True)
        (target / made).write_text("")
    subprocess.run(["git", "init", "-q"], cwd=target, check=True)
    shown = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"], cwd=target, check=True, capture_output=True, text=True
    )
    assert shown.stdout.split() == WHOLE


def test_only_a_new_or_empty_directory_of_an_existing_one_becomes_a_project(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("")
    full, file, lost = (tmp_path / name for name in ("full", "file", "no/mine"))
    for target, fault in (
        (full, f"the directory '{full}' must be empty: choose another directory"),
        (file, f"'{file}' is a file, not a directory: choose another directory"),
        (lost, f"the directory '{lost.parent}' does not exist: create it first"),
    ):
        assert main(["init", str(target)]) == 1
        assert capsys.readouterr().err == f"error: {fault}\n"
    assert files(full) == ["notes.txt"]


def test_a_copy_that_fails_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    before = sorted(tmp_path.iterdir())
    assert main(["init", str(tmp_path / "mine")]) == 1
    assert capsys.readouterr().err == "error: no space left on device\n"
    assert sorted(tmp_path.iterdir()) == before


def test_another_shipped_project_is_copied_by_its_name(
    tmp_path: Path, origin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(origin, tmp_path / "copied")
    shutil.copytree(tmp_path / "copied", origin / "projects" / "biped")
    (origin / "projects" / "biped" / "README.md").write_text("# The biped\n")
    assert main(["init", str(tmp_path / "mine"), "--from", "biped"]) == 0
    assert files(tmp_path / "mine") == WHOLE
    assert (tmp_path / "mine" / "README.md").read_text() == "# The biped\n"
    assert capsys.readouterr().out.endswith("docs/guides/import-a-mujoco-model.md\n")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("bipde", "did you mean 'biped'?"),
        ("octopus", "choose from humanoid, biped, tracking, five-link, quadruped, dog, biped-3d"),
    ],
)
def test_a_project_that_is_not_shipped_is_refused(
    tmp_path: Path, name: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", str(tmp_path / "mine"), "--from", name]) == 1
    assert capsys.readouterr().err == f"error: there is no shipped project '{name}'; {hint}\n"
    assert not (tmp_path / "mine").exists()
