"""The project that comes with ctrlgraph (graph, gate, scripts, characters, scenarios), and copies of it.

In an installed package they lie in `ctrlgraph/data`, in a checkout at the repository's root.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError

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

PARTS = ("graph.yaml", "gate.yaml", "controllers", "characters", "learned", "scenarios")


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


def copy_project(target: Path) -> list[Path]:
    """Make `target` a project directory: all of it or nothing, never over what is there.

    Returns the copied files, relative to `target`.

    Raises:
        CtrlGraphError: `target` exists and is not an empty directory, or its parent does not exist.
    """
    target = target.absolute()
    if target.exists() and not target.is_dir():
        raise CtrlGraphError(f"'{target}' is a file, not a directory")
    if target.is_dir() and any(target.iterdir()):
        raise CtrlGraphError(f"the directory '{target}' is not empty")
    if not target.parent.is_dir():
        raise CtrlGraphError(f"the directory '{target.parent}' does not exist")
    sources = {name: shipped_file(name) for name in PARTS}
    scratch_project = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        for name, source in sources.items():
            if source.is_dir():
                shutil.copytree(source, scratch_project / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
            else:
                shutil.copyfile(source, scratch_project / name)
        (scratch_project / ".gitignore").write_text(IGNORED, encoding="utf-8", newline="\n")
        scratch_project.chmod(0o755)
        scratch_project.rename(target)  # replaces an empty directory, atomically
    except BaseException:
        shutil.rmtree(scratch_project, ignore_errors=True)
        raise
    return sorted(path.relative_to(target) for path in target.rglob("*") if path.is_file())
