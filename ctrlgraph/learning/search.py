"""Search for constants: generations of candidates, the best candidate so far, and a checkpoint after each generation.

The *original constants* are those before the search. They are the candidate with all coordinates 0.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.files import sweep_temporaries
from ctrlgraph.learning.candidate import CaseResult
from ctrlgraph.learning.checkpoint import read_checkpoint, write_checkpoint
from ctrlgraph.learning.cmaes import Optimizer, make_optimizer
from ctrlgraph.learning.cost import Score, score
from ctrlgraph.learning.evaluation import evaluate_all
from ctrlgraph.learning.problem import Problem
from ctrlgraph.robustness.worker_pool import DeadlineExceeded, WorkerPool

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits after which a search for constants ends."""

    generations: int = 200
    """Maximum number of generations."""
    seconds: float | None = None
    """Maximum wall time, s. A generation in progress at that time is abandoned. None: no limit."""
    settled: int | None = None
    """Number of generations with success after which the search ends. None: no limit.

    A generation has success if the best candidate so far succeeds in all cases.
    """


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """Settings of the optimiser of a search for constants."""

    optimizer: str = "cma"
    """Kind of optimiser, "1+1" or "cma" (see `cmaes`)."""
    sigma: float = 1.0
    """Initial step size, as a multiple of the prior scale (default step size) of each parameter."""
    population: int | None = None
    """Number of candidates in each generation of "cma". None: `cmaes.default_population`."""
    seed: int = 0
    """Seed of the optimiser."""


NOT_EVALUATED = Score(math.inf, {}, 0, 0, 0, "")
"""Score before the first evaluation."""


@dataclass
class SearchResult:
    """State of a search for constants: its progress so far, and its result at the end."""

    optimizer: Optimizer
    """Optimiser of the search."""
    best: Score = NOT_EVALUATED
    """Score of the best candidate so far, or of the original constants if none is better."""
    first: Score = NOT_EVALUATED
    """Score of the original constants."""
    history: list[dict[str, Any]] = field(default_factory=list)
    """Costs and step size of each generation, by the names of the fields of `checkpoint.GenerationData`."""
    simulated_s: float = 0.0
    """Simulated time of all cases, s."""
    physics_s: float = 0.0
    """Wall time of the simulations, summed over all processes, s."""
    wall_s: float = 0.0
    """Wall time of the search, including the time before it was resumed, s."""
    stopped: str = ""
    """Reason why the search ended, empty before its end."""

    @property
    def x(self) -> FloatArray:
        """Coordinates of the best candidate so far, (n,), or zeros (the original constants) if none is better."""
        x = self.optimizer.best_x
        return x if self.improved else np.zeros_like(x)

    @property
    def generations(self) -> int:
        """Number of completed generations of the search."""
        return self.optimizer.generations

    @property
    def evaluations(self) -> int:
        """Number of candidates that were evaluated, including the original constants."""
        return self.optimizer.evaluations + 1

    @property
    def improved(self) -> bool:
        """True if the best candidate so far costs less than the original constants."""
        return self.best.cost < self.first.cost


