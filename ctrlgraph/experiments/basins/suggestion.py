"""Edges that are not in the graph and would hold: predicted from basins, verified by simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.experiments.basins.basin import Basin, other_cycles
from ctrlgraph.experiments.basins.features import features
from ctrlgraph.experiments.batch import TrialBatch, batches_of
from ctrlgraph.experiments.evaluation_plan import ARROW, all_targets, evaluation_plan, evaluation_plans, target_hashes
from ctrlgraph.experiments.evaluator import Evaluator
from ctrlgraph.experiments.initial_state import Failed, enter
from ctrlgraph.experiments.perturbation import Perturbations
from ctrlgraph.experiments.sweeps.limit import REQUIRED
from ctrlgraph.statistics import SuccessCount

if TYPE_CHECKING:
    from ctrlgraph.experiments.worker_pool import WorkerPool
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.project.project import Project

LEAST_PROBABILITY = 0.5

INSIDE = 0.8
"""Of the end states of a source, at least this share has to lie in the domain of the target's basin."""

VERIFYING_NOISE = 0.05
"""Suggestions are verified from entries that are perturbed a little: an edge that only just holds is none."""

_STATES = 6
_STATE_NOISE = 0.02


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A pair of nodes without an edge.

    probability: mean prediction of the target's basin over end states of the source; distance to samples: of these
    states to those that the basin was learned from (see Basin.distance_to_samples); trials and followed: of the
    verification, 0 before it; least: lower bound of the predicted success (see Calibration.lowest); inside: share
    of the end states that lie in the basin's domain; reason: why the pair is not suggested, empty where it is.
    """

    source: str
    target: str
    probability: float
    distance_to_samples: float
    trials: int = 0
    recovered: int = 0
    least: float = 0.0
    inside: float = 0.0
    reason: str = ""

    @property
    def count(self) -> SuccessCount:
        """Return how many of the trials of its verification recovered."""
        return SuccessCount(self.recovered, self.trials)

    @property
    def holds(self) -> bool:
        """Tell whether it was verified, and held often enough."""
        return self.trials > 0 and self.recovered >= REQUIRED * self.trials

    def as_dict(self) -> dict[str, Any]:
        """Fields, and `low` and `high` of the verified rate."""
        low, high = self.count.interval
        fields = {name: getattr(self, name) for name in self.__slots__}
        return fields | {"low": low, "high": high, "holds": self.holds}


def untried_pairs(graph: ControllerGraph, targets: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Return pairs of different nodes without a planned edge, by target; a gait's own predecessors stay as they are."""
    joined = {(edge.source, edge.target) for edge in graph.edges if edge.planned}
    for target in targets:
        for source in graph.nodes:
            if source != target and (source, target) not in joined:
                yield source, target


def suggest(project: Project, basins: Sequence[Basin], least: float = LEAST_PROBABILITY) -> list[Suggestion]:
    """Return the pairs whose predicted success is at least `least` by its lower bound, the most likely first.

    What a basin cannot tell is left out (see `judged_pairs`).
    """
    return [pair for pair in judged_pairs(project, basins, least) if not pair.reason]


def judged_pairs(
    project: Project,
    basins: Sequence[Basin],
    least: float = LEAST_PROBABILITY,
    advanced: Callable[[int, int], None] | None = None,
) -> list[Suggestion]:
    """Return all pairs without an edge to the basins' nodes: those to be suggested first, the most likely before the
    others; the rest with the reason why they are not. `advanced` is told how many are judged, of how many."""
    by_node = {basin.node: basin for basin in basins}
    found = []
    pairs = list(untried_pairs(project.graph, list(by_node)))
    with Evaluator(project, untried=True) as evaluator:
        ends: dict[str, np.ndarray[Any, np.dtype[np.float64]]] = {}
        for number, (source, target) in enumerate(pairs):
            if advanced is not None:
                advanced(number, len(pairs))
            if source not in ends:
                ends[source] = _end_states(evaluator, source, target)
            found.append(judged(by_node[target], source, ends[source], least))
    return sorted(
        found, key=lambda s: (bool(s.reason), -s.least, -s.probability, s.distance_to_samples, s.source, s.target)
    )


