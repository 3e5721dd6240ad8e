"""The CMA-ES with a population: what the wrapper adds to the library, and that it adds nothing else."""

from __future__ import annotations

import math

import numpy as np
import pytest
from cmaes import CMA
from searches import Cost, ellipsoid, generation, rosenbrock, searched, sphere, state

from ctrlgraph.optimization.cmaes import make_optimizer
from ctrlgraph.optimization.cmaes.population import Population, default_population


@pytest.mark.parametrize("cost", [sphere, ellipsoid, rosenbrock])
def test_it_is_the_library_s_search(cost: Cost) -> None:
    search = make_optimizer("cma", np.full(4, -0.5), 0.3, seed=6)
    assert isinstance(search, Population)
    library = CMA(mean=np.full(4, -0.5), sigma=0.3, population_size=search.population)
    library._rng.set_state(search._cma._rng.get_state())
    for _ in range(60):
        candidates = generation(search, cost)
        drawn = [library.ask() for _ in range(library.population_size)]
        assert np.array_equal(candidates, drawn)
        library.tell([(x, cost(x)) for x in drawn])


@pytest.mark.parametrize("n", [1, 2, 5, 30])
def test_the_default_population_is_the_library_s(n: int) -> None:
    search = make_optimizer("cma", np.zeros(n), 1.0, seed=1)
    assert search.population == default_population(n) == CMA(mean=np.zeros(n), sigma=1.0).population_size
    assert search.ask().shape == (search.population, n)


def test_to_ask_why_it_should_end_changes_nothing() -> None:
    asked, left = (make_optimizer("cma", np.full(3, 0.5), 0.3, seed=8) for _ in range(2))
    for _ in range(50):
        assert asked.stop is None
        assert np.array_equal(generation(asked, ellipsoid), generation(left, ellipsoid))
    assert state(asked) == state(left)


def test_it_finds_the_minimum() -> None:
    search = searched(make_optimizer("cma", np.full(5, -0.5), 0.3, seed=9, target_cost=1e-10), rosenbrock)
    assert search.stop is not None and search.stop.reason == "target"
    assert search.best_x == pytest.approx(np.ones(5), abs=1e-4)


def test_a_generation_without_any_finite_cost_leaves_the_distribution_as_it_is() -> None:
    search = searched(make_optimizer("cma", np.ones(3), 0.3, seed=10), sphere, 5)
    sigma, mean = search.sigma, search.distribution().mean.tolist()
    search.tell(search.ask(), np.full(search.population, math.nan))
    assert (search.generations, search.evaluations) == (6, 6 * search.population)
    assert (search.sigma, search.distribution().mean.tolist()) == (sigma, mean)