class CandidateSearch:
    """Searches for the constants of minimum cost, and writes a checkpoint after each generation.

    The result depends only on the search problem, the search plan and the number of generations. It does not depend on
    the number of workers or on interruptions.
    """

    def __init__(self, problem: Problem, plan: SearchPlan, pool: WorkerPool, checkpoint: Path | None = None) -> None:
        """
        Args:
            problem: Search problem to solve.
            plan: Settings of the search.
            pool: Worker pool that evaluates the candidates.
            checkpoint: Checkpoint file. It is written after each generation. If it exists already, the search continues
                from it. None: no checkpoint.

        Raises:
            CtrlGraphError: The checkpoint is damaged or belongs to another search.
        """
        self.problem = problem
        self.plan = plan
        self._pool = pool
        self._checkpoint = checkpoint
        self._digest = problem.digest
        self.result = self._initial_result()
        """Progress of the search."""
        self._asked: FloatArray | None = None  # candidates of a generation that was abandoned

    def run(self, budget: Budget, observe: Callable[[SearchResult], None] = lambda _: None) -> SearchResult:
        """Search for constants until the optimiser stops or a limit of the budget is reached, and return the result.

        Args:
            budget: Limits of the search. The time before this call does not count.
            observe: Called after each generation with the progress of the search.

        Raises:
            Interrupted: Ctrl-C was pressed. The checkpoint contains all completed generations.
        """
        result, began, before = self.result, time.perf_counter(), self.result.wall_s
        if result.first is NOT_EVALUATED:
            self._evaluate_present()
            result.wall_s = before + time.perf_counter() - began
        deadline = math.inf if budget.seconds is None else time.monotonic() + budget.seconds - result.wall_s + before
        result.stopped = self._stop_reason(budget, 0.0)
        while not result.stopped:
            try:
                self._generation(deadline)
            except DeadlineExceeded:
                result.wall_s = before + time.perf_counter() - began
                result.stopped = self._stop_reason(budget, math.inf)
                break
            result.wall_s = before + time.perf_counter() - began
            observe(result)
            self._save()
            result.stopped = self._stop_reason(budget, result.wall_s - before)
        return result

    def _evaluate_present(self) -> None:
        """Evaluate the original constants, with which all candidates are compared."""
        present = np.zeros(len(self.problem.search_space))
        [results] = evaluate_all(self.problem, self._digest, [present], self._pool)
        self._count([results])
        self.result.first = self.result.best = score(self.problem.objective, results, present)

    def _generation(self, deadline: float) -> None:
        """Create, evaluate and record the candidates of one generation.

        Args:
            deadline: Time on the clock of `time.monotonic`, s, at which the generation is abandoned.

        Raises:
            DeadlineExceeded: The deadline passed. The next call evaluates the same candidates.
        """
        result = self.result
        if self._asked is None:
            self._asked = result.optimizer.ask()
        candidates = self._asked
        limit, order = self._limit(len(candidates)), _hardest_first(result.best)
        found = evaluate_all(
            self.problem, self._digest, candidates, self._pool, limit=limit, order=order, deadline=deadline
        )
        scores = [score(self.problem.objective, results, x) for results, x in zip(found, candidates, strict=True)]
        costs = np.array([each.cost for each in scores])
        result.optimizer.tell(costs)
        self._asked = None
        self._count(found)
        best = int(np.argmin(costs))
        if costs[best] < result.best.cost:
            result.best = scores[best]
        result.history.append(
            {
                "cost": float(costs[best]),
                "best": result.best.cost,
                "succeeded": result.best.succeeded,
                "sigma": result.optimizer.sigma,
                "terms": dict(scores[best].terms),
                "costs": costs.tolist(),
            }
        )

    def _limit(self, population: int) -> float:
        """Return the cost above which a candidate is abandoned before all its cases are evaluated.

        A single candidate is only compared with the best one. In a larger population, only the better half contributes
        to the next mean, so that the exact costs of candidates worse than the median of the last generation hardly
        matter.

        Args:
            population: Number of candidates in the generation.
        """
        if population == 1:
            return self.result.best.cost
        if not self.result.history:
            return math.inf
        return max(float(np.median(self.result.history[-1]["costs"])), self.result.best.cost)

    def _count(self, found: Sequence[Sequence[CaseResult | None]]) -> None:
        """Add the simulated time and the wall time of results to the totals of the search.

        Args:
            found: For each candidate, its result in each case. None: not evaluated.
        """
        tried = [result for results in found for result in results if result is not None]
        self.result.simulated_s += sum(result.simulated_s for result in tried)
        self.result.physics_s += sum(result.physics_s for result in tried)

    def _stop_reason(self, budget: Budget, seconds: float) -> str:
        """Return the reason to end the search, or an empty text if it should continue.

        Args:
            budget: Limits of the search.
            seconds: Wall time since the start of `run`, s.
        """
        optimizer = self.result.optimizer
        if optimizer.stop is not None:
            return optimizer.stop
        if optimizer.generations >= budget.generations:
            return f"the limit of {budget.generations} generations is reached"
        reached = sum(entry["succeeded"] == len(self.problem.cases) for entry in self.result.history)
        if budget.settled is not None and reached >= budget.settled:
            return f"all cases have succeeded for {reached} generations"
        if budget.seconds is not None and seconds >= budget.seconds:
            return f"the limit of {budget.seconds:g} s is reached"
        return ""

    def _initial_result(self) -> SearchResult:
        optimizer = make_optimizer(
            self.plan.optimizer,
            np.zeros(len(self.problem.search_space)),
            self.plan.sigma,
            seed=self.plan.seed,
            bounds=self.problem.search_space.bounds,
            population=self.plan.population,
        )
        if self._checkpoint is None or not self._checkpoint.is_file():
            return SearchResult(optimizer)
        sweep_temporaries(self._checkpoint.parent)
        data = read_checkpoint(self._checkpoint, self._digest, asdict(self.plan), len(self.problem.cases), optimizer)
        history = [dict(entry) for entry in data.history]
        best, first = data.best.score(), data.first.score()
        return SearchResult(optimizer, best, first, history, data.simulated_s, data.physics_s, data.wall_s)

    def _save(self) -> None:
        if self._checkpoint is None:
            return
        result = self.result
        data = {
            "problem": self._digest,
            "plan": asdict(self.plan),
            "best": asdict(result.best),
            "first": asdict(result.first),
            "history": result.history,
            "simulated_s": result.simulated_s,
            "physics_s": result.physics_s,
            "wall_s": result.wall_s,
            "values": self.problem.search_space.values(result.x),
        }
        write_checkpoint(self._checkpoint, data)


def _hardest_first(best: Score) -> list[int]:
    """Return the indices of the cases, beginning with the case in which the best candidate so far costs most."""
    return sorted(range(len(best.costs)), key=lambda i: (-best.costs[i], i))
