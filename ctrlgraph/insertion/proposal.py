"""Proposals: a new node and new edges that an insertion has found, to be added to the project at once or from a file.

A proposal file is untrusted. The nodes and edges in it are checked like those of a graph file. A proposal can change
only the graph file and files in `learned/`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.files import read_bytes, write_text, write_texts
from ctrlgraph.graph.editor import with_new_edges
from ctrlgraph.graph.model import Edge, Node
from ctrlgraph.graph.reader import edge_of, node_of
from ctrlgraph.paths import contained, display_path
from ctrlgraph.project.project import RUNS_DIRECTORY

if TYPE_CHECKING:
    from ctrlgraph.insertion.insertion import Integration
    from ctrlgraph.project.project import Project

FORM = "ctrlgraph integration 1"

MAX_BYTES = 64 * 2**20
"""Maximum size of a proposal file, bytes."""

_LEARNED = re.compile(r"learned/[^/\\]+\.(yaml|t|s)")


@dataclass(frozen=True)
class Proposal:
    """A node and edges to add to the graph file, with the learned files of the edges."""

    name: str
    """Name of the node."""
    node: Node | None
    """The new node. None: the node is in the graph already, and only edges are added."""
    edges: tuple[Edge, ...]
    """The new edges."""
    files: Mapping[str, str]
    """Texts of learned files and of bridging scripts (scripts between source and target) to write, by path in the
    project."""
    digest: str
    """Digest that the controller of the node had during the trials."""


def proposal_of(project: Project, found: Integration) -> Proposal:
    """Make a proposal from the result of an insertion.

    Args:
        project: Project with the controller of the node.
        found: Result of the insertion.
    """
    node = None if found.known else found.node
    return Proposal(found.node.name, node, found.edges, found.files, project.program(found.node).digest)


def proposal_path(project: Project, name: str) -> Path:
    """Return the path of the proposal file of a node.

    Args:
        project: Project with the file.
        name: Name of the node.
    """
    return contained(project.directory, f"{RUNS_DIRECTORY}/integrate/{name}.proposal.json")


def save_proposal(project: Project, proposal: Proposal) -> Path:
    """Write a proposal to its file in `runs/`, and return the path of the file.

    Args:
        project: Project of the proposal.
        proposal: Proposal to write.

    Raises:
        CtrlGraphError: The file cannot be written.
    """
    data = {
        "form": FORM,
        "name": proposal.name,
        "node": None if proposal.node is None else proposal.node.as_dict(),
        "edges": [edge.as_dict() for edge in proposal.edges],
        "files": dict(proposal.files),
        "controller": proposal.digest,
    }
    path = proposal_path(project, proposal.name)
    write_text(path, json.dumps(data, indent=1) + "\n")
    return path


def read_proposal(project: Project, path: Path) -> Proposal:
    """Read a proposal file, and check the node and the edges in it.

    Args:
        project: Project to which the proposal will be added.
        path: Path of the proposal file.

    Raises:
        CtrlGraphError: The file cannot be read, or its content is not a proposal.
    """
    shown = display_path(path)
    try:
        data = json.loads(read_bytes(path, MAX_BYTES))
    except OSError as error:
        reason = error.strerror or str(error)
        raise CtrlGraphError(f"cannot read {shown}: {reason[:1].lower()}{reason[1:]}") from None
    except (ValueError, RecursionError):
        data = None
    proposal = _proposal(project, data)
    if proposal is None:
        raise CtrlGraphError(f"{shown} is not a valid proposal file: run 'ctrlgraph integrate --dry-run' again")
    return proposal


def _proposal(project: Project, data: Any) -> Proposal | None:
    try:
        json.dumps(data, ensure_ascii=False).encode("utf-8")  # raises an error for half of a surrogate pair
        if data["form"] != FORM:
            return None
        name, files, digest = data["name"], data["files"], data["controller"]
        node = None if data["node"] is None else node_of(name, data["node"], project.graph)
        edges = tuple(edge_of(entry) for entry in data["edges"])
        texts = all(_LEARNED.fullmatch(path) and isinstance(text, str) for path, text in files.items())
    except (ValueError, OverflowError, RecursionError, KeyError, TypeError, AttributeError, IndexError, StopIteration):
        return None
    if not texts or not isinstance(digest, str) or not isinstance(name, str):
        return None
    if any(edge.parameters is not None and edge.parameters not in files for edge in edges):
        return None
    return Proposal(name, node, edges, files, digest)


def apply_proposal(project: Project, proposal: Proposal) -> list[Path]:
    """Add a proposal to the graph file, write the proposal's learned files, and return the paths of all written files.

    If an error is raised, nothing is written.

    Args:
        project: Project to change.
        proposal: Proposal to add.

    Raises:
        CtrlGraphError: The node's controller has changed since the trials, the graph file with the proposal would have
            errors, or a file cannot be written.
        SourceError: The graph file or the script of the node has errors.
    """
    name, node = proposal.name, proposal.node
    controller = project.program(project.graph.node(name) if node is None else node)
    if controller.digest != proposal.digest:
        shown = display_path(Path(controller.path))
        raise CtrlGraphError(
            f"{shown} has changed since the dry run, so nothing is written: run 'ctrlgraph integrate' again"
        )
    shown = display_path(project.graph_path)
    before = project.graph_path.read_text(encoding="utf-8")
    try:
        text = with_new_edges(before, proposal.edges, node, shown)
    except SourceError as error:
        first = error.findings[0].message
        raise CtrlGraphError(
            f"the proposal for {name} cannot be added to {shown}, so run 'ctrlgraph integrate' again: {first}"
        ) from None
    texts = {contained(project.directory, path): learned for path, learned in proposal.files.items()}
    for path in texts:
        path.parent.mkdir(exist_ok=True)
    write_texts(texts | {project.graph_path: text})
    return [*texts, project.graph_path]
