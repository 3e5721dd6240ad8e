"""What all optimisers share: the record of what was told, the rules for ending, the bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ctrlgraph.optimization.cmaes.bounds import Bounds, bounds_state
from ctrlgraph.optimization.cmaes.encoding import array, nested
from ctrlgraph.optimization.cmaes.interface import FloatArray, Stop
from ctrlgraph.optimization.cmaes.record import OptimizerRecord
from ctrlgraph.optimization.cmaes.stopping import PriorScale, StopRules, goal_or_budget, nothing_left


class OptimizerBase:
    """Base of the optimisers; they add how points are drawn and what is learnt from their costs.

    Where there are bounds, points of an unbounded space are drawn and learnt from, and folded to candidates.
    """

    def __init__(self, record: OptimizerRecord, rules: StopRules, bounds: Bounds | None) -> None:
        self._record = record
        self._rules = rules
        self._bounds = bounds
        self._asked: FloatArray | None = None  # the points behind the last candidates, where there are bounds

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

    def spread(self) -> PriorScale:
        """Return the distribution of candidates as it stands."""
        raise NotImplementedError

    def _candidates(self, points: FloatArray) -> FloatArray:
        """The candidates that points, (m, n), are shown as."""
        if self._bounds is None:
            return points
        self._asked = points
        return self._bounds.fold(points)

    def _points(self, candidates: FloatArray) -> FloatArray:
        """The points behind candidates, (m, n): those that were drawn, or the nearest for a candidate of another's."""
        if self._bounds is None:
            return candidates
        points = self._bounds.unfold(candidates)
        if self._asked is not None:
            drawn = np.all(self._bounds.fold(self._asked) == candidates, axis=1)
            points[drawn] = self._asked[drawn]
        return points

    def _shared_state(self) -> dict[str, Any]:
        return {
            "record": self._record.as_state(),
            "rules": self._rules.as_state(),
            "bounds": bounds_state(self._bounds),
            "asked": nested(self._asked),
        }

    def _restore_shared(self, state: Mapping[str, Any]) -> None:
        self._record = OptimizerRecord.of_state(state["record"])
        self._asked = array(state["asked"])
