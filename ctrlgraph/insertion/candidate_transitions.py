"""Trials of candidate transitions: pairs of nodes without an edge, of which the second runs directly after the first.

Each trial begins in a perturbed state at the end of the source, and ends with the recovery to a static pose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ctrlgraph.learning.candidate import STAGE_COST, CaseResult
from ctrlgraph.learning.cases import noisy_entries
from ctrlgraph.learning.evaluation import Evaluation, with_hashes
from ctrlgraph.learning.problem import Case, Objective, Problem
from ctrlgraph.learning.search_space import SearchSpace
from ctrlgraph.learning.validation import Validation
from ctrlgraph.robustness.evaluation_plan import ARROW, EvaluationPlan
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.run_log.statistics import reason_kind
from ctrlgraph.statistics import SuccessCount

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.worker_pool import WorkerPool

REQUIRED_LOWEST = 0.6
"""Success rate that a pair of nodes needs to get an edge. The lower end of the rate's Wilson interval must reach it.

For example, 10 of 10, 17 of 20 or 31 of 40 trials must succeed.
"""

LEAST_TRIALS = 6
"""Minimum number of trials of a pair of nodes. With fewer, even success in all trials does not reach `REQUIRED_LOWEST`.
"""

STAGE = 4
"""Number of trials after which a pair of nodes is abandoned if it cannot reach `REQUIRED_LOWEST` any more."""

Pair = tuple[str, str]
"""Names of the source and the target of a transition."""


@dataclass(frozen=True)
class FailureKind:
    """A kind of failure of a transition: the node, script line and reason that several failed trials have in common."""

    node: str
    """Name of the node that failed."""
    reason: str
    """Reason of the failure. Measured numbers in it are those of the first trial with this kind of failure."""
    place: str
    """FILE:LINE of the script at which the node failed, empty if unknown."""
    count: int
    """Number of trials with this kind of failure."""
    after: bool = False
    """True: the target of the transition succeeded, and a node of the recovery after it failed."""

    def __str__(self) -> str:
        where = f" ({self.place})" if self.place else ""
        said = f"{self.node + ': ' if self.node else ''}{self.reason}{where}"
        return f"afterwards, {said}" if self.after else said


def name_of(pair: Pair) -> str:
    """Return the names of a source and a target as text, such as "walk->run"."""
    return ARROW.join(pair)


def succeeds_often(validation: Validation | None) -> bool:
    """Return True if the trials of a transition succeed often enough for an edge (see `REQUIRED_LOWEST`).

    Args:
        validation: Results of the trials. None: there were no trials, and the result is False.
    """
    return validation is not None and validation.trials > 0 and validation.count.lowest >= REQUIRED_LOWEST


def may_succeed(validation: Validation, trials: int) -> bool:
    """Return True if a transition reaches `REQUIRED_LOWEST` in case all remaining trials succeed.

    Args:
        validation: Results of the trials so far.
        trials: Number of all trials, with those that remain.
    """
    best = validation.successes + trials - validation.trials
    return SuccessCount(best, trials).lowest >= REQUIRED_LOWEST


def own_successes(validation: Validation) -> int:
    """Return the number of trials in which the target succeeded, whether or not the recovery after it failed."""
    return sum(result.reached >= 1 for result in validation.results)


def progress(validation: Validation | None) -> float:
    """Return how far the trials of a transition come through the target: the mean progress, from 0 to 1.

    A trial in which the target succeeds counts 1. If the target is stopped early, the progress is at most a half, and
    depends mainly on the duration. If the target ends by itself, the progress is at least a half, and depends on how
    nearly the conditions are met (see `learning.candidate.shortfall`).

    Args:
        validation: Results of the trials. None: there were no trials, and the progress is 0.
    """
    if validation is None or not validation.results:
        return 0.0
    return sum(min(1.0, _done(result)) for result in validation.results) / validation.trials


def share_done(validation: Validation | None) -> float:
    """Return how far the trials of a transition come through target and recovery: the mean progress, from 0 to 1.

    A trial in which the target and all nodes of the recovery succeed counts 1.

    Args:
        validation: Results of the trials. None: there were no trials, and the progress is 0.
    """
    if validation is None or not validation.results:
        return 0.0
    return sum(_done(result) / result.stages for result in validation.results) / validation.trials


def _done(result: CaseResult) -> float:
    """Return the number of controllers that succeeded in a trial, plus the partial success, 0 to 1, of the next one."""
    return max(0.0, result.stages - result.terms.get("failure", 0.0) / STAGE_COST)


def commonest_failure(validation: Validation | None) -> FailureKind | None:
    """Return the most frequent kind of failure of trials, or None if no trial failed.

    Of several equally frequent kinds, it is the kind that occurred first.
    """
    failed = [result for result in validation.results if not result.succeeded] if validation is not None else []
    kinds = Counter(map(_kind_of, failed))
    if not kinds:
        return None
    kind, count = kinds.most_common(1)[0]
    first = next(result for result in failed if _kind_of(result) == kind)
    return FailureKind(first.failed, first.reason, first.place, count, after=first.reached >= 1)


def _kind_of(result: CaseResult) -> tuple[str, str, str, bool]:
    return result.failed, reason_kind(result.reason), result.place, result.reached >= 1


def try_pairs(
    project: Project,
    evaluation_plans: Mapping[Pair, Sequence[EvaluationPlan]],
    trials: int,
    seed: int,
    pool: WorkerPool,
    observe: Callable[[int], None] = lambda _: None,
) -> dict[Pair, Validation]:
    """Run trials of transitions from perturbed initial states, and return the results of each pair of nodes.

    After `STAGE` trials, pairs that cannot reach `REQUIRED_LOWEST` any more are abandoned. The trials of a pair use its
    plans in turn. The seed of a trial depends only on `seed`, the pair and the index of the trial.

    Args:
        project: Project with the nodes.
        evaluation_plans: Plans (nodes to run) by pair. The plans of a pair have different numbers of cycles.
        trials: Number of trials of each pair.
        seed: Seed of all trials.
        pool: Worker pool.
        observe: Called with the number of trials that are finished or abandoned so far.

    Raises:
        Interrupted: Ctrl-C was pressed.
    """
    if not evaluation_plans:
        return {}
    base = Perturbations.of(project)
    cases: list[Case] = []
    mine: dict[Pair, range] = {}
    for pair, ways in evaluation_plans.items():
        mine[pair] = range(len(cases), len(cases) + trials)
        cases += noisy_entries(ways, base, trials, seed)
    problem = Problem(project.directory, SearchSpace(()), tuple(cases), Objective({}))
    problem = with_hashes(project, problem)
    found: dict[int, CaseResult] = {}
    given_up = 0

    def done(work: Any, results: list[Any]) -> None:
        found.update(zip(work.items, results, strict=False))
        observe(len(found) + given_up)

    digest = problem.digest
    first = {pair: items[:STAGE] for pair, items in mine.items()}
    pool.do(_pieces(problem, digest, first.values()), done)
    rest = []
    for items in mine.values():
        if may_succeed(_verdict(found, items), trials):
            rest.append(items[STAGE:])
        else:
            given_up += len(items[STAGE:])
    observe(len(found) + given_up)
    pool.do(_pieces(problem, digest, rest), done)
    return {pair: _verdict(found, items) for pair, items in mine.items()}


def _pieces(problem: Problem, digest: str, parts: Iterable[range]) -> Iterable[Evaluation]:
    for items in parts:
        for begin in range(0, len(items), STAGE):
            yield Evaluation(problem, digest, 0, (), tuple(items[begin : begin + STAGE]))


def _verdict(found: Mapping[int, CaseResult], items: range) -> Validation:
    return Validation(tuple(found[i] for i in items if i in found))
