"""A learned edge that is bound to a condition, as a candidate for one value of it would leave it: on other ground its
constants are interpolated, as they will be once they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctrlgraph.optimization.edge_file import edge_path, source_part, target_part
from ctrlgraph.optimization.scheduling import Condition, bound, fits
from ctrlgraph.paths import contained
from ctrlgraph.project.learned import LearnedFile, apply_constants, read_learned

if TYPE_CHECKING:
    from ctrlgraph.control.script.program import Program
    from ctrlgraph.optimization.problem import Transition
    from ctrlgraph.optimization.search_space import ByPart
    from ctrlgraph.project.project import Project
    from ctrlgraph.terrain.profile import Ahead


def present_file(project: Project, transition: Transition) -> LearnedFile | None:
    """The file of the present learned edge where it goes on being right: learned for these versions of the scripts."""
    edge = project.graph.planned_edge(transition.source, transition.target)
    path = contained(project.directory, edge_path(transition.source, transition.target))
    if edge is None or edge.parameters is None or not path.is_file() or project.courses.findings(edge):
        return None
    return read_learned(path)


def bound_file(
    project: Project, transition: Transition, values: ByPart, on: Condition, before: LearnedFile | None
) -> LearnedFile:
    """The file that a candidate would be written to, with what the earlier one knows of other values.

    Raises:
        CtrlGraphError: the earlier file is bound to another condition, or made of other parts.
    """
    new = LearnedFile(
        edge=f"{transition.source} -> {transition.target}",
        source=source_part(project, transition, values),
        bridge=None if before is None else before.bridge,
        target=target_part(project, transition, values),
    )
    return bound(new, on, before if before is not None and fits(before, new) else None)


def bound_program(project: Project, file: LearnedFile, node: str, part: str, ahead: Ahead) -> Program:
    """A node's controller with the constants that a part of the file has for this ground."""
    base, known = project.controller(node, ahead), file.parts.get(part)
    if known is None:
        return base
    return apply_constants(base, known.constants, file.condition, ahead, project.directory)
