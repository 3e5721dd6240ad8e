"""Where a point lies on a regular grid: the grid points around it and how much each of them counts.

A grid has D axes, each from `low` to `high` with `count` evenly spaced points; a grid point's number is that of C
order, the last axis the quickest. A point beyond an end counts as lying at it.
"""

from __future__ import annotations

from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel


@kernel
def place_on_axis(value: float, low: float, high: float, count: int) -> float:
    """Return where a value lies on an axis, counted in its points: 0 at the first, count - 1 at the last."""
    if count < 2:
        return 0.0
    place = (value - low) / (high - low) * (count - 1)
    return min(max(place, 0.0), count - 1.0)


@kernel
def nearest_point(point: Floats, low: Floats, high: Floats, count: Ints) -> int:
    """Return the number of the grid point nearest to a point (D,); half way, that of the greater value."""
    number = 0
    for axis in range(point.size):
        place = place_on_axis(point[axis], low[axis], high[axis], count[axis])
        number = number * count[axis] + min(int(place + 0.5), count[axis] - 1)
    return number


@kernel
def corner(point: Floats, low: Floats, high: Floats, count: Ints, which: int) -> tuple[int, float]:
    """Return the number and the weight (0 to 1) of one of the 2^D corners of the cell that a point (D,) lies in.

    The weights of all corners sum to 1; those of multilinear interpolation.

    Args:
        which: the corner, a bit for each axis, 1 for the upper end.
    """
    number, weight = 0, 1.0
    for axis in range(point.size):
        place = place_on_axis(point[axis], low[axis], high[axis], count[axis])
        below = min(int(place), max(count[axis] - 2, 0))
        share = place - below
        upper = (which >> axis) & 1
        weight *= share if upper else 1.0 - share
        number = number * count[axis] + min(below + upper, count[axis] - 1)
    return number, weight


@kernel
def interpolated(values: Floats, point: Floats, low: Floats, high: Floats, count: Ints) -> float:
    """Return the multilinear interpolation of values at the grid points (N,) at a point (D,)."""
    total = 0.0
    for which in range(1 << point.size):
        number, weight = corner(point, low, high, count, which)
        if weight > 0.0:
            total += weight * values[number]
    return total


@kernel
def nearest_points(points: Floats, low: Floats, high: Floats, count: Ints, number: Ints) -> None:
    """Write the nearest grid point of each point (M, D) into `number` (M,)."""
    for row in range(points.shape[0]):
        number[row] = nearest_point(points[row], low, high, count)


@kernel
def corners(points: Floats, low: Floats, high: Floats, count: Ints, number: Ints, weight: Floats) -> None:
    """Write numbers and weights of the corners around each point (M, D) into `number` and `weight` (M, 2^D)."""
    for row in range(points.shape[0]):
        for which in range(number.shape[1]):
            number[row, which], weight[row, which] = corner(points[row], low, high, count, which)
