"""Two evolution strategies that minimise a cost function. They are independent of simulations.

    optimizer = make_optimizer("1+1", x0, 0.1, seed=1)
    while optimizer.stop is None:
        candidates = optimizer.ask()
        optimizer.tell([cost(x) for x in candidates])

A search is deterministic: the same arguments and the same costs give the same candidates. To resume a search, make a
new optimiser with the same arguments, and call `ask` and `tell` with the costs of each earlier generation.

"cma" is the CMA-ES of the `cmaes` package (N. Hansen, "The CMA evolution strategy: a tutorial", 2016; with negative
weights). "1+1" is the (1+1)-CMA-ES with an evolution path: Algorithm 1 of C. Igel, T. Suttorp, N. Hansen, "A
computational efficient covariance matrix update and a (1+1)-CMA for evolution strategies", GECCO 2006, 453-460, below
called *2006*. The covariance matrix C = A A^T is not factorised: A and its inverse are updated, as in Algorithm 2 of
T. Suttorp, N. Hansen, C. Igel, "Efficient covariance matrix update for variable metric evolution strategies", Machine
Learning 75, 167-197 (*2009*). A is not triangular, but A z is drawn from N(0, C) for any A with A A^T = C.

Details that the papers do not specify:
    The first candidate of "1+1" is the start. It becomes the parent and does not change the distribution.
    A candidate of "1+1" that equals its parent because of folding or rounding counts as a failure. As a success, it
    would increase the step size without progress.
    Infinite costs rank last. A generation without any finite cost does not change the distribution (for "1+1": if the
    cost of the parent is infinite, too). In "cma", neither does a generation with a coordinate of `LARGEST` or more.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ctrlgraph.errors import CtrlGraphError, suggestion

FloatArray = NDArray[np.float64]

KINDS = ("1+1", "cma")
"""The kinds of optimisers."""

LARGEST = 1e32
"""Exclusive limit of the absolute values that the `cmaes` package accepts."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Lower and upper bounds of the n coordinates of all candidates, and the map that keeps candidates within them.

    The optimiser samples points y in an unbounded space and learns from them. The map `fold` turns these points into
    candidates x in the box. If candidates out of bounds were sampled again or clipped, the search would converge to a
    point short of a minimum on the bounds: steps towards the bound would be shortened, and the step size would shrink.

    The map is that of `BoxConstraintsLinQuadTransformation` in N. Hansen's pycma. Each coordinate has a lower bound a
    and a width w. If y is at least w inside the bound, x = y. If y is between a - w and a + w, x = a + (y - (a - w))^2
    / (4 w). This parabola meets the line with the same slope, and its vertex is x = a at y = a - w. Beyond the vertex,
    the map is mirrored. The upper bound is treated in the same way. A minimum on a bound with a slope thus becomes a
    minimum with zero slope.
    """

    low: FloatArray
    """Lower bounds, (n,), -inf for a coordinate without one."""
    high: FloatArray
    """Upper bounds, (n,), inf for a coordinate without one."""
    width: FloatArray
    """Width w of the parabola at both bounds of each coordinate, (n,)."""

    @classmethod
    def of(cls, low: FloatArray, high: FloatArray, sigma: float) -> Bounds:
        """Return the bounds of a search with an initial step size, which determines the width of the parabolas.

        Args:
            low: Lower bounds, (n,). Values of -`LARGEST` or below count as -inf.
            high: Upper bounds, (n,). Values of `LARGEST` or above count as inf.
            sigma: Initial step size, the maximum width of the parabolas.
        """
        low = np.where(low <= -LARGEST, -math.inf, low)
        high = np.where(high >= LARGEST, math.inf, high)
        return cls(low, high, np.minimum(0.1 * (high - low), sigma))

    def fold(self, y: FloatArray) -> FloatArray:
        """Map points `y` of the unbounded space, (..., n), to candidates within the bounds, (..., n)."""
        low, high, width = self.low, self.high, self.width
        first, last = low - width, high + width  # the vertices
        x = np.where(y < first, 2 * first - y, y)
        both = np.isfinite(high - low)
        if np.any(both & (x > last)):
            # the map mirrored at both vertices is periodic; points within one period keep their bits
            period = np.where(both, 2 * (last - first), 1.0)
            start = np.where(both, first, 0.0)
            x = np.where(both & (x > last), start + np.mod(x - start, period), x)
        x = np.where(x > last, 2 * last - x, x)
        with np.errstate(invalid="ignore"):  # without a bound, inf - inf is computed but not selected
            x = np.where(x < low + width, low + (x - first) ** 2 / (4 * width), x)
            x = np.where(x > high - width, high - (x - last) ** 2 / (4 * width), x)
        return np.clip(x, low, high)

    def unfold(self, x: FloatArray) -> FloatArray:
        """Return points of the unbounded space, (..., n), that `fold` maps to the candidates `x`, (..., n).

        Several points are mapped to one candidate. The result is the point between the vertices of the two parabolas.
        """
        low, high, width = self.low, self.high, self.width
        with np.errstate(invalid="ignore"):
            y = np.where(x < low + width, low - width + 2 * np.sqrt(width * np.maximum(x - low, 0)), x)
            return np.where(x > high - width, high + width - 2 * np.sqrt(width * np.maximum(high - x, 0)), y)


@dataclass(frozen=True, slots=True)
class StopRules:
    """Limits at which a search stops because it makes no more progress."""

    step_tolerance: float
    """Minimum standard deviation. The search stops if the standard deviations of all coordinates are below it."""
    divergence_limit: float
    """Maximum standard deviation of a coordinate. The search stops above it."""
    stagnation_generations: int
    """Number of generations without an improvement above `stagnation_tolerance` after which the search stops."""
    flat_generations: int
    """Number of successive generations with the same cost of all candidates after which the search stops."""
    condition_limit: float = 1e14
    """Maximum condition number of the covariance matrix. The search stops above it."""
    stagnation_tolerance: float = 1e-12
    """Minimum decrease of the cost that counts as an improvement."""


class Distribution(NamedTuple):
    """The normal distribution from which an optimiser samples the next points, in n dimensions."""

    mean: FloatArray
    """Mean, (n,), in the unbounded space."""
    deviations: FloatArray
    """Standard deviation of each coordinate, (n,)."""
    condition: float
    """Condition number of the covariance matrix."""


class Optimizer(ABC):
    """A search for the point x of minimum cost, one generation of candidates at a time."""

    population: int
    """Number of candidates in each generation."""

    def __init__(self, x0: FloatArray, rules: StopRules, bounds: Bounds | None) -> None:
        """
        Args:
            x0: Start point, (n,), within the bounds.
            rules: Stopping rules.
            bounds: Box of the candidates. None: unbounded.
        """
        self._rules = rules
        self._bounds = bounds
        self._start = x0.copy() if bounds is None else bounds.unfold(x0)
        self._points = self._candidates = np.empty((0, x0.size))
        self.best_x = x0.copy()
        """Best candidate so far, (n,), or the start before the first finite cost."""
        self.best_cost = math.inf
        """Cost of the best candidate, inf before the first finite cost."""
        self.generations = 0
        """Number of completed generations (calls of `tell`)."""
        self.evaluations = 0
        """Number of candidates whose costs were passed to `tell`."""
        # the last improvement by more than the tolerance, and its generation
        self._improved_cost, self._improved_generation = math.inf, 0
        # the cost that all candidates of the last generations share, and the number of these generations
        self._level_cost, self._level_generations = math.inf, 0

    @property
    @abstractmethod
    def sigma(self) -> float:
        """Global step size, in the unit of x."""

    @abstractmethod
    def distribution(self) -> Distribution:
        """Return the normal distribution from which the points of the next generation are sampled."""

    @abstractmethod
    def _draw(self) -> FloatArray:
        """Sample the points of the next generation in the unbounded space, (population, n)."""

    @abstractmethod
    def _learn(self, points: FloatArray, costs: FloatArray) -> None:
        """Update the distribution from one generation.

        Args:
            points: Points in the unbounded space, (population, n).
            costs: Costs of the points, (population,), finite or inf.
        """

    def ask(self) -> FloatArray:
        """Return the candidates of the next generation, (population, n), within the bounds.

        A second call before `tell` returns new candidates. `tell` then expects the costs of the new ones.
        """
        self._points = self._draw()
        self._candidates = self._points if self._bounds is None else self._bounds.fold(self._points)
        return self._candidates.copy()

    def tell(self, costs: ArrayLike) -> None:
        """Update the distribution with the costs of the candidates that the last call of `ask` returned.

        Args:
            costs: Costs, (population,). Use inf for a candidate that could not be evaluated. NaN counts as inf.

        Raises:
            CtrlGraphError: The shape of `costs` is not (population,).
        """
        values = np.array(costs, dtype=np.float64)
        if values.shape != (len(self._candidates),):
            raise CtrlGraphError(f"'costs' must have the shape ({len(self._candidates)},), not {values.shape}")
        values[np.isnan(values)] = np.inf
        self._count(values)
        self._learn(self._points, values)

    def _count(self, costs: FloatArray) -> None:
        self.generations += 1
        self.evaluations += costs.size
        best = int(np.argmin(costs))
        if costs[best] < self.best_cost:
            self.best_cost = float(costs[best])
            self.best_x = self._candidates[best].copy()
        if self.best_cost < self._improved_cost - self._rules.stagnation_tolerance:
            self._improved_cost = self.best_cost
            self._improved_generation = self.generations
        level = float(costs[0])
        if not np.all(costs == level):
            self._level_generations = 0
        elif level == self._level_cost and self._level_generations > 0:
            self._level_generations += 1
        else:
            self._level_generations = 1
        self._level_cost = level

    @property
    def stop(self) -> str | None:
        """Reason to end the search, as one sentence, or None. `ask` and `tell` continue to work after a stop."""
        rules, (mean, deviations, condition) = self._rules, self.distribution()
        if self._level_generations >= rules.flat_generations:
            last = f"of the last {rules.flat_generations} generations"
            if self._level_cost == math.inf:
                return f"No candidate {last} could be evaluated."
            return f"The search space is flat: all candidates {last} cost {self._level_cost:.6g}."
        widest = float(np.max(deviations))
        if widest < rules.step_tolerance:
            return f"The step size fell below its tolerance: {widest:.3g} is less than {rules.step_tolerance:g}."
        if np.all(mean + 0.2 * deviations == mean):
            return f"A step size of {widest:.3g} is too small to change the parameters."
        if widest > rules.divergence_limit:
            return f"The step size grew beyond bounds: {widest:.3g} is more than {rules.divergence_limit:g}."
        if condition > rules.condition_limit:
            return f"The covariance matrix has the condition number {condition:.3g}, above {rules.condition_limit:g}."
        waited = self.generations - self._improved_generation
        if waited >= rules.stagnation_generations:
            return f"The cost has not improved by more than {rules.stagnation_tolerance:g} for {waited} generations."
        return None


def make_optimizer(
    kind: str,
    x0: ArrayLike,
    sigma: float,
    *,
    seed: int,
    bounds: tuple[ArrayLike, ArrayLike] | None = None,
    population: int | None = None,
    rules: StopRules | None = None,
) -> Optimizer:
    """Return a new optimiser of the given kind, before its first generation.

    Args:
        kind: "1+1" or "cma" (`KINDS`).
        x0: Start point, (n,).
        sigma: Initial step size. It is the same for all coordinates, which should therefore have similar scales.
        seed: Seed of the random generator.
        bounds: Lower and upper bounds, (n,) each. Use -inf or inf for a coordinate without a bound.
        population: Number of candidates in each generation of "cma", at least 4. None: 4 + floor(3 ln n). "1+1" has
            always one.
        rules: Stopping rules. None: `default_rules`.

    Raises:
        CtrlGraphError: `kind` is unknown, x0 is not a vector of at least one number, or x0 is out of bounds.
    """
    if kind not in KINDS:
        hint = suggestion(kind, KINDS) or f"known: {', '.join(KINDS)}"
        raise CtrlGraphError(f"there is no optimiser '{kind}' ({hint})")
    start, sigma = np.array(x0, dtype=np.float64), float(sigma)
    if start.ndim != 1 or start.size == 0:
        raise CtrlGraphError(f"'x0' must be a vector of at least one number, not of the shape {start.shape}")
    box = None
    if bounds is not None:
        low, high = (np.array(side, dtype=np.float64) for side in bounds)
        box = Bounds.of(low, high, sigma)
        outside = np.flatnonzero(~((box.low <= start) & (start <= box.high)))
        if outside.size:
            i = outside[0]
            raise CtrlGraphError(
                f"'x0' must be within the bounds: parameter {i} is {start[i]:g}, not {box.low[i]:g} to {box.high[i]:g}"
            )
    size = 1 if kind == "1+1" else population or default_population(start.size)
    rules = rules or default_rules(kind, start.size, sigma, size)
    # the key of a child, so that earlier searches keep their bits
    sequence = np.random.SeedSequence(seed, spawn_key=(0,))
    if kind == "1+1":
        return OnePlusOne(start, sigma, np.random.Generator(np.random.PCG64(sequence)), rules, box)
    return Population(start, sigma, size, np.random.RandomState(np.random.MT19937(sequence)), rules, box)


def default_population(n: int) -> int:
    """Return the default number of candidates in each generation for `n` parameters (Hansen 2016, eq. 48)."""
    return 4 + math.floor(3 * math.log(n))


def default_rules(kind: str, n: int, sigma: float, population: int) -> StopRules:
    """Return the default stopping rules of an optimiser.

    For "1+1", the search space counts as flat after 20 * `default_population(n)` equal costs. Its number of stagnation
    generations is one and a half times the number of failures that shrink the step size to its tolerance. For "cma",
    the limits are those of Hansen 2016, section B.3 (at least 100 stagnation generations).

    Args:
        kind: "1+1" or "cma".
        n: Number of parameters.
        sigma: Initial step size. The limits of the step size are proportional to it.
        population: Number of candidates in each generation.
    """
    if kind == "1+1":
        return StopRules(1e-12 * sigma, 1e6 * sigma, 200 + 100 * n, 20 * default_population(n))
    return StopRules(1e-12 * sigma, 1e6 * sigma, 100 + math.ceil(100 * n**1.5 / population), 20)


class Population(Optimizer):
    """Optimiser "cma": the CMA-ES of the `cmaes` package, with several candidates in each generation."""

    def __init__(
        self,
        x0: FloatArray,
        sigma: float,
        population: int,
        generator: np.random.RandomState,
        rules: StopRules,
        bounds: Bounds | None,
    ) -> None:
        """
        Args:
            x0: Start point, (n,), within the bounds.
            sigma: Initial step size.
            population: Number of candidates in each generation.
            generator: Random generator of the candidates.
            rules: Stopping rules.
            bounds: Box of the candidates. None: unbounded.
        """
        from cmaes import CMA  # imports scipy if it is installed, which takes a second

        super().__init__(x0, rules, bounds)
        self.population = population
        self._cma = CMA(mean=self._start.copy(), sigma=sigma, population_size=population)
        self._cma._rng = generator

    @property
    def sigma(self) -> float:
        """Global step size, in the unit of x."""
        return float(self._cma._sigma)

    def distribution(self) -> Distribution:
        """Return the normal distribution from which the points of the next generation are sampled."""
        covariance = (self._cma._C + self._cma._C.T) / 2
        variances = np.linalg.eigvalsh(covariance)
        condition = variances[-1] / variances[0] if variances[0] > 0 else math.inf
        return Distribution(self._cma._mean, self.sigma * np.sqrt(np.diag(covariance)), float(condition))

    def _draw(self) -> FloatArray:
        return np.array([self._cma.ask() for _ in range(self.population)])

    def _learn(self, points: FloatArray, costs: FloatArray) -> None:
        if np.any(costs < math.inf) and np.all(np.abs(points) < LARGEST):
            self._cma.tell(list(zip(points, costs.tolist(), strict=True)))


P_TARGET = 2 / 11
"""Success rate of the candidates of "1+1" at which the step size stays constant (p_target, 2006)."""
C_P = 1 / 12
"""Learning rate of the averaged success rate (c_p, 2006)."""
P_THRESH = 0.44
"""Averaged success rate from which the evolution path ignores a step (p_thresh, 2006): the step size is too small."""
SIGMA_RANGE = (1e-100, 1e100)
"""Minimum and maximum step size of "1+1". They keep the numbers finite if a search continues after its stop."""


class OnePlusOne(Optimizer):
    """Optimiser "1+1": the (1+1)-CMA-ES, with one candidate in each generation, which may replace its parent."""

    population = 1

    def __init__(
        self, x0: FloatArray, sigma: float, generator: np.random.Generator, rules: StopRules, bounds: Bounds | None
    ) -> None:
        """
        Args:
            x0: Start point, (n,), within the bounds.
            sigma: Initial step size.
            generator: Random generator of the candidates.
            rules: Stopping rules.
            bounds: Box of the candidates. None: unbounded.
        """
        super().__init__(x0, rules, bounds)
        n = x0.size
        self._generator = generator
        # 2006, default constants: damping d of the step size; learning rates of the path and of the covariance matrix
        self._damping, self._c_c, self._c_cov = 1 + n / 2, 2 / (n + 2), 2 / (n**2 + 6)
        self._parent = self._start
        self._parent_cost: float | None = None
        self._sigma = sigma
        self._p_succ = P_TARGET
        self._path = np.zeros(n)
        self._factor = np.eye(n)
        self._inverse = np.eye(n)

    @property
    def sigma(self) -> float:
        """Global step size, in the unit of x."""
        return self._sigma

    @property
    def covariance(self) -> FloatArray:
        """Covariance matrix C, (n, n). The next point has the distribution N(parent, sigma^2 C)."""
        return self._factor @ self._factor.T

    def distribution(self) -> Distribution:
        """Return the normal distribution from which the next point is sampled."""
        lengths = np.linalg.norm(self._factor, axis=1)  # sqrt of the diagonal of A A^T
        return Distribution(self._parent, self._sigma * lengths, float(np.linalg.cond(self._factor)) ** 2)

    def _draw(self) -> FloatArray:
        if self._parent_cost is None:
            return self._parent[None].copy()
        z = self._generator.standard_normal(self._parent.size)
        return (self._parent + self._sigma * (self._factor @ z))[None]

    def _learn(self, points: FloatArray, costs: FloatArray) -> None:
        point, cost = points[0], float(costs[0])
        if self._parent_cost is None:
            self._parent, self._parent_cost = point, cost
        elif cost < math.inf or self._parent_cost < math.inf:
            parent = self._parent if self._bounds is None else self._bounds.fold(self._parent)
            moved = bool(np.any(self._candidates[0] != parent))
            self._update(point, cost, moved and cost <= self._parent_cost)

    def _update(self, point: FloatArray, cost: float, success: bool) -> None:
        """Update parent, step size and covariance matrix by one evaluated point (2006, Algorithm 1).

        Args:
            point: Point in the unbounded space, (n,).
            cost: Cost of the point.
            success: True if the point replaces the parent.
        """
        step = (point - self._parent) / self._sigma  # A z, except for rounding
        self._update_step_size(success)
        if success:
            self._parent, self._parent_cost = point, cost
            self._update_factor(self._update_path(step))

    def _update_step_size(self, success: bool) -> None:
        """Update step size and averaged success rate (2006, procedure updateStepSize; [success] is 1 for True, else 0).

        p_succ <- (1 - c_p) p_succ + c_p [success]
        sigma <- sigma exp((p_succ - p_target / (1 - p_target) (1 - p_succ)) / d)
        """
        self._p_succ = (1 - C_P) * self._p_succ + C_P * success
        drive = self._p_succ - P_TARGET / (1 - P_TARGET) * (1 - self._p_succ)
        self._sigma = min(max(self._sigma * math.exp(drive / self._damping), SIGMA_RANGE[0]), SIGMA_RANGE[1])

    def _update_path(self, step: FloatArray) -> float:
        """Update the evolution path, and return the factor alpha of the old covariance matrix in the new one.

        2006, procedure updateCov, with step = A z, (n,). If p_succ < p_thresh:
        p_c <- (1 - c_c) p_c + sqrt(c_c (2 - c_c)) A z,  C <- (1 - c_cov) C + c_cov p_c p_c^T. Otherwise:
        p_c <- (1 - c_c) p_c,  C <- (1 - c_cov) C + c_cov (p_c p_c^T + c_c (2 - c_c) C). In both cases, the new C has
        the form alpha C + c_cov p_c p_c^T.
        """
        c_c, c_cov = self._c_c, self._c_cov
        if self._p_succ < P_THRESH:
            self._path = (1 - c_c) * self._path + math.sqrt(c_c * (2 - c_c)) * step
            return 1 - c_cov
        self._path = (1 - c_c) * self._path
        return 1 - c_cov + c_cov * c_c * (2 - c_c)

    def _update_factor(self, alpha: float) -> None:
        """Update A to A' with A' A'^T = alpha A A^T + beta v v^T, and its inverse, in O(n^2).

        With v the path, beta = c_cov, w = A^-1 v and r = sqrt(1 + beta / alpha |w|^2) (2006: procedure updateCholesky,
        where w = z is known; 2009: Algorithm 2, with the inverse):

        A'    = sqrt(alpha) (A + (r - 1) / |w|^2 v w^T)
        A'^-1 = (A^-1 - (1 - 1 / r) / |w|^2 w (w^T A^-1)) / sqrt(alpha)
        """
        v, beta = self._path, self._c_cov
        w = self._inverse @ v
        r = math.sqrt(1 + beta / alpha * float(w @ w))
        gain = beta / alpha / (r + 1)  # (r - 1) / |w|^2, written so that it also holds for w = 0
        scale = math.sqrt(alpha)
        self._factor = scale * (self._factor + gain * np.outer(v, w))
        self._inverse = (self._inverse - gain / r * np.outer(w, w @ self._inverse)) / scale
