"""The phase variable theta, a quantity of the state that increases during the motion, and its derivatives."""

from __future__ import annotations

import math

from ctrlgraph.control.tracking.arrays import FLAT, TrackingData
from ctrlgraph.control.tracking.tracking_state import STOOD, TrackingState
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.planar.arrays import Kinematics
from ctrlgraph.kernels.planar.dynamics import com_bias, com_jacobian, point_bias, point_jacobian


@kernel
def turned(kin: Kinematics, link: int, x: float, y: float) -> tuple[float, float]:
    """Return x and y in the world of a vector that is given in the frame of a link.

    Args:
        kin: kinematics of the body.
        link: index of the link.
        x: x of the vector in the link's frame, m.
        y: y of the vector in the link's frame, m.
    """
    cosine, sine = kin.turn[link, 0], kin.turn[link, 1]
    return x * cosine + y * sine, y * cosine - x * sine


@kernel
def place_of(kin: Kinematics, link: int, x: float, y: float) -> tuple[float, float]:
    """Return the world position (x, y), m, of a point that is given in the frame of a link.

    Args:
        kin: kinematics of the body.
        link: index of the link.
        x: x of the point in the link's frame, m.
        y: y of the point in the link's frame, m.
    """
    dx, dy = turned(kin, link, x, y)
    return kin.link[link, 0] + dx, kin.link[link, 1] + dy


@kernel
def speed_of(kin: Kinematics, link: int, x: float, y: float) -> tuple[float, float]:
    """Return the velocity (vx, vy) in the world, m/s, of a point that moves with a link.

    Args:
        kin: kinematics of the body.
        link: index of the link.
        x: x of the point in the world, m.
        y: y of the point in the world, m.
    """
    spin = kin.link[link, 5]
    return (kin.link[link, 3] + spin * (y - kin.link[link, 1]), kin.link[link, 4] - spin * (x - kin.link[link, 0]))


@separate_kernel
def phase_of_motion(data: TrackingData, kin: Kinematics, side: int) -> tuple[float, float]:
    """Return theta (rad or m) and its rate (1/s) from the pose and velocities alone, independent of earlier ticks.

    The controller's file selects one of two definitions of theta. With `phase: {angle: ...}`, theta is the clockwise
    angle of a line between two points from the vertical, rad. With `phase: {ahead: ...}`, theta is the distance of the
    centre of mass ahead of the middle of the soles, m.

    Args:
        data: arrays of the controller.
        kin: kinematics of the body.
        side: active side: 0 for the motion of the file, 1 for the motion with right and left exchanged.
    """
    link, point = data.phase_link[side], data.phase_point[side]
    x0, y0 = place_of(kin, link[0], point[0, 0], point[0, 1])
    vx0, vy0 = speed_of(kin, link[0], x0, y0)
    if data.links[0] == 0:
        x1, y1 = place_of(kin, link[1], point[1, 0], point[1, 1])
        vx1, _ = speed_of(kin, link[1], x1, y1)
        return kin.com[0] - 0.5 * (x0 + x1), kin.com[2] - 0.5 * (vx0 + vx1)
    x2, y2 = place_of(kin, link[2], point[2, 0], point[2, 1])
    vx2, vy2 = speed_of(kin, link[2], x2, y2)
    dx, dy = x2 - x0, y2 - y0
    return math.atan2(dx, dy), (dy * (vx2 - vx0) - dx * (vy2 - vy0)) / (dx * dx + dy * dy)


@kernel
def phase_in_stage(
    data: TrackingData, kin: Kinematics, state: TrackingState, stage: int, side: int
) -> tuple[float, float]:
    """Return theta (rad or m) and its rate (1/s) as the control law of a stage uses them.

    If theta is a distance, the result differs from that of `phase_of_motion`: the rate is the velocity of the centre of
    mass, and while the stage's first contact is not a flat foot, theta is measured from where the feet last stood flat.

    Args:
        data: arrays of the controller.
        kin: kinematics of the body.
        state: state of the controller; `memory[STOOD]`, where the feet last stood flat, is updated.
        stage: index of the active stage.
        side: active side: 0 for the motion of the file, 1 for the motion with right and left exchanged.
    """
    if data.links[0] == 0 and (data.counts[stage, 1] == 0 or data.contact_kind[stage, 0] != FLAT):
        # heels rise and feet swing ahead: measured from where the feet last stood, theta still increases
        return kin.com[0] - state.memory[STOOD], kin.com[2]
    theta, rate = phase_of_motion(data, kin, side)
    if data.links[0] == 0:
        state.memory[STOOD] = kin.com[0] - theta
        return theta, kin.com[2]
    return theta, rate


@separate_kernel
def phase_row(data: TrackingData, side: int, row: Floats) -> float:
    """Express theta'' as `row` @ accelerations + constant: fill `row`, and return the constant, rad/s^2 or m/s^2.

    Args:
        data: arrays of the controller; the state is that of its model.
        side: active side: 0 for the motion of the file, 1 for the motion with right and left exchanged.
        row: (N,) result: derivatives of theta'' with respect to the accelerations, which are those of theta' with
            respect to the velocities.
    """
    model, link, point = data.model, data.phase_link[side], data.phase_point[side]
    body, tree, kin, space = model.body, model.tree, model.kin, model.space
    if data.links[0] == 0:
        com_jacobian(body, tree, kin, space, model.point)
        com_bias(body, tree, kin, space, model.point_bias)
        for n in range(row.size):
            row[n] = model.point[0, n]
        return float(model.point_bias[0])
    x0, y0 = place_of(kin, link[0], point[0, 0], point[0, 1])
    point_jacobian(body, tree, kin, link[0], x0, y0, space, model.point)
    point_bias(body, tree, kin, link[0], x0, y0, space, model.point_bias)
    bias_x, bias_y = model.point_bias[0], model.point_bias[1]
    vx0, vy0 = speed_of(kin, link[0], x0, y0)
    x2, y2 = place_of(kin, link[2], point[2, 0], point[2, 1])
    vx2, vy2 = speed_of(kin, link[2], x2, y2)
    point_jacobian(body, tree, kin, link[2], x2, y2, space, model.other_point)
    point_bias(body, tree, kin, link[2], x2, y2, space, model.point_bias)
    dx, dy = x2 - x0, y2 - y0
    square = dx * dx + dy * dy
    across_x, across_y = dy / square, -dx / square
    for n in range(row.size):
        row[n] = across_x * (model.other_point[0, n] - model.point[0, n])
        row[n] += across_y * (model.other_point[1, n] - model.point[1, n])
    rate = across_x * (vx2 - vx0) + across_y * (vy2 - vy0)
    stretching = (dx * (vx2 - vx0) + dy * (vy2 - vy0)) / square
    bias = across_x * (model.point_bias[0] - bias_x) + across_y * (model.point_bias[1] - bias_y)
    return bias - 2.0 * stretching * rate
