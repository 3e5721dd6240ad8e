"""Evaluations: candidates tried in cases, in whatever process, by a pool."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.evaluation_plan import evaluation_plan, target_hashes
from ctrlgraph.experiments.evaluator import Evaluator
from ctrlgraph.experiments.resident import Resident
from ctrlgraph.experiments.worker_pool import WorkerPool
from ctrlgraph.optimization.bound_edge import present_file
from ctrlgraph.optimization.candidate import STAGE_COST, CandidateEvaluator, CaseResult
from ctrlgraph.optimization.objective import case_cost, least_cost
from ctrlgraph.optimization.problem import Case, Problem
from ctrlgraph.parallel import until_stopped
from ctrlgraph.project.project import Project

T = TypeVar("T")

Candidates = Sequence[Sequence[float]] | NDArray[np.float64] | Sequence[NDArray[np.float64]]

BLOCKS = 2
"""A candidate that is alone in its generation is divided into so many pieces of work for each worker."""


@dataclass(frozen=True)
class Evaluation:
    """Some cases of one candidate, as they are sent to a worker.

    limit: a candidate whose cost is above it for certain is given up, and the rest of its cases not tried;
    deaths: processes that died over it.
    """

    problem: Problem
    digest: str
    candidate: int
    x: tuple[float, ...]
    items: tuple[int, ...]
    limit: float = math.inf
    deaths: int = 0

    def singly(self) -> list[Evaluation]:
        """Return each case as a piece of work of its own."""
        return [replace(self, items=(item,)) for item in self.items]

    def crashed(self) -> list[CaseResult]:
        """Return what a candidate gets over which too many processes have died."""
        reason = f"its process died {self.deaths} times"
        results = []
        for item in self.items:
            evaluation_plan = self.problem.cases[item].evaluation_plan
            stages = len(evaluation_plan.test) + len(evaluation_plan.recovery)
            results.append(CaseResult({"failure": STAGE_COST * stages}, "crashed", reason, "", 0, stages, 0.0))
        return results


def evaluate(work: Evaluation) -> list[CaseResult]:
    """Return the cases of a piece of work, in order; fewer where it was given up, or the worker was asked to end early.

    Raises:
        CtrlGraphError: the project there is not that of the problem.
    """
    with _workshop.holding((work.digest, work.problem.directory), lambda: _opened(work.problem)) as candidate_evaluator:
        problem, x = work.problem, np.array(work.x)
        values = problem.search_space.values(x)
        results: list[CaseResult] = []
        costs: list[float] = []
        with until_stopped():
            for item in work.items:
                results.append(candidate_evaluator.run(problem.cases[item], values))
                costs.append(case_cost(problem.objective, results[-1]))
                if least_cost(problem.objective, costs, len(problem.cases), x) > work.limit:
                    break
        return results


def each_case(work: Evaluation, do: Callable[[CandidateEvaluator, Case], T]) -> list[T]:
    """Return what `do` makes of each case of a piece of work in this process; fewer where the worker was asked to end
    early.

    Raises:
        CtrlGraphError: the project there is not that of the problem.
    """
    with _workshop.holding((work.digest, work.problem.directory), lambda: _opened(work.problem)) as candidate_evaluator:
        results: list[T] = []
        with until_stopped():
            for item in work.items:
                results.append(do(candidate_evaluator, work.problem.cases[item]))
        return results


def evaluate_all(
    problem: Problem,
    digest: str,
    candidates: Candidates,
    pool: WorkerPool,
    *,
    limit: float = math.inf,
    order: Sequence[int] | None = None,
) -> list[list[CaseResult | None]]:
    """Return every candidate in every case; the results do not depend on who did what.

    Args:
        limit: candidates that cost more for certain are given up; their cases after that are None, even where
            another worker had tried them.
        order: of the cases, the hardest first, so that this is seen early.

    Raises:
        Interrupted: at Ctrl-C.
    """
    results: list[dict[int, CaseResult]] = [{} for _ in candidates]

    def done(work: Evaluation, found: list[CaseResult]) -> None:
        results[work.candidate].update(zip(work.items, found, strict=False))

    cases = list(order) if order is not None else list(range(len(problem.cases)))
    pool.do(_pieces(problem, digest, candidates, limit, cases, pool.width), done)
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
    """The results up to where the candidate is hopeless: how its cases were divided among workers must not show."""
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


_workshop: Resident[CandidateEvaluator] = Resident(lambda candidate_evaluator: candidate_evaluator.evaluator.close())


def _opened(problem: Problem) -> CandidateEvaluator:
    project = Project(Path(problem.directory))
    if (
        problem.transition is not None
        and problem.transition.bridge is not None
        and problem.transition.draft is not None
    ):
        project.draft(project.directory / problem.transition.bridge, problem.transition.draft)
    found = problem_hashes(project, problem)
    changed = [name for name, hashed in problem.hashes.items() if found.get(name) != hashed]
    if changed:
        raise CtrlGraphError(f"the project in {problem.directory} has changed since the search began: {changed[0]}")
    return CandidateEvaluator(Evaluator(project, untried=True), problem)


def project_hashes(project: Project, nodes: Iterable[str]) -> dict[str, str]:
    """Return the hashes of everything in the project that decides what a candidate does."""
    return {f"node {name}": project.node_hash(name) for name in nodes} | {"character": project.character.digest}


def with_cases(project: Project, problem: Problem, cases: tuple[Case, ...]) -> Problem:
    """Return the problem with other cases, whose ways may lead over other nodes."""
    other = replace(problem, cases=cases)
    return replace(other, hashes=problem_hashes(project, other))


def problem_hashes(project: Project, problem: Problem) -> dict[str, str]:
    """Return hashes of everything in the project that decides what a problem's candidates cost: its nodes, the learned
    edges on its plans, the motion that it is compared with, the bridge."""
    hashes = project_hashes(project, problem.nodes)
    ways = dict.fromkeys(case.evaluation_plan for case in problem.cases)
    if problem.transition is not None:
        ways[evaluation_plan(project.graph, problem.transition.reference, untried=True)] = None
        if problem.transition.bridge is not None:
            hashes["bridge"] = project.compile(project.directory / problem.transition.bridge).digest
        before = present_file(project, problem.transition) if problem.on is not None else None
        if before is not None:  # on other ground, a candidate is interpolated with it
            hashes["present edge"] = before.digest
    return hashes | target_hashes(project, ways)
