"""State of a tracking controller between control ticks, and results of the last tick."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.control.controller import FINISHED
from ctrlgraph.kernels.arrays import Floats, Ints

# Indices into TrackingState.counters.
STATUS, CYCLES_LEFT, STAGE, SIDE, PASSES, BEGUN, STAGES, STEPS = range(8)
# Indices into TrackingState.times: start of the active stage, last end of a stage by contact, last tick.
STAGE_BEGAN, LANDED, TICKED = range(3)
# Indices into TrackingState.memory: integral of the policy, m; estimated slope of the ground, rad, positive uphill; x
# of the point from which theta is measured (if theta is a distance) when the feet last stood flat, m.
INTEGRAL, SLOPE, STOOD = range(3)
# Indices into TrackingState.reading.
THETA, RATE, SHARE, FRI, FORCE_X, FORCE_Y, BOUNDS, SATURATED = range(8)

NEVER = -1e9
"""Time of an event that has not happened, s."""


class TrackingState(NamedTuple):
    """State of a tracking controller of a character with J joints. Constants of this module name the array elements."""

    counters: Ints
    """(8,) status, remaining cycles, active stage, 1 if right and left are exchanged, passes through the stages in this
    cycle, whether the first tick is over, number of stages, completed passes."""
    times: Floats
    """(3,) simulated times, s: start of the active stage, last end of a stage by contact, last tick."""
    memory: Floats
    """(3,) quantities that persist between ticks: integral of the policy (m), estimated slope of the ground (rad,
    positive uphill), x from which theta is measured if it is a distance (m)."""
    reading: Floats
    """(8,) results of the last tick: theta (rad or m), theta', position of theta in the stage's range (0 to 1), foot
    rotation indicator (m ahead of the ankle), computed ground force along the ground and normal to it (N), number of
    force bounds that were active, number of joints at their torque limit."""
    hold_angle: Floats
    """(J,) target angles of the joints while there are no torques to apply, rad."""


def new_state(n_joints: int) -> TrackingState:
    """Return the state of a controller that has not started, for a character with `n_joints` joints."""
    counters = np.zeros(8, dtype=np.int64)
    counters[STATUS] = FINISHED
    return TrackingState(counters, np.full(3, NEVER), np.zeros(3), np.zeros(8), np.full(n_joints, math.nan))
