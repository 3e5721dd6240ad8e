"""What all optimisers share: the record of what was told, the rules for ending, the bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ctrlgraph.learning.optimizers.encoding import known_array, nested
from ctrlgraph.learning.optimizers.interface import FloatArray, Stop
from ctrlgraph.learning.optimizers.record import Record
from ctrlgraph.learning.optimizers.stopping import Spread, StopRules, goal_or_budget, nothing_left

DRAWS = 10
"""So often a candidate is drawn until it is within the bounds; the last one is clipped to them."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The box that candidates are within: low and high, (n,), infinite where there is no bound."""

    low: FloatArray
    high: FloatArray

    def contain(self, x: FloatArray) -> bool:
        """Whether x, (n,), is within."""
        return bool(np.all(x >= self.low) and np.all(x <= self.high))

    def clip(self, x: FloatArray) -> FloatArray:
        """The point within that is nearest to x, (n,)."""
        return np.clip(x, self.low, self.high)

    def as_state(self) -> dict[str, Any]:
        """The bounds as JSON."""
        return {"low": nested(self.low), "high": nested(self.high)}

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> Bounds:
        """The bounds from `as_state`."""
        return cls(known_array(state["low"]), known_array(state["high"]))


def bounds_state(bounds: Bounds | None) -> dict[str, Any] | None:
    """The bounds as JSON, None if there are none."""
    return None if bounds is None else bounds.as_state()


def bounds_of_state(state: Mapping[str, Any] | None) -> Bounds | None:
    """The bounds from `bounds_state`."""
    return None if state is None else Bounds.of_state(state)


class Search:
    """Base of the optimisers; they add how candidates are drawn and what is learnt from their costs."""

    def __init__(self, record: Record, rules: StopRules, bounds: Bounds | None) -> None:
        self._record = record
        self._rules = rules
        self._bounds = bounds

    @property
    def best_x(self) -> FloatArray:
        return self._record.best_x.copy()

    @property
    def best_cost(self) -> float:
        return self._record.best_cost

    @property
    def generations(self) -> int:
        return self._record.generations

    @property
    def evaluations(self) -> int:
        return self._record.evaluations

    @property
    def stop(self) -> Stop | None:
        return goal_or_budget(self._record, self._rules) or nothing_left(self._record, self._rules, self.spread())

    def spread(self) -> Spread:
        """The distribution of candidates as it stands."""
        raise NotImplementedError

    def _shared_state(self) -> dict[str, Any]:
        return {
            "record": self._record.as_state(),
            "rules": self._rules.as_state(),
            "bounds": bounds_state(self._bounds),
        }
