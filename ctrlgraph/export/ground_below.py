"""The ground along a planar motion, for files that contain both."""

from __future__ import annotations

import numpy as np

from ctrlgraph.kernels.planar.arrays import Floats
from ctrlgraph.simulation.signals import Signals
from ctrlgraph.terrain.terrain import Terrain, flat

MARGIN = 5.0
"""Length of the ground beyond both ends of the motion, m."""


def ground_below(signals: Signals, ground: Terrain | None) -> Floats:
    """Return the corners (n, 2) of the ground along a motion, m; level ground for None."""
    surface, com = ground or flat(), signals.columns["com_x"]
    left, right = float(com.min()) - MARGIN, float(com.max()) + MARGIN
    inside = (surface.x > left) & (surface.x < right)
    x = np.concatenate([[left], surface.x[inside], [right]])
    return np.column_stack([x, np.concatenate([[surface.height(left)], surface.y[inside], [surface.height(right)]])])
