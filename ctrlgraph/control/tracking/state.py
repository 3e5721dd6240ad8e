"""What a tracking controller remembers between ticks, and what it tells of the last one."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.control.controller import FINISHED
from ctrlgraph.kernels.arrays import Floats, Ints

# Indices into TrackingState.counters.
STATUS, CYCLES_LEFT, STAGE, SIDE, PASSES, BEGUN, STAGES, STEPS = range(8)
# Indices into TrackingState.times: when the stage began, when a contact last ended one, when the last tick was.
STAGE_BEGAN, LANDED, TICKED = range(3)
# Indices into TrackingState.memory: integral of the policy, m; slope of the ground, rad, positive where it rises; where
# the feet last stood that the phase is measured from, m.
INTEGRAL, SLOPE, STOOD = range(3)
# Indices into TrackingState.reading.
THETA, RATE, SHARE, FRI, FORCE_X, FORCE_Y, BOUNDS, SATURATED = range(8)

NEVER = -1e9


class TrackingState(NamedTuple):
    """What is remembered; J joints.

    reading: of the last tick: theta (rad or m), its rate, the share of the stage's range, the foot rotation indicator
    (m before the ankle), the ground's force that was reckoned with along and out of the ground (N), whether it was held
    in the friction cone or from pulling (1), and how many joints' torques were held at their limits.
    """

    counters: Ints  # (8,)
    times: Floats  # (3,) s
    memory: Floats  # (3,)
    reading: Floats  # (8,)
    held: Floats  # (J,) angles at which joints are held while nothing runs, rad


def new_state(n_joints: int) -> TrackingState:
    """Return a state in which nothing runs."""
    counters = np.zeros(8, dtype=np.int64)
    counters[STATUS] = FINISHED
    return TrackingState(counters, np.full(3, NEVER), np.zeros(3), np.zeros(8), np.full(n_joints, math.nan))
