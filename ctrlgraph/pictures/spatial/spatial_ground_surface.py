"""The drawn surface of the ground around a place: planes, profiles, height fields and blocks as triangles."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ctrlgraph.pictures.planar.figure import ground_polyline
from ctrlgraph.pictures.spatial.spatial_solids import Solid, box, merged
from ctrlgraph.pictures.style import FloatArray
from ctrlgraph.terrain.spatial import SpatialTerrain
from ctrlgraph.terrain.spatial.height_field import CELL

MAX_CELLS = 240
"""Maximum number of cells of a height field that are drawn along each axis. Of a larger part, fewer points are used."""


def ground_surface(terrain: SpatialTerrain | None, x: float, y: float, radius: float) -> Solid:
    """Return the surface of the ground in a square around a place.

    Args:
        terrain: The ground; None for level ground at height 0.
        x: x of the middle, m.
        y: y of the middle, m.
        radius: Half the length of the square, m.
    """
    if terrain is None:
        return _extruded(np.array([x - radius, x + radius]), np.zeros(2), 0.0, y, radius)
    if terrain.grid.size > 0:
        base = _relief(terrain, x, y, radius)
    else:
        xs, zs = ground_polyline(terrain.profile, x - radius, x + radius)
        base = _extruded(xs, zs, terrain.gradient[1], y, radius)
    return merged([base, *_blocks(terrain, x, y, radius)])


def _extruded(xs: FloatArray, zs: FloatArray, bank: float, y: float, radius: float) -> Solid:
    """Return a profile that extends along y, with flat faces.

    Args:
        xs: x of the corners of the profile (n,), m.
        zs: Heights of the corners at y = 0 (n,), m.
        bank: Rise of the ground per distance along y.
        y: y of the middle, m.
        radius: Half the length along y, m.
    """
    run, rise = np.diff(xs), np.diff(zs)
    normal = np.column_stack([-rise, -bank * run, run])
    length = np.linalg.norm(normal, axis=1)
    kept = length > 0.0
    right, left = y - radius, y + radius
    corners = [(xs[:-1], zs[:-1], right), (xs[1:], zs[1:], right), (xs[1:], zs[1:], left), (xs[:-1], zs[:-1], left)]
    point = np.stack([np.column_stack([cx, np.full(len(cx), cy), cz + bank * cy]) for cx, cz, cy in corners], axis=1)
    first = 4 * np.arange(int(kept.sum()))[:, None]
    corner = np.concatenate([first + np.array(k) for k in ((0, 1, 2), (0, 2, 3))])
    normals = np.repeat(normal[kept] / length[kept, None], 4, axis=0)
    return Solid(point[kept].reshape(-1, 3), normals, corner)


def _relief(terrain: SpatialTerrain, x: float, y: float, radius: float) -> Solid:
    """Return the ground of a terrain with a height field, without blocks. The arguments are those of `ground_surface`.

    The points are those of the height field, and the triangles those of its cells.
    """
    step = max(1, math.ceil(2.0 * radius / CELL / MAX_CELLS))
    i, j = (
        np.arange(math.floor((middle - radius) / CELL / step), math.ceil((middle + radius) / CELL / step) + 1) * step
        for middle in (x, y)
    )
    m, n = terrain.grid.shape
    along, across = terrain.gradient
    xs, ys = i * CELL, j * CELL
    z0 = float(terrain.profile.y[0]) - along * float(terrain.profile.x[0])
    z = z0 + along * xs[:, None] + across * ys + terrain.grid[np.ix_(i % m, j % n)]
    slope_x, slope_y = np.gradient(z, xs, ys)
    normal = np.stack([-slope_x, -slope_y, np.ones_like(z)], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1)[:, :, None]
    point = np.stack([*np.broadcast_arrays(xs[:, None], ys), z], axis=-1)
    k = np.arange(z.size).reshape(z.shape)
    a, b, c, d = (part.reshape(-1) for part in (k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]))
    corner = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    return Solid(point.reshape(-1, 3), normal.reshape(-1, 3), corner)


def _blocks(terrain: SpatialTerrain, x: float, y: float, radius: float) -> list[Solid]:
    """Return the blocks of a terrain in a square around a place. The arguments are those of `ground_surface`.

    A block reaches down to the lowest ground at its corners.
    """
    base = replace(terrain, blocks=())
    found = []
    for bx, by, half_length, half_width, cosine, sine, top in terrain.tops.tolist():
        reach = radius + math.hypot(half_length, half_width)
        if abs(bx - x) < reach and abs(by - y) < reach:
            turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
            corners = [(s * half_length, t * half_width, 0.0) @ turn.T for s in (-1, 1) for t in (-1, 1)]
            bottom = min(base.height(bx + cx, by + cy) for cx, cy, _ in corners)
            half = (top - min(bottom, top)) / 2.0
            found.append(box(half_length, half_width, half).moved(turn, (bx, by, top - half)))
    return found
