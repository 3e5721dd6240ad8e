"""From rows to torques: the accelerations that meet them, within friction, contact and torque limits."""

from __future__ import annotations

from typing import NamedTuple

from ctrlgraph.control.tracking.arrays import TrackingData
from ctrlgraph.control.tracking.constraints import Footing, force_row
from ctrlgraph.control.tracking.state import BOUNDS, FORCE_X, FORCE_Y, SATURATED, TrackingState
from ctrlgraph.kernels.arrays import Body
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.linear_algebra import equality_least_squares, solve

_ATTEMPTS = 6
# Relative: what is at its limit is not beyond it.
_SLACK = 1e-6


class Standing(NamedTuple):
    """The links on the ground in this tick, the second one -1 where there is none, both -1 in flight."""

    one: int
    other: int


@separate_kernel
def track(
    data: TrackingData, state: TrackingState, body: Body, footing: Footing, standing: Standing, held: int, rows: int
) -> bool:
    """Find the accelerations, and fill `model.torque` with what they take; False where the rows contradict each other.

    First all rows are met exactly. Where the ground would have to pull or hold by more than friction, or a joint would
    have to give more than it can, that is held at its limit, and those accelerations are taken that meet the
    rows best (the source's equation 13; it holds both parts of a force that left the friction cone where they were
    projected to, here the force stays on the cone's edge).

    Args:
        body: whose torque limits count.
        held: how many rows have to hold; rows: how many are tracked.
    """
    model, count = data.model, held
    if not _meet_all(data, held, rows):
        return False
    model.fixed[:] = 0
    pulled = slid = 0
    for _ in range(_ATTEMPTS):
        _take_forces(data, state, footing, standing)
        before = count
        if standing.one >= 0:
            if pulled == 0 and state.reading[FORCE_Y] < data.ground[2] * (1.0 - _SLACK):
                pulled = 1
                count = _hold_force(data, -footing.along_y, footing.along_x, data.ground[2], count)
            most = data.ground[0] * max(state.reading[FORCE_Y], data.ground[2])
            if slid == 0 and abs(state.reading[FORCE_X]) > most * (1.0 + _SLACK) + _SLACK:
                slid = 1
                edge = data.ground[0] if state.reading[FORCE_X] > 0.0 else -data.ground[0]
                x, y = footing.along_x + edge * footing.along_y, footing.along_y - edge * footing.along_x
                count = _hold_force(data, x, y, 0.0, count)
        for j in range(model.fixed.size):
            if model.fixed[j] == 0 and count < model.v.size:
                count = _hold_torque(data, body, footing, standing, j, count)
        if count == before or not _meet_best(data, count, rows):
            break
    _take_forces(data, state, footing, standing)
    state.reading[BOUNDS] = pulled + slid
    state.reading[SATURATED] = 0.0
    for j in range(model.fixed.size):
        state.reading[SATURATED] += abs(model.fixed[j])
    return True


@separate_kernel
def _meet_all(data: TrackingData, held: int, rows: int) -> bool:
    """Solve for the accelerations that meet all rows; False where there are none."""
    model = data.model
    n = model.v.size
    for k in range(n):
        for i in range(held):
            model.system[i, k] = model.contact[i, k]
        for i in range(rows):
            model.system[held + i, k] = model.rows[i, k]
    for i in range(held):
        model.right[i] = model.contact_value[i]
    for i in range(rows):
        model.right[held + i] = model.wanted[i]
    if not solve(model.system, model.pivots, model.right):
        return False
    for k in range(n):
        model.acceleration[k] = model.right[k]
    return True


@separate_kernel
def _meet_best(data: TrackingData, held: int, rows: int) -> bool:
    """Solve for the accelerations that meet what is held, and what is tracked as well as that leaves; False and as they
    were where what is held contradicts itself."""
    model = data.model
    n = model.v.size
    for i in range(held):
        model.values[i] = model.contact_value[i]
        for k in range(n):
            model.equalities[i, k] = model.contact[i, k]
    for i in range(rows):
        model.goals[i] = model.wanted[i]
        for k in range(n):
            model.targets[i, k] = model.rows[i, k]
    if not equality_least_squares(
        model.targets[:rows],
        model.goals[:rows],
        model.equalities[:held],
        model.values[:held],
        model.right,
        model.scales,
    ):
        return False
    for k in range(n):
        model.acceleration[k] = model.right[k]
    return True


@separate_kernel
def _take_forces(data: TrackingData, state: TrackingState, footing: Footing, standing: Standing) -> None:
    """Fill M a + h and the joints' torques, and note the ground's force."""
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
    """Return how a joint's torque depends on the ground's whole force and its moment about the root.

    A joint moves what is beyond it, less what the ground does there: the force on the second contact acts at its
    point, the rest of force and moment on the first.
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
    """Tell whether a link is beyond a joint, seen from the root."""
    model = data.model
    if link < 0:
        return False
    k = model.tree.hung_by[link]
    while k >= 0:
        if k == j:
            return True
        k = model.tree.hung_by[model.body.parent[k]]
    return False


@kernel
def _hold_force(data: TrackingData, x: float, y: float, value: float, count: int) -> int:
    """Hold the ground's force in a direction at a value, N; returns the rows that are held then."""
    model = data.model
    if count >= model.v.size:
        return count
    model.contact_value[count] = value - force_row(data, x, y, model.contact[count])
    return count + 1


@kernel
def _hold_torque(data: TrackingData, body: Body, footing: Footing, standing: Standing, j: int, count: int) -> int:
    """Hold a joint's torque at the limit that it is beyond; returns the rows that are held then."""
    model = data.model
    least, most = body.torque[j, 0, 0], body.torque[j, 0, 1]
    torque = model.torque[j]
    if least * (1.0 + _SLACK) <= torque <= most * (1.0 + _SLACK):
        return count
    model.fixed[j] = 1 if torque > most else -1
    c0, c1, c2 = _leverage(data, footing, standing, j)
    for k in range(model.v.size):
        total = model.mass[3 + j, k] + c0 * model.mass[0, k] + c1 * model.mass[1, k] + c2 * model.mass[2, k]
        model.contact[count, k] = total
    there = model.bias[3 + j] + c0 * model.bias[0] + c1 * model.bias[1] + c2 * model.bias[2]
    model.contact_value[count] = (most if torque > most else least) - there
    return count + 1
