"""Motion constraints fitted to a motion (Abe and Popovic 2011, "Designing Motion Constraints for 2D Bipeds").

The splines c(theta) minimize the mean square of y = q - c(theta) over the motion plus k times that of c'', and meet the
consistency condition at every transition. The first two coefficients of each stage follow from the end of the previous
stage and the impact map. So the condition holds by construction, and a least-squares problem remains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline
from scipy.linalg import block_diag
from scipy.optimize import least_squares

from ctrlgraph.control.tracking.fitting.curves import StageCurves
from ctrlgraph.control.tracking.fitting.gait_plan import GaitPlan
from ctrlgraph.control.tracking.fitting.geometry import Geometry, StageStart
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.planar.arrays import Floats

LEAST_COEFFICIENTS = 5
"""Minimum number of coefficients of a row; two at each end belong to transitions."""
_BENT = 51  # number of places at which c'' is sampled
_HEIGHT_WEIGHT = 30.0  # rad/m: a landing foot 1 mm off the ground counts as 0.03 rad
_MOST_EVALUATIONS = 60
_KEPT_POSES = 1000
_NUDGE = 1e-7
_CURVE = np.logspace(-10.0, 0.0, 41)


@dataclass(frozen=True)
class FittedStage:
    """Constraints of a stage."""

    theta: tuple[float, float]
    """Range of theta, rad."""
    coefficients: Floats
    """(R, n) of the rows."""

    @property
    def width(self) -> float:
        """Return the rise of theta, rad."""
        return self.theta[1] - self.theta[0]

    def end_slopes(self, degree: int) -> Floats:
        """Return the derivatives of the rows with respect to theta at the end, (R,)."""
        c = self.coefficients
        return np.asarray((c[:, -1] - c[:, -2]) * _steepness(c.shape[1], degree) / self.width)

    def start_slopes(self, degree: int) -> Floats:
        """Return the derivatives of the rows with respect to theta at the start, (R,)."""
        c = self.coefficients
        return np.asarray((c[:, 1] - c[:, 0]) * _steepness(c.shape[1], degree) / self.width)

    def values(self, theta: Floats, degree: int, derivative: int = 0) -> Floats:
        """Return the rows, or their derivatives with respect to theta, (G, R).

        Args:
            theta: (G,) rad.
            degree: of the splines.
            derivative: order of the derivative.
        """
        share = np.clip((theta - self.theta[0]) / self.width, 0.0, 1.0)
        basis = _basis(self.coefficients.shape[1], degree, share, derivative)
        return np.asarray(basis @ self.coefficients.T / self.width**derivative)


@dataclass(frozen=True)
class Inconsistency:
    """Maximum violation of the consistency condition (eq. 8) over all transitions."""

    theta: float
    """Of theta, rad."""
    angle: float
    """Of the rows, rad."""
    slope: float
    """Of their derivatives with respect to theta."""
    landing: float
    """Height of the landing foot, m."""


@dataclass(frozen=True)
class ConstraintFit:
    """Constraints fitted to a motion."""

    stages: tuple[FittedStage, ...]
    """Fitted stages."""
    degree: int
    """Degree of the splines."""
    k: float
    """Weight of c''."""
    residual: tuple[dict[str, float], ...]
    """Root mean square of y by stage and row, rad."""
    before: Inconsistency
    """Inconsistency of the splines nearest to the motion."""
    after: Inconsistency
    """Inconsistency of the result."""
    ends: tuple[Floats, ...]
    """(S, N) poses at the ends of the stages."""
    starts: tuple[StageStart, ...]
    """Starts of the stages that follow."""


def _steepness(count: int, degree: int) -> float:
    """Return the slope of a spline over [0, 1] at its end, per difference of its last two coefficients."""
    order = min(degree, count - 1)
    return float(order * (count - order))


def _basis(count: int, degree: int, share: Floats, derivative: int = 0) -> Floats:
    return _basis_at(count, degree, share.tobytes(), derivative)


@lru_cache(maxsize=64)
def _basis_at(count: int, degree: int, share: bytes, derivative: int) -> Floats:
    """Return the basis functions (G, n) at places of [0, 1], as in `splines.polynomials`."""
    order = min(degree, count - 1)
    inner = np.linspace(0.0, 1.0, count - order + 1)
    knots = np.concatenate([np.zeros(order), inner, np.ones(order)])
    return np.asarray(BSpline(knots, np.eye(count), order)(np.frombuffer(share), nu=derivative))


def nearest_splines(curves: Sequence[StageCurves], count: int, degree: int, k: float) -> tuple[FittedStage, ...]:
    """Return the splines nearest to the motion, without the consistency condition.

    Args:
        curves: the stages of the motion.
        count: coefficients of a row.
        degree: of the splines.
        k: weight of c''.
    """
    found = []
    for stage in curves:
        width = float(stage.theta[-1] - stage.theta[0])
        fits, bends = _systems(count, degree, stage, width)
        system = fits.T @ fits + k * bends.T @ bends
        coefficients = np.linalg.solve(system, fits.T @ stage.rows / np.sqrt(len(stage.theta)))
        found.append(FittedStage((float(stage.theta[0]), float(stage.theta[-1])), coefficients.T))
    return tuple(found)


def _systems(count: int, degree: int, stage: StageCurves, width: float) -> tuple[Floats, Floats]:
    share = np.linspace(0.0, 1.0, len(stage.theta))
    bent = np.linspace(0.0, 1.0, _BENT)
    return (
        _basis(count, degree, share) / np.sqrt(share.size),
        _basis(count, degree, bent, 2) / (width**2 * np.sqrt(_BENT)),
    )


def corner_of_l_curve(curves: Sequence[StageCurves], count: int, degree: int) -> float:
    """Return the k at the corner of the L-curve (Hansen 1992).

    The corner is the pair with the minimum sum of the logarithms of the misfit and of c'', each scaled to [0, 1].

    Args:
        curves: the stages of the motion.
        count: coefficients of a row.
        degree: of the splines.
    """
    points = []
    for k in _CURVE:
        misfit = bent = 0.0
        for stage, fitted in zip(curves, nearest_splines(curves, count, degree, float(k)), strict=True):
            off = fitted.values(stage.theta, degree) - stage.rows
            bends = fitted.values(np.linspace(*fitted.theta, _BENT), degree, 2)
            misfit, bent = misfit + float((off**2).mean()), bent + float((bends**2).mean())
        points.append((np.log(misfit + 1e-16), np.log(bent + 1e-16)))
    curve: Floats = np.array(points)
    span = np.ptp(curve, axis=0)
    if (span < 1e-9).any():
        return float(_CURVE[0])
    scaled = (curve - curve.min(axis=0)) / span
    # the corner of an L is nearest to the point at which both are minimal
    return float(_CURVE[int(np.argmin(scaled.sum(axis=1)))])


class ConstraintFitting:
    """A fit of constraints to a motion.

    Args:
        plan: of the fit.
        geometry: of the body.
        curves: the stages of the motion.
        count: coefficients of a row.
        degree: of the splines.

    Raises:
        CtrlGraphError: there are too few coefficients.
    """

    def __init__(
        self, plan: GaitPlan, geometry: Geometry, curves: Sequence[StageCurves], count: int, degree: int
    ) -> None:
        if count < LEAST_COEFFICIENTS or degree > count - 1:
            least = max(LEAST_COEFFICIENTS, degree + 1)
            raise CtrlGraphError(f"splines of the degree {degree} need at least {least} coefficients, not {count}")
        self.plan, self.geometry, self.curves = plan, geometry, list(curves)
        self.count, self.degree = count, degree
        self._guesses = [stage.last.copy() for stage in self.curves]
        self._poses: dict[tuple[int, float, float, bytes], Floats] = {}

    def fit(self, k: float, on_evaluation: Callable[[], None] = lambda: None) -> ConstraintFit:
        """Return the constraints for a weight of c''.

        Args:
            k: the weight.
            on_evaluation: called at each evaluation of the residuals.

        Raises:
            CtrlGraphError: no pose meets the rows at the motion's own transitions.
        """
        free = nearest_splines(self.curves, self.count, self.degree, k)
        before = self._inconsistency(free)
        start = np.concatenate([stage.coefficients[:, 2:].ravel() for stage in free])
        keep = np.ones(start.size, dtype=bool)
        if self.plan.has_soles:  # a foot lands flat
            last = np.zeros((len(self.plan.rows[-1]), self.count - 2), dtype=bool)
            last[self.plan.rows[-1].index(self.plan.swinging.foot), -1] = True
            keep[-last.size :] = ~last.ravel()
            start[~keep] = 0.0

        def residuals(values: Floats) -> Floats:
            on_evaluation()
            x = start.copy()
            x[keep] = values
            try:
                stages, ends, _ = self._consistent(x)
            except CtrlGraphError:
                return np.full(size, 1e3)
            return self._residuals(stages, ends, k)

        stages, ends, starts = self._consistent(start)
        size = self._residuals(stages, ends, k).size

        def jacobian(values: Floats) -> Floats:
            base, ends_alone = residuals(values), self._at_ends()[keep]
            found = np.zeros((base.size, values.size))
            x = start.copy()
            x[keep] = values
            stages, _, _ = self._consistent(x)
            found[:, ~ends_alone] = self._of_middles(stages, k)[:, keep][:, ~ends_alone]
            for n in np.flatnonzero(ends_alone):
                nudged = values.copy()
                nudged[n] += _NUDGE
                found[:, n] = (residuals(nudged) - base) / _NUDGE
            return found

        found = least_squares(
            residuals, start[keep], jac=jacobian, method="trf", max_nfev=_MOST_EVALUATIONS, ftol=1e-8, xtol=1e-8
        )
        best = start.copy()
        best[keep] = found.x
        stages, ends, starts = self._consistent(best)
        return ConstraintFit(
            stages=stages,
            degree=self.degree,
            k=k,
            residual=tuple(self._misfits(stages)),
            before=before,
            after=self._inconsistency(stages),
            ends=tuple(ends),
            starts=tuple(starts),
        )

    def _start_after(self, k: int, stage: FittedStage, end: Floats) -> StageStart:
        """Return the start of the stage after stage k, which ends in this pose."""
        self.geometry.place(end)
        return self.geometry.next_start(k, self.geometry.direction(k, stage.end_slopes(self.degree)))

    def _ends(self, stages: Sequence[FittedStage]) -> list[Floats]:
        geometry, ends = self.geometry, [np.zeros(0)] * len(stages)
        order = [len(stages) - 1, *range(len(stages) - 1)]
        second = 0.0
        for k in order:
            rows = stages[k].coefficients[:, -1]
            ends[k] = self._pose(k, stages[k].theta[1], rows, second)
            if k == order[0]:  # place of the rear toe after a landing
                second = geometry.second_contact(0, int(geometry.entry.swaps))
        return ends

    def _pose(self, stage: int, theta: float, rows: Floats, second: float) -> Floats:
        """Return the pose at the end of a stage, cached because slopes and middles do not change it."""
        key = (stage, theta, second, rows.tobytes())
        if key not in self._poses:
            if len(self._poses) >= _KEPT_POSES:
                self._poses.clear()
            self._poses[key] = self.geometry.pose(stage, theta, rows, self._guesses[stage], second)
            self._guesses[stage] = self._poses[key]
        return self._poses[key]

    def _consistent(self, x: Floats) -> tuple[tuple[FittedStage, ...], list[Floats], list[StageStart]]:
        """Return the stages with the free coefficients x (all but the first two of each row), and their ends."""
        parts, at = [], 0
        for k, rows in enumerate(self.plan.rows):
            size = len(rows) * (self.count - 2)
            free = x[at : at + size].reshape(len(rows), -1)
            at += size
            curve = self.curves[k].theta
            parts.append(FittedStage((float(curve[0]), float(curve[-1])), np.hstack([free[:, :2], free])))
        ends = self._ends(parts)
        self.geometry.place(ends[-1])
        begins = [self.geometry.theta(1), *(part.theta[1] for part in parts[:-1])]
        parts = [
            FittedStage((begin, part.theta[1]), part.coefficients) for begin, part in zip(begins, parts, strict=True)
        ]
        if any(part.width <= 0.0 for part in parts):
            raise CtrlGraphError("theta does not rise in a stage")
        starts: list[StageStart] = []
        for k, part in enumerate(parts):
            starts.append(self._start_after(k, part, ends[k]))
            begun = parts[(k + 1) % len(parts)]
            begun.coefficients[:, 0] = starts[-1].rows
            step = starts[-1].slopes * begun.width / _steepness(self.count, self.degree)
            begun.coefficients[:, 1] = starts[-1].rows + step
        return tuple(parts), ends, starts

    def _residuals(self, stages: Sequence[FittedStage], ends: Sequence[Floats], k: float) -> Floats:
        parts = []
        for fitted, curve in zip(stages, self.curves, strict=True):
            off = fitted.values(curve.theta, self.degree) - curve.rows
            bends = fitted.values(np.linspace(*fitted.theta, _BENT), self.degree, 2)
            parts += [off.ravel() / np.sqrt(len(off)), np.sqrt(k / _BENT) * bends.ravel()]
        return np.concatenate([*parts, [_HEIGHT_WEIGHT * self._landing(ends[-1])]])

    def _at_ends(self) -> NDArray[np.bool_]:
        """Return which unknowns belong to the end of a stage and so determine the start of the next one."""
        at_end = np.arange(self.count - 2) >= self.count - 4
        return np.concatenate([np.tile(at_end, len(rows)) for rows in self.plan.rows])

    def _of_middles(self, stages: Sequence[FittedStage], k: float) -> Floats:
        """Return the Jacobian of the residuals, which are linear in the unknowns in the middle of a stage."""
        blocks = []
        for rows, fitted, curve in zip(self.plan.rows, stages, self.curves, strict=True):
            share = np.clip((curve.theta - fitted.theta[0]) / fitted.width, 0.0, 1.0)
            bent = np.linspace(0.0, 1.0, _BENT)
            off = _basis(self.count, self.degree, share)[:, 2:] / np.sqrt(share.size)
            bends = _basis(self.count, self.degree, bent, 2)[:, 2:] * np.sqrt(k / _BENT) / fitted.width**2
            one, size = np.eye(len(rows)), off.shape[1] * len(rows)
            blocks.append(np.vstack([np.einsum("gn,rs->grsn", each, one).reshape(-1, size) for each in (off, bends)]))
        return np.vstack([block_diag(*blocks), np.zeros((1, sum(block.shape[1] for block in blocks)))])

    def _landing(self, end: Floats) -> float:
        self.geometry.place(end)
        return self.geometry.sole_height(self.plan.swinging.foot)

    def _misfits(self, stages: Sequence[FittedStage]) -> list[dict[str, float]]:
        found = []
        for rows, fitted, curve in zip(self.plan.rows, stages, self.curves, strict=True):
            off = curve.each - fitted.values(curve.theta, self.degree)
            rms = np.sqrt((off**2).mean(axis=(0, 1)))
            found.append(dict(zip(rows, rms.tolist(), strict=True)))
        return found

    def _inconsistency(self, stages: Sequence[FittedStage]) -> Inconsistency:
        theta = angle = slope = 0.0
        ends = self._ends(stages)
        for k, stage in enumerate(stages):
            start = self._start_after(k, stage, ends[k])
            begun = stages[(k + 1) % len(stages)]
            theta = max(theta, abs(start.theta - begun.theta[0]))
            angle = max(angle, float(np.abs(start.rows - begun.coefficients[:, 0]).max()))
            slope = max(slope, float(np.abs(start.slopes - begun.start_slopes(self.degree)).max()))
        return Inconsistency(theta, angle, slope, self._landing(ends[-1]))


def rate_coefficients(rate: Floats, count: int = 7) -> Floats:
    """Return the Bezier curve (n,) over a stage that is nearest to a rate of theta.

    Args:
        rate: (G,) at evenly spaced places.
        count: number n of coefficients.
    """
    basis = _basis(count, count - 1, np.linspace(0.0, 1.0, len(rate)))
    return np.asarray(np.linalg.lstsq(basis, rate, rcond=None)[0])
