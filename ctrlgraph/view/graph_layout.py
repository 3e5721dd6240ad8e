"""Where the nodes of a graph's picture stand, and how its edges bend around them.

Positions come from graph distances by stress majorisation (Gansner, Koren and North 2004), are
stretched to the picture's shape and pushed apart until no boxes touch; everything is deterministic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import networkx as nx
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Point = tuple[float, float]


class Box(NamedTuple):
    """A node's extent in in: half its width and height; a diamond touches it with its corners only."""

    width: float
    height: float
    diamond: bool = False


CLEARANCE = (0.62, 0.42)  # in: free space between two boxes, across and up
BENDS = (0.1, -0.1, 0.22, -0.22, 0.36, -0.36, 0.55, -0.55, 0.75, -0.75)
STRETCH = np.array([2.1, 1.35])  # in for each step of graph distance, across and up
ROUNDS = 400
_INNER = slice(4, -4)
"""The points of a curve that are not near its ends, where edges meet in any case."""
_ON = 0.12  # in: so near an edge lies on another


def place(
    boxes: Mapping[str, Box], near: Sequence[tuple[str, str]], far: Sequence[tuple[str, str]]
) -> dict[str, Point]:
    """Return a position for each name, in in, the least corner of all boxes at the origin.

    `near` are pairs that should stand close together, `far` pairs that only matter where nothing
    else joins two parts of the graph.
    """
    names = list(boxes)
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from(near, weight=1.0)
    for a, b in far:
        if not graph.has_edge(a, b) and not nx.has_path(graph, a, b):
            graph.add_edge(a, b, weight=2.0)
    for part in list(nx.connected_components(graph))[1:]:
        graph.add_edge(names[0], min(part, key=names.index), weight=2.0)
    lengths = dict(nx.all_pairs_dijkstra_path_length(graph))
    points = _majorised(np.array([[lengths[a][b] for b in names] for a in names], dtype=np.float64))
    sizes = np.array([boxes[name][:2] for name in names])
    points = _apart(_turned_broad(points) * STRETCH, sizes)
    points -= (points - sizes).min(axis=0)
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, points, strict=True)}


def _majorised(distance: FloatArray) -> FloatArray:
    """Points (n, 2) whose distances come close to the given ones (n, n), near pairs weighing most."""
    n = len(distance)
    turn = np.linspace(0, 2 * np.pi, n, endpoint=False)
    points = np.column_stack([np.cos(turn), np.sin(turn)]) * distance.max(initial=0.0) / 2
    apart = ~np.eye(n, dtype=bool)
    weight = np.where(apart, 1 / np.where(apart, distance, 1.0) ** 2, 0.0)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    inverse = np.linalg.pinv(laplacian)
    for _ in range(ROUNDS):
        actual = np.linalg.norm(points[:, None] - points[None, :], axis=2)
        pull = np.where(apart, weight * distance / np.maximum(actual, 1e-9), 0.0)
        points = inverse @ ((np.diag(pull.sum(axis=1)) - pull) @ points)
    centred: FloatArray = points - points.mean(axis=0)
    return centred


def _turned_broad(points: FloatArray) -> FloatArray:
    """Turn the points so that their longest extent lies across the picture."""
    _, _, axes = np.linalg.svd(points, full_matrices=False)
    turned: FloatArray = points @ (axes.T * np.sign(axes.sum(axis=1) + 1e-12))
    return turned


def _apart(points: FloatArray, sizes: FloatArray) -> FloatArray:
    """Push boxes apart, along the axis where that takes the shorter way, until none come too close."""
    points = points.copy()
    reach = sizes[:, None] + sizes[None, :] + np.array(CLEARANCE)
    for _ in range(ROUNDS):
        offset = points[:, None] - points[None, :]
        lack = reach - np.abs(offset)
        touching = (lack > 1e-6).all(axis=2)
        np.fill_diagonal(touching, False)
        if not touching.any():
            break
        for a, b in np.argwhere(np.triu(touching)):
            axis = int(np.argmin(lack[a, b]))
            way = 1.0 if offset[a, b, axis] >= 0 else -1.0
            points[a, axis] += way * lack[a, b, axis] / 2
            points[b, axis] -= way * lack[a, b, axis] / 2
    return points


def bends(
    edges: Sequence[tuple[str, str]],
    positions: Mapping[str, Point],
    boxes: Mapping[str, Box],
    *,
    bundled: Sequence[bool] | None = None,
) -> list[float]:
    """For each edge, how far it bends (as matplotlib's `arc3,rad=`) to go clear of nodes and edges.

    Edges that are `bundled` may run along others; they only avoid nodes.
    """
    drawn = np.empty((len(edges), *arc((0.0, 0.0), (1.0, 0.0), 0.0)[_INNER].shape))
    chosen: list[float] = []
    for (source, target), loose in zip(edges, bundled or [False] * len(edges), strict=True):
        others = [(positions[name], box) for name, box in boxes.items() if name not in (source, target)]
        curves = {bend: arc(positions[source], positions[target], bend) for bend in BENDS}
        costs = {
            bend: 10.0 * _behind(curve, others)
            + (0.1 if loose else 1.0) * _crowded(curve, drawn[: len(chosen)])
            + (12.0 if loose else 4.0) * abs(bend)
            for bend, curve in curves.items()
        }
        best = min(BENDS, key=costs.__getitem__)
        drawn[len(chosen)] = curves[best][_INNER]
        chosen.append(best)
    return chosen


def arc(source: Point, target: Point, bend: float) -> FloatArray:
    """Return points (24, 2) of the quadratic curve that matplotlib draws for `arc3,rad=bend`."""
    (x1, y1), (x2, y2) = source, target
    control = np.array([(x1 + x2) / 2 + bend * (y2 - y1), (y1 + y2) / 2 - bend * (x2 - x1)])
    u = np.linspace(0, 1, 24)[:, None]
    curve: FloatArray = (1 - u) ** 2 * np.array(source) + 2 * u * (1 - u) * control + u**2 * np.array(target)
    return curve


def _behind(curve: FloatArray, others: Sequence[tuple[Point, Box]]) -> int:
    """How many of the curve's points are hidden by nodes."""
    count = 0
    for centre, box in others:
        reach = np.abs(curve - centre) / (box.width + 0.1, box.height + 0.1)
        count += int(((reach.sum(axis=1) if box.diamond else reach.max(axis=1)) < 1).sum())
    return count


def _crowded(curve: FloatArray, drawn: FloatArray) -> int:
    """How often an inner point of the curve lies on one of the edges drawn already, of which these are inner points."""
    if not len(drawn):
        return 0
    x, y = (curve[_INNER, None, None, axis] - drawn[None, :, :, axis] for axis in (0, 1))
    return int(((x * x + y * y).min(axis=2) < _ON**2).sum())


def free_direction(name: str, edges: Sequence[tuple[str, str]], positions: Mapping[str, Point]) -> float:
    """Return the diagonal direction (rad) in which a node has the most room for a loop."""
    x, y = positions[name]
    ends = [positions[b if a == name else a] for a, b in edges if name in (a, b) and a != b]
    taken = np.array([np.arctan2(end[1] - y, end[0] - x) for end in ends])
    diagonals = np.pi / 4 + np.pi / 2 * np.arange(4)
    turns = np.abs((diagonals[:, None] - taken[None, :] + np.pi) % (2 * np.pi) - np.pi)
    return float(diagonals[np.argmax(turns.min(axis=1, initial=np.pi))])
