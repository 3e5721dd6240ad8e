"""What stands in the way on a terrain: walls, found in its polyline, and what they are of: rises, drops, gaps and
hurdles; and the ground that heights are told above."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STEEP = 1.5
"""Ground that is steeper than this (56 degrees) is a wall: nothing stands on it."""
LEAST_JUMP = 0.03
"""A wall lower than this is rough ground, m."""
WALL_RUN = 0.1
"""What rises over a longer way is a slope, however steep, m."""
_ROUNDING = 1e-9
PIT_DEPTH = 0.5
"""A pit is so deep, m: less is a drop and a rise after it."""
PIT_WIDTH = 3.0
"""A wider pit is a drop, a floor and a rise, m."""
LEVEL_RIMS = 0.3
"""So much higher or lower may the far rim of a gap be, m."""
HURDLE_WIDTH = 0.15
"""What is thinner is a hurdle, on which no foot finds room; what is wider is a rise, a top and a drop, m."""


class ObstacleKind(enum.StrEnum):
    """What it is for one who goes forward: a RISE and a DROP lead to another level, a GAP and a HURDLE do not."""

    RISE = "rise"
    DROP = "drop"
    GAP = "gap"
    HURDLE = "hurdle"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """An obstacle from x = start to x = end, m; size: the width of a gap, the height of any other, m."""

    kind: ObstacleKind
    start: float
    end: float
    size: float


@dataclass(frozen=True, slots=True)
class ObstacleAhead:
    """The nearest obstacle before a place: its kind, how far it is to where it begins, and its size, m."""

    kind: ObstacleKind
    distance: float
    size: float


@dataclass(frozen=True, slots=True)
class Wall:
    """Points of a polyline from `first` to `last` lead steeply from x = start to x = end, and from the height before to
    that after, m."""

    first: int
    last: int
    start: float
    end: float
    before: float
    after: float

    @property
    def jump(self) -> float:
        """Return how high it leads up, m; down where negative."""
        return self.after - self.before


def find_obstacles(walls: Sequence[Wall]) -> tuple[Obstacle, ...]:
    """Return the obstacles that walls are of, from left to right."""
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
    """Return a polyline x (n,), y (n,) with its gaps bridged from rim to rim and without its hurdles, m.

    The very arrays x and y where there are none.
    """
    keep = np.ones(len(x), dtype=np.bool_)
    for group in _grouped(walls):
        if len(group) == 2:
            keep[group[0].first + 1 : group[1].last] = False
    return (x, y) if keep.all() else (x[keep], y[keep])


def find_walls(x: Floats, y: Floats) -> tuple[Wall, ...]:
    """Return the walls of a polyline x (n,), y (n,) in m, from left to right: what leads up or down by more than
    `LEAST_JUMP` within `WALL_RUN`, and is steeper than `STEEP` all the way."""
    run, rise = np.diff(x), np.diff(y)
    steep = np.abs(rise) > STEEP * run
    walls: list[Wall] = []
    i = 0
    while i < len(run):
        if not steep[i]:
            i += 1
            continue
        first, upward = i, rise[i] > 0.0
        while i < len(run) and steep[i] and (rise[i] > 0.0) == upward:
            i += 1
        if abs(y[i] - y[first]) > LEAST_JUMP and x[i] - x[first] <= WALL_RUN + _ROUNDING:
            walls.append(Wall(first, i, float(x[first]), float(x[i]), float(y[first]), float(y[i])))
    return tuple(walls)


def _grouped(walls: Sequence[Wall]) -> list[tuple[Wall, ...]]:
    """Walls that are one obstacle together: the two of a gap, the two of a hurdle."""
    groups: list[tuple[Wall, ...]] = []
    i = 0
    while i < len(walls):
        pair = walls[i : i + 2]
        if len(pair) == 2 and (_is_gap(*pair) or _is_hurdle(*pair)):
            groups.append(tuple(pair))
            i += 2
        else:
            groups.append((walls[i],))
            i += 1
    return groups


def _is_gap(first: Wall, last: Wall) -> bool:
    down = first.jump <= -PIT_DEPTH and last.jump >= PIT_DEPTH
    return down and last.end - first.start <= PIT_WIDTH and abs(last.after - first.before) <= LEVEL_RIMS


def _is_hurdle(first: Wall, last: Wall) -> bool:
    up = first.jump > 0.0 > last.jump
    return up and last.end - first.start <= HURDLE_WIDTH and abs(last.after - first.before) <= LEAST_JUMP
