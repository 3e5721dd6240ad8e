"""The constraint surface: the states in which all rows of a stage hold, which are two numbers, theta and its rate.

There y and y' are zero (Abe and Popovic 2011, eq. 6): the pose follows from theta alone, the velocities are in
proportion to theta's. With a place for the ground's force, theta's acceleration follows too (eq. 4).
"""

from __future__ import annotations

import math

from ctrlgraph.control.tracking.arrays import FLAT, TrackingData
from ctrlgraph.control.tracking.constraints import (
    Footing,
    contact_place,
    contact_rows,
    read_phase,
    take_contacts,
    take_footing,
    take_rows,
    take_state,
)
from ctrlgraph.control.tracking.phase import phase_row
from ctrlgraph.control.tracking.solution import Standing, track
from ctrlgraph.control.tracking.state import LANDED, NEVER, THETA, TICKED, TrackingState
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.dynamics import place
from ctrlgraph.kernels.jit import separate_kernel
from ctrlgraph.kernels.linear_algebra import solve

_NEWTON_STEPS = 30
_CLOSE = 1e-10  # m or rad
_STEP_S = 0.005  # of the integration
_LONGEST = 0.3  # rad or m that a step may change a coordinate by: farther off, the rows bend


@separate_kernel
def put_on_surface(data: TrackingData, state: TrackingState, stage: int, theta: float, rate: float, x: float) -> bool:
    """Place `model.q`, `model.v` and `model.kin` where a standing stage's rows hold; False where that is nowhere near
    the pose that the model has.

    Args:
        rate: of theta, per second.
        x: of the point below the first foot in contact that stands still, m; the ground is level at y = 0.
    """
    model = data.model
    for _ in range(_NEWTON_STEPS):
        for n in range(model.v.size):
            model.v[n] = 0.0
        rows = _take_jacobian(data, state, stage)
        off = _take_errors(data, state, stage, rows, theta, x)
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
            _take_jacobian(data, state, stage)
            for n in range(model.v.size):
                model.right[n] = 0.0
            model.right[model.v.size - 1] = rate
            if not solve(model.system, model.pivots, model.right):
                return False
            for n in range(model.v.size):
                model.v[n] = model.right[n]
            place(model.body, model.tree, model.q, model.v, model.kin)
            return True
    return False


@separate_kernel
def _take_jacobian(data: TrackingData, state: TrackingState, stage: int) -> int:
    """Fill `model.system` with the rows of contacts, of what is tracked, and of theta; returns how many are tracked."""
    model = data.model
    place(model.body, model.tree, model.q, model.v, model.kin)
    held = contact_rows(data, stage, 0)
    read_phase(data, state, stage, 0)
    rows = take_rows(data, state, stage, 0, Footing(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for n in range(model.v.size):
        for i in range(held):
            model.system[i, n] = model.contact[i, n]
        for i in range(rows):
            model.system[held + i, n] = model.rows[i, n]
        model.system[held + rows, n] = model.theta_row[n]
    return rows


@separate_kernel
def _take_errors(data: TrackingData, state: TrackingState, stage: int, rows: int, theta: float, x: float) -> float:
    """Fill `model.right` with how far off the pose is, in the order of the Jacobian; returns the largest."""
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
        # at rest all that a row wants is to make good its error
        model.right[count] = -model.wanted[r] / data.gains[0]
        count += 1
    model.right[count] = state.reading[THETA] - theta
    for i in range(count + 1):
        largest = max(largest, abs(model.right[i]))
    return largest


@separate_kernel
def acceleration_on_surface(data: TrackingData, state: TrackingState, stage: int, time: float) -> float:
    """Return theta'' where the model is, with the ground's force where the policy has it, within all limits; NaN where
    there is none."""
    model = data.model
    state.times[LANDED], state.times[TICKED] = NEVER, time
    count = take_state(data, model.kin, state, stage, 0, time)
    read_phase(data, state, stage, 0)
    footing = take_footing(data, state, stage, 0, time)
    held = take_contacts(data, stage, footing, count)
    rows = take_rows(data, state, stage, 0, footing)
    one = data.contact_link[0, stage, 0] if data.counts[stage, 1] > 0 else -1
    other = data.contact_link[0, stage, 1] if data.counts[stage, 1] > 1 else -1
    if not track(data, state, model.body, footing, Standing(one, other), held, rows):
        return math.nan
    total = phase_row(data, stage, 0, model.theta_row)
    for n in range(model.v.size):
        total += model.theta_row[n] * model.acceleration[n]
    return total


@separate_kernel
def go_along_surface(
    data: TrackingData, state: TrackingState, stage: int, start: Floats, until: float, seconds: float, out: Floats
) -> bool:
    """Integrate theta and its rate by the reduced dynamics, by midpoints; False where the motion leaves them.

    It leaves them where no pose holds the rows, where no torques do, and where theta no longer rises.

    Args:
        start: (2,) theta and its rate.
        until: theta at which it ends, where that comes before the time is over.
        seconds: as long at most.
        out: (3,) theta, rate, and the seconds that it took.
    """
    theta, rate, passed = start[0], start[1], 0.0
    steps = max(1, math.ceil(seconds / _STEP_S))
    step = seconds / steps
    for _ in range(steps):
        if not put_on_surface(data, state, stage, theta, rate, 0.0):
            return False
        first = acceleration_on_surface(data, state, stage, passed)
        half_rate = rate + 0.5 * step * first
        if not math.isfinite(first) or half_rate <= 0.0:
            return False
        if not put_on_surface(data, state, stage, theta + 0.5 * step * rate, half_rate, 0.0):
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
