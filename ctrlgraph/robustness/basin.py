"""Basins of attraction: from which entry states a node succeeds, sampled and learned.

The states are those that the node's predecessors really end in (after different numbers of cycles, where
they are gaits) and states around them: the same, shaken just before the entry, from not at all to hard. A
random forest over the features of `features.py` learns which of them the node takes; its accuracy is
measured on states that it was not shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.robustness.batch import Batch, Item, batches_of, each_item
from ctrlgraph.robustness.features import features
from ctrlgraph.robustness.noise import trial_seed
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.robustness.table import Point
from ctrlgraph.robustness.target import ARROW, Route, is_cyclic, route, target_hashes
from ctrlgraph.runs.statistics import wilson_interval

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.project import Project
    from ctrlgraph.robustness.crew import Crew
    from ctrlgraph.robustness.trial import Laboratory
    from ctrlgraph.simulation import Simulation

NOISE_LEVELS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)
"""The states around those of the predecessors, as the `noise` of `perturbation.AXES`."""

FOLDS = 5
TREES = 200
_CYCLE_CHOICES = 4


@dataclass(frozen=True)
class Sample:
    """An entry state and whether the node succeeded from it and was followed by a static pose."""

    source: str
    noise: float
    state: NDArray[np.float64]
    held: bool


@dataclass(frozen=True)
class Basin:
    """What was sampled of a node, and how well the classifier tells states that it was not shown.

    accuracy: held-out, with its Wilson interval; None where every state had the same outcome. majority:
    the accuracy of always saying the commoner outcome. model: has `predict_proba`; None as well.
    """

    node: str
    samples: tuple[Sample, ...]
    accuracy: float | None
    interval: tuple[float, float] | None
    majority: float
    model: Any

    @property
    def held(self) -> int:
        return sum(sample.held for sample in self.samples)

    def probability(self, states: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) predicted probability that the node holds from each of the states (n, features)."""
        if self.model is None:
            return np.full(len(states), float(self.held > 0))
        held: NDArray[np.float64] = self.model.predict_proba(states)[:, 1]
        return held

    def unlikeness(self, states: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) distance of each state to the nearest sample, in the samples' own spreads: large is a guess."""
        known = np.array([sample.state for sample in self.samples])
        spread = known.std(axis=0) + 1e-3
        apart = (states[:, None, :] - known[None, :, :]) / spread
        nearest: NDArray[np.float64] = np.sqrt((apart**2).mean(axis=2)).min(axis=1)
        return nearest

    def as_dict(self) -> dict[str, Any]:
        counts = {"node": self.node, "samples": len(self.samples), "held": self.held, "majority": self.majority}
        by_source = {
            name: {"samples": len(group), "held": sum(s.held for s in group)}
            for name, group in _by_source(self.samples).items()
        }
        low, high = self.interval or (None, None)
        return counts | {"accuracy": self.accuracy, "low": low, "high": high, "sources": by_source}


def predecessors(graph: ControllerGraph, node: str) -> list[str]:
    """The nodes from which planned edges lead to a node.

    Raises:
        CtrlGraphError: there is no such node, or no edge leads to it.
    """
    graph.node(node)
    found = list(dict.fromkeys(edge.source for edge in graph.edges if edge.planned and edge.target == node))
    if not found:
        raise CtrlGraphError(f"no naive or learned edge leads to '{node}': it has no entry states")
    return found


def sample_basin(
    project: Project, node: str, samples: int, seed: int, crew: Crew, observer: Any = None
) -> list[Sample]:
    """So many samples of a node, spread over its predecessors and the noise levels; the same for any crew.

    Raises:
        CtrlGraphError: there is no such node, or no edge leads to it.
        Interrupted: at Ctrl-C.
    """
    sources = predecessors(project.graph, node)
    items: dict[str, list[Item]] = {source: [] for source in sources}
    for k in range(samples):
        level = NOISE_LEVELS[k // len(sources) % len(NOISE_LEVELS)]
        items[sources[k % len(sources)]].append(((("noise", level),), k))
    batches = []
    for source, mine in items.items():
        target = f"{source}{ARROW}{node}"
        hashes = target_hashes(project, route(project.graph, target))
        directory = project.directory.absolute()
        batches += list(batches_of(Batch("basin", directory, target, Perturbations(), seed, (), hashes), mine))
    found: dict[int, Sample] = {}

    def done(batch: Batch, results: list[Any]) -> None:
        for (_, index), result in zip(batch.items, results, strict=False):
            if isinstance(result, Sample):
                found[index] = result
        if observer is not None:
            observer(len(found))

    crew.do(batches, done)
    return [found[index] for index in sorted(found)]


def take_samples(batch: Batch) -> list[Sample | None]:
    """The work of a crew that samples; None where the state cannot be reached."""
    return each_item(batch, lambda lab, point, index: _sample(lab, batch, point, index))


def _sample(laboratory: Laboratory, batch: Batch, point: Point, index: int) -> Sample | None:
    rng = np.random.default_rng(trial_seed(batch.seed, batch.target, point, index))
    way = other_cycles(laboratory.project.graph, laboratory.route(batch.target), float(rng.random()))
    states: list[NDArray[np.float64]] = []

    def on_entry(simulation: Simulation) -> None:
        states.append(features(simulation.snapshot().kinematics, simulation.character, simulation.terrain))

    how = batch.fixed.with_values(point)
    result = laboratory.run(way, how, rng, on_entry)
    source = way.approach[-1].node
    return Sample(source, how.noise, states[0], result.followed) if states else None


def other_cycles(graph: ControllerGraph, way: Route, share: float) -> Route:
    """The route with another number of cycles of the gait that leads into its course; `share` (0..1) says which."""
    last = way.approach[-1]
    node = graph.node(last.node)
    if not is_cyclic(node):
        return way
    choices = np.unique(np.linspace(*node.cycles, _CYCLE_CHOICES).round().astype(int))
    cycles = int(choices[min(int(share * len(choices)), len(choices) - 1)])
    return replace(way, approach=(*way.approach[:-1], replace(last, cycles=cycles)))


def learn_basin(node: str, samples: Sequence[Sample], seed: int = 0) -> Basin:
    """Fit the classifier, and measure it on held-out states by cross-validation.

    Raises:
        CtrlGraphError: scikit-learn is not installed, or there are no samples.
    """
    if not samples:
        raise CtrlGraphError(f"no entry state of '{node}' could be reached")
    held = np.array([sample.held for sample in samples])
    majority = float(max(held.mean(), 1 - held.mean()))
    folds = min(FOLDS, int(held.sum()), int((~held).sum()))
    if folds < 2:  # all the same, or one exception: nothing to learn and to test it on
        return Basin(node, tuple(samples), None, None, majority, None)
    try:
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.model_selection import StratifiedKFold, cross_val_predict
    except ImportError:
        raise CtrlGraphError("basins need scikit-learn: pip install 'ctrlgraph[basins]'") from None
    states = np.array([sample.state for sample in samples])
    model = RandomForestClassifier(TREES, min_samples_leaf=2, class_weight="balanced", random_state=seed % 2**32)
    split = StratifiedKFold(folds, shuffle=True, random_state=seed % 2**32)
    right = int((cross_val_predict(model, states, held, cv=split) == held).sum())
    model.fit(states, held)
    return Basin(node, tuple(samples), right / len(held), wilson_interval(right, len(held)), majority, model)


def save_samples(samples: Sequence[Sample], path: Path, names: Sequence[str]) -> None:
    """Keep samples as a numpy archive: states (n, features), their names, held, source, noise."""
    from ctrlgraph.view.files import replacing

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
