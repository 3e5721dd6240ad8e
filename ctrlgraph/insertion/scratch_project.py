"""Scratch projects: copies of a project in a temporary directory, in which a candidate (a node to insert) is tried.

Worker processes read a project from its directory, and in a graph file edges must lead to every node and out of it. A
candidate is therefore tried in a copy with provisional edges. Only the results are written to the project itself.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from ctrlgraph.bounds import MAX_FILE_BYTES
from ctrlgraph.character.paths import parts_of
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.files import character_path
from ctrlgraph.graph.model import ControllerGraph, Edge, Node
from ctrlgraph.paths import LEARNED_DIRECTORY, contained
from ctrlgraph.project.project import GRAPH_FILE, Project


class ScratchProject:
    """A copy of a project in a temporary directory. The graph of the copy can be replaced."""

    def __init__(self, project: Project, directory: Path) -> None:
        self._original = project
        self.directory = directory
        self._copy_files()

    def put(self, nodes: Sequence[Node], edges: Sequence[Edge], start: str | None = None) -> Project:
        """Replace the graph of the copy, and return the copy as a new project.

        Args:
            nodes: All nodes of the new graph.
            edges: All edges of the new graph.
            start: Name of the start node. None: the start node of the original project.

        Raises:
            SourceError: The new graph has errors, such as a node to which no edge leads.
        """
        for node in nodes:  # a candidate's script may be anywhere in the project
            self._copy(self._original.directory / node.file)
        text = graph_text(graph_with(self._original, nodes, edges, start))
        (self.directory / GRAPH_FILE).write_text(text, encoding="utf-8")
        project = Project(self.directory)
        assert len(project.graph) == len(nodes)
        return project

    def _copy_files(self) -> None:
        original = self._original
        graph = original.graph
        files = {*original.library.paths(), *parts_of(character_path(original.directory, graph.character))}
        files |= {original.directory / node.file for node in graph}
        files |= {original.directory / node.adapted for node in graph if node.adapted is not None}
        files |= {original.directory / edge.parameters for edge in graph.edges if edge.parameters is not None}
        bridges = [original.resolver.learned(e.parameters).file.bridge for e in graph.edges if e.parameters is not None]
        files |= {original.directory / bridge.script for bridge in bridges if bridge is not None}
        with contextlib.suppress(CtrlGraphError):  # a link that leads out of the project is not followed
            learned = contained(original.directory, LEARNED_DIRECTORY)
            files |= {path for path in learned.rglob("*") if path.is_file() and not path.is_symlink()}
        for path in files:
            self._copy(path)

    def _copy(self, path: Path) -> None:
        """Copy a file of the original project. A file outside the project, and one that is too large, is skipped."""
        relative = self._original.relative(str(path))
        try:
            contained(self._original.directory, relative)
        except CtrlGraphError:
            return
        if ".." not in Path(relative).parts and path.is_file() and path.stat().st_size <= MAX_FILE_BYTES:
            copy = self.directory / relative
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


@contextlib.contextmanager
def staged(project: Project) -> Iterator[ScratchProject]:
    """Copy a project to a temporary directory for a `with` block. The copy is removed at the end of the block.

    Args:
        project: Project to copy.

    Raises:
        SourceError: The project's graph has errors.
    """
    with tempfile.TemporaryDirectory(prefix="ctrlgraph-") as directory:
        yield ScratchProject(project, Path(directory).resolve())


def graph_with(
    project: Project, nodes: Sequence[Node], edges: Sequence[Edge], start: str | None = None
) -> ControllerGraph:
    """Return a graph with the settings of a project's graph, but with other nodes and edges.

    The settings are the character, the engine and the plausible ranges (conditions that every motion must meet).

    Args:
        project: Project with the settings. If the project was opened with another engine than that of its graph file,
            the new graph has this other engine.
        nodes: All nodes of the new graph.
        edges: All edges of the new graph.
        start: Name of the start node. None: the start node of the project.
    """
    graph = project.graph
    return ControllerGraph(
        character=graph.character,
        start=start or graph.start,
        nodes=nodes,
        edges=edges,
        engine=project.engine,
        plausible=graph.plausible,
    )


def graph_text(graph: ControllerGraph) -> str:
    """Return a graph as the text of a graph file, with each edge on one line."""
    data: dict[str, Any] = graph.to_dict()
    edges = data.pop("edges")
    lines = [yaml.safe_dump(edge, default_flow_style=True, sort_keys=False, width=10**6) for edge in edges]
    head = yaml.safe_dump(data, sort_keys=False, width=10**6, allow_unicode=True)
    return head + "edges:\n" + "".join(f"  - {line}" for line in lines)
