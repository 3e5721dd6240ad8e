"""Staged drafts: scripts that are not in the graph yet, as nodes of a temporary copy of the project, to be tuned there.

In the copy (scratch project), edges lead to the script's node from the nodes after which the script should start. Only
the node's own success conditions decide on success. No recovery to a static pose is required.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.model import Edge, Node
from ctrlgraph.insertion.candidate_node import CandidateRequest, find_candidate
from ctrlgraph.insertion.scratch_project import ScratchProject, staged
from ctrlgraph.project.project import Project

START_POSE = "start_pose"
"""Name of a node that is added to the scratch project and holds the start pose."""

START_POSE_S = 0.25
"""Time for which the node `START_POSE` holds the start pose, s. The start-state noise acts for a shorter time."""


@dataclass(frozen=True)
class StagedDraft:
    """A script as a node of a scratch project (a temporary copy of the project)."""

    project: Project
    """The scratch project."""
    node: Node
    """The script's node in the scratch project."""
    sources: tuple[str, ...]
    """Names of the nodes of the scratch project from which edges lead to the script's node."""


@contextlib.contextmanager
def staged_draft(project: Project, request: CandidateRequest, sources: Sequence[str]) -> Iterator[StagedDraft]:
    """Provide a script as a node of a scratch project. The scratch project is removed when the context ends.

    Args:
        project: Project with the script.
        request: The script and the fields of its node.
        sources: Names of the nodes after which the script starts. Empty: it starts from the start pose.

    Raises:
        CtrlGraphError: The script is a node of the graph already or cannot become one (see `find_candidate`), it has
            no success conditions, or a source does not exist.
        SourceError: The script or the graph has errors.
    """
    for name in sources:
        project.graph.node(name)
    node, known = find_candidate(project, request)
    if known:
        fault = f"'{node.file}' is already the node '{node.name}' of the graph, not a draft"
        raise CtrlGraphError(f"{fault}: run 'ctrlgraph tune {node.name}'")
    if not node.success:
        raise CtrlGraphError(
            f"{node.name} has no success conditions: give --success MEASURE=LOW:HIGH, or write"
            " SET SUCCESS MEASURE = LOW:HIGH before its BEGINSCRIPT"
        )
    with staged(project) as scratch:
        before = tuple(dict.fromkeys(sources)) or (_start_pose(project, scratch),)
        yield StagedDraft(_put(project, scratch, node, before), node, before)


def _start_pose(project: Project, scratch: ScratchProject) -> str:
    """Write a script to the scratch project that holds the start pose, and return the name of this script."""
    name = START_POSE
    while name in project.graph or project.library.find(name) is not None:
        name += "_"
    poses = "".join(f"      POSE {joint}(0);\n" for joint in project.character.joint_names if joint.isidentifier())
    text = (
        f"BEGINSCRIPT {name}(void)\n  PHASE 0\n    ACTIONS\n{poses}    ENDACTIONS\n"
        f"    TRANSITION to(-1).after(time {START_POSE_S});\n  ENDPHASE\nENDSCRIPT\n"
    )
    path = scratch.directory / f"{name}.t"
    path.write_text(text, encoding="utf-8")
    return name


def _put(project: Project, scratch: ScratchProject, node: Node, sources: Sequence[str]) -> Project:
    """Write the graph with the draft, the edges from its sources and an edge to the start node to the scratch project.

    Args:
        project: Project with the graph.
        scratch: Scratch project to write to.
        node: The draft.
        sources: Names of the nodes before the draft. A name that is not in the graph stands for the node that holds the
            start pose, which becomes the start node.
    """
    graph = project.graph
    edges = [*graph.edges, *(Edge(name, node.name) for name in sources), Edge(node.name, graph.start)]
    nodes, start = [*graph, node], graph.start
    added = [name for name in sources if name not in graph]
    for name in added:
        nodes.append(Node(name, f"{name}.t", timeout=1.0))
        edges.append(Edge(name, graph.start))
        start = name
    return scratch.put(nodes, edges, start=start)


def original(project: Project, draft: StagedDraft, path: Path) -> Path:
    """Return the path of the original of a file in the scratch project.

    Args:
        project: Project with the original file.
        draft: The staged draft, with the scratch project.
        path: Path of the copy in the scratch project.
    """
    return project.directory / path.resolve().relative_to(draft.project.directory)
