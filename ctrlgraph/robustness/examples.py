"""Examples of a node's motion, with each of the node's predecessors before it.

A predecessor is a node with a planned (naive or learned) edge to the node. The terrain of motions that cross an
obstacle has one. Its size and distance are in the middle of their ranges in the undisturbed example, and random in the
others.
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
from ctrlgraph.simulation.measures import Motion, SpatialMotion
from ctrlgraph.terrain.terrain import LEVEL

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph, Edge
    from ctrlgraph.robustness.evaluator import Begun, Evaluator
    from ctrlgraph.simulation.outcome import Outcome

NOISE = 0.02
"""Start-state noise (`noise` in `perturbation.AXES`) of all examples of a plan except the first."""


def entries(graph: ControllerGraph, name: str) -> list[EvaluationPlan]:
    """Return evaluation plans that test a node after each predecessor, on level ground or before an obstacle.

    A predecessor is another node that has a planned edge to the node and that can be reached from the start node.
    Without predecessors, there is one plan of the node alone, or none if the node cannot be reached.

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
    """Simulate examples of a node's motion up to the state in which the node begins, and yield them one by one.

    The first example is undisturbed and has the minimum number of cycles. The others have random torques before the
    node begins and a random number of cycles. An example depends only on its index and the seed.

    Args:
        evaluator: Evaluator of the project.
        plan: Evaluation plan whose test is the node.
        trials: Number of examples.
        seed: Seed of the examples.

    Yields:
        The example (or the failure of a node before it), and the number of cycles for which the node is to run.
    """
    level, node = Perturbations.of(evaluator.project), evaluator.project.graph.node(plan.test[-1].node)
    for index in range(trials):
        rng = np.random.default_rng(trial_seed(seed, plan.target, (), index))
        cycles = node.cycles[0] if index == 0 else int(rng.integers(node.cycles[0], node.cycles[1], endpoint=True))
        yield evaluator.begin(plan, replace(level, noise=NOISE if index else 0.0), rng), cycles


def _is_level(edge: Edge) -> bool:
    return LEVEL in edge.ground.without_obstacles


def run_example(evaluator: Evaluator, begun: Begun, cycles: int) -> Outcome:
    """Run the node of an example and return the node's outcome.

    Args:
        evaluator: Evaluator of the project.
        begun: Example in the state in which the node begins.
        cycles: Number of cycles to run.
    """
    (segment,), simulation = begun.plan.test, begun.simulation
    return simulation.run_rollout(evaluator.project.rollout(segment.edge, segment.node, cycles, simulation.preview))


def motion_of(begun: Begun) -> Motion | SpatialMotion:
    """Return the recorded motion of the node that ran last in an example."""
    return begun.simulation.motion(begun.simulation.last_trace)
