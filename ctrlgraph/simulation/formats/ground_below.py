"""The ground as far as a motion goes, for files that hold both."""

from __future__ import annotations

import numpy as np

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.signals import Signals
from ctrlgraph.terrain.profile import Terrain, flat

MARGIN = 5.0
"""So far beyond the motion the ground goes on, m."""


def ground_below(signals: Signals, ground: Terrain | None) -> Floats:
    """Return the corners (n, 2) of the surface, m, from behind the motion to before it; level where there is None."""
    surface, com = ground or flat(), signals.columns["com_x"]
    left, right = float(com.min()) - MARGIN, float(com.max()) + MARGIN
    inside = (surface.x > left) & (surface.x < right)
    x = np.concatenate([[left], surface.x[inside], [right]])
    return np.column_stack([x, np.concatenate([[surface.height(left)], surface.y[inside], [surface.height(right)]])])
