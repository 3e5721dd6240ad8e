"""Basins of attraction: the entry states from which a node succeeds, sampled and learned.

The states are those in which the node's predecessors end (gaits after different numbers of cycles), those in which its
own settled cycles begin if it is a gait, and the same states with noise. Each is tried with the node's own controller.
A random forest over `features` learns which states succeed; `calibration` measures its predictions for sources that it
was not trained on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.basins.calibration import Calibration, arrays_of, calibrate, fitted, groups_of, predicted
from ctrlgraph.experiments.basins.domain import Sample, outlierness, spread_of
from ctrlgraph.experiments.basins.features import features
from ctrlgraph.experiments.batch import Item, TrialBatch, each_item, new_batches
from ctrlgraph.experiments.evaluation_plan import (
    ARROW,
    SETTLING_CYCLES,
    EvaluationPlan,
    is_cyclic,
    split_target,
)
from ctrlgraph.experiments.noise import trial_seed
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.simulation.trial import Point
from ctrlgraph.statistics import SuccessCount

if TYPE_CHECKING:
    from ctrlgraph.experiments.evaluator import Evaluator
    from ctrlgraph.experiments.worker_pool import WorkerPool
    from ctrlgraph.graph.model import ControllerGraph, Node
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.simulation import Simulation

NOISE_LEVELS = (0.05, 0.1, 0.2, 0.3, 0.5)
"""Start-state noise of the samples, as `noise` of `perturbation.AXES`."""

_CYCLE_CHOICES = 4


@dataclass(frozen=True, slots=True)
class Predecessor:
    """A node from which another one, or the same gait, is entered."""

    source: str
    target: str
    """Target of the plan, "a->b" or the gait alone."""
    cycles: tuple[int, ...]
    """Numbers of cycles of the source to choose from."""


@dataclass(frozen=True)
class Basin:
    """Samples of a node, and a classifier of its states."""

    node: str
    samples: tuple[Sample, ...]
    accuracy: float | None
    """Accuracy on states of sources left out. None if at most one state had another outcome than the rest."""
    interval: tuple[float, float] | None
    """Wilson's interval of the accuracy."""
    majority: float
    """Accuracy of always predicting the more frequent outcome."""
    model: Any
    """Classifier with `predict_proba`. None: the base rate is predicted."""
    calibration: Calibration | None = None
    """Calibration, None with too few samples."""

    @property
    def count(self) -> SuccessCount:
        """Success count of the samples."""
        return SuccessCount(self.succeeded, len(self.samples))

    @property
    def succeeded(self) -> int:
        """Number of samples that succeeded."""
        return sum(sample.succeeded for sample in self.samples)

    def probability(self, states: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the predicted probability of success, (n,), of states, (n, features)."""
        return predicted(self.model, states, self.succeeded / len(self.samples))

    def outlierness(self, states: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the local outlier factor, (n,), of each state among the samples (see `domain`)."""
        known, _, sources = arrays_of(self.samples)
        return outlierness(states, known, spread_of(known, sources))

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON."""
        counts = {
            "node": self.node,
            "samples": len(self.samples),
            "succeeded": self.succeeded,
            "majority": self.majority,
        }
        by_source = {
            name: {"samples": len(group), "succeeded": sum(s.succeeded for s in group)}
            for name, group in _by_source(self.samples).items()
        }
        low, high = self.interval or (None, None)
        measured = {"majority": self.majority, "accuracy": self.accuracy, "low": low, "high": high}
        calibration = None if self.calibration is None else self.calibration.as_dict()
        return counts | measured | {"sources": by_source, "calibration": calibration}


def predecessors(graph: ControllerGraph, node: str) -> list[str]:
    """Return the nodes from which planned edges lead to a node.

    Args:
        graph: Graph with the node.
        node: Name of the node.

    Raises:
        CtrlGraphError: The node does not exist, or no edge leads to it.
    """
    graph.node(node)
    found = list(dict.fromkeys(edge.source for edge in graph.edges if edge.planned and edge.target == node))
    if not found:
        raise CtrlGraphError(f"no naive or learned edge leads to '{node}': it has no entry states")
    return found


def settled_predecessors(graph: ControllerGraph, node: str) -> list[Predecessor]:
    """Return the predecessors of a node and, for a gait, its own settled cycles.

    Args:
        graph: Graph with the node.
        node: Name of the node.

    Raises:
        CtrlGraphError: The node does not exist, or no edge leads to it.
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
    """Return numbers of cycles over a gait's range, or the only one of another node.

    Args:
        node: The node.
        least: Minimum number of cycles of a gait.
    """
    if not is_cyclic(node):
        return (node.cycles[0],)
    low, high = (max(cycles, least) for cycles in node.cycles)
    return tuple(np.unique(np.linspace(low, high, _CYCLE_CHOICES).round().astype(int)).tolist())


def unperturbed(graph: ControllerGraph, node: str) -> list[tuple[Predecessor, int]]:
    """Return every entry state without noise: a predecessor, and the cycles of its source.

    Args:
        graph: Graph with the node.
        node: Name of the node.
    """
    return [(predecessor, cycles) for predecessor in settled_predecessors(graph, node) for cycles in predecessor.cycles]


def sample_basin(
    project: Project, node: str, samples: int, seed: int, pool: WorkerPool, observer: Any = None
) -> list[Sample]:
    """Return samples of a node, the same for any pool: every state without noise once, the rest spread over the
    predecessors and the noise levels.

    Args:
        project: Project with the node.
        node: Name of the node.
        samples: Number of samples.
        seed: Seed of the noise.
        pool: Worker pool.
        observer: Called with the numbers of samples.

    Raises:
        CtrlGraphError: The node does not exist, or no edge leads to it.
        Interrupted: Ctrl-C was pressed.
    """
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
    """Return the samples of a batch, None for states that cannot be reached."""
    return each_item(batch, lambda evaluator, point, index: _sample(evaluator, batch, point, index))


def _sample(evaluator: Evaluator, batch: TrialBatch, point: Point, index: int) -> Sample | None:
    graph, node = evaluator.project.graph, split_target(batch.target)[-1]
    rng = np.random.default_rng(trial_seed(batch.seed, batch.target, point, index))
    share, perturbations = float(rng.random()), batch.fixed.with_values(point)
    predecessor = next(
        predecessor for predecessor in settled_predecessors(graph, node) if predecessor.target == batch.target
    )
    cycles = (
        predecessor.cycles[int(share * len(predecessor.cycles))]
        if perturbations.noise
        else unperturbed(graph, node)[index][1]
    )
    plan = with_cycles(evaluator.evaluation_plan(batch.target), cycles)
    # The node's own controller, also where a learned edge leads there: what that one takes says nothing of a
    # naive edge. And the same number of cycles is asked of a gait's own states as of its predecessors'.
    plan = replace(plan, test=(replace(plan.test[0], edge=None, cycles=graph.node(node).cycles[0]),))
    states: list[NDArray[np.float64]] = []

    def on_entry(simulation: Simulation) -> None:
        states.append(features(simulation.snapshot().kinematics, simulation.character, simulation.terrain))

    result = evaluator.run(plan, perturbations, rng, on_entry)
    return Sample(predecessor.source, perturbations.noise, states[0], result.recovered) if states else None


def with_cycles(plan: EvaluationPlan, cycles: int) -> EvaluationPlan:
    """Return a plan with another number of cycles of the last node of the setup.

    Args:
        plan: Plan to change.
        cycles: Number of cycles.
    """
    return replace(plan, setup=(*plan.setup[:-1], replace(plan.setup[-1], cycles=cycles)))


def other_cycles(graph: ControllerGraph, plan: EvaluationPlan, share: float) -> EvaluationPlan:
    """Return a plan with another number of cycles of a gait at the end of the setup.

    Args:
        graph: Graph with the nodes.
        plan: Plan to change.
        share: Position in the gait's range, 0 to 1.
    """
    choices = cycle_choices(graph.node(plan.setup[-1].node))
    return with_cycles(plan, choices[min(int(share * len(choices)), len(choices) - 1)])


def learn_basin(node: str, samples: Sequence[Sample], seed: int = 0) -> Basin:
    """Fit and calibrate the classifier, and measure its accuracy on held-out states (see `calibration`).

    Args:
        node: Name of the node.
        samples: Samples of the node.
        seed: Seed of the classifier.

    Raises:
        CtrlGraphError: scikit-learn is not installed, or there are no samples.
    """
    if not samples:
        raise CtrlGraphError(f"no entry state of '{node}' could be reached")
    states, succeeded, _ = arrays_of(samples)
    majority = float(max(succeeded.mean(), 1 - succeeded.mean()))
    found = calibrate(samples, seed)
    if found is None or min(succeeded.sum(), (~succeeded).sum()) < 2:  # at most one exception, too few to learn from
        return Basin(node, tuple(samples), None, None, majority, None, found)
    interval = SuccessCount(round(found.accuracy * len(succeeded)), len(succeeded)).interval
    model = fitted(states, succeeded, groups_of(samples)[1], seed)
    return Basin(node, tuple(samples), found.accuracy, interval, majority, model, found)


def save_samples(samples: Sequence[Sample], path: Path, names: Sequence[str]) -> None:
    """Write samples to a numpy archive: states (n, features), their names, succeeded, source, noise.

    Args:
        samples: Samples of a node.
        path: File to write.
        names: Names of the features.
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


def _by_source(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    groups: dict[str, list[Sample]] = {}
    for sample in samples:
        groups.setdefault(sample.source, []).append(sample)
    return groups
