"""Paths in messages, names of files and directories of a project, and paths that must be inside it.

A project can be untrusted. Its files can only name files inside its directory. Only the command line can name others.
"""

from __future__ import annotations

import os
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError, printable

GRAPH_FILE = "graph.yaml"
RUNS_DIRECTORY = "runs"
LEARNED_DIRECTORY = "learned"
"""Directory of learned files and of scripts of bridges."""

EXAMPLES_FILE = "examples.json"
"""In `runs/`: measures of one example of each node."""


def display_path(path: Path | str) -> str:
    """Return the path relative to the current directory if it is inside, otherwise the absolute path."""
    try:
        absolute = os.path.abspath(path)
        relative = os.path.relpath(absolute)
    except OSError:  # the current directory no longer exists
        return _on_one_line(str(path))
    return _on_one_line(absolute if relative.startswith("..") else relative)


def _on_one_line(path: str) -> str:
    return printable(path).replace("\n", "\\n")


def contained(directory: Path, path: Path | str) -> Path:
    """Return a path that a file of a project names, joined to the project's directory.

    Links are followed: a link that leads out of the project is refused.

    Args:
        directory: Directory of the project.
        path: Path relative to it.

    Raises:
        CtrlGraphError: The path is absolute, leads outside, is not valid, or contains a loop of links.
    """
    given, shown = str(path), printable(str(path)[:80])
    try:
        joined = Path(directory) / given
        inside = not Path(given).is_absolute() and joined.resolve().is_relative_to(Path(directory).resolve())
    except (OSError, ValueError, RuntimeError):
        raise CtrlGraphError(f"'{shown}' cannot be a path") from None
    if not inside:
        raise CtrlGraphError(f"'{shown}' lies outside the project; its files may only name paths inside it")
    return joined
