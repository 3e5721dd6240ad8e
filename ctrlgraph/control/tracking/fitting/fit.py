"""Fit of splines c(theta) to the tracked quantities q ("rows") of a recorded walk, such as joint angles.

This is "Designing Motion Constraints for 2D Bipeds" in Abe and Popovic (2011). Theta is the phase variable, and each
spline has n coefficients. The splines minimize the mean square of y = q - c(theta) over the motion plus k times the
mean square of c''. They also satisfy the consistency condition: the impact at the end of a step leads to the start of
the next step. For this, the first two coefficients of each spline follow from the last two of all splines and the
impact map. A least-squares problem for the other coefficients remains.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy.interpolate import BSpline
from scipy.optimize import least_squares

from ctrlgraph.control.tracking.fitting.gait_plan import GaitPlan
from ctrlgraph.control.tracking.fitting.geometry import Geometry, RowStart
from ctrlgraph.control.tracking.fitting.mean_step import MeanStep
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.arrays import Floats

LEAST_COEFFICIENTS = 5
"""Minimum number of coefficients of a spline: two at each end, which belong to landings, and one between them."""
RATE_COEFFICIENTS = 7
"""Number of coefficients of the Bezier curve of theta' over a step."""
_BENT = 51  # number of values of theta at which c'' is sampled
_HEIGHT_WEIGHT = 30.0  # rad/m: a landing foot 1 mm off the ground counts as 0.03 rad
_MOST_EVALUATIONS = 60
_KEPT_POSES = 1000
_NUDGE = 1e-7
_CURVE = np.logspace(-10.0, 0.0, 41)


@dataclass(frozen=True)
class FittedRows:
    """Splines that were fitted to R tracked quantities (rows) of a step, as functions of the phase variable theta."""

    theta: tuple[float, float]
    """Theta at the start and the end of the step, rad."""
    coefficients: Floats
    """(R, n) the n coefficients of each spline, rad."""
    degree: int
    """Degree of the splines."""

    @property
    def width(self) -> float:
        """Return the increase of theta from the start to the end of the step, rad."""
        return self.theta[1] - self.theta[0]

    @property
    def steepness(self) -> float:
        """Return the factor s in the derivatives of a spline f over [0, 1]: f'(0) = s (c_1 - c_0), and so at 1.

        c_0 and c_1 are the first two of its coefficients.
        """
        count = self.coefficients.shape[1]
        order = min(self.degree, count - 1)
        return float(order * (count - order))

    def values(self, theta: Floats, derivative: int = 0) -> Floats:
        """Return the values (G, R) of the R splines at G values of theta, or of their derivatives by theta.

        Args:
            theta: (G,) values of theta, rad.
            derivative: order of the derivative; 0 for the values themselves.
        """
        share = np.clip((theta - self.theta[0]) / self.width, 0.0, 1.0)
        basis = _basis(self.coefficients.shape[1], self.degree, share, derivative)
        return np.asarray(basis @ self.coefficients.T / self.width**derivative)

    def bends(self) -> Floats:
        """Return the second derivatives of the R splines at `_BENT` evenly spaced values of theta, (_BENT, R)."""
        return self.values(np.linspace(*self.theta, _BENT), 2)


@dataclass(frozen=True)
class Inconsistency:
    """Differences between the start of a step and the state after the impact of the previous step, which should agree.

    See equation 8 of Abe and Popovic (2011).
    """

    theta: float
    """Difference of theta, rad."""
    angle: float
    """Maximum difference of a tracked angle, rad."""
    slope: float
    """Maximum difference of the derivative of a tracked angle with respect to theta, rad/rad."""
    landing: float
    """Height of the landing foot above the ground at the end of the step, m; it should be 0."""


@dataclass(frozen=True)
class ConstraintFit:
    """Splines c(theta) fitted to the tracked quantities of a recorded walk, and measures of their quality."""

    rows: FittedRows
    """The fitted splines."""
    k: float
    """Weight of the second derivatives c'' in the cost of the fit."""
    residual: dict[str, float]
    """Root mean square difference between the recorded quantity and its spline, rad, by name of the quantity."""
    before: Inconsistency
    """Inconsistency of the splines nearest to the motion, which ignore the consistency condition."""
    after: Inconsistency
    """Inconsistency of the fitted splines."""
    end: Floats
    """(N,) coordinates of the pose at the end of the step, m and rad."""


def _basis(count: int, degree: int, share: Floats, derivative: int = 0) -> Floats:
    return _basis_at(count, degree, share.tobytes(), derivative)


@lru_cache(maxsize=64)
def _basis_at(count: int, degree: int, share: bytes, derivative: int) -> Floats:
    """Return the n B-spline basis functions over [0, 1], or derivatives of them, at G positions, (G, n).

    Args:
        count: number n of coefficients.
        degree: degree of the spline; n - 1 if that is smaller.
        share: G positions as the bytes of a float64 array, because the cache needs a hashable argument.
        derivative: order of the derivative; 0 for the functions themselves.
    """
    order = min(degree, count - 1)
    inner = np.linspace(0.0, 1.0, count - order + 1)
    knots = np.concatenate([np.zeros(order), inner, np.ones(order)])
    return np.asarray(BSpline(knots, np.eye(count), order)(np.frombuffer(share), nu=derivative))


