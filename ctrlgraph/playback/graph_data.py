"""The picture of a controller graph as data for a browser: positions of nodes, curves of edges, success rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import to_hex

from ctrlgraph.graph.model import ControllerGraph
from ctrlgraph.pictures.graph_drawing import GraphDrawing, name_lines
from ctrlgraph.pictures.graph_figure import SUCCESS, EdgeName
from ctrlgraph.pictures.graph_layout import Point

if TYPE_CHECKING:
    from ctrlgraph.run_log.statistics import Statistics
    from ctrlgraph.statistics import SuccessCount

_UNITS = 100.0
"""Number of pixels in the browser per inch of the layout. Letters are about 14 pixels high."""


def graph_of(
    graph: ControllerGraph,
    *,
    node_success: Mapping[str, SuccessCount] | None = None,
    edge_success: Mapping[EdgeName, SuccessCount] | None = None,
) -> dict[str, Any]:
    """Lay out a controller graph, and return its picture as JSON data for the JavaScript module graph.js.

    Lengths are in pixels; x points to the right and y down, from the upper left corner. The keys are:

    - `width`, `height`: size of the picture
    - `nodes`: list of nodes, each with `name`, `lines` (the name, broken into lines), `static` (whether it is a static
      pose), `start` (whether walks start there), `x` and `y` (centre), and `width` and `height` (half the size)
    - `edges`: list of edges, each with `source`, `target`, `kind` and `path` (the text of an SVG path)
    - `left_out`: number of edges of weight 0, which are not drawn
    - `scale`: colours of the success rates 0, 0.25, 0.5, 0.75 and 1

    Nodes and edges that were attempted also have `success`, with `rate`, `successes`, `attempts` and `colour`.

    Args:
        graph: Graph to draw.
        node_success: Numbers of successes and attempts of each node, by its name.
        edge_success: Numbers of successes and attempts of each edge, by its source, target and kind.

    Raises:
        CtrlGraphError: The graph has no nodes.
    """
    drawing = GraphDrawing.of(graph)
    curves = [drawing.curve(edge) for edge in drawing.edges]
    boxes = [(drawing.positions[name], drawing.boxes[name]) for name in drawing.boxes]
    corners = [(x + side * w, y + side * h) for (x, y), (w, h, _) in boxes for side in (-1, 1)]
    corners += [point for curve in curves for point in _along(curve)]
    left, bottom = (min(corner[axis] for corner in corners) for axis in (0, 1))
    right, top = (max(corner[axis] for corner in corners) for axis in (0, 1))

    def pixel(point: Point) -> tuple[float, float]:
        return round((point[0] - left) * _UNITS, 1), round((top - point[1]) * _UNITS, 1)

    nodes = []
    for name, node in graph.nodes.items():
        x, y = pixel(drawing.positions[name])
        box = drawing.boxes[name]
        found = {"name": name, "lines": name_lines(name), "static": node.is_static, "start": name == graph.start}
        outline = {"x": x, "y": y, "width": round(box.width * _UNITS, 1), "height": round(box.height * _UNITS, 1)}
        nodes.append(found | outline | _success((node_success or {}).get(name)))
    edges = []
    for edge, curve in zip(drawing.edges, curves, strict=True):
        path = _path([pixel(point) for point in curve])
        drawn = {"source": edge.source, "target": edge.target, "kind": edge.kind, "path": path}
        edges.append(drawn | _success((edge_success or {}).get((edge.source, edge.target, edge.kind))))
    size = {"width": round((right - left) * _UNITS, 1), "height": round((top - bottom) * _UNITS, 1)}
    scale = [to_hex(SUCCESS(share)) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    return {**size, "scale": scale, "nodes": nodes, "edges": edges, "left_out": drawing.n_hidden}


def measured_graph(graph: ControllerGraph, statistics: Statistics) -> dict[str, Any]:
    """Return the data of `graph_of` with the success rates of nodes and edges from a log.

    Args:
        graph: Graph to draw.
        statistics: Success counts of nodes and edges in the log.
    """
    return graph_of(
        graph,
        node_success={node.name: node.success.count for node in statistics.nodes},
        edge_success={(edge.source, edge.target, edge.kind): edge.success.count for edge in statistics.edges},
    )


def _along(curve: Sequence[Point]) -> list[Point]:
    """Return 33 points on the Bézier curve with the control points `curve`."""
    order, u = len(curve) - 1, np.linspace(0.0, 1.0, 33)
    weights = np.array([comb(order, k) * u**k * (1.0 - u) ** (order - k) for k in range(order + 1)])
    return [(float(x), float(y)) for x, y in weights.T @ np.array(curve)]


def _path(points: list[tuple[float, float]]) -> str:
    first, *others = (f"{x:g} {y:g}" for x, y in points)
    return f"M{first}{'Q' if len(others) == 2 else 'C'}{' '.join(others)}"


def _success(count: SuccessCount | None) -> dict[str, Any]:
    if count is None or count.share is None:
        return {}
    data = {"rate": count.share, "successes": count.successes, "attempts": count.trials}
    return {"success": data | {"colour": to_hex(SUCCESS(count.share))}}
