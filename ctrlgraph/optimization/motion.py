"""The motion of a candidate in a case, to be looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.experiments.evaluator import Evaluator
from ctrlgraph.experiments.initial_state import Failed
from ctrlgraph.optimization.candidate import CandidateEvaluator
from ctrlgraph.optimization.problem import Problem

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.trace import Trace
    from ctrlgraph.terrain.profile import Terrain


@dataclass(frozen=True)
class CandidateMotion:
    """From the entry on; `title` says what it is and how it ended."""

    trace: Trace
    character: Character
    terrain: Terrain
    title: str


def motion(
    project: Project, problem: Problem, x: Sequence[float] | NDArray[np.float64], number: int = 0
) -> CandidateMotion:
    """Simulate case `number` of a problem with the constants at x."""
    case = problem.cases[number]
    with Evaluator(project, untried=True) as evaluator:
        result = CandidateEvaluator(evaluator, problem).run(case, problem.search_space.values(x))
        world = evaluator.world(case.evaluation_plan, case.how, np.random.default_rng(case.seed))
        simulation, entry = evaluator.simulation(world), evaluator.entry(case.evaluation_plan, world)
        began = 0.0 if isinstance(entry, Failed) else entry.time
        verdict = "holds" if result.held else f"{result.failed} {result.status}: {result.reason}"
        trace = simulation.trace.between(began, math.inf)
        return CandidateMotion(
            trace, simulation.character, simulation.terrain, f"{case.evaluation_plan.target}: {verdict}"
        )
