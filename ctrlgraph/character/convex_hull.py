"""The convex hull of points in a plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def convex_hull(points: Array, tolerance: float = 0.0) -> Array:
    """Return the corners (n, 2) of the convex hull of points, counterclockwise (Andrew's monotone chain).

    Args:
        points: (m, 2) coordinates of the points.
        tolerance: limit for almost straight corners. A corner is dropped if twice the area of the triangle of the
            corner and its two neighbours is at most `tolerance` times the square of the larger of width and height
            of all points.
    """
    width = float(np.ptp(points, axis=0).max())
    tiny = tolerance * width**2
    halves: list[list[Array]] = []
    ordered = sorted(points, key=lambda point: (round(float(point[0]) / width, 9), float(point[1])))
    for line in (ordered, ordered[::-1]):
        half: list[Array] = []
        for point in line:
            while len(half) > 1 and _turn(half[-2], half[-1], point) <= tiny:
                half.pop()
            half.append(point)
        halves.append(half[:-1])
    return np.array(halves[0] + halves[1])


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
