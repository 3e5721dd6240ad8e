"""A draft: a script that is not a node yet, staged so that its constants can be tuned.

It is a node of a scratch project, after the nodes from which it starts, and is evaluated by its own conditions alone.
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
"""Node of the scratch project that keeps the start pose."""

START_POSE_S = 0.25
"""Duration of the start pose, s, a little longer than start-state noise."""


@dataclass(frozen=True)
class StagedDraft:
    """A draft in a scratch project."""

    project: Project
    """Scratch project in which it is a node."""
    node: Node
    sources: tuple[str, ...]
    """Nodes before it there."""


@contextlib.contextmanager
def staged_draft(project: Project, request: CandidateRequest, sources: Sequence[str]) -> Iterator[StagedDraft]:
    """Provide a script as a node of a scratch project, which is removed afterwards.

    Args:
        project: Project with the script.
        request: The script and the fields of its node.
        sources: Nodes before it. Empty: the start pose.

    Raises:
        CtrlGraphError: It is a node of the graph, it cannot become one, it has no conditions, or a source does not
            exist.
        SourceError: The script or the graph has errors.
    """
    for name in sources:
        project.graph.node(name)
    node, known = find_candidate(project, request)
    if known:
        raise CtrlGraphError(f"'{node.file}' is the node '{node.name}' of the graph: run 'ctrlgraph tune {node.name}'")
    if not node.success:
        raise CtrlGraphError(
            f"{node.name} has no success conditions: give --success MEASURE=LOW:HIGH, or write"
            " SET SUCCESS MEASURE = LOW:HIGH before its BEGINSCRIPT"
        )
    with staged(project) as scratch:
        before = tuple(dict.fromkeys(sources)) or (_start_pose(project, scratch),)
        yield StagedDraft(_put(project, scratch, node, before), node, before)


def _start_pose(project: Project, scratch: ScratchProject) -> str:
    """Write a script that keeps the start pose, and return the name of its node."""
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
    """Add the draft after its sources to the scratch project, with a provisional edge out of it."""
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
    """Return the file of the project that a file of the scratch project is a copy of.

    Args:
        project: Project with the script.
        draft: The staged draft.
        path: File of the scratch project.
    """
    return project.directory / path.resolve().relative_to(draft.project.directory)
