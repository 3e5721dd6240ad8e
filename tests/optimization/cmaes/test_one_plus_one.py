"""The (1+1)-CMA-ES: its linear algebra, its distribution, and what it is invariant under."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from searches import Cost, ellipsoid, generation, rosenbrock, searched, sphere

from ctrlgraph.optimization.cmaes import make_optimizer
from ctrlgraph.optimization.cmaes.one_plus_one import (
    P_TARGET,
    Constants,
    OnePlusOne,
    factor_update,
    path_update,
    step_size_update,
)

ENTRY = st.floats(-3, 3)
MATRIX = arrays(np.float64, (4, 4), elements=ENTRY).map(lambda a: a + 8 * np.eye(4) * np.sign(a[0, 0] or 1))
VECTOR = arrays(np.float64, 4, elements=ENTRY)


@given(MATRIX, VECTOR, st.floats(0.1, 1), st.floats(0.01, 1))
def test_the_factor_follows_a_rank_one_update_of_the_covariance_without_being_factorised(
    factor: np.ndarray, v: np.ndarray, alpha: float, beta: float
) -> None:
    assume(np.linalg.cond(factor) <= 1e4)
    new, inverse = factor_update(factor, np.linalg.inv(factor), v, alpha, beta)
    expected = alpha * factor @ factor.T + beta * np.outer(v, v)
    assert new @ new.T == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(expected).max())
    assert inverse @ new == pytest.approx(np.eye(4), abs=1e-9)


def test_the_inverse_of_the_factor_stays_its_inverse_over_a_long_search() -> None:
    search = make_optimizer("1+1", np.ones(10), 0.5, seed=1, step_tolerance=None, stagnation_generations=None)
    assert isinstance(search, OnePlusOne)
    for _ in range(6000):
        generation(search, ellipsoid)
    assert search.distribution().condition > 1e5
    assert search._inverse @ search._factor == pytest.approx(np.eye(10), abs=1e-9)


def test_the_step_size_stays_where_one_step_in_five_and_a_half_succeeds() -> None:
    sigma, p_succ = step_size_update(1.0, P_TARGET, False, 6.0)
    assert sigma < 1 and p_succ < P_TARGET
    logs = [math.log(step_size_update(1.0, P_TARGET, success, 6.0)[0]) for success in (True, False)]
    assert 2 / 11 * logs[0] + 9 / 11 * logs[1] == pytest.approx(0, abs=1e-15)


@given(VECTOR, VECTOR)
def test_the_path_keeps_its_variance(path: np.ndarray, step: np.ndarray) -> None:
    """Of independent path and step of one variance, the new path has that variance; and C, trace and all, keeps
    its own, whether the step enters the path or not."""
    constants = Constants.of(4)
    kept, alpha = path_update(path, np.zeros(4), 0.2, constants)
    added = path_update(np.zeros(4), step, 0.2, constants)[0]
    assert path_update(path, step, 0.2, constants)[0] == pytest.approx(kept + added)
    assert (1 - constants.c_c) ** 2 + constants.c_c * (2 - constants.c_c) == pytest.approx(1)
    assert alpha + constants.c_cov == pytest.approx(1)
    stalled, alpha = path_update(path, step, 0.5, constants)
    assert stalled == pytest.approx(kept)
    assert alpha + constants.c_cov * (1 - constants.c_c) ** 2 == pytest.approx(1)


def test_the_first_candidate_is_the_start_and_only_makes_it_the_parent() -> None:
    search = make_optimizer("1+1", [1.0, -2.0], 0.5, seed=1)
    before = search.distribution()
    assert generation(search, sphere) == pytest.approx(np.array([[1.0, -2.0]]))
    assert (search.best_cost, search.generations, search.evaluations, search.sigma) == (5.0, 1, 1, 0.5)
    assert np.array_equal(search.distribution().deviations, before.deviations)


def test_candidates_are_drawn_from_the_covariance_that_was_learnt() -> None:
    search = make_optimizer("1+1", np.ones(3), 0.5, seed=2)
    searched(search, ellipsoid, 300)
    scale = np.linalg.inv(np.linalg.cholesky(search.covariance)) / search.sigma
    parent = search.distribution().mean
    drawn = np.array([scale @ (search.ask()[0] - parent) for _ in range(4000)])
    assert drawn.mean(axis=0) == pytest.approx(np.zeros(3), abs=0.07)
    assert np.cov(drawn.T) == pytest.approx(np.eye(3), abs=0.1)


@pytest.mark.parametrize("cost", [sphere, ellipsoid, rosenbrock])
def test_it_finds_the_minimum(cost: Cost) -> None:
    search = searched(make_optimizer("1+1", np.full(5, -0.5), 0.3, seed=3, target_cost=1e-10), cost)
    assert search.stop is not None and search.stop.reason == "target"
    assert search.best_x == pytest.approx(np.full(5, 1.0 if cost is rosenbrock else 0.0), abs=1e-4)


MONOTONE = {
    "cube": lambda f: f**3,
    "logarithm": math.log,
    "root": math.sqrt,
    "reciprocal": lambda f: -1 / f,
    "arc": math.atan,
}


@pytest.mark.parametrize("transformed", MONOTONE.values(), ids=MONOTONE)
@given(seed=st.integers(0, 2**64), n=st.integers(1, 6))
@settings(max_examples=15)
def test_the_order_of_costs_is_all_that_it_uses(transformed, seed: int, n: int) -> None:
    plain, other = (make_optimizer("1+1", np.full(n, 0.7), 0.3, seed=seed) for _ in range(2))
    for _ in range(80):
        candidates = generation(plain, ellipsoid)
        assert np.array_equal(candidates, generation(other, lambda x: transformed(ellipsoid(x))))
    assert plain.sigma == other.sigma


def test_the_best_candidate_is_the_parent_and_a_copy() -> None:
    search = searched(make_optimizer("1+1", np.ones(3), 0.5, seed=4), sphere, 50)
    best = search.best_x
    assert sphere(best) == search.best_cost
    best += 1
    assert sphere(search.best_x) == search.best_cost
