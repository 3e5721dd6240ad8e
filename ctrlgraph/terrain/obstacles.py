"""Obstacles of a terrain: rises, drops, gaps and hurdles, found in the polyline of the ground.

Short steep parts of the polyline are walls. One wall is a rise or a drop. Two walls can form a gap or a hurdle. The
ground without gaps and hurdles (the bridged ground) is the reference for heights of a body.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STEEP = 1.5
"""Gradient (rise per horizontal distance) above which ground is too steep to stand on; equal to 56 degrees."""
LEAST_JUMP = 0.03
"""Height difference above which steep ground is a wall, m. Lower steps are rough ground."""
WALL_RUN = 0.1
"""Maximum horizontal length of a wall, m. Longer steep ground is a slope."""
_ROUNDING = 1e-9
PIT_DEPTH = 0.5
"""Minimum depth of a gap, m. A shallower hollow counts as a drop and a rise."""
PIT_WIDTH = 3.0
"""Maximum width of a gap, m. A wider hollow counts as a drop and a rise."""
LEVEL_RIMS = 0.3
"""Maximum difference in height between the two rims of a gap, m."""
HURDLE_WIDTH = 0.15
"""Maximum width of a hurdle, m, on which no foot can stand. A wider elevation counts as a rise and a drop."""


class ObstacleKind(enum.StrEnum):
    """Kind of an obstacle, as seen when moving forward (to the right).

    RISE and DROP lead to another level. GAP and HURDLE lead back to about the same level.
    """

    RISE = "rise"
    DROP = "drop"
    GAP = "gap"
    HURDLE = "hurdle"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """An obstacle of the terrain: its kind, its extent along x and its size."""

    kind: ObstacleKind
    start: float
    """Position x at which the obstacle begins, m."""
    end: float
    """Position x at which the obstacle ends, m."""
    size: float
    """Width of a gap, height of any other obstacle, m."""


@dataclass(frozen=True, slots=True)
class ObstacleAhead:
    """The nearest obstacle ahead of a position: its kind, distance and size, which scripts can read."""

    kind: ObstacleKind
    distance: float
    """Horizontal distance from the position to the beginning of the obstacle, m."""
    size: float
    """Width of a gap, height of any other obstacle, m."""


@dataclass(frozen=True, slots=True)
class Wall:
    """A short steep part of the terrain's polyline, which rises or falls by the height of a step or more."""

    first: int
    """Index of the wall's first (left) point in the polyline."""
    last: int
    """Index of the wall's last (right) point in the polyline."""
    start: float
    """Position x of the first point, m."""
    end: float
    """Position x of the last point, m."""
    before: float
    """Height of the first point, m."""
    after: float
    """Height of the last point, m."""

    @property
    def jump(self) -> float:
        """Return the change in height from left to right, m, positive if the wall rises."""
        return self.after - self.before


def find_obstacles(walls: Sequence[Wall]) -> tuple[Obstacle, ...]:
    """Return the obstacles that walls form, from left to right.

    Two consecutive walls can form a gap or a hurdle. Any other wall is a rise or a drop.

    Args:
        walls: walls of a terrain from left to right, as `find_walls` returns them.
    """
    found = []
    for group in _grouped(walls):
        first, last = group[0], group[-1]
        if len(group) == 1:
            kind = ObstacleKind.RISE if first.jump > 0.0 else ObstacleKind.DROP
            size = abs(first.jump)
        elif first.jump > 0.0:
            kind, size = ObstacleKind.HURDLE, first.jump
        else:
            kind, size = ObstacleKind.GAP, last.end - first.start
        found.append(Obstacle(kind, first.start, last.end, size))
    return tuple(found)


def bridged_profile(x: Floats, y: Floats, walls: Sequence[Wall]) -> tuple[Floats, Floats]:
    """Return a polyline in which gaps are bridged by a straight line from rim to rim and hurdles are removed.

    Args:
        x: (n,) positions of the polyline's points, m.
        y: (n,) heights of the points, m.
        walls: walls of the polyline, as `find_walls` returns them.

    Returns:
        Positions and heights of the points that remain, m. Without gaps and hurdles, these are the arrays `x` and `y`.
    """
    keep = np.ones(len(x), dtype=np.bool_)
    for group in _grouped(walls):
        if len(group) == 2:
            keep[group[0].first + 1 : group[1].last] = False
    return (x, y) if keep.all() else (x[keep], y[keep])


def find_walls(x: Floats, y: Floats) -> tuple[Wall, ...]:
    """Return the walls (short steep parts) of a polyline, from left to right.

    A wall rises or falls by more than `LEAST_JUMP` within `WALL_RUN` and is steeper than `STEEP` everywhere.

    Args:
        x: (n,) positions of the polyline's points, m.
        y: (n,) heights of the points, m.
    """
    run, rise = np.diff(x), np.diff(y)
    steep = np.abs(rise) > STEEP * run
    walls: list[Wall] = []
    i = 0
    for first in np.flatnonzero(steep).tolist():
        if first < i:
            continue
        i, upward = first, rise[first] > 0.0
        while i < len(run) and steep[i] and (rise[i] > 0.0) == upward:
            i += 1
        if abs(y[i] - y[first]) > LEAST_JUMP and x[i] - x[first] <= WALL_RUN + _ROUNDING:
            walls.append(Wall(first, i, float(x[first]), float(x[i]), float(y[first]), float(y[i])))
    return tuple(walls)


def _grouped(walls: Sequence[Wall]) -> list[tuple[Wall, ...]]:
    """Return the walls, grouped by obstacle: two walls for a gap or a hurdle, one wall for a rise or a drop."""
    groups: list[tuple[Wall, ...]] = []
    i = 0
    while i < len(walls):
        pair = walls[i : i + 2]
        is_pair = len(pair) == 2 and (_is_gap(*pair) or _is_hurdle(*pair))
        groups.append(tuple(pair if is_pair else pair[:1]))
        i += len(groups[-1])
    return groups


def _is_gap(first: Wall, last: Wall) -> bool:
    down = first.jump <= -PIT_DEPTH and last.jump >= PIT_DEPTH
    return down and last.end - first.start <= PIT_WIDTH and abs(last.after - first.before) <= LEVEL_RIMS


def _is_hurdle(first: Wall, last: Wall) -> bool:
    up = first.jump > 0.0 > last.jump
    return up and last.end - first.start <= HURDLE_WIDTH and abs(last.after - first.before) <= LEAST_JUMP
