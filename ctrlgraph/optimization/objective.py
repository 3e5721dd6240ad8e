"""The cost of a candidate: weighted terms of each case, their mean and the worst case."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.optimization.problem import TERMS, Objective

if TYPE_CHECKING:
    from ctrlgraph.optimization.candidate import CaseResult

FloatArray = NDArray[np.float64]

TUNING: dict[str, float] = {"failure": 1.0, "trunk": 0.1, "joints": 0.01, "saturation": 1.0, "change": 0.02}
"""Weights for `tune`: what matters is that all cases hold; the rest keeps the motion what it is."""

LEARNING: dict[str, float] = {**TUNING, "com": 1.0, "trunk": 1.0, "joints": 0.1}
"""Weights for `learn`: the target's known trajectory is followed (Firmin 2014, section 6.2.2), and everything holds."""

ROUNDING = 1e-12

EXTRA, STRAIGHT = 5.0, 4.0
"""What the terms other than the failure cost at most, and up to where they count as they are."""


@dataclass(frozen=True)
class Score:
    """cost; terms: mean over the cases; held: cases in which everything held, of `cases`; worst: the one that cost
    most, and what failed there; costs: of each case, NaN where a hopeless candidate was given up before it."""

    cost: float
    terms: Mapping[str, float]
    held: int
    cases: int
    worst: int
    reason: str
    costs: tuple[float, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__} | {
            "terms": dict(self.terms),
            "costs": [cost if math.isfinite(cost) else None for cost in self.costs],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Score:
        """Return what `as_dict` made."""
        costs = tuple(math.nan if cost is None else float(cost) for cost in data["costs"])
        return cls(**{**data, "costs": costs})


def score(objective: Objective, results: Sequence[CaseResult | None], x: FloatArray) -> Score:
    """Return the cost of a candidate x from what came of it in the cases; None for those that were not tried."""
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
    reason = "" if failed.held else f"{failed.failed}: {failed.reason}" if failed.failed else failed.reason
    return Score(
        cost=cost,
        terms=means | {"change": change},
        held=sum(result.held for result in tried),
        cases=len(results),
        worst=worst,
        reason=reason,
        costs=tuple(costs.tolist()),
    )


def mean_change(x: FloatArray) -> float:
    """Return the term `change` of a candidate."""
    return float(np.mean(np.square(x))) if len(x) else 0.0


def least_cost(objective: Objective, costs: Sequence[float], cases: int, x: FloatArray) -> float:
    """Return what a candidate costs at least, of whose cases only some have been tried: no term is negative.

    Less a little, so that whoever costs as much as the limit is not given up for a rounding.
    """
    least = (sum(costs) / cases + objective.worst * max(costs)) / (1.0 + objective.worst)
    least += objective.weights.get("change", 0.0) * mean_change(x)
    return least * (1.0 - ROUNDING)


def case_cost(objective: Objective, result: CaseResult) -> float:
    """Return the weighted sum of one case's terms.

    Terms other than the failure count for what was simulated only, so a candidate must not gain by falling early:
    where something failed, they are taken for as bad as they can be, and so a failed case always costs more than
    one that holds.
    """
    weights = objective.weights
    failure = weights.get("failure", 1.0) * result.terms.get("failure", 0.0)
    if not result.held:
        return failure + EXTRA
    return bent(sum(weights.get(name, 0.0) * value for name, value in result.terms.items() if name != "failure"))


def bent(extra: float) -> float:
    """Return what the terms other than the failure add: as it is up to STRAIGHT, from there on bent towards EXTRA,
    which it never reaches. So what is far off still has a slope."""
    room = EXTRA - STRAIGHT
    return extra if extra <= STRAIGHT else EXTRA - room * room / (extra - STRAIGHT + room)
