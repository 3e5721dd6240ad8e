"""Validation of constants: the number of successes in held-out cases, which the search did not use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.learning.candidate import CaseResult
from ctrlgraph.learning.evaluation import evaluate_all
from ctrlgraph.learning.problem import Problem
from ctrlgraph.robustness.worker_pool import WorkerPool
from ctrlgraph.statistics import ALPHA, NONE, SuccessCount, fisher_p


@dataclass(frozen=True)
class Validation:
    """Results of a set of constants in held-out cases, with the number of successes."""

    results: tuple[CaseResult, ...]
    """Result of each case, in the order of `Problem.cases`."""
    engines: tuple[str, ...] = ()
    """Name of the engine of each case, in the same order."""

    @property
    def trials(self) -> int:
        """Number of cases."""
        return len(self.results)

    @property
    def successes(self) -> int:
        """Number of cases in which all controllers of the test and of the recovery after it succeeded."""
        return sum(result.succeeded for result in self.results)

    @property
    def count(self) -> SuccessCount:
        """Number of successful cases and of all cases, with a confidence interval of the share."""
        return SuccessCount(self.successes, self.trials)

    @property
    def mean_s(self) -> float:
        """Mean simulated duration of the successful cases, s; 0 without successful cases."""
        times = [result.simulated_s for result in self.results if result.succeeded]
        return sum(times) / len(times) if times else 0.0

    @property
    def by_engine(self) -> dict[str, SuccessCount]:
        """Number of successful cases and of all cases on each engine, by name of the engine."""
        outcomes: dict[str, list[bool]] = {}
        for engine, result in zip(self.engines, self.results, strict=False):
            outcomes.setdefault(engine, []).append(result.succeeded)
        return {engine: SuccessCount.of(each) for engine, each in outcomes.items()}

    def as_dict(self) -> dict[str, Any]:
        """Return the counts as data for learned files. With several engines, "engines" contains the counts of each."""
        counts = _rounded(self.count) | {"mean_s": round(self.mean_s, 4)}
        by_engine = self.by_engine
        if len(by_engine) < 2:
            return counts
        return counts | {"engines": {engine: _rounded(count) for engine, count in by_engine.items()}}

    def sentence(self) -> str:
        """Return the counts as text for messages. With several engines, those of each engine follow in brackets."""
        by_engine = self.by_engine
        if len(by_engine) < 2:
            return str(self.count)
        return f"{self.count} [{', '.join(f'{engine} {count}' for engine, count in by_engine.items())}]"


def _rounded(count: SuccessCount) -> dict[str, Any]:
    low, high = count.interval
    return {"trials": count.trials, "successes": count.successes, "low": round(low, 4), "high": round(high, 4)}


def worse_engine(before: Validation, after: Validation) -> str | None:
    """Return the first engine on which a change of constants makes significantly fewer cases succeed, or None.

    Significance is that of Fisher's exact test. More successes on another engine do not compensate for the loss. With a
    single engine, the result is None.

    Args:
        before: Results before the change.
        after: Results after the change.
    """
    counts, known = after.by_engine, before.by_engine
    for engine, new in counts.items() if len(counts) > 1 else ():
        old = known.get(engine, NONE)
        fewer = new.successes * old.trials < old.successes * new.trials
        if fewer and fisher_p(old, new) < ALPHA:
            return engine
    return None


def verify(problem: Problem, x: Sequence[float] | NDArray[np.float64], pool: WorkerPool) -> Validation:
    """Validate constants: simulate them in all cases of a problem and return the results.

    Args:
        problem: Search problem with the held-out cases.
        x: Coordinates of the constants in the search space of the problem, (n,).
        pool: Worker pool that simulates the cases.

    Raises:
        Interrupted: Ctrl-C was pressed.
    """
    [results] = evaluate_all(problem, problem.digest, [np.asarray(x, dtype=np.float64)], pool)
    tried = [(case, result) for case, result in zip(problem.cases, results, strict=True) if result is not None]
    return Validation(tuple(result for _, result in tried), tuple(case.perturbations.engine for case, _ in tried))
