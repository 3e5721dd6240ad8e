"""Small dense systems of linear equations, solved in the arrays that are given: up to some forty unknowns.

Every kernel that can fail returns whether it did not, and leaves undefined what it would have written where it did.
Matrices are overwritten by their factors. The methods are the textbook's (Golub and Van Loan, Matrix Computations, 4th
ed.: 3.4.1, 4.2.5, 5.1.2, 6.2.3).
"""

from __future__ import annotations

import math

from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel

SINGULAR = 1e-13
"""A pivot below this share of the matrix's greatest entry counts as zero."""


@kernel
def factor(matrix: Floats, pivots: Ints) -> bool:
    """Factor a square matrix (n, n) into L U with row exchanges, in place; False where it is singular.

    pivots (n,): receives, for each column, the row that was exchanged with its own.
    """
    n = matrix.shape[0]
    least = SINGULAR * greatest_entry(matrix)
    for k in range(n):
        best, row = abs(matrix[k, k]), k
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > best:
                best, row = abs(matrix[i, k]), i
        if not best > least:  # true for nan, too
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
    """Solve A x = b with the factors of A from `factor`; `right` (n,) is b, and then x."""
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
def solve_factored_columns(factors: Floats, pivots: Ints, right: Floats) -> None:
    """Solve A X = B as `solve_factored` does; `right` (n, m) is B, and then X."""
    n, m = right.shape
    for k in range(n):
        row = pivots[k]
        if row != k:
            for c in range(m):
                right[k, c], right[row, c] = right[row, c], right[k, c]
    for i in range(n):
        for j in range(i):
            for c in range(m):
                right[i, c] -= factors[i, j] * right[j, c]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            for c in range(m):
                right[i, c] -= factors[i, j] * right[j, c]
        for c in range(m):
            right[i, c] /= factors[i, i]


@kernel
def solve(matrix: Floats, pivots: Ints, right: Floats) -> bool:
    """Solve A x = b; `matrix` (n, n) becomes the factors, `right` (n,) the solution. False where A is singular."""
    if not factor(matrix, pivots):
        return False
    solve_factored(matrix, pivots, right)
    return True


