"""Cost functions to search, and the loop that searches them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ctrlgraph.optimization.cmaes import FloatArray, Optimizer

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
    """Perform one generation and return its candidates."""
    candidates = search.ask()
    search.tell(candidates, [cost(x) for x in candidates])
    return candidates


def searched(search: Optimizer, cost: Cost, generations: int = 100_000) -> Optimizer:
    """Run the search until it stops, or for N generations."""
    for _ in range(generations):
        if search.stop is not None:
            break
        generation(search, cost)
    return search


def state(search: Optimizer) -> tuple[object, ...]:
    """Return what the next generation depends on, without the random generator."""
    found = search.distribution()
    counts = (search.generations, search.evaluations, search.best_cost, search.sigma, found.condition)
    return (*counts, *(values.tolist() for values in (search.best_x, found.mean, found.deviations)))
