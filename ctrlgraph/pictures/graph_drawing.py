"""The geometry of the picture of a controller graph: positions and outlines of the nodes, and curves of the edges."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.graph.model import ControllerGraph, Edge, Node
from ctrlgraph.pictures.graph_layout import Box, FloatArray, Point, bends, free_direction, place

LETTER = (0.082, 0.17)
"""Width and height of a letter of a node's name, inches."""
LINE = 14
"""Maximum length of a line of a node's name, letters."""
_CUTS = 256
"""Number of points at which a curve is tested for being inside a node, to cut the curve at the node's outline."""


@dataclass(frozen=True)
class DrawnEdge:
    """An edge of the graph, and the shape of the curve that represents it in the picture."""

    source: str
    """Name of the source node."""
    target: str
    """Name of the target node."""
    kind: str
    """Kind of the edge: "naive", "learned" or "corrective"."""
    bend: float = 0.0
    """Curvature, as the parameter `rad` of matplotlib's connection style `arc3`."""
    direction: float | None = None
    """For an edge from a node to itself: direction from the node's centre to the loop, rad. None for other edges."""


@dataclass(frozen=True)
class GraphDrawing:
    """Places of all nodes and edges in the picture of a graph. Lengths are in inches; x points right and y up."""

    boxes: dict[str, Box]
    """Size and shape of each node, by its name."""
    positions: dict[str, Point]
    """Centre of each node, by its name."""
    edges: tuple[DrawnEdge, ...]
    """Edges to draw, in this order."""
    n_hidden: int
    """Number of edges that are not drawn: planned edges of weight 0. Hundreds of them would cover the other edges."""

    @staticmethod
    def of(graph: ControllerGraph) -> GraphDrawing:
        """Choose places for the nodes and edges of a graph.

        Raises:
            CtrlGraphError: The graph has no nodes.
        """
        if not graph.nodes:
            raise CtrlGraphError("the graph has no nodes to draw: add a node to the graph file")
        distinct = _distinct(graph.edges)
        edges = [edge for edge in distinct if edge.kind == "corrective" or edge.weight > 0.0]
        boxes = {name: outline(node) for name, node in graph.nodes.items()}
        near = [(e.source, e.target) for e in edges if e.kind != "corrective" and e.source != e.target]
        far = [(e.source, e.target) for e in edges if e.kind == "corrective" and e.source != e.target]
        positions = place(boxes, near, far)
        ends = [(edge.source, edge.target) for edge in edges]
        bent = bends(ends, positions, boxes, bundled=[edge.kind == "corrective" for edge in edges])
        drawn = tuple(
            DrawnEdge(e.source, e.target, str(e.kind), direction=free_direction(e.source, ends, positions))
            if e.source == e.target
            else DrawnEdge(e.source, e.target, str(e.kind), bend)
            for e, bend in zip(edges, bent, strict=True)
        )
        return GraphDrawing(boxes, positions, drawn, len(distinct) - len(edges))

    def curve(self, edge: DrawnEdge, gap: float = 0.0) -> tuple[Point, ...]:
        """Return the Bézier curve of an edge, from the outline of its source to the outline of its target.

        Args:
            edge: One of `edges`.
            gap: Distance between the ends of the curve and the outlines, inches.

        Returns:
            The control points of the curve, inches: three, or four for an edge from a node to itself.
        """
        a, b = self.positions[edge.source], self.positions[edge.target]
        if edge.direction is not None:
            return self_loop(a, self.boxes[edge.source], edge.direction)
        (x1, y1), (x2, y2) = a, b
        middle = ((x1 + x2) / 2 + edge.bend * (y2 - y1), (y1 + y2) / 2 - edge.bend * (x2 - x1))
        u = np.linspace(0.0, 1.0, _CUTS)
        points = _quadratic(np.array([a, middle, b]), u)
        free = ~_inside(points, a, self.boxes[edge.source], gap) & ~_inside(points, b, self.boxes[edge.target], gap)
        where = np.flatnonzero(free)
        if not where.size:
            return a, middle, b
        start, end = float(u[where[0]]), float(u[where[-1]])
        # a part of a quadratic curve is quadratic; its middle control point is the blossom
        first, last = _quadratic(np.array([a, middle, b]), np.array([start, end]))
        blend = (1 - start) * (1 - end), (1 - start) * end + start * (1 - end), start * end
        between = np.array(blend) @ np.array([a, middle, b])
        return tuple((float(x), float(y)) for x, y in (first, between, last))


def name_lines(name: str) -> list[str]:
    """Break a node's name into lines of at most `LINE` letters, preferably between words. Each _ becomes a space."""
    return textwrap.wrap(printable(name).replace("_", " "), LINE) or [printable(name)]


def self_loop(centre: Point, box: Box, direction: float) -> tuple[Point, Point, Point, Point]:
    """Return the control points of the cubic Bézier curve of an edge from a node to itself, inches.

    The curve is a loop around one corner of the node's box.

    Args:
        centre: Centre of the node, inches.
        box: Size and shape of the node.
        direction: Direction from the centre to the corner, rad.
    """
    right, up = (1 if np.cos(direction) > 0 else -1), (1 if np.sin(direction) > 0 else -1)
    inset = 0.5 if box.diamond else 0.0  # the sides of a diamond are further in
    side = (centre[0] + right * box.width * (1 - inset), centre[1] + up * box.height * (0.35 + 0.3 * inset))
    above = (centre[0] + right * box.width * (0.45 - 0.1 * inset), centre[1] + up * box.height * (1 - 0.6 * inset))
    return (side, (side[0] + right * 0.55, side[1] + up * 0.15), (above[0] + right * 0.15, above[1] + up * 0.55), above)


def _distinct(edges: Sequence[Edge]) -> list[Edge]:
    """Return one edge for each combination of source, target and kind. Corrective edges come last."""
    found = {(edge.source, edge.target, edge.kind): edge for edge in edges}
    return sorted(found.values(), key=lambda edge: edge.kind == "corrective")


def outline(node: Node) -> Box:
    """Return the shape of a node, large enough for its name: a rectangle for a static pose, a diamond for a motion."""
    text_lines = name_lines(node.name)
    width, height = max(map(len, text_lines)) * LETTER[0], len(text_lines) * LETTER[1]
    if node.is_static:
        return Box(width / 2 + 0.18, height / 2 + 0.17)
    return Box(width / 2 + 0.34 + 0.08 * len(text_lines), height / 2 + 0.32 + 0.08 * len(text_lines), diamond=True)


def _quadratic(points: FloatArray, u: FloatArray) -> FloatArray:
    v = u[:, None]
    curve: FloatArray = (1 - v) ** 2 * points[0] + 2 * v * (1 - v) * points[1] + v**2 * points[2]
    return curve


def _inside(points: FloatArray, centre: Point, box: Box, gap: float) -> NDArray[np.bool_]:
    reach = np.abs(points - centre) / (box.width + gap, box.height + gap)
    within: NDArray[np.bool_] = (reach.sum(axis=1) if box.diamond else reach.max(axis=1)) < 1.0
    return within
