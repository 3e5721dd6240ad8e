"""Bridging scripts that are proposed from the two ends of a transition: from the source's last pose to the pose in
which the target is usually entered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.robustness.entry import Failed
from ctrlgraph.robustness.perturbation import Perturbations

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.robustness.target import Route
    from ctrlgraph.robustness.trial import Laboratory

FloatArray = NDArray[np.float64]

PHASE_S = 0.4
"""How long a phase of a proposed bridge lasts before anything is learned."""

_STILL = 0.3  # m/s: an entry slower than this is one to be balanced


def entry_pose(laboratory: Laboratory, route: Route) -> tuple[FloatArray, bool]:
    """Joint angles (J,) in rad with which a route's course is entered on level ground, and whether its body rests.

    Raises:
        CtrlGraphError: the approach fails.
    """
    entry = laboratory.entry(route, Perturbations().variant)
    if isinstance(entry, Failed):
        raise CtrlGraphError(f"{route.target} cannot be entered: {entry.node} {entry.outcome.reason}")
    com = entry.state.kinematics.com
    return entry.state.kinematics.joint[:, 0].copy(), bool(np.hypot(com[2], com[3]) < _STILL)


def propose_bridge(
    name: str, character: Character, start: FloatArray, goal: FloatArray, *, phases: int = 1, balanced: bool = False
) -> str:
    """A script of so many phases that takes every joint from one pose to the other, in equal parts.

    Args:
        start, goal: joint angles (J,) in rad.
        balanced: with a virtual force on the trunk that keeps the centre of mass over the feet.
    """
    lines = [
        f"# From the end of one motion to the beginning of another, proposed from the two poses ({name}).",
        f"BEGINSCRIPT {name}(void)",
    ]
    for number in range(phases):
        pose = start + (goal - start) * (number + 1) / phases
        following = number + 1 if number + 1 < phases else -1
        lines += [f"  PHASE {number}", "    ACTIONS"]
        for joint, angle in zip(character.joints, pose, strict=True):
            angle = min(max(float(angle), joint.lower), joint.upper)
            values = f"{angle:.4g}, {joint.kp:.4g}, {joint.kd:.4g}"
            lines.append(f"      LIPOSE {joint.name}({values}).time({PHASE_S});")
        if balanced:
            lines += [
                "      VFFB uTorso(1000, 450).by(rAnkle).over(cop);",
                "      VFFB uTorso(1000, 450).by(lAnkle).over(cop);",
            ]
        lines += ["    ENDACTIONS", f"    TRANSITION to({following}).after(time {PHASE_S});", "  ENDPHASE"]
    return "\n".join([*lines, "ENDSCRIPT", ""])
