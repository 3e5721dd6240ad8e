"""Joint torques from linear equations ("rows") for the accelerations, within limits of friction and joint torque."""

from __future__ import annotations

import math
from typing import NamedTuple

from ctrlgraph.control.tracking.arrays import TrackingData
from ctrlgraph.control.tracking.constraints import Footing, add_force_rows, fill_rows, find_footing
from ctrlgraph.control.tracking.tracking_state import BOUNDS, FORCE_X, FORCE_Y, SATURATED, TrackingState
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.linear_algebra import solve, solve_factored
from ctrlgraph.kernels.planar.arrays import Body
from ctrlgraph.kernels.quadratic_program import least_change

_SWEEPS = 60
_SLACK = 1e-6  # relative tolerance of limits
_PULL, _SLIP, _TORQUE = 0, 1, 3  # indices of the bounded quantities: normal force, slip (2 directions), torques


class Standing(NamedTuple):
    """Indices of the one or two links on the ground in a tick; -1 for none."""

    one: int
    other: int


@kernel
def find_torques(
    data: TrackingData, state: TrackingState, body: Body, stage: int, side: int, count: int, time: float
) -> bool:
    """Compute the joint torques of a control tick, and store them in `model.torque`.

    Args:
        data: arrays of the controller, with the model filled by `fill_state`.
        state: state of the controller; its `reading` receives results such as the ground force.
        body: constants of the body; only the torque limits are used.
        stage: index of the active stage.
        side: active side: 0 for the motion of the file, 1 for the motion with right and left exchanged.
        count: number of equations of the contacts, as `fill_state` has returned it.
        time: simulated time, s.

    Returns:
        False if no accelerations satisfy all equations, because the equations are linearly dependent.
    """
    footing = find_footing(data, state, stage, side, time)
    n_contact = add_force_rows(data, stage, footing, count)
    rows = fill_rows(data, state, stage, side, footing)
    contacts = data.counts[stage, 1]
    one = data.contact_link[side, stage, 0] if contacts > 0 else -1
    other = data.contact_link[side, stage, 1] if contacts > 1 else -1
    return track(data, state, body, footing, Standing(one, other), n_contact, rows)


@separate_kernel
def track(
    data: TrackingData,
    state: TrackingState,
    body: Body,
    footing: Footing,
    standing: Standing,
    n_contact: int,
    rows: int,
) -> bool:
    """Compute accelerations by the equations in `data.model`, and the joint torques that cause them.

    First all equations are satisfied. If this needs a pulling ground force, more than the available friction, or a
    torque beyond a joint's limit, the right sides of the tracked quantities' equations are changed as little as
    necessary to stay within these bounds. This is equation 13 of Abe and Popovic (2011) with bounds in place of
    equalities. The paper instead projects a force outside the friction cone onto the cone.

    Args:
        data: arrays of the controller; `model.acceleration` and `model.torque` are filled.
        state: state of the controller; its `reading` receives ground force and number of active bounds.
        body: constants of the body; only the torque limits are used.
        footing: points at which the ground force acts.
        standing: links on the ground.
        n_contact: number of equations in `model.contact`, which are always satisfied.
        rows: number of equations in `model.rows`, for the tracked quantities.

    Returns:
        False if the equations are linearly dependent.
    """
    model = data.model
    if not _meet_all(data, n_contact, rows):
        return False
    _fill_forces(data, state, footing, standing)
    state.reading[BOUNDS] = state.reading[SATURATED] = 0.0
    if _keeps_to_bounds(data, state, body, standing):
        return True
    _fill_bounds(data, state, body, footing, standing, n_contact, rows)
    change = model.change[:rows]
    least_change(model.bound, model.bound_value, model.bound_low, model.bound_high, model.pushes, _SWEEPS, change)
    for i in range(rows):
        for k in range(model.v.size):
            model.acceleration[k] += model.change[i] * model.freedom[i, k]
    _fill_forces(data, state, footing, standing)
    for i in range(_TORQUE):
        state.reading[BOUNDS] += 1.0 if model.pushes[i] != 0.0 else 0.0
    for j in range(model.torque.size):
        state.reading[SATURATED] += 1.0 if model.pushes[_TORQUE + j] != 0.0 else 0.0
    return True


@separate_kernel
def _meet_all(data: TrackingData, n_contact: int, rows: int) -> bool:
    """Fill `model.acceleration` with the solution of all equations; return False if they are linearly dependent.

    Args:
        data: arrays of the controller, whose model has the equations.
        n_contact: number of equations in `model.contact`.
        rows: number of equations in `model.rows`.
    """
    model = data.model
    n = model.v.size
    for k in range(n):
        for i in range(n_contact):
            model.system[i, k] = model.contact[i, k]
        for i in range(rows):
            model.system[n_contact + i, k] = model.rows[i, k]
    for i in range(n_contact):
        model.right[i] = model.contact_value[i]
    for i in range(rows):
        model.right[n_contact + i] = model.wanted[i]
    if not solve(model.system, model.pivots, model.right):
        return False
    for k in range(n):
        model.acceleration[k] = model.right[k]
    return True


