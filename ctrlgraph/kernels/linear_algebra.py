"""Solvers for small dense linear systems, in place: up to about forty unknowns.

Every kernel that can fail returns whether it succeeded; after a failure its results are undefined. Matrices are
overwritten by their factors. The methods are those of the textbook (Golub and Van Loan, Matrix Computations, 4th
ed.: 3.4.1, 4.2.5).
"""

from __future__ import annotations

import math

from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel

SINGULAR = 1e-13
"""Threshold below which a pivot counts as zero, as a fraction of the largest entry of the matrix."""


@kernel
def factor(matrix: Floats, pivots: Ints) -> bool:
    """Factor a square matrix into L U with row exchanges, in place.

    Args:
        matrix: the matrix (n, n); becomes its factors L (below the diagonal, which is 1) and U.
        pivots: result (n,): for each column k, the row that was exchanged with row k.

    Returns:
        False if the matrix is singular.
    """
    n = matrix.shape[0]
    least = SINGULAR * greatest_entry(matrix)
    for k in range(n):
        best, row = abs(matrix[k, k]), k
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > best:
                best, row = abs(matrix[i, k]), i
        if not best > least:  # also true if `best` is not a number
            return False
        pivots[k] = row
        if row != k:
            for j in range(n):
                matrix[k, j], matrix[row, j] = matrix[row, j], matrix[k, j]
        for i in range(k + 1, n):
            share = matrix[i, k] / matrix[k, k]
            matrix[i, k] = share
            if share != 0.0:
                for j in range(k + 1, n):
                    matrix[i, j] -= share * matrix[k, j]
    return True


@kernel
def solve_factored(factors: Floats, pivots: Ints, right: Floats) -> None:
    """Solve A x = b, given the factors of A.

    Args:
        factors: L and U of A (n, n), from `factor`.
        pivots: row exchanges (n,), from `factor`.
        right: b (n,); becomes the solution x.
    """
    n = factors.shape[0]
    for k in range(n):
        row = pivots[k]
        if row != k:
            right[k], right[row] = right[row], right[k]
    for i in range(n):
        rest = right[i]
        for j in range(i):
            rest -= factors[i, j] * right[j]
        right[i] = rest
    for i in range(n - 1, -1, -1):
        rest = right[i]
        for j in range(i + 1, n):
            rest -= factors[i, j] * right[j]
        right[i] = rest / factors[i, i]


@kernel
def solve(matrix: Floats, pivots: Ints, right: Floats) -> bool:
    """Solve A x = b.

    Args:
        matrix: A (n, n); becomes its factors, see `factor`.
        pivots: result (n,), see `factor`.
        right: b (n,); becomes the solution x.

    Returns:
        False if A is singular.
    """
    if not factor(matrix, pivots):
        return False
    solve_factored(matrix, pivots, right)
    return True


@kernel
def cholesky(matrix: Floats) -> bool:
    """Factor a symmetric matrix into L L^T, in place.

    Args:
        matrix: the matrix (n, n). L replaces its lower triangle; the upper triangle is not changed.

    Returns:
        False if the matrix is not positive definite.
    """
    n = matrix.shape[0]
    least = SINGULAR * greatest_entry(matrix)
    for j in range(n):
        rest = matrix[j, j]
        for k in range(j):
            rest -= matrix[j, k] * matrix[j, k]
        if not rest > least:
            return False
        pivot = math.sqrt(rest)
        matrix[j, j] = pivot
        for i in range(j + 1, n):
            rest = matrix[i, j]
            for k in range(j):
                rest -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = rest / pivot
    return True


@kernel
def cholesky_solve_rows(lower: Floats, right: Floats) -> None:
    """Solve A x = b for several vectors b.

    Args:
        lower: A (n, n) after `cholesky`.
        right: one vector b in each row (m, n); each row becomes its solution x.
    """
    n = lower.shape[0]
    for r in range(right.shape[0]):
        for i in range(n):
            rest = right[r, i]
            for j in range(i):
                rest -= lower[i, j] * right[r, j]
            right[r, i] = rest / lower[i, i]
        for i in range(n - 1, -1, -1):
            rest = right[r, i]
            for j in range(i + 1, n):
                rest -= lower[j, i] * right[r, j]
            right[r, i] = rest / lower[i, i]


@kernel
def greatest_entry(matrix: Floats) -> float:
    """Return the largest absolute value in a matrix."""
    found = 0.0
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            found = max(found, abs(matrix[i, j]))
    return found


@kernel
def copy_matrix(matrix: Floats, out: Floats) -> None:
    """Copy `matrix` to `out`, an array of the same shape. Compiled array assignments would allocate memory."""
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            out[i, j] = matrix[i, j]
