"""Bounds: candidates keep them, minima on them are found, and far from them they change nothing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from searches import generation, searched, sphere

from ctrlgraph.optimization.cmaes import KINDS, make_optimizer
from ctrlgraph.optimization.cmaes.bounds import Bounds

EACH_KIND = pytest.mark.parametrize("kind", KINDS)


@given(st.sampled_from(KINDS), st.integers(1, 5), st.floats(0.01, 100), st.integers(0, 1000), st.booleans())
def test_every_candidate_is_within(kind: str, n: int, sigma: float, seed: int, half_open: bool) -> None:
    """However large the step size, and with the start in a corner."""
    low, high = np.full(n, -1.0), np.full(n, math.inf if half_open else 1.0)
    search = make_optimizer(kind, low, sigma, seed=seed, bounds=(low, high))
    for _ in range(15):
        candidates = generation(search, lambda x: sphere(x - 3))
        assert np.all(candidates >= low) and np.all(candidates <= high)


@EACH_KIND
@pytest.mark.parametrize("n", [2, 10])
def test_a_minimum_out_of_bounds_leads_to_the_nearest_point_within(kind: str, n: int) -> None:
    """Half of the coordinates of the minimum are on a bound, half are not."""
    high = np.where(np.arange(n) % 2 == 0, 1.0, math.inf)
    minimum = np.where(np.arange(n) % 2 == 0, 1.7, -0.25)
    nearest = np.minimum(minimum, high)
    search = make_optimizer(
        kind, np.zeros(n), 0.3, seed=15, bounds=(-np.ones(n), high), target_cost=sphere(nearest - minimum) + 1e-10
    )
    searched(search, lambda x: sphere(x - minimum))
    assert search.stop is not None and search.stop.reason == "target"
    assert search.best_x == pytest.approx(nearest, abs=1e-4)


@EACH_KIND
@pytest.mark.parametrize("n", [1, 3, 10])
def test_a_slope_into_a_corner_is_followed_to_its_end(kind: str, n: int) -> None:
    search = make_optimizer(kind, np.zeros(n), 0.5, seed=16, bounds=(-np.ones(n), np.ones(n)))
    searched(search, lambda x: float(np.sum(x)))
    assert search.best_x == pytest.approx(-np.ones(n), abs=1e-12)
    assert search.stop is not None


def test_a_candidate_that_is_folded_to_the_parent_itself_is_no_success() -> None:
    """On the bound, many are; they cost the same, and if they were successes the steps would not fall."""
    rules: dict[str, Any] = {"stagnation_generations": None, "flat_generations": None, "max_generations": 2000}
    search = make_optimizer("1+1", [0.0], 0.5, seed=16, bounds=([-1.0], [1.0]), **rules)
    searched(search, lambda x: float(x[0]))
    assert search.best_x.tolist() == [-1.0]
    assert search.stop is not None and search.stop.reason == "step-size"


def box(n: int, low: bool = True, high: bool = True) -> Bounds:
    return Bounds.of(np.full(n, -1.0 if low else -math.inf), np.full(n, 3.0 if high else math.inf), 0.5)


SIDES = pytest.mark.parametrize(("low", "high"), [(True, True), (True, False), (False, True), (False, False)])
POINT = st.floats(-1e6, 1e6)


@SIDES
@given(y=st.lists(POINT, min_size=1, max_size=4))
def test_all_of_the_unbounded_space_is_folded_within(low: bool, high: bool, y: list[float]) -> None:
    bounds = box(len(y), low, high)
    x = bounds.fold(np.array(y))
    assert np.all(x >= bounds.low) and np.all(x <= bounds.high)
    assert bounds.fold(bounds.unfold(x)) == pytest.approx(x, abs=1e-12, rel=1e-12)


@SIDES
def test_away_from_the_bounds_nothing_is_changed_to_the_bit(low: bool, high: bool) -> None:
    bounds = box(1, low, high)
    y = np.linspace(-0.5, 2.5, 777)[:, None]
    assert np.array_equal(bounds.fold(y), y)
    assert np.array_equal(bounds.unfold(y), y)


def test_the_map_is_smooth_and_mirrored_at_its_vertices() -> None:
    bounds = box(1)
    width = float(bounds.width[0])
    assert width == pytest.approx(0.4)
    h = 1e-5
    y = np.arange(-4.0, 8.0, h)
    x = bounds.fold(y[:, None])[:, 0]
    slopes = np.diff(x) / h
    assert np.abs(slopes).max() <= 1 + 1e-6
    assert np.abs(np.diff(slopes)).max() <= 1.01 * h / (2 * width)  # the parabola's curvature, no kink anywhere
    for vertex in (-1 - width, 3 + width):
        around = np.linspace(0, 3, 50)[:, None]
        assert bounds.fold(vertex + around) == pytest.approx(bounds.fold(vertex - around), abs=1e-12)
    assert bounds.fold(np.array([[-1 - width], [3 + width]])).tolist() == [[-1.0], [3.0]]


def test_candidates_that_were_not_asked_for_may_be_given() -> None:
    for kind in KINDS:
        search = make_optimizer(kind, np.zeros(2), 0.3, seed=18, bounds=(-np.ones(2), np.ones(2)))
        generation(search, sphere)
        others = np.clip(search.ask() + 0.01, -1, 1)
        search.tell(others, [sphere(x) for x in others])
        assert np.all(np.isfinite(search.ask()))


@EACH_KIND
def test_a_bounded_search_is_a_free_one_that_is_folded(kind: str) -> None:
    """What is learnt is learnt from the points that were drawn, on whichever side of a bound they are."""
    low, high = np.full(3, -1.0), np.full(3, 1.0)
    bounds = Bounds.of(low, high, 0.5)
    bounded = make_optimizer(kind, np.zeros(3), 0.5, seed=30, bounds=(low, high))
    free = make_optimizer(kind, bounds.unfold(np.zeros(3)), 0.5, seed=30)
    mirrored = 0
    for _ in range(60):
        points = generation(free, lambda y: sphere(bounds.fold(y) - 1.5))
        assert np.array_equal(generation(bounded, lambda x: sphere(x - 1.5)), bounds.fold(points))
        mirrored += int(np.sum(points > high + bounds.width))
    assert mirrored > 5


@EACH_KIND
def test_far_from_the_bounds_they_change_nothing(kind: str) -> None:
    free = make_optimizer(kind, np.ones(3), 0.1, seed=17)
    bounded = make_optimizer(kind, np.ones(3), 0.1, seed=17, bounds=(np.full(3, -100.0), np.full(3, 100.0)))
    for _ in range(40):
        assert np.array_equal(generation(free, sphere), generation(bounded, sphere))
