"""Edges that are not in the graph and would hold: predicted from basins, verified by simulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.robustness.basin import Basin, other_cycles
from ctrlgraph.robustness.batch import Batch, batches_of
from ctrlgraph.robustness.entry import Failed, enter
from ctrlgraph.robustness.features import features
from ctrlgraph.robustness.limit import REQUIRED
from ctrlgraph.robustness.perturbation import Perturbations, Variant
from ctrlgraph.robustness.target import ARROW, all_targets, route, routes, target_hashes
from ctrlgraph.robustness.trial import Laboratory
from ctrlgraph.runs.statistics import wilson_interval

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.project import Project
    from ctrlgraph.robustness.crew import Crew

LEAST_PROBABILITY = 0.5
MAX_UNLIKENESS = 20.0
"""Of states further than this from any that the basin was learned from, a prediction is only a guess."""

VERIFYING_NOISE = 0.05
"""Suggestions are verified from entries that are shaken a little: an edge that only just holds is none."""

_STATES = 6
_STATE_NOISE = 0.02


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A pair of nodes without an edge.

    probability: mean prediction of the target's basin over end states of the source; unlikeness: of these
    states to those that the basin was learned from (see Basin.unlikeness); trials and followed: of the
    verification, 0 before it.
    """

    source: str
    target: str
    probability: float
    unlikeness: float
    trials: int = 0
    followed: int = 0

    @property
    def holds(self) -> bool:
        """Whether it was verified, and held often enough."""
        return self.trials > 0 and self.followed >= REQUIRED * self.trials

    def as_dict(self) -> dict[str, Any]:
        low, high = wilson_interval(self.followed, self.trials)
        fields = {name: getattr(self, name) for name in self.__slots__}
        return fields | {"low": low, "high": high, "holds": self.holds}


def untried_pairs(graph: ControllerGraph, targets: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs of different nodes without a planned edge, by target; a gait's own predecessors stay as they are."""
    joined = {(edge.source, edge.target) for edge in graph.edges if edge.planned}
    for target in targets:
        for source in graph.nodes:
            if source != target and (source, target) not in joined:
                yield source, target


def suggest(project: Project, basins: Sequence[Basin], least: float = LEAST_PROBABILITY) -> list[Suggestion]:
    """The pairs whose predicted probability is at least `least`, the most likely first.

    Pairs whose states are unlike any that the basin was learned from (`MAX_UNLIKENESS`) are left out.
    """
    by_node = {basin.node: basin for basin in basins}
    found = []
    with Laboratory(project, untried=True) as laboratory:
        ends: dict[str, np.ndarray[Any, np.dtype[np.float64]]] = {}
        for source, target in untried_pairs(project.graph, list(by_node)):
            if source not in ends:
                ends[source] = _end_states(laboratory, source, target)
            states = ends[source]
            if not len(states):
                continue
            basin = by_node[target]
            probability = float(basin.probability(states).mean())
            unlikeness = float(basin.unlikeness(states).mean())
            if probability >= least and unlikeness <= MAX_UNLIKENESS:
                found.append(Suggestion(source, target, probability, unlikeness))
    return sorted(found, key=lambda s: (-s.probability, s.unlikeness, s.source, s.target))


def _end_states(laboratory: Laboratory, source: str, target: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Features of states in which a node ends: after different numbers of cycles, and shaken a little."""
    project, variant = laboratory.project, Variant()
    if source not in all_targets(project.graph):
        return np.array([])
    way = route(project.graph, f"{source}{ARROW}{target}", untried=True)
    rng = np.random.default_rng(0)  # the same states whatever is asked
    states = []
    for k in range(_STATES):
        entry = laboratory.entry(other_cycles(project.graph, way, k / _STATES), variant)
        simulation = laboratory.simulation(variant)
        if isinstance(entry, Failed) or not enter(project, simulation, entry, _STATE_NOISE if k % 2 else 0.0, rng):
            continue
        states.append(features(simulation.snapshot().kinematics, simulation.character, simulation.terrain))
    return np.array(states)


def verify(
    project: Project, suggestions: Sequence[Suggestion], trials: int, seed: int, crew: Crew, observer: Any = None
) -> list[Suggestion]:
    """The suggestions with the results of so many trials each, from entries that are shaken a little.

    Raises:
        Interrupted: at Ctrl-C.
    """
    fixed = Perturbations(noise=VERIFYING_NOISE)
    counts = {f"{s.source}{ARROW}{s.target}": [0, 0] for s in suggestions}
    batches: list[Batch] = []
    for target in counts:
        hashes = target_hashes(project, routes(project.graph, target, untried=True))
        template = Batch("suggestion", project.directory.absolute(), target, fixed, seed, (), hashes)
        batches += list(batches_of(template, [((), index) for index in range(trials)]))

    def done(batch: Batch, results: list[Any]) -> None:
        count = counts[batch.target]
        count[0] += len(results)
        count[1] += sum(trial.followed for trial in results)
        if observer is not None:
            observer.ended(results)

    crew.do(batches, done)
    made = [counts[f"{s.source}{ARROW}{s.target}"] for s in suggestions]
    return [replace(s, trials=n, followed=k) for s, (n, k) in zip(suggestions, made, strict=True)]
