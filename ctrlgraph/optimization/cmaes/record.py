"""What a search was told: the best so far, how much, and how long nothing new has come of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.optimization.cmaes.encoding import known_array, nested, number
from ctrlgraph.optimization.cmaes.interface import FloatArray


@dataclass(slots=True)
class OptimizerRecord:
    """Counts and bests of one search.

    notable_cost, notable_generation: the last best cost that was better than the notable one before by more
    than the tolerance, and the generation that brought it; level_cost: what every candidate of the last
    level_generations generations cost.
    """

    best_x: FloatArray
    best_cost: float = math.inf
    generations: int = 0
    evaluations: int = 0
    notable_cost: float = math.inf
    notable_generation: int = 0
    level_cost: float = math.inf
    level_generations: int = 0

    def add(self, candidates: FloatArray, costs: FloatArray, tolerance: float) -> None:
        """Add one more generation, (m, n) and (m,), without nan; an improvement is notable beyond the tolerance."""
        self.generations += 1
        self.evaluations += costs.size
        least = int(np.argmin(costs))
        if costs[least] < self.best_cost:
            self.best_cost = float(costs[least])
            self.best_x = candidates[least].copy()
        if self.best_cost < self.notable_cost - tolerance:
            self.notable_cost = self.best_cost
            self.notable_generation = self.generations
        level = float(costs[0])
        if not np.all(costs == level):
            self.level_generations = 0
        elif level == self.level_cost and self.level_generations > 0:
            self.level_generations += 1
        else:
            self.level_generations = 1
        self.level_cost = level

    def as_state(self) -> dict[str, Any]:
        """Return the record as JSON."""
        return {
            "best_x": nested(self.best_x),
            "best_cost": number(self.best_cost),
            "generations": self.generations,
            "evaluations": self.evaluations,
            "notable_cost": number(self.notable_cost),
            "notable_generation": self.notable_generation,
            "level_cost": number(self.level_cost),
            "level_generations": self.level_generations,
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> OptimizerRecord:
        """Return the record from `as_state`."""
        return cls(
            best_x=known_array(state["best_x"]),
            best_cost=float(state["best_cost"]),
            generations=int(state["generations"]),
            evaluations=int(state["evaluations"]),
            notable_cost=float(state["notable_cost"]),
            notable_generation=int(state["notable_generation"]),
            level_cost=float(state["level_cost"]),
            level_generations=int(state["level_generations"]),
        )


def generation_told(
    candidates: ArrayLike, costs: ArrayLike, population: int, search_space: int
) -> tuple[FloatArray, FloatArray]:
    """Copies of what was told, (population, parameters) and (population,), nan made inf.

    Raises:
        CtrlGraphError: the shapes do not fit, or a candidate is not finite.
    """
    told = np.array(candidates, dtype=np.float64)
    values = np.array(costs, dtype=np.float64)
    if told.shape != (population, search_space):
        raise CtrlGraphError(f"candidates must have the shape {(population, search_space)}, not {told.shape}")
    if values.shape != (population,):
        raise CtrlGraphError(f"costs must have the shape {(population,)}, not {values.shape}")
    if not np.all(np.isfinite(told)):
        raise CtrlGraphError("a candidate that is told must be of finite numbers")
    values[np.isnan(values)] = np.inf
    return told, values
