"""Compare the evaluations of the optimizers with an independent (1+1)-CMA-ES, that of the deap package.

    python benchmarks/optimizers.py [--seed S] [--runs N] [--parameters N] [--json]

Functions: sphere, ellipsoid (condition number 1e6) and Rosenbrock, until the cost is 1e-8. Start and initial step size
are equal. deap's loop creates one child per parent, whose first evaluation counts as in our optimizer. A run that does
not reach the target within the maximum number of evaluations (or whose matrix deap can no longer factorize) counts as
infinitely long: Rosenbrock has a second minimum. The seeds are S, S + 1, ...

Bounds: a sphere whose minimum is out of bounds in every second coordinate, until the cost is within 1e-8 of the
minimum within the bounds. The reference is the cmaes package with its own bounds, which resamples and finally clips.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np
from cmaes import CMA
from deap import base
from deap.cma import StrategyOnePlusLambda

from ctrlgraph.learning.cmaes import FloatArray, make_optimizer

TARGET = 1e-8
SIGMA = 0.5
MOST = 50_000
Cost = Callable[[FloatArray], float]


def sphere(x: FloatArray) -> float:
    return float(x @ x)


def ellipsoid(x: FloatArray) -> float:
    return float(1e6 ** np.linspace(0, 1, x.size) @ (x * x))


def rosenbrock(x: FloatArray) -> float:
    return float(np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2))


class Least(base.Fitness):
    weights = (-1.0,)


class Individual(list):
    """deap's individual: numbers with a fitness."""

    def __init__(self, x: FloatArray) -> None:
        super().__init__(x)
        self.fitness = Least()


@dataclass(frozen=True, slots=True)
class Problem:
    """Function to minimize, from x0 (n,) to the target, with all coordinates within low..high."""

    cost: Cost
    x0: FloatArray
    target: float = TARGET
    low: float = -math.inf
    high: float = math.inf


def leaning(n: int) -> Problem:
    """Sphere with its minimum at 1.7 in every second coordinate, and bounds of -1..1."""
    minimum = np.where(np.arange(n) % 2 == 0, 1.7, 0.3)
    least = sphere(np.minimum(minimum, 1) - minimum)
    return Problem(lambda x: sphere(x - minimum), np.zeros(n), least + TARGET, -1.0, 1.0)


def ours(kind: str, problem: Problem, seed: int) -> float:
    """Return the evaluations of a run of our optimizer."""
    n = problem.x0.size
    bounds = None if math.isinf(problem.high) else (np.full(n, problem.low), np.full(n, problem.high))
    search = make_optimizer(kind, problem.x0, SIGMA, seed=seed, bounds=bounds)
    while search.stop is None and search.evaluations < MOST and search.best_cost > problem.target:
        candidates = search.ask()
        search.tell([problem.cost(x) for x in candidates])
    return search.evaluations if search.best_cost <= problem.target else math.inf


def cmaes(problem: Problem, seed: int) -> float:
    """Return the evaluations of a run of the cmaes package with its own bounds."""
    bounds = np.tile([problem.low, problem.high], (problem.x0.size, 1))
    search = CMA(mean=problem.x0.copy(), sigma=SIGMA, bounds=bounds, seed=seed)
    while search.generation * search.population_size < MOST and not search.should_stop():
        candidates = [search.ask() for _ in range(search.population_size)]
        evaluated = [(x, problem.cost(x)) for x in candidates]
        search.tell(evaluated)
        if min(cost for _, cost in evaluated) <= problem.target:
            return search.generation * search.population_size
    return math.inf


def deap(problem: Problem, seed: int) -> float:
    """Return the evaluations of a run of deap's optimizer."""
    np.random.seed(seed)
    parent = Individual(problem.x0)
    parent.fitness.values = (problem.cost(problem.x0),)
    strategy = StrategyOnePlusLambda(parent, SIGMA, lambda_=1)
    for evaluations in range(1, MOST):
        if strategy.parent.fitness.values[0] <= problem.target:
            return evaluations
        offspring = strategy.generate(Individual)
        offspring[0].fitness.values = (problem.cost(np.array(offspring[0])),)
        try:
            strategy.update(offspring)
        except np.linalg.LinAlgError:
            break
    return math.inf


