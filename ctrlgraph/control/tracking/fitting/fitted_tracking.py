"""Fit of a tracking file to a recorded walk: the file gives joint angles as splines over the phase variable theta."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.controller_file import comment_lines, flow_yaml
from ctrlgraph.control.tracking.arrays import body_soles
from ctrlgraph.control.tracking.fitting.body_motion import BodyMotion, find_steps
from ctrlgraph.control.tracking.fitting.fit import (
    ConstraintFit,
    ConstraintFitting,
    FittedRows,
    corner_of_l_curve,
    rate_coefficients,
)
from ctrlgraph.control.tracking.fitting.gait_plan import STAGE, GaitPlan, gait_plan
from ctrlgraph.control.tracking.fitting.geometry import Geometry
from ctrlgraph.control.tracking.fitting.mean_step import MeanStep, mean_step
from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.control.tracking.tracking_file import parse_tracking
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.arrays import Floats

LEAST_STEPS = 2
"""Minimum number of steps that a recorded walk needs for a fit."""
_MARGIN = 0.015
"""Minimum distance of the ground force from heel and toe, m, as by default in a tracking file."""


@dataclass(frozen=True)
class FittedTracking:
    """A tracking file that was fitted to a recorded walk, with the results of the fit."""

    text: str
    """Text of the tracking file."""
    tracking: Tracking
    """Controller that the file describes."""
    step: MeanStep
    """Mean of the fitted steps."""
    fit: ConstraintFit
    """Fitted splines and their errors."""
    steps: int
    """Number of fitted steps."""
    speed: float
    """Mean speed of the fitted steps, m/s."""
    centre: float
    """Point of the ground force that the file requires, m ahead of the ankle."""
    measured: float
    """Mean centre of pressure of the recording, m ahead of the ankle; NaN if unknown."""
    start: Floats
    """(N,) coordinates of the pose at the beginning of a step, m and rad: x, y and angle of the root, joint angles."""

    @property
    def residual(self) -> float:
        """Return the root mean square difference between all recorded angles and their splines, rad."""
        return float(np.sqrt(np.mean([value**2 for value in self.fit.residual.values()])))

    def as_dict(self) -> dict[str, Any]:
        """Return the results of the fit as JSON data; the text of the tracking file is not included."""
        return {
            "steps": self.steps,
            "period_s": self.step.duration,
            "speed_m_s": self.speed,
            "residual_rad": self.residual,
            "row_residuals_rad": self.fit.residual,
            "k": self.fit.k,
            "inconsistency_before": asdict(self.fit.before),
            "inconsistency": asdict(self.fit.after),
            "theta_rad": list(self.fit.rows.theta),
            "monotonic": self.step.monotonic,
            "backward_rad": self.step.backward,
            "backward_at_s": self.step.backward_at,
            "centre_m": self.centre,
            "measured_centre_m": self.measured,
        }


def fit_tracking(
    motion: BodyMotion,
    character: PlanarCharacter,
    *,
    skip: int = 2,
    count: int = 7,
    degree: int = 6,
    k: float | None = None,
    comment: str = "",
    on_evaluation: Callable[[], None] = lambda: None,
) -> FittedTracking:
    """Return a tracking file whose splines are fitted to the mean step of a recorded walk.

    Args:
        motion: Recorded walk.
        character: PlanarCharacter of the recording.
        skip: Number of steps at the beginning of the recording that are not used.
        count: Number of coefficients of each spline.
        degree: Degree of the splines.
        k: Weight of the splines' second derivatives in the cost. None means the corner of the L-curve, see
            `corner_of_l_curve`.
        comment: Text of the comment at the beginning of the file.
        on_evaluation: Function that is called at each evaluation of the residuals.

    Raises:
        CtrlGraphError: The recording has too few steps, theta decreases in a step, there are too few coefficients, the
            character is not a biped, or no pose has the tracked angles at the end of a step.
    """
    found = find_steps(motion)
    steps = found[skip:]
    if len(steps) < LEAST_STEPS:
        needed = f"{len(found)} steps from landing to landing, and a fit needs {LEAST_STEPS} beyond the first {skip}"
        raise CtrlGraphError(f"the motion has {needed}: record longer (--seconds), or give a smaller --skip")
    plan = gait_plan(character)
    geometry = Geometry(plan.entry(), character)
    step = mean_step(motion, steps, geometry)
    k = corner_of_l_curve(step, count, degree) if k is None else k
    fit = ConstraintFitting(plan, geometry, step, count, degree).fit(k, on_evaluation)
    known = step.centre[np.isfinite(step.centre)]
    measured = float(known.mean()) if known.size else math.nan
    centre = _centre(character, plan, measured)
    text = _text(plan, fit.rows, centre, rate_coefficients(step.rate), comment)
    first, last = motion.time[steps[0].begin], motion.time[steps[-1].end]
    moved = motion.q[steps[-1].end, 0] - motion.q[steps[0].begin, 0]
    geometry.place(fit.end)
    start = geometry.mirrored(fit.end).copy()
    start[0] -= geometry.foot_distance((plan.standing.foot, plan.swinging.foot))
    return FittedTracking(
        text=text,
        tracking=parse_tracking(text, character, "fit.yaml"),
        step=step,
        fit=fit,
        steps=len(steps),
        speed=float(moved / (last - first)),
        centre=centre,
        measured=measured,
        start=start,
    )


def _centre(character: PlanarCharacter, plan: GaitPlan, measured: float) -> float:
    """Return the point of the ground force for the tracking file, m ahead of the ankle.

    Args:
        character: The character.
        plan: Names of its legs.
        measured: Mean centre of pressure of the recording, m ahead of the ankle; it is clipped to the sole. For NaN,
            the result is 0, clipped to the sole.
    """
    if not plan.has_soles:
        return 0.0
    link = character.link_names.index(plan.standing.foot)
    ankle = next(joint for joint in character.joints if joint.child == link)
    heel, toe = body_soles(character)[link, :, 0] + character.links[link].x - ankle.x
    return float(np.clip(measured if np.isfinite(measured) else 0.0, heel + _MARGIN, toe - _MARGIN))


def _text(plan: GaitPlan, rows: FittedRows, centre: float, rate: Floats, comment: str) -> str:
    """Return the text of the tracking file.

    Args:
        plan: Names of the legs and of the tracked quantities.
        rows: Fitted splines.
        centre: Point of the ground force, m ahead of the ankle.
        rate: Bezier coefficients of the desired rate of theta, rad/s.
        comment: Text of the comment at the beginning of the file.
    """
    begin = plan.standing.ankle or plan.standing.foot
    lines = [
        *comment_lines(comment),
        f"phase: {{angle: {{from: {flow_yaml(begin)}, to: {flow_yaml(plan.standing.hip)}}}}}",
        "swaps: true",
        f"degree: {rows.degree}",
        "gains: {eps: 0.1, k_s: 10}" if plan.has_soles else "gains: {eps: 0.05, k_s: 10}",
        "stages:",
        f"  - name: {STAGE}",
        f"    theta: {_numbers(rows.theta)}",
        f"    contacts: {{{flow_yaml(plan.standing.foot)}: {plan.contact}}}",
        "    track:",
        *(
            f"      {flow_yaml(row)}: {_numbers(coefficients)}"
            for row, coefficients in zip(plan.rows, rows.coefficients.tolist(), strict=True)
        ),
        f"    ends: {{contact: {flow_yaml(plan.swinging.foot)}}}",
    ]
    if plan.has_soles:
        lines.append(f"    policy: {{integral: {{at: {centre:.4g}, gain: 1, rate: {_numbers(rate)}}}}}")
    return "\n".join(lines) + "\n"


def _numbers(values: Iterable[float]) -> str:
    return "[" + ", ".join(f"{value:.6g}" for value in (0.0 if abs(v) < 5e-7 else float(v) for v in values)) + "]"
