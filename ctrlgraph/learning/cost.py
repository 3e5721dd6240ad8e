"""The cost of a candidate: the weighted terms of each case, their mean and the worst case."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.learning.problem import TERMS, Objective

if TYPE_CHECKING:
    from ctrlgraph.learning.candidate import CaseResult

FloatArray = NDArray[np.float64]

TUNING: dict[str, float] = {"failure": 1.0, "trunk": 0.1, "joints": 0.01, "saturation": 1.0, "change": 0.02}
"""Weights for `tune`: success in all cases first; the other terms preserve the motion."""

LEARNING: dict[str, float] = {**TUNING, "com": 1.0, "trunk": 1.0, "joints": 0.1}
"""Weights for `learn`: success in all cases, and the target's known trajectory (Firmin 2014, section 6.2.2)."""

ROUNDING = 1e-12
"""Relative tolerance of comparisons of costs."""

EXTRA, STRAIGHT = 5.0, 4.0
"""Limit of the cost of the terms other than the failure, and the end of its linear range."""


@dataclass(frozen=True)
class Score:
    """Cost of a candidate."""

    cost: float
    terms: Mapping[str, float]
    """Means over the cases."""
    succeeded: int
    """Number of cases in which all controllers succeeded."""
    cases: int
    """Number of cases."""
    worst: int
    """Index of the case with the maximum cost."""
    reason: str
    """Failure in the worst case, empty if it succeeded."""
    costs: tuple[float, ...] = ()
    """Cost of each case, NaN for cases after the candidate was abandoned."""

    def as_dict(self) -> dict[str, Any]:
        """Return the score as JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__} | {
            "terms": dict(self.terms),
            "costs": [cost if math.isfinite(cost) else None for cost in self.costs],
        }


def score(objective: Objective, results: Sequence[CaseResult | None], x: FloatArray) -> Score:
    """Return the cost of a candidate.

    Args:
        objective: Weights of the terms.
        results: Result of each case, None if it was left out.
        x: Coordinates of the candidate, (n,).
    """
    change = mean_change(x)
    costs = np.array([math.nan if result is None else case_cost(objective, result) for result in results])
    worst = int(np.nanargmax(costs))
    cost = float(np.nanmean(costs) + objective.worst * costs[worst]) / (1.0 + objective.worst)
    cost += objective.weights.get("change", 0.0) * change
    tried = [result for result in results if result is not None]
    means = {
        name: float(np.mean([result.terms.get(name, 0.0) for result in tried])) for name in TERMS if name != "change"
    }
    failed = results[worst]
    assert failed is not None
    reason = "" if failed.succeeded else f"{failed.failed}: {failed.reason}" if failed.failed else failed.reason
    return Score(
        cost=cost,
        terms=means | {"change": change},
        succeeded=sum(result.succeeded for result in tried),
        cases=len(results),
        worst=worst,
        reason=reason,
        costs=tuple(costs.tolist()),
    )


def mean_change(x: FloatArray) -> float:
    """Return the term `change` of a candidate."""
    return float(np.mean(np.square(x))) if len(x) else 0.0


def least_cost(objective: Objective, costs: Sequence[float], cases: int, x: FloatArray) -> float:
    """Return a lower bound of the cost of a candidate after some of its cases.

    No term is negative. A rounding error is subtracted from the bound, so that a candidate at the limit is not
    abandoned.

    Args:
        objective: Weights of the terms.
        costs: Costs of the cases so far.
        cases: Number of all cases.
        x: Coordinates of the candidate, (n,).
    """
    least = (sum(costs) / cases + objective.worst * max(costs)) / (1.0 + objective.worst)
    least += objective.weights.get("change", 0.0) * mean_change(x)
    return least * (1.0 - ROUNDING)


def case_cost(objective: Objective, result: CaseResult) -> float:
    """Return the weighted sum of one case's terms.

    Terms other than the failure depend on the simulated time, and a candidate must not gain by an early fall. In a
    failed case, these terms therefore have their maximum. A failed case always costs more than a successful one.

    Args:
        objective: Weights of the terms.
        result: Result of the case.
    """
    weights = objective.weights
    failure = weights.get("failure", 1.0) * result.terms.get("failure", 0.0)
    if not result.succeeded:
        return failure + EXTRA
    return bent(sum(weights.get(name, 0.0) * value for name, value in result.terms.items() if name != "failure"))


def bent(extra: float) -> float:
    """Return the cost of the terms other than the failure: linear up to STRAIGHT, then approaching EXTRA.

    The cost therefore has a slope even for candidates far from the optimum.
    """
    room = EXTRA - STRAIGHT
    return extra if extra <= STRAIGHT else EXTRA - room * room / (extra - STRAIGHT + room)
