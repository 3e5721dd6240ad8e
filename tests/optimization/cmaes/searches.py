"""Cost functions to search, and the loop that searches them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from ctrlgraph.optimization.cmaes import FloatArray, Optimizer, restore_optimizer

Cost = Callable[[FloatArray], float]


def sphere(x: FloatArray) -> float:
    return float(x @ x)


def ellipsoid(x: FloatArray) -> float:
    """Axes of 1 to 1000 : 1, so a condition number of 1e6."""
    return float(1e6 ** np.linspace(0, 1, x.size) @ (x * x))


def rosenbrock(x: FloatArray) -> float:
    return float(np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2))


def rastrigin(x: FloatArray) -> float:
    return float(10 * x.size + np.sum(x * x - 10 * np.cos(2 * np.pi * x)))


def generation(search: Optimizer, cost: Cost) -> FloatArray:
    """One generation asked and told; its candidates."""
    candidates = search.ask()
    search.tell(candidates, [cost(x) for x in candidates])
    return candidates


def searched(search: Optimizer, cost: Cost, generations: int = 100_000) -> Optimizer:
    """The search, run until it stops, or for so many generations."""
    for _ in range(generations):
        if search.stop is not None:
            break
        generation(search, cost)
    return search


def through_json(search: Optimizer) -> Optimizer:
    """The search, restored from a file of standard JSON (which knows no infinity)."""
    return restore_optimizer(json.loads(json.dumps(search.state(), allow_nan=False)))


def numbers(state: Any) -> list[float]:
    """All numbers of a state, however deep; text is an infinity."""
    if isinstance(state, dict):
        return [number for value in state.values() for number in numbers(value)]
    if isinstance(state, list):
        return [number for value in state for number in numbers(value)]
    return [state] if isinstance(state, float) else []
