"""Basins of attraction: from which entry states a node succeeds, sampled and learned.

The states are those that the node's predecessors really end in (after different numbers of cycles, where
they are gaits), those in which its own settled cycles begin, where it is a gait itself, and states around
them: the same, perturbed just before the entry more and more. A state that is not perturbed is always the same and
taken once. Each is tried with the node's own controller. A random forest over the features of `features.py` learns
which of them the node takes; `calibration.py` measures how well it tells states of sources that it was not shown.
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
from ctrlgraph.experiments.basins.domain import distance_to_samples, outlierness, spread_of
from ctrlgraph.experiments.basins.features import features
from ctrlgraph.experiments.basins.sample import Sample
from ctrlgraph.experiments.batch import Item, TrialBatch, batches_of, each_item
from ctrlgraph.experiments.evaluation_plan import (
    ARROW,
    SETTLING_CYCLES,
    EvaluationPlan,
    evaluation_plans,
    is_cyclic,
    split_target,
    target_hashes,
)
from ctrlgraph.experiments.noise import trial_seed
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.experiments.sweeps.sweep_log import Point
from ctrlgraph.statistics import SuccessCount

if TYPE_CHECKING:
    from ctrlgraph.experiments.evaluator import Evaluator
    from ctrlgraph.experiments.worker_pool import WorkerPool
    from ctrlgraph.graph.model import ControllerGraph, Node
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.simulation import Simulation

NOISE_LEVELS = (0.05, 0.1, 0.2, 0.3, 0.5)
"""The states around those that are not perturbed, as the `noise` of `perturbation.AXES`."""

_CYCLE_CHOICES = 4


@dataclass(frozen=True, slots=True)
class Predecessor:
    """A node from which another one, or the same gait once more, is entered.

    target: as plans spell it, "a->b" or the gait alone; cycles: of the source, from which to choose.
    """

    source: str
    target: str
    cycles: tuple[int, ...]


@dataclass(frozen=True)
class Basin:
    """What was sampled of a node, and how well the classifier tells states that it was not shown.

    accuracy: on states of sources left out, with its Wilson interval; None where every state had the same outcome,
    or all but one. majority: the accuracy of always saying the commoner outcome. model: has `predict_proba`; None as
    well, and then the base rate is predicted. calibration: None where there were too few samples for one.
    """

    node: str
    samples: tuple[Sample, ...]
    accuracy: float | None
    interval: tuple[float, float] | None
    majority: float
    model: Any
    calibration: Calibration | None = None

    @property
    def count(self) -> SuccessCount:
        """Return how many of the sampled states the node held from."""
        return SuccessCount(self.held, len(self.samples))

    @property
    def held(self) -> int:
        return sum(sample.held for sample in self.samples)

    def probability(self, states: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) predicted probability that the node holds from each of the states (n, features)."""
        return predicted(self.model, states, self.held / len(self.samples))

    def distance_to_samples(self, states: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) distance of each state to the nearest sample, in the samples' own spreads (see `domain`)."""
        known, _, sources = arrays_of(self.samples)
        return distance_to_samples(states, known, spread_of(known, sources))

    def outlierness(self, states: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) local outlier factor of each state among the samples (see `domain`)."""
        known, _, sources = arrays_of(self.samples)
        return outlierness(states, known, spread_of(known, sources))

    def as_dict(self) -> dict[str, Any]:
        counts = {"node": self.node, "samples": len(self.samples), "held": self.held, "majority": self.majority}
        by_source = {
            name: {"samples": len(group), "held": sum(s.held for s in group)}
            for name, group in _by_source(self.samples).items()
        }
        low, high = self.interval or (None, None)
        measured = {"accuracy": self.accuracy, "low": low, "high": high}
        calibration = None if self.calibration is None else self.calibration.as_dict()
        return counts | measured | {"sources": by_source, "calibration": calibration}


def predecessors(graph: ControllerGraph, node: str) -> list[str]:
    """Return the nodes from which planned edges lead to a node.

    Raises:
        CtrlGraphError: there is no such node, or no edge leads to it.
    """
    graph.node(node)
    found = list(dict.fromkeys(edge.source for edge in graph.edges if edge.planned and edge.target == node))
    if not found:
        raise CtrlGraphError(f"no naive or learned edge leads to '{node}': it has no entry states")
    return found


def settled_predecessors(graph: ControllerGraph, node: str) -> list[Predecessor]:
    """Return where a node is entered from: its predecessors and, of a gait, its own settled cycles.

    Raises:
        CtrlGraphError: there is no such node, or no edge leads to it.
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
    """Numbers of cycles over a gait's range, but not below `least`; of another node, the one that it has."""
    if not is_cyclic(node):
        return (node.cycles[0],)
    low, high = (max(cycles, least) for cycles in node.cycles)
    return tuple(np.unique(np.linspace(low, high, _CYCLE_CHOICES).round().astype(int)).tolist())


