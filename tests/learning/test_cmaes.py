"""The optimisers: bounds, costs, determinism, stops, and the (1+1)-CMA-ES against deap's implementation."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cmaes import CMA
from deap import base
from deap.cma import StrategyOnePlusLambda
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import slow

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.learning.cmaes import (
    KINDS,
    Bounds,
    FloatArray,
    OnePlusOne,
    Optimizer,
    Population,
    StopRules,
    make_optimizer,
)

Cost = Callable[[FloatArray], float]

EACH_KIND = pytest.mark.parametrize("kind", KINDS)


def sphere(x: FloatArray) -> float:
    return float(x @ x)


def ellipsoid(x: FloatArray) -> float:
    """Axes of 1 to 1000 : 1, so a condition number of 1e6."""
    return float(1e6 ** np.linspace(0, 1, x.size) @ (x * x))


def rosenbrock(x: FloatArray) -> float:
    return float(np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2))


def generation(search: Optimizer, cost: Cost) -> FloatArray:
    """Perform one generation and return its candidates."""
    candidates = search.ask()
    search.tell([cost(x) for x in candidates])
    return candidates


def searched(search: Optimizer, cost: Cost, generations: int = 100_000, target: float = -math.inf) -> Optimizer:
    """Run the search until it stops or reaches the target, or for N generations."""
    for _ in range(generations):
        if search.stop is not None or search.best_cost <= target:
            break
        generation(search, cost)
    return search


def state(search: Optimizer) -> tuple[object, ...]:
    """Return what the next generation depends on, without the random generator."""
    found = search.distribution()
    counts = (search.generations, search.evaluations, search.best_cost, search.sigma, found.condition)
    return (*counts, *(values.tolist() for values in (search.best_x, found.mean, found.deviations)))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kind": "cmaes"}, "there is no optimiser 'cmaes' (did you mean 'cma'?)"),
        ({"kind": "simplex"}, "there is no optimiser 'simplex' (known: 1+1, cma)"),
        ({"x0": []}, "'x0' must be a vector of at least one number, not of the shape (0,)"),
        ({"bounds": ([-1.0, 1.5], [1.0, 2.0])}, "'x0' must be within the bounds: parameter 1 is 1, not 1.5 to 2"),
    ],
)
def test_invalid_arguments_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(CtrlGraphError) as error:
        make_optimizer(**({"kind": "cma", "x0": [0.0, 1.0], "sigma": 0.3, "seed": 1} | given))
    assert str(error.value) == message


@EACH_KIND
def test_another_number_of_costs_is_refused_and_changes_nothing(kind: str) -> None:
    search = make_optimizer(kind, [0.0, 1.0], 0.3, seed=1)
    search.ask()
    before, m = state(search), search.population
    with pytest.raises(CtrlGraphError, match=rf"^'costs' must have the shape \({m},\), not \({m + 1},\)$"):
        search.tell(np.zeros(m + 1))
    assert state(search) == before


@EACH_KIND
def test_neither_the_start_nor_the_candidates_are_kept_by_reference(kind: str) -> None:
    start = np.array([0.5, 1.0])
    search = make_optimizer(kind, start, 0.3, seed=1)
    start += 1
    assert search.best_x.tolist() == [0.5, 1.0]
    candidates = search.ask()
    best = candidates[0].copy()
    candidates += 1
    search.tell(np.arange(search.population, dtype=float))
    assert search.best_x.tolist() == best.tolist()


# --- bounds ---


@given(st.sampled_from(KINDS), st.integers(1, 5), st.floats(0.01, 100), st.integers(0, 1000), st.booleans())
def test_every_candidate_is_within_its_bounds(kind: str, n: int, sigma: float, seed: int, half_open: bool) -> None:
    """With any step size, and a start in a corner."""
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
    search = make_optimizer(kind, np.zeros(n), 0.3, seed=15, bounds=(-np.ones(n), high))
    searched(search, lambda x: sphere(x - minimum), target=sphere(nearest - minimum) + 1e-10)
    assert search.best_x == pytest.approx(nearest, abs=1e-4)


@EACH_KIND
@pytest.mark.parametrize("n", [1, 3, 10])
def test_a_slope_into_a_corner_is_followed_to_its_end(kind: str, n: int) -> None:
    search = make_optimizer(kind, np.zeros(n), 0.5, seed=16, bounds=(-np.ones(n), np.ones(n)))
    searched(search, lambda x: float(np.sum(x)))
    assert search.best_x == pytest.approx(-np.ones(n), abs=1e-12)
    assert search.stop is not None


def test_a_candidate_that_equals_its_parent_is_a_failure() -> None:
    """On the bound there are many. As successes, they would keep the step size large."""
    rules = StopRules(1e-12, 1e6, 10_000, 10_000)
    search = make_optimizer("1+1", [0.0], 0.5, seed=16, bounds=([-1.0], [1.0]), rules=rules)
    searched(search, lambda x: float(x[0]), 2000)
    assert search.best_x.tolist() == [-1.0]
    assert search.stop is not None and search.stop.startswith("The step size fell below its tolerance")


SIDES = pytest.mark.parametrize(("low", "high"), [(True, True), (True, False), (False, True), (False, False)])


def box(n: int, low: bool = True, high: bool = True) -> Bounds:
    return Bounds.of(np.full(n, -1.0 if low else -math.inf), np.full(n, 3.0 if high else math.inf), 0.5)


@SIDES
@given(y=st.lists(st.floats(-1e30, 1e30), min_size=1, max_size=4))
def test_all_of_the_unbounded_space_is_folded_within(low: bool, high: bool, y: list[float]) -> None:
    bounds = box(len(y), low, high)
    x = bounds.fold(np.array(y))
    assert np.all(x >= bounds.low) and np.all(x <= bounds.high)
    assert bounds.fold(bounds.unfold(x)) == pytest.approx(x, abs=1e-12, rel=1e-12)


@SIDES
def test_points_away_from_the_bounds_keep_their_bits(low: bool, high: bool) -> None:
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
    slopes = np.diff(bounds.fold(y[:, None])[:, 0]) / h
    assert np.abs(slopes).max() <= 1 + 1e-6
    assert np.abs(np.diff(slopes)).max() <= 1.01 * h / (2 * width)  # the parabola's curvature, no kink anywhere
    for vertex in (-1 - width, 3 + width):
        around = np.linspace(0, 3, 50)[:, None]
        assert bounds.fold(vertex + around) == pytest.approx(bounds.fold(vertex - around), abs=1e-12)
    assert bounds.fold(np.array([[-1 - width], [3 + width]])).tolist() == [[-1.0], [3.0]]


@EACH_KIND
def test_a_bounded_search_is_a_free_one_that_is_folded(kind: str) -> None:
    bounds = Bounds.of(np.full(3, -1.0), np.full(3, 1.0), 0.5)
    bounded = make_optimizer(kind, np.zeros(3), 0.5, seed=30, bounds=(bounds.low, bounds.high))
    free = make_optimizer(kind, bounds.unfold(np.zeros(3)), 0.5, seed=30)
    mirrored = 0
    for _ in range(60):
        points = generation(free, lambda y: sphere(bounds.fold(y) - 1.5))
        assert np.array_equal(generation(bounded, lambda x: sphere(x - 1.5)), bounds.fold(points))
        mirrored += int(np.sum(points > bounds.high + bounds.width))
    assert mirrored > 5


# --- costs ---

COST = st.one_of(st.floats(-10, 10), st.sampled_from([math.inf, math.nan, -math.inf, 0.0, 1e308, -1e308, 5e-324, 1.0]))


@given(st.sampled_from(KINDS), st.integers(1, 4), st.booleans(), st.data())
def test_a_search_stays_finite_with_any_costs(kind: str, n: int, bounded: bool, data: Any) -> None:
    bounds = (np.full(n, -1.0), np.full(n, 1.0)) if bounded else None
    search = make_optimizer(kind, np.zeros(n), 0.3, seed=1, bounds=bounds)
    for _ in range(12):
        candidates = search.ask()
        assert np.all(np.isfinite(candidates))
        search.tell(data.draw(st.lists(COST, min_size=search.population, max_size=search.population)))
        assert 0 < search.sigma < math.inf
        assert not math.isnan(search.best_cost)
        search.stop  # noqa: B018 - none of the rules may fail
        assert np.all(np.isfinite(search.distribution().deviations))


@EACH_KIND
def test_nan_counts_as_inf(kind: str) -> None:
    searches = [make_optimizer(kind, np.full(3, 0.5), 0.3, seed=11) for _ in range(2)]
    for search, none in zip(searches, (math.nan, math.inf), strict=True):
        for _ in range(30):
            generation(search, lambda x, none=none: none if x[0] > 0.5 else sphere(x))
    assert state(searches[0]) == state(searches[1])


@EACH_KIND
def test_a_start_where_nothing_can_be_evaluated_does_not_shrink_the_steps(kind: str) -> None:
    search = make_optimizer(kind, np.zeros(2), 0.3, seed=13)
    for _ in range(19):
        generation(search, lambda x: math.inf)
    assert (search.sigma, search.best_cost, search.best_x.tolist()) == (0.3, math.inf, [0.0, 0.0])
    searched(search, lambda x: sphere(x) if x[0] > 0.2 else math.inf, 300)
    assert search.best_cost < 0.05


@pytest.mark.slow
@EACH_KIND
def test_a_search_that_continues_after_its_stop_stays_finite(kind: str) -> None:
    for cost in (lambda x: 1.0, lambda x: float(x[0]), sphere):
        search = make_optimizer(kind, np.ones(2), 0.3, seed=14)
        for _ in range(1500):
            generation(search, cost)
        assert search.stop is not None
        assert np.all(np.isfinite(search.ask()))
        assert np.all(np.isfinite(search.distribution().deviations))


# --- determinism ---


@given(st.sampled_from(KINDS), st.integers(1, 6), st.integers(0, 2**70), st.booleans(), st.integers(0, 55))
def test_the_seed_and_the_costs_determine_all_candidates(
    kind: str, n: int, seed: int, bounded: bool, generations: int
) -> None:
    bounds = (np.full(n, -math.inf), np.full(n, 0.6)) if bounded else None
    first, again, other = (
        make_optimizer(kind, np.full(n, 0.5), 0.3, seed=number, bounds=bounds) for number in (seed, seed, seed + 1)
    )

    def cost(x: FloatArray) -> float:
        return {0: math.inf, 1: math.nan}.get(int(abs(x[0]) * 1e6) % 10, ellipsoid(x))

    for _ in range(generations):
        candidates = generation(first, cost)
        first.stop  # noqa: B018 - has no effect on the search
        assert np.array_equal(again.ask(), candidates)
        again.tell([cost(x) for x in candidates])
        generation(other, cost)
    assert state(again) == state(first)
    generation(first, sphere), generation(again, sphere), generation(other, sphere)
    drawn = first.ask()
    assert np.array_equal(again.ask(), drawn)
    assert not np.array_equal(other.ask(), drawn)


# --- the CMA-ES with a population ---


@pytest.mark.parametrize("cost", [sphere, ellipsoid, rosenbrock])
def test_it_is_the_search_of_the_library(cost: Cost) -> None:
    search = make_optimizer("cma", np.full(4, -0.5), 0.3, seed=6)
    assert isinstance(search, Population)
    library = CMA(mean=np.full(4, -0.5), sigma=0.3, population_size=search.population)
    library._rng.set_state(search._cma._rng.get_state())
    for _ in range(60):
        candidates = generation(search, cost)
        drawn = [library.ask() for _ in range(library.population_size)]
        assert np.array_equal(candidates, drawn)
        library.tell([(x, cost(x)) for x in drawn])


def test_a_generation_without_any_finite_cost_does_not_change_the_distribution() -> None:
    search = searched(make_optimizer("cma", np.ones(3), 0.3, seed=10), sphere, 5)
    sigma, mean = search.sigma, search.distribution().mean.tolist()
    search.ask()
    search.tell(np.full(search.population, math.nan))
    assert (search.generations, search.evaluations) == (6, 6 * search.population)
    assert (search.sigma, search.distribution().mean.tolist()) == (sigma, mean)


# --- the (1+1)-CMA-ES ---


class Least(base.Fitness):
    weights = (-1.0,)


class Individual(list):
    """An individual of deap: numbers with a fitness."""

    def __init__(self, x: FloatArray, cost: float) -> None:
        super().__init__(x)
        self.fitness = Least((cost,))


@pytest.mark.parametrize("cost", [sphere, ellipsoid, rosenbrock])
@pytest.mark.parametrize("n", [2, *slow(7)])
def test_it_learns_the_same_distribution_as_deap_from_the_same_candidates(cost: Cost, n: int) -> None:
    """All quantities of the strategy in each generation, though only deap factorises C."""
    x0 = np.full(n, -0.6)
    search = make_optimizer("1+1", x0, 0.4, seed=5)
    assert isinstance(search, OnePlusOne)
    strategy = StrategyOnePlusLambda(Individual(x0, cost(x0)), 0.4, lambda_=1)
    generation(search, cost)
    while search.best_cost > 1e-14 and search.generations < 1200:
        (x,) = generation(search, cost)
        strategy.update([Individual(x, cost(x))])
        assert np.array_equal(search.best_x, strategy.parent)
        assert search.sigma == pytest.approx(strategy.sigma, rel=1e-9)
        assert search._p_succ == pytest.approx(strategy.psucc, rel=1e-9)
        assert search._path == pytest.approx(strategy.pc, rel=1e-6, abs=1e-6 * np.linalg.norm(strategy.pc))
        assert search.covariance == pytest.approx(strategy.C, rel=1e-6, abs=1e-9 * np.abs(strategy.C).max())


def test_the_first_candidate_is_the_start_and_only_becomes_the_parent() -> None:
    search = make_optimizer("1+1", [1.0, -2.0], 0.5, seed=1)
    before = search.distribution()
    assert generation(search, sphere) == pytest.approx(np.array([[1.0, -2.0]]))
    assert (search.best_cost, search.generations, search.evaluations, search.sigma) == (5.0, 1, 1, 0.5)
    assert np.array_equal(search.distribution().deviations, before.deviations)


@pytest.mark.parametrize("transformed", [lambda f: f**3, math.log, lambda f: -1 / f], ids=["cube", "log", "reciprocal"])
@given(seed=st.integers(0, 2**64), n=st.integers(1, 6))
@settings(max_examples=15)
def test_it_uses_only_the_order_of_costs(transformed: Callable[[float], float], seed: int, n: int) -> None:
    plain, other = (make_optimizer("1+1", np.full(n, 0.7), 0.3, seed=seed) for _ in range(2))
    for _ in range(80):
        candidates = generation(plain, ellipsoid)
        assert np.array_equal(candidates, generation(other, lambda x: transformed(ellipsoid(x))))
    assert plain.sigma == other.sigma


# --- stops ---

OFF: dict[str, Any] = {
    "step_tolerance": 0.0,
    "divergence_limit": math.inf,
    "stagnation_generations": 10**9,
    "flat_generations": 10**9,
    "condition_limit": math.inf,
}
"""Stopping rules that never apply."""

REASONS: list[tuple[Cost, dict[str, Any], str]] = [
    (sphere, {"step_tolerance": 1e-4}, r"The step size fell below its tolerance: \S+ is less than 0\.0001\."),
    (lambda x: float(x[0]), {"divergence_limit": 1e3}, r"The step size grew beyond bounds: \S+ is more than 1000\."),
    (ellipsoid, {"condition_limit": 1e4}, r"The covariance matrix has the condition number \S+, above 10000\."),
    (
        sphere,
        {"stagnation_generations": 30, "stagnation_tolerance": 0.01},
        r"The cost has not improved by more than 0\.01 for 30 generations\.",
    ),
    (
        lambda x: 4.25,
        {"flat_generations": 7},
        r"The search space is flat: all candidates of the last 7 generations cost 4\.25\.",
    ),
    (lambda x: math.nan, {"flat_generations": 5}, r"No candidate of the last 5 generations could be evaluated\."),
    (lambda x: sphere(x - 1e16), {}, r"A step size of \S+ is too small to change the parameters\."),
]


@EACH_KIND
@pytest.mark.parametrize(("cost", "rules", "explanation"), REASONS, ids=[words[:30] for _, _, words in REASONS])
def test_each_reason_to_stop_is_explained(kind: str, cost: Cost, rules: dict[str, Any], explanation: str) -> None:
    start = np.full(3, 1e16 if not rules else 1.0)
    search = make_optimizer(kind, start, 0.5, seed=18, rules=StopRules(**(OFF | rules)))
    searched(search, cost, 20_000)
    assert search.stop is not None and re.fullmatch(explanation, search.stop), search.stop


@EACH_KIND
def test_one_candidate_of_another_cost_ends_a_flat_stretch(kind: str) -> None:
    search = make_optimizer(kind, np.ones(2), 0.5, seed=19, rules=StopRules(**(OFF | {"flat_generations": 4})))
    for level in (1.0, 1.0, 1.0, 2.0, 2.0, 2.0):
        generation(search, lambda x, level=level: level)
        assert search.stop is None
    generation(search, lambda x: 2.0)
    assert search.stop is not None and search.stop.startswith("The search space is flat")


@EACH_KIND
@pytest.mark.parametrize(("gain", "stops"), [(0.0625, False), (0.015625, True)])
def test_small_gains_add_up_to_an_improvement(kind: str, gain: float, stops: bool) -> None:
    """Stagnation is measured from the last cost that counted, not from one generation to the next."""
    rules = StopRules(**(OFF | {"stagnation_generations": 10, "stagnation_tolerance": 0.25}))
    search = make_optimizer(kind, np.ones(2), 0.5, seed=20, rules=rules)
    for step in range(11):
        generation(search, lambda x, step=step: 10 - gain * step)
        assert step == 10 or search.stop is None
    assert (search.stop is not None) == stops


@EACH_KIND
@pytest.mark.parametrize("n", [1, 2, 10])
def test_the_default_rules_let_a_search_converge(kind: str, n: int) -> None:
    for cost in (sphere, ellipsoid):
        search = searched(make_optimizer(kind, np.ones(n), 0.5, seed=21), cost)
        assert search.best_cost < 1e-11
        assert search.stop is not None and search.stop.startswith(("The step size", "The cost has not", "A step size"))
