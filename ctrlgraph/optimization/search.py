"""A search: generations of candidates, the best candidate so far, and a checkpoint after each generation."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.experiments.worker_pool import DeadlineExceeded, WorkerPool
from ctrlgraph.files import sweep_temporaries
from ctrlgraph.optimization.candidate import CaseResult
from ctrlgraph.optimization.checkpoint import read_checkpoint, write_checkpoint
from ctrlgraph.optimization.cmaes import Optimizer, make_optimizer
from ctrlgraph.optimization.cost import Score, score
from ctrlgraph.optimization.evaluation import evaluate_all
from ctrlgraph.optimization.problem import Problem

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a search."""

    generations: int = 200
    """Maximum number of generations."""
    seconds: float | None = None
    """Maximum wall time, s. A generation in progress at that time is abandoned. None: no limit."""
    settled: int | None = None
    """Number of generations with success in all cases after which the search ends. None: no limit."""


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """Settings of a search."""

    optimizer: str = "cma"
    """Kind of optimiser, "1+1" or "cma"."""
    sigma: float = 1.0
    """Initial step size, in prior scales."""
    population: int | None = None
    """Candidates per generation of "cma". None: default."""
    restarts: int = 0
    """Maximum number of restarts."""
    seed: int = 0
    """Seed of the optimiser."""


@dataclass(frozen=True)
class Generation:
    """One generation, for display."""

    number: int
    """Index of the generation, from 1."""
    evaluations: int
    """Number of evaluations so far."""
    cost: float
    """Minimum cost of the generation."""
    best: Score
    """Score of the best candidate so far."""
    sigma: float
    """Step size."""
    wall_s: float
    """Wall time so far, s."""
    simulated_s: float
    """Simulated time so far, s."""


@dataclass
class SearchState:
    """The progress of a search."""

    optimizer: Optimizer
    best: Score | None = None
    """Score of the best candidate, or of the present constants while they are better."""
    first: Score | None = None
    """Score of the present constants."""
    history: list[dict[str, Any]] = field(default_factory=list)
    """Fields of `checkpoint.GenerationData` of each generation."""
    asked: FloatArray | None = None
    """Candidates of a generation that was abandoned, (population, n)."""
    simulated_s: float = 0.0
    physics_s: float = 0.0
    wall_s: float = 0.0

    @property
    def best_x(self) -> FloatArray:
        """Best candidate, (n,), or zeros while the present constants are better."""
        assert self.best is not None and self.first is not None
        x = self.optimizer.best_x
        return x if self.best.cost < self.first.cost else np.zeros_like(x)


@dataclass(frozen=True)
class SearchResult:
    """Result of a search."""

    x: FloatArray
    """Best candidate, (n,)."""
    best: Score
    """Score of the best candidate."""
    first: Score
    """Score of the present constants."""
    generations: int
    evaluations: int
    simulated_s: float
    physics_s: float
    """Wall time of the simulations, summed over all processes, s."""
    wall_s: float
    stopped: str
    """Reason why the search ended."""
    history: tuple[dict[str, Any], ...]

    @property
    def improved(self) -> bool:
        """True if the best candidate costs less than the present constants."""
        return self.best.cost < self.first.cost


