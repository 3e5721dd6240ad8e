"""Small quadratic programs: the smallest vector x with which linear functions of x lie between given bounds.

Hildreth's method (1957) solves the dual problem, one multiplier after the other. It needs no work arrays and takes
bounded time. It has a result even for contradictory bounds: those of later rows of G take priority. An active-set
method is exact, but has no result for contradictory bounds.
"""

from __future__ import annotations

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import separate_kernel

_CLOSE = 1e-6
"""Change of a multiplier below which the iteration ends, as a fraction of the largest multiplier."""


@separate_kernel
def least_change(
    rows: Floats, value: Floats, low: Floats, high: Floats, multiplier: Floats, sweeps: int, change: Floats
) -> None:
    """Find the x of least Euclidean norm for which low <= value + G x <= high.

    Args:
        rows: G, with m rows and at least n columns, of which the first n are used.
        value: the m quantities value + G x for x = 0, (m,).
        low: lower bounds of the quantities (m,), -inf for none.
        high: upper bounds of the quantities (m,), inf for none.
        multiplier: result (m,), Lagrange multiplier of each quantity: positive at `high`, negative at `low`, otherwise
            0.
        sweeps: maximum number of passes over all quantities.
        change: result x (n,).
    """
    m, n = value.size, change.size
    for k in range(n):
        change[k] = 0.0
    for i in range(m):
        multiplier[i] = 0.0
    for _ in range(sweeps):
        moved = largest = 0.0
        for i in range(m):
            square, there = 0.0, value[i]
            for k in range(n):
                square += rows[i, k] * rows[i, k]
                there += rows[i, k] * change[k]
            if not square > 0.0:
                continue
            above = multiplier[i] + (there - high[i]) / square
            below = multiplier[i] + (there - low[i]) / square
            pushed = above if above > 0.0 else (below if below < 0.0 else 0.0)
            step = pushed - multiplier[i]
            multiplier[i] = pushed
            for k in range(n):
                change[k] -= step * rows[i, k]
            moved = max(moved, abs(step))
            largest = max(largest, abs(pushed))
        if moved <= _CLOSE * largest:
            break
