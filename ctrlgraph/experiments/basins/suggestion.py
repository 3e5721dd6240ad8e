"""Suggested edges: pairs of nodes without an edge that succeed, predicted from basins and verified by simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.experiments.basins.basin import Basin, other_cycles
from ctrlgraph.experiments.basins.features import features
from ctrlgraph.experiments.batch import Item, TrialBatch, new_batches
from ctrlgraph.experiments.evaluation_plan import ARROW, all_targets, evaluation_plan
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
"""Minimum fraction of a source's end states that have to be in the domain of the target's basin."""

VERIFYING_NOISE = 0.05
"""Start-state noise of the verification, so that edges without a margin fail."""

_STATES = 6
_STATE_NOISE = 0.02


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A pair of nodes without an edge."""

    source: str
    target: str
    probability: float
    """Mean predicted success over end states of the source."""
    trials: int = 0
    """Number of trials of the verification."""
    recovered: int = 0
    """Number of these trials that reached a static pose."""
    least: float = 0.0
    """Lower bound of the predicted success (see `Calibration.lowest`)."""
    inside: float = 0.0
    """Fraction of the end states in the basin's domain."""
    reason: str = ""
    """Reason why the pair is not suggested, empty if it is."""

    @property
    def count(self) -> SuccessCount:
        """Success count of the verification."""
        return SuccessCount(self.recovered, self.trials)

    @property
    def succeeds(self) -> bool:
        """True if the verification succeeded often enough."""
        return self.trials > 0 and self.recovered >= REQUIRED * self.trials

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON, with `low` and `high` of the verified rate."""
        low, high = self.count.interval
        fields = {name: getattr(self, name) for name in self.__slots__}
        return fields | {"low": low, "high": high, "succeeds": self.succeeds}


def untried_pairs(graph: ControllerGraph, targets: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Return pairs of different nodes without a planned edge, by target.

    Args:
        graph: Graph with the nodes.
        targets: Names of the targets.
    """
    joined = {(edge.source, edge.target) for edge in graph.edges if edge.planned}
    for target in targets:
        for source in graph.nodes:
            if source != target and (source, target) not in joined:
                yield source, target


def judged_pairs(
    project: Project,
    basins: Sequence[Basin],
    least: float = LEAST_PROBABILITY,
    advanced: Callable[[int, int], None] | None = None,
) -> list[Suggestion]:
    """Return all pairs without an edge to the basins' nodes: suggestions first, the most likely at the top, then the
    others with their reasons.

    Args:
        project: Project with the nodes.
        basins: Basins of the targets.
        least: Minimum of the lower bound.
        advanced: Called with the number of pairs evaluated and the number of all.
    """
    by_node = {basin.node: basin for basin in basins}
    found = []
    pairs = list(untried_pairs(project.graph, list(by_node)))
    with Evaluator(project, untried=True) as evaluator:
        ends: dict[str, NDArray[np.float64]] = {}
        for number, (source, target) in enumerate(pairs):
            if advanced is not None:
                advanced(number, len(pairs))
            if source not in ends:
                ends[source] = _end_states(evaluator, source, target)
            found.append(suggestion_for(by_node[target], source, ends[source], least))
    return sorted(found, key=lambda s: (bool(s.reason), -s.least, -s.probability, s.source, s.target))


def suggestion_for(basin: Basin, source: str, states: NDArray[np.float64], least: float) -> Suggestion:
    """Return the prediction of a basin for a source, with a reason if the basin cannot judge.

    Args:
        basin: Basin of the target.
        source: Name of the source.
        states: End states of the source, (n, features).
        least: Minimum of the lower bound.
    """
    if not len(states):
        return Suggestion(source, basin.node, 0.0, reason="unknown: none of its end states could be reached")
    probability = float(basin.probability(states).mean())
    pair = Suggestion(source, basin.node, probability)
    calibration = basin.calibration
    if calibration is None:
        return replace(pair, reason="unknown: too few samples to leave any out")
    if calibration.reach is None:
        return replace(
            pair, reason=f"unknown: the predictions for {basin.node} are wrong for a {calibration.left_out} left out"
        )
    within = int((basin.outlierness(states) <= calibration.reach).sum())
    pair = replace(pair, inside=within / len(states), least=calibration.lowest(probability))
    if pair.inside < INSIDE:
        reason = f"unknown: {within} of its {len(states)} end states lie among the sampled ones"
        return replace(pair, reason=reason)
    if pair.least < least:
        return replace(pair, reason=f"unlikely: it succeeds in at least {pair.least:.0%}, and {least:.0%} is asked for")
    return pair


def _end_states(evaluator: Evaluator, source: str, target: str) -> NDArray[np.float64]:
    """Return features of states in which a node ends, after different numbers of cycles and with noise."""
    project, environment = evaluator.project, Perturbations.of(evaluator.project).environment
    if source not in all_targets(project.graph):
        return np.array([])
    plan = evaluation_plan(project.graph, f"{source}{ARROW}{target}", untried=True)
    rng = np.random.default_rng(0)  # the same states for every target
    states = []
    for k in range(_STATES):
        other = other_cycles(project.graph, plan, k / _STATES)
        home = evaluator.home(other, environment)
        entry, simulation = evaluator.entry(other, home), evaluator.simulation(home)
        if isinstance(entry, Failed) or not enter(project, simulation, entry, _STATE_NOISE if k % 2 else 0.0, rng):
            continue
        states.append(features(simulation.snapshot().kinematics, simulation.character, simulation.terrain))
    return np.array(states)


def verify(
    project: Project, suggestions: Sequence[Suggestion], trials: int, seed: int, pool: WorkerPool, observer: Any = None
) -> list[Suggestion]:
    """Return the suggestions with the results of trials from entries with noise.

    Args:
        project: Project with the nodes.
        suggestions: Pairs to verify.
        trials: Number of trials of each pair.
        seed: Seed of the trials.
        pool: Worker pool.
        observer: Called with the numbers of trials.

    Raises:
        Interrupted: Ctrl-C was pressed.
    """
    fixed = replace(Perturbations.of(project), noise=VERIFYING_NOISE)
    counts = {f"{s.source}{ARROW}{s.target}": [0, 0] for s in suggestions}
    batches: list[TrialBatch] = []
    for target in counts:
        items: list[Item] = [((), index) for index in range(trials)]
        batches += new_batches(project, "suggestion", target, fixed, seed, items, untried=True)

    def done(batch: TrialBatch, results: list[Any]) -> None:
        count = counts[batch.target]
        count[0] += len(results)
        count[1] += sum(trial.recovered for trial in results)
        if observer is not None:
            observer.ended(results)

    pool.do(batches, done)
    made = [counts[f"{s.source}{ARROW}{s.target}"] for s in suggestions]
    return [replace(s, trials=n, recovered=k) for s, (n, k) in zip(suggestions, made, strict=True)]
