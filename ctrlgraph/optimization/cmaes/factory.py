"""Construction of optimisers, with restarts."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ctrlgraph.errors import CtrlGraphError, suggestion
from ctrlgraph.optimization.cmaes.bounds import Bounds, FloatArray
from ctrlgraph.optimization.cmaes.one_plus_one import OnePlusOne
from ctrlgraph.optimization.cmaes.optimizer import Optimizer, SearchDistribution, Stop, StopRules
from ctrlgraph.optimization.cmaes.population import LARGEST, Population, default_population

Kind = Literal["1+1", "cma"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""The kinds of optimisers."""

MIN_POPULATION = 4
"""Minimum number of candidates per generation of "cma"."""


def make_optimizer(
    kind: str,
    x0: ArrayLike,
    sigma: float,
    *,
    seed: int,
    bounds: tuple[ArrayLike, ArrayLike] | None = None,
    population: int | None = None,
    restarts: int = 0,
    **stopping: float | None,
) -> Optimizer:
    """Return a new optimiser.

    Args:
        kind: "1+1", the (1+1)-CMA-ES, or "cma", the CMA-ES with a population.
        x0: Start, (n,).
        sigma: Initial step size of all coordinates, which should be scaled alike.
        seed: Seed of the random generator.
        bounds: Lower and upper bounds, (n,) each. A missing bound is infinite.
        population: Candidates per generation of "cma". None: 4 + floor(3 ln n).
        restarts: Maximum number of restarts after the search stops making progress.
        stopping: Fields of `StopRules`. None turns a rule off.

    Raises:
        CtrlGraphError: An argument is invalid.
    """
    name = _checked_kind(kind)
    start = _checked_start(x0)
    if not (isinstance(sigma, (int, float, np.number)) and 0 < sigma < LARGEST):
        raise CtrlGraphError(f"sigma, the step size, must be a finite number above 0, not {sigma!r}")
    _check_integer("seed", seed, 0)
    _check_integer("restarts", restarts, 0)
    size = _checked_population(name, population, start.size)
    plan = _Plan(
        kind=name,
        x0=start,
        sigma=float(sigma),
        seed=int(seed),
        bounds=None if bounds is None else _checked_bounds(bounds, start, float(sigma)),
        population=size,
        rules=default_rules(name, start.size, float(sigma), size).replaced(stopping),
    )
    return Restarting(plan, int(restarts)) if restarts else plan.attempt(0, start, math.inf)


