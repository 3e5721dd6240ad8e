"""Fit of motion constraints to a walk (Abe and Popovic 2011, "Designing Motion Constraints for 2D Bipeds").

A row of the constraints is a tracked quantity q, such as a joint angle. Its spline c(theta) has n coefficients. The
splines minimize the mean square of y = q - c(theta) over the motion plus k times the mean square of c''. They also
satisfy the consistency condition: the impact at the end of a step leads to the start of the next step. For this, the
first two coefficients of each row follow from the last two and the impact map. A least-squares problem for the other
coefficients remains.
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
from ctrlgraph.kernels.planar.arrays import Floats

LEAST_COEFFICIENTS = 5
"""Minimum number of coefficients of a row: two at each end, which belong to landings, and one between."""
RATE_COEFFICIENTS = 7
"""Number of Bezier coefficients of a rate of theta."""
_BENT = 51  # number of values of theta at which c'' is sampled
_HEIGHT_WEIGHT = 30.0  # rad/m: a landing foot 1 mm off the ground counts as 0.03 rad
_MOST_EVALUATIONS = 60
_KEPT_POSES = 1000
_NUDGE = 1e-7
_CURVE = np.logspace(-10.0, 0.0, 41)


@dataclass(frozen=True)
class FittedRows:
    """Constraints of a step: splines of R rows over a range of theta."""

    theta: tuple[float, float]
    """Theta at the start and the end of the step, rad."""
    coefficients: Floats
    """(R, n) spline coefficients of the rows, rad."""
    degree: int
    """Degree of the splines."""

    @property
    def width(self) -> float:
        """Return the rise of theta during the step, rad."""
        return self.theta[1] - self.theta[0]

    @property
    def steepness(self) -> float:
        """Return the slope of a spline over [0, 1] at an end, per difference between the two coefficients there."""
        count = self.coefficients.shape[1]
        order = min(self.degree, count - 1)
        return float(order * (count - order))

    def values(self, theta: Floats, derivative: int = 0) -> Floats:
        """Return the values (G, R) of the splines, or of their derivatives with respect to theta.

        Args:
            theta: (G,) values of theta, rad.
            derivative: order of the derivative; 0 for the values.
        """
        share = np.clip((theta - self.theta[0]) / self.width, 0.0, 1.0)
        basis = _basis(self.coefficients.shape[1], self.degree, share, derivative)
        return np.asarray(basis @ self.coefficients.T / self.width**derivative)

    def bends(self) -> Floats:
        """Return c'' at `_BENT` evenly spaced values of theta, (_BENT, R)."""
        return self.values(np.linspace(*self.theta, _BENT), 2)


@dataclass(frozen=True)
class Inconsistency:
    """Violation of the consistency condition: start of a step against the state after the impact (eq. 8)."""

    theta: float
    """Difference of theta, rad."""
    angle: float
    """Maximum difference of a row, rad."""
    slope: float
    """Maximum difference of a row's derivative with respect to theta."""
    landing: float
    """Height of the landing foot above the ground at the end of the step, m."""


@dataclass(frozen=True)
class ConstraintFit:
    """Result of a fit."""

    rows: FittedRows
    """The fitted splines."""
    k: float
    """Weight of c'' in the cost."""
    residual: dict[str, float]
    """Root mean square of y over the motion, by name of the row, rad."""
    before: Inconsistency
    """Inconsistency of the splines that are fitted without the consistency condition."""
    after: Inconsistency
    """Inconsistency of the result."""
    end: Floats
    """(N,) coordinates of the pose at the end of the step."""


def _basis(count: int, degree: int, share: Floats, derivative: int = 0) -> Floats:
    return _basis_at(count, degree, share.tobytes(), derivative)


@lru_cache(maxsize=64)
def _basis_at(count: int, degree: int, share: bytes, derivative: int) -> Floats:
    """Return the basis functions (G, n) of `splines.polynomials`, or derivatives, at G shares given as bytes."""
    order = min(degree, count - 1)
    inner = np.linspace(0.0, 1.0, count - order + 1)
    knots = np.concatenate([np.zeros(order), inner, np.ones(order)])
    return np.asarray(BSpline(knots, np.eye(count), order)(np.frombuffer(share), nu=derivative))


