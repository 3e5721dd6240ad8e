"""Small systems of equations: solutions equal LAPACK's, and singular systems are refused."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.kernels.linear_algebra import cholesky, cholesky_solve_rows, solve

SIZES = (1, 2, 7, 13, 18, 40)


def random(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


@pytest.mark.parametrize("n", SIZES)
def test_a_system_is_solved_as_by_lapack(n) -> None:
    for seed in range(20):
        matrix, right = random(seed, n, n), random(100 + seed, n)
        matrix[0, 0] = 0.0 if n > 1 else 1.0  # nothing can be eliminated with it
        found = right.copy()
        assert solve(matrix.copy(), np.zeros(n, np.int64), found)
        np.testing.assert_allclose(found, np.linalg.solve(matrix, right), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("fault", ["dependent", "zero", "nan"])
def test_a_singular_matrix_is_refused(fault) -> None:
    matrix = random(3, 6, 6)
    if fault == "dependent":
        matrix[4] = matrix[0] - 2.0 * matrix[3]
    else:
        matrix[...] = 0.0 if fault == "zero" else np.nan
    assert not solve(matrix, np.zeros(6, np.int64), np.ones(6))


@pytest.mark.parametrize("n", SIZES)
def test_a_positive_definite_system_is_solved_by_its_factor(n) -> None:
    root = random(n, n, n)
    matrix, right = root @ root.T + 0.1 * np.eye(n), random(50 + n, 3, n)
    lower, rows = matrix.copy(), right.copy()
    assert cholesky(lower)
    np.testing.assert_allclose(np.tril(lower), np.linalg.cholesky(matrix), atol=1e-10)
    np.testing.assert_array_equal(np.triu(lower, 1), np.triu(matrix, 1))
    cholesky_solve_rows(lower, rows)
    np.testing.assert_allclose(matrix @ rows.T, right.T, atol=1e-9)


def test_a_matrix_that_is_not_positive_definite_is_refused() -> None:
    assert not cholesky(np.diag([1.0, -1.0]))
    assert not cholesky(np.ones((3, 3)))
    assert not cholesky(np.full((2, 2), np.nan))
