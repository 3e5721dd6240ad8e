"""Evaluations: candidates tried in cases, in whatever process, by a crew."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.learning.course import STAGE_COST, CaseResult, Workshop
from ctrlgraph.learning.objective import case_cost, least_cost
from ctrlgraph.learning.problem import Case, Problem
from ctrlgraph.project import Project
from ctrlgraph.robustness.crew import Crew
from ctrlgraph.robustness.trial import Laboratory
from ctrlgraph.workers import stop_requested

T = TypeVar("T")

Candidates = Sequence[Sequence[float]] | NDArray[np.float64] | Sequence[NDArray[np.float64]]

BLOCKS = 4
"""A candidate that is alone in its generation is divided into so many pieces of work."""


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
        """Each case as a piece of work of its own."""
        return [replace(self, items=(item,)) for item in self.items]

    def crashed(self) -> list[CaseResult]:
        """What a candidate gets over which too many processes have died."""
        reason = f"its process died {self.deaths} times"
        results = []
        for item in self.items:
            route = self.problem.cases[item].route
            stages = len(route.course) + len(route.onward)
            results.append(CaseResult({"failure": STAGE_COST * stages}, "crashed", reason, "", 0, stages, 0.0))
        return results


def evaluate(work: Evaluation) -> list[CaseResult]:
    """The cases of a piece of work, in order; fewer where it was given up, or the worker was asked to end early.

    Raises:
        CtrlGraphError: the project there is not that of the problem.
    """
    with _one_at_a_time:
        workshop = _workshop(work.digest, _Held(work.problem))
        problem, x = work.problem, np.array(work.x)
        values = problem.unknowns.values(x)
        results: list[CaseResult] = []
        costs: list[float] = []
        for item in work.items:
            if stop_requested():
                break
            results.append(workshop.run(problem.cases[item], values))
            costs.append(case_cost(problem.objective, results[-1]))
            if least_cost(problem.objective, costs, len(problem.cases), x) > work.limit:
                break
        return results


def each_case(work: Evaluation, do: Callable[[Workshop, Case], T]) -> list[T]:
    """What `do` makes of each case of a piece of work in this process; fewer where the worker was asked to end early.

    Raises:
        CtrlGraphError: the project there is not that of the problem.
    """
    with _one_at_a_time:
        workshop = _workshop(work.digest, _Held(work.problem))
        results = []
        for item in work.items:
            if stop_requested():
                break
            results.append(do(workshop, work.problem.cases[item]))
        return results


def evaluate_all(
    problem: Problem,
    digest: str,
    candidates: Candidates,
    crew: Crew,
    *,
    limit: float = math.inf,
    order: Sequence[int] | None = None,
) -> list[list[CaseResult | None]]:
    """Every candidate in every case; the results do not depend on who did what.

    Args:
        limit: candidates that cost more for certain are given up; their cases that were not tried are None.
        order: of the cases, the hardest first, so that this is seen early.

    Raises:
        Interrupted: at Ctrl-C.
    """
    results: list[dict[int, CaseResult]] = [{} for _ in candidates]

    def done(work: Evaluation, found: list[CaseResult]) -> None:
        results[work.candidate].update(zip(work.items, found, strict=False))

    crew.do(_pieces(problem, digest, candidates, limit, order), done)
    return [[found.get(i) for i in range(len(problem.cases))] for found in results]


def _pieces(
    problem: Problem, digest: str, candidates: Candidates, limit: float, order: Sequence[int] | None
) -> Iterable[Evaluation]:
    cases = np.array(order if order is not None else range(len(problem.cases)))
    if len(candidates) == 1:
        [x] = candidates
        for block in np.array_split(cases, min(len(cases), BLOCKS)):
            yield Evaluation(problem, digest, 0, tuple(map(float, x)), tuple(block.tolist()))
        return
    for number, x in enumerate(candidates):
        yield Evaluation(problem, digest, number, tuple(map(float, x)), tuple(cases.tolist()), limit)


# a cluster's worker may have several threads, and a laboratory's simulations are for one
_one_at_a_time = threading.Lock()


class _Held:
    """A problem that a cache does not look at: its digest is the key."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=1)
def _workshop(digest: str, held: _Held) -> Workshop:
    problem = held.problem
    project = Project(Path(problem.directory))
    found = project_hashes(project, problem.nodes)
    changed = [name for name, hashed in problem.hashes.items() if found.get(name) != hashed]
    if changed:
        raise CtrlGraphError(f"the project in {problem.directory} has changed since the search began: {changed[0]}")
    return Workshop(Laboratory(project, untried=True), problem)


def project_hashes(project: Project, nodes: Iterable[str]) -> dict[str, str]:
    """Hashes of everything in the project that decides what a candidate does."""
    return {f"node {name}": project.node_hash(name) for name in nodes} | {"character": project.character.digest}
