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
from ctrlgraph.runs.statistics import wilson_interval


@dataclass(frozen=True)
class Verdict:
    """successes of trials; results: of each case, in the problem's order."""

    results: tuple[CaseResult, ...]

    @property
    def trials(self) -> int:
        return len(self.results)

    @property
    def successes(self) -> int:
        return sum(result.held for result in self.results)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval for the share that holds."""
        return wilson_interval(self.successes, self.trials)

    @property
    def mean_s(self) -> float:
        """Mean duration of what held, s; 0 where nothing did."""
        times = [result.simulated_s for result in self.results if result.held]
        return sum(times) / len(times) if times else 0.0

    def as_dict(self) -> dict[str, Any]:
        low, high = self.interval
        return {
            "trials": self.trials,
            "successes": self.successes,
            "low": round(low, 4),
            "high": round(high, 4),
            "mean_s": round(self.mean_s, 4),
        }

    def sentence(self) -> str:
        low, high = self.interval
        return f"{self.successes} of {self.trials} ({100 * low:.0f}-{100 * high:.0f} %)"


def verify(problem: Problem, x: Sequence[float] | NDArray[np.float64], pool: WorkerPool) -> Verdict:
    """The cases of a problem with the constants at x.

    Raises:
        Interrupted: at Ctrl-C.
    """
    [results] = evaluate_all(problem, problem.digest, [np.asarray(x, dtype=np.float64)], pool)
    return Verdict(tuple(result for result in results if result is not None))
