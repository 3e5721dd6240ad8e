"""Convex hull of contact points, and the distance of a point outside it."""

from __future__ import annotations

import math

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel, separate_kernel


@kernel
def turn_of(a: Floats, b: Floats, x: float, y: float) -> float:
    """Return twice the area of the triangle a, b, (x, y): positive if it is anticlockwise."""
    return float((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]))


@separate_kernel
def convex_hull(points: Floats, n: int, hull: Floats) -> int:
    """Find the convex hull of points by Andrew's monotone chain.

    Args:
        points: the points (P, 2), of which the first n are used; they are sorted in place.
        n: number of points.
        hull: result, the corners in anticlockwise order; at least (2 n, 2).

    Returns:
        Number of corners.
    """
    for i in range(1, n):
        x, y, k = points[i, 0], points[i, 1], i
        while k > 0 and (points[k - 1, 0] > x or (points[k - 1, 0] == x and points[k - 1, 1] > y)):
            points[k, 0], points[k, 1] = points[k - 1, 0], points[k - 1, 1]
            k -= 1
        points[k, 0], points[k, 1] = x, y
    size = 0
    for i in range(n):
        while size >= 2 and turn_of(hull[size - 2], hull[size - 1], points[i, 0], points[i, 1]) <= 0.0:
            size -= 1
        hull[size, 0], hull[size, 1] = points[i, 0], points[i, 1]
        size += 1
    lower = size + 1
    for i in range(n - 2, -1, -1):
        while size >= lower and turn_of(hull[size - 2], hull[size - 1], points[i, 0], points[i, 1]) <= 0.0:
            size -= 1
        hull[size, 0], hull[size, 1] = points[i, 0], points[i, 1]
        size += 1
    return max(size - 1, min(n, 1))


@separate_kernel
def distance_outside(hull: Floats, size: int, x: float, y: float) -> float:
    """Return the distance of a point from a convex polygon, m; 0 inside, infinity if the polygon has no corner.

    Args:
        hull: corners in anticlockwise order (at least (size, 2)).
        size: number of corners.
        x: x of the point, m.
        y: y of the point, m.
    """
    if size == 0:
        return math.inf
    outside, nearest = size < 3, math.inf
    for i in range(size):
        a, b = hull[i], hull[(i + 1) % size]
        outside = outside or turn_of(a, b, x, y) < 0.0
        dx, dy = b[0] - a[0], b[1] - a[1]
        square = dx * dx + dy * dy
        share = 0.0 if square == 0.0 else ((x - a[0]) * dx + (y - a[1]) * dy) / square
        share = min(max(share, 0.0), 1.0)
        nearest = min(nearest, math.hypot(x - a[0] - share * dx, y - a[1] - share * dy))
    return nearest if outside else 0.0
