"""The CMA-ES with a population: the `cmaes` package behind our interface.

The algorithm is the library's own (N. Hansen, "The CMA evolution strategy: a tutorial", 2016; with negative
weights). Ours are the rules for ending, the treatment of costs that are not finite, and the state: the
library's can only be pickled, and that without its random generator.

Costs that are infinite rank last. A generation without any finite cost ranks nothing: it is counted, and the
distribution stays as it is. So it does if the search has left the range of numbers that the library takes (1e32).
Bounds are ours too, see `bounds`: the library's own way, to draw again and clip at last, converges short of a
minimum on them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ctrlgraph.optimization.cmaes.bounds import Bounds, bounds_of_state
from ctrlgraph.optimization.cmaes.encoding import array, known_array, nested
from ctrlgraph.optimization.cmaes.interface import FloatArray
from ctrlgraph.optimization.cmaes.record import OptimizerRecord, generation_told
from ctrlgraph.optimization.cmaes.search import OptimizerBase
from ctrlgraph.optimization.cmaes.stopping import PriorScale, StopRules

LARGEST = 1e32
"""The library takes no number as large as this."""

# What changes in a cmaes.CMA from generation to generation; all else follows from the constructor's arguments.
ARRAYS = ("_mean", "_C", "_p_sigma", "_pc", "_funhist_values")
DECOMPOSITION = ("_B", "_D")  # None after every `tell`, until it is needed


def default_population(n: int) -> int:
    """Return candidates per generation for n parameters (Hansen 2016, eq. 48)."""
    return 4 + math.floor(3 * math.log(n))


class Population(OptimizerBase):
    """`cmaes.CMA` as an `Optimizer`."""

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
        """x0: (n,), within the bounds; population: at least 4."""
        from cmaes import CMA  # loads scipy where there is one, which takes a second

        super().__init__(OptimizerRecord(best_x=x0.copy()), rules, bounds)
        self.population = population
        self._cma = CMA(
            mean=self._points(x0[None])[0].copy(),
            sigma=float(sigma),
            population_size=population,
        )
        self._cma._rng = generator
        self._cma._funhist_values = np.zeros_like(self._cma._funhist_values)  # the library leaves it uninitialised

    @property
    def sigma(self) -> float:
        return float(self._cma._sigma)

    @property
    def covariance(self) -> FloatArray:
        """C of the distribution N(mean, sigma^2 C) of the next candidates, (n, n)."""
        covariance: FloatArray = (self._cma._C + self._cma._C.T) / 2
        return covariance

    def ask(self) -> FloatArray:
        return self._candidates(np.array([self._cma.ask() for _ in range(self.population)]))

    def tell(self, candidates: ArrayLike, costs: ArrayLike) -> None:
        told, values = generation_told(candidates, costs, self.population, self._record.best_x.size)
        self._record.add(told, values, self._rules.stagnation_tolerance)
        points = self._points(told)
        if np.any(values < math.inf) and np.all(np.abs(points) < LARGEST):
            self._cma.tell(list(zip(points, values.tolist(), strict=True)))

    def spread(self) -> PriorScale:
        covariance = self.covariance
        variances = np.linalg.eigvalsh(covariance)
        condition = variances[-1] / variances[0] if variances[0] > 0 else math.inf
        return PriorScale(self._cma._mean, self.sigma * np.sqrt(np.diag(covariance)), float(condition))

    def state(self) -> dict[str, Any]:
        generator = self._cma._rng.get_state(legacy=False)
        generator["state"]["key"] = generator["state"]["key"].tolist()
        return {
            "kind": "cma",
            **self._shared_state(),
            "population": self.population,
            "sigma": self.sigma,
            "generation": self._cma._g,
            **{name.strip("_"): nested(getattr(self._cma, name)) for name in ARRAYS + DECOMPOSITION},
            "generator": generator,
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> Population:
        """Return the search from `state`."""
        generator = np.random.RandomState()
        generator.set_state(state["generator"])
        search = cls(
            known_array(state["record"]["best_x"]),
            float(state["sigma"]),
            population=int(state["population"]),
            generator=generator,
            rules=StopRules.of_state(state["rules"]),
            bounds=bounds_of_state(state["bounds"]),
        )
        search._restore_shared(state)
        for name in ARRAYS + DECOMPOSITION:
            setattr(search._cma, name, array(state[name.strip("_")]))
        search._cma._g = int(state["generation"])
        return search
