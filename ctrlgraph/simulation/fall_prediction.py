"""Prediction of the falls of motions that stand on one place: the capture point leaves the feet.

The capture point is the point of the ground at which the centre of mass would come to rest above a foot:
x + v sqrt(h / g), with its position x, velocity v and height h (J. Pratt, J. Carff, S. Drakunov, A. Goswami, "Capture
point: a step toward humanoid push recovery", Humanoids 2006; the "extrapolated centre of mass" of A. L. Hof, 2005). If
it is beyond the feet, a body that takes no step falls, unless it rotates its trunk or arms fast enough. Gaits, hops and
steps move it there on purpose.
"""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.kernels.planar.arrays import Kinematics
from ctrlgraph.kernels.planar.collision import Shapes
from ctrlgraph.simulation.outcome import BACKWARD, FORWARD

PERIOD_S = 0.02
"""Simulated time between predictions, s."""

FALLS_FORWARD, FALLS_BACKWARD = 7, 8
"""Results with which a rollout ends before a fall. The results of the loop (`ctrlgraph.engine.loop`) are 0 to 6."""

FALLS = {FALLS_FORWARD: FORWARD, FALLS_BACKWARD: BACKWARD}
"""Direction of the predicted fall, by the result of the rollout."""


def capture_excess(kin: Kinematics, shapes: Shapes, gravity: float) -> float | None:
    """Return how far the capture point is ahead of the links on the ground, m; negative if it is behind them.

    A link on the ground supports with all its contact circles, since the body can rotate onto each of them.

    Args:
        kin: State of the character.
        shapes: Contact circles of the character.
        gravity: Gravity, m/s².

    Returns:
        The distance; 0 if the capture point is above the links, None if nothing supports the character.
    """
    touching = kin.contact[shapes.link] != 0
    if not touching.any() or math.isnan(kin.support[0]):
        return None
    link, (x, y, radius) = kin.link[shapes.link[touching]], shapes.circle[touching].T
    centre = link[:, 0] + x * np.cos(link[:, 2]) + y * np.sin(link[:, 2])
    height = max(float(kin.com[1] - kin.support[0]), 0.0)
    point = float(kin.com[0]) + float(kin.com[2]) * math.sqrt(height / max(gravity, 1e-9))
    ahead, behind = point - float((centre + radius).max()), point - float((centre - radius).min())
    return ahead if ahead > 0.0 else min(behind, 0.0)
