"""The interface of all optimisers, ask and tell, and their stopping rules."""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ctrlgraph.errors import CtrlGraphError, suggestion
from ctrlgraph.optimization.cmaes.bounds import Bounds, FloatArray

INTEGER_RULES = ("max_generations", "max_evaluations", "stagnation_generations", "flat_generations")
"""Stopping rules whose values are integers."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The reason why a search should end."""

    reason: str
    """Stable identifier."""
    explanation: str
    """One sentence."""


@dataclass(frozen=True, slots=True)
class StopRules:
    """Stopping rules of a search. None turns a rule off."""

    target_cost: float | None = None
    """Cost at which the goal is reached."""
    max_generations: int | None = None
    """Maximum number of generations."""
    max_evaluations: int | None = None
    """Maximum number of evaluations. The last generation is completed."""
    step_tolerance: float | None = None
    """Minimum of the largest standard deviation of a coordinate."""
    divergence_limit: float | None = None
    """Maximum of the largest standard deviation of a coordinate."""
    condition_limit: float | None = 1e14
    """Maximum condition number of the covariance matrix."""
    stagnation_generations: int | None = None
    """Number of generations without an improvement by more than `stagnation_tolerance`."""
    stagnation_tolerance: float = 1e-12
    """Smallest decrease of the cost that counts as an improvement."""
    flat_generations: int | None = None
    """Number of generations in which all candidates have the same cost."""

    def replaced(self, given: Mapping[str, Any]) -> StopRules:
        """Return these rules with other values for some of them.

        Raises:
            CtrlGraphError: A rule is unknown or its value is invalid.
        """
        known = [field.name for field in dataclasses.fields(StopRules)]
        for name in given:
            if name not in known:
                hint = suggestion(name, known) or f"known: {', '.join(known)}"
                raise CtrlGraphError(f"there is no stopping rule '{name}' ({hint})")
        return dataclasses.replace(self, **{name: _checked_rule(name, value) for name, value in given.items()})

    def without_goal_and_budget(self) -> StopRules:
        """Return only the rules that detect missing progress."""
        return dataclasses.replace(self, target_cost=None, max_generations=None, max_evaluations=None)


def _checked_rule(name: str, value: Any) -> Any:
    if value is None and name != "stagnation_tolerance":
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)) or math.isnan(value):
        raise CtrlGraphError(f"{name} must be a number, not {value!r}")
    if name in INTEGER_RULES and (not isinstance(value, (int, np.integer)) or value < 1):
        raise CtrlGraphError(f"{name} must be a whole number above 0, not {value!r}")
    if name != "target_cost" and value < 0:
        raise CtrlGraphError(f"{name} must not be negative, as {value!r} is")
    return int(value) if name in INTEGER_RULES else float(value)


@dataclass(frozen=True, slots=True)
class SearchDistribution:
    """The normal distribution of the next candidates."""

    mean: FloatArray
    """Mean, (n,), in the unbounded space."""
    deviations: FloatArray
    """Standard deviation of each coordinate, (n,)."""
    condition: float
    """Condition number of the covariance matrix."""


