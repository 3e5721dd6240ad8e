"""The learned file of an edge as a candidate would leave it: what a search tries is what will be written. Bound to a
condition, its constants are interpolated on other ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctrlgraph.optimization.learned_parts import changed_part, edge_path, source_part, target_part
from ctrlgraph.optimization.scheduling import Condition, bound, fits
from ctrlgraph.paths import contained
from ctrlgraph.project.learned import LearnedFile

if TYPE_CHECKING:
    from ctrlgraph.optimization.problem import LearnedTransition
    from ctrlgraph.optimization.search_space import ByPart
    from ctrlgraph.project.project import Project


def present_file(project: Project, transition: LearnedTransition) -> LearnedFile | None:
    """Return the file of the present learned edge where it goes on being right: learned for these versions of the
    scripts."""
    edge = project.graph.planned_edge(transition.source, transition.target)
    relative = edge_path(transition.source, transition.target)
    path = contained(project.directory, relative)
    if edge is None or edge.parameters is None or not path.is_file() or project.resolver.findings(edge):
        return None
    return project.resolver.read(relative)


def bound_file(
    project: Project, transition: LearnedTransition, values: ByPart, on: Condition, before: LearnedFile | None
) -> LearnedFile:
    """Return the file that a candidate would be written to, with what the earlier one knows of other values.

    Raises:
        CtrlGraphError: the earlier file is bound to another condition, or made of other parts.
    """
    new = LearnedFile(
        edge=str(transition.edge),
        source=source_part(project, transition, values),
        bridge=None if before is None else before.bridge,
        target=target_part(project, transition, values),
    )
    return bound(new, on, before if before is not None and fits(before, new) else None)


def candidate_file(
    project: Project,
    transition: LearnedTransition,
    values: ByPart,
    on: Condition | None = None,
    before: LearnedFile | None = None,
) -> LearnedFile:
    """Return the file that a candidate runs with: for any ground, or bound to the ground `on` with what the file
    `before` knows of others. Unlike a written one it keeps the target's cycles where nothing has changed.

    Raises:
        CtrlGraphError: the earlier file is bound to another condition, or made of other parts.
    """
    target = changed_part(project, transition.target, values.get("target", {}), transition.target_cycles)
    if on is not None:
        file = bound_file(project, transition, values, on, before)
        return file if file.target is not None else file.model_copy(update={"target": target})
    source = source_part(project, transition, values)
    return LearnedFile(edge=str(transition.edge), source=source, target=target)
