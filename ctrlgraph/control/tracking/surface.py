"""The constraint surface: states in which all tracked quantities have their target values, given by theta and theta'.

On this surface the tracking error y = q - c(theta) and its rate y' are zero (Abe and Popovic 2011, eq. 6). Theta
determines the pose, and the velocities are proportional to theta'. The point at which the ground force acts determines
theta'' (eq. 4).
"""

from __future__ import annotations

import math

from ctrlgraph.control.tracking.arrays import FLAT, TrackingData
from ctrlgraph.control.tracking.constraints import (
    Footing,
    contact_place,
    contact_rows,
    fill_rows,
    fill_state,
    record_phase,
)
from ctrlgraph.control.tracking.phase import phase_row
from ctrlgraph.control.tracking.solution import find_torques
from ctrlgraph.control.tracking.tracking_state import LANDED, NEVER, THETA, TICKED, TrackingState
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import separate_kernel
from ctrlgraph.kernels.linear_algebra import solve
from ctrlgraph.kernels.planar.dynamics import place

_NEWTON_STEPS = 30
_CLOSE = 1e-10  # m or rad
_STEP_S = 0.005  # integration step
_LONGEST = 0.3  # rad or m, largest change of a coordinate in one Newton step


@separate_kernel
def place_on_surface(data: TrackingData, state: TrackingState, stage: int, theta: float, rate: float, x: float) -> bool:
    """Set the model's state so that theta and theta' have given values and tracking errors are 0, by Newton's method.

    Args:
        data: arrays of the controller; `model.q` is the initial guess of the pose. `model.q`, `model.v` and `model.kin`
            receive the state.
        state: state of the controller; its `reading` receives theta and theta'.
        stage: index of the stage, which must have a standing foot. Right and left are as in the controller's file.
        theta: theta, rad or m.
        rate: theta', rad/s or m/s.
        x: world x of the point of the standing feet that is at rest, m. The ground is at y = 0.

    Returns:
        False if Newton's method does not find the pose.
    """
    model = data.model
    for _ in range(_NEWTON_STEPS):
        model.v[:] = 0.0
        rows = _fill_jacobian(data, state, stage)
        off = _fill_errors(data, state, stage, rows, theta, x)
        if not solve(model.system, model.pivots, model.right):
            return False
        largest = 0.0
        for n in range(model.v.size):
            largest = max(largest, abs(model.right[n]))
        part = min(1.0, _LONGEST / largest) if largest > 0.0 else 1.0
        for n in range(model.q.size):
            model.q[n] -= part * model.right[n]
        if not math.isfinite(largest):
            return False
        if off < _CLOSE:
            _fill_jacobian(data, state, stage)
            model.right[:] = 0.0
            model.right[model.v.size - 1] = rate
            if not solve(model.system, model.pivots, model.right):
                return False
            for n in range(model.v.size):
                model.v[n] = model.right[n]
            place(model.body, model.tree, model.q, model.v, model.kin)
            return True
    return False


@separate_kernel
def _fill_jacobian(data: TrackingData, state: TrackingState, stage: int) -> int:
    """Fill `model.system` (N, N) with the Jacobian of contacts, tracking errors and theta, in this order.

    Return the number of tracking errors. `stage` is the index of the stage.
    """
    model = data.model
    place(model.body, model.tree, model.q, model.v, model.kin)
    n_contact = contact_rows(data, stage, 0)
    record_phase(data, state, stage, 0)
    rows = fill_rows(data, state, stage, 0, Footing(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for n in range(model.v.size):
        for i in range(n_contact):
            model.system[i, n] = model.contact[i, n]
        for i in range(rows):
            model.system[n_contact + i, n] = model.rows[i, n]
        model.system[n_contact + rows, n] = model.theta_row[n]
    return rows


@separate_kernel
def _fill_errors(data: TrackingData, state: TrackingState, stage: int, rows: int, theta: float, x: float) -> float:
    """Fill `model.right` (N,) with the errors of the pose; return the magnitude of the largest error, m or rad.

    The errors are those of the contacts, of the tracked quantities and of theta, as in the Jacobian.

    Args:
        data: arrays of the controller.
        state: state of the controller, with the pose's theta.
        stage: index of the stage.
        rows: number of tracked quantities.
        theta: wanted theta, rad or m.
        x: wanted world x of the contact points, m.
    """
    model, count, largest = data.model, 0, 0.0
    for k in range(data.counts[stage, 1]):
        link, kind = data.contact_link[0, stage, k], data.contact_kind[stage, k]
        px, py = contact_place(data, model.kin, link, kind)
        model.right[count], model.right[count + 1] = px - x, py
        count += 2
        if kind == FLAT:
            model.right[count] = model.kin.link[link, 2]
            count += 1
    for r in range(rows):
        # at rest the right side of a row is only the correction of the error
        model.right[count] = -model.wanted[r] / data.gains[0]
        count += 1
    model.right[count] = state.reading[THETA] - theta
    for i in range(count + 1):
        largest = max(largest, abs(model.right[i]))
    return largest


@separate_kernel
def acceleration_on_surface(data: TrackingData, state: TrackingState, stage: int, time: float) -> float:
    """Return theta'' in the state of `data.model`, as the controller's torques cause it within their limits.

    Args:
        data: arrays of the controller, with the model's state set by `place_on_surface`.
        state: state of the controller; its `times` and `reading` are changed.
        stage: index of the stage.
        time: simulated time, s.

    Returns:
        theta'', rad/s^2 or m/s^2; NaN if the equations for the accelerations are linearly dependent.
    """
    model = data.model
    state.times[LANDED], state.times[TICKED] = NEVER, time
    count = fill_state(data, model.kin, state, stage, 0, time)
    record_phase(data, state, stage, 0)
    if not find_torques(data, state, model.body, stage, 0, count, time):
        return math.nan
    total = phase_row(data, 0, model.theta_row)
    for n in range(model.v.size):
        total += model.theta_row[n] * model.acceleration[n]
    return total


@separate_kernel
def integrate_on_surface(
    data: TrackingData, state: TrackingState, stage: int, start: Floats, until: float, seconds: float, out: Floats
) -> bool:
    """Integrate theta and its rate without tracking errors (reduced dynamics), with the midpoint rule.

    Args:
        data: arrays of the controller.
        state: state of the controller, which is changed.
        stage: index of the stage, which must have a standing foot.
        start: (2,) initial theta and theta'.
        until: theta at which the integration ends before `seconds` have passed.
        seconds: maximum time, s.
        out: (3,) result: final theta, final theta', elapsed time, s.

    Returns:
        False if theta stops increasing, or if no pose or no torques without tracking errors are found.
    """
    theta, rate, passed = start[0], start[1], 0.0
    steps = max(1, math.ceil(seconds / _STEP_S))
    step = seconds / steps
    for _ in range(steps):
        if not place_on_surface(data, state, stage, theta, rate, 0.0):
            return False
        first = acceleration_on_surface(data, state, stage, passed)
        half_rate = rate + 0.5 * step * first
        if not math.isfinite(first) or half_rate <= 0.0:
            return False
        if not place_on_surface(data, state, stage, theta + 0.5 * step * rate, half_rate, 0.0):
            return False
        second = acceleration_on_surface(data, state, stage, passed)
        if not math.isfinite(second) or rate + step * second <= 0.0:
            return False
        before = theta
        theta += step * half_rate
        share = 1.0 if theta < until else (until - before) / (theta - before)
        theta = min(theta, until)
        rate += share * step * second
        passed += share * step
        if theta >= until:
            break
    out[0], out[1], out[2] = theta, rate, passed
    return True
