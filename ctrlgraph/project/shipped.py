"""The projects that come with ctrlgraph (graph, gate, scripts, characters, scenarios), and copies of them.

In an installed package they lie in `ctrlgraph/data`, in a checkout at the repository's root: the humanoid's at the top,
any other below `projects/`.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError, quoted, suggestion

IGNORED = """\
# what ctrlgraph and its surroundings make, and can make again
runs/
.venv/
venv/
__pycache__/
*.pyc
.*.ctrlgraph-tmp*
"""
"""The `.gitignore` of a new project."""

README_NAME = "README.md"
README = """\
A project of ctrlgraph: graph.yaml says which motions there are and which may follow which, controllers/ has their
scripts.

    ctrlgraph walk --random        a walk over the graph
    ctrlgraph --help               all commands, and where the documentation is

docs/NAME.md in a comment is a page of the documentation.
"""
"""The README of a new project that has none of its own."""

PARTS = ("graph.yaml", "gate.yaml", "controllers", "characters", "learned", "scenarios")

HUMANOID = "humanoid"
"""The project that `copy_project` takes where none is named."""

PROJECTS = {
    HUMANOID: "a humanoid of 17 links that walks, runs, tumbles and gets up again",
    "biped": "two legs and a trunk without arms, from a MuJoCo XML, with SIMBICON",
    "tracking": "a biped with feet that walks by its phase, not by the clock",
    "five-link": "a biped with point feet that walks by its phase, not by the clock",
}
"""The shipped projects by name, each with what it is."""

PAGES = {
    HUMANOID: "guides/first-motion",
    "biped": "guides/import-a-mujoco-model",
    "tracking": "guides/write-a-tracking-file",
    "five-link": "guides/write-a-tracking-file",
}
"""The page to read first in a copy of each project. The tutorial is for the humanoid: its motions use shoulders."""

_FURTHER_PARTS = {"tracking": ("tracking", "stepping"), "five-link": ("tracking", "regulators")}
"""Folders that a project has beyond `PARTS`."""

_FOLDER = "projects"


def shipped_file(name: str) -> Path:
    """Return the path of a shipped file or folder.

    Raises:
        CtrlGraphError: the installation lacks it.
    """
    package = Path(__file__).resolve().parents[1]
    for root in (package / "data", package.parent):
        if (root / name).exists():
            return root / name
    raise CtrlGraphError(f"this installation lacks the shipped '{name}'; install ctrlgraph again")


def shipped_project(name: str) -> dict[str, Path]:
    """Return the files and folders of a shipped project by the names that they have in it.

    Raises:
        CtrlGraphError: there is no such project, or the installation lacks a part of it.
    """
    if name not in PROJECTS:
        hint = suggestion(name, PROJECTS) or f"there are {', '.join(PROJECTS)}"
        raise CtrlGraphError(f"no project {quoted(name)} comes with ctrlgraph; {hint}")
    if name == HUMANOID:
        return {part: shipped_file(part) for part in PARTS}
    names = (*PARTS, *_FURTHER_PARTS.get(name, ()))
    parts = {part: shipped_file(f"{_FOLDER}/{name}/{part}") for part in names}
    return parts | {README_NAME: shipped_file(f"{_FOLDER}/{name}/{README_NAME}")}


def copy_project(target: Path, name: str = HUMANOID) -> list[Path]:
    """Make `target` a project directory, as the shipped one of this name: all or nothing, never over what is there.

    Returns the copied files, relative to `target`.

    Raises:
        CtrlGraphError: there is no such project, `target` exists and is not an empty directory, or its parent does not
            exist.
    """
    sources = shipped_project(name)
    target = target.absolute()
    if target.exists() and not target.is_dir():
        raise CtrlGraphError(f"'{target}' is a file, not a directory")
    if target.is_dir() and any(target.iterdir()):
        raise CtrlGraphError(f"the directory '{target}' is not empty")
    if not target.parent.is_dir():
        raise CtrlGraphError(f"the directory '{target.parent}' does not exist")
    if target.is_symlink() and not target.exists():
        raise CtrlGraphError(f"'{target}' is a link that leads nowhere")
    try:
        scratch_project = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CtrlGraphError(f"the directory '{target}' cannot be made: {reason}") from None
    try:
        for part, source in sources.items():
            if source.is_dir():
                shutil.copytree(source, scratch_project / part, ignore=shutil.ignore_patterns("__pycache__", ".*"))
            else:
                shutil.copyfile(source, scratch_project / part)
        (scratch_project / ".gitignore").write_text(IGNORED, encoding="utf-8", newline="\n")
        if README_NAME not in sources:
            (scratch_project / README_NAME).write_text(README, encoding="utf-8", newline="\n")
        scratch_project.chmod(0o755)
        scratch_project.rename(target)  # replaces an empty directory, atomically
    except BaseException:
        shutil.rmtree(scratch_project, ignore_errors=True)
        raise
    return sorted(path.relative_to(target) for path in target.rglob("*") if path.is_file())
