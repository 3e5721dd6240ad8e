"""The parts of the file of a learned edge that hold what a candidate changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.optimization.problem import LearnedTransition
from ctrlgraph.optimization.search_space import ByPart, Values, changed
from ctrlgraph.paths import LEARNED_DIRECTORY
from ctrlgraph.project.learned import LearnedPart, constants_of

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project


def edge_path(source: str, target: str) -> str:
    """Return where a learned edge is kept, in the project."""
    return f"{LEARNED_DIRECTORY}/{source}-{target}.yaml"


def source_part(project: Project, transition: LearnedTransition, values: ByPart) -> LearnedPart | None:
    """Return the changed constants of the source's further cycles; None without such cycles."""
    if not transition.source_cycles:
        return None
    return changed_part(project, transition.source, values.get("source", {}), transition.source_cycles)


def target_part(project: Project, transition: LearnedTransition, values: ByPart) -> LearnedPart | None:
    """Return the changed constants of the target; None where nothing has changed."""
    part = changed_part(project, transition.target, values.get("target", {}), transition.target_cycles)
    return part if part.constants else None


def changed_part(project: Project, node: str, values: Values, cycles: int | None) -> LearnedPart:
    """Return what differs from a node's script, as a part of a learned file."""
    program = project.program(node)
    new = changed(program, values).constants
    different = {int(i): float(new[i]) for i in np.flatnonzero(new != program.constants)}
    return LearnedPart(program=program.digest, cycles=cycles, constants=constants_of(program, different))
