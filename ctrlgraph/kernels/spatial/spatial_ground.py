"""The ground of spatial characters: arrays, height, and the point of its surface nearest to a point.

The base is the ground without blocks: an inclined plane, with or without a height field, or a profile that is the same
for every y. Blocks stand on it. A normal is a unit vector that points out of the ground.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.planar.collision import height_at, nearest
from ctrlgraph.kernels.spatial.spatial_geometry import closest_on_triangle
from ctrlgraph.kernels.spatial.spatial_rotation import add, dot, scale, subtract
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
    """Heights of the n points of the profile (n,), m."""
    grid: Floats
    """Heights above the plane at the points (i * CELL, j * CELL), which repeat in both directions (m, n), m."""
    summit: float
    """Maximum of `grid`, m."""
    blocks: Floats
    """Blocks (B, 7): x and y of the centre, half the length and width, m, cosine and sine of the yaw, and height of the
    top in the world, m. They extend downward without end."""


def spatial_ground(terrain: SpatialTerrain) -> SpatialGround:
    """Return a terrain as arrays for the kernels."""
    x, z = terrain.profile.x.copy(), terrain.profile.y.copy()
    straight, field = len(x) == 2, terrain.grid.size > 0
    along, across = terrain.gradient
    level = float(z[0]) - along * float(x[0]) if straight else 0.0
    length = math.sqrt(along * along + across * across + 1.0)
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
def _normal_of(along: float, across: float) -> Vector:
    """Return the unit normal of a surface with given gradients along x and y."""
    length = math.sqrt(along * along + across * across + 1.0)
    return -along / length, -across / length, 1.0 / length


@kernel
def _plane_height(ground: SpatialGround, x: float, y: float) -> float:
    return ground.plane[2] + ground.plane[0] * x + ground.plane[1] * y


@kernel
def _corners(ground: SpatialGround, i: int, j: int) -> tuple[float, float, float, float]:
    """Return the heights above the plane of the corners (i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1) of a cell, m."""
    m, n = ground.grid.shape
    i0, j0, i1, j1 = i % m, j % n, (i + 1) % m, (j + 1) % n
    return ground.grid[i0, j0], ground.grid[i1, j0], ground.grid[i0, j1], ground.grid[i1, j1]


@kernel
def _field_surface(ground: SpatialGround, x: float, y: float) -> tuple[float, float, float]:
    """Return the height of the height field at a position in the world, m, and its gradients along x and y."""
    u, v = x / CELL, y / CELL
    i, j = math.floor(u), math.floor(v)
    u, v = u - i, v - j
    h00, h10, h01, h11 = _corners(ground, i, j)
    along, across = (h10 - h00, h11 - h10) if u >= v else (h11 - h01, h01 - h00)
    z = _plane_height(ground, x, y) + h00 + u * along + v * across
    return z, ground.plane[0] + along / CELL, ground.plane[1] + across / CELL


@kernel
def spatial_height(ground: SpatialGround, x: float, y: float) -> float:
    """Return the height of the ground at a position, m. At a vertical wall, return the height of its upper end.

    Args:
        ground: the ground.
        x: x of the position, m.
        y: y of the position, m.
    """
    if ground.kind == PLANE:
        z = _plane_height(ground, x, y)
    elif ground.kind == FIELD:
        z = _field_surface(ground, x, y)[0]
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
def _nearest_on_field(ground: SpatialGround, p: Vector, radius: float) -> tuple[float, Vector]:
    """Return what `nearest_on_base` returns, for a base with a height field.

    Args:
        ground: the ground.
        p: the point, m.
        radius: distance up to which the result is needed, m.
    """
    height, along, across = _field_surface(ground, p[0], p[1])
    normal = _normal_of(along, across)
    above = p[2] - height
    # a point inside the ground is at most as far from the surface as it is below it
    reach = radius if above > 0.0 else min(-above, _DEEPEST)
    best2, found, best = reach * reach, False, p
    first_j, last_j = math.floor((p[1] - reach) / CELL), math.floor((p[1] + reach) / CELL)
    for i in range(math.floor((p[0] - reach) / CELL), math.floor((p[0] + reach) / CELL) + 1):
        for j in range(first_j, last_j + 1):
            h00, h10, h01, h11 = _corners(ground, i, j)
            x, y = i * CELL, j * CELL
            origin = (x, y, _plane_height(ground, x, y) + h00)
            rise_x, rise_y = ground.plane[0] * CELL, ground.plane[1] * CELL
            last = (CELL, CELL, rise_x + rise_y + h11 - h00)
            here = subtract(p, origin)
            for half in range(2):
                middle = (CELL, 0.0, rise_x + h10 - h00) if half == 0 else (0.0, CELL, rise_y + h01 - h00)
                q = closest_on_triangle(here, middle, last)
                apart = subtract(here, q)
                if dot(apart, apart) <= best2:
                    best2, found, best = dot(apart, apart), True, add(origin, q)
    if not found:
        return (np.inf if above > 0.0 else above * normal[2]), normal
    distance = math.copysign(math.sqrt(best2), above)
    if abs(distance) > 1e-9:
        normal = scale(1.0 / distance, subtract(p, best))
    return distance, normal


@kernel
def nearest_on_base(ground: SpatialGround, p: Vector, radius: float) -> tuple[float, Vector]:
    """Return the distance of a point from the base, and the base's normal at the point nearest to it.

    Args:
        ground: the ground, whose blocks do not count.
        p: the point, m.
        radius: distance up to which the result is needed, m.

    Returns:
        The distance, m, negative inside the ground, and the normal. The distance can be infinite if it is more than the
        radius.
    """
    normal = (ground.plane[3], ground.plane[4], ground.plane[5])
    if ground.kind == PROFILE:
        distance, nx, nz = nearest(ground.profile_x, ground.profile_z, p[0], p[2], radius)
        return distance, (nx, 0.0, nz)
    distance = dot(normal, (p[0], p[1], p[2] - ground.plane[2]))
    if ground.kind == PLANE:
        return distance, normal
    if distance > radius + ground.summit * normal[2]:
        return np.inf, normal
    return _nearest_on_field(ground, p, radius)


@kernel
def nearest_on_block(ground: SpatialGround, b: int, p: Vector) -> tuple[float, Vector]:
    """Return the distance of a point from a block, and the block's normal at the point nearest to it.

    Args:
        ground: the ground.
        b: index of the block.
        p: the point, m.

    Returns:
        The distance, m, negative inside the block, and the normal.
    """
    u, v = _in_block(ground, b, p[0], p[1])
    over_u, over_v, over = abs(u) - ground.blocks[b, 2], abs(v) - ground.blocks[b, 3], p[2] - ground.blocks[b, 6]
    nu, nv, nz = 0.0, 0.0, 0.0
    distance = max(over_u, over_v, over)
    if distance > 0.0:
        nu, nv, nz = max(over_u, 0.0), max(over_v, 0.0), max(over, 0.0)
        distance = math.sqrt(nu * nu + nv * nv + nz * nz)
        nu, nv, nz = nu / distance, nv / distance, nz / distance
    elif distance == over:
        nz = 1.0
    elif distance == over_u:
        nu = 1.0
    else:
        nv = 1.0
    nu, nv = math.copysign(nu, u), math.copysign(nv, v)
    cosine, sine = ground.blocks[b, 4], ground.blocks[b, 5]
    return distance, (nu * cosine - nv * sine, nu * sine + nv * cosine, nz)


@kernel
def on_other_block(ground: SpatialGround, b: int, p: Vector) -> bool:
    """Return whether a point of block b lies in or on another block, so that an edge of block b is not exposed there.

    Args:
        ground: the ground.
        b: index of the block.
        p: the point, m.
    """
    for other in range(ground.blocks.shape[0]):
        if other != b and p[2] <= ground.blocks[other, 6] + _EDGE:
            u, v = _in_block(ground, other, p[0], p[1])
            if abs(u) <= ground.blocks[other, 2] + _EDGE and abs(v) <= ground.blocks[other, 3] + _EDGE:
                return True
    return False
