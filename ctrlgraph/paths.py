"""Names of a project's files and directories, checks that a path is inside the project, and paths in messages.

A project can be untrusted. Therefore the files of a project can only name files inside the project's directory. Only
the command line can name files elsewhere.
"""

from __future__ import annotations

import os
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError, printable

GRAPH_FILE = "graph.yaml"
"""File with the nodes and edges of the graph."""
RUNS_DIRECTORY = "runs"
"""Directory of the run log and of other results."""
FOOTSTEPS_DIRECTORY = "runs/footsteps"
"""Directory of the logs of steered plans."""
LEARNED_DIRECTORY = "learned"
"""Directory of learned files (constants that a search has found for an edge or a node) and of bridging scripts (scripts
that run between the source and the target of an edge).
"""

EXAMPLES_FILE = "examples.json"
"""File in `runs/` with measures, such as the mean speed, of one example motion of each node."""


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
    """Join the directory of a project and a relative path, and check that the result is inside the directory.

    Links are followed, so a link that leads out of the project is refused.

    Args:
        directory: Directory of the project.
        path: Path relative to the directory, for example from the graph file.

    Raises:
        CtrlGraphError: The path is absolute, leads out of the project, is not a valid path, or contains a loop of
            links.
    """
    given, shown = str(path), printable(str(path)[:80])
    try:
        joined = Path(directory) / given
        inside = not Path(given).is_absolute() and joined.resolve().is_relative_to(Path(directory).resolve())
    except (OSError, ValueError, RuntimeError):
        raise CtrlGraphError(
            f"'{shown}' is not a valid path: it is too long, or contains a null character or a loop of links"
        ) from None
    if not inside:
        raise CtrlGraphError(f"'{shown}' lies outside the project: give a relative path inside the project")
    return joined


def files_below(directory: Path, pattern: str) -> list[Path]:
    """Return the files in a directory and its subdirectories whose names fit a pattern, sorted.

    Hidden files and directories are ignored, as are links that lead out of the directory.

    Args:
        directory: The directory.
        pattern: Pattern of file names, such as "*.yaml".
    """

    def is_hidden(path: Path) -> bool:
        # also a file: a killed process can leave an incomplete hidden file
        return any(part.startswith(".") for part in path.relative_to(directory).parts)

    def is_inside(path: Path) -> bool:
        try:
            contained(directory, path.relative_to(directory))
        except CtrlGraphError:
            return False
        return True

    found = sorted(directory.rglob(pattern))
    return [path for path in found if not is_hidden(path) and os.path.isfile(path) and is_inside(path)]
