"""Examples of a node's motion: entered from each of its usual predecessors, as the graph has it.

What goes over an obstacle has one put before it (`home_ground`): for the undisturbed example in the middle of the sizes
and distances that it is for, for the others somewhere within.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.experiments.evaluation_plan import ARROW, EvaluationPlan, evaluation_plan
from ctrlgraph.experiments.initial_state import Failed
from ctrlgraph.experiments.noise import trial_seed
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.simulation.measures import Motion
from ctrlgraph.simulation.run import run_rollout
from ctrlgraph.terrain.profile import LEVEL

if TYPE_CHECKING:
    from ctrlgraph.experiments.evaluator import Begun, Evaluator
    from ctrlgraph.graph.model import ControllerGraph, Edge
    from ctrlgraph.simulation.outcome import Outcome

NOISE = 0.02
"""Start-state noise of all examples of an entry but the first."""


def entries(graph: ControllerGraph, name: str) -> list[EvaluationPlan]:
    """Return the ways in which a node is usually begun on level ground, but for obstacles: one for each node from which
    an edge that is planned there leads to it; that from the start pose for one that no such edge leads to."""
    level = [edge for edge in graph.edges if edge.planned and edge.target == name and _is_level(edge)]
    reachable = graph.shortest_paths(graph.start, LEVEL)
    sources = dict.fromkeys(edge.source for edge in level if edge.source in reachable and edge.source != name)
    targets = [f"{source}{ARROW}{name}" for source in sources] or ([name] if name in reachable else [])
    return [evaluation_plan(graph, target, preview=LEVEL, left=False) for target in targets]


def starts(evaluator: Evaluator, way: EvaluationPlan, trials: int, seed: int) -> Iterator[tuple[Begun | Failed, int]]:
    """Return so many examples of an entry where they begin, each with the cycles that it is to do.

    The first is undisturbed and does the node's least number of cycles; the others have noise before the entry, and
    cycles drawn from the node's range. What one gives depends on its number and the seed alone.
    """
    level, node = Perturbations.of(evaluator.project), evaluator.project.graph.node(way.test[-1].node)
    for index in range(trials):
        rng = np.random.default_rng(trial_seed(seed, way.target, (), index))
        cycles = node.cycles[0] if index == 0 else int(rng.integers(node.cycles[0], node.cycles[1], endpoint=True))
        yield evaluator.begin(way, replace(level, noise=NOISE if index else 0.0), rng), cycles


def _is_level(edge: Edge) -> bool:
    return LEVEL in edge.ground.without_obstacles


def run_example(evaluator: Evaluator, begun: Begun, cycles: int) -> Outcome:
    """Run an example from where it begins, judged by its node's conditions."""
    (segment,), simulation = begun.way.test, begun.simulation
    return run_rollout(simulation, evaluator.project.rollout(segment.edge, segment.node, cycles, simulation.preview))


def motion_of(begun: Begun) -> Motion:
    """Return the motion of an example that has run."""
    simulation = begun.simulation
    trace = simulation.last_trace.without_repeats()
    return Motion(trace, simulation.character, simulation.terrain, simulation.settings.gravity)
