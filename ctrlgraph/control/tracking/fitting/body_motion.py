"""A recorded motion for a fit: coordinates over time, feet on the ground, and centre of pressure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.kernels.planar.arrays import Floats

Flags = NDArray[np.bool_]

SHORTEST_S = 0.04
"""Minimum contact and minimum gap between contacts, s. Shorter ones are bounces."""
OFF_GROUND_S = 0.08
"""Minimum time off the ground before a landing, s."""
FEET_APART = 0.1
"""Minimum distance between the feet at a landing, m."""


@dataclass(frozen=True)
class BodyMotion:
    """A body's motion at n times."""

    time: Floats
    """(n,) s."""
    q: Floats
    """(n, N) as in `kernels.planar.dynamics`."""
    touching: Flags
    """(n, 2) of each foot, in the order of the character's roles."""
    feet: Floats
    """(n, 2) x of the middles of their soles, m."""
    pressure: Floats
    """(n,) x of the centre of pressure, m; NaN if there is none or it is unknown."""


@dataclass(frozen=True)
class GaitStep:
    """A step by its samples, from the landing of one foot to that of the other (exclusive)."""

    side: int
    """The standing foot, 0 or 1."""
    begin: int
    """First sample."""
    end: int
    """Last sample, exclusive."""


def find_steps(motion: BodyMotion) -> list[GaitStep]:
    """Return the steps of a motion: from the landing of a foot to the next landing of the other one."""
    dt = float(np.median(np.diff(motion.time)))
    touching = np.stack([_debounced(motion.touching[:, k], round(SHORTEST_S / dt)) for k in range(2)], axis=1)
    apart = np.abs(motion.feet[:, 0] - motion.feet[:, 1]) >= FEET_APART
    landings: list[tuple[int, int]] = []
    for k in range(2):
        on = touching[:, k]
        rising = np.flatnonzero(on[1:] & ~on[:-1]) + 1
        away = max(1, round(OFF_GROUND_S / dt))
        landings += [(int(i), k) for i in rising if i >= away and not on[i - away : i].any() and apart[i]]
    landings.sort()
    steps = []
    for (begin, side), (end, other) in pairwise(landings):
        if other != side and not touching[begin:end, 1 - side].all():
            steps.append(GaitStep(side, begin, end))
    return steps


def _debounced(on: Flags, shortest: int) -> Flags:
    """Return contacts after the removal of short gaps, and then of short touches, by number of samples."""
    on = on.copy()
    for value in (False, True):
        edges = np.flatnonzero(np.diff(on.astype(np.int8))) + 1
        ends = np.concatenate([[0], edges, [on.size]])
        for a, b in pairwise(ends[1:-1]):
            if on[a] == value and b - a < shortest:
                on[a:b] = not value
    return on
