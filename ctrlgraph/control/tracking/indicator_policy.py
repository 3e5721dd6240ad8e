"""Policies on the reduced dynamics: the place of the ground force, as a function of the phase and its rate."""

from __future__ import annotations

from ctrlgraph.control.tracking.arrays import Policy, TrackingData
from ctrlgraph.control.tracking.splines import evaluate
from ctrlgraph.control.tracking.tracking_state import INTEGRAL, RATE, SHARE, THETA, TrackingState
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.pd import clipped
from ctrlgraph.kernels.planar.arrays import Floats

_INTEGRAL, _TABLE = int(Policy.INTEGRAL), int(Policy.TABLE)


@kernel
def foot_rotation_indicator(
    data: TrackingData,
    state: TrackingState,
    stage: int,
    least: float,
    most: float,
    seconds: float,
) -> float:
    """Return the foot rotation indicator within [least, most], m before the ankle along the sole.

    Args:
        data: of the controller.
        state: its state.
        stage: the stage.
        least: lower bound, m.
        most: upper bound, m.
        seconds: time since the last tick, 0 while the integral rests.
    """
    theta, rate, share = state.reading[THETA], state.reading[RATE], state.reading[SHARE]
    kind, numbers = data.policy[stage], data.policy_numbers[stage]
    if kind == _TABLE:
        return clipped(_interpolated(data, stage, theta, rate), least, most)
    at = numbers[0]
    if kind == _INTEGRAL:
        evaluate(data.rate[stage], 1, min(1.0, max(0.0, share)), data.model.spline)
        error = rate - data.model.spline[0]
        # no windup beyond the foot
        integral = state.memory[INTEGRAL] + numbers[1] * error * seconds
        state.memory[INTEGRAL] = clipped(integral, min(least - at, 0.0), max(most - at, 0.0))
        at += state.memory[INTEGRAL] + numbers[2] * error
    return clipped(at, least, most)


@kernel
def _interpolated(data: TrackingData, stage: int, theta: float, rate: float) -> float:
    """Return the bilinear interpolation of the table at (theta, rate), clamped to its range."""
    low, n_theta, n_rate = data.table_range[stage], data.table_size[stage, 0], data.table_size[stage, 1]
    table: Floats = data.table[stage]
    i = clipped((theta - low[0]) / (low[1] - low[0]), 0.0, 1.0) * (n_theta - 1)
    j = clipped((rate - low[2]) / (low[3] - low[2]), 0.0, 1.0) * (n_rate - 1)
    row, column = min(int(i), n_theta - 2), min(int(j), n_rate - 2)
    u, v = i - row, j - column
    first = (1.0 - v) * table[row, column] + v * table[row, column + 1]
    second = (1.0 - v) * table[row + 1, column] + v * table[row + 1, column + 1]
    return (1.0 - u) * first + u * second
