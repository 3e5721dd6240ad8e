"""Reference motions: the known good trajectory that a candidate is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.simulation.trace import Trace
    from ctrlgraph.terrain.profile import Terrain

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Trajectory:
    """n samples of a motion: com (n, 2) m, from where it is at the start and above the ground there; trunk (n,)
    and joints (n, J) rad; step: s between samples."""

    com: FloatArray
    trunk: FloatArray
    joints: FloatArray
    step: float


def trajectory(trace: Trace, character: Character, terrain: Terrain) -> Trajectory:
    """Return a trace as a trajectory; on a slope, angles of the trunk are as they are, not relative to the ground."""
    start = float(trace.com[0, 0])
    step = float(np.median(np.diff(trace.time))) if len(trace) > 1 else 0.01
    return Trajectory(
        com=trace.com - np.array([start, terrain.height(start)]),
        trunk=trace.angle[:, character.trunk],
        joints=trace.joint_angles(character),
        step=step,
    )


def distances(actual: Trajectory, desired: Trajectory) -> dict[str, float]:
    """F1, F2 and F3 of Firmin 2014 (section 6.2.2): squared distances over the time that both last.

    The source sums over its time steps; these are integrals, so that they do not depend on the sampling.
    """
    n = min(len(actual.trunk), len(desired.trunk))
    step = desired.step
    # a turn more or less on the way there is no difference
    turns = 2 * np.pi * np.round((actual.trunk[0] - desired.trunk[0]) / (2 * np.pi)) if n else 0.0
    return {
        "com": float(((actual.com[:n] - desired.com[:n]) ** 2).sum()) * step,
        "trunk": float(((actual.trunk[:n] - turns - desired.trunk[:n]) ** 2).sum()) * step,
        "joints": float(((actual.joints[:n] - desired.joints[:n]) ** 2).sum()) * step,
    }
