"""The hull of contact points, compared with exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.kernels.footsteps.footstep_hull import convex_hull, distance_outside

Point = tuple[Fraction, Fraction]


def is_inside(points: list[Point], place: Point) -> bool:
    """Return whether a place is a convex combination of points: inside one of their triangles, by exact arithmetic."""

    def turn(a: Point, b: Point, c: Point) -> Fraction:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    for a, b, c in combinations(points, 3):
        if turn(a, b, c) == 0:
            continue
        sides = [turn(a, b, place), turn(b, c, place), turn(c, a, place)]
        if min(sides) >= 0 or max(sides) <= 0:
            return True
    return False


def distance(points: list[tuple[float, float]], place: tuple[float, float]) -> float:
    array = np.array(points, dtype=float)
    hull = np.zeros((2 * len(points), 2))
    size = convex_hull(array, len(points), hull)
    return float(distance_outside(hull, size, *place))


# multiples of 1/64 are exact as floats, and so are their products
numbers = st.integers(-64, 64).map(lambda n: n / 64)
places = st.tuples(numbers, numbers)


@given(st.lists(places, min_size=3, max_size=12), places)
def test_inside_is_what_exact_arithmetic_says(points: list[tuple[float, float]], place: tuple[float, float]) -> None:
    exact = [(Fraction(x), Fraction(y)) for x, y in points]
    flat = len({*exact}) < 3 or not any(
        (b[0] - a[0]) * (c[1] - a[1]) != (b[1] - a[1]) * (c[0] - a[0]) for a, b, c in combinations(exact, 3)
    )
    if not flat:
        inside = is_inside(exact, (Fraction(place[0]), Fraction(place[1])))
        assert (distance(points, place) == 0.0) is inside


def test_distances_outside() -> None:
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.5, 0.5), (1.0, 0.5)]
    assert distance(square, (0.5, 1.0)) == 0.0
    assert distance(square, (0.5, 1.25)) == pytest.approx(0.25)
    assert distance(square, (4.0, 5.0)) == pytest.approx(5.0)
    assert distance([(0.0, 0.0), (1.0, 0.0)], (0.5, 0.25)) == pytest.approx(0.25)
    assert distance([(2.0, 0.0)], (2.0, 3.0)) == pytest.approx(3.0)