@kernel
def cholesky(matrix: Floats) -> bool:
    """Factor a symmetric matrix (n, n) into L L^T; L takes the lower triangle's place, the upper one is not touched.

    False where it is not positive definite.
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
def cholesky_solve(lower: Floats, right: Floats) -> None:
    """Solve A x = b with the factor from `cholesky`; `right` (n,) is b, and then x."""
    n = lower.shape[0]
    for i in range(n):
        rest = right[i]
        for j in range(i):
            rest -= lower[i, j] * right[j]
        right[i] = rest / lower[i, i]
    for i in range(n - 1, -1, -1):
        rest = right[i]
        for j in range(i + 1, n):
            rest -= lower[j, i] * right[j]
        right[i] = rest / lower[i, i]


@kernel
def cholesky_solve_rows(lower: Floats, right: Floats) -> None:
    """Solve A x = b for every row b of `right` (m, n), which becomes x."""
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
def equality_least_squares(
    matrix: Floats, wanted: Floats, constraint: Floats, value: Floats, out: Floats, scales: Floats
) -> bool:
    """Minimize |A x - b|^2 subject to C x = d, by the null space of C; what LAPACK's dgglse solves.

    An orthogonal Q turns C into [L 0], so that the first p entries of Q^T x follow from the constraints alone; the
    others are an ordinary least squares problem, solved by Householder's QR.

    Args:
        matrix: A (m, n), overwritten; n <= m + p.
        wanted: b (m,), overwritten: |b[n - p:]| is then the residual's norm.
        constraint: C (p, n), overwritten; p <= n.
        value: d (p,), overwritten.
        out: receives x (n,).
        scales: work, (n,).

    Returns:
        False where rows of C depend on each other, or A and C together leave x undetermined.
    """
    p, n = constraint.shape
    m = matrix.shape[0]
    if p > n or n > m + p:
        return False
    if not _turn_rows(constraint, matrix, scales):
        return False
    for i in range(p):  # L y = d
        rest = value[i]
        for j in range(i):
            rest -= constraint[i, j] * out[j]
        out[i] = rest / constraint[i, i]
    for i in range(m):
        for j in range(p):
            wanted[i] -= matrix[i, j] * out[j]
    if not _reduce(matrix, p, wanted):
        return False
    for j in range(n - 1, p - 1, -1):
        rest = wanted[j - p]
        for k in range(j + 1, n):
            rest -= matrix[j - p, k] * out[k]
        out[j] = rest / matrix[j - p, j]
    for i in range(p - 1, -1, -1):  # x = Q y
        share = out[i]
        for j in range(i + 1, n):
            share += constraint[i, j] * out[j]
        share *= scales[i]
        out[i] -= share
        for j in range(i + 1, n):
            out[j] -= share * constraint[i, j]
    return True


@kernel
def _turn_rows(constraint: Floats, matrix: Floats, scales: Floats) -> bool:
    """Make C lower triangular by reflections from the right, which turn A too.

    Beside the triangle, row i of C keeps the i-th reflection's vector, whose entry i is 1; `scales` (p,) its 2 / |v|^2.
    """
    p, n = constraint.shape
    least = SINGULAR * greatest_entry(constraint)
    for i in range(p):
        square = 0.0
        for j in range(i, n):
            square += constraint[i, j] * constraint[i, j]
        norm = math.sqrt(square)
        if not norm > least:
            return False
        first = constraint[i, i]
        pivot = -norm if first > 0.0 else norm
        scales[i] = (pivot - first) / pivot
        for j in range(i + 1, n):
            constraint[i, j] /= first - pivot
        constraint[i, i] = pivot
        for r in range(i + 1, p):
            _reflect(constraint, i, scales[i], constraint, r)
        for r in range(matrix.shape[0]):
            _reflect(constraint, i, scales[i], matrix, r)
    return True


@kernel
def _reflect(vectors: Floats, i: int, scale: float, rows: Floats, r: int) -> None:
    """Apply the i-th reflection to one row, from its entry i on."""
    n = vectors.shape[1]
    share = rows[r, i]
    for j in range(i + 1, n):
        share += vectors[i, j] * rows[r, j]
    share *= scale
    rows[r, i] -= share
    for j in range(i + 1, n):
        rows[r, j] -= share * vectors[i, j]


@kernel
def _reduce(matrix: Floats, first: int, wanted: Floats) -> bool:
    """Make the columns from `first` on upper triangular, from row 0 on, by reflections that turn `wanted` too."""
    m, n = matrix.shape
    least = 0.0
    for i in range(m):
        for j in range(first, n):
            least = max(least, abs(matrix[i, j]))
    least *= SINGULAR
    for c in range(first, n):
        top = c - first
        square = 0.0
        for i in range(top, m):
            square += matrix[i, c] * matrix[i, c]
        norm = math.sqrt(square)
        if not norm > least:
            return False
        begun = matrix[top, c]
        pivot = -norm if begun > 0.0 else norm
        scale = (pivot - begun) / pivot
        for i in range(top + 1, m):
            matrix[i, c] /= begun - pivot
        for j in range(c + 1, n):
            share = matrix[top, j]
            for i in range(top + 1, m):
                share += matrix[i, c] * matrix[i, j]
            share *= scale
            matrix[top, j] -= share
            for i in range(top + 1, m):
                matrix[i, j] -= share * matrix[i, c]
        share = wanted[top]
        for i in range(top + 1, m):
            share += matrix[i, c] * wanted[i]
        share *= scale
        wanted[top] -= share
        for i in range(top + 1, m):
            wanted[i] -= share * matrix[i, c]
        matrix[top, c] = pivot
    return True


@kernel
def greatest_entry(matrix: Floats) -> float:
    """Return the greatest magnitude of a matrix's entries."""
    found = 0.0
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            found = max(found, abs(matrix[i, j]))
    return found


@kernel
def copy_matrix(matrix: Floats, out: Floats) -> None:
    """Copy a matrix into another array of its shape; an assignment of arrays would make a third."""
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            out[i, j] = matrix[i, j]
