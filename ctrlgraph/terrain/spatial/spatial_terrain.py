"""Spatial terrain: the ground on which spatial characters move, with x forward, y to the left and z up.

The ground is a planar terrain (a profile) that extends across y without end, such as a slope or stairs. A straight
profile can be tilted sideways (`bank`), and it can carry a height field. Upright blocks stand anywhere on the ground.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.terrain.obstacles import Obstacle
from ctrlgraph.terrain.pieces import TerrainError
from ctrlgraph.terrain.spatial.height_field import CELL, no_field
from ctrlgraph.terrain.terrain import FAR, SIGHT, Terrain, TerrainPreview, flat

Floats = NDArray[np.float64]

MAX_BLOCKS = 500
"""Maximum number of blocks of a terrain."""
MAX_GRID = 1024
"""Maximum number of points of a height field along each axis."""
STEEPEST = 60.0
"""Maximum slope and bank of an inclined plane, degrees."""
HIGHEST = 5.0
"""Maximum height of a block, m."""

# Distance behind a position from which a section of the ground begins, m: more than the width of a gap.
_BEHIND = 4.0


@dataclass(frozen=True, slots=True)
class Block:
    """An upright solid box that stands on the ground. It extends downward without end, so nothing fits below it."""

    x: float
    """x of the centre in the world, m."""
    y: float
    """y of the centre in the world, m."""
    length: float
    """Size along the block's own x axis, m."""
    width: float
    """Size along the block's own y axis, m."""
    height: float
    """Height of the level top above the ground without blocks at the centre, m."""
    yaw: float = 0.0
    """Angle from the world's x axis to the block's x axis, degrees, anticlockwise when seen from above."""

    def __post_init__(self) -> None:
        """
        Raises:
            TerrainError: a quantity is out of range.
        """
        bounds = {
            "x": (-FAR, FAR),
            "y": (-FAR, FAR),
            "length": (0.01, 100.0),
            "width": (0.01, 100.0),
            "height": (0.01, HIGHEST),
            "yaw": (-360.0, 360.0),
        }
        for name, (low, high) in bounds.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise TerrainError(f"the {name} of a block must be between {low:g} and {high:g}, not {value:g}")


