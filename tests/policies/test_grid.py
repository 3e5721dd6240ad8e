"""Grids: nearest points and interpolation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.policies import Grid, GridAxis

AXES = st.lists(
    st.builds(
        lambda low, width, count: GridAxis("x", low, low + width, count),
        st.floats(-5, 5),
        st.floats(0.5, 10),
        st.integers(1, 6),
    ),
    min_size=1,
    max_size=3,
)


def points_in(grid: Grid, shares: list[float]) -> np.ndarray:
    """A place by its share of each axis."""
    return grid.low + (grid.high - grid.low) * np.array(shares[: len(grid.axes)])


SHARES = st.lists(st.floats(0, 1), min_size=3, max_size=3)


@given(AXES, SHARES)
def test_the_nearest_point_is_the_nearest(axes: list[GridAxis], shares: list[float]) -> None:
    grid = Grid(axes)
    place = points_in(grid, shares)
    # on each axis, in its own unit
    off = np.abs(grid.points - place).max(initial=0.0, axis=1, where=grid.count > 1)
    assert np.abs(grid.points[grid.nearest(place)] - place).max(initial=0.0, where=grid.count > 1) <= off.max()
    for axis in range(len(axes)):
        nearest = np.abs(axes[axis].values - place[axis]).min()
        assert abs(grid.points[grid.nearest(place)][axis] - place[axis]) == pytest.approx(nearest, abs=1e-9)


@given(AXES, SHARES, st.lists(st.floats(-3, 3), min_size=8, max_size=8))
def test_what_is_linear_in_each_axis_is_interpolated_exactly(
    axes: list[GridAxis], shares: list[float], factors: list[float]
) -> None:
    grid = Grid(axes)
    spread = grid.count > 1  # an axis of one value is a constant

    def multilinear(places: np.ndarray) -> np.ndarray:
        terms = [np.prod(places[..., spread][..., list(chosen)], axis=-1) for chosen in subsets(int(spread.sum()))]
        return sum(factor * term for factor, term in zip(factors, terms, strict=False))

    place = points_in(grid, shares)
    (number,), (weight,) = grid.weights([place])
    values = np.asarray(multilinear(grid.points), float)
    assert weight @ values[number] == pytest.approx(float(multilinear(place)), abs=1e-6)


def subsets(n: int) -> list[tuple[int, ...]]:
    return [chosen for size in range(n + 1) for chosen in itertools.combinations(range(n), size)]


def test_a_grid_point_is_its_own_only_corner() -> None:
    grid = Grid([GridAxis("a", -1, 1, 5), GridAxis("b", 0, 3, 4)])
    number, weight = grid.weights(grid.points)
    for own in range(grid.size):
        assert dict(zip(number[own][weight[own] > 0], weight[own][weight[own] > 0], strict=True)) == {own: 1.0}
        assert grid.nearest(grid.point(own)) == own


def test_a_point_beyond_the_bounds_is_moved_onto_them_and_is_not_inside() -> None:
    grid = Grid([GridAxis("a", 0, 1, 3), GridAxis("b", 0, 1, 3)])
    assert grid.nearest([9, -9]) == grid.nearest([1, 0])
    assert grid.inside([[1, 0], [1.01, 0], [0.5, float("nan")]]).tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("low", "high", "count"), [(0, 0, 2), (1, 0, 2), (0, float("inf"), 2), (float("nan"), 1, 2), (0, 1, 0), (0, 1, 1e9)]
)
def test_invalid_axes_are_refused(low: float, high: float, count: int) -> None:
    with pytest.raises(CtrlGraphError, match=r"the grid axis 'x' "):
        GridAxis("x", low, high, count)


def test_a_grid_is_read_back_as_it_was_written() -> None:
    grid = Grid([GridAxis("angle", -0.1, 1 / 3, 7, "rad"), GridAxis("node", 0, 4, 5)])
    assert Grid.from_dict(grid.as_dict()) == grid


@pytest.mark.parametrize(
    "data",
    [{}, {"axes": "abc"}, {"axes": []}, {"axes": [{"name": "x"}]}]
    + [
        {"axes": [{"name": "x", "low": 0, "high": 1, "count": 2, "unit": ""} | change]}
        for change in (
            {"count": 10**9},
            {"count": True},
            {"low": "0"},
            {"name": 3},
            {"high": -1},
            {"unit": "x" * 10**4},
        )
    ]
    + [{"axes": [{"name": "x", "low": 0, "high": 1, "count": 5000, "unit": ""}] * 6}],
)
def test_invalid_grids_of_files_are_refused(data: dict) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Grid.from_dict(data)
