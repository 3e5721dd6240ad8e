"""Views of spatial motions: the directions of parallel projections, and cameras that follow the character."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ctrlgraph.errors import CtrlGraphError, quoted
from ctrlgraph.pictures.camera_path import smoothed_path
from ctrlgraph.pictures.spatial import VIEWS
from ctrlgraph.pictures.style import FloatArray
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.terrain.spatial import SpatialTerrain

# Direction to the viewer from the x axis (forward), anticlockwise, and height of the viewer above the horizon, degrees.
_DIRECTIONS = dict(zip(VIEWS, ((-52.0, 24.0), (-90.0, 10.0), (0.0, 12.0), (-90.0, 90.0), (165.0, 24.0)), strict=True))


@dataclass(frozen=True)
class SpatialView:
    """Axes of a parallel projection: unit vectors of the world."""

    right: FloatArray
    """Direction to the right in the picture (3,), level."""
    up: FloatArray
    """Direction upward in the picture (3,)."""
    viewer: FloatArray
    """Direction to the viewer (3,)."""

    @property
    def axes(self) -> FloatArray:
        """Return the three unit vectors as the rows of an array (3, 3)."""
        return np.stack([self.right, self.up, self.viewer])

    @property
    def light(self) -> FloatArray:
        """Return the unit vector toward the light: above, and over the viewer's left shoulder."""
        level = np.cross(self.right, (0.0, 0.0, 1.0))  # toward the viewer, or downward in a view from the top
        light: FloatArray = np.array([0.0, 0.0, 1.0]) + 0.55 * level * (-1.0 if level @ self.viewer < -0.1 else 1.0)
        light -= 0.3 * self.right
        return light / np.linalg.norm(light)


def view_of(name: str) -> SpatialView:
    """Return a view by its name, one of `VIEWS`.

    Raises:
        CtrlGraphError: There is no such view.
    """
    if name not in _DIRECTIONS:
        *others, last = VIEWS
        raise CtrlGraphError(f"a view must be {', '.join(others)} or {last}, not {quoted(name)}")
    turn, height = (math.radians(angle) for angle in _DIRECTIONS[name])
    c, s, level, rise = math.cos(turn), math.sin(turn), math.cos(height), math.sin(height)
    right, up, viewer = (-s, c, 0.0), (-c * rise, -s * rise, level), (c * level, s * level, rise)
    return SpatialView(np.array(right), np.array(up), np.array(viewer))


def ground_below(terrain: SpatialTerrain | None, places: FloatArray) -> FloatArray:
    """Return positions at the height of the ground, (n, 3), m. Gaps and hurdles of the terrain do not count.

    Args:
        terrain: The ground; None for level ground at height 0.
        places: Positions (n, 2 or 3), m.
    """
    level: Any = None if terrain is None else terrain.bridged
    heights = [0.0 if level is None else level.height(x, y) for x, y in places[:, :2].tolist()]
    return np.column_stack([places[:, :2], heights])


def followed(trace: SpatialTrace, terrain: SpatialTerrain | None) -> FloatArray:
    """Return the point on the ground at which a camera looks, for each sample of a motion (n, 3), m.

    The point is below the centre of mass. It is smoothed over time, separately before and after each restart of the
    character elsewhere.

    Args:
        trace: Recorded motion with n samples.
        terrain: The ground; None for level ground at height 0.
    """
    return smoothed_path(ground_below(terrain, trace.com), trace.com, trace.time)
