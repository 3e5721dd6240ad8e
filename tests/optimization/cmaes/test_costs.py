"""Costs that are not finite: they rank last, tell nothing else, and never get into the state."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from searches import generation, searched, sphere, state

from ctrlgraph.optimization.cmaes import KINDS, make_optimizer

COST = st.one_of(st.floats(-10, 10), st.sampled_from([math.inf, math.nan, -math.inf, 0.0, 1e308, -1e308, 5e-324, 1.0]))


@given(st.sampled_from(KINDS), st.integers(1, 4), st.booleans(), st.integers(0, 1), st.data())
def test_no_costs_regardless_of_poison_a_search(kind: str, n: int, bounded: bool, restarts: int, data) -> None:
    bounds = (np.full(n, -1.0), np.full(n, 1.0)) if bounded else None
    search = make_optimizer(kind, np.zeros(n), 0.3, seed=1, bounds=bounds, restarts=restarts, stagnation_generations=5)
    for _ in range(12):
        candidates = search.ask()
        assert np.all(np.isfinite(candidates))
        costs = data.draw(st.lists(COST, min_size=search.population, max_size=search.population))
        search.tell(candidates, costs)
        assert 0 < search.sigma < math.inf
        assert not math.isnan(search.best_cost)
        search.stop  # noqa: B018 - none of the rules may fail either
        assert np.all(np.isfinite(search.distribution().deviations))


@pytest.mark.parametrize("kind", KINDS)
def test_nan_counts_as_inf(kind: str) -> None:
    searches = [make_optimizer(kind, np.full(3, 0.5), 0.3, seed=11) for _ in range(2)]
    for search, none in zip(searches, (math.nan, math.inf), strict=True):
        for _ in range(30):
            generation(search, lambda x, none=none: none if x[0] > 0.5 else sphere(x))
    assert state(searches[0]) == state(searches[1])


@pytest.mark.parametrize("kind", KINDS)
def test_the_minimum_is_found_beside_costs_that_are_not_finite(kind: str) -> None:
    """A half-space without costs that ends at the minimum, and every tenth candidate elsewhere without one."""

    def cost(x: np.ndarray) -> float:
        return math.inf if x[0] < 0 or int(abs(x[1]) * 1e9) % 10 == 0 else sphere(x)

    search = searched(make_optimizer(kind, np.ones(3), 0.3, seed=12, target_cost=1e-8), cost)
    assert search.stop is not None and search.stop.reason == "target"


@pytest.mark.parametrize("kind", KINDS)
def test_a_start_where_nothing_can_be_evaluated_does_not_shrink_the_steps(kind: str) -> None:
    search = make_optimizer(kind, np.zeros(2), 0.3, seed=13)
    for _ in range(19):
        generation(search, lambda x: math.inf)
    assert (search.sigma, search.best_cost, search.best_x.tolist()) == (0.3, math.inf, [0.0, 0.0])
    searched(search, lambda x: sphere(x) if x[0] > 0.2 else math.inf, 300)
    assert search.best_cost < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_search_that_goes_on_past_its_stop_stays_finite(kind: str) -> None:
    for cost in (lambda x: 1.0, lambda x: float(x[0]), sphere):
        search = make_optimizer(kind, np.ones(2), 0.3, seed=14)
        for _ in range(1500):
            generation(search, cost)
        assert search.stop is not None
        assert np.all(np.isfinite(search.ask()))
        assert np.all(np.isfinite(search.distribution().deviations))
