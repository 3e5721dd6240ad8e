"""Terrain: the surface of the ground as a polyline from left to right.

Two points with the same x form a vertical segment. The first and the last segment extend to infinity.
"""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.terrain.obstacles import Obstacle, ObstacleAhead, Wall, bridged_profile, find_obstacles, find_walls
from ctrlgraph.terrain.pieces import TerrainError

FAR = 1e4
"""Maximum distance of a point of the terrain from the origin along x, m."""
AHEAD = 2.0
"""Default distance ahead over which `Terrain.preview` measures the height of the ground, m."""
SIGHT = 10.0
"""Maximum distance ahead at which `Terrain.preview` finds an obstacle, m."""

_MOST_STAIRS = 1000
MAX_POINTS = 4 * _MOST_STAIRS
"""Maximum number of points of a terrain."""
_HIGHEST = 2.0 * FAR  # height of a slope of 60 degrees at x = FAR, rounded up
# Height up to which a deviation from a straight slope is a rounding error and not an obstacle, m.
_ROUGHNESS = 1e-9


@dataclass(frozen=True, slots=True)
class TerrainPreview:
    """The ground at a position of the character and ahead of it: slope, height of the ground, and nearest obstacle."""

    slope: float = 0.0
    """Slope of the ground at the position, degrees, positive if the ground rises forward."""
    obstacle: float = 0.0
    """Maximum height of the ground ahead above the line that continues the ground with `slope`, m; at least 0."""
    ahead: ObstacleAhead | None = None
    """The nearest obstacle (rise, drop, gap, hurdle) ahead; None if there is none within `SIGHT`."""


LEVEL = TerrainPreview()
"""Preview of level ground without obstacles."""


