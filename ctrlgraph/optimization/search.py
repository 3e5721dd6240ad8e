"""A search: generations of candidates, the best so far, and a checkpoint after each."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.experiments.worker_pool import WorkerPool
from ctrlgraph.optimization.candidate import CaseResult
from ctrlgraph.optimization.checkpoint import VERSION, Whole, read_checkpoint, sweep_checkpoints, write_checkpoint
from ctrlgraph.optimization.cmaes import Optimizer, make_optimizer
from ctrlgraph.optimization.evaluation import evaluate_all
from ctrlgraph.optimization.objective import Score, score
from ctrlgraph.optimization.problem import Problem

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Budget:
    """generations at most; seconds of wall time at most (checked after each generation; None: no limit); settled: it
    ends after so many generations in which the best candidate held in all cases (None: it does not)."""

    generations: int = 200
    seconds: float | None = None
    settled: int | None = None


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """How to search: the optimiser ("1+1" or "cma"), its first step size in spreads, population, restarts, seed."""

    optimizer: str = "cma"
    sigma: float = 1.0
    population: int | None = None
    restarts: int = 0
    seed: int = 0


@dataclass(frozen=True)
class Generation:
    """One generation as it is shown and kept: number, evaluations so far, its best cost, the best ever, step size."""

    number: int
    evaluations: int
    cost: float
    best: Score
    sigma: float
    wall_s: float
    simulated_s: float


@dataclass
class SearchState:
    """What a checkpoint holds: the optimiser, the best candidate and the course of the search."""

    optimizer: Optimizer
    best_x: FloatArray
    best: Score | None = None
    first: Score | None = None
    history: list[dict[str, Any]] = field(default_factory=list)
    median: float = math.inf
    simulated_s: float = 0.0
    physics_s: float = 0.0
    wall_s: float = 0.0


@dataclass(frozen=True)
class SearchResult:
    """x: the best candidate (n,); first: the score of the present constants; physics_s: wall time within the
    simulation, of all processes together; stopped: why it ended."""

    x: FloatArray
    best: Score
    first: Score
    generations: int
    evaluations: int
    simulated_s: float
    physics_s: float
    wall_s: float
    stopped: str
    history: tuple[dict[str, Any], ...]

    @property
    def improved(self) -> bool:
        return self.best.cost < self.first.cost


class CandidateSearch:
    """Looks for the constants that cost least in a problem.

    The result depends on problem, plan and generations alone: not on the number of workers, nor on how often it
    was interrupted and gone on with from its checkpoint.
    """

    def __init__(self, problem: Problem, plan: SearchPlan, pool: WorkerPool, checkpoint: Path | None = None) -> None:
        """
        Raises:
            CtrlGraphError: the checkpoint is damaged or belongs to another problem.
        """
        self.problem = problem
        self.plan = plan
        self._crew = pool
        self._checkpoint = checkpoint
        self._digest = problem.digest
        self.state = self._begun()

    def run(self, budget: Budget, observe: Callable[[Generation], None] = lambda _: None) -> SearchResult:
        """Search until the optimiser stops or the budget is used up.

        Raises:
            Interrupted: at Ctrl-C; the checkpoint holds all generations that had ended.
        """
        state, began, before = self.state, time.perf_counter(), self.state.wall_s
        if state.first is None:
            self._look_at_present()
            state.wall_s = before + time.perf_counter() - began
        stopped = self._why_not(budget, 0.0)
        while not stopped:
            cost = self._generation()
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
            stopped = self._why_not(budget, state.wall_s - before)
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

    def _look_at_present(self) -> None:
        """The cost of the constants as they are: what has to be beaten."""
        state, present = self.state, np.zeros(len(self.problem.search_space))
        [results] = evaluate_all(self.problem, self._digest, [present], self._crew)
        self._count([results])
        state.first = state.best = score(self.problem.objective, results, present)
        state.best_x = present

    def _generation(self) -> float:
        """Ask, evaluate, tell; the generation's best cost."""
        state = self.state
        candidates = state.optimizer.ask()
        assert state.best is not None
        limit, order = self._limit(len(candidates)), _hardest_first(state.best)
        found = evaluate_all(self.problem, self._digest, candidates, self._crew, limit=limit, order=order)
        scores = [score(self.problem.objective, results, x) for results, x in zip(found, candidates, strict=True)]
        costs = np.array([each.cost for each in scores])
        state.optimizer.tell(candidates, costs)
        state.median = float(np.median(costs))
        self._count(found)
        best = int(np.argmin(costs))
        if costs[best] < state.best.cost:
            state.best, state.best_x = scores[best], np.array(candidates[best])
        entry = {"cost": float(costs[best]), "best": state.best.cost, "held": state.best.held}
        state.history.append(entry | {"sigma": state.optimizer.sigma, "terms": dict(scores[best].terms)})
        return float(costs[best])

    def _limit(self, population: int) -> float:
        """The cost above which the optimiser need not know a candidate's cost well.

        A single candidate is only compared with the best; of several, half count for the next mean, so what is
        worse than half of the last generation does not.
        """
        assert self.state.best is not None
        return self.state.best.cost if population == 1 else max(self.state.median, self.state.best.cost)

    def _count(self, found: Sequence[Sequence[CaseResult | None]]) -> None:
        """How much was simulated, and how long that took."""
        tried = [result for results in found for result in results if result is not None]
        self.state.simulated_s += sum(result.simulated_s for result in tried)
        self.state.physics_s += sum(result.physics_s for result in tried)

    def _why_not(self, budget: Budget, seconds: float) -> str:
        """Why the search ends here; empty where it goes on."""
        if self.state.optimizer.stop is not None:
            return self.state.optimizer.stop.explanation
        if self.state.optimizer.generations >= budget.generations:
            return f"its {budget.generations} generations are over"
        held = sum(entry["held"] == len(self.problem.cases) for entry in self.state.history)
        if budget.settled is not None and held >= budget.settled:
            return f"everything has held for {held} generations"
        if budget.seconds is not None and seconds >= budget.seconds:
            return f"its {budget.seconds:g} s are over"
        return ""

    def _begun(self) -> SearchState:
        if self._checkpoint is not None and self._checkpoint.is_file():
            return self._restored(self._checkpoint)
        return self._new()

    def _new(self) -> SearchState:
        n = len(self.problem.search_space)
        optimizer = make_optimizer(
            self.plan.optimizer,
            np.zeros(n),
            self.plan.sigma,
            seed=self.plan.seed,
            bounds=self.problem.search_space.bounds,
            population=self.plan.population,
            restarts=self.plan.restarts,
        )
        return SearchState(optimizer, np.zeros(n))

    def _save(self) -> None:
        if self._checkpoint is None:
            return
        state = self.state
        assert state.best is not None and state.first is not None
        data = {
            "version": VERSION,
            "problem": self._digest,
            "plan": asdict(self.plan),
            "optimizer": state.optimizer.state(),
            "best_x": state.best_x.tolist(),
            "best": state.best.as_dict(),
            "first": state.first.as_dict(),
            "history": state.history,
            "median": state.median if math.isfinite(state.median) else None,
            "simulated_s": state.simulated_s,
            "physics_s": state.physics_s,
            "wall_s": state.wall_s,
            "values": self.problem.search_space.values(state.best_x),
        }
        write_checkpoint(self._checkpoint, data)

    def _restored(self, path: Path) -> SearchState:
        sweep_checkpoints(path)
        fresh = self._new()
        whole = Whole(
            digest=self._digest,
            plan=asdict(self.plan),
            cases=len(self.problem.cases),
            bounds=self.problem.search_space.bounds,
            optimizer=fresh.optimizer.state(),
        )
        data, optimizer = read_checkpoint(path, whole)
        return SearchState(
            optimizer=optimizer,
            best_x=np.array(data.best_x, dtype=np.float64),
            best=data.best.score(),
            first=data.first.score(),
            history=[entry.model_dump() for entry in data.history],
            median=math.inf if data.median is None else data.median,
            simulated_s=data.simulated_s,
            physics_s=data.physics_s,
            wall_s=data.wall_s,
        )


def _hardest_first(best: Score) -> list[int]:
    """The cases by what they cost the best candidate, the dearest first."""
    return sorted(range(len(best.costs)), key=lambda i: (-best.costs[i], i))
