"""Linear equations ("rows") for the accelerations a in a control tick of a tracking controller.

Exact rows are always met. They keep the contacts at rest and determine the point at which the ground force acts.
Tracked rows correct the errors of the tracked quantities, such as joint angles. The first three components of M a + h
(those of the root link) are the total ground force and its moment about the root. Therefore forces are not additional
unknowns, and the point of the ground force is an equation for a as well.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ctrlgraph.control.tracking.arrays import FLAT, HEEL, TOE, Policy, Row, TrackingData
from ctrlgraph.control.tracking.phase import phase_in_stage, phase_row, place_of, turned
from ctrlgraph.control.tracking.splines import evaluate
from ctrlgraph.control.tracking.tracking_state import (
    FRI,
    INTEGRAL,
    LANDED,
    RATE,
    SHARE,
    SLOPE,
    THETA,
    TICKED,
    TrackingState,
)
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.constants import GRAVITY
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.pd import clipped
from ctrlgraph.kernels.planar.arrays import Kinematics
from ctrlgraph.kernels.planar.dynamics import (
    bias_forces,
    coordinates,
    impact,
    link_angle_jacobian,
    mass_matrix,
    place,
    point_bias,
    point_jacobian,
)
from ctrlgraph.kernels.planar.kinematics import wrapped

ROWS_OF_FLAT = 3
"""Number of equations for a flat foot: two for a point and one for the angle. Other contacts have two, for a point."""

MOST_ON_OTHER = 0.9
"""Maximum share of the ground force on the second contact. A first contact without load would leave the ground."""

_INTEGRAL, _TABLE = int(Policy.INTEGRAL), int(Policy.TABLE)
_JOINT, _LINK, _FORCE_X = int(Row.JOINT), int(Row.LINK), int(Row.FORCE_X)


class Footing(NamedTuple):
    """Points of the world at which the ground force acts in a control tick.

    In flight `along_x` is 1 and all other fields are 0.
    """

    along_x: float
    """x of the unit vector along the ground."""
    along_y: float
    """y of the unit vector along the ground."""
    x: float
    """x of the centre of pressure of all contacts, m."""
    y: float
    """y of the centre of pressure of all contacts, m."""
    other_x: float
    """x of the point of the force on the second contact, m; 0 without a second contact."""
    other_y: float
    """y of the point of the force on the second contact, m; 0 without a second contact."""
    share: float
    """Share of the ground force that acts on the second contact, from 0 to 1."""


@kernel
def contact_place(data: TrackingData, kin: Kinematics, link: int, kind: int) -> tuple[float, float]:
    """Return the world position (x, y), m, of the point of a link that is at rest during a contact.

    Args:
        data: arrays of the controller.
        kin: kinematics of the body.
        link: index of the link in contact.
        kind: kind of the contact. For TOE and HEEL the point is the toe or heel, for FLAT and POINT the middle of the
            sole.
    """
    heel, toe = data.sole[link, 0], data.sole[link, 1]
    if kind == TOE:
        return place_of(kin, link, toe[0], toe[1])
    if kind == HEEL:
        return place_of(kin, link, heel[0], heel[1])
    return place_of(kin, link, 0.5 * (heel[0] + toe[0]), 0.5 * (heel[1] + toe[1]))


@separate_kernel
def fill_state(data: TrackingData, kin: Kinematics, state: TrackingState, stage: int, side: int, time: float) -> int:
    """Fill `data.model`: coordinates, velocities, mass matrix, bias forces, and equations of the contacts at rest.

    Just after a landing, some measured velocities are still those from before the landing, or those of a bouncing
    foot. Damping them would saturate the torques. So the model then uses the velocities that the impact map predicts.

    Args:
        data: arrays of the controller.
        kin: measured kinematics of the body.
        state: state of the controller, with the time of the last landing.
        stage: index of the active stage.
        side: active side: 0 for the motion of the file, 1 for the motion with right and left exchanged.
        time: simulated time, s.

    Returns:
        Number of equations of the contacts (contact rows).
    """
    model = data.model
    coordinates(model.tree, kin, model.q, model.v)
    place(model.body, model.tree, model.q, model.v, model.kin)
    mass_matrix(model.body, model.tree, model.kin, model.space, model.mass)
    count = contact_rows(data, stage, side)
    # in the impact only the landed foot is held, because the other one can leave the ground
    first = ROWS_OF_FLAT if data.contact_kind[stage, 0] == FLAT else ROWS_OF_FLAT - 1
    if data.swaps == 0:  # both feet land together
        first = count
    landing = count > 0 and time - state.times[LANDED] < data.switch[2]
    if landing and impact(model.mass, model.contact[:first], model.v, model.space, model.right, model.impulse):
        for n in range(model.v.size):
            model.v[n] = model.right[n]
        place(model.body, model.tree, model.q, model.v, model.kin)
    bias_forces(model.body, model.tree, model.kin, GRAVITY, model.space, model.bias)
    _contact_values(data, stage, side)
    return count


@kernel
def contact_rows(data: TrackingData, stage: int, side: int) -> int:
    """Fill `model.contact` with the Jacobians of contact points and angles of flat feet; return the number of rows.

    Args:
        data: arrays of the controller.
        stage: index of the stage.
        side: 0 for the motion of the file, 1 for the motion with right and left exchanged.
    """
    model, count = data.model, 0
    for k in range(data.counts[stage, 1]):
        link, kind = data.contact_link[side, stage, k], data.contact_kind[stage, k]
        x, y = contact_place(data, model.kin, link, kind)
        point_jacobian(model.body, model.tree, model.kin, link, x, y, model.space, model.contact[count : count + 2])
        count += 2
        if kind == FLAT:
            link_angle_jacobian(model.body, model.tree, model.kin, link, model.space, model.contact[count])
            count += 1
    return count


@kernel
def _contact_values(data: TrackingData, stage: int, side: int) -> None:
    """Fill `model.contact_value`: the value of `model.contact` @ a with which the contacts stay at rest."""
    model, count = data.model, 0
    for k in range(data.counts[stage, 1]):
        link, kind = data.contact_link[side, stage, k], data.contact_kind[stage, k]
        x, y = contact_place(data, model.kin, link, kind)
        point_bias(model.body, model.tree, model.kin, link, x, y, model.space, model.point_bias)
        model.contact_value[count] = -model.point_bias[0]
        model.contact_value[count + 1] = -model.point_bias[1]
        count += 2
        if kind == FLAT:
            model.contact_value[count] = 0.0
            count += 1


@separate_kernel
def find_footing(data: TrackingData, state: TrackingState, stage: int, side: int, time: float) -> Footing:
    """Return the points at which the ground force acts.

    If the only contact is a point, toe or heel, the force acts there. Otherwise the stage's policy (rule for the point
    of the ground force) chooses a point within the sole or between both feet.

    Args:
        data: arrays of the controller, with the model filled by `fill_state`.
        state: state of the controller. The foot rotation indicator and the policy's integral are updated.
        stage: index of the active stage.
        side: active side: 0 for the motion of the file, 1 for the motion with right and left exchanged.
        time: simulated time, s.
    """
    model, contacts = data.model, data.counts[stage, 1]
    kin = model.kin
    if contacts == 0:
        return Footing(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    link, kind = data.contact_link[side, stage, 0], data.contact_kind[stage, 0]
    x, y = contact_place(data, kin, link, kind)
    slope = state.memory[SLOPE]
    along_x, along_y = math.cos(slope), math.sin(slope)
    if kind == FLAT:
        along_x, along_y = turned(kin, link, 1.0, 0.0)
    elif contacts == 1:
        return Footing(along_x, along_y, x, y, 0.0, 0.0, 0.0)
    least = most = best = 0.0
    if kind == FLAT:  # measured from below the ankle
        joint = model.tree.hung_by[link]
        heel_x, heel_y = place_of(kin, link, data.sole[link, 0, 0], data.sole[link, 0, 1])
        toe_x, toe_y = place_of(kin, link, data.sole[link, 1, 0], data.sole[link, 1, 1])
        before = (kin.joint[joint, 2] - heel_x) * along_x + (kin.joint[joint, 3] - heel_y) * along_y
        x, y = heel_x + before * along_x, heel_y + before * along_y
        length = (toe_x - heel_x) * along_x + (toe_y - heel_y) * along_y
        least, most = data.ground[1] - before, length - data.ground[1] - before
        best = 0.5 * (least + most)
    other_x = other_y = other = half = 0.0
    together = False
    if contacts > 1:
        second, kind = data.contact_link[side, stage, 1], data.contact_kind[stage, 1]
        other_x, other_y = contact_place(data, kin, second, kind)
        other = (other_x - x) * along_x + (other_y - y) * along_y
        together = kind == data.contact_kind[stage, 0] and abs(other - best) < data.switch[1]
        if not together:
            if kind == FLAT:
                half = max(0.0, 0.5 * (data.sole[second, 1, 0] - data.sole[second, 0, 0]) - data.ground[1])
            farthest = other + math.copysign(half, other - best)
            farthest = best + MOST_ON_OTHER * (farthest - best)
            least, most = min(least, farthest), max(most, farthest)
    # the integral is constant just after an impact
    seconds = 0.0 if time - state.times[LANDED] < data.switch[2] else time - state.times[TICKED]
    at = foot_rotation_indicator(data, state, stage, least, most, seconds)
    state.reading[FRI] = at
    on_other = 0.0
    if together:  # each of two feet side by side carries half of the force, at the same place of its sole
        other_x, other_y = other_x + (at - best) * along_x, other_y + (at - best) * along_y
        x, y = x + at * along_x, y + at * along_y
        return Footing(along_x, along_y, 0.5 * (x + other_x), 0.5 * (y + other_y), other_x, other_y, 0.5)
    if contacts > 1 and other != best:  # keep the force near the middle of each foot if possible
        on_other = min(MOST_ON_OTHER, max(0.0, (at - best) / (other - best)))
        if on_other == MOST_ON_OTHER:
            further = min(half, max(-half, best + (at - best) / on_other - other))
            other_x, other_y = other_x + further * along_x, other_y + further * along_y
    return Footing(along_x, along_y, x + at * along_x, y + at * along_y, other_x, other_y, on_other)


@kernel
def foot_rotation_indicator(
    data: TrackingData, state: TrackingState, stage: int, least: float, most: float, seconds: float
) -> float:
    """Return the foot rotation indicator: the point of the ground force that the stage's policy chooses.

    Args:
        data: arrays of the controller.
        state: state of the controller, with theta and its rate. The integral of an integral policy is updated.
        stage: index of the active stage.
        least: lower bound of the result, m ahead of the ankle.
        most: upper bound of the result, m ahead of the ankle.
        seconds: time since the last update of the integral, s; 0 keeps the integral constant.

    Returns:
        Distance of the point ahead of the ankle along the sole, m.
    """
    theta, rate, share = state.reading[THETA], state.reading[RATE], state.reading[SHARE]
    kind, numbers = data.policy[stage], data.policy_numbers[stage]
    if kind == _TABLE:
        return clipped(_interpolated(data, stage, theta, rate), least, most)
    at = numbers[0]
    if kind == _INTEGRAL:
        evaluate(data.rate[stage], 1, min(1.0, max(0.0, share)), data.model.spline)
        error = rate - data.model.spline[0]
        # bounded to the foot, against windup
        integral = state.memory[INTEGRAL] + numbers[1] * error * seconds
        state.memory[INTEGRAL] = clipped(integral, min(least - at, 0.0), max(most - at, 0.0))
        at += state.memory[INTEGRAL] + numbers[2] * error
    return clipped(at, least, most)


@kernel
def _interpolated(data: TrackingData, stage: int, theta: float, rate: float) -> float:
    """Return the point of the ground force from the stage's table, m ahead of the ankle, by bilinear interpolation.

    Theta (rad or m) and its rate are clamped to the range of the table.
    """
    low, n_theta, n_rate = data.table_range[stage], data.table_size[stage, 0], data.table_size[stage, 1]
    table: Floats = data.table[stage]
    i = clipped((theta - low[0]) / (low[1] - low[0]), 0.0, 1.0) * (n_theta - 1)
    j = clipped((rate - low[2]) / (low[3] - low[2]), 0.0, 1.0) * (n_rate - 1)
    row, column = min(int(i), n_theta - 2), min(int(j), n_rate - 2)
    u, v = i - row, j - column
    first = (1.0 - v) * table[row, column] + v * table[row, column + 1]
    second = (1.0 - v) * table[row + 1, column] + v * table[row + 1, column + 1]
    return (1.0 - u) * first + u * second


@kernel
def moment_row(data: TrackingData, x: float, y: float, row: Floats) -> float:
    """Fill an equation for a: the moment of the ground force about a point is zero. Return its right side, N m.

    Args:
        data: arrays of the controller.
        x: x of the point in the world, m.
        y: y of the point in the world, m.
        row: (N,) result: derivatives of the moment with respect to a.
    """
    model = data.model
    rx = model.kin.link[model.tree.root, 0] - x
    ry = model.kin.link[model.tree.root, 1] - y
    for n in range(row.size):
        row[n] = model.mass[2, n] + ry * model.mass[0, n] - rx * model.mass[1, n]
    return -(model.bias[2] + ry * model.bias[0] - rx * model.bias[1])


@kernel
def force_row(data: TrackingData, x: float, y: float, row: Floats) -> float:
    """Express the component of the ground force in a direction as `row` @ a + constant; return the constant, N.

    Args:
        data: arrays of the controller.
        x: x of the direction, a unit vector in the world.
        y: y of the direction.
        row: (N,) result: derivatives of the component with respect to the accelerations a.
    """
    model = data.model
    for n in range(row.size):
        row[n] = x * model.mass[0, n] + y * model.mass[1, n]
    return x * model.bias[0] + y * model.bias[1]


@kernel
def add_force_rows(data: TrackingData, stage: int, footing: Footing, count: int) -> int:
    """Add equations to `model.contact`: the ground force acts at its point in `footing`, or is zero in flight.

    Args:
        data: arrays of the controller.
        stage: index of the active stage.
        footing: points at which the ground force acts.
        count: number of equations of the contacts, which `model.contact` already has.

    Returns:
        Number of equations that `model.contact` has now (exact rows).
    """
    model = data.model
    if data.counts[stage, 1] > 0:
        model.contact_value[count] = moment_row(data, footing.x, footing.y, model.contact[count])
        return count + 1
    for i in range(3):
        for n in range(model.v.size):
            model.contact[count + i, n] = model.mass[i, n]
        model.contact_value[count + i] = -model.bias[i]
    return count + 3


@separate_kernel
def fill_rows(data: TrackingData, state: TrackingState, stage: int, side: int, footing: Footing) -> int:
    """Fill the equations of the tracked quantities, `model.rows` @ a = `model.wanted`; return their number.

    The equation of a joint or link requires y'' = -(k_s / eps^2) y - (k_d / eps) y' with the tracking error
    y = q - c(theta). This is q'' - c' theta'' = c'' theta'^2 + y'', and theta'' is linear in a. The equation of a force
    requires the value of its spline; it is divided by the mass of the body.

    Args:
        data: arrays of the controller, with the model filled by `fill_state`.
        state: state of the controller, with theta and its rate.
        stage: index of the active stage.
        side: active side: 0 for the motion of the file, 1 for the motion with right and left exchanged.
        footing: points at which the ground force acts; only its direction along the ground is used.
    """
    model, count = data.model, data.counts[stage, 0]
    theta_bias = phase_row(data, side, model.theta_row)
    rate, share = state.reading[RATE], state.reading[SHARE]
    width = data.theta[stage, 1] - data.theta[stage, 0]
    for r in range(count):
        kind, index = data.row_kind[stage, r], data.row_index[side, stage, r]
        evaluate(data.pieces[stage, r], data.piece_count[stage, r], share, model.spline)
        value, slope, curvature = model.spline[0], model.spline[1] / width, model.spline[2] / (width * width)
        row = model.rows[r]
        if kind > _LINK:
            across = kind != _FORCE_X
            x, y = (-footing.along_y, footing.along_x) if across else (footing.along_x, footing.along_y)
            there = force_row(data, x, y, row)
            for n in range(row.size):  # in the units of accelerations
                row[n] /= model.body.total_mass
            model.wanted[r] = (value - there) / model.body.total_mass
            continue
        if kind == _JOINT:
            row[:] = 0.0
            row[3 + index] = 1.0
            angle, speed = model.q[3 + index], model.v[3 + index]
        else:
            link_angle_jacobian(model.body, model.tree, model.kin, index, model.space, row)
            angle, speed = wrapped(model.kin.link[index, 2] + state.memory[SLOPE]), model.kin.link[index, 5]
        for n in range(row.size):
            row[n] -= slope * model.theta_row[n]
        error, drift = angle - value, speed - slope * rate
        bias = slope * theta_bias + curvature * rate * rate
        model.wanted[r] = bias - data.gains[0] * error - data.gains[1] * drift
    return count


@kernel
def record_phase(data: TrackingData, state: TrackingState, stage: int, side: int) -> None:
    """Store theta, its rate, and the position of theta in the stage's range (0 at the start, 1 at the end) in `state`.

    Args:
        data: arrays of the controller.
        state: state of the controller, whose `reading` receives the three numbers.
        stage: index of the active stage.
        side: active side: 0 for the motion of the file, 1 for the motion with right and left exchanged.
    """
    theta, rate = phase_in_stage(data, data.model.kin, state, stage, side)
    low = data.theta[stage, 0] + data.ground[3] * state.memory[SLOPE]
    state.reading[THETA], state.reading[RATE] = theta, rate
    state.reading[SHARE] = (theta - low) / (data.theta[stage, 1] - data.theta[stage, 0])
