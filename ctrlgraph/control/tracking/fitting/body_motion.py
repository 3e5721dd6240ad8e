"""A recorded motion as input of a fit: coordinates over time, contacts of the feet, and centre of pressure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.kernels.planar.arrays import Floats

Flags = NDArray[np.bool_]

SHORTEST_S = 0.04
"""Minimum duration of a contact and of a gap between contacts, s. Shorter ones are removed as bounces."""
OFF_GROUND_S = 0.08
"""Minimum time for which a foot is off the ground before a landing, s."""
FEET_APART = 0.1
"""Minimum horizontal distance between the feet at a landing, m."""


@dataclass(frozen=True)
class BodyMotion:
    """Motion of a biped with two feet, in n samples."""

    time: Floats
    """(n,) times of the samples, s."""
    q: Floats
    """(n, N) coordinates, as in `kernels.planar.dynamics`."""
    touching: Flags
    """(n, 2) whether each foot touches the ground, in the order of `character.roles.feet`."""
    feet: Floats
    """(n, 2) x of the middle of each foot's sole in the world, m."""
    pressure: Floats
    """(n,) x of the centre of pressure in the world, m; NaN if there is none or it is unknown."""


@dataclass(frozen=True)
class GaitStep:
    """The samples of a step, from the landing of one foot to the next landing of the other foot (exclusive)."""

    side: int
    """The standing foot, 0 or 1."""
    begin: int
    """Index of the first sample."""
    end: int
    """Index of the sample of the other foot's landing."""


def find_steps(motion: BodyMotion) -> list[GaitStep]:
    """Return the steps of a motion: from the landing of a foot to the next landing of the other foot.

    At a landing, the foot has been off the ground for `OFF_GROUND_S` and is `FEET_APART` or more from the other foot.
    """
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
    """Return contacts (n,) without gaps, and then without touches, of fewer than `shortest` samples."""
    on = on.copy()
    for value in (False, True):
        edges = np.flatnonzero(np.diff(on.astype(np.int8))) + 1
        ends = np.concatenate([[0], edges, [on.size]])
        for a, b in pairwise(ends[1:-1]):
            if on[a] == value and b - a < shortest:
                on[a:b] = not value
    return on
