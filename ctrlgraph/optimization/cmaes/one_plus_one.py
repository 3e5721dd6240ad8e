"""The (1+1)-CMA-ES: one parent, one candidate per generation, and the factor of the covariance matrix.

Sources:
    Igel, Suttorp, Hansen 2006: C. Igel, T. Suttorp, N. Hansen, "A computational efficient covariance matrix
        update and a (1+1)-CMA for evolution strategies", GECCO 2006, 453-460. Algorithm 1 is the strategy with
        an evolution path, which factorises C in every generation; Algorithm 2 updates the factor A of
        C = A A^T itself, at the price of the path.
    Suttorp, Hansen, Igel 2009: "Efficient covariance matrix update for variable metric evolution strategies",
        Machine Learning 75, 167-197. Algorithm 2 there keeps the inverse of A too, and with it the path.

This is Algorithm 1 of 2006 (path, step size, constants) without a factorisation: the factor update of 2006, applied to
the path as in 2009. A is not triangular, but A z is drawn from N(0, C) for any A with A A^T = C.

Details that the papers do not specify:
    The start is the first candidate and becomes the parent. The distribution is not updated from it.
    Bounds: see `bounds`. A candidate that equals the parent because of folding or rounding counts as a failure. It has
    the same cost, so it would otherwise count as a success and increase the step size without progress.
    Infinite costs: while both the parent's and the candidate's cost are infinite, the distribution stays unchanged.
    The step size is limited to 1e-100..1e100, so that a search that continues past its stop stays finite.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ctrlgraph.optimization.cmaes.bounds import Bounds, FloatArray
from ctrlgraph.optimization.cmaes.optimizer import Optimizer, SearchDistribution, StopRules

P_TARGET = 2 / 11
"""Target success rate."""
C_P = 1 / 12
"""Learning rate of the averaged success rate."""
P_THRESH = 0.44
"""Averaged success rate above which the path ignores a step. The step size is then much too small."""
SIGMA_RANGE = (1e-100, 1e100)
"""Limits of the step size."""


@dataclass(frozen=True, slots=True)
class Constants:
    """Default constants that depend on the number of parameters (2006, section on the (1+1)-CMA-ES)."""

    damping: float
    """Damping d of the step size."""
    c_c: float
    """Learning rate of the evolution path."""
    c_cov: float
    """Learning rate of the covariance matrix."""

    @classmethod
    def of(cls, n: int) -> Constants:
        """Return the constants for n parameters."""
        return cls(damping=1 + n / 2, c_c=2 / (n + 2), c_cov=2 / (n**2 + 6))


def step_size_update(sigma: float, p_succ: float, success: bool, damping: float) -> tuple[float, float]:
    """Return the new step size and averaged success rate (2006, procedure updateStepSize).

    p_succ <- (1 - c_p) p_succ + c_p [success]
    sigma <- sigma exp((p_succ - p_target / (1 - p_target) (1 - p_succ)) / d)

    Args:
        sigma: Step size.
        p_succ: Averaged success rate.
        success: True if the candidate is no worse than the parent.
        damping: Damping d.
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

    Args:
        path: Evolution path p_c, (n,).
        step: Step A z, (n,).
        p_succ: Averaged success rate.
        constants: Constants of the strategy.
    """
    c_c, c_cov = constants.c_c, constants.c_cov
    if p_succ < P_THRESH:
        return (1 - c_c) * path + math.sqrt(c_c * (2 - c_c)) * step, 1 - c_cov
    return (1 - c_c) * path, 1 - c_cov + c_cov * c_c * (2 - c_c)


def factor_update(
    factor: FloatArray, inverse: FloatArray, v: FloatArray, alpha: float, beta: float
) -> tuple[FloatArray, FloatArray]:
    """Return the factor A' with A' A'^T = alpha A A^T + beta v v^T, and its inverse, in O(n^2).

    With w = A^-1 v and r = sqrt(1 + beta / alpha |w|^2) (2006: procedure updateCholesky, where w = z is known; 2009:
    Algorithm 2, with the inverse):

    A'    = sqrt(alpha) (A + (r - 1) / |w|^2 v w^T)
    A'^-1 = (A^-1 - (1 - 1 / r) / |w|^2 w (w^T A^-1)) / sqrt(alpha)

    Args:
        factor: A, (n, n).
        inverse: Inverse of A, (n, n).
        v: Vector of the rank-one update, (n,).
        alpha: Factor of the old covariance matrix.
        beta: Factor of the rank-one update.
    """
    w = inverse @ v
    r = math.sqrt(1 + beta / alpha * float(w @ w))
    gain = beta / alpha / (r + 1)  # (r - 1) / |w|^2, written so that it also holds for w = 0
    scale = math.sqrt(alpha)
    return scale * (factor + gain * np.outer(v, w)), (inverse - gain / r * np.outer(w, w @ inverse)) / scale


class OnePlusOne(Optimizer):
    """The (1+1)-CMA-ES."""

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
        """
        Args:
            x0: Start, (n,), within the bounds.
            sigma: Initial step size.
            generator: Random generator of the candidates.
            rules: Stopping rules.
            bounds: Bounds of the candidates.
            cost: Cost of x0 if it is known. The start is then not evaluated again.
        """
        super().__init__(x0, rules, bounds)
        self._generator = generator
        self._constants = Constants.of(x0.size)
        self._parent = self._unfolded(x0[None])[0].copy()
        self._parent_cost = cost
        self._sigma = sigma
        self._p_succ = P_TARGET
        self._path = np.zeros(x0.size)
        self._factor = np.eye(x0.size)
        self._inverse = np.eye(x0.size)
        if cost is not None:
            self.best_cost = self._improved_cost = cost

    @property
    def sigma(self) -> float:
        """Global step size, in the unit of x."""
        return self._sigma

    @property
    def covariance(self) -> FloatArray:
        """C of the distribution N(parent, sigma^2 C) of the next candidate, (n, n)."""
        return self._factor @ self._factor.T

    def ask(self) -> FloatArray:
        """Return the next candidate, (1, n)."""
        point = self._parent
        if self._parent_cost is not None:
            point = point + self._sigma * (self._factor @ self._generator.standard_normal(point.size))
        return self._folded(point[None].copy())

    def _learn(self, candidates: FloatArray, costs: FloatArray) -> None:
        point, cost = self._unfolded(candidates)[0], float(costs[0])
        if self._parent_cost is None:
            self._parent, self._parent_cost = point, cost
        elif cost < math.inf or self._parent_cost < math.inf:
            parent = self._parent if self._bounds is None else self._bounds.fold(self._parent)
            moved = bool(np.any(candidates[0] != parent))
            self._update(point, cost, moved and cost <= self._parent_cost)

    def _update(self, point: FloatArray, cost: float, success: bool) -> None:
        """Perform the updates of Algorithm 1 (2006) for one candidate."""
        step = (point - self._parent) / self._sigma  # A z, except for rounding
        self._sigma, self._p_succ = step_size_update(self._sigma, self._p_succ, success, self._constants.damping)
        if not success:
            return
        self._parent, self._parent_cost = point, cost
        self._path, alpha = path_update(self._path, step, self._p_succ, self._constants)
        self._factor, self._inverse = factor_update(
            self._factor, self._inverse, self._path, alpha, self._constants.c_cov
        )

    def distribution(self) -> SearchDistribution:
        """Return the distribution of the next candidate."""
        lengths = np.linalg.norm(self._factor, axis=1)  # sqrt of the diagonal of A A^T
        return SearchDistribution(self._parent, self._sigma * lengths, float(np.linalg.cond(self._factor)) ** 2)