def judged(basin: Basin, source: str, states: np.ndarray[Any, np.dtype[np.float64]], least: float) -> Suggestion:
    """Return what a basin says of a source that ends in these states (n, features); a reason where it cannot tell."""
    if not len(states):
        return Suggestion(source, basin.node, 0.0, 0.0, reason="cannot tell: none of its end states could be reached")
    probability = float(basin.probability(states).mean())
    pair = Suggestion(source, basin.node, probability, float(basin.distance_to_samples(states).mean()))
    calibration = basin.calibration
    if calibration is None:
        return replace(pair, reason="cannot tell: too few samples to hold any out")
    if calibration.reach is None:
        return replace(
            pair, reason=f"cannot tell: what is predicted of {basin.node} does not hold for a {_left(basin)}"
        )
    within = int((basin.outlierness(states) <= calibration.reach).sum())
    pair = replace(pair, inside=within / len(states), least=calibration.lowest(probability))
    if pair.inside < INSIDE:
        reason = f"cannot tell: {within} of its {len(states)} end states lie among the sampled ones"
        return replace(pair, reason=reason)
    if pair.least < least:
        return replace(pair, reason=f"unlikely: it holds in at least {pair.least:.0%}, and {least:.0%} is asked for")
    return pair


def _left(basin: Basin) -> str:
    return f"{basin.calibration.left_out} left out" if basin.calibration is not None else ""


def _end_states(evaluator: Evaluator, source: str, target: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Features of states in which a node ends: after different numbers of cycles, and perturbed a little."""
    project, environment = evaluator.project, Perturbations.of(evaluator.project).environment
    if source not in all_targets(project.graph):
        return np.array([])
    way = evaluation_plan(project.graph, f"{source}{ARROW}{target}", untried=True)
    rng = np.random.default_rng(0)  # the same states whatever is asked
    states = []
    for k in range(_STATES):
        other = other_cycles(project.graph, way, k / _STATES)
        home = evaluator.home(other, environment)
        entry, simulation = evaluator.entry(other, home), evaluator.simulation(home)
        if isinstance(entry, Failed) or not enter(project, simulation, entry, _STATE_NOISE if k % 2 else 0.0, rng):
            continue
        states.append(features(simulation.snapshot().kinematics, simulation.character, simulation.terrain))
    return np.array(states)


def verify(
    project: Project, suggestions: Sequence[Suggestion], trials: int, seed: int, pool: WorkerPool, observer: Any = None
) -> list[Suggestion]:
    """Return the suggestions with the results of so many trials each, from entries that are perturbed a little.

    Raises:
        Interrupted: at Ctrl-C.
    """
    fixed = replace(Perturbations.of(project), noise=VERIFYING_NOISE)
    counts = {f"{s.source}{ARROW}{s.target}": [0, 0] for s in suggestions}
    batches: list[TrialBatch] = []
    for target in counts:
        hashes = target_hashes(project, evaluation_plans(project.graph, target, untried=True))
        template = TrialBatch("suggestion", project.directory.absolute(), target, fixed, seed, (), hashes)
        batches += list(batches_of(template, [((), index) for index in range(trials)]))

    def done(batch: TrialBatch, results: list[Any]) -> None:
        count = counts[batch.target]
        count[0] += len(results)
        count[1] += sum(trial.recovered for trial in results)
        if observer is not None:
            observer.ended(results)

    pool.do(batches, done)
    made = [counts[f"{s.source}{ARROW}{s.target}"] for s in suggestions]
    return [replace(s, trials=n, recovered=k) for s, (n, k) in zip(suggestions, made, strict=True)]
