"""Interpolation on regular grids.

A grid has D axes, each from `low` to `high` with `count` evenly spaced points. Grid points are numbered in C order: the
last axis varies fastest. Points outside of the grid are moved to its boundary.
"""

from __future__ import annotations

from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Floats, Ints


@kernel
def place_on_axis(value: float, low: float, high: float, count: int) -> float:
    """Return the position of a value on an axis, in grid points: 0 at the first, count - 1 at the last."""
    if count < 2:
        return 0.0
    place = (value - low) / (high - low) * (count - 1)
    return min(max(place, 0.0), count - 1.0)


@kernel
def nearest_point(point: Floats, low: Floats, high: Floats, count: Ints) -> int:
    """Return the number of the grid point nearest to a point (D,); ties go to the greater value."""
    number = 0
    for axis in range(point.size):
        place = place_on_axis(point[axis], low[axis], high[axis], count[axis])
        number = number * count[axis] + min(int(place + 0.5), count[axis] - 1)
    return number


@kernel
def corner(point: Floats, low: Floats, high: Floats, count: Ints, which: int) -> tuple[int, float]:
    """Return the number and weight of one of the 2^D corners of the cell around a point.

    The weights are those of multilinear interpolation: 0 to 1, with a sum of 1.

    Args:
        point: (D,).
        low: (D,) first value of each axis.
        high: (D,) last value of each axis.
        count: (D,) points of each axis.
        which: the corner, with one bit for each axis, which is 1 at the upper end.
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
def corners(points: Floats, low: Floats, high: Floats, count: Ints, number: Ints, weight: Floats) -> None:
    """Write numbers and weights of the corners around each point (M, D) to `number` and `weight` (M, 2^D)."""
    for row in range(points.shape[0]):
        for which in range(number.shape[1]):
            number[row, which], weight[row, which] = corner(points[row], low, high, count, which)
