"""Samples of a node's basin of attraction: initial states, and whether the node succeeds from them.

The initial states are the final states of the node's predecessors (gaits end after different numbers of cycles). If the
node is a gait, the starts of its own cycles are added. The same states are also sampled with noise. From each state,
the controller of the node itself runs, even if a learned edge leads to the node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.robustness.basins.features import features
from ctrlgraph.robustness.batch import Item, TrialBatch, each_item, new_batches
from ctrlgraph.robustness.evaluation_plan import ARROW, SETTLING_CYCLES, is_cyclic, split_target
from ctrlgraph.robustness.noise import trial_seed
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.simulation.trial import Point

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph, Node
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.evaluator import Evaluator
    from ctrlgraph.robustness.worker_pool import WorkerPool
    from ctrlgraph.simulation.simulation import Simulation

NOISE_LEVELS = (0.05, 0.1, 0.2, 0.3, 0.5)
"""Start-state noise of the samples, as `noise` of `perturbation.AXES`."""

_CYCLE_CHOICES = 4


@dataclass(frozen=True, slots=True)
class Predecessor:
    """A node whose final states are initial states of the sampled node. A sampled gait is also its own predecessor."""

    source: str
    """Name of the predecessor."""
    target: str
    """Target of a trial: "predecessor->node", or the name of the gait if it is its own predecessor."""
    cycles: tuple[int, ...]
    """Numbers of cycles after which the predecessor is left."""


@dataclass(frozen=True)
class Sample:
    """An initial state of a node, and whether the node succeeded from it."""

    source: str
    """Name of the predecessor."""
    noise: float
    """Start-state noise: standard deviation of random torques before the state, as a share of the torque limits."""
    state: NDArray[np.float64]
    """Features of the state, (features,): joint angles, velocities, contacts and more (see `features`)."""
    succeeded: bool
    """True if the node succeeded and a static pose was reached after it."""


def predecessors(graph: ControllerGraph, node: str) -> list[str]:
    """Return the names of the nodes from which planned (naive or learned) edges lead to a node.

    Args:
        graph: Graph with the node.
        node: Name of the node.

    Raises:
        CtrlGraphError: The graph has no such node, or no planned edge leads to the node.
    """
    graph.node(node)
    found = list(dict.fromkeys(edge.source for edge in graph.edges if edge.planned and edge.target == node))
    if not found:
        raise CtrlGraphError(f"no naive or learned edge leads to '{node}', so its initial states are unknown: add one")
    return found


def settled_predecessors(graph: ControllerGraph, node: str) -> list[Predecessor]:
    """Return the predecessors of a node. A gait is also its own predecessor, after its first cycles.

    Args:
        graph: Graph with the node.
        node: Name of the node.

    Raises:
        CtrlGraphError: The graph has no such node, or no planned edge leads to the node.
    """
    found = [
        Predecessor(source, f"{source}{ARROW}{node}", cycle_choices(graph.node(source)))
        for source in predecessors(graph, node)
        if source != node
    ]
    if is_cyclic(graph.node(node)):
        found.append(Predecessor(node, node, cycle_choices(graph.node(node), SETTLING_CYCLES)))
    return found


def cycle_choices(node: Node, least: int = 1) -> tuple[int, ...]:
    """Return the numbers of cycles after which a node is left: up to four, evenly spread, for a gait; otherwise one.

    Args:
        node: Node whose range of cycles is used.
        least: Minimum number of cycles for a gait.
    """
    if not is_cyclic(node):
        return (node.cycles[0],)
    low, high = (max(cycles, least) for cycles in node.cycles)
    return tuple(np.unique(np.linspace(low, high, _CYCLE_CHOICES).round().astype(int)).tolist())


def unperturbed(graph: ControllerGraph, node: str) -> list[tuple[Predecessor, int]]:
    """Return the initial states of a node without noise, each as (predecessor, number of cycles of the predecessor).

    Args:
        graph: Graph with the node.
        node: Name of the node.
    """
    return [(predecessor, cycles) for predecessor in settled_predecessors(graph, node) for cycles in predecessor.cycles]


def sample_basin(
    project: Project, node: str, samples: int, seed: int, pool: WorkerPool, observer: Any = None
) -> list[Sample]:
    """Run a node from many initial states, and return each state with its outcome.

    First, the node runs once from every initial state without noise. The remaining samples are spread evenly over the
    predecessors and `NOISE_LEVELS`. States that cannot be reached are omitted. The result does not depend on the number
    of workers.

    Args:
        project: Project with the node.
        node: Name of the node.
        samples: Number of samples to take.
        seed: Seed of the noise.
        pool: Worker pool that runs the trials.
        observer: Called with the number of samples so far after each batch.

    Raises:
        CtrlGraphError: The character moves in space, the graph has no such node, or no planned edge leads to the node.
        Interrupted: Ctrl-C was pressed.
    """
    require_planar(project.character, "sampling a basin", "measure pushes or sweep perturbations")
    ways, certain = settled_predecessors(project.graph, node), unperturbed(project.graph, node)
    items: dict[str, list[Item]] = {plan.target: [] for plan in ways}
    for k in range(samples):
        if k < len(certain):
            items[certain[k][0].target].append(((("noise", 0.0),), k))
        else:
            turn, which = divmod(k - len(certain), len(ways))
            items[ways[which].target].append(((("noise", NOISE_LEVELS[turn % len(NOISE_LEVELS)]),), k))
    fixed, batches = Perturbations.of(project), list[TrialBatch]()
    for target, mine in items.items():
        batches += new_batches(project, "basin", target, fixed, seed, mine)
    found: dict[int, Sample] = {}

    def done(batch: TrialBatch, results: list[Any]) -> None:
        for (_, index), result in zip(batch.items, results, strict=False):
            if isinstance(result, Sample):
                found[index] = result
        if observer is not None:
            observer(len(found))

    pool.do(batches, done)
    return [found[index] for index in sorted(found)]


def take_samples(batch: TrialBatch) -> list[Sample | None]:
    """Run the node of a batch from the initial state of each trial. The result is None if it cannot be reached."""
    return each_item(batch, lambda evaluator, point, index: _sample(evaluator, batch, point, index))


def _sample(evaluator: Evaluator, batch: TrialBatch, point: Point, index: int) -> Sample | None:
    graph, node = evaluator.project.graph, split_target(batch.target)[-1]
    rng = np.random.default_rng(trial_seed(batch.seed, batch.target, point, index))
    share, perturbations = float(rng.random()), batch.fixed.with_values(point)
    predecessor = next(each for each in settled_predecessors(graph, node) if each.target == batch.target)
    if perturbations.noise:
        cycles = predecessor.cycles[int(share * len(predecessor.cycles))]
    else:
        cycles = unperturbed(graph, node)[index][1]
    plan = evaluator.evaluation_plan(batch.target)
    plan = replace(plan, setup=(*plan.setup[:-1], replace(plan.setup[-1], cycles=cycles)))
    # the node's own controller, even if a learned edge leads there, and the same number of cycles from every source
    plan = replace(plan, test=(replace(plan.test[0], edge=None, cycles=graph.node(node).cycles[0]),))
    states: list[NDArray[np.float64]] = []

    def on_entry(simulation: Simulation) -> None:
        states.append(features(simulation.snapshot().kinematics, simulation.character, simulation.terrain))

    result = evaluator.run(plan, perturbations, rng, on_entry)
    return Sample(predecessor.source, perturbations.noise, states[0], result.recovered) if states else None


def save_samples(samples: Sequence[Sample], path: Path, names: Sequence[str]) -> None:
    """Write n samples to a numpy archive with the arrays states, features, succeeded, source and noise.

    Args:
        samples: Initial states of a node with their outcomes.
        path: File to write (.npz).
        names: Names of the features, which are the columns of the array `states`, (n, features).
    """
    from ctrlgraph.files import replacing

    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(
            file,
            states=np.array([sample.state for sample in samples]),
            features=np.array(names),
            succeeded=np.array([sample.succeeded for sample in samples]),
            source=np.array([sample.source for sample in samples]),
            noise=np.array([sample.noise for sample in samples]),
        )