@kernel
def _keeps_to_bounds(data: TrackingData, state: TrackingState, body: Body, standing: Standing) -> bool:
    """Return whether the ground force in `state` and the torques in `data.model` are within their limits."""
    model = data.model
    if standing.one >= 0:
        force_x, force_y = state.reading[FORCE_X], state.reading[FORCE_Y]
        if force_y < data.ground[2] * (1.0 - _SLACK) or abs(force_x) > data.ground[0] * force_y * (1.0 + _SLACK):
            return False
    for j in range(model.torque.size):
        least, most = body.torque[j, 0, 0], body.torque[j, 0, 1]
        if not least * (1.0 + _SLACK) <= model.torque[j] <= most * (1.0 + _SLACK):
            return False
    return True


@kernel
def _fill_bounds(
    data: TrackingData,
    state: TrackingState,
    body: Body,
    footing: Footing,
    standing: Standing,
    n_contact: int,
    rows: int,
) -> None:
    """Fill ground force and torques, their bounds, and their derivatives with respect to `model.wanted`.

    These are the arrays `freedom`, `bound`, `bound_value`, `bound_low` and `bound_high` of the model. The arguments are
    those of `track`.
    """
    model = data.model
    n = model.v.size
    for i in range(rows):
        model.freedom[i, :] = 0.0
        model.freedom[i, n_contact + i] = 1.0
        solve_factored(model.system, model.pivots, model.freedom[i])
    friction, stands = data.ground[0], standing.one >= 0
    force_x, force_y = state.reading[FORCE_X], state.reading[FORCE_Y]
    model.bound_value[_PULL] = force_y
    model.bound_value[_SLIP] = force_x - friction * force_y
    model.bound_value[_SLIP + 1] = -force_x - friction * force_y
    model.bound_low[_PULL] = data.ground[2] if stands else -math.inf
    model.bound_low[_SLIP] = model.bound_low[_SLIP + 1] = -math.inf
    model.bound_high[_PULL] = math.inf
    model.bound_high[_SLIP] = model.bound_high[_SLIP + 1] = 0.0 if stands else math.inf
    for r in range(rows):
        along = out = 0.0
        for k in range(n):
            first = model.mass[0, k] * model.freedom[r, k]
            second = model.mass[1, k] * model.freedom[r, k]
            along += footing.along_x * first + footing.along_y * second
            out += footing.along_x * second - footing.along_y * first
        model.bound[_PULL, r] = out
        model.bound[_SLIP, r] = along - friction * out
        model.bound[_SLIP + 1, r] = -along - friction * out
    for j in range(model.torque.size):
        model.bound_value[_TORQUE + j] = model.torque[j]
        model.bound_low[_TORQUE + j], model.bound_high[_TORQUE + j] = body.torque[j, 0, 0], body.torque[j, 0, 1]
        c0, c1, c2 = _leverage(data, footing, standing, j)
        for r in range(rows):
            total = 0.0
            for k in range(n):
                moved = model.mass[3 + j, k] + c0 * model.mass[0, k] + c1 * model.mass[1, k] + c2 * model.mass[2, k]
                total += moved * model.freedom[r, k]
            model.bound[_TORQUE + j, r] = total


@separate_kernel
def _fill_forces(data: TrackingData, state: TrackingState, footing: Footing, standing: Standing) -> None:
    """Compute the joint torques and the ground force that the accelerations `model.acceleration` need.

    The torques are stored in `model.torque`, the ground force in `state.reading`.
    """
    model = data.model
    for i in range(model.v.size):
        total = model.bias[i]
        for k in range(model.v.size):
            total += model.mass[i, k] * model.acceleration[k]
        model.force[i] = total
    state.reading[FORCE_X] = footing.along_x * model.force[0] + footing.along_y * model.force[1]
    state.reading[FORCE_Y] = footing.along_x * model.force[1] - footing.along_y * model.force[0]
    for j in range(model.torque.size):
        c0, c1, c2 = _leverage(data, footing, standing, j)
        model.torque[j] = model.force[3 + j] + c0 * model.force[0] + c1 * model.force[1] + c2 * model.force[2]


@kernel
def _leverage(data: TrackingData, footing: Footing, standing: Standing, j: int) -> tuple[float, float, float]:
    """Return the derivatives of joint j's torque by x and y of the ground force, and by its moment about the root.

    Only ground force on the links beyond the joint, seen from the root, changes its torque. The second contact carries
    the share `footing.share` of the force, at its point in `footing`. The first contact carries the rest.
    """
    model = data.model
    c0 = c1 = c2 = 0.0
    ax, ay = model.kin.joint[j, 2], model.kin.joint[j, 3]
    other_x, other_y = footing.share * (footing.other_x - ax), footing.share * (footing.other_y - ay)
    if _is_beyond(data, j, standing.one):
        c0 = other_y - (model.kin.link[model.tree.root, 1] - ay)
        c1 = model.kin.link[model.tree.root, 0] - ax - other_x
        c2 = -1.0
    if _is_beyond(data, j, standing.other):
        c0 -= other_y
        c1 += other_x
    return c0, c1, c2


@kernel
def _is_beyond(data: TrackingData, j: int, link: int) -> bool:
    """Return whether joint j is between the root and the link with the index `link`; False if `link` is -1."""
    model = data.model
    if link < 0:
        return False
    k = model.tree.hung_by[link]
    while k >= 0:
        if k == j:
            return True
        k = model.tree.hung_by[model.body.parent[k]]
    return False
