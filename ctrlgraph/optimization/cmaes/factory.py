"""The two doors: a new optimiser, checked in one place, and one from a checkpoint."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ctrlgraph.errors import CtrlGraphError, suggestion
from ctrlgraph.optimization.cmaes.bounds import Bounds
from ctrlgraph.optimization.cmaes.interface import FloatArray, Optimizer
from ctrlgraph.optimization.cmaes.one_plus_one import OnePlusOne
from ctrlgraph.optimization.cmaes.plan import KINDS, Attempt, Kind, OptimizerPlan, default_rules
from ctrlgraph.optimization.cmaes.population import LARGEST, Population, default_population
from ctrlgraph.optimization.cmaes.restarting import Restarting
from ctrlgraph.optimization.cmaes.states import check_state
from ctrlgraph.optimization.cmaes.stopping import stop_rules

LEAST_POPULATION = 4


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
    """Return a new search.

    kind: "1+1", the (1+1)-CMA-ES, or "cma", the CMA-ES with a population; x0: where it begins, (n,); sigma: the
    first step size, one for all coordinates, so they should be scaled alike; bounds: (low, high), (n,) each,
    infinite where there is none; population: candidates per generation of "cma", 4 + floor(3 ln n) if not given;
    restarts: so often it begins anew where it can get no further; stopping: fields of `StopRules`, None to turn
    one off.

    Raises:
        CtrlGraphError: one of them makes no sense.
    """
    name = _checked_kind(kind)
    start = _checked_start(x0)
    if not (isinstance(sigma, (int, float, np.number)) and 0 < sigma < LARGEST):
        raise CtrlGraphError(f"sigma, the step size, must be a finite number above 0, not {sigma!r}")
    _check_whole("seed", seed, 0)
    _check_whole("restarts", restarts, 0)
    size = _checked_population(name, population, start.size)
    plan = OptimizerPlan(
        kind=name,
        x0=start,
        sigma=float(sigma),
        seed=int(seed),
        bounds=None if bounds is None else _checked_bounds(bounds, start, float(sigma)),
        population=size,
        rules=stop_rules(default_rules(name, start.size, float(sigma), size), stopping),
    )
    return Restarting(plan, int(restarts)) if restarts else plan.attempt(0, start, math.inf)


def restore_optimizer(state: Mapping[str, Any]) -> Optimizer:
    """Return the optimiser from its `state()`, which goes on exactly as the undisturbed one.

    Raises:
        CtrlGraphError: this is no such state.
    """
    try:
        check_state(state)
        restored = Restarting.of_state(state, _attempt_of) if state["kind"] == "restarting" else _attempt_of(state)
        with np.errstate(all="ignore"):
            _ = restored.stop  # looks at the whole distribution
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, AssertionError, ArithmeticError) as error:
        raise CtrlGraphError(f"this is no state of an optimiser: {_fault(error)}") from error
    return restored


def _attempt_of(state: Mapping[str, Any]) -> Attempt:
    if state["kind"] == "1+1":
        return OnePlusOne.of_state(state)
    if state["kind"] == "cma":
        return Population.of_state(state)
    raise ValueError(f"there is no kind {state['kind']!r}")


def _fault(error: Exception) -> str:
    return f"it has no {error}" if isinstance(error, KeyError) else str(error)


def _checked_kind(kind: str) -> Kind:
    for known in KINDS:
        if kind == known:
            return known
    hint = suggestion(str(kind), KINDS) or f"known: {', '.join(KINDS)}"
    raise CtrlGraphError(f"there is no optimiser '{kind}' ({hint})")


def _check_whole(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise CtrlGraphError(f"{name} must be a whole number of at least {least}, not {value!r}")


def _checked_start(x0: ArrayLike) -> FloatArray:
    start = np.array(x0, dtype=np.float64)
    if start.ndim != 1 or start.size == 0:
        raise CtrlGraphError(f"x0 must be a row of one number or more, not of the shape {start.shape}")
    if not np.all(np.abs(start) < LARGEST):  # nan is not less either
        raise CtrlGraphError(f"x0 must be of finite numbers below {LARGEST:g}")
    return start


def _checked_population(kind: Kind, population: int | None, n: int) -> int:
    if kind == "1+1":
        if population not in (None, 1):
            raise CtrlGraphError(f"the optimiser '1+1' has one candidate per generation, not {population}")
        return 1
    if population is None:
        return default_population(n)
    _check_whole("population", population, LEAST_POPULATION)
    return int(population)


def _checked_bounds(bounds: tuple[ArrayLike, ArrayLike], start: FloatArray, sigma: float) -> Bounds:
    low, high = (np.array(side, dtype=np.float64) for side in bounds)
    if low.shape != start.shape or high.shape != start.shape:
        raise CtrlGraphError(f"bounds must be two rows of {start.size} numbers, not {low.shape} and {high.shape}")
    for i in range(start.size):
        if not low[i] < high[i]:
            raise CtrlGraphError(f"bounds of unknown {i} are empty: {low[i]:g} is not below {high[i]:g}")
        if not low[i] <= start[i] <= high[i]:
            raise CtrlGraphError(
                f"x0 is out of bounds: unknown {i} is {start[i]:g}, not within {low[i]:g}..{high[i]:g}"
            )
    low[low <= -LARGEST], high[high >= LARGEST] = -math.inf, math.inf  # nothing comes near these
    return Bounds.of(low, high, sigma)
