"""Shortest ways on the ground around blocks, by waypoints."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from ctrlgraph.terrain.pieces import TerrainError
from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain

Place = tuple[float, float]

MAX_AVOIDED = 100
"""Maximum number of blocks of a terrain on which ways are planned."""
MAX_PLACES = 100
"""Maximum number of places on a way."""
MAX_WAY_M = 1000.0
"""Maximum length of a way, m."""
_INSIDE_M = 1e-6
"""Depth below which a line along the edge of an area does not cross it, m."""


def shortest_way(terrain: SpatialTerrain, places: Sequence[Place], clearance: float) -> list[Place]:
    """Return the corners of the shortest line from place to place that passes no block nearer than `clearance`.

    Around each block, a rectangle is left out that is larger than the block by the clearance on each side. The line
    goes from corner to corner of these rectangles (a visibility graph).

    Args:
        terrain: the ground with the blocks. Other obstacles are not avoided.
        places: where the line begins, the places on it, and where it ends, m.
        clearance: minimum distance of the line from the sides of the blocks, m.

    Raises:
        TerrainError: a place is too near to a block, no line leads from one place to the next, or there are too many
            blocks or places, or the way is too long.
    """
    if len(terrain.blocks) > MAX_AVOIDED:
        raise TerrainError(f"ways lead around at most {MAX_AVOIDED} blocks, not {len(terrain.blocks)}: remove some")
    if len(places) > MAX_PLACES + 1:
        raise TerrainError(f"a way leads to at most {MAX_PLACES} places, not {len(places) - 1}: leave some out")
    _require_short(places)
    areas = terrain.tops[:, :6] + np.array([0.0, 0.0, clearance, clearance, 0.0, 0.0])
    for x, y in places:
        if _crosses(areas, np.array([x, y]), np.array([x, y])):
            place = f"{round(x, 2):g},{round(y, 2):g}"
            raise TerrainError(f"the place {place} is less than {clearance:.2g} m from a block: choose another one")
    points = [*dict.fromkeys(places), *_corners(areas)]
    points = [each for each in points if not _crosses(areas, np.array(each), np.array(each))]
    net: nx.Graph[Place] = nx.Graph()
    net.add_nodes_from(points)
    for a, b in itertools.combinations(points, 2):
        if not _crosses(areas, np.array(a), np.array(b)):
            net.add_edge(a, b, weight=math.dist(a, b))
    way = [places[0]]
    for a, b in itertools.pairwise(places):
        if not nx.has_path(net, a, b):
            raise TerrainError(f"no way leads around the blocks from {a[0]:g},{a[1]:g} to {b[0]:g},{b[1]:g}")
        way += nx.dijkstra_path(net, a, b)[1:]
    _require_short(way)
    return way


def _require_short(way: Sequence[Place]) -> None:
    length = sum(math.dist(a, b) for a, b in itertools.pairwise(way))
    if length > MAX_WAY_M:
        raise TerrainError(f"a way has at most {MAX_WAY_M:,.0f} m, not {length:,.0f}: choose nearer places")


def _corners(areas: NDArray[np.float64]) -> list[Place]:
    found = []
    for x, y, half_length, half_width, cosine, sine in areas:
        for u, v in itertools.product((-half_length, half_length), (-half_width, half_width)):
            found.append((float(x + u * cosine - v * sine), float(y + u * sine + v * cosine)))
    return found


def _crosses(areas: NDArray[np.float64], start: NDArray[np.float64], end: NDArray[np.float64]) -> bool:
    """Return whether a straight line from `start` to `end` has a part inside one of the areas."""
    low, high = np.zeros(len(areas)), np.ones(len(areas))
    for cosine, sine, half in ((areas[:, 4], areas[:, 5], areas[:, 2]), (-areas[:, 5], areas[:, 4], areas[:, 3])):
        first = (start[0] - areas[:, 0]) * cosine + (start[1] - areas[:, 1]) * sine
        change = (end[0] - start[0]) * cosine + (end[1] - start[1]) * sine
        inner = half - _INSIDE_M
        still = np.abs(change) < 1e-12
        change = np.where(still, 1.0, change)
        one, other = (-inner - first) / change, (inner - first) / change
        outside = still & (np.abs(first) >= inner)
        low = np.maximum(low, np.where(still, 0.0, np.minimum(one, other)))
        high = np.minimum(high, np.where(outside, -1.0, np.where(still, 1.0, np.maximum(one, other))))
    return bool((low <= high).any())