@dataclass(frozen=True)
class SpatialTerrain:
    """The ground in three dimensions, with a coefficient of friction.

    >>> from ctrlgraph.terrain.spatial import parse_spatial
    >>> parse_spatial("block=2:0:1:0.5:0.1").height(2.0, 0.1)
    0.1
    """

    name: str
    """Text that describes the terrain, such as "slope=4 bank=2"."""
    profile: Terrain
    """Height over x, the same for every y if there is no bank. It contains the coefficient of friction."""
    bank: float = 0.0
    """Slope of the ground along y, degrees, positive if it rises to the left. Only a straight profile has a bank."""
    grid: Floats = field(default_factory=no_field)
    """(m, n) heights that are added to a straight profile at the points (i * CELL, j * CELL), m. They repeat in both
    directions. Empty: there is no height field."""
    blocks: tuple[Block, ...] = ()

    def __post_init__(self) -> None:
        """
        Raises:
            TerrainError: the bank is too steep, the grid is too large or not finite, there are too many blocks, or
                bank or grid are given with a profile that is not straight.
        """
        if not abs(self.bank) <= STEEPEST:
            raise TerrainError(f"a bank must be at most {STEEPEST:g} degrees steep, not {self.bank:g}")
        if len(self.blocks) > MAX_BLOCKS:
            raise TerrainError(f"a terrain can have at most {MAX_BLOCKS} blocks, not {len(self.blocks)}: remove some")
        if max(self.grid.shape) > MAX_GRID or not np.isfinite(self.grid).all():
            raise TerrainError(f"a height field needs finite heights and at most {MAX_GRID} points along each axis")
        if len(self.profile.x) > 2 and (self.bank != 0.0 or self.grid.size > 0):
            kind = self.profile.name.partition("=")[0]
            raise TerrainError(f"bank, rough and hills need straight ground (flat or slope), not '{kind}'")

    @property
    def friction(self) -> float:
        """Return the coefficient of friction."""
        return self.profile.friction

    @cached_property
    def gradient(self) -> tuple[float, float]:
        """Return the gradients (rise per horizontal distance) of a straight profile along x and of the bank along y."""
        x, y = self.profile.x, self.profile.y
        along = float(y[1] - y[0]) / float(x[1] - x[0]) if len(x) == 2 else 0.0
        return along, math.tan(math.radians(self.bank))

    @cached_property
    def tops(self) -> Floats:
        """Return the blocks as an array (B, 7).

        The columns are x and y of the centre, half the length and half the width, cosine and sine of the yaw, and the
        height of the top in the world; all in m but the cosine and sine.
        """
        rows = []
        for block in self.blocks:
            yaw = math.radians(block.yaw)
            top = float(self._base(np.array(block.x), np.array(block.y))) + block.height
            rows.append((block.x, block.y, block.length / 2, block.width / 2, math.cos(yaw), math.sin(yaw), top))
        return np.array(rows, dtype=np.float64).reshape(-1, 7)

    @cached_property
    def bridged(self) -> SpatialTerrain:
        """Return a copy of the terrain in which the gaps and hurdles of the profile do not count."""
        bridged = self.profile.bridged
        return self if bridged is self.profile else replace(self, profile=bridged)

    @property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """Return the obstacles of the profile; blocks are not among them."""
        return self.profile.obstacles

    def next_obstacle(self, x: float) -> Obstacle | None:
        """Return the first obstacle of the profile that begins at x, m, or beyond; None if there is none."""
        return self.profile.next_obstacle(x)

    @cached_property
    def digest(self) -> str:
        """Return a hash of the shape of the ground and the friction. The hash does not depend on `name`."""
        found = hashlib.sha256(self.profile.digest.encode())
        for part in (np.array([self.bank]), self.grid, self.tops):
            found.update(np.array(part.shape, np.int64).tobytes() + (part + 0.0).tobytes())  # turns -0.0 into 0.0
        return found.hexdigest()[:32]

    def height(self, x: float, y: float) -> float:
        """Return the height of the ground at a position, m. At a vertical wall, return the height of its upper end.

        Args:
            x: x of the position, m.
            y: y of the position, m.
        """
        if len(self.profile.x) == 2 and self.grid.size == 0 and not self.blocks:
            along = self.profile.height(x)
            return along + self.gradient[1] * y if self.bank != 0.0 else along
        return float(self._heights(np.array(x), np.array(y)))

    def heights(self, x: Floats, y: Floats) -> Floats:
        """Return the heights of the ground at positions, m.

        Args:
            x: x of the positions, an array of any shape, m.
            y: y of the positions, an array of the same shape, m.
        """
        return self._heights(x, y)

    def normal(self, x: float, y: float) -> tuple[float, float, float]:
        """Return the unit normal of the ground at a position, which points up. The top of a block is level.

        Args:
            x: x of the position, m.
            y: y of the position, m.
        """
        here, there = np.array(x), np.array(y)
        along, across = self.gradient
        if (self._raised(here, there) >= self._base(here, there)).any():
            along, across = 0.0, 0.0
        elif self.grid.size > 0:
            _, rise_x, rise_y = self._field(here, there)
            along, across = along + float(rise_x), across + float(rise_y)
        elif len(self.profile.x) > 2:
            _, slope = self._profile(here)
            along = float(slope)
        length = math.sqrt(along * along + across * across + 1.0)
        return -along / length, -across / length, 1.0 / length

    def section(self, x: float, y: float, heading: float) -> Terrain:
        """Return the ground below a line as a planar terrain, from 4 m behind to 10 m ahead of a position.

        Args:
            x: x of the position, m.
            y: y of the position, m.
            heading: direction of the line from the x axis, rad, anticlockwise when seen from above.
        """
        ux, uy = math.cos(heading), math.sin(heading)
        near, far = -_BEHIND, SIGHT + _BEHIND
        breaks = [np.array([near, 0.0, far])]
        if abs(ux) > 1e-9:
            breaks.append((self.profile.x - x) / ux)
        if self.grid.size > 0:
            breaks.append(np.arange(near, far, CELL))
        for bx, by, half_length, half_width, cosine, sine, _ in self.tops:
            # position and direction in the frame of the block
            px, py = (x - bx) * cosine + (y - by) * sine, (y - by) * cosine - (x - bx) * sine
            vx, vy = ux * cosine + uy * sine, uy * cosine - ux * sine
            for p, v, half in ((px, vx, half_length), (py, vy, half_width)):
                if abs(v) > 1e-9:
                    breaks.append(np.array([(-half - p) / v, (half - p) / v]))
        s = np.unique(np.concatenate(breaks))
        s = s[(s >= near) & (s <= far)]
        # between two breaks the ground is straight: it is continued from two inner points to both ends
        start, run = s[:-1], np.diff(s)
        inner = [start + run * t for t in (0.25, 0.75)]
        low, high = (self._heights(x + ux * each, y + uy * each) for each in inner)
        ends = np.stack([low - (high - low) / 2, high + (high - low) / 2], axis=1)
        places = np.stack([start, s[1:]], axis=1)
        return Terrain(self.name, places.ravel(), ends.ravel(), self.friction)

    def preview(self, x: float, y: float = 0.0, heading: float = 0.0) -> TerrainPreview:
        """Return the slope along a heading, and the height of the ground and the nearest obstacle ahead.

        Args:
            x: x of the position, m.
            y: y of the position, m.
            heading: direction from the x axis, rad, anticlockwise when seen from above.
        """
        if self.grid.size == 0 and not self.blocks:
            if heading == 0.0:
                return self.profile.preview(x)
            if len(self.profile.x) == 2:
                along, across = self.gradient
                rise = along * math.cos(heading) + across * math.sin(heading)
                return TerrainPreview(slope=math.degrees(math.atan(rise)))
        return self.section(x, y, heading).preview(0.0)

    def _heights(self, x: Floats, y: Floats) -> Floats:
        """Return the heights of the ground at positions x, y (arrays of the same shape), m."""
        found: Floats = np.maximum(self._base(x, y), self._raised(x, y).max(axis=0, initial=-np.inf))
        return found

    def _base(self, x: Floats, y: Floats) -> Floats:
        """Return the heights of the ground without blocks, m."""
        z, _ = self._profile(x)
        if self.bank != 0.0:
            z = z + self.gradient[1] * y
        if self.grid.size > 0:
            z = z + self._field(x, y)[0]
        return z

    def _profile(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the heights of the profile, m, and its gradients."""
        xs, ys = self.profile.x, self.profile.y
        i = np.clip(np.searchsorted(xs, x, side="right"), 1, len(xs) - 1)
        x0, y0 = xs[i - 1], ys[i - 1]
        run, rise = xs[i] - x0, ys[i] - y0
        # no segment that is found is vertical, unless the polyline begins or ends with a wall
        run = np.where(run > 0.0, run, 1.0)
        return y0 + rise * (x - x0) / run, rise / run

    def _field(self, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the heights of the height field, m, and its gradients along x and y.

        Each cell of the grid consists of two triangles, which the diagonal from its first corner separates.
        """
        m, n = self.grid.shape
        u, v = x / CELL, y / CELL
        i, j = np.floor(u).astype(np.int64), np.floor(v).astype(np.int64)
        u, v = u - i, v - j
        i, j, right, left = i % m, j % n, (i + 1) % m, (j + 1) % n
        h00, h10, h01, h11 = self.grid[i, j], self.grid[right, j], self.grid[i, left], self.grid[right, left]
        rise_x = np.where(u >= v, h10 - h00, h11 - h01)
        rise_y = np.where(u >= v, h11 - h10, h01 - h00)
        return h00 + u * rise_x + v * rise_y, rise_x / CELL, rise_y / CELL

    def _raised(self, x: Floats, y: Floats) -> Floats:
        """Return the heights of the blocks' tops (B, ...), m; -inf where there is no block."""
        found = np.full((len(self.tops), *np.shape(x)), -np.inf)
        for k, (bx, by, half_length, half_width, cosine, sine, top) in enumerate(self.tops):
            u = np.abs((x - bx) * cosine + (y - by) * sine)
            v = np.abs((y - by) * cosine - (x - bx) * sine)
            found[k] = np.where((u <= half_length) & (v <= half_width), top, -np.inf)
        return found


def in_space(terrain: SpatialTerrain | Terrain | None) -> SpatialTerrain:
    """Return terrain for a spatial character: planar terrain is extended to both sides, and None is level ground."""
    return terrain if isinstance(terrain, SpatialTerrain) else extruded(terrain or flat())


def extruded(terrain: Terrain) -> SpatialTerrain:
    """Return a planar terrain as ground in three dimensions, with the same profile for every y."""
    return SpatialTerrain(terrain.name, terrain)
