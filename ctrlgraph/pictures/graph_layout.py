"""Layout of the picture of a graph: positions of the nodes, and curvatures of the edges so that they avoid nodes.

Stress majorisation (Gansner, Koren and North 2004) places the nodes so that distances in the picture are similar to
lengths of the shortest paths in the graph. The positions are then stretched to the shape of the picture, and the nodes
are moved apart until none overlap. The result is deterministic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Point = tuple[float, float]


class Box(NamedTuple):
    """Size and shape of a node in the picture. The shape is a rectangle, or a diamond with corners on the rectangle."""

    width: float
    """Half the width, inches."""
    height: float
    """Half the height, inches."""
    diamond: bool = False
    """Whether the shape is a diamond instead of a rectangle."""


CLEARANCE = (0.62, 0.42)
"""Minimum horizontal and vertical distance between two nodes, inches."""
BENDS = (0.1, -0.1, 0.22, -0.22, 0.36, -0.36, 0.55, -0.55, 0.75, -0.75)
"""Curvatures to try for each edge, as the parameter `rad` of matplotlib's connection style `arc3`."""
STRETCH = np.array([2.1, 1.35])
"""Horizontal and vertical distance in the picture of two nodes with a shortest path of length 1, inches."""
ROUNDS = 400
"""Number of iterations of the majorisation, and maximum number of iterations that move nodes apart."""
_INNER = slice(4, -4)
"""Points of a curve that are compared with other curves. Near its ends, curves of the same node always overlap."""
_OVERLAP = 0.12
"""Distance below which points of two curves count as overlapping, inches."""