def nearest_splines(step: MeanStep, count: int, degree: int, k: float) -> FittedRows:
    """Return the splines nearest to the mean step of a walk, without regard to the impact at the end of the step.

    Args:
        step: mean step of the walk.
        count: number of coefficients of each spline.
        degree: degree of the splines.
        k: weight of the mean square of the second derivatives in the cost.
    """
    places = len(step.theta)
    width = float(step.theta[-1] - step.theta[0])
    fits = _basis(count, degree, np.linspace(0.0, 1.0, places)) / np.sqrt(places)
    bends = _basis(count, degree, np.linspace(0.0, 1.0, _BENT), 2) / (width**2 * np.sqrt(_BENT))
    system = fits.T @ fits + k * bends.T @ bends
    coefficients = np.linalg.solve(system, fits.T @ step.rows / np.sqrt(places))
    return FittedRows((float(step.theta[0]), float(step.theta[-1])), coefficients.T, degree)


def corner_of_l_curve(step: MeanStep, count: int, degree: int) -> float:
    """Return the weight k of the splines' second derivatives at the corner of the L-curve (Hansen 1992).

    For each of some values of k, splines are fitted. The curve shows the logarithm of the mean square of their second
    derivatives over that of their errors. Its corner is where the sum of both, each scaled to [0, 1], is smallest.

    Args:
        step: mean step of the walk.
        count: number of coefficients of each spline.
        degree: degree of the splines.
    """
    points = []
    for k in _CURVE:
        fitted = nearest_splines(step, count, degree, float(k))
        misfit = float(((fitted.values(step.theta) - step.rows) ** 2).mean())
        points.append((np.log(misfit + 1e-16), np.log(float((fitted.bends() ** 2).mean()) + 1e-16)))
    curve: Floats = np.array(points)
    span = np.ptp(curve, axis=0)
    if (span < 1e-9).any():
        return float(_CURVE[0])
    scaled = (curve - curve.min(axis=0)) / span
    # the corner of an L is near the point at which both are minimal
    return float(_CURVE[int(np.argmin(scaled.sum(axis=1)))])