class Optimizer(ABC):
    """A search for the x of minimum cost, one generation of candidates at a time.

    With bounds, the optimiser draws points of an unbounded space and learns from these points. Folding maps them to
    candidates.
    """

    population: int
    """Number of candidates of the next generation: 1 for "1+1". A restart of "cma" doubles it."""

    def __init__(self, x0: FloatArray, rules: StopRules, bounds: Bounds | None = None) -> None:
        """
        Args:
            x0: Start, (n,), within the bounds.
            rules: Stopping rules.
            bounds: Bounds of the candidates.
        """
        self._best_x = x0.copy()
        self._rules = rules
        self._bounds = bounds
        self._drawn: FloatArray | None = None  # the unfolded points of the last candidates
        self.best_cost = math.inf
        """Cost of the best candidate, inf before the first finite cost."""
        self.generations = 0
        """Number of generations."""
        self.evaluations = 0
        """Number of costs."""
        # the last improvement by more than the tolerance, and its generation
        self._improved_cost, self._improved_generation = math.inf, 0
        # the cost that all candidates of the last generations share, and the number of these generations
        self._level_cost, self._level_generations = math.inf, 0

    @property
    @abstractmethod
    def sigma(self) -> float:
        """Global step size, in the unit of x."""

    @property
    def best_x(self) -> FloatArray:
        """Best candidate so far, (n,), or the start before the first finite cost."""
        return self._best_x.copy()

    @property
    def stop(self) -> Stop | None:
        """The reason to end the search, or None. `ask` and `tell` continue to work after a stop."""
        return self._goal_or_budget() or self._no_progress(self.distribution())

    @abstractmethod
    def ask(self) -> FloatArray:
        """Return the candidates of one generation, (population, n), within the bounds.

        A second call before `tell` draws other candidates.
        """

    def tell(self, candidates: ArrayLike, costs: ArrayLike) -> None:
        """Learn from the costs of one generation.

        Args:
            candidates: Candidates, (population, n).
            costs: Costs of the candidates, (population,). A candidate that could not be evaluated has the cost inf.
                NaN counts as inf.

        Raises:
            CtrlGraphError: A shape is wrong, or a candidate is not finite.
        """
        x, values = np.array(candidates, dtype=np.float64), np.array(costs, dtype=np.float64)
        shape = (self.population, self._best_x.size)
        if x.shape != shape:
            raise CtrlGraphError(f"candidates must have the shape {shape}, not {x.shape}")
        if values.shape != shape[:1]:
            raise CtrlGraphError(f"costs must have the shape {shape[:1]}, not {values.shape}")
        if not np.all(np.isfinite(x)):
            raise CtrlGraphError("candidates must be finite")
        values[np.isnan(values)] = np.inf
        self._count(x, values)
        self._learn(x, values)

    @abstractmethod
    def distribution(self) -> SearchDistribution:
        """Return the distribution of the next candidates."""

    @abstractmethod
    def _learn(self, candidates: FloatArray, costs: FloatArray) -> None:
        """Update the distribution from a checked generation without NaN."""

    def _count(self, candidates: FloatArray, costs: FloatArray) -> None:
        self.generations += 1
        self.evaluations += costs.size
        best = int(np.argmin(costs))
        if costs[best] < self.best_cost:
            self.best_cost = float(costs[best])
            self._best_x = candidates[best].copy()
        if self.best_cost < self._improved_cost - self._rules.stagnation_tolerance:
            self._improved_cost = self.best_cost
            self._improved_generation = self.generations
        level = float(costs[0])
        if not np.all(costs == level):
            self._level_generations = 0
        elif level == self._level_cost and self._level_generations > 0:
            self._level_generations += 1
        else:
            self._level_generations = 1
        self._level_cost = level

    def _folded(self, points: FloatArray) -> FloatArray:
        """Return the candidates of points that were drawn, both (m, n)."""
        if self._bounds is None:
            return points
        self._drawn = points
        return self._bounds.fold(points)

    def _unfolded(self, candidates: FloatArray) -> FloatArray:
        """Return the points of candidates, both (m, n). They are the drawn points, or the nearest points for other
        candidates.
        """
        if self._bounds is None:
            return candidates
        points = self._bounds.unfold(candidates)
        if self._drawn is not None:
            drawn = np.all(self._bounds.fold(self._drawn) == candidates, axis=1)
            points[drawn] = self._drawn[drawn]
        return points

    def _goal_or_budget(self) -> Stop | None:
        rules = self._rules
        if rules.target_cost is not None and self.best_cost <= rules.target_cost:
            return Stop("target", f"The cost {self.best_cost:.6g} is within the target of {rules.target_cost:g}.")
        if rules.max_evaluations is not None and self.evaluations >= rules.max_evaluations:
            return Stop(
                "evaluations", f"The budget of {rules.max_evaluations} evaluations is spent ({self.evaluations} made)."
            )
        if rules.max_generations is not None and self.generations >= rules.max_generations:
            return Stop("generations", f"The budget of {rules.max_generations} generations is spent.")
        return None

    def _no_progress(self, distribution: SearchDistribution) -> Stop | None:
        """Return the reason for missing progress, or None. A restart may help."""
        rules, centre, deviations = self._rules, distribution.mean, distribution.deviations
        if rules.flat_generations is not None and self._level_generations >= rules.flat_generations:
            return self._flat(rules.flat_generations)
        widest = float(np.max(deviations))
        if rules.step_tolerance is not None and widest < rules.step_tolerance:
            return Stop(
                "step-size",
                f"The step size fell below its tolerance: {widest:.3g} is less than {rules.step_tolerance:g}.",
            )
        if np.all(centre + 0.2 * deviations == centre):
            return Stop("step-size", f"A step size of {widest:.3g} is too small to change the parameters.")
        if rules.divergence_limit is not None and widest > rules.divergence_limit:
            return Stop(
                "diverged", f"The step size grew beyond bounds: {widest:.3g} is more than {rules.divergence_limit:g}."
            )
        if rules.condition_limit is not None and distribution.condition > rules.condition_limit:
            return Stop(
                "condition",
                f"The covariance matrix is ill-conditioned: its condition number, {distribution.condition:.3g}, is"
                f" above {rules.condition_limit:g}.",
            )
        waited = self.generations - self._improved_generation
        if rules.stagnation_generations is not None and waited >= rules.stagnation_generations:
            return Stop(
                "stagnation",
                f"The cost has not improved by more than {rules.stagnation_tolerance:g} for {waited} generations.",
            )
        return None

    def _flat(self, generations: int) -> Stop:
        if self._level_cost == math.inf:
            return Stop("flat", f"No candidate of the last {generations} generations could be evaluated.")
        return Stop(
            "flat",
            f"The search space is flat: all candidates of the last {generations} generations cost"
            f" {self._level_cost:.6g}.",
        )