class CandidateSearch:
    """Search for the constants of minimum cost.

    The result depends only on problem, plan and generations. The number of workers and interruptions do not influence
    it.
    """

    def __init__(self, problem: Problem, plan: SearchPlan, pool: WorkerPool, checkpoint: Path | None = None) -> None:
        """
        Args:
            problem: Problem to solve.
            plan: Search plan.
            pool: Worker pool.
            checkpoint: File to resume from and to write after each generation.

        Raises:
            CtrlGraphError: The checkpoint is damaged or belongs to another search.
        """
        self.problem = problem
        self.plan = plan
        self._pool = pool
        self._checkpoint = checkpoint
        self._digest = problem.digest
        self.state = self._initial_state()

    def run(self, budget: Budget, observe: Callable[[Generation], None] = lambda _: None) -> SearchResult:
        """Search until the optimiser stops or the budget is used up.

        Args:
            budget: Budget of the search.
            observe: Called after each generation.

        Raises:
            Interrupted: Ctrl-C was pressed. The checkpoint contains all completed generations.
        """
        state, began, before = self.state, time.perf_counter(), self.state.wall_s
        if state.first is None:
            self._evaluate_present()
            state.wall_s = before + time.perf_counter() - began
        deadline = math.inf if budget.seconds is None else time.monotonic() + budget.seconds - state.wall_s + before
        stopped = self._stop_reason(budget, 0.0)
        while not stopped:
            try:
                cost = self._generation(deadline)
            except DeadlineExceeded:
                state.wall_s = before + time.perf_counter() - began
                stopped = self._stop_reason(budget, math.inf)
                break
            state.wall_s = before + time.perf_counter() - began
            assert state.best is not None
            observe(
                Generation(
                    number=state.optimizer.generations,
                    evaluations=state.optimizer.evaluations + 1,
                    cost=cost,
                    best=state.best,
                    sigma=state.optimizer.sigma,
                    wall_s=state.wall_s,
                    simulated_s=state.simulated_s,
                )
            )
            self._save()
            stopped = self._stop_reason(budget, state.wall_s - before)
        assert state.best is not None and state.first is not None
        return SearchResult(
            x=state.best_x,
            best=state.best,
            first=state.first,
            generations=state.optimizer.generations,
            evaluations=state.optimizer.evaluations + 1,
            simulated_s=state.simulated_s,
            physics_s=state.physics_s,
            wall_s=state.wall_s,
            stopped=stopped,
            history=tuple(state.history),
        )

    def _evaluate_present(self) -> None:
        """Evaluate the present constants."""
        state, present = self.state, np.zeros(len(self.problem.search_space))
        [results] = evaluate_all(self.problem, self._digest, [present], self._pool)
        self._count([results])
        state.first = state.best = score(self.problem.objective, results, present)

    def _generation(self, deadline: float) -> float:
        """Perform one generation and return its minimum cost."""
        state = self.state
        if state.asked is None:
            state.asked = state.optimizer.ask()
        candidates = state.asked
        assert state.best is not None
        limit, order = self._limit(len(candidates)), _hardest_first(state.best)
        found = evaluate_all(
            self.problem, self._digest, candidates, self._pool, limit=limit, order=order, deadline=deadline
        )
        scores = [score(self.problem.objective, results, x) for results, x in zip(found, candidates, strict=True)]
        costs = np.array([each.cost for each in scores])
        state.optimizer.tell(candidates, costs)
        state.asked = None
        self._count(found)
        best = int(np.argmin(costs))
        if costs[best] < state.best.cost:
            state.best = scores[best]
        state.history.append(
            {
                "cost": float(costs[best]),
                "best": state.best.cost,
                "succeeded": state.best.succeeded,
                "sigma": state.optimizer.sigma,
                "terms": dict(scores[best].terms),
                "costs": costs.tolist(),
            }
        )
        return float(costs[best])

    def _limit(self, population: int) -> float:
        """Return the cost above which a candidate is abandoned. Its exact cost above this limit does not influence the
        search.

        A single candidate is only compared with the best. In a population, half of the candidates contribute to the
        next mean. The exact ranking of candidates worse than the median of the last generation is therefore
        unimportant.
        """
        assert self.state.best is not None
        if population == 1:
            return self.state.best.cost
        if not self.state.history:
            return math.inf
        return max(float(np.median(self.state.history[-1]["costs"])), self.state.best.cost)

    def _count(self, found: Sequence[Sequence[CaseResult | None]]) -> None:
        """Add simulated time and wall time."""
        tried = [result for results in found for result in results if result is not None]
        self.state.simulated_s += sum(result.simulated_s for result in tried)
        self.state.physics_s += sum(result.physics_s for result in tried)

    def _stop_reason(self, budget: Budget, seconds: float) -> str:
        """Return the reason to end the search, empty without any."""
        if self.state.optimizer.stop is not None:
            return self.state.optimizer.stop.explanation
        if self.state.optimizer.generations >= budget.generations:
            return f"its {budget.generations} generations are over"
        reached = sum(entry["succeeded"] == len(self.problem.cases) for entry in self.state.history)
        if budget.settled is not None and reached >= budget.settled:
            return f"all cases have succeeded for {reached} generations"
        if budget.seconds is not None and seconds >= budget.seconds:
            return f"its {budget.seconds:g} s are over"
        return ""

    def _initial_state(self) -> SearchState:
        search_space = self.problem.search_space
        optimizer = make_optimizer(
            self.plan.optimizer,
            np.zeros(len(search_space)),
            self.plan.sigma,
            seed=self.plan.seed,
            bounds=search_space.bounds,
            population=self.plan.population,
            restarts=self.plan.restarts,
        )
        if self._checkpoint is None or not self._checkpoint.is_file():
            return SearchState(optimizer)
        sweep_temporaries(self._checkpoint.parent)
        plan = asdict(self.plan)
        data = read_checkpoint(self._checkpoint, self._digest, plan, len(self.problem.cases), optimizer)
        return SearchState(
            optimizer=optimizer,
            best=data.best.score(),
            first=data.first.score(),
            history=[dict(entry) for entry in data.history],
            simulated_s=data.simulated_s,
            physics_s=data.physics_s,
            wall_s=data.wall_s,
        )

    def _save(self) -> None:
        if self._checkpoint is None:
            return
        state = self.state
        assert state.best is not None and state.first is not None
        data = {
            "problem": self._digest,
            "plan": asdict(self.plan),
            "best": asdict(state.best),
            "first": asdict(state.first),
            "history": state.history,
            "simulated_s": state.simulated_s,
            "physics_s": state.physics_s,
            "wall_s": state.wall_s,
            "values": self.problem.search_space.values(state.best_x),
        }
        write_checkpoint(self._checkpoint, data)


def _hardest_first(best: Score) -> list[int]:
    """Return the cases by descending cost of the best candidate."""
    return sorted(range(len(best.costs)), key=lambda i: (-best.costs[i], i))
