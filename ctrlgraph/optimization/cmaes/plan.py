"""What a search was asked to be, and the optimiser that this makes, at first and at each restart."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from ctrlgraph.optimization.cmaes.bounds import Bounds, bounds_of_state, bounds_state
from ctrlgraph.optimization.cmaes.encoding import known_array, nested
from ctrlgraph.optimization.cmaes.interface import FloatArray
from ctrlgraph.optimization.cmaes.one_plus_one import OnePlusOne
from ctrlgraph.optimization.cmaes.population import Population, default_population
from ctrlgraph.optimization.cmaes.stopping import StopRules

Kind = Literal["1+1", "cma"]
KINDS: tuple[Kind, ...] = get_args(Kind)

Attempt = OnePlusOne | Population


@dataclass(frozen=True, slots=True)
class OptimizerPlan:
    """A search as it was ordered, checked.

    x0: (n,); sigma: the first step size; seed: of all chance; population: of the first attempt.
    """

    kind: Kind
    x0: FloatArray
    sigma: float
    seed: int
    bounds: Bounds | None
    population: int
    rules: StopRules

    def attempt(self, restart: int, best_x: FloatArray, best_cost: float) -> Attempt:
        """Return the optimiser at its start (0) or at a restart (1, 2...), each with chances of its own.

        "1+1" starts again from the best x, whose cost is known, "cma" from x0 with its population doubled each
        time (A. Auger, N. Hansen, "A restart CMA evolution strategy with increasing population size", CEC 2005;
        there from anywhere within the bounds, here from x0: that is where its author knows something to be).
        """
        sequence = np.random.SeedSequence(self.seed, spawn_key=(restart,))
        bit_generators = np.random.PCG64(sequence), np.random.MT19937(sequence)
        if self.kind == "1+1":
            return OnePlusOne(
                best_x,
                self.sigma,
                generator=np.random.Generator(bit_generators[0]),
                rules=self.rules,
                bounds=self.bounds,
                cost=best_cost if best_cost < math.inf else None,
            )
        return Population(
            self.x0,
            self.sigma,
            population=self.population * 2**restart,
            generator=np.random.RandomState(bit_generators[1]),
            rules=self.rules,
            bounds=self.bounds,
        )

    def as_state(self) -> dict[str, Any]:
        """Return the plan as JSON."""
        return {
            "kind": self.kind,
            "x0": nested(self.x0),
            "sigma": self.sigma,
            "seed": self.seed,
            "bounds": bounds_state(self.bounds),
            "population": self.population,
            "rules": self.rules.as_state(),
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> OptimizerPlan:
        """Return the plan from `as_state`."""
        return cls(
            kind=state["kind"],
            x0=known_array(state["x0"]),
            sigma=float(state["sigma"]),
            seed=int(state["seed"]),
            bounds=bounds_of_state(state["bounds"]),
            population=int(state["population"]),
            rules=StopRules.of_state(state["rules"]),
        )


def default_rules(kind: Kind, n: int, sigma: float, population: int) -> StopRules:
    """Return the rules for n parameters where none are given.

    Budgets and a target are the caller's to give. Steps are judged by the first step size. "1+1" may take as
    many evaluations as 20 generations of a population would before it calls the space flat, and waits as
    many evaluations as it takes, failing, to shrink the step size to its tolerance, and half as many again;
    for "cma" see Hansen's tolerances (tutorial 2016, section B.3: 100 generations and more).
    """
    rules = StopRules(step_tolerance=1e-12 * sigma, divergence_limit=1e6 * sigma)
    if kind == "1+1":
        return dataclasses.replace(
            rules, stagnation_generations=200 + 100 * n, flat_generations=20 * default_population(n)
        )
    stagnation = 100 + math.ceil(100 * n**1.5 / population)
    return dataclasses.replace(rules, stagnation_generations=stagnation, flat_generations=20)
