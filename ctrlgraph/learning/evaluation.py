"""Evaluation of candidates (values of the parameters) in all cases of a search problem by a worker pool."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.learning.candidate import STAGE_COST, CandidateEvaluator, CaseResult
from ctrlgraph.learning.cost import case_cost, least_cost
from ctrlgraph.learning.learned_edges import present_file
from ctrlgraph.learning.problem import Case, Problem
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluation_plan import evaluation_plan, target_hashes
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.worker_cache import WorkerCache
from ctrlgraph.robustness.worker_pool import WorkerPool

T = TypeVar("T")

Candidates = Sequence[Sequence[float]] | NDArray[np.float64] | Sequence[NDArray[np.float64]]

BLOCKS = 2
"""Number of batches per worker, if a generation has only one candidate. Otherwise each candidate is one batch."""


@dataclass(frozen=True)
class Evaluation:
    """A batch of work for a worker: one candidate and the cases in which to evaluate it."""

    problem: Problem
    """Search problem with the cases."""
    digest: str
    """Digest of the search problem."""
    candidate: int
    """Index of the candidate in its generation."""
    x: tuple[float, ...]
    """Coordinates of the candidate in the search space, (n,)."""
    items: tuple[int, ...]
    """Indices of the cases in `problem.cases`."""
    limit: float = math.inf
    """Cost above which the candidate is abandoned: the worker skips the remaining cases."""
    deaths: int = 0
    """Number of worker processes that died while they evaluated this batch."""

    def crashed(self) -> list[CaseResult]:
        """Return a result with the status "crashed" and the maximum cost for each case, since worker processes died."""
        reason = f"the worker process died {self.deaths} times"
        results = []
        for item in self.items:
            evaluation_plan = self.problem.cases[item].evaluation_plan
            stages = len(evaluation_plan.test) + len(evaluation_plan.recovery)
            results.append(CaseResult({"failure": STAGE_COST * stages}, "crashed", reason, "", 0, stages, 0.0))
        return results


def evaluate(work: Evaluation) -> list[CaseResult]:
    """Simulate a candidate in the cases of a batch, and return the results in the order of the cases.

    There are fewer results if the candidate is abandoned or the worker is stopped.

    Args:
        work: Batch with the candidate and the indices of the cases.

    Raises:
        CtrlGraphError: The project in `work.problem.directory` has changed since the search problem was made.
    """
    problem, x = work.problem, np.array(work.x)
    values = problem.search_space.values(x)

    def hopeless(results: list[CaseResult]) -> bool:
        costs = [case_cost(problem.objective, result) for result in results]
        return least_cost(problem.objective, costs, len(problem.cases), x) > work.limit

    return each_case(work, lambda candidate_evaluator, case: candidate_evaluator.run(case, values), hopeless)


def each_case(
    work: Evaluation,
    function: Callable[[CandidateEvaluator, Case], T],
    enough: Callable[[list[T]], bool] = lambda _: False,
) -> list[T]:
    """Call a function for each case of a batch, and return its results in the order of the cases.

    There are fewer results if `enough` returns True or the worker is stopped.

    Args:
        work: Batch with the search problem and the indices of the cases.
        function: Called with the evaluator of this process and a case.
        enough: Called after each case with all results so far. If it returns True, the remaining cases are skipped.

    Raises:
        CtrlGraphError: The project in `work.problem.directory` has changed since the search problem was made.
    """
    problem = work.problem
    cases = (problem.cases[item] for item in work.items)
    return _cache.map((work.digest, problem.directory), lambda: _opened(problem), function, cases, enough)


def evaluate_all(
    problem: Problem,
    digest: str,
    candidates: Candidates,
    pool: WorkerPool,
    *,
    limit: float = math.inf,
    order: Sequence[int] | None = None,
    deadline: float = math.inf,
) -> list[list[CaseResult | None]]:
    """Evaluate m candidates, and return for each candidate a list of its results in the order of `problem.cases`.

    The division of the work among workers does not influence the results.

    Args:
        problem: Search problem with the cases.
        digest: Digest of the search problem.
        candidates: Coordinates of the candidates in the search space, (m, n).
        pool: Worker pool.
        limit: Cost above which a candidate is abandoned. The results of its later cases are None, even if a worker has
            evaluated them.
        order: Indices of all cases in the order of their evaluation. With the hardest cases first, hopeless candidates
            are abandoned early. None: in the order of `problem.cases`.
        deadline: Time of `time.monotonic` after which no batch is started.

    Raises:
        Interrupted: Ctrl-C was pressed.
        DeadlineExceeded: The deadline passed before all batches were started.
    """
    results: list[dict[int, CaseResult]] = [{} for _ in candidates]

    def done(work: Evaluation, found: list[CaseResult]) -> None:
        results[work.candidate].update(zip(work.items, found, strict=False))

    cases = list(order) if order is not None else list(range(len(problem.cases)))
    pool.do(_pieces(problem, digest, candidates, limit, cases, pool.n_workers), done, deadline)
    return [
        _until_hopeless(problem, np.array(x), found, limit, cases) for x, found in zip(candidates, results, strict=True)
    ]


def _pieces(
    problem: Problem, digest: str, candidates: Candidates, limit: float, cases: Sequence[int], width: int
) -> Iterable[Evaluation]:
    blocks = min(len(cases), BLOCKS * width) if len(candidates) == 1 and width > 1 else 1
    for number, x in enumerate(candidates):
        for block in np.array_split(np.array(cases), blocks):
            yield Evaluation(problem, digest, number, tuple(map(float, x)), tuple(block.tolist()), limit)


def _until_hopeless(
    problem: Problem, x: NDArray[np.float64], found: dict[int, CaseResult], limit: float, cases: Sequence[int]
) -> list[CaseResult | None]:
    """Return the results of one candidate up to the case after which it is abandoned, and None for all later cases.

    Each worker decides from its own cases when to abandon the candidate. This function decides from those of all
    workers.

    Args:
        problem: Search problem with the cases.
        x: Coordinates of the candidate in the search space, (n,).
        found: Results by index of the case in `problem.cases`.
        limit: Cost above which the candidate is abandoned.
        cases: Indices of all cases in the order of their evaluation.
    """
    kept: dict[int, CaseResult] = {}
    costs: list[float] = []
    for item in cases:
        if item not in found:
            break
        kept[item] = found[item]
        costs.append(case_cost(problem.objective, found[item]))
        if least_cost(problem.objective, costs, len(problem.cases), x) > limit:
            break
    return [kept.get(i) for i in range(len(problem.cases))]


_cache: WorkerCache[CandidateEvaluator] = WorkerCache(lambda candidate_evaluator: candidate_evaluator.evaluator.close())


def _opened(problem: Problem) -> CandidateEvaluator:
    project = Project(Path(problem.directory))
    transition = problem.transition
    if transition is not None and transition.bridge is not None and transition.draft is not None:
        project.revise(project.directory / transition.bridge, transition.draft)
    found = problem_hashes(project, problem)
    changed = [name for name, hashed in problem.hashes.items() if found.get(name) != hashed]
    if changed:
        raise CtrlGraphError(
            f"{changed[0]} of the project in {problem.directory} has changed since the search began: start the"
            " search again"
        )
    return CandidateEvaluator(Evaluator(project, untried=True), problem)


def with_cases(project: Project, problem: Problem, cases: tuple[Case, ...]) -> Problem:
    """Return a search problem with other cases and with the hashes of the nodes that these cases use.

    Args:
        project: Project of the search problem.
        problem: Search problem to copy.
        cases: New cases.
    """
    return with_hashes(project, replace(problem, cases=cases))


def with_hashes(project: Project, problem: Problem) -> Problem:
    """Return a copy of a search problem that has the current hashes of the project (see `problem_hashes`).

    Args:
        project: Project of the search problem.
        problem: Search problem to copy.
    """
    return replace(problem, hashes=problem_hashes(project, problem))


def problem_hashes(project: Project, problem: Problem) -> dict[str, str]:
    """Return hashes of everything in the project that determines the cost of a candidate, by name ("node walk").

    They cover the character, the engine settings, the nodes and learned edges of all evaluation plans and of the
    reference motion, the bridging script, and an earlier file of the edge with constants for other terrain.

    Args:
        project: Project of the search problem.
        problem: Search problem with the cases.
    """
    hashes = {f"node {name}": project.node_hash(name) for name in problem.nodes}
    hashes["character"] = project.character.digest
    ways = dict.fromkeys(case.evaluation_plan for case in problem.cases)
    if problem.transition is not None:
        ways[evaluation_plan(project.graph, problem.transition.reference, untried=True)] = None
        if problem.transition.bridge is not None:
            hashes["bridge"] = project.compile(project.directory / problem.transition.bridge).digest
        before = present_file(project, problem.transition) if problem.on is not None else None
        if before is not None:  # candidates are interpolated with it on other terrain
            hashes["present edge"] = before.digest
    return hashes | target_hashes(project, ways)
