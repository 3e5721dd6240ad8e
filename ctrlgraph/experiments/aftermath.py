"""What became of a gait after a push: fallen, rocking, stepping in place, or walking again.

"It survives" says too little: a biped that is pushed backward may stay on its feet and never go on. What it does in the
last seconds of a motion tells that apart.
"""

from __future__ import annotations

import enum

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.simulation.trace import Trace

LAST_S = 3.0
"""What it does is told by the last so many seconds."""

AGAIN = 0.5
"""Share of the speed before the push at which it walks again."""


class Aftermath(enum.StrEnum):
    """What a gait has become."""

    FALLEN = "fallen"
    ROCKING = "rocking"
    STEPPING = "stepping in place"
    WALKING = "walking again"


def aftermath(trace: Trace, character: Character, *, fell: bool, speed: float, seconds: float = LAST_S) -> Aftermath:
    """Return what a gait has become at the end of a motion.

    It rocks where its feet strike the ground less than twice in the last seconds, whether it stands or sways; it steps
    in place where they strike, but it does not get on with half of its speed in the direction that it had.

    Args:
        fell: whether it left the bounds of what walks.
        speed: before the push, m/s, with its sign.
        seconds: how long the end is.
    """
    if fell:
        return Aftermath.FALLEN
    last = trace.time >= trace.time[-1] - seconds
    time, x = trace.time[last], trace.com[last, 0]
    feet = trace.contact[last][:, list(character.roles.feet)].astype(np.int64)
    strikes = int((np.diff(feet, axis=0) > 0).sum())
    if strikes < 2:
        return Aftermath.ROCKING
    reached = (x[-1] - x[0]) / (time[-1] - time[0]) if time[-1] > time[0] else 0.0
    return Aftermath.WALKING if reached * np.sign(speed) >= AGAIN * abs(speed) else Aftermath.STEPPING
