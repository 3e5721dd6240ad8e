"""What a picture of a graph consists of, whoever draws it: which nodes stand where, and how the edges run."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.view.graph_layout import Box, FloatArray, Point, bends, free_direction, place

LETTER = (0.082, 0.17)  # in: width and height of a letter in a node
LINE = 14  # letters in a line of a node's name
_CUTS = 256  # so finely is looked where an edge leaves a node


class NodeLike(Protocol):
    """What the picture needs of a node."""

    @property
    def name(self) -> str: ...
    @property
    def is_static(self) -> bool: ...


class EdgeLike(Protocol):
    """What the picture needs of an edge; `kind` is naive, learned or corrective, and a planned one of `weight` 0 is for
    goal walks only."""

    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def weight(self) -> float: ...


class GraphLike(Protocol):
    """What the picture needs of a graph (`ctrlgraph.graph.ControllerGraph` has it)."""

    @property
    def start(self) -> str: ...
    @property
    def nodes(self) -> Mapping[str, NodeLike]: ...
    @property
    def edges(self) -> Sequence[EdgeLike]: ...


@dataclass(frozen=True)
class DrawnEdge:
    """An edge, and how far it bends (as matplotlib's `arc3,rad=`); one from a node to itself has the direction instead
    in which it leaves the node (rad)."""

    source: str
    target: str
    kind: str
    bend: float = 0.0
    direction: float | None = None


@dataclass(frozen=True)
class GraphDrawing:
    """A graph's picture before it is drawn; lengths in in, y up.

    boxes, positions: of the nodes by name, in the graph's order; edges: in drawing order; left_out: how many planned
    edges of weight 0 are only counted, since hundreds of them hide the others.
    """

    boxes: dict[str, Box]
    positions: dict[str, Point]
    edges: tuple[DrawnEdge, ...]
    left_out: int

    @staticmethod
    def of(graph: GraphLike) -> GraphDrawing:
        """Return the drawing of a graph.

        Raises:
            CtrlGraphError: the graph has no nodes.
        """
        if not graph.nodes:
            raise CtrlGraphError("there is nothing to draw: the graph has no nodes")
        every = _distinct(graph.edges)
        edges = [edge for edge in every if edge.kind == "corrective" or edge.weight > 0.0]
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
        return GraphDrawing(boxes, positions, drawn, len(every) - len(edges))

    def curve(self, edge: DrawnEdge) -> tuple[Point, ...]:
        """Return the points of an edge as a Bézier curve between the outlines of its nodes: three of them (quadratic),
        or four (cubic) of an edge from a node to itself."""
        a, b = self.positions[edge.source], self.positions[edge.target]
        if edge.direction is not None:
            return loop(a, self.boxes[edge.source], edge.direction)
        (x1, y1), (x2, y2) = a, b
        middle = ((x1 + x2) / 2 + edge.bend * (y2 - y1), (y1 + y2) / 2 - edge.bend * (x2 - x1))
        u = np.linspace(0.0, 1.0, _CUTS)
        points = _quadratic(np.array([a, middle, b]), u)
        free = ~_inside(points, a, self.boxes[edge.source]) & ~_inside(points, b, self.boxes[edge.target])
        where = np.flatnonzero(free)
        if not where.size:
            return a, middle, b
        start, end = float(u[where[0]]), float(u[where[-1]])
        # the part of a quadratic curve is one again, whose middle point is its blossom
        first, last = _quadratic(np.array([a, middle, b]), np.array([start, end]))
        blend = (1 - start) * (1 - end), (1 - start) * end + start * (1 - end), start * end
        between = np.array(blend) @ np.array([a, middle, b])
        return tuple((float(x), float(y)) for x, y in (first, between, last))


def lines(name: str) -> list[str]:
    """Return the lines in which a node's name is written."""
    return textwrap.wrap(printable(name).replace("_", " "), LINE) or [printable(name)]


def loop(at: Point, box: Box, direction: float) -> tuple[Point, Point, Point, Point]:
    """Return the cubic curve of an edge from a node to itself, around one of its corners."""
    right, up = (1 if np.cos(direction) > 0 else -1), (1 if np.sin(direction) > 0 else -1)
    inset = 0.5 if box.diamond else 0.0  # a diamond's side is further in
    beside = (at[0] + right * box.width * (1 - inset), at[1] + up * box.height * (0.35 + 0.3 * inset))
    above = (at[0] + right * box.width * (0.45 - 0.1 * inset), at[1] + up * box.height * (1 - 0.6 * inset))
    return (
        beside,
        (beside[0] + right * 0.55, beside[1] + up * 0.15),
        (above[0] + right * 0.15, above[1] + up * 0.55),
        above,
    )


def _distinct(edges: Sequence[EdgeLike]) -> list[EdgeLike]:
    """One edge for each source, target and kind; the planned ones are routed first."""
    found = {(edge.source, edge.target, edge.kind): edge for edge in edges}
    return sorted(found.values(), key=lambda edge: edge.kind == "corrective")


def outline(node: NodeLike) -> Box:
    """Half width and half height that hold the name (a diamond needs about twice the room), in in."""
    written = lines(node.name)
    width, height = max(map(len, written)) * LETTER[0], len(written) * LETTER[1]
    if node.is_static:
        return Box(width / 2 + 0.18, height / 2 + 0.17)
    return Box(width / 2 + 0.34 + 0.08 * len(written), height / 2 + 0.32 + 0.08 * len(written), diamond=True)


def _quadratic(points: FloatArray, u: FloatArray) -> FloatArray:
    v = u[:, None]
    curve: FloatArray = (1 - v) ** 2 * points[0] + 2 * v * (1 - v) * points[1] + v**2 * points[2]
    return curve


def _inside(points: FloatArray, at: Point, box: Box) -> NDArray[np.bool_]:
    reach = np.abs(points - at) / (box.width, box.height)
    within: NDArray[np.bool_] = (reach.sum(axis=1) if box.diamond else reach.max(axis=1)) < 1.0
    return within