def nearest_splines(step: MeanStep, count: int, degree: int, k: float) -> FittedRows:
    """Fit splines to a motion without the consistency condition.

    Args:
        step: mean step of the motion.
        count: number of coefficients of each row.
        degree: degree of the splines.
        k: weight of c''.
    """
    places = len(step.theta)
    width = float(step.theta[-1] - step.theta[0])
    fits = _basis(count, degree, np.linspace(0.0, 1.0, places)) / np.sqrt(places)
    bends = _basis(count, degree, np.linspace(0.0, 1.0, _BENT), 2) / (width**2 * np.sqrt(_BENT))
    system = fits.T @ fits + k * bends.T @ bends
    coefficients = np.linalg.solve(system, fits.T @ step.rows / np.sqrt(places))
    return FittedRows((float(step.theta[0]), float(step.theta[-1])), coefficients.T, degree)


def corner_of_l_curve(step: MeanStep, count: int, degree: int) -> float:
    """Return the weight k at the corner of the L-curve (Hansen 1992).

    Each k gives a mean square of y and a mean square of c''. The corner is the k with the minimum sum of the logarithms
    of both, each scaled to [0, 1].

    Args:
        step: mean step of the motion.
        count: number of coefficients of each row.
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
    """A fit of consistent constraints to a motion.

    Args:
        plan: legs and rows of the step.
        geometry: poses and impacts of the character.
        step: mean step of the motion.
        count: number of coefficients of each row.
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
        """Fit the constraints.

        Args:
            k: weight of c''.
            on_evaluation: function that is called at each evaluation of the residuals, for example to show progress.

        Raises:
            CtrlGraphError: no pose satisfies the rows at the end of the recorded step, or the impact of this pose does
                not lead to a step in which theta rises.
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
        """Return the start of the step that follows a step with these rows and this final pose."""
        c = rows.coefficients
        self._geometry.place(end)
        slopes = np.asarray((c[:, -1] - c[:, -2]) * rows.steepness / rows.width)
        return self._geometry.next_start(self._geometry.direction(slopes))

    def _end(self, rows: FittedRows) -> Floats:
        """Return the pose at the end of a step. It is cached, as only theta and the last coefficients affect it."""
        theta, last = rows.theta[1], rows.coefficients[:, -1]
        key = (theta, last.tobytes())
        if key not in self._poses:
            if len(self._poses) >= _KEPT_POSES:
                self._poses.clear()
            self._poses[key] = self._guess = self._geometry.pose(theta, last, self._guess)
        return self._poses[key]

    def _consistent(self, x: Floats) -> tuple[FittedRows, Floats]:
        """Return the rows with the free coefficients x (all but the first two of each row), and their final pose."""
        free, theta = x.reshape(len(self._plan.rows), -1), self._step.theta
        rows = FittedRows((float(theta[0]), float(theta[-1])), np.hstack([free[:, :2], free]), self._degree)
        end = self._end(rows)
        self._geometry.place(end)
        rows = replace(rows, theta=(self._geometry.theta(1), rows.theta[1]))
        if rows.width <= 0.0:
            raise CtrlGraphError("theta does not rise in the step")
        start = self._start_after(rows, end)
        rows.coefficients[:, 0] = start.rows
        rows.coefficients[:, 1] = start.rows + start.slopes * rows.width / rows.steepness
        return rows, end

    def _residuals(self, rows: FittedRows, end: Floats, k: float) -> Floats:
        off = rows.values(self._step.theta) - self._step.rows
        bends = np.sqrt(k / _BENT) * rows.bends()
        return np.concatenate([off.ravel() / np.sqrt(len(off)), bends.ravel(), [_HEIGHT_WEIGHT * self._landing(end)]])

    def _of_middles(self, rows: FittedRows, k: float) -> Floats:
        """Return the Jacobian of the residuals by the free coefficients, valid for all but the last two of each row."""
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
    """Return the coefficients (RATE_COEFFICIENTS,) of the Bezier curve over a step that is nearest to a rate of theta.

    Args:
        rate: (G,) rate of theta at evenly spaced values of theta, rad/s.
    """
    basis = _basis(RATE_COEFFICIENTS, RATE_COEFFICIENTS - 1, np.linspace(0.0, 1.0, len(rate)))
    return np.asarray(np.linalg.lstsq(basis, rate, rcond=None)[0])
