"""Restarts: when, from where, how often, and that budgets hold over all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from searches import generation, rastrigin, searched, sphere

from ctrlgraph.optimization.cmaes import KINDS, make_optimizer
from ctrlgraph.optimization.cmaes.factory import Restarting

EACH_KIND = pytest.mark.parametrize("kind", KINDS)
SHORT: dict[str, Any] = {"step_tolerance": 1e-2}
"""Ends an attempt on a sphere within some dozens of generations."""


def changes(search: Restarting, cost=sphere) -> list[tuple[int, float]]:
    """Population and step size at the start of each attempt, the search run to its end."""
    seen = [(search.population, search.sigma)]
    while search.stop is None:
        before = search.restarted
        generation(search, cost)
        if search.restarted > before:
            seen.append((search.population, search.sigma))
    return seen


def test_a_population_is_doubled_by_every_restart_and_the_step_size_is_the_first_again() -> None:
    search = make_optimizer("cma", np.ones(3), 0.5, seed=22, restarts=3, population=6, **SHORT)
    assert changes(search) == [(6, 0.5), (12, 0.5), (24, 0.5), (48, 0.5)]


def test_one_plus_one_goes_on_from_the_best_without_evaluating_it_again() -> None:
    search = make_optimizer("1+1", np.ones(3), 0.5, seed=23, restarts=1, **SHORT)
    while search.restarted == 0:
        generation(search, sphere)
    best, cost = search.best_x, search.best_cost
    assert search.sigma == 0.5
    candidates = np.array([search.ask()[0] for _ in range(500)])
    assert candidates.mean(axis=0) == pytest.approx(best, abs=0.1)
    assert candidates.std(axis=0) == pytest.approx(np.full(3, 0.5), abs=0.06)
    search.tell(candidates[:1], [cost + 1])
    assert np.array_equal(search.best_x, best)
    assert search.sigma < 0.5  # it was an offspring, and a failure


@EACH_KIND
@pytest.mark.parametrize(("restarts", "words"), [(1, "; 1 restart is used up."), (2, "; 2 restarts are used up.")])
def test_the_last_attempt_ends_the_search_and_says_why(kind: str, restarts: int, words: str) -> None:
    search = make_optimizer(kind, np.ones(3), 0.5, seed=24, restarts=restarts, **SHORT)
    assert len(changes(search)) == 1 + restarts
    assert search.stop is not None and search.stop.reason == "step-size"
    assert search.stop.explanation.startswith("The step size fell below its tolerance: ")
    assert search.stop.explanation.endswith(words)


@EACH_KIND
def test_budgets_and_target_succeed_over_all_attempts(kind: str) -> None:
    budget = 200 if kind == "1+1" else 60
    spent = searched(
        make_optimizer(kind, np.ones(3), 0.5, seed=25, restarts=9, max_generations=budget, **SHORT), sphere
    )
    assert spent.generations == budget and spent.restarted >= 1
    assert spent.stop is not None and spent.stop.reason == "generations"
    reached = searched(make_optimizer(kind, np.ones(3), 0.5, seed=25, restarts=9, target_cost=0.5), sphere)
    assert reached.stop is not None and reached.stop.reason == "target" and reached.restarted == 0


@EACH_KIND
def test_until_it_restarts_it_is_the_search_without_restarts(kind: str) -> None:
    plain = make_optimizer(kind, np.ones(3), 0.5, seed=26, **SHORT)
    restarting = make_optimizer(kind, np.ones(3), 0.5, seed=26, restarts=2, **SHORT)
    while plain.stop is None:
        assert np.array_equal(generation(plain, sphere), generation(restarting, sphere))
    assert restarting.restarted == 1
    assert restarting.evaluations == plain.evaluations


@EACH_KIND
def test_the_best_of_all_attempts_is_kept(kind: str) -> None:
    search = make_optimizer(kind, np.ones(2), 0.5, seed=27, restarts=2, **SHORT)
    reported: list[float] = []
    while search.stop is None:
        candidates = search.ask()
        costs = [sphere(x) for x in candidates]
        search.tell(candidates, costs)
        reported += costs
        assert search.best_cost == min(reported)
        assert sphere(search.best_x) == search.best_cost
    assert search.evaluations == len(reported)


@EACH_KIND
def test_every_attempt_has_chances_of_its_own(kind: str) -> None:
    search = make_optimizer(kind, np.ones(3), 0.5, seed=28, restarts=1, **SHORT)
    restarting, steps = search.restarted, []
    for _ in range(2):
        if kind == "1+1" and restarting == 0:
            generation(search, sphere)
        centre = search._attempt.distribution().mean
        steps.append(search.ask()[0] - centre)
        while search.restarted == restarting and search.stop is None:
            generation(search, sphere)
        restarting = search.restarted
    assert not np.allclose(steps[0], steps[1])


@pytest.mark.slow
def test_larger_populations_find_the_minimum_among_many() -> None:
    def found(restarts: int) -> int:
        return sum(
            searched(
                make_optimizer("cma", np.full(3, 3.2), 1.0, seed=seed, restarts=restarts, target_cost=1e-6), rastrigin
            ).best_cost
            <= 1e-6
            for seed in range(5)
        )

    assert found(5) == 5
    assert found(0) < 5
