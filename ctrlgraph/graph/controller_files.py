"""Files of controllers that are no scripts: those that a graph file names, and whether their kinds can read them."""

from __future__ import annotations

import os.path
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.control.kinds import SCRIPT, read_controller
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError
from ctrlgraph.graph.schema import node_kinds
from ctrlgraph.paths import contained

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.script.library import ScriptLibrary
    from ctrlgraph.yaml_source import YamlSource


@dataclass(frozen=True)
class ControllerFile:
    """A file and its kind; project: its directory, None where that is not known; graph and node: where it is named, and
    args: with which arguments, if a graph names it.
    """

    path: Path
    kind: str
    project: Path | None = None
    args: tuple[float, ...] = ()
    graph: YamlSource | None = None
    node: str = ""


def named_controllers(source: YamlSource, directory: Path) -> Iterator[ControllerFile]:
    """Yield what the nodes of a graph file run besides scripts, so far as it exists in the project: whatever else may
    be wrong with the graph, these are looked at.
    """
    nodes = source.data.get("nodes")
    kinds = [kind for kind in node_kinds() if kind != SCRIPT]
    for name, entry in nodes.items() if isinstance(nodes, dict) else ():
        if not isinstance(entry, dict):
            continue
        args = entry.get("args", [])
        given = tuple(args) if isinstance(args, list) else ()
        for kind in kinds:
            path = _existing(directory, entry.get(kind))
            if path is not None:
                yield ControllerFile(path, kind, directory, given, source, str(name))


def check_controller_file(file: ControllerFile, character: Character, library: ScriptLibrary) -> list[Finding]:
    """Return everything that is wrong with a file; what is not the file's own fault is shown at its node."""
    try:
        read_controller(file.kind, file.path, file.args, character, library)
    except SourceError as error:
        return list(error.findings)
    except CtrlGraphError as error:
        if file.graph is None:
            return [Finding("error", "controller", str(error), str(file.path))]
        place = ["nodes", file.node, "args" if file.args else file.kind]
        return [file.graph.finding("controller", str(error), place)]
    return []


def _existing(directory: Path, name: object) -> Path | None:
    try:
        path = contained(directory, name) if isinstance(name, str) else None
    except CtrlGraphError:
        return None  # said where the graph itself is checked
    return path if path is not None and os.path.isfile(path) else None
