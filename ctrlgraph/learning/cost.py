"""The cost of a candidate: a weighted sum of terms in each case, combined into the mean and the worst case."""

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
"""Weights of the cost terms for `tune`: success in all cases first. The other terms preserve the motion."""

LEARNING: dict[str, float] = {**TUNING, "com": 1.0, "trunk": 1.0, "joints": 0.1}
"""Weights of the cost terms for `learn`: success in all cases first. The terms "com", "trunk" and "joints" keep the
target near its usual trajectory (Firmin 2014, section 6.2.2).
"""

ROUNDING = 1e-12
"""Relative tolerance of comparisons of costs."""

EXTRA, STRAIGHT = 5.0, 4.0
"""Maximum of the weighted sum of cost terms other than "failure", and the sum up to which it is unchanged (`bent`)."""


@dataclass(frozen=True)
class Score:
    """Cost of a candidate, with its terms and its success in the cases of the search."""

    cost: float
    """Cost that the search minimises."""
    terms: Mapping[str, float]
    """Mean of each cost term over the evaluated cases, by name, without weights."""
    succeeded: int
    """Number of cases in which all controllers succeeded."""
    cases: int
    """Number of cases."""
    worst: int
    """Index of the case with the maximum cost."""
    reason: str
    """Failed node and reason in the worst case, empty if that case succeeded."""
    costs: tuple[float, ...] = ()
    """Cost of each case. NaN: not evaluated, because the candidate was already too costly."""

    def as_dict(self) -> dict[str, Any]:
        """Return the score as data for JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__} | {
            "terms": dict(self.terms),
            "costs": [cost if math.isfinite(cost) else None for cost in self.costs],
        }


def score(objective: Objective, results: Sequence[CaseResult | None], x: FloatArray) -> Score:
    """Combine the results of a candidate in all cases into its score.

    The cost is the weighted mean of the mean case cost and the maximum case cost, plus the weighted term "change".

    Args:
        objective: Weights of the cost terms and of the worst case.
        results: Result of each case. None: not evaluated. At least one case must be evaluated.
        x: Coordinates of the candidate in the search space, (n,).
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
    """Return the cost term "change": the mean square of the changes of all parameters from their original values.

    Args:
        x: Changes of the parameters, (n,), in prior scales (step sizes at the start of the search).
    """
    return float(np.mean(np.square(x))) if len(x) else 0.0


def least_cost(objective: Objective, costs: Sequence[float], cases: int, x: FloatArray) -> float:
    """Return a lower bound of the cost of a candidate of which only some cases have been evaluated.

    The other cases count as 0, since no cost term is negative. The bound is reduced by a rounding tolerance, so that a
    candidate whose cost is exactly the limit of the search is not abandoned.

    Args:
        objective: Weights of the cost terms and of the worst case.
        costs: Costs of the cases evaluated so far, at least one.
        cases: Number of all cases.
        x: Coordinates of the candidate in the search space, (n,).
    """
    least = (sum(costs) / cases + objective.worst * max(costs)) / (1.0 + objective.worst)
    least += objective.weights.get("change", 0.0) * mean_change(x)
    return least * (1.0 - ROUNDING)


def case_cost(objective: Objective, result: CaseResult) -> float:
    """Return the cost of a candidate in one case: the weighted sum of the cost terms, with limits.

    In a successful case, `bent` limits the sum to `EXTRA`. In a failed case, `EXTRA` takes the place of all terms but
    "failure": most terms grow with the simulated time, and a candidate must not gain by an early fall. A failed case
    therefore always costs more than a successful one.

    Args:
        objective: Weights of the cost terms.
        result: Result of the case.
    """
    weights = objective.weights
    failure = weights.get("failure", 1.0) * result.terms.get("failure", 0.0)
    if not result.succeeded:
        return failure + EXTRA
    return bent(sum(weights.get(name, 0.0) * value for name, value in result.terms.items() if name != "failure"))


def bent(extra: float) -> float:
    """Limit the weighted sum of the cost terms other than "failure" to less than `EXTRA`.

    A sum up to `STRAIGHT` is unchanged. Above, the result approaches `EXTRA`, but keeps rising, so that a search can
    also improve candidates far from the optimum.

    Args:
        extra: Weighted sum of the cost terms other than "failure".
    """
    room = EXTRA - STRAIGHT
    return extra if extra <= STRAIGHT else EXTRA - room * room / (extra - STRAIGHT + room)