def unperturbed(graph: ControllerGraph, node: str) -> list[tuple[Predecessor, int]]:
    """Return every entry state without noise: a predecessor, and the cycles of its source."""
    return [(predecessor, cycles) for predecessor in settled_predecessors(graph, node) for cycles in predecessor.cycles]


def sample_basin(
    project: Project, node: str, samples: int, seed: int, pool: WorkerPool, observer: Any = None
) -> list[Sample]:
    """Return so many samples of a node: every state without noise once, the rest spread over the predecessors and the
    noise levels; the same for any pool.

    Raises:
        CtrlGraphError: there is no such node, or no edge leads to it.
        Interrupted: at Ctrl-C.
    """
    ways, certain = settled_predecessors(project.graph, node), unperturbed(project.graph, node)
    items: dict[str, list[Item]] = {way.target: [] for way in ways}
    for k in range(samples):
        if k < len(certain):
            items[certain[k][0].target].append(((("noise", 0.0),), k))
        else:
            turn, which = divmod(k - len(certain), len(ways))
            items[ways[which].target].append(((("noise", NOISE_LEVELS[turn % len(NOISE_LEVELS)]),), k))
    batches = []
    for target, mine in items.items():
        hashes = target_hashes(project, evaluation_plans(project.graph, target))
        directory = project.directory.absolute()
        template = TrialBatch("basin", directory, target, Perturbations.of(project), seed, (), hashes)
        batches += list(batches_of(template, mine))
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
    """Return the work of a pool that samples; None where the state cannot be reached."""
    return each_item(batch, lambda evaluator, point, index: _sample(evaluator, batch, point, index))


def _sample(evaluator: Evaluator, batch: TrialBatch, point: Point, index: int) -> Sample | None:
    graph, node = evaluator.project.graph, split_target(batch.target)[-1]
    rng = np.random.default_rng(trial_seed(batch.seed, batch.target, point, index))
    share, how = float(rng.random()), batch.fixed.with_values(point)
    predecessor = next(
        predecessor for predecessor in settled_predecessors(graph, node) if predecessor.target == batch.target
    )
    cycles = (
        predecessor.cycles[int(share * len(predecessor.cycles))] if how.noise else unperturbed(graph, node)[index][1]
    )
    way = with_cycles(evaluator.evaluation_plan(batch.target), cycles)
    # The node's own controller, also where a learned edge leads there: what that one takes says nothing of a
    # naive edge. And the same number of cycles is asked of a gait's own states as of its predecessors'.
    way = replace(way, test=(replace(way.test[0], edge=None, cycles=graph.node(node).cycles[0]),))
    states: list[NDArray[np.float64]] = []

    def on_entry(simulation: Simulation) -> None:
        states.append(features(simulation.snapshot().kinematics, simulation.character, simulation.terrain))

    result = evaluator.run(way, how, rng, on_entry)
    return Sample(predecessor.source, how.noise, states[0], result.recovered) if states else None


def with_cycles(way: EvaluationPlan, cycles: int) -> EvaluationPlan:
    """Return the plan with another number of cycles of the node that leads into its test."""
    return replace(way, setup=(*way.setup[:-1], replace(way.setup[-1], cycles=cycles)))


def other_cycles(graph: ControllerGraph, way: EvaluationPlan, share: float) -> EvaluationPlan:
    """Return the plan with another number of cycles of the gait that leads into its test; `share` (0..1) says which."""
    choices = cycle_choices(graph.node(way.setup[-1].node))
    return with_cycles(way, choices[min(int(share * len(choices)), len(choices) - 1)])


def learn_basin(node: str, samples: Sequence[Sample], seed: int = 0) -> Basin:
    """Fit and calibrate the classifier, and measure it on held-out states (see `calibration`).

    Raises:
        CtrlGraphError: scikit-learn is not installed, or there are no samples.
    """
    if not samples:
        raise CtrlGraphError(f"no entry state of '{node}' could be reached")
    states, held, _ = arrays_of(samples)
    majority = float(max(held.mean(), 1 - held.mean()))
    found = calibrate(samples, seed)
    if found is None or min(held.sum(), (~held).sum()) < 2:  # one exception at most: nothing to learn and to test
        return Basin(node, tuple(samples), None, None, majority, None, found)
    interval = SuccessCount(round(found.accuracy * len(held)), len(held)).interval
    model = fitted(states, held, groups_of(samples)[1], seed)
    return Basin(node, tuple(samples), found.accuracy, interval, majority, model, found)


def save_samples(samples: Sequence[Sample], path: Path, names: Sequence[str]) -> None:
    """Keep samples as a numpy archive: states (n, features), their names, held, source, noise."""
    from ctrlgraph.files import replacing

    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(
            file,
            states=np.array([sample.state for sample in samples]),
            features=np.array(names),
            held=np.array([sample.held for sample in samples]),
            source=np.array([sample.source for sample in samples]),
            noise=np.array([sample.noise for sample in samples]),
        )


def _by_source(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    groups: dict[str, list[Sample]] = {}
    for sample in samples:
        groups.setdefault(sample.source, []).append(sample)
    return groups
