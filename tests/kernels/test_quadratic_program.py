"""The smallest change that keeps to bounds, against another method: non-negative least squares (Lawson and Hanson)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls

from ctrlgraph.kernels.quadratic_program import least_change


def smallest(rows, value, low, high) -> np.ndarray:
    """The least distance problem, by non-negative least squares (Lawson and Hanson 1974, chapter 23)."""
    one_sided = np.concatenate([rows, -rows])
    least = np.concatenate([low - value, value - high])
    bounded = np.isfinite(least)
    stacked = np.column_stack([one_sided[bounded], least[bounded]]).T
    goal = np.zeros(len(stacked))
    goal[-1] = 1.0
    residual = stacked @ nnls(stacked, goal, maxiter=1000)[0] - goal
    found: np.ndarray = -residual[:-1] / residual[-1]
    return found


def changed(rows, value, low, high, sweeps=2000) -> tuple[np.ndarray, np.ndarray]:
    multiplier, change = np.full(len(rows), np.nan), np.full(rows.shape[1], np.nan)
    least_change(rows, value, low, high, multiplier, sweeps, change)
    return change, multiplier


@pytest.mark.parametrize(("m", "n"), [(7, 4), (9, 5), (3, 6), (1, 1)])
def test_it_is_the_smallest_change_that_keeps_to_the_bounds(m, n) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        rows, within = rng.normal(size=(m, n)), rng.normal(size=n)
        value = 5.0 * rng.normal(size=m)
        # there is an answer: `within` keeps to all bounds
        low, high = value + rows @ within - rng.random(m), value + rows @ within + rng.random(m)
        low[0] = -np.inf
        change, multiplier = changed(rows, value, low, high)
        np.testing.assert_allclose(change, smallest(rows, value, low, high), atol=1e-4)
        reached = value + rows @ change
        assert (reached >= low - 1e-4).all()
        assert (reached <= high + 1e-4).all()
        np.testing.assert_allclose(change, -multiplier @ rows, atol=1e-9)
        np.testing.assert_allclose(reached[multiplier > 1e-6], high[multiplier > 1e-6], atol=1e-4)
        np.testing.assert_allclose(reached[multiplier < -1e-6], low[multiplier < -1e-6], atol=1e-4)


def test_what_keeps_to_its_bounds_is_not_changed() -> None:
    change, multiplier = changed(np.eye(3), np.zeros(3), np.full(3, -1.0), np.full(3, 1.0))
    np.testing.assert_array_equal(change, 0.0)
    np.testing.assert_array_equal(multiplier, 0.0)


def test_of_contradictory_bounds_the_last_one_wins() -> None:
    rows, low, high = np.ones((2, 1)), np.array([-np.inf, 1.0]), np.array([-1.0, np.inf])
    for sweeps in (1, 2, 60):
        change, _ = changed(rows, np.zeros(2), low, high, sweeps)
        assert change[0] == pytest.approx(1.0)


def test_a_row_that_nothing_moves_is_left_alone() -> None:
    change, multiplier = changed(np.array([[0.0], [2.0]]), np.array([5.0, 3.0]), np.zeros(2), np.ones(2))
    assert change[0] == pytest.approx(-1.0)
    assert multiplier[0] == 0.0
