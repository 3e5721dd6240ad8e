"""How messages show a path, where a project keeps things, and that what its files name lies inside it.

A project may come from a stranger. What one of its files names is read and written inside the project's directory or
not at all; only the person at the command line names other places.
"""

from __future__ import annotations

import os
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError, printable

GRAPH_FILE = "graph.yaml"
RUNS_DIRECTORY = "runs"
LEARNED_DIRECTORY = "learned"
"""Where a project keeps learned files and the scripts of bridges."""

EXAMPLES_FILE = "examples.json"
"""In `runs/`: measures of one example of each node."""


def display_path(path: Path | str) -> str:
    """Return the path relative to the current directory where it lies under it, else absolute."""
    try:
        absolute = os.path.abspath(path)
        relative = os.path.relpath(absolute)
    except OSError:  # the current directory is no longer there
        return _on_one_line(str(path))
    return _on_one_line(absolute if relative.startswith("..") else relative)


def _on_one_line(path: str) -> str:
    return printable(path).replace("\n", "\\n")


def contained(directory: Path, path: Path | str) -> Path:
    """Return `path`, as a file of the project in `directory` names it (relative to that directory), joined to it.

    Links count as what they lead to: a link that stands in the project and points out of it is refused as well.

    Raises:
        CtrlGraphError: the path is absolute, leads outside, cannot be a path, or runs through a loop of links.
    """
    given, shown = str(path), printable(str(path)[:80])
    try:
        joined = Path(directory) / given
        inside = not Path(given).is_absolute() and joined.resolve().is_relative_to(Path(directory).resolve())
    except (OSError, ValueError, RuntimeError):
        raise CtrlGraphError(f"'{shown}' cannot be a path") from None
    if not inside:
        raise CtrlGraphError(f"'{shown}' lies outside the project, whose files may only name what is inside")
    return joined
