"""The CMA-ES with a population: the `cmaes` package as an `Optimizer`.

The algorithm is that of the library (N. Hansen, "The CMA evolution strategy: a tutorial", 2016; with negative
weights). ctrlgraph adds the stopping rules, the bounds, and the treatment of infinite and NaN costs. The library
handles bounds by redrawing and clipping, and then converges to a point short of a minimum on the bounds (see
`bounds`).

Infinite costs rank last. The distribution stays unchanged after a generation without any finite cost, or with points
beyond the library's range of numbers (1e32).
"""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.optimization.cmaes.bounds import Bounds, FloatArray
from ctrlgraph.optimization.cmaes.optimizer import Optimizer, SearchDistribution, StopRules

LARGEST = 1e32
"""Exclusive limit of the absolute values that the library accepts."""


def default_population(n: int) -> int:
    """Return the number of candidates per generation for n parameters (Hansen 2016, eq. 48)."""
    return 4 + math.floor(3 * math.log(n))


class Population(Optimizer):
    """The CMA-ES of the `cmaes` package."""

    def __init__(
        self,
        x0: FloatArray,
        sigma: float,
        *,
        population: int,
        generator: np.random.RandomState,
        rules: StopRules,
        bounds: Bounds | None = None,
    ) -> None:
        """
        Args:
            x0: Start, (n,), within the bounds.
            sigma: Initial step size.
            population: Candidates per generation, at least 4.
            generator: Random generator of the candidates.
            rules: Stopping rules.
            bounds: Bounds of the candidates.
        """
        from cmaes import CMA  # imports scipy if it is installed, which takes a second

        super().__init__(x0, rules, bounds)
        self.population = population
        mean = self._unfolded(x0[None])[0].copy()
        self._cma = CMA(mean=mean, sigma=float(sigma), population_size=population)
        self._cma._rng = generator

    @property
    def sigma(self) -> float:
        """Global step size, in the unit of x."""
        return float(self._cma._sigma)

    @property
    def covariance(self) -> FloatArray:
        """C of the distribution N(mean, sigma^2 C) of the next candidates, (n, n)."""
        covariance: FloatArray = (self._cma._C + self._cma._C.T) / 2
        return covariance

    def ask(self) -> FloatArray:
        """Return the next candidates, (population, n)."""
        return self._folded(np.array([self._cma.ask() for _ in range(self.population)]))

    def _learn(self, candidates: FloatArray, costs: FloatArray) -> None:
        points = self._unfolded(candidates)
        if np.any(costs < math.inf) and np.all(np.abs(points) < LARGEST):
            self._cma.tell(list(zip(points, costs.tolist(), strict=True)))

    def distribution(self) -> SearchDistribution:
        """Return the distribution of the next candidates."""
        covariance = self.covariance
        variances = np.linalg.eigvalsh(covariance)
        condition = variances[-1] / variances[0] if variances[0] > 0 else math.inf
        return SearchDistribution(self._cma._mean, self.sigma * np.sqrt(np.diag(covariance)), float(condition))
