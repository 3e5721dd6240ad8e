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
from ctrlgraph.statistics import ALPHA, NONE, SuccessCount, fisher_p


@dataclass(frozen=True)
class Validation:
    """successes of trials; results: of each case, in the problem's order; engines: the one of each."""

    results: tuple[CaseResult, ...]
    engines: tuple[str, ...] = ()

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

    @property
    def by_engine(self) -> dict[str, SuccessCount]:
        """Return the count of each engine's trials by itself, in the order in which the engines were tried."""
        held: dict[str, list[bool]] = {}
        for engine, result in zip(self.engines, self.results, strict=False):
            held.setdefault(engine, []).append(result.held)
        return {engine: SuccessCount.of(outcomes) for engine, outcomes in held.items()}

    def as_dict(self) -> dict[str, Any]:
        """Return it as learned files keep it; `engines` where there are several."""
        counts = _rounded(self.count) | {"mean_s": round(self.mean_s, 4)}
        by_engine = self.by_engine
        if len(by_engine) < 2:
            return counts
        return counts | {"engines": {engine: _rounded(count) for engine, count in by_engine.items()}}

    def sentence(self) -> str:
        """Return the count as people read it, with that of each engine where there are several."""
        by_engine = self.by_engine
        if len(by_engine) < 2:
            return str(self.count)
        return f"{self.count} [{', '.join(f'{engine} {count}' for engine, count in by_engine.items())}]"


def _rounded(count: SuccessCount) -> dict[str, Any]:
    low, high = count.interval
    return {"trials": count.trials, "successes": count.successes, "low": round(low, 4), "high": round(high, 4)}


def engine_that_loses(before: Validation, after: Validation) -> str | None:
    """Return an engine on which less holds than before, by more than chance (Fisher's exact test): what is gained on
    another one does not make up for that. None where there is no such engine, or only one at all."""
    counts, known = after.by_engine, before.by_engine
    for engine, new in counts.items() if len(counts) > 1 else ():
        old = known.get(engine, NONE)
        fewer = new.successes * old.trials < old.successes * new.trials
        if fewer and fisher_p(old, new) < ALPHA:
            return engine
    return None


def verify(problem: Problem, x: Sequence[float] | NDArray[np.float64], pool: WorkerPool) -> Validation:
    """Return the cases of a problem with the constants at x.

    Raises:
        Interrupted: at Ctrl-C.
    """
    [results] = evaluate_all(problem, problem.digest, [np.asarray(x, dtype=np.float64)], pool)
    tried = [(case, result) for case, result in zip(problem.cases, results, strict=True) if result is not None]
    return Validation(tuple(result for _, result in tried), tuple(case.how.engine for case, _ in tried))
