"""Changes of the shape of the steps: gradual ones to that of the file, and a shorter period after a push."""

from __future__ import annotations

import math

from ctrlgraph.control.gait.gait_arrays import (
    COMMAND,
    DESIRED,
    DURATION,
    HEADING,
    HEIGHT,
    PERIOD,
    RHYTHM,
    START,
    STEP_HEIGHT,
    WIDTH,
    GaitData,
    GaitState,
)
from ctrlgraph.control.gait.gait_swing import desired_velocity
from ctrlgraph.kernels.constants import GRAVITY
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.pd import clipped
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics

_APPROACHES = 0.3
"""Time constant with which period, height, height of the steps and width approach those of the file, s."""
_SHIFTS = 0.3
"""Maximum change of the start and the duration of a swing, as a fraction of the advance of the phase."""
_TURNING = 0.34
"""Deviation of the velocity per deviation from the desired rate of turning, in units of the height."""
_DEADBAND = 0.145
"""Deviation of the velocity up to which the period stays, in units of sqrt(height * gravity)."""
_RANGE = 0.19
"""Further deviation at which the period is shortest, in the same units."""


@kernel
def take_shape(data: GaitData, state: GaitState) -> None:
    """Set the present shape of the steps to the shape in the file."""
    values = data.values
    state.shape[PERIOD], state.shape[HEIGHT] = values.period, values.height
    state.shape[STEP_HEIGHT], state.shape[WIDTH] = values.step_height, values.width
    for i in range(data.legs.n_joints.size):
        state.leg[i, START], state.leg[i, DURATION] = data.swing[i, 0], data.swing[i, 1]


@kernel
def longest_period(body: SpatialBody, kin: SpatialKinematics, data: GaitData, state: GaitState) -> float:
    """Return the maximum period at the present deviation from the desired velocity, s.

    It is infinite if the deviation is small, and while the desired speed changes, such as after a change of gait.

    Args:
        body: constants of the character.
        kin: state of the character.
        data: constants of the gait.
        state: state of the gait.
    """
    values = data.values
    if values.shortening == 0.0 or data.plan.used or math.isnan(state.times[HEADING]):
        return math.inf
    if state.motion[DESIRED] != state.motion[COMMAND]:
        return math.inf
    x, y = desired_velocity(state, 1.0, 0.0)
    deviation, turning = math.hypot(kin.com[3] - x, kin.com[4] - y), 0.0
    for i in range(data.legs.n_joints.size):  # the link at which a leg begins
        rate = kin.twist[body.parent[data.legs.joints[i, 0]], 5]
        turning = max(turning, abs(rate - state.motion[DESIRED + 2]))
    deviation += _TURNING * values.height * turning
    beyond = deviation / math.sqrt(values.height * GRAVITY) - _DEADBAND
    return math.inf if beyond <= 0.0 else values.period * (1.0 - values.shortening * min(beyond / _RANGE, 1.0))


@kernel
def approach_shape(body: SpatialBody, kin: SpatialKinematics, data: GaitData, state: GaitState, dt: float) -> None:
    """Move the present shape of the steps towards the shape in the file.

    The times of a leg change more slowly than the phase, so that a swing that has ended does not begin again.

    Args:
        body: constants of the character.
        kin: state of the character.
        data: constants of the gait.
        state: state of the gait.
        dt: time since the last tick, s.
    """
    values, shape, share = data.values, state.shape, min(dt / _APPROACHES, 1.0)
    shape[PERIOD] += share * (values.period - shape[PERIOD])
    shape[PERIOD] = min(shape[PERIOD], longest_period(body, kin, data, state))
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
