"""Shipped projects: the projects that come with ctrlgraph, and their copies that `ctrlgraph init` makes.

An installed package has the files of these projects in `ctrlgraph/data`. A checkout has the files in its root directory
and in `projects/`.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError, quoted, suggestion

IGNORED = """\
# generated files
runs/
.venv/
venv/
__pycache__/
*.pyc
.*.ctrlgraph-tmp*
"""
"""Text of the file `.gitignore` of a new project."""

README_NAME = "README.md"
README = """\
A project of ctrlgraph. graph.yaml lists the motions and the transitions between them; controllers/ has the scripts.

    ctrlgraph walk --random        a walk over the graph
    ctrlgraph --help               all commands, and where the documentation is

docs/NAME.md in a comment is a page of the documentation.
"""
"""Text of the README of a new project, if the shipped project has no README."""

PARTS = ("graph.yaml", "gate.yaml", "controllers", "characters", "learned", "scenarios")
"""Files and directories of every shipped project."""

HUMANOID = "humanoid"
"""Name of the shipped project that is copied by default."""

PROJECTS = {
    HUMANOID: "a humanoid of 17 links that walks, runs, tumbles and gets up again",
    "biped": "two legs and a trunk without arms, from a MuJoCo XML, with SIMBICON",
    "tracking": "a biped with feet that walks by its phase, not by the clock",
    "five-link": "a biped with point feet that walks by its phase, not by the clock",
    "quadruped": "a robot on four legs in space, with gaits, and poses and jumps by key frames",
    "dog": "a dog of 30 links in space that walks, trots and turns by gaits",
    "biped-3d": "a man in space who walks, turns and stands by gaits",
}
"""Description of each shipped project, by name."""

PAGES = {
    HUMANOID: "guides/first-motion",
    "biped": "guides/import-a-mujoco-model",
    "tracking": "guides/write-a-tracking-file",
    "five-link": "guides/write-a-tracking-file",
    "quadruped": "guides/import-a-mujoco-model",
    "dog": "reference/gait",
    "biped-3d": "reference/gait",
}
"""Page of the documentation to read first, by project. The first-motion guide moves shoulders, which only the humanoid
has."""

_FURTHER_PARTS = {"tracking": ("tracking", "stepping"), "five-link": ("tracking", "regulators")}
"""Directories that a project has besides `PARTS`, by project."""

_FOLDER = "projects"


def shipped_file(name: str) -> Path:
    """Return the path of a file or directory that comes with ctrlgraph.

    Args:
        name: Path relative to `ctrlgraph/data`.

    Raises:
        CtrlGraphError: The installation does not have the file.
    """
    package = Path(__file__).resolve().parents[1]
    for root in (package / "data", package.parent):
        if (root / name).exists():
            return root / name
    raise CtrlGraphError(f"this installation lacks the shipped '{name}': install ctrlgraph again")


def shipped_project(name: str) -> dict[str, Path]:
    """Return where the files and directories of a shipped project are: path of each, by its name in the project.

    Args:
        name: Name of the project (see `PROJECTS`).

    Raises:
        CtrlGraphError: There is no such project, or the installation does not have all of its files.
    """
    if name not in PROJECTS:
        hint = suggestion(name, PROJECTS) or f"choose from {', '.join(PROJECTS)}"
        raise CtrlGraphError(f"there is no shipped project {quoted(name)}; {hint}")
    if name == HUMANOID:
        return {part: shipped_file(part) for part in PARTS}
    names = (*PARTS, *_FURTHER_PARTS.get(name, ()))
    parts = {part: shipped_file(f"{_FOLDER}/{name}/{part}") for part in names}
    return parts | {README_NAME: shipped_file(f"{_FOLDER}/{name}/{README_NAME}")}


def copy_project(target: Path, name: str = HUMANOID) -> list[Path]:
    """Copy a shipped project to a new or empty directory. If an error occurs, nothing is copied.

    Args:
        target: New or empty directory. Its parent must exist.
        name: Name of the project (see `PROJECTS`).

    Returns:
        Paths of all files of the copy, relative to `target`.

    Raises:
        CtrlGraphError: There is no such project, `target` exists and is not an empty directory, its parent does not
            exist, or the directory cannot be created.
    """
    sources = shipped_project(name)
    target = target.absolute()
    if target.exists() and not target.is_dir():
        raise CtrlGraphError(f"'{target}' is a file, not a directory: choose another directory")
    if target.is_dir() and any(target.iterdir()):
        raise CtrlGraphError(f"the directory '{target}' must be empty: choose another directory")
    if not target.parent.is_dir():
        raise CtrlGraphError(f"the directory '{target.parent}' does not exist: create it first")
    if target.is_symlink() and not target.exists():
        raise CtrlGraphError(f"'{target}' is a link to a missing path: remove the link, or choose another directory")
    try:
        scratch_project = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CtrlGraphError(f"the directory '{target}' cannot be created, so choose another: {reason}") from None
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
