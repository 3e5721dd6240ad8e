"""The phase variable: one number of the state that rises while the motion goes on, and how it moves."""

from __future__ import annotations

import math

from ctrlgraph.control.tracking.arrays import FLAT, TrackingData
from ctrlgraph.control.tracking.state import STOOD, TrackingState
from ctrlgraph.kernels.arrays import Floats, Kinematics
from ctrlgraph.kernels.dynamics import com_bias, com_jacobian, point_bias, point_jacobian
from ctrlgraph.kernels.jit import kernel, separate_kernel

_FLAT = int(FLAT)


@kernel
def turned(kin: Kinematics, link: int, x: float, y: float) -> tuple[float, float]:
    """Return what is (x, y) in the frame of a link, along the axes of the world."""
    cosine, sine = kin.turn[link, 0], kin.turn[link, 1]
    return x * cosine + y * sine, y * cosine - x * sine


@kernel
def place_of(kin: Kinematics, link: int, x: float, y: float) -> tuple[float, float]:
    """Return where the point (x, y) of a link's frame is in the world."""
    dx, dy = turned(kin, link, x, y)
    return kin.link[link, 0] + dx, kin.link[link, 1] + dy


@kernel
def speed_of(kin: Kinematics, link: int, x: float, y: float) -> tuple[float, float]:
    """Return the velocity of a link's point that is now at (x, y) of the world."""
    spin = kin.link[link, 5]
    return (
        kin.link[link, 3] + spin * (y - kin.link[link, 1]),
        kin.link[link, 4] - spin * (x - kin.link[link, 0]),
    )


@separate_kernel
def phase_of_motion(data: TrackingData, kin: Kinematics, side: int) -> tuple[float, float]:
    """Return theta and its rate: the angle of a line from the vertical, clockwise, or how far the body is ahead."""
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
def has_left_ground(data: TrackingData, stage: int) -> bool:
    """Tell whether theta is how far the body is ahead, and no foot is flat on the ground: heels rise and feet swing
    ahead then, and theta goes on from where they last stood, so that it rises."""
    return bool(data.links[0] == 0 and (data.counts[stage, 1] == 0 or data.contact_kind[stage, 0] != _FLAT))


@kernel
def phase_in_stage(
    data: TrackingData, kin: Kinematics, state: TrackingState, stage: int, side: int
) -> tuple[float, float]:
    """Return theta and its rate as a stage measures it; while feet stand flat, note where."""
    if has_left_ground(data, stage):
        return kin.com[0] - state.memory[STOOD], kin.com[2]
    theta, rate = phase_of_motion(data, kin, side)
    if data.links[0] == 0:
        state.memory[STOOD] = kin.com[0] - theta
        return theta, kin.com[2]
    return theta, rate


@separate_kernel
def phase_row(data: TrackingData, stage: int, side: int, row: Floats) -> float:
    """Fill `row` (N,) with how theta moves with the velocities; returns its acceleration while these stay."""
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
