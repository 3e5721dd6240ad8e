"""Learned edges of candidates: the contents of their files, and the controllers that result from them."""

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
    """Return the file of the learned edge that the graph has already for a transition.

    The result is None if there is no such edge or file, or if the edge was learned for other versions of the scripts.

    Args:
        project: Project with the graph.
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
    """Return the contents of a learned file for the simulation of a candidate.

    In contrast to the file that is written after the search, it has a target part even if no constant of the target has
    changed.

    Args:
        project: Project with the nodes.
        transition: Transition that is learned.
        values: Constants of the candidate, by part of the transition and parameter id.
        on: Scheduling variable and the value for which the constants are searched. None: they hold on any terrain.
        before: Earlier file of the edge, with constants for other values of the scheduling variable.

    Raises:
        CtrlGraphError: The earlier file depends on another scheduling variable, or it has other parts (source, bridge,
            target) or other numbers of cycles.
    """
    target = changed_part(project, transition.target, values.get("target", {}), transition.target_cycles)
    new = LearnedFile(edge=str(transition.edge), source=source_part(project, transition, values), target=target)
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
    """Return the controller of a transition with the constants of a candidate, and the number of cycles to run it.

    The controller joins the additional source cycles, the bridging script and the target, all of which run in 1 cycle.
    If the target is the only part, the result is the controller of the target and `cycles`.

    Args:
        project: Project with the nodes.
        transition: Transition that is learned.
        cycles: Number of cycles of the target.
        values: Constants of the candidate, by part of the transition and parameter id.
        preview: Terrain ahead of the character.
        file: Result of `candidate_file`, if the caller has it. None: it is created.
    """
    if file is None:
        file = candidate_file(project, transition, values)
    bridge = None
    if transition.bridge is not None:
        bridge = changed(project.compile(project.directory / transition.bridge), values.get("bridge", {}))
    return joined(transition.edge, project.resolver.parts(transition.edge, file, bridge, cycles, preview))


def edge_path(source: str, target: str) -> str:
    """Return the path of the file of a learned edge, relative to the project.

    Args:
        source: Name of the source node.
        target: Name of the target node.
    """
    return f"{LEARNED_DIRECTORY}/{source}-{target}.yaml"


def source_part(project: Project, transition: LearnedTransition, values: ByPart) -> LearnedPart | None:
    """Return the part of a learned file with the constants of the additional source cycles. None: there are none.

    Args:
        project: Project with the nodes.
        transition: Transition that is learned.
        values: Constants of the candidate, by part of the transition and parameter id.
    """
    if not transition.source_cycles:
        return None
    return changed_part(project, transition.source, values.get("source", {}), transition.source_cycles)


def target_part(project: Project, transition: LearnedTransition, values: ByPart) -> LearnedPart | None:
    """Return the section of a learned file for the target node: constants that differ from its script. None if none do.

    Args:
        project: Project with the nodes.
        transition: Transition that is learned.
        values: Constants of the candidate, by part of the transition and parameter id.
    """
    part = changed_part(project, transition.target, values.get("target", {}), transition.target_cycles)
    return part if part.constants else None


def changed_part(project: Project, node: str, values: Values, cycles: int | None) -> LearnedPart:
    """Return a part of a learned file: the constants of a candidate that differ from a node's script.

    Args:
        project: Project with the node.
        node: Name of the node.
        values: Constants of the candidate by parameter id.
        cycles: Number of cycles of the node that run with these constants. None: all.
    """
    program = project.program(node)
    different = adapted_constants(program, changed(program, values))
    return LearnedPart(program=program.digest, cycles=cycles, constants=constants_of(program, different))
