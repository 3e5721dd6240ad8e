"""The (1+1)-CMA-ES: one parent, one candidate a generation, a covariance matrix known by its factor.

Sources:
    Igel, Suttorp, Hansen 2006: C. Igel, T. Suttorp, N. Hansen, "A computational efficient covariance matrix
        update and a (1+1)-CMA for evolution strategies", GECCO 2006, 453-460. Algorithm 1 is the strategy with
        an evolution path, which factorises C in every generation; Algorithm 2 updates the factor A of
        C = A A^T itself, at the price of the path.
    Suttorp, Hansen, Igel 2009: "Efficient covariance matrix update for variable metric evolution strategies",
        Machine Learning 75, 167-197. Algorithm 2 there keeps the inverse of A too, and with it the path.

So this is Algorithm 1 of 2006 (path, step size, constants), without a factorisation: the factor's update of 2006,
applied to the path as in 2009. A is not triangular, which is of no account: A z is drawn from N(0, C) for any A
with A A^T = C.

What the papers leave open:
    The start is the first candidate. Its cost makes it the parent, and nothing is learnt from it.
    Bounds: see `bounds`. A candidate that is the parent itself, folded or rounded to it, is a failure: it counted as a
        success otherwise (it costs the same), and the step size would grow for nothing.
    Costs that are infinite: as long as the parent's is, a candidate whose cost is infinite too says nothing about
        where to go, and the distribution stays as it is.
    The step size is held within 1e-100 and 1e100, so that a search which goes on past its stop stays finite.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ctrlgraph.optimization.cmaes.bounds import Bounds, bounds_of_state
from ctrlgraph.optimization.cmaes.encoding import known_array, nested, number
from ctrlgraph.optimization.cmaes.interface import FloatArray
from ctrlgraph.optimization.cmaes.record import OptimizerRecord, generation_told
from ctrlgraph.optimization.cmaes.search import OptimizerBase
from ctrlgraph.optimization.cmaes.stopping import PriorScale, StopRules

P_TARGET = 2 / 11
"""Target success rate."""
C_P = 1 / 12
"""Learning rate of the averaged success rate."""
P_THRESH = 0.44
"""Above this averaged success rate the step size is much too small, and the path learns nothing from a step."""
SIGMA_RANGE = (1e-100, 1e100)


@dataclass(frozen=True, slots=True)
class Constants:
    """The strategy's default constants that depend on the number of parameters (2006, section on the (1+1)-CMA-ES).

    damping: of the step size, d; c_c: learning rate of the evolution path; c_cov: of the covariance matrix.
    """

    damping: float
    c_c: float
    c_cov: float

    @classmethod
    def of(cls, n: int) -> Constants:
        """Return the constants for n parameters."""
        return cls(damping=1 + n / 2, c_c=2 / (n + 2), c_cov=2 / (n**2 + 6))


def step_size_update(sigma: float, p_succ: float, success: bool, damping: float) -> tuple[float, float]:
    """Return the new step size and averaged success rate (2006, procedure updateStepSize).

    p_succ <- (1 - c_p) p_succ + c_p [success]
    sigma <- sigma exp((p_succ - p_target / (1 - p_target) (1 - p_succ)) / d)
    """
    p_succ = (1 - C_P) * p_succ + C_P * success
    sigma *= math.exp((p_succ - P_TARGET / (1 - P_TARGET) * (1 - p_succ)) / damping)
    return min(max(sigma, SIGMA_RANGE[0]), SIGMA_RANGE[1]), p_succ


def path_update(path: FloatArray, step: FloatArray, p_succ: float, constants: Constants) -> tuple[FloatArray, float]:
    """Return the new evolution path, (n,), and the factor alpha of the old covariance matrix in the new one.

    Algorithm 1 of 2006, procedure updateCov, with step = A z:
    p_c <- (1 - c_c) p_c + sqrt(c_c (2 - c_c)) A z,  C <- (1 - c_cov) C + c_cov p_c p_c^T  where p_succ < p_thresh;
    p_c <- (1 - c_c) p_c,  C <- (1 - c_cov) C + c_cov (p_c p_c^T + c_c (2 - c_c) C)  elsewhere. Both are of the form
    alpha C + c_cov p_c p_c^T.
    """
    c_c, c_cov = constants.c_c, constants.c_cov
    if p_succ < P_THRESH:
        return (1 - c_c) * path + math.sqrt(c_c * (2 - c_c)) * step, 1 - c_cov
    return (1 - c_c) * path, 1 - c_cov + c_cov * c_c * (2 - c_c)


def factor_update(
    factor: FloatArray, inverse: FloatArray, v: FloatArray, alpha: float, beta: float
) -> tuple[FloatArray, FloatArray]:
    """Return the factor A' with A' A'^T = alpha A A^T + beta v v^T, and its inverse, without a factorisation: O(n^2).

    With w = A^-1 v and r = sqrt(1 + beta / alpha |w|^2) (2006: procedure updateCholesky, where w = z is known; 2009:
    Algorithm 2, with the inverse):

    A'    = sqrt(alpha) (A + (r - 1) / |w|^2 v w^T)
    A'^-1 = (A^-1 - (1 - 1 / r) / |w|^2 w (w^T A^-1)) / sqrt(alpha)

    factor, inverse: (n, n); v: (n,).
    """
    w = inverse @ v
    r = math.sqrt(1 + beta / alpha * float(w @ w))
    gain = beta / alpha / (r + 1)  # (r - 1) / |w|^2, written so that it also holds for w = 0
    scale = math.sqrt(alpha)
    return scale * (factor + gain * np.outer(v, w)), (inverse - gain / r * np.outer(w, w @ inverse)) / scale


class OnePlusOne(OptimizerBase):
    """The (1+1)-CMA-ES as an `Optimizer`."""

    population = 1

    def __init__(
        self,
        x0: FloatArray,
        sigma: float,
        *,
        generator: np.random.Generator,
        rules: StopRules,
        bounds: Bounds | None = None,
        cost: float | None = None,
    ) -> None:
        """x0: (n,), within the bounds; cost: that of x0, where it is known already."""
        super().__init__(OptimizerRecord(best_x=x0.copy()), rules, bounds)
        self._generator = generator
        self._constants = Constants.of(x0.size)
        self._parent = self._points(x0[None])[0].copy()
        self._parent_cost = cost
        self._sigma = sigma
        self._p_succ = P_TARGET
        self._path = np.zeros(x0.size)
        self._factor = np.eye(x0.size)
        self._inverse = np.eye(x0.size)
        if cost is not None:
            self._record.best_cost = self._record.notable_cost = cost

    @property
    def sigma(self) -> float:
        return self._sigma

    @property
    def covariance(self) -> FloatArray:
        """C of the distribution N(parent, sigma^2 C) of the next candidate, (n, n)."""
        return self._factor @ self._factor.T

    def ask(self) -> FloatArray:
        point = self._parent
        if self._parent_cost is not None:
            point = point + self._sigma * (self._factor @ self._generator.standard_normal(point.size))
        return self._candidates(point[None].copy())

    def tell(self, candidates: ArrayLike, costs: ArrayLike) -> None:
        told, values = generation_told(candidates, costs, 1, self._parent.size)
        self._record.add(told, values, self._rules.stagnation_tolerance)
        point, cost = self._points(told)[0], float(values[0])
        if self._parent_cost is None:
            self._parent, self._parent_cost = point, cost
        elif cost < math.inf or self._parent_cost < math.inf:
            parent = self._parent if self._bounds is None else self._bounds.fold(self._parent)
            moved = bool(np.any(told[0] != parent))
            self._learn(point, cost, moved and cost <= self._parent_cost)

    def _learn(self, point: FloatArray, cost: float, success: bool) -> None:
        """One generation of Algorithm 1 (2006), from the candidate's cost on."""
        step = (point - self._parent) / self._sigma  # A z, but for rounding
        self._sigma, self._p_succ = step_size_update(self._sigma, self._p_succ, success, self._constants.damping)
        if not success:
            return
        self._parent, self._parent_cost = point, cost
        self._path, alpha = path_update(self._path, step, self._p_succ, self._constants)
        self._factor, self._inverse = factor_update(
            self._factor, self._inverse, self._path, alpha, self._constants.c_cov
        )

    def spread(self) -> PriorScale:
        lengths = np.linalg.norm(self._factor, axis=1)  # sqrt of the diagonal of A A^T
        return PriorScale(self._parent, self._sigma * lengths, float(np.linalg.cond(self._factor)) ** 2)

    def state(self) -> dict[str, Any]:
        return {
            "kind": "1+1",
            **self._shared_state(),
            "parent": nested(self._parent),
            "parent_cost": None if self._parent_cost is None else number(self._parent_cost),
            "sigma": self._sigma,
            "p_succ": self._p_succ,
            "path": nested(self._path),
            "factor": nested(self._factor),
            "inverse": nested(self._inverse),
            "generator": self._generator.bit_generator.state,
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> OnePlusOne:
        """Return the search from `state`."""
        bit_generator = np.random.PCG64()
        bit_generator.state = state["generator"]
        search = cls(
            known_array(state["record"]["best_x"]),
            float(state["sigma"]),
            generator=np.random.Generator(bit_generator),
            rules=StopRules.of_state(state["rules"]),
            bounds=bounds_of_state(state["bounds"]),
            cost=None if state["parent_cost"] is None else float(state["parent_cost"]),
        )
        search._restore_shared(state)
        search._parent = known_array(state["parent"])
        search._p_succ = float(state["p_succ"])
        search._path = known_array(state["path"])
        search._factor = known_array(state["factor"])
        search._inverse = known_array(state["inverse"])
        return search
