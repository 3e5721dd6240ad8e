"""Files of controllers by name, without the import of simulation modules."""

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
    """Check that a name is that of a node or a file, before simulation modules are imported.

    Raises:
        CtrlGraphError: There is neither a node nor a file with this name.
        SourceError: The graph has errors.
    """
    if name not in project.graph and name not in project.graph.drafts:
        controller_file(project, name)


def controller_file(project: Project, name: str) -> Path:
    """Return the file of a path that is relative to the current directory or to the project.

    Raises:
        CtrlGraphError: There is no such file.
    """
    path = next((p for p in (Path(name), project.directory / name) if os.path.isfile(p)), None)
    if path is None:
        raise unknown_controller(project, name)
    return path


def unknown_controller(project: Project, name: str) -> CtrlGraphError:
    """Return the error for a name that is neither a node nor a file, with a suggestion."""
    sentence = f"'{name[:_SHOWN]}' is neither a node of the graph nor a script"
    scripts = {project.relative(str(path)): path.stem for path in project.library.paths()}
    found = suggestion(name, [*project.graph.nodes, *project.graph.drafts, *scripts])
    # the directory can be wrong and the file name right
    same = [path for path, stem in scripts.items() if stem == Path(name).stem]
    hint = f"did you mean '{same[0]}'?" if same else found
    return CtrlGraphError(f"{sentence}; {hint}" if hint else sentence)
