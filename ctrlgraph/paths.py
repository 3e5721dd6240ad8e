"""Paths in messages, names of a project's files and directories, and checks that a path is inside the project.

A project can be untrusted. Therefore the files of a project can only name files inside the project's directory. Only
the command line can name files elsewhere.
"""

from __future__ import annotations

import os
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError, printable

GRAPH_FILE = "graph.yaml"
RUNS_DIRECTORY = "runs"
"""Directory of the run log and of other results."""
LEARNED_DIRECTORY = "learned"
"""Directory of learned files (constants of learned edges and nodes) and of bridging scripts."""

EXAMPLES_FILE = "examples.json"
"""File in `runs/` with the measures of one example motion of each node."""


def display_path(path: Path | str) -> str:
    """Return a path as messages show it: relative if it is inside the current directory, otherwise absolute."""
    try:
        absolute = os.path.abspath(path)
        relative = os.path.relpath(absolute)
    except OSError:  # the current directory no longer exists
        return _on_one_line(str(path))
    return _on_one_line(absolute if relative.startswith("..") else relative)


def _on_one_line(path: str) -> str:
    return printable(path).replace("\n", "\\n")


def contained(directory: Path, path: Path | str) -> Path:
    """Return a path that a project's file names, joined to the project's directory, after checking that it is inside.

    Links are followed, so a link that leads out of the project is refused.

    Args:
        directory: Directory of the project.
        path: Path relative to the project's directory.

    Raises:
        CtrlGraphError: The path is absolute, leads out of the project, is not a valid path, or contains a loop of
            links.
    """
    given, shown = str(path), printable(str(path)[:80])
    try:
        joined = Path(directory) / given
        inside = not Path(given).is_absolute() and joined.resolve().is_relative_to(Path(directory).resolve())
    except (OSError, ValueError, RuntimeError):
        raise CtrlGraphError(f"'{shown}' is not a valid path") from None
    if not inside:
        raise CtrlGraphError(f"'{shown}' lies outside the project; its files may only name paths inside it")
    return joined
