"""Proposals: the result of a dry run of an insertion in a file, which can be applied later.

The file is untrusted. It is read like entries of a graph file, and applied only to files that an insertion writes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.files import read_bytes, write_text
from ctrlgraph.graph.editor import with_new_edges
from ctrlgraph.graph.model import Edge, Node
from ctrlgraph.graph.reader import edge_of, node_of
from ctrlgraph.insertion.undo import MOST_BYTES, is_learned_path, write_files
from ctrlgraph.paths import contained, display_path
from ctrlgraph.project.project import GRAPH_FILE, RUNS_DIRECTORY

if TYPE_CHECKING:
    from ctrlgraph.insertion.insertion import Integration
    from ctrlgraph.project.project import Project

FORM = "ctrlgraph integration 1"


@dataclass(frozen=True)
class Proposal:
    """A proposed insertion."""

    name: str
    node: Node | None
    """New node, None if only edges are added."""
    edges: tuple[Edge, ...]
    files: Mapping[str, str]
    """Texts of learned files by path."""
    digest: str
    """Digest of the controller that was tried."""


def proposal_path(project: Project, name: str) -> Path:
    """Return the path of the proposal of a node.

    Args:
        project: Project of the proposal.
        name: Name of the node.
    """
    return contained(project.directory, f"{RUNS_DIRECTORY}/integrate/{name}.proposal.json")


def save_proposal(project: Project, found: Integration) -> Path:
    """Write a proposal to a file in `runs/`.

    Args:
        project: Project of the proposal.
        found: Result of the insertion.

    Raises:
        CtrlGraphError: The file cannot be written.
    """
    data = {
        "form": FORM,
        "name": found.node.name,
        "node": None if found.known else found.node.as_dict(),
        "edges": [edge.as_dict() for edge in found.edges],
        "files": dict(found.files),
        "controller": project.program(found.node).digest,
    }
    path = proposal_path(project, found.node.name)
    write_text(path, json.dumps(data, indent=1) + "\n")
    return path


def read_proposal(project: Project, path: Path) -> Proposal:
    """Return a proposal for the present project.

    Args:
        project: Project of the proposal.
        path: File to read.

    Raises:
        CtrlGraphError: The file cannot be read, or is not a proposal.
    """
    shown = display_path(path)
    try:
        data = json.loads(read_bytes(path, MOST_BYTES))
    except OSError as error:
        reason = error.strerror or str(error)
        raise CtrlGraphError(f"cannot read {shown}: {reason[:1].lower()}{reason[1:]}") from None
    except (ValueError, RecursionError):
        data = None
    if not _is_text(data):
        raise CtrlGraphError(f"{shown} contains characters that no file can contain (half of a surrogate pair)")
    proposal = _proposal(project, data)
    if proposal is None:
        raise CtrlGraphError(f"{shown} is no proposal of 'ctrlgraph integrate --dry-run', or damaged")
    return proposal


def _is_text(data: Any) -> bool:
    """Return True if all texts of parsed JSON can be written to a file."""
    try:
        json.dumps(data, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _proposal(project: Project, data: Any) -> Proposal | None:
    try:
        if data["form"] != FORM:
            return None
        name, files, digest = data["name"], data["files"], data["controller"]
        node = None if data["node"] is None else node_of(name, data["node"], project.graph)
        edges = tuple(edge_of(entry) for entry in data["edges"])
        texts = all(is_learned_path(path) and isinstance(text, str) for path, text in files.items())
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, StopIteration):
        return None
    if not texts or not isinstance(digest, str) or not isinstance(name, str):
        return None
    return Proposal(name, node, edges, files, digest)


def apply_proposal(project: Project, proposal: Proposal) -> list[Path]:
    """Write a proposal to the present graph file, and return the files written. `undo` can restore them.

    Args:
        project: Project of the proposal.
        proposal: What to write.

    Raises:
        CtrlGraphError: The controller has changed, or a file cannot be written. Then nothing is written.
        SourceError: The graph file has errors, or would have.
    """
    name, node = proposal.name, proposal.node
    controller = project.program(project.graph.node(name) if node is None else node)
    if controller.digest != proposal.digest:
        shown = display_path(Path(controller.path))
        raise CtrlGraphError(f"{shown} is no longer what was tried: nothing is written; integrate it again")
    shown = display_path(project.graph_path)
    before = project.graph_path.read_text(encoding="utf-8")
    try:
        edges = () if node is not None and node.draft else proposal.edges
        text = with_new_edges(before, edges, node, shown)
    except SourceError as error:
        first = error.findings[0].message
        raise CtrlGraphError(f"what is proposed for {name} does not fit {shown} any more: {first}") from None
    return write_files(project, name, {**proposal.files, GRAPH_FILE: text})
