"""The part of the ground below a planar motion, for files that contain both."""

from __future__ import annotations

import numpy as np

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.signals import Signals
from ctrlgraph.terrain.terrain import Terrain, flat

MARGIN = 5.0
"""Length of the ground that is added before and behind the motion, m."""


def ground_below(signals: Signals, ground: Terrain | None) -> Floats:
    """Return the ground profile below a motion as the corners (n, 2) of a line: world x and height, m.

    Args:
        signals: Recorded signals of the motion.
        ground: The ground. None: level ground at height 0.
    """
    surface, com = ground or flat(), signals.columns["com_x"]
    left, right = float(com.min()) - MARGIN, float(com.max()) + MARGIN
    inside = (surface.x > left) & (surface.x < right)
    x = np.concatenate([[left], surface.x[inside], [right]])
    return np.column_stack([x, np.concatenate([[surface.height(left)], surface.y[inside], [surface.height(right)]])])