def place(
    boxes: Mapping[str, Box], near: Sequence[tuple[str, str]], far: Sequence[tuple[str, str]]
) -> dict[str, Point]:
    """Choose positions for the nodes of a graph in a picture.

    Args:
        boxes: Size and shape of each node, by its name.
        near: Edges as pairs of node names. The two nodes of each edge are placed close together.
        far: Further edges. The nodes of such an edge are placed near each other only if no path connects them yet.

    Returns:
        Centre of each node, by its name, inches. The lower left corner of the graph is at the origin.
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
    points = _separated(_rotated_wide(points) * STRETCH, sizes)
    points -= (points - sizes).min(axis=0)
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, points, strict=True)}


def _majorised(distance: FloatArray) -> FloatArray:
    """Return points (n, 2) whose distances approximate a matrix. Small distances are approximated best.

    Args:
        distance: Wanted distance of each pair of points (n, n).
    """
    n = len(distance)
    angles = np.linspace(0, 2 * np.pi, n, endpoint=False)
    points = np.column_stack([np.cos(angles), np.sin(angles)]) * distance.max(initial=0.0) / 2
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


def _rotated_wide(points: FloatArray) -> FloatArray:
    """Rotate points (n, 2) so that the direction in which they extend farthest is horizontal."""
    _, _, axes = np.linalg.svd(points, full_matrices=False)
    rotated: FloatArray = points @ (axes.T * np.sign(axes.sum(axis=1) + 1e-12))
    return rotated


def _separated(points: FloatArray, sizes: FloatArray) -> FloatArray:
    """Move nodes apart until all distances are at least `CLEARANCE`, and return the new centres (n, 2), inches.

    Each pair is moved along the axis (x or y) that needs the smaller displacement.

    Args:
        points: Centres of the nodes (n, 2), inches.
        sizes: Half the width and half the height of each node (n, 2), inches.
    """
    points = points.copy()
    reach = sizes[:, None] + sizes[None, :] + np.array(CLEARANCE)
    for _ in range(ROUNDS):
        offset = points[:, None] - points[None, :]
        overlap = reach - np.abs(offset)
        touching = (overlap > 1e-6).all(axis=2)
        np.fill_diagonal(touching, False)
        if not touching.any():
            break
        for a, b in np.argwhere(np.triu(touching)):
            axis = int(np.argmin(overlap[a, b]))
            sign = 1.0 if offset[a, b, axis] >= 0 else -1.0
            points[a, axis] += sign * overlap[a, b, axis] / 2
            points[b, axis] -= sign * overlap[a, b, axis] / 2
    return points


def bends(
    edges: Sequence[tuple[str, str]],
    positions: Mapping[str, Point],
    boxes: Mapping[str, Box],
    *,
    bundled: Sequence[bool] | None = None,
) -> list[float]:
    """Choose the curvature of each edge so that its curve avoids nodes and the curves of edges earlier in `edges`.

    Args:
        edges: Name of the source and the target of each edge.
        positions: Centre of each node, by its name, inches.
        boxes: Size and shape of each node, by its name.
        bundled: For each edge, whether overlaps with other edges have a low cost. None: all overlaps have a high cost.

    Returns:
        Curvature of each edge, one of `BENDS`.
    """
    index = {name: i for i, name in enumerate(boxes)}
    centres = np.array([positions[name] for name in boxes]).reshape(-1, 2)
    reaches = np.array([box[:2] for box in boxes.values()]).reshape(-1, 2) + 0.1
    diamonds = np.array([box.diamond for box in boxes.values()], dtype=bool)
    amounts = np.abs(BENDS)
    drawn = np.empty((len(edges), *arc((0.0, 0.0), (1.0, 0.0), 0.0)[_INNER].shape))
    chosen: list[float] = []
    for (source, target), is_bundled in zip(edges, bundled or [False] * len(edges), strict=True):
        others = np.ones(len(boxes), dtype=bool)
        others[[index[source], index[target]]] = False
        curves = _arcs(positions[source], positions[target], np.array(BENDS))
        costs = (
            10.0 * _hidden_points(curves, centres[others], reaches[others], diamonds[others])
            + (0.1 if is_bundled else 1.0) * _overlapping_points(curves[:, _INNER], drawn[: len(chosen)])
            + (12.0 if is_bundled else 4.0) * amounts
        )
        best = int(np.argmin(costs))
        drawn[len(chosen)] = curves[best, _INNER]
        chosen.append(BENDS[best])
    return chosen


def arc(source: Point, target: Point, bend: float) -> FloatArray:
    """Return 24 points on the curve that matplotlib's connection style `arc3` draws (24, 2), inches.

    Args:
        source: Start of the curve, inches.
        target: End of the curve, inches.
        bend: Curvature, as the parameter `rad` of `arc3`.
    """
    curve: FloatArray = _arcs(source, target, np.array([bend]))[0]
    return curve


def _arcs(source: Point, target: Point, bends: FloatArray) -> FloatArray:
    """Return 24 points on each of n curves from `source` to `target` (n, 24, 2), inches, given the curvatures (n,)."""
    (x1, y1), (x2, y2) = source, target
    control = np.column_stack([(x1 + x2) / 2 + bends * (y2 - y1), (y1 + y2) / 2 - bends * (x2 - x1)])[:, None]
    u = np.linspace(0, 1, 24)[:, None]
    curves: FloatArray = (1 - u) ** 2 * np.array(source) + 2 * u * (1 - u) * control + u**2 * np.array(target)
    return curves


def _hidden_points(curves: FloatArray, centres: FloatArray, reaches: FloatArray, diamonds: BoolArray) -> IntArray:
    """Return for each of m curves the number of its points inside nodes (m,). A point inside two nodes counts twice.

    Args:
        curves: Points of m curves (m, k, 2), inches.
        centres: Centres of n nodes (n, 2), inches.
        reaches: Half the width and half the height of each node (n, 2), inches.
        diamonds: Whether each node is a diamond (n,).
    """
    reach = np.abs(curves[:, :, None] - centres) / reaches
    within = np.where(diamonds, reach[..., 0] + reach[..., 1], np.maximum(reach[..., 0], reach[..., 1])) < 1
    count: IntArray = within.sum(axis=(1, 2))
    return count


def _overlapping_points(curves: FloatArray, drawn: FloatArray) -> IntArray:
    """Return for each of m curves the number of its points that overlap curves drawn before (m,).

    A point that overlaps two of these curves counts twice.

    Args:
        curves: Points of m curves (m, k, 2), inches.
        drawn: Points of n curves drawn before (n, l, 2), inches.
    """
    if not len(drawn):
        return np.zeros(len(curves), dtype=np.int64)
    pairs = cKDTree(curves.reshape(-1, 2)).query_ball_tree(cKDTree(drawn.reshape(-1, 2)), _OVERLAP)
    overlaps = [len({other // drawn.shape[1] for other in others}) for others in pairs]
    count: IntArray = np.reshape(overlaps, curves.shape[:2]).sum(axis=1)
    return count


def free_direction(name: str, edges: Sequence[tuple[str, str]], positions: Mapping[str, Point]) -> float:
    """Return a direction with space for the loop of an edge from a node to itself, rad.

    The result is the diagonal direction with the largest angle to the node's edges to other nodes.

    Args:
        name: Name of the node.
        edges: Name of the source and the target of each edge.
        positions: Centre of each node, by its name, inches.
    """
    x, y = positions[name]
    ends = [positions[b if a == name else a] for a, b in edges if name in (a, b) and a != b]
    taken = np.array([np.arctan2(end[1] - y, end[0] - x) for end in ends])
    diagonals = np.pi / 4 + np.pi / 2 * np.arange(4)
    turns = np.abs((diagonals[:, None] - taken[None, :] + np.pi) % (2 * np.pi) - np.pi)
    return float(diagonals[np.argmax(turns.min(axis=1, initial=np.pi))])
