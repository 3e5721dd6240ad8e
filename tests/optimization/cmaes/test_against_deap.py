"""The (1+1)-CMA-ES against an independent implementation, `deap.cma.StrategyOnePlusLambda` with one offspring."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from deap import base
from deap.cma import StrategyOnePlusLambda
from sampling import slow
from searches import Cost, ellipsoid, generation, rosenbrock, searched, sphere

from ctrlgraph.optimization.cmaes import FloatArray, make_optimizer
from ctrlgraph.optimization.cmaes.one_plus_one import C_P, P_TARGET, P_THRESH, Constants, OnePlusOne

COSTS = pytest.mark.parametrize("cost", [sphere, ellipsoid, rosenbrock])


class Least(base.Fitness):
    weights = (-1.0,)


class Individual(list):
    """What deap moves about: numbers with a fitness."""

    def __init__(self, x: FloatArray, cost: float | None = None) -> None:
        super().__init__(x)
        self.fitness = Least(() if cost is None else (cost,))


@pytest.fixture
def deap_chance() -> Iterator[None]:
    """deap draws from numpy's global generator: seeded here, and put back."""
    before = np.random.get_state()
    np.random.seed(1)
    yield
    np.random.set_state(before)


def reference(x0: FloatArray, sigma: float, cost: Cost) -> StrategyOnePlusLambda:
    return StrategyOnePlusLambda(Individual(x0, cost(x0)), sigma, lambda_=1)


def evaluations_of_reference(strategy: StrategyOnePlusLambda, cost: Cost, target: float) -> int:
    evaluations = 1
    while strategy.parent.fitness.values[0] > target:
        offspring = strategy.generate(Individual)
        for individual in offspring:
            individual.fitness.values = (cost(np.array(individual)),)
        strategy.update(offspring)
        evaluations += 1
    return evaluations


@pytest.mark.parametrize("n", [1, 2, 3, 10, 40])
def test_the_constants_are_the_same(n: int) -> None:
    strategy = reference(np.zeros(n), 1.0, sphere)
    ours = Constants.of(n)
    assert (ours.damping, ours.c_c, ours.c_cov) == pytest.approx((strategy.d, strategy.cc, strategy.ccov))
    assert pytest.approx((strategy.ptarg, strategy.cp, strategy.pthresh)) == (P_TARGET, C_P, P_THRESH)


@COSTS
@pytest.mark.parametrize("n", [2, *slow(7)])
def test_from_the_same_candidates_both_learn_the_same_distribution(cost: Cost, n: int) -> None:
    """Every quantity of the strategy, generation by generation, though one factorises C and the other does not."""
    x0 = np.full(n, -0.6)
    search = make_optimizer("1+1", x0, 0.4, seed=5)
    assert isinstance(search, OnePlusOne)
    strategy = reference(x0, 0.4, cost)
    generation(search, cost)
    while search.best_cost > 1e-14 and search.generations < 1200:
        (x,) = generation(search, cost)
        strategy.update([Individual(x, cost(x))])
        assert np.array_equal(search.best_x, strategy.parent)
        assert search.sigma == pytest.approx(strategy.sigma, rel=1e-9)
        assert search._p_succ == pytest.approx(strategy.psucc, rel=1e-9)
        assert search._path == pytest.approx(strategy.pc, rel=1e-6, abs=1e-6 * np.linalg.norm(strategy.pc))
        assert search.covariance == pytest.approx(strategy.C, rel=1e-6, abs=1e-9 * np.abs(strategy.C).max())


@pytest.mark.slow
@COSTS
@pytest.mark.usefixtures("deap_chance")
def test_it_takes_as_many_evaluations_as_the_reference(cost: Cost) -> None:
    """Each one's median lies within the spread of the other's runs."""
    x0, target = np.full(4, 0.4), 1e-8
    ours = [
        searched(make_optimizer("1+1", x0, 0.4, seed=seed, target_cost=target), cost).evaluations for seed in range(9)
    ]
    theirs = [evaluations_of_reference(reference(x0, 0.4, cost), cost, target) for _ in range(9)]
    assert min(theirs) <= np.median(ours) <= max(theirs)
    assert min(ours) <= np.median(theirs) <= max(ours)
