"""Verification: how often something held in cases that no search has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.experiments.worker_pool import WorkerPool
from ctrlgraph.optimization.candidate import CaseResult
from ctrlgraph.optimization.evaluation import evaluate_all
from ctrlgraph.optimization.problem import Problem
from ctrlgraph.statistics import SuccessCount


@dataclass(frozen=True)
class Validation:
    """successes of trials; results: of each case, in the problem's order."""

    results: tuple[CaseResult, ...]

    @property
    def trials(self) -> int:
        return len(self.results)

    @property
    def successes(self) -> int:
        return sum(result.held for result in self.results)

    @property
    def count(self) -> SuccessCount:
        """Return the successes of the trials, with what that says of the share that holds."""
        return SuccessCount(self.successes, self.trials)

    @property
    def mean_s(self) -> float:
        """Return the mean duration of what held, s; 0 where nothing did."""
        times = [result.simulated_s for result in self.results if result.held]
        return sum(times) / len(times) if times else 0.0

    def as_dict(self) -> dict[str, Any]:
        low, high = self.count.interval
        return {
            "trials": self.trials,
            "successes": self.successes,
            "low": round(low, 4),
            "high": round(high, 4),
            "mean_s": round(self.mean_s, 4),
        }

    def sentence(self) -> str:
        return str(self.count)


def verify(problem: Problem, x: Sequence[float] | NDArray[np.float64], pool: WorkerPool) -> Validation:
    """Return the cases of a problem with the constants at x.

    Raises:
        Interrupted: at Ctrl-C.
    """
    [results] = evaluate_all(problem, problem.digest, [np.asarray(x, dtype=np.float64)], pool)
    return Validation(tuple(result for result in results if result is not None))
