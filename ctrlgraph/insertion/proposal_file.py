"""What an integration would write, kept in a file, so that a dry run can be applied afterwards without trying it again.

The file may have been written by anybody: what is applied is read as a graph file's own entries are, and goes to no
other files than an integration writes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.files import read_bytes, write_text
from ctrlgraph.graph.editor import with_draft, with_new_edges
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
    """node: the new one, None where only edges join one of the graph; files: texts of learned files by path; digest: of
    the controller that was tried."""

    name: str
    node: Node | None
    edges: tuple[Edge, ...]
    files: Mapping[str, str]
    digest: str


def proposal_path(project: Project, name: str) -> Path:
    """Return where the proposal of a node is kept."""
    return contained(project.directory, f"{RUNS_DIRECTORY}/integrate/{name}.proposal.json")


def save_proposal(project: Project, found: Integration) -> Path:
    """Write what an integration would write to a file in `runs/`.

    Raises:
        CtrlGraphError: it cannot be written.
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
    """Return what a file proposes for the project as it is now.

    Raises:
        CtrlGraphError: it cannot be read, or holds no proposal.
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
        raise CtrlGraphError(f"{shown} holds characters that no file can hold (half of a surrogate pair)")
    proposal = _proposal(project, data)
    if proposal is None:
        raise CtrlGraphError(f"{shown} is no proposal of 'ctrlgraph integrate --dry-run', or damaged")
    return proposal


def _is_text(data: Any) -> bool:
    """Tell whether everything that JSON has made of a file can be written into another one."""
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
    """Write what is proposed into the graph file as it is now, so that `undo` can put it back; the files written.

    Raises:
        CtrlGraphError: the controller is another one than was tried, or a file cannot be written; nothing is written.
        SourceError: the graph file has faults, or would have.
    """
    name, node = proposal.name, proposal.node
    controller = project.program(project.graph.node(name) if node is None else node)
    if controller.digest != proposal.digest:
        shown = display_path(Path(controller.path))
        raise CtrlGraphError(f"{shown} is no longer what was tried: nothing is written; integrate it again")
    shown = display_path(project.graph_path)
    before = project.graph_path.read_text(encoding="utf-8")
    try:
        text = (
            with_draft(before, node, shown)
            if node is not None and node.draft
            else with_new_edges(before, proposal.edges, node, shown)
        )
    except SourceError as error:
        first = error.findings[0].message
        raise CtrlGraphError(f"what is proposed for {name} does not fit {shown} any more: {first}") from None
    return write_files(project, name, {**proposal.files, GRAPH_FILE: text})
