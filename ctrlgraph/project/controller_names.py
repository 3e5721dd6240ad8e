"""From the name of a controller to its file, without importing what simulates."""

from __future__ import annotations

import os.path
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.errors import CtrlGraphError, suggestion

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

_SHOWN = 200
"""Characters of a name that an error quotes."""


def require_controller(project: Project, name: str) -> None:
    """Check that a name is that of a node or a file; commands call this before they import what simulates.

    Raises:
        CtrlGraphError: there is neither a node nor a file of the name.
        SourceError: the graph has errors.
    """
    if name not in project.graph and name not in project.graph.drafts:
        controller_file(project, name)


def controller_file(project: Project, name: str) -> Path:
    """Return the file that a path names, from the current directory or from the project.

    Raises:
        CtrlGraphError: there is no such file.
    """
    path = next((p for p in (Path(name), project.directory / name) if os.path.isfile(p)), None)
    if path is None:  # isfile also takes a name that no file can have
        raise unknown_controller(project, name)
    return path


def unknown_controller(project: Project, name: str, what: str = "") -> CtrlGraphError:
    """Return the error for a name that is neither a node nor a file, with what may be meant.

    Args:
        project: the project.
        name: name as the user wrote it.
        what: else it could have been ("nor a logged run").
    """
    sentence = f"'{name[:_SHOWN]}' is neither a node of the graph nor a script{what}"
    scripts = {project.relative(str(path)): path.stem for path in project.library.paths()}
    found = suggestion(name, [*project.graph.nodes, *project.graph.drafts, *scripts])
    # of a path in another directory, or without one, the name of the file may be right
    same = [path for path, stem in scripts.items() if stem == Path(name).stem]
    hint = f"did you mean '{same[0]}'?" if same else found
    return CtrlGraphError(f"{sentence}; {hint}" if hint else sentence)
