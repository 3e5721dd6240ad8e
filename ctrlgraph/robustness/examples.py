"""Examples of a node's motion, entered from each of its usual predecessors.

Motions over an obstacle have one on the reference terrain: of medium size and distance in the undisturbed example,
random in the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.robustness.evaluation_plan import ARROW, EvaluationPlan, evaluation_plan
from ctrlgraph.robustness.initial_state import Failed
from ctrlgraph.robustness.noise import trial_seed
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.simulation.measures import Motion
from ctrlgraph.terrain.terrain import LEVEL

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph, Edge
    from ctrlgraph.robustness.evaluator import Begun, Evaluator
    from ctrlgraph.simulation.outcome import Outcome

NOISE = 0.02
"""Start-state noise of all examples of an entry but the first."""


def entries(graph: ControllerGraph, name: str) -> list[EvaluationPlan]:
    """Return the plans by which a node is usually entered on level ground or before obstacles.

    There is one for each node with a planned edge to it, or one from the start pose.

    Args:
        graph: Graph with the node.
        name: Name of the node.
    """
    level = [edge for edge in graph.edges if edge.planned and edge.target == name and _is_level(edge)]
    reachable = graph.shortest_paths(graph.start, LEVEL)
    sources = dict.fromkeys(edge.source for edge in level if edge.source in reachable and edge.source != name)
    targets = [f"{source}{ARROW}{name}" for source in sources] or ([name] if name in reachable else [])
    return [evaluation_plan(graph, target, preview=LEVEL, left=False) for target in targets]


def starts(evaluator: Evaluator, plan: EvaluationPlan, trials: int, seed: int) -> Iterator[tuple[Begun | Failed, int]]:
    """Yield the examples of an entry at their start, each with its number of cycles.

    The first is undisturbed with the least number of cycles. The others have noise before the entry and random cycles.
    An example depends on its index and the seed alone.

    Args:
        evaluator: Evaluator of the project.
        plan: Plan of the entry.
        trials: Number of examples.
        seed: Seed of the examples.
    """
    level, node = Perturbations.of(evaluator.project), evaluator.project.graph.node(plan.test[-1].node)
    for index in range(trials):
        rng = np.random.default_rng(trial_seed(seed, plan.target, (), index))
        cycles = node.cycles[0] if index == 0 else int(rng.integers(node.cycles[0], node.cycles[1], endpoint=True))
        yield evaluator.begin(plan, replace(level, noise=NOISE if index else 0.0), rng), cycles


def _is_level(edge: Edge) -> bool:
    return LEVEL in edge.ground.without_obstacles


def run_example(evaluator: Evaluator, begun: Begun, cycles: int) -> Outcome:
    """Run an example and return its outcome.

    Args:
        evaluator: Evaluator of the project.
        begun: Example at its start.
        cycles: Number of cycles.
    """
    (segment,), simulation = begun.plan.test, begun.simulation
    return simulation.run_rollout(evaluator.project.rollout(segment.edge, segment.node, cycles, simulation.preview))


def motion_of(begun: Begun) -> Motion:
    """Return the motion of an example after its run."""
    simulation = begun.simulation
    trace = simulation.last_trace.without_repeats()
    return Motion(trace, simulation.character, simulation.terrain, simulation.settings.gravity)