@dataclass(frozen=True)
class Terrain:
    """The ground as a polyline of n points, with a coefficient of friction.

    >>> from ctrlgraph import parse_terrain
    >>> parse_terrain("box=1:0.4:0.1").height(1.2)
    0.1
    """

    name: str
    """Text that describes the terrain, such as "slope=5"."""
    x: NDArray[np.float64]
    """(n,) positions of the points, not decreasing, m."""
    y: NDArray[np.float64]
    """(n,) heights of the points, m."""
    friction: float = 1.0
    """Coefficient of friction."""

    def height(self, x: float) -> float:
        """Return the height of the ground at position x, m. At a vertical wall, return the height of the upper end."""
        i = self._segment(x)
        x0, x1, y0, y1 = self.x[i - 1], self.x[i], self.y[i - 1], self.y[i]
        if x1 == x0:
            return float(max(y0, y1))
        return float(y0 + (y1 - y0) * (x - x0) / (x1 - x0))

    def heights(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the heights of the ground at positions x, an array of any shape, m, bit for bit those of `height`."""
        if len(self.x) == 2:
            right = np.ones(x.shape, dtype=np.intp)
        else:
            right = np.clip(np.searchsorted(self.x, x, side="right"), 1, len(self.x) - 1)
        x0, x1, y0, y1 = self.x[right - 1], self.x[right], self.y[right - 1], self.y[right]
        wall = x1 == x0
        slanted = y0 + (y1 - y0) * (x - x0) / np.where(wall, 1.0, x1 - x0)
        return np.where(wall, np.maximum(y0, y1), slanted)

    def _segment(self, x: float) -> int:
        """Return the index of the right end point of the segment at position x, m. The outer segments are infinite."""
        if len(self.x) == 2:
            return 1
        return min(max(int(np.searchsorted(self.x, x, side="right")), 1), len(self.x) - 1)

    @cached_property
    def walls(self) -> tuple[Wall, ...]:
        """Return the walls (short steep parts of the polyline) from left to right. Obstacles begin and end at walls."""
        return find_walls(self.x, self.y)

    @cached_property
    def edges(self) -> NDArray[np.float64]:
        """Return the E walls (short steep parts of the ground) as an array (E, 3), for compiled controllers.

        The columns are the position x of a wall's left end, the height of its left end, and the height of its right
        end, m.
        """
        found = [(wall.start, wall.before, wall.after) for wall in self.walls]
        return np.array(found, dtype=np.float64).reshape(-1, 3)

    @cached_property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """Return the rises, drops, gaps and hurdles from left to right."""
        return find_obstacles(self.walls)

    @cached_property
    def bridged(self) -> Terrain:
        """Return a copy of the terrain in which gaps are bridged from rim to rim and hurdles are removed.

        Heights of a body are measured from this ground. Therefore a gap below a body does not increase the body's
        height, and a body that has fallen into a gap is below the ground.
        """
        x, y = bridged_profile(self.x, self.y, self.walls)
        return self if x is self.x else Terrain(self.name, x, y, self.friction)

    @cached_property
    def digest(self) -> str:
        """Return a hash of the points and the friction. The hash does not depend on `name`."""
        data = np.concatenate([self.x, self.y, [self.friction]]) + 0.0  # turns -0.0 into 0.0
        return hashlib.sha256(data.tobytes()).hexdigest()[:32]

    def next_obstacle(self, x: float) -> Obstacle | None:
        """Return the first obstacle that begins at position x (m) or to the right of it; None if there is none."""
        i = bisect_left(self.obstacles, x, key=lambda obstacle: obstacle.start)
        return self.obstacles[i] if i < len(self.obstacles) else None

    def _ahead(self, x: float) -> ObstacleAhead | None:
        obstacle = self.next_obstacle(x)
        if obstacle is None or obstacle.start - x > SIGHT:
            return None
        return ObstacleAhead(obstacle.kind, obstacle.start - x, obstacle.size)

    @cached_property
    def _straight_preview(self) -> TerrainPreview:
        """Return the preview of ground that is a single straight line. This preview is the same at every position."""
        gradient = (float(self.y[1]) - float(self.y[0])) / (float(self.x[1]) - float(self.x[0]))
        return TerrainPreview(slope=math.degrees(math.atan(gradient)))

    def preview(self, x: float, reach: float = AHEAD) -> TerrainPreview:
        """Return the slope at position x, the height of the ground ahead, and the nearest obstacle within `SIGHT`.

        The height is that of the highest ground above the straight line that continues with the slope at x, for example
        the height of a box or of stairs. It is 0 if the ground does not rise above this line. If x is above a gap, the
        slope is that of the line from rim to rim.

        Args:
            x: position, m.
            reach: distance ahead of x over which the height is measured, m.
        """
        if len(self.x) == 2 and not self.walls:
            return self._straight_preview
        if self.bridged is not self and any(obstacle.start < x < obstacle.end for obstacle in self.obstacles):
            over = self.bridged.preview(x, reach)
            return TerrainPreview(over.slope, over.obstacle, self._ahead(x))
        i = self._segment(x)
        x0, y0 = float(self.x[i - 1]), float(self.y[i - 1])
        run, rise = float(self.x[i]) - x0, float(self.y[i]) - y0
        gradient = rise / run if run > 0.0 else 0.0
        seen = (self.x > x) & (self.x <= x + reach)
        xs, ys = np.append(self.x[seen], x + reach), np.append(self.y[seen], self.height(x + reach))
        above = ys - (y0 + gradient * (xs - x0))
        highest = float(above.max())
        rises = highest if highest > _ROUGHNESS else 0.0
        return TerrainPreview(math.degrees(math.atan(gradient)), rises, self._ahead(x))


def terrain_of(name: str, points: Sequence[tuple[float, float]], friction: float) -> Terrain:
    """Return the terrain whose polyline has given points. Of repeated points, only one is kept.

    Args:
        name: text that describes the terrain.
        points: position x and height of each point, m, from left to right.
        friction: coefficient of friction, 0 to 10.

    Raises:
        TerrainError: there are too few or too many points, a point is not finite or too far away, the points are not
            ordered from left to right, or the friction is out of range.
    """
    kind = name.partition("=")[0]
    if len(points) > MAX_POINTS:
        raise TerrainError(f"the terrain '{kind}' can have at most {MAX_POINTS} points, not {len(points)}")
    x = np.array([p[0] for p in points], dtype=np.float64)
    y = np.array([p[1] for p in points], dtype=np.float64)
    if len(x) < 2 or not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise TerrainError(f"the terrain '{kind}' needs at least two points, all with finite coordinates")
    if (np.abs(x) > FAR).any() or (np.abs(y) > _HIGHEST).any():
        raise TerrainError(f"all points of the terrain '{kind}' must be within {FAR:g} m of the origin")
    if (np.diff(x) < 0).any():
        raise TerrainError(f"the points of the terrain '{kind}' must be ordered by rising x")
    if not 0 <= friction <= 10:
        raise TerrainError(f"the friction of the terrain '{kind}' must be 0 to 10, not {friction:g}")
    # a segment without length would be a wall without a normal
    apart = np.append(True, (np.diff(x) != 0.0) | (np.diff(y) != 0.0))
    return Terrain(name, x[apart], y[apart], friction)


def flat(friction: float = 1.0) -> Terrain:
    """Return level ground at y = 0 with the given coefficient of friction."""
    return terrain_of("flat", [(-FAR, 0.0), (FAR, 0.0)], friction)


def slope(degrees: float, friction: float = 1.0) -> Terrain:
    """Return a straight slope through the origin.

    Args:
        degrees: angle of the slope, positive if the ground rises forward.
        friction: coefficient of friction.

    Raises:
        TerrainError: the slope is steeper than 60 degrees.
    """
    if not abs(degrees) <= 60:
        raise TerrainError(f"a slope must be at most 60 degrees steep, not {degrees:g}")
    rise = math.tan(math.radians(degrees))
    return terrain_of(f"slope={words([[degrees]])}", [(-FAR, -FAR * rise), (FAR, FAR * rise)], friction)


def boxes(rows: Sequence[tuple[float, float, float]], friction: float = 1.0) -> Terrain:
    """Return boxes on level ground.

    Args:
        rows: (x of the left side, width, height) of each box, m, from left to right.
        friction: coefficient of friction.

    Raises:
        TerrainError: boxes overlap, or a width or height is not above 0.
    """
    points: list[tuple[float, float]] = [(-FAR, 0.0)]
    for start, width, height in rows:
        if not (width > 0 and height > 0):
            raise TerrainError(f"width and height of a box must be above 0 m, not {width:g} m and {height:g} m")
        if start < points[-1][0]:
            raise TerrainError(
                f"the box that begins at {start:g} m overlaps the previous box: move one of the boxes, or list"
                " them by rising start"
            )
        points += [(start, 0.0), (start, height), (start + width, height), (start + width, 0.0)]
    return terrain_of(f"box={words(rows)}", [*points, (FAR, 0.0)], friction)


def stairs(start: float, count: int, run: float, rise: float, friction: float = 1.0) -> Terrain:
    """Return stairs on level ground.

    Args:
        start: position x at which the stairs begin, m.
        count: number of steps.
        run: horizontal depth of each step, m.
        rise: height of each step, m; negative for stairs that go down.
        friction: coefficient of friction.

    Raises:
        TerrainError: `count` or `run` is out of range, or `rise` is 0.
    """
    if not 1 <= count <= _MOST_STAIRS or not run > 0 or not abs(rise) > 0:
        given = f"not {count}, {run:g} m and {rise:g} m"
        raise TerrainError(f"stairs need 1 to {_MOST_STAIRS} steps, a run above 0 and a rise other than 0, {given}")
    points = [(-FAR, 0.0)]
    for i in range(count):
        points += [(start + i * run, i * rise), (start + i * run, (i + 1) * rise)]
    return terrain_of(f"stairs={words([(start, count, run, rise)])}", [*points, (FAR, count * rise)], friction)


def heights(points: Sequence[tuple[float, float]], friction: float = 1.0) -> Terrain:
    """Return ground that connects given points by straight lines, and is level before the first and after the last one.

    Args:
        points: position x and height of each point, m, from left to right.
        friction: coefficient of friction.

    Raises:
        TerrainError: there is no point, or the points are invalid.
    """
    if not points:
        raise TerrainError("the terrain 'heights' needs at least one point X:Y")
    ends = (-FAR, points[0][1]), (FAR, points[-1][1])
    return terrain_of(f"heights={words(points)}", [ends[0], *points, ends[1]], friction)


def words(rows: Sequence[Sequence[float]]) -> str:
    """Return numbers as part of a terrain's description: "1:2,3:4" for the rows (1, 2) and (3, 4)."""
    return ",".join(":".join(f"{number!r}".removesuffix(".0") for number in row) for row in rows)
