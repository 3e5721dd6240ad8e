"""The smallest change that brings linear quantities between their bounds: a quadratic program of a few rows.

By Hildreth's method (1957): the dual problem, one multiplier after the other. It needs no arrays beside the rows, ends
after a known time, and has an answer where bounds contradict each other: it keeps to the last ones. An active set is
exact, and has none there.
"""

from __future__ import annotations

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import separate_kernel

_CLOSE = 1e-6
"""Share of the greatest multiplier: a sweep that moves none by more is the last."""


@separate_kernel
def least_change(
    rows: Floats, value: Floats, low: Floats, high: Floats, multiplier: Floats, sweeps: int, change: Floats
) -> None:
    """Find the smallest x for which low <= value + G x <= high.

    Args:
        rows: G (m, n), of which more columns than x has are not looked at.
        value: (m,) without a change; low, high: (m,), infinite where there is no bound.
        multiplier: (m,) receives what bounds push with: above 0 at `high`, below 0 at `low`, 0 where none holds.
        sweeps: over all rows, at most.
        change: receives x (n,).
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
