"""A recorded walk, to which a tracking file is fitted: coordinates over time, contacts of the feet, and steps."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.kernels.arrays import Floats

Flags = NDArray[np.bool_]

SHORTEST_S = 0.04
"""Minimum duration of a contact and of an interruption of contact, s. Shorter ones count as bounces and are removed."""
OFF_GROUND_S = 0.08
"""Minimum time for which a foot is off the ground before a landing, s."""
FEET_APART = 0.1
"""Minimum horizontal distance between the feet at a landing, m."""


@dataclass(frozen=True)
class BodyMotion:
    """Recorded motion of a biped in n samples, with N coordinates: x, y and angle of the root link, joint angles."""

    time: Floats
    """(n,) times of the samples, s."""
    q: Floats
    """(n, N) coordinates in each sample, m and rad."""
    touching: Flags
    """(n, 2) whether each foot touches the ground, in the order of `character.roles.feet`."""
    feet: Floats
    """(n, 2) world x of the middle of each foot's sole, m, in the same order."""
    pressure: Floats
    """(n,) world x of the centre of pressure, m; NaN in flight and if it was not recorded."""


@dataclass(frozen=True)
class GaitStep:
    """Range of samples of one step in a recorded walk, from the landing of a foot until the other foot lands."""

    side: int
    """The foot that stands in this step: index in `character.roles.feet`, 0 or 1."""
    begin: int
    """Index of the sample in which the standing foot lands."""
    end: int
    """Index of the sample in which the other foot lands, one after the last sample of the step."""


def find_steps(motion: BodyMotion) -> list[GaitStep]:
    """Return the steps of a recorded walk. A step lasts from the landing of one foot to the next landing of the other.

    A contact counts as a landing if the foot was off the ground for `OFF_GROUND_S` before, and is at least `FEET_APART`
    from the other foot.
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
    """Return `on` without bounces: interruptions, then contacts, of fewer than `shortest` samples are removed.

    Args:
        on: (n,) whether a foot touches the ground in each sample.
        shortest: minimum number of samples of an interruption and of a contact.
    """
    on = on.copy()
    for value in (False, True):
        edges = np.flatnonzero(np.diff(on.astype(np.int8))) + 1
        ends = np.concatenate([[0], edges, [on.size]])
        for a, b in pairwise(ends[1:-1]):
            if on[a] == value and b - a < shortest:
                on[a:b] = not value
    return on