class ConstraintFitting:
    """Fit of splines to the mean step of a walk, such that the impact at its end leads to the start of the next step.

    Args:
        plan: names of the legs and of the tracked quantities (rows).
        geometry: model of the character, for poses and impacts.
        step: mean step of the walk.
        count: number of coefficients of each spline.
        degree: degree of the splines.

    Raises:
        CtrlGraphError: there are fewer than `LEAST_COEFFICIENTS` coefficients, or fewer than degree + 1.
    """

    def __init__(self, plan: GaitPlan, geometry: Geometry, step: MeanStep, count: int, degree: int) -> None:
        if count < LEAST_COEFFICIENTS or degree > count - 1:
            least = max(LEAST_COEFFICIENTS, degree + 1)
            raise CtrlGraphError(f"splines of the degree {degree} need at least {least} coefficients, not {count}")
        self._plan, self._geometry, self._step = plan, geometry, step
        self._count, self._degree = count, degree
        self._guess = step.last.copy()
        self._poses: dict[tuple[float, bytes], Floats] = {}

    def fit(self, k: float, on_evaluation: Callable[[], None] = lambda: None) -> ConstraintFit:
        """Return the fitted splines with their errors.

        Args:
            k: weight of the mean square of the second derivatives in the cost.
            on_evaluation: function that is called at each evaluation of the residuals, for example to show progress.

        Raises:
            CtrlGraphError: no pose has the tracked angles at the end of the step, or the impact in this pose does not
                lead to a step in which theta rises.
        """
        free = nearest_splines(self._step, self._count, self._degree, k)
        before = self._inconsistency(free)
        unknown = free.coefficients[:, 2:].copy()
        searched = np.ones(unknown.shape, dtype=bool)
        if self._plan.has_soles:  # a foot lands flat
            searched[self._plan.rows.index(self._plan.swinging.foot), -1] = False
        start, keep = np.where(searched, unknown, 0.0).ravel(), searched.ravel()
        size = self._residuals(*self._consistent(start), k).size
        at_end = np.tile(np.arange(self._count - 2) >= self._count - 4, len(unknown))  # they determine the next start

        def whole(values: Floats) -> Floats:
            x = start.copy()
            x[keep] = values
            return x

        def residuals(values: Floats) -> Floats:
            on_evaluation()
            try:
                rows, end = self._consistent(whole(values))
            except CtrlGraphError:
                return np.full(size, 1e3)
            return self._residuals(rows, end, k)

        def jacobian(values: Floats) -> Floats:
            base, ends_alone = residuals(values), at_end[keep]
            found = np.zeros((base.size, values.size))
            rows, _ = self._consistent(whole(values))
            found[:, ~ends_alone] = self._of_middles(rows, k)[:, keep][:, ~ends_alone]
            for n in np.flatnonzero(ends_alone):
                nudged = values.copy()
                nudged[n] += _NUDGE
                found[:, n] = (residuals(nudged) - base) / _NUDGE
            return found

        found = least_squares(
            residuals, start[keep], jac=jacobian, method="trf", max_nfev=_MOST_EVALUATIONS, ftol=1e-8, xtol=1e-8
        )
        rows, end = self._consistent(whole(found.x))
        off = self._step.each - rows.values(self._step.theta)
        residual = np.sqrt((off**2).mean(axis=(0, 1)))
        by_row = dict(zip(self._plan.rows, residual.tolist(), strict=True))
        return ConstraintFit(rows, k, by_row, before, self._inconsistency(rows), end)

    def _start_after(self, rows: FittedRows, end: Floats) -> RowStart:
        """Return the start of the next step after a step with the splines `rows` and the final pose `end` (N,)."""
        c = rows.coefficients
        self._geometry.place(end)
        slopes = np.asarray((c[:, -1] - c[:, -2]) * rows.steepness / rows.width)
        return self._geometry.next_start(self._geometry.direction(slopes))

    def _end(self, rows: FittedRows) -> Floats:
        """Return the pose (N,) at the end of a step with the splines `rows`, from a cache if possible.

        Only theta and the last coefficients affect the pose.
        """
        theta, last = rows.theta[1], rows.coefficients[:, -1]
        key = (theta, last.tobytes())
        if key not in self._poses:
            if len(self._poses) >= _KEPT_POSES:
                self._poses.clear()
            self._poses[key] = self._guess = self._geometry.pose(theta, last, self._guess)
        return self._poses[key]

    def _consistent(self, x: Floats) -> tuple[FittedRows, Floats]:
        """Return consistent splines and the pose (N,) at the end of their step.

        Args:
            x: free coefficients, all but the first two of each spline, as a vector.
        """
        free, theta = x.reshape(len(self._plan.rows), -1), self._step.theta
        rows = FittedRows((float(theta[0]), float(theta[-1])), np.hstack([free[:, :2], free]), self._degree)
        end = self._end(rows)
        self._geometry.place(end)
        rows = replace(rows, theta=(self._geometry.theta(1), rows.theta[1]))
        if rows.width <= 0.0:
            raise CtrlGraphError("theta does not rise from the start to the end of the step: check the recording")
        start = self._start_after(rows, end)
        rows.coefficients[:, 0] = start.rows
        rows.coefficients[:, 1] = start.rows + start.slopes * rows.width / rows.steepness
        return rows, end

    def _residuals(self, rows: FittedRows, end: Floats, k: float) -> Floats:
        off = rows.values(self._step.theta) - self._step.rows
        bends = np.sqrt(k / _BENT) * rows.bends()
        return np.concatenate([off.ravel() / np.sqrt(len(off)), bends.ravel(), [_HEIGHT_WEIGHT * self._landing(end)]])

    def _of_middles(self, rows: FittedRows, k: float) -> Floats:
        """Return the derivatives of the residuals with respect to the free coefficients of the splines.

        They are valid for all coefficients but the last two of each spline, which also affect the pose at the end.
        """
        share = np.clip((self._step.theta - rows.theta[0]) / rows.width, 0.0, 1.0)
        off = _basis(self._count, self._degree, share)[:, 2:] / np.sqrt(share.size)
        bends = _basis(self._count, self._degree, np.linspace(0.0, 1.0, _BENT), 2)[:, 2:]
        bends = bends * np.sqrt(k / _BENT) / rows.width**2
        one = np.eye(len(rows.coefficients))
        size = off.shape[1] * len(one)
        blocks = [np.einsum("gn,rs->grsn", each, one).reshape(-1, size) for each in (off, bends)]
        return np.vstack([*blocks, np.zeros((1, size))])

    def _landing(self, end: Floats) -> float:
        self._geometry.place(end)
        return self._geometry.sole_height(self._plan.swinging.foot)

    def _inconsistency(self, rows: FittedRows) -> Inconsistency:
        end, c = self._end(rows), rows.coefficients
        start = self._start_after(rows, end)
        slopes = (c[:, 1] - c[:, 0]) * rows.steepness / rows.width
        return Inconsistency(
            theta=abs(start.theta - rows.theta[0]),
            angle=float(np.abs(start.rows - c[:, 0]).max()),
            slope=float(np.abs(start.slopes - slopes).max()),
            landing=self._landing(end),
        )


def rate_coefficients(rate: Floats) -> Floats:
    """Return the Bezier coefficients (RATE_COEFFICIENTS,), rad/s, of the curve over a step that is nearest to `rate`.

    Args:
        rate: (G,) rates of theta at evenly spaced values of theta from the start to the end of the step, rad/s.
    """
    basis = _basis(RATE_COEFFICIENTS, RATE_COEFFICIENTS - 1, np.linspace(0.0, 1.0, len(rate)))
    return np.asarray(np.linalg.lstsq(basis, rate, rcond=None)[0])