Strategy = Callable[[Problem, int], float]
OURS: dict[str, Strategy] = {"ours, 1+1": partial(ours, "1+1"), "ours, cma": partial(ours, "cma")}


@dataclass(frozen=True, slots=True)
class Row:
    """Return the evaluations of an optimizer on a function, for all seeds."""

    function: str
    strategy: str
    runs: int
    reached: int
    least: float
    quarter: float
    median: float
    three_quarters: float
    most: float

    def as_line(self) -> str:
        """Return a row of the table."""
        numbers = [f"{value:.0f}" for value in (self.median, self.quarter, self.three_quarters, self.least, self.most)]
        median, quarter, three_quarters, least, most = numbers
        return (
            f"| {self.function} | {self.strategy} | {median} | {quarter} - {three_quarters} | {least} - {most} "
            f"| {self.reached}/{self.runs} |"
        )


def row(function: str, strategy: str, evaluations: list[float]) -> Row:
    """Return median, quartiles and range; unfinished runs are the longest."""
    quantiles = np.quantile(evaluations, [0, 0.25, 0.5, 0.75, 1], method="nearest").tolist()
    reached = sum(value < math.inf for value in evaluations)
    return Row(function, strategy, len(evaluations), reached, *quantiles)


def verdict(mine: Row, reference: Row) -> str:
    """Return the rank of our median in the reference's runs."""
    for low, high, words in (
        (reference.quarter, reference.three_quarters, "within the reference's quartiles"),
        (reference.least, reference.most, "within the reference's runs, but not its quartiles"),
    ):
        if low <= mine.median <= high:
            return f"{mine.function}: our median, {mine.median:.0f}, lies {words}, {low:.0f} - {high:.0f}"
    return (
        f"{mine.function}: our median, {mine.median:.0f}, lies OUTSIDE the reference's runs, "
        f"{reference.least:.0f} - {reference.most:.0f}"
    )


def measured(function: str, problem: Problem, strategies: dict[str, Strategy], seeds: range) -> list[Row]:
    """Return a row for each optimizer; prints the progress to standard error."""
    runs: dict[str, list[float]] = {strategy: [] for strategy in strategies}
    for seed in seeds:
        for strategy, run in strategies.items():
            runs[strategy].append(run(problem, seed))
        print(f"\r{function}: {seed - seeds.start + 1} of {len(seeds)} ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return [row(function, strategy, evaluations) for strategy, evaluations in runs.items()]


def finite(value: object) -> object:
    """Return None for infinity, which JSON does not have."""
    return None if value == math.inf else value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=20000)
    parser.add_argument("--runs", type=int, default=25)
    parser.add_argument("--unknowns", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    n, seeds = given.search_space, range(given.seed, given.seed + given.runs)
    strategies = OURS | {"deap, 1+1": deap}
    rows = measured("sphere", Problem(sphere, np.ones(n)), strategies, seeds)
    rows += measured("ellipsoid", Problem(ellipsoid, np.ones(n)), strategies, seeds)
    rows += measured("Rosenbrock", Problem(rosenbrock, np.zeros(n)), strategies, seeds)
    compared = list(zip(rows[0::3], rows[2::3], strict=True))
    rows += measured("sphere, bounded", leaning(n), OURS | {"cmaes, its bounds": cmaes}, seeds)
    if given.json:
        print(json.dumps([{name: finite(value) for name, value in asdict(one).items()} for one in rows], indent=2))
        return
    print("| function | strategy | median | quartiles | min - max | reached |")
    print("| --- | --- | --- | --- | --- | --- |")
    print("\n".join(one.as_line() for one in rows))
    print("\n".join(verdict(mine, reference) for mine, reference in compared))


if __name__ == "__main__":
    main()
