"""Tracking files fitted to a recorded motion: signals, steps, curves, fit, text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.tracking.arrays import body_soles
from ctrlgraph.control.tracking.fitting.body_motion import BodyMotion, GaitStep, find_steps
from ctrlgraph.control.tracking.fitting.curves import StageCurves, stage_curves
from ctrlgraph.control.tracking.fitting.fit import (
    ConstraintFit,
    ConstraintFitting,
    corner_of_l_curve,
    rate_coefficients,
)
from ctrlgraph.control.tracking.fitting.fitted_dynamics import ground_force_places, periodic_step, step_length
from ctrlgraph.control.tracking.fitting.gait_plan import GaitPlan, gait_plan
from ctrlgraph.control.tracking.fitting.geometry import Geometry
from ctrlgraph.control.tracking.fitting.tracking_text import tracking_text
from ctrlgraph.control.tracking.schema import ConstantEntry, PolicyEntry
from ctrlgraph.control.tracking.steps import PeriodicStep
from ctrlgraph.control.tracking.tracking import Tracking, new_tracking
from ctrlgraph.control.tracking.tracking_file import parse_tracking
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.planar.arrays import Floats, body_arrays, new_kinematics
from ctrlgraph.kernels.planar.dynamics import place, tree_of
from ctrlgraph.simulation.signals import Signals

LEAST_STEPS = 2
LONG_SUPPORT = 0.12
"""Minimum share of a step with both feet on the ground for a stage of its own."""
_MARGIN = 0.015
"""Margin at the ends of the sole, m, as by default in a tracking file."""


@dataclass(frozen=True)
class FittedTracking:
    """A motion as a tracking file."""

    text: str
    tracking: Tracking
    plan: GaitPlan
    curves: tuple[StageCurves, ...]
    fit: ConstraintFit
    steps: int
    """Number of fitted steps."""
    period: float
    """Duration of a step, s."""
    speed: float
    """Mean speed, m/s."""
    length: float
    """Length of a step, m."""
    centres: tuple[float, ...]
    """Place of the ground's force by the policy of each stage, m before the ankle."""
    measured: tuple[float, ...]
    """The same of the recording; NaN where unknown."""
    periodic: PeriodicStep | None
    """Step of the reduced dynamics with constant policies; None with two stages or without a stable step."""
    begun: Floats
    """Coordinates at the beginning of a step (N,)."""

    @property
    def residual(self) -> float:
        """Return the rms of y over all rows and stages, rad."""
        squares = [value**2 for stage in self.fit.residual for value in stage.values()]
        return float(np.sqrt(np.mean(squares)))

    def as_dict(self) -> dict[str, Any]:
        """Return the fit as JSON data, without the text."""
        stages = [
            {
                "name": name,
                "theta_rad": list(self.fit.stages[k].theta),
                "residual_rad": self.fit.residual[k],
                "monotonic": curve.monotonic,
                "backward_rad": curve.backward,
                "backward_at_s": curve.backward_at,
                "duration_s": curve.duration,
                "centre_m": self.centres[k],
                "measured_centre_m": self.measured[k],
            }
            for k, (name, curve) in enumerate(zip(self.plan.stages, self.curves, strict=True))
        ]
        periodic = self.periodic
        return {
            "steps": self.steps,
            "period_s": self.period,
            "speed_m_s": self.speed,
            "residual_rad": self.residual,
            "k": self.fit.k,
            "inconsistency_before": asdict(self.fit.before),
            "inconsistency": asdict(self.fit.after),
            "stages": stages,
            "periodic": None if periodic is None else {**asdict(periodic), "speed": periodic.speed},
        }


def motion_of_signals(signals: Signals, character: Character) -> BodyMotion:
    """Return the motion of recorded signals."""
    columns, root = signals.columns, character.links[character.root].name
    q = np.column_stack(
        [
            *(columns[f"{what}.{root}"] for what in ("x", "y", "rotation")),
            *(columns[f"angle.{joint.name}"] for joint in character.joints),
        ]
    )
    feet = _feet(character)
    touching = np.column_stack([columns[f"contact.{character.links[foot].name}"] > 0 for foot in feet])
    kept = np.concatenate([[True], np.diff(columns["time"]) > 1e-9])
    return BodyMotion(
        columns["time"][kept], q[kept], touching[kept], _soles(character, q)[kept], columns["pressure_x"][kept]
    )


def _feet(character: Character) -> tuple[int, ...]:
    if len(character.roles.feet) != 2:
        raise CtrlGraphError(f"{character.name} has {len(character.roles.feet)} feet, and a fit is for two")
    return character.roles.feet


def _soles(character: Character, q: Floats) -> Floats:
    """Return x of the middles of the soles (n, 2), m."""
    body, tree, kin = (
        body_arrays(character),
        tree_of(character),
        new_kinematics(len(character.links), len(character.joints)),
    )
    soles, still = body_soles(character), np.zeros(q.shape[1])
    x = np.zeros((len(q), 2))
    for i, pose in enumerate(q):
        place(body, tree, pose, still, kin)
        for k, foot in enumerate(_feet(character)):
            at, angle, ends = kin.link[foot, 0], kin.link[foot, 2], soles[foot]
            x[i, k] = (at + ends[:, 0] * np.cos(angle) + ends[:, 1] * np.sin(angle)).mean()
    return x


