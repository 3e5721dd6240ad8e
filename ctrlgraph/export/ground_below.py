"""The part of the ground below a motion, for files that contain both."""

from __future__ import annotations

import numpy as np

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.pictures.spatial.spatial_ground_surface import ground_surface
from ctrlgraph.pictures.spatial.spatial_solids import Solid
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain, in_space
from ctrlgraph.terrain.terrain import Terrain, flat

Ground = Terrain | SpatialTerrain | None
"""The ground of a motion. None: level ground at height 0."""

MARGIN = 5.0
"""Length of the ground that is added before and behind the motion, m."""


def profile_of(ground: Ground) -> Terrain:
    """Return the ground on which a planar character moves."""
    return ground.profile if isinstance(ground, SpatialTerrain) else ground or flat()


def ground_solid(position: Floats, ground: Ground) -> Solid:
    """Return the surface of the ground in a square below a motion.

    Args:
        position: Positions of the links (n, L, 3), m.
        ground: The ground.
    """
    low, high = position[:, :, :2].min(axis=(0, 1)), position[:, :, :2].max(axis=(0, 1))
    x, y = ((low + high) / 2).tolist()
    return ground_surface(in_space(ground), x, y, float((high - low).max()) / 2 + MARGIN)


def ground_below(signals: Signals, ground: Terrain) -> Floats:
    """Return the ground profile below a planar motion as the corners (n, 2) of a line: world x and height, m.

    Args:
        signals: Recorded signals of the motion.
        ground: The ground.
    """
    surface, com = ground, signals.columns["com_x"]
    left, right = float(com.min()) - MARGIN, float(com.max()) + MARGIN
    inside = (surface.x > left) & (surface.x < right)
    x = np.concatenate([[left], surface.x[inside], [right]])
    return np.column_stack([x, np.concatenate([[surface.height(left)], surface.y[inside], [surface.height(right)]])])
