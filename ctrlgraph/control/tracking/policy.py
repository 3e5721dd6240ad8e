"""Policies on the reduced dynamics: where the ground's force is to act, of the phase and its rate."""

from __future__ import annotations

from ctrlgraph.control.tracking.arrays import Policy, TrackingData
from ctrlgraph.control.tracking.splines import evaluate
from ctrlgraph.control.tracking.state import INTEGRAL, RATE, SHARE, THETA, TrackingState
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.pd import clipped

_CONSTANT, _INTEGRAL, _TABLE = int(Policy.CONSTANT), int(Policy.INTEGRAL), int(Policy.TABLE)


@kernel
def foot_rotation_indicator(
    data: TrackingData,
    state: TrackingState,
    stage: int,
    least: float,
    most: float,
    seconds: float,
) -> float:
    """Return the point, m before the ankle along the sole, within [least, most].

    Args:
        seconds: since the last tick; 0 where the integral rests.
    """
    theta, rate, share = state.reading[THETA], state.reading[RATE], state.reading[SHARE]
    kind, numbers = data.policy[stage], data.policy_numbers[stage]
    if kind == _TABLE:
        return clipped(_looked_up(data, stage, theta, rate), least, most)
    at = numbers[0]
    if kind == _INTEGRAL:
        evaluate(data.rate[stage], 1, min(1.0, max(0.0, share)), data.model.spline)
        error = rate - data.model.spline[0]
        # what is beyond the foot would only have to be taken back
        integral = state.memory[INTEGRAL] + numbers[1] * error * seconds
        state.memory[INTEGRAL] = clipped(integral, min(least - at, 0.0), max(most - at, 0.0))
        at += state.memory[INTEGRAL] + numbers[2] * error
    return clipped(at, least, most)


@kernel
def _looked_up(data: TrackingData, stage: int, theta: float, rate: float) -> float:
    """The value of the table at (theta, rate), between its four nearest points; at its rim beyond it."""
    low, n_theta, n_rate = data.table_range[stage], data.table_size[stage, 0], data.table_size[stage, 1]
    table: Floats = data.table[stage]
    i = clipped((theta - low[0]) / (low[1] - low[0]), 0.0, 1.0) * (n_theta - 1)
    j = clipped((rate - low[2]) / (low[3] - low[2]), 0.0, 1.0) * (n_rate - 1)
    row, column = min(int(i), n_theta - 2), min(int(j), n_rate - 2)
    u, v = i - row, j - column
    first = (1.0 - v) * table[row, column] + v * table[row, column + 1]
    second = (1.0 - v) * table[row + 1, column] + v * table[row + 1, column + 1]
    return (1.0 - u) * first + u * second
