"""The ground of spatial characters: arrays, height, and the point of its surface nearest to a point.

The base is the ground without blocks: an inclined plane, with or without a height field, or a profile that is the same
for every y. Blocks stand on it. A normal is a unit vector that points out of the ground.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.planar.collision import height_at, nearest
from ctrlgraph.kernels.spatial.spatial_geometry import closest_on_triangle
from ctrlgraph.terrain.spatial.height_field import CELL
from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain

PLANE, PROFILE, FIELD = range(3)
"""Kinds of base: an inclined plane, a profile, and a plane with a height field."""

# Maximum distance within which the height field is searched for the point nearest to a point inside the ground, m.
_DEEPEST = 4.0 * CELL
_EDGE = 1e-9  # distance up to which a point counts as being on a block, m


class SpatialGround(NamedTuple):
    """The ground as arrays, made from a `SpatialTerrain`."""

    kind: int
    """Kind of the base: `PLANE`, `PROFILE` or `FIELD`."""
    plane: Floats
    """Gradients along x and y, height at the origin, m, and unit normal of the plane (6,); level for a profile."""
    profile_x: Floats
    """x of the n points of the profile (n,), m."""
    profile_z: Floats
    """Heights of these points (n,), m."""
    grid: Floats
    """Heights above the plane at the points (i * CELL, j * CELL), m, which repeat in both directions (m, n), m."""
    summit: float
    """Maximum of `grid`, m."""
    blocks: Floats
    """Blocks (B, 7): x and y of the centre, half the length and width, m, cosine and sine of the yaw, and height of the
    top in the world, m. They extend downward without end."""


def spatial_ground(terrain: SpatialTerrain) -> SpatialGround:
    """Return a terrain as arrays for the kernels."""
    x, z = terrain.profile.x.copy(), terrain.profile.y.copy()
    straight = len(x) == 2
    along, across = terrain.gradient
    level = float(z[0]) - along * float(x[0]) if straight else 0.0
    length = math.sqrt(along * along + across * across + 1.0)
    field = terrain.grid.size > 0
    return SpatialGround(
        kind=(FIELD if field else PLANE) if straight else PROFILE,
        plane=np.array([along, across, level, -along / length, -across / length, 1.0 / length]),
        profile_x=x,
        profile_z=z,
        grid=np.ascontiguousarray(terrain.grid),
        summit=float(terrain.grid.max()) if field else 0.0,
        blocks=terrain.tops.copy(),
    )


@kernel
def _cell(ground: SpatialGround, i: int, j: int) -> tuple[float, float, float, float]:
    """Return the heights above the plane of the corners (i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1) of a cell, m."""
    m, n = ground.grid.shape
    i0, j0, i1, j1 = i % m, j % n, (i + 1) % m, (j + 1) % n
    return ground.grid[i0, j0], ground.grid[i1, j0], ground.grid[i0, j1], ground.grid[i1, j1]


@kernel
def field_surface(ground: SpatialGround, x: float, y: float) -> tuple[float, float, float]:
    """Return the height of a base with a height field, m, and its gradients along x and y.

    Args:
        ground: ground whose base is a height field.
        x: x of the position, m.
        y: y of the position, m.
    """
    u, v = x / CELL, y / CELL
    i, j = int(math.floor(u)), int(math.floor(v))
    u, v = u - i, v - j
    h00, h10, h01, h11 = _cell(ground, i, j)
    along, across = (h10 - h00, h11 - h10) if u >= v else (h11 - h01, h01 - h00)
    z = ground.plane[2] + ground.plane[0] * x + ground.plane[1] * y + (h00 + u * along + v * across)
    return z, ground.plane[0] + along / CELL, ground.plane[1] + across / CELL


@kernel
def spatial_height(ground: SpatialGround, x: float, y: float) -> float:
    """Return the height of the ground at a position, m, with its blocks.

    Args:
        ground: the ground.
        x: x of the position, m.
        y: y of the position, m.
    """
    if ground.kind == PLANE:
        z = ground.plane[2] + ground.plane[0] * x + ground.plane[1] * y
    elif ground.kind == FIELD:
        z = field_surface(ground, x, y)[0]
    else:
        z = height_at(ground.profile_x, ground.profile_z, x)
    for b in range(ground.blocks.shape[0]):
        u, v = _in_block(ground, b, x, y)
        if abs(u) <= ground.blocks[b, 2] and abs(v) <= ground.blocks[b, 3]:
            z = max(z, ground.blocks[b, 6])
    return z


@kernel
def _in_block(ground: SpatialGround, b: int, x: float, y: float) -> tuple[float, float]:
    """Return x and y of a position in the frame of block b, m."""
    dx, dy = x - ground.blocks[b, 0], y - ground.blocks[b, 1]
    cosine, sine = ground.blocks[b, 4], ground.blocks[b, 5]
    return dx * cosine + dy * sine, dy * cosine - dx * sine


@separate_kernel
def _nearest_on_field(
    ground: SpatialGround, x: float, y: float, z: float, radius: float
) -> tuple[float, float, float, float]:
    """Return what `nearest_on_base` returns, for a base with a height field."""
    height, along, across = field_surface(ground, x, y)
    length = math.sqrt(along * along + across * across + 1.0)
    nx, ny, nz = -along / length, -across / length, 1.0 / length
    # a point inside the ground is at most as far from the surface as it is below it
    above = z - height
    reach = radius if above > 0.0 else min(-above, _DEEPEST)
    best2, found = reach * reach, False
    best_x, best_y, best_z = x, y, height
    i1, j1 = int(math.floor((x + reach) / CELL)), int(math.floor((y + reach) / CELL))
    i = int(math.floor((x - reach) / CELL))
    while i <= i1:
        j = int(math.floor((y - reach) / CELL))
        while j <= j1:
            h00, h10, h01, h11 = _cell(ground, i, j)
            x0, y0 = i * CELL, j * CELL
            px, py = x - x0, y - y0
            z0 = ground.plane[2] + ground.plane[0] * x0 + ground.plane[1] * y0 + h00
            pz, rise_x, rise_y = z - z0, ground.plane[0] * CELL, ground.plane[1] * CELL
            cz = rise_x + rise_y + h11 - h00
            for half in range(2):
                if half == 0:
                    bx, by, bz = CELL, 0.0, rise_x + h10 - h00
                else:
                    bx, by, bz = 0.0, CELL, rise_y + h01 - h00
                qx, qy, qz = closest_on_triangle(px, py, pz, bx, by, bz, CELL, CELL, cz)
                distance2 = (px - qx) ** 2 + (py - qy) ** 2 + (pz - qz) ** 2
                if distance2 <= best2:
                    best2, found = distance2, True
                    best_x, best_y, best_z = x0 + qx, y0 + qy, z0 + qz
            j += 1
        i += 1
    if not found:
        return (np.inf if above > 0.0 else above * nz), nx, ny, nz
    distance = math.sqrt(best2)
    if distance > 1e-9:
        sign = 1.0 / distance if above > 0.0 else -1.0 / distance
        nx, ny, nz = sign * (x - best_x), sign * (y - best_y), sign * (z - best_z)
    return (distance if above > 0.0 else -distance), nx, ny, nz


@kernel
def nearest_on_base(
    ground: SpatialGround, x: float, y: float, z: float, radius: float
) -> tuple[float, float, float, float]:
    """Return the distance of a point from the base, and the base's normal at the point nearest to it.

    Args:
        ground: the ground, whose blocks do not count.
        x: x of the point, m.
        y: y of the point, m.
        z: z of the point, m.
        radius: distance up to which the result is needed, m.

    Returns:
        The distance, m, negative inside the ground, and x, y and z of the normal. The distance can be infinite if it is
        more than the radius.
    """
    if ground.kind == PLANE:
        nx, ny, nz = ground.plane[3], ground.plane[4], ground.plane[5]
        return nx * x + ny * y + nz * (z - ground.plane[2]), nx, ny, nz
    if ground.kind == PROFILE:
        distance, nx, nz = nearest(ground.profile_x, ground.profile_z, x, z, radius)
        return distance, nx, 0.0, nz
    plane = ground.plane
    above = plane[3] * x + plane[4] * y + plane[5] * (z - plane[2])
    if above > radius + ground.summit * plane[5]:
        return np.inf, plane[3], plane[4], plane[5]
    return _nearest_on_field(ground, x, y, z, radius)


@kernel
def nearest_on_block(ground: SpatialGround, b: int, x: float, y: float, z: float) -> tuple[float, float, float, float]:
    """Return the distance of a point from a block, and the block's normal at the point nearest to it.

    Args:
        ground: the ground.
        b: index of the block.
        x: x of the point, m.
        y: y of the point, m.
        z: z of the point, m.

    Returns:
        The distance, m, negative inside the block, and x, y and z of the normal.
    """
    u, v = _in_block(ground, b, x, y)
    over_u, over_v, over = abs(u) - ground.blocks[b, 2], abs(v) - ground.blocks[b, 3], z - ground.blocks[b, 6]
    nu, nv, nz = 0.0, 0.0, 0.0
    if over_u <= 0.0 and over_v <= 0.0 and over <= 0.0:
        distance = max(over_u, over_v, over)
        if distance == over:
            nz = 1.0
        elif distance == over_u:
            nu = 1.0 if u > 0.0 else -1.0
        else:
            nv = 1.0 if v > 0.0 else -1.0
    else:
        out_u, out_v, out = max(over_u, 0.0), max(over_v, 0.0), max(over, 0.0)
        distance = math.sqrt(out_u * out_u + out_v * out_v + out * out)
        nu = (out_u if u > 0.0 else -out_u) / distance
        nv = (out_v if v > 0.0 else -out_v) / distance
        nz = out / distance
    cosine, sine = ground.blocks[b, 4], ground.blocks[b, 5]
    return distance, nu * cosine - nv * sine, nu * sine + nv * cosine, nz


@kernel
def on_other_block(ground: SpatialGround, b: int, x: float, y: float, z: float) -> bool:
    """Return whether a point of block b lies in or on another block, so that an edge of block b is not exposed there.

    Args:
        ground: the ground.
        b: index of the block.
        x: x of the point, m.
        y: y of the point, m.
        z: z of the point, m.
    """
    for other in range(ground.blocks.shape[0]):
        if other != b and z <= ground.blocks[other, 6] + _EDGE:
            u, v = _in_block(ground, other, x, y)
            if abs(u) <= ground.blocks[other, 2] + _EDGE and abs(v) <= ground.blocks[other, 3] + _EDGE:
                return True
    return False
