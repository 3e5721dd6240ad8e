"""Learned edges: the parts of their files that a candidate changes, and the resulting controllers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctrlgraph.learning.problem import LearnedTransition
from ctrlgraph.learning.scheduling import Condition, adapted_constants, bound, fits
from ctrlgraph.learning.search_space import ByPart, Values, changed
from ctrlgraph.paths import LEARNED_DIRECTORY, contained
from ctrlgraph.project.controllers import joined
from ctrlgraph.project.learned import LearnedFile, LearnedPart, constants_of
from ctrlgraph.terrain.terrain import LEVEL, TerrainPreview

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.project.project import Project


def present_file(project: Project, transition: LearnedTransition) -> LearnedFile | None:
    """Return the file of the present learned edge, or None if it was learned for other versions of the scripts.

    Args:
        project: Project with the edge.
        transition: Transition that is learned.
    """
    edge = project.graph.planned_edge(transition.source, transition.target)
    relative = edge_path(transition.source, transition.target)
    path = contained(project.directory, relative)
    if edge is None or edge.parameters is None or not path.is_file() or project.resolver.findings(edge):
        return None
    return project.resolver.read(relative)


def candidate_file(
    project: Project,
    transition: LearnedTransition,
    values: ByPart,
    on: Condition | None = None,
    before: LearnedFile | None = None,
) -> LearnedFile:
    """Return the file with which a candidate runs. In contrast to a written file, it also contains an unchanged
    target.

    Args:
        project: Project with the nodes.
        transition: Transition that is learned.
        values: Constants of the candidate.
        on: Condition of the file. None: any terrain.
        before: Earlier file, with constants for other values of the condition.

    Raises:
        CtrlGraphError: The earlier file has another condition or other parts.
    """
    target = changed_part(project, transition.target, values.get("target", {}), transition.target_cycles)
    source = source_part(project, transition, values)
    new = LearnedFile(edge=str(transition.edge), source=source, target=target)
    if on is None:
        return new
    changes = {"bridge": None if before is None else before.bridge, "target": target if target.constants else None}
    new = new.model_copy(update=changes)
    file = bound(new, on, before if before is not None and fits(before, new) else None)
    return file if file.target is not None else file.model_copy(update={"target": target})


def joined_transition(
    project: Project,
    transition: LearnedTransition,
    cycles: int,
    values: ByPart,
    preview: TerrainPreview = LEVEL,
    file: LearnedFile | None = None,
) -> tuple[Controller, int]:
    """Return the controller of a transition with a candidate's constants, and its number of cycles.

    Args:
        project: Project with the nodes.
        transition: Transition that is learned.
        cycles: Number of cycles of the target.
        values: Constants of the candidate.
        preview: Terrain ahead of the character.
        file: File of the candidate, if it is known.
    """
    if file is None:
        file = candidate_file(project, transition, values)
    bridge = None
    if transition.bridge is not None:
        bridge = changed(project.compile(project.directory / transition.bridge), values.get("bridge", {}))
    return joined(transition.edge, project.resolver.parts(transition.edge, file, bridge, cycles, preview))


def edge_path(source: str, target: str) -> str:
    """Return the path of a learned edge in the project.

    Args:
        source: Source node.
        target: Target node.
    """
    return f"{LEARNED_DIRECTORY}/{source}-{target}.yaml"


def source_part(project: Project, transition: LearnedTransition, values: ByPart) -> LearnedPart | None:
    """Return the changed constants of the source's additional cycles, or None without such cycles.

    Args:
        project: Project with the nodes.
        transition: Transition that is learned.
        values: Constants of the candidate.
    """
    if not transition.source_cycles:
        return None
    return changed_part(project, transition.source, values.get("source", {}), transition.source_cycles)


def target_part(project: Project, transition: LearnedTransition, values: ByPart) -> LearnedPart | None:
    """Return the changed constants of the target, or None if nothing has changed.

    Args:
        project: Project with the nodes.
        transition: Transition that is learned.
        values: Constants of the candidate.
    """
    part = changed_part(project, transition.target, values.get("target", {}), transition.target_cycles)
    return part if part.constants else None


def changed_part(project: Project, node: str, values: Values, cycles: int | None) -> LearnedPart:
    """Return the difference from a node's script as a part of a learned file.

    Args:
        project: Project with the node.
        node: Name of the node.
        values: Constants by parameter id.
        cycles: Number of cycles of the part.
    """
    program = project.program(node)
    different = adapted_constants(program, changed(program, values))
    return LearnedPart(program=program.digest, cycles=cycles, constants=constants_of(program, different))
