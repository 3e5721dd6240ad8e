"""A recorded motion as a fit takes it: coordinates over time, which feet touch the ground, and where it presses."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.kernels.arrays import Floats

Flags = NDArray[np.bool_]

SHORTEST_S = 0.04
"""A contact or a gap between contacts that is shorter is a bounce."""
OFF_GROUND_S = 0.08
"""A foot lands that was off the ground for so long."""
FEET_APART = 0.1
"""m that a foot lands ahead of the other one, or behind it."""


@dataclass(frozen=True)
class BodyMotion:
    """A body's motion at n times.

    time: (n,) s; q: (n, N) as in `ctrlgraph.kernels.dynamics`; touching: (n, 2) of each foot, in the order of the
    character's roles; feet: (n, 2) the x of their soles' middles, m; pressure: (n,) x of the centre of pressure, m, NaN
    where nothing presses or nobody knows.
    """

    time: Floats
    q: Floats
    touching: Flags
    feet: Floats
    pressure: Floats


@dataclass(frozen=True)
class GaitStep:
    """A step by its samples: the foot that stands (0 or 1), from its landing to that of the other one (exclusive), and
    where between them the rear foot has left the ground."""

    side: int
    begin: int
    left: int
    end: int


def find_steps(motion: BodyMotion) -> list[GaitStep]:
    """Return the steps of a motion: from the landing of a foot to the next landing, of the other one."""
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
        if other == side:
            continue
        off = np.flatnonzero(~touching[begin:end, 1 - side])
        if off.size:
            steps.append(GaitStep(side, begin, begin + int(off[0]), end))
    return steps


def _debounced(on: Flags, shortest: int) -> Flags:
    """Contact without gaps that are shorter than so many samples, and then without touches that are."""
    on = on.copy()
    for value in (False, True):
        edges = np.flatnonzero(np.diff(on.astype(np.int8))) + 1
        ends = np.concatenate([[0], edges, [on.size]])
        for a, b in pairwise(ends[1:-1]):
            if on[a] == value and b - a < shortest:
                on[a:b] = not value
    return on
