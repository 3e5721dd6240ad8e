"""Search for nodes and controller files by name, without the time that an import of simulation modules takes."""

from __future__ import annotations

import os.path
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError, suggestion

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

_SHOWN = 200
"""Maximum number of characters of a name that a message quotes."""


def require_controller(project: Project, name: str) -> None:
    """Check that a name belongs to a node, a draft (a node that walks do not use yet) or a controller file.

    Args:
        project: Project with the graph.
        name: Name of a node or a draft, or path of a file (see `controller_file`).

    Raises:
        CtrlGraphError: There is no node, draft or file with this name.
        SourceError: The graph file has errors.
    """
    if name not in project.graph and name not in project.graph.drafts:
        controller_file(project, name)


def controller_file(project: Project, name: str) -> Path:
    """Find a controller file in the current directory or in the project, and return its path.

    Args:
        project: Project whose directory is searched.
        name: Path of the file, relative to the current directory or to the directory of the project.

    Raises:
        CtrlGraphError: There is no such file.
    """
    path = next((p for p in (Path(name), project.directory / name) if os.path.isfile(p)), None)
    if path is None:
        raise unknown_controller(project, name)
    return path


def unknown_controller(project: Project, name: str) -> CtrlGraphError:
    """Return the error for a name that is neither a node nor a file. The error's message suggests a similar name."""
    sentence = f"'{name[:_SHOWN]}' is neither a node of the graph nor a script"
    scripts = {project.relative(str(path)): path.stem for path in project.library.paths()}
    found = suggestion(name, [*project.graph.nodes, *project.graph.drafts, *scripts])
    # the user may have given the right file name in a wrong directory
    same = [path for path, stem in scripts.items() if stem == Path(name).stem]
    hint = f"did you mean '{same[0]}'?" if same else found
    return CtrlGraphError(f"{sentence}; {hint}" if hint else sentence)
