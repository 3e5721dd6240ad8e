"""State of a tracking controller between ticks, and readings of the last tick."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.control.controller import FINISHED
from ctrlgraph.kernels.planar.arrays import Floats, Ints

# Indices into TrackingState.counters.
STATUS, CYCLES_LEFT, STAGE, SIDE, PASSES, BEGUN, STAGES, STEPS = range(8)
# Indices into TrackingState.times: start of the stage, last end of a stage by contact, last tick.
STAGE_BEGAN, LANDED, TICKED = range(3)
# Indices into TrackingState.memory: integral of the policy, m; slope of the ground, rad, positive uphill; x of the feet
# from which the phase is measured when they last stood, m.
INTEGRAL, SLOPE, STOOD = range(3)
# Indices into TrackingState.reading.
THETA, RATE, SHARE, FRI, FORCE_X, FORCE_Y, BOUNDS, SATURATED = range(8)

NEVER = -1e9


class TrackingState(NamedTuple):
    """State of a tracking controller; J joints."""

    counters: Ints
    """(8,)."""
    times: Floats
    """(3,) s."""
    memory: Floats
    """(3,)."""
    reading: Floats
    """(8,) of the last tick: theta (rad or m), its rate, the share of the stage's range, the foot rotation indicator
    (m before the ankle), the assumed ground force along and out of the ground (N), whether that was limited by
    friction or against pulling (1), and the number of saturated joints."""
    held: Floats
    """(J,) targets of the joints while nothing runs, rad."""


def new_state(n_joints: int) -> TrackingState:
    """Return a state in which nothing runs."""
    counters = np.zeros(8, dtype=np.int64)
    counters[STATUS] = FINISHED
    return TrackingState(counters, np.full(3, NEVER), np.zeros(3), np.zeros(8), np.full(n_joints, math.nan))