def default_rules(kind: Kind, n: int, sigma: float, population: int) -> StopRules:
    """Return the default rules for n parameters, without goal and budgets.

    For "1+1", the space counts as flat after as many evaluations of equal cost as 20 generations of a population have.
    The search stagnates after one and a half times the number of failures that shrink the step size to its tolerance.
    For "cma", the tolerances are those of Hansen's tutorial, 2016, section B.3 (100 generations and more).

    Args:
        kind: Kind of optimiser.
        n: Number of parameters.
        sigma: Initial step size, the unit of the limits of the step size.
        population: Candidates per generation.
    """
    rules = StopRules(step_tolerance=1e-12 * sigma, divergence_limit=1e6 * sigma)
    if kind == "1+1":
        return dataclasses.replace(
            rules, stagnation_generations=200 + 100 * n, flat_generations=20 * default_population(n)
        )
    stagnation = 100 + math.ceil(100 * n**1.5 / population)
    return dataclasses.replace(rules, stagnation_generations=stagnation, flat_generations=20)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The checked arguments of a search, for its first attempt and its restarts."""

    kind: Kind
    x0: FloatArray
    sigma: float
    seed: int
    bounds: Bounds | None
    population: int
    rules: StopRules

    def attempt(self, restart: int, best_x: FloatArray, best_cost: float) -> OnePlusOne | Population:
        """Return the optimiser of the first attempt (0) or of a restart (1, 2...), each with its own random numbers.

        "1+1" restarts from the best x, and its cost is known. "cma" restarts from x0 with a doubled population each
        time (A. Auger, N. Hansen, "A restart CMA evolution strategy with increasing population size", CEC 2005). In
        that paper, it restarts from a random point within the bounds.
        """
        sequence = np.random.SeedSequence(self.seed, spawn_key=(restart,))
        bit_generators = np.random.PCG64(sequence), np.random.MT19937(sequence)
        if self.kind == "1+1":
            return OnePlusOne(
                best_x,
                self.sigma,
                generator=np.random.Generator(bit_generators[0]),
                rules=self.rules,
                bounds=self.bounds,
                cost=best_cost if best_cost < math.inf else None,
            )
        return Population(
            self.x0,
            self.sigma,
            population=self.population * 2**restart,
            generator=np.random.RandomState(bit_generators[1]),
            rules=self.rules,
            bounds=self.bounds,
        )


class Restarting(Optimizer):
    """An optimiser that is replaced by a new one when it makes no more progress.

    Goal and budgets apply to all attempts together. The other rules apply to each attempt.
    """

    def __init__(self, plan: _Plan, restarts: int) -> None:
        """
        Args:
            plan: Arguments of the search.
            restarts: Maximum number of restarts.
        """
        super().__init__(plan.x0, plan.rules)
        self._plan = dataclasses.replace(plan, rules=plan.rules.without_goal_and_budget())
        self._restarts = restarts
        self.restarted = 0
        """Number of restarts so far."""
        self._attempt = self._plan.attempt(0, plan.x0, math.inf)
        self.population = self._attempt.population

    @property
    def sigma(self) -> float:
        """Step size of the present attempt."""
        return self._attempt.sigma

    @property
    def stop(self) -> Stop | None:
        """The reason to end the last attempt, or all attempts."""
        reached = self._goal_or_budget()
        if reached is not None:
            return reached
        ended = self._attempt.stop
        if ended is None:
            return None
        times = "1 restart is" if self._restarts == 1 else f"{self._restarts} restarts are"
        return Stop(ended.reason, f"{ended.explanation[:-1]}; {times} used up.")

    def ask(self) -> FloatArray:
        """Return the candidates of the present attempt."""
        return self._attempt.ask()

    def distribution(self) -> SearchDistribution:
        """Return the distribution of the present attempt."""
        return self._attempt.distribution()

    def _learn(self, candidates: FloatArray, costs: FloatArray) -> None:
        self._attempt.tell(candidates, costs)
        if self.restarted < self._restarts and self._attempt.stop and not self._goal_or_budget():
            self.restarted += 1
            self._attempt = self._plan.attempt(self.restarted, self.best_x, self.best_cost)
            self.population = self._attempt.population


def _checked_kind(kind: str) -> Kind:
    for known in KINDS:
        if kind == known:
            return known
    hint = suggestion(str(kind), KINDS) or f"known: {', '.join(KINDS)}"
    raise CtrlGraphError(f"there is no optimiser '{kind}' ({hint})")


def _check_integer(name: str, value: Any, minimum: int) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < minimum:
        raise CtrlGraphError(f"{name} must be a whole number of at least {minimum}, not {value!r}")


def _checked_start(x0: ArrayLike) -> FloatArray:
    start = np.array(x0, dtype=np.float64)
    if start.ndim != 1 or start.size == 0:
        raise CtrlGraphError(f"x0 must be a vector of at least one number, not of the shape {start.shape}")
    if not np.all(np.abs(start) < LARGEST):  # rejects NaN too
        raise CtrlGraphError(f"x0 must be of finite numbers below {LARGEST:g}")
    return start


def _checked_population(kind: Kind, population: int | None, n: int) -> int:
    if kind == "1+1":
        if population not in (None, 1):
            raise CtrlGraphError(f"the optimiser '1+1' has one candidate per generation, not {population}")
        return 1
    if population is None:
        return default_population(n)
    _check_integer("population", population, MIN_POPULATION)
    return int(population)


def _checked_bounds(bounds: tuple[ArrayLike, ArrayLike], start: FloatArray, sigma: float) -> Bounds:
    low, high = (np.array(side, dtype=np.float64) for side in bounds)
    if low.shape != start.shape or high.shape != start.shape:
        raise CtrlGraphError(f"bounds must be two vectors of {start.size} numbers, not {low.shape} and {high.shape}")
    for i in range(start.size):
        if not low[i] < high[i]:
            raise CtrlGraphError(f"bounds of parameter {i} are empty: {low[i]:g} is not below {high[i]:g}")
        if not low[i] <= start[i] <= high[i]:
            raise CtrlGraphError(
                f"x0 is out of bounds: parameter {i} is {start[i]:g}, not within {low[i]:g}..{high[i]:g}"
            )
    low[low <= -LARGEST], high[high >= LARGEST] = -math.inf, math.inf  # unreachable limits
    return Bounds.of(low, high, sigma)
