"""Consequences of fitted constraints: the place of the ground force along the motion, and the reduced dynamics."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.control.tracking.arrays import tracking_data
from ctrlgraph.control.tracking.fitting.curves import StageCurves
from ctrlgraph.control.tracking.fitting.fit import FittedStage
from ctrlgraph.control.tracking.fitting.geometry import Geometry
from ctrlgraph.control.tracking.steps import PeriodicStep
from ctrlgraph.control.tracking.surface import integrate_on_surface
from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.control.tracking.tracking_state import new_state
from ctrlgraph.kernels.constants import GRAVITY
from ctrlgraph.kernels.planar.arrays import Floats
from ctrlgraph.kernels.planar.dynamics import inverse_dynamics

LONGEST_S = 3.0
"""Maximum duration of a step, s."""
_MOST_STEPS = 60
_SETTLED = 2e-4  # relative to the rate; torque and friction limits make the map too rough for a smaller tolerance
_NUDGE = 0.03


def ground_force_places(geometry: Geometry, stage: int, fitted: FittedStage, degree: int, curve: StageCurves) -> Floats:
    """Return the place of the ground force (G,) with all rows satisfied and theta as recorded, m before the ankle.

    Args:
        geometry: of the body.
        stage: the stage.
        fitted: its constraints.
        degree: of the splines.
        curve: the recorded stage.

    Raises:
        CtrlGraphError: no pose meets the rows.
    """
    n, theta = geometry.data.model.q.size, np.linspace(*fitted.theta, len(curve.theta))
    rows, slopes = fitted.values(theta, degree), fitted.values(theta, degree, 1)
    q, v, guess = np.zeros((theta.size, n)), np.zeros((theta.size, n)), curve.last
    for i in range(theta.size - 1, -1, -1):
        guess = q[i] = geometry.pose(stage, float(theta[i]), rows[i], guess)
        v[i] = geometry.direction(stage, slopes[i]) * curve.rate[i]
    acceleration = np.gradient(v, theta, axis=0) * curve.rate[:, None]
    model, forces, at = geometry.data.model, np.zeros(n), np.zeros(theta.size)
    for i in range(theta.size):
        geometry.place(q[i], v[i])
        inverse_dynamics(model.body, model.tree, model.kin, acceleration[i], GRAVITY, model.space, forces)
        along, up, moment = forces[:3]
        at[i] = q[i, 0] - (q[i, 1] * along + moment) / up - geometry.ankle()
    return at


def periodic_step(tracking: Tracking, begun: Floats, ratio: float, rate: float, length: float) -> PeriodicStep | None:
    """Return the periodic step of one stage; None if there is no stable one.

    Args:
        tracking: with a constant policy.
        begun: (N,) q at the start.
        ratio: theta's rate after the impact at the end divided by that before it.
        rate: initial guess of theta's rate, rad/s.
        length: of a step, m.
    """
    data = tracking_data(tracking)
    state, out = new_state(len(tracking.character.joints)), np.zeros(3)
    low, high = (float(theta) for theta in data.theta[0])

    def after(rate: float) -> float:
        data.model.q[:] = begun
        start = np.array([low, rate])
        if not integrate_on_surface(data, state, 0, start, high, LONGEST_S, out) or out[0] < high:
            return math.nan
        return float(out[1] * ratio)

    for faster in (1.0, 1.2, 1.5):
        now, found = rate * faster, math.nan
        for _ in range(_MOST_STEPS):
            found = after(now)
            if not math.isfinite(found) or abs(found - now) < _SETTLED * now:
                break
            now = found
        if math.isfinite(found) and abs(found - now) < _SETTLED * now:
            nudge = _NUDGE * now
            slope = (after(now + nudge) - after(now - nudge)) / (2 * nudge)
            after(now)
            return PeriodicStep(now, float(out[2]), length, slope) if abs(slope) < 1.0 else None
    return None


def step_length(geometry: Geometry, end: Floats, feet: tuple[str, str]) -> float:
    """Return the distance by which the second foot is ahead of the first one, m.

    Args:
        geometry: of the body.
        end: (N,) the pose.
        feet: the first and the second link.
    """
    geometry.place(end)
    first, second = (geometry.data.model.kin.link[geometry.character.link_names.index(name), 0] for name in feet)
    return float(second) - float(first)