def fit_tracking(
    motion: BodyMotion,
    character: Character,
    *,
    stages: tuple[str, ...] = (),
    skip: int = 2,
    count: int = 7,
    degree: int = 6,
    k: float | None = None,
    comment: str = "",
    on_evaluation: Callable[[], None] = lambda: None,
) -> FittedTracking:
    """Return the tracking file of a motion's steps.

    Args:
        motion: Recorded motion.
        character: The body of the motion.
        stages: Of a step; without them as the motion has it, `double` where both feet stand for long.
        skip: Steps at the beginning that do not count.
        count: Number of coefficients of a row.
        degree: Degree of the splines.
        k: Weight of c''; None: the corner of the L-curve.
        comment: Lines for the file's beginning.
        on_evaluation: Called after each evaluation.

    Raises:
        CtrlGraphError: The motion has too few steps, theta is no phase of it, or nothing can be fitted.
    """
    found = find_steps(motion)
    steps = found[skip:]
    if len(steps) < LEAST_STEPS:
        raise CtrlGraphError(
            f"the motion has {len(found)} steps, from the landing of one foot to that of the other; of them"
            f" {LEAST_STEPS} beyond the first {skip} are needed: record longer (--seconds), or give a smaller --skip"
        )
    plan = gait_plan(character, stages or _stages_of(motion, steps, character))
    geometry = Geometry(plan.entry(), character)
    curves = stage_curves(motion, steps, plan, geometry)
    k = corner_of_l_curve(curves, count, degree) if k is None else k
    fit = ConstraintFitting(plan, geometry, curves, count, degree).fit(k, on_evaluation)
    measured = tuple(_mean(curve.centre) for curve in curves)
    centres = tuple(_centre(geometry, fit, curves, i, measured[i], plan) for i in range(len(curves)))
    rates = [rate_coefficients(curve.rate) for curve in curves]
    text = tracking_text(plan, fit, centres, rates, comment)
    tracking = parse_tracking(text, character, "fit.yaml")
    first, last = motion.time[steps[0].begin], motion.time[steps[-1].end]
    moved = motion.q[steps[-1].end, 0] - motion.q[steps[0].begin, 0]
    length = step_length(geometry, fit.ends[-1], (plan.standing.foot, plan.swinging.foot))
    begun = geometry.mirrored(fit.ends[-1]).copy()
    begun[0] -= length
    return FittedTracking(
        text=text,
        tracking=tracking,
        plan=plan,
        curves=tuple(curves),
        fit=fit,
        steps=len(steps),
        period=sum(curve.duration for curve in curves),
        speed=float(moved / (last - first)),
        length=length,
        centres=centres,
        measured=measured,
        periodic=_periodic(tracking, fit, curves, centres, length, begun) if len(curves) == 1 else None,
        begun=begun,
    )


def _stages_of(motion: BodyMotion, steps: list[GaitStep], character: Character) -> tuple[str, ...]:
    shares = [(step.left - step.begin) / (step.end - step.begin) for step in steps]
    has_soles = len({circle.x for circle in character.links[character.roles.feet[0]].contacts}) > 1
    return ("double", "single") if has_soles and float(np.mean(shares)) > LONG_SUPPORT else ("single",)


def _mean(values: Floats) -> float:
    return float(np.nanmean(values)) if np.isfinite(values).any() else float("nan")


def _centre(
    geometry: Geometry,
    fit: ConstraintFit,
    curves: list[StageCurves],
    stage: int,
    measured: float,
    plan: GaitPlan,
) -> float:
    """Return the place of the force of a constant policy: as measured, else from the accelerations; within the sole."""
    if not plan.has_soles:
        return 0.0
    at = measured
    if not np.isfinite(at) and plan.stages[stage] == "single":
        at = _mean(ground_force_places(geometry, stage, fit.stages[stage], fit.degree, curves[stage]))
    at = at if np.isfinite(at) else 0.0
    if plan.stages[stage] != "single":
        return float(at)
    least, most = _sole_of(geometry.character, plan.standing.foot)
    return float(np.clip(at, least + _MARGIN, most - _MARGIN))


def _sole_of(character: Character, foot: str) -> tuple[float, float]:
    """Return heel and toe of a foot, m before its ankle."""
    link = next(i for i, each in enumerate(character.links) if each.name == foot)
    ankle = next(joint for joint in character.joints if joint.child == link)
    x = body_soles(character)[link, :, 0] + character.links[link].x - ankle.x
    return float(x[0]), float(x[1])


def _periodic(
    tracking: Tracking,
    fit: ConstraintFit,
    curves: list[StageCurves],
    centres: tuple[float, ...],
    length: float,
    begun: Floats,
) -> PeriodicStep | None:
    entry = tracking.entry
    policy = PolicyEntry(constant=ConstantEntry(at=centres[0])) if entry.stages[0].policy else None
    constant = entry.model_copy(update={"stages": [entry.stages[0].model_copy(update={"policy": policy})]})
    still = new_tracking("fit", constant, tracking.character)
    return periodic_step(still, begun, fit.starts[-1].ratio, float(curves[0].rate[1]), length)
