"""Transition from one gait to the next: the numbers that shape the steps approach those of the file."""

from __future__ import annotations

import math

from ctrlgraph.control.gait.gait_arrays import (
    DURATION,
    HEIGHT,
    PERIOD,
    RHYTHM,
    START,
    STEP_HEIGHT,
    WIDTH,
    GaitData,
    GaitState,
)
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.pd import clipped

_APPROACHES = 0.3
"""Time constant with which period, height, height of the steps and width approach those of the file, s."""
_SHIFTS = 0.3
"""Maximum change of the start and the duration of a swing, as a fraction of the advance of the phase."""


@kernel
def take_shape(data: GaitData, state: GaitState) -> None:
    """Set the present shape of the steps to the shape in the file."""
    values = data.values
    state.shape[PERIOD], state.shape[HEIGHT] = values.period, values.height
    state.shape[STEP_HEIGHT], state.shape[WIDTH] = values.step_height, values.width
    for i in range(data.legs.n_joints.size):
        state.leg[i, START], state.leg[i, DURATION] = data.swing[i, 0], data.swing[i, 1]


@kernel
def approach_shape(data: GaitData, state: GaitState, dt: float) -> None:
    """Move the present shape of the steps towards the shape in the file.

    The times of a leg change more slowly than the phase, so that a swing that has ended does not begin again.

    Args:
        data: constants of the gait.
        state: state of the gait.
        dt: time since the last tick, s.
    """
    values, shape, share = data.values, state.shape, min(dt / _APPROACHES, 1.0)
    shape[PERIOD] += share * (values.period - shape[PERIOD])
    shape[HEIGHT] += share * (values.height - shape[HEIGHT])
    shape[STEP_HEIGHT] += share * (values.step_height - shape[STEP_HEIGHT])
    shape[WIDTH] += share * (values.width - shape[WIDTH])
    shape[RHYTHM] += share * (1.0 - shape[RHYTHM])
    if data.plan.used:  # the plan has the times
        return
    most = _SHIFTS * dt / shape[PERIOD]
    for i in range(data.legs.n_joints.size):
        start, duration, leg = data.swing[i, 0], data.swing[i, 1], state.leg
        if leg[i, DURATION] == 0.0 or duration == 0.0:  # no step is shorter than those of the two gaits
            leg[i, START], leg[i, DURATION] = start, duration
            continue
        off = start - leg[i, START]
        leg[i, START] += clipped(off - math.floor(off + 0.5), -most, most)
        leg[i, DURATION] += clipped(duration - leg[i, DURATION], -most, most)
