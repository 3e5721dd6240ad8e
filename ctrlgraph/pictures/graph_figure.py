"""The picture of a controller graph: nodes, and edges as arrows.

Nodes with static poses are rectangles, and nodes with dynamic motions are diamonds. Naive edges (target unchanged) are
solid arrows, learned edges have open arrow heads, and corrective edges (taken after a failure) are dashed. Drafts
(unfinished nodes that no walk enters) have dotted outlines and are drawn below the graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Patch, Polygon
from matplotlib.path import Path as Path2D

from ctrlgraph.files import replacing
from ctrlgraph.graph.model import ControllerGraph, Node
from ctrlgraph.pictures.graph_drawing import GraphDrawing, name_lines, outline
from ctrlgraph.pictures.graph_layout import Box, Point, arc
from ctrlgraph.pictures.style import INK, MUTED, NEAR, PAPER, TRUNK, free_pixels, plain_lettering

EdgeName = tuple[str, str, str]
"""Source, target and kind of an edge, such as ("walk", "stand", "naive")."""

STATIC_FILL = "#e3eaf2"
DYNAMIC_FILL = "#fbe7de"
CORRECTIVE = "#7b5ea7"
UNTRIED = ("#f4f6f8", "#a9b3bd")
"""Fill and line colour of nodes and edges that were never attempted. Only used if colours show success rates."""
SUCCESS = LinearSegmentedColormap.from_list("success", ["#c0392b", "#f0c75e", "#3f9b63"])
"""Colours of success rates from 0 (red) to 1 (green)."""
MARGIN = 0.45
"""Width of the margin around the graph, and distance between two drafts, inches."""
LEGEND = (11.9, 0.6)
"""Width and height of the legend, inches."""
DOTTED = (0, (1.2, 1.6))


def write_graph_figure(
    graph: ControllerGraph,
    *paths: Path | str,
    node_success: Mapping[str, float] | None = None,
    edge_success: Mapping[EdgeName, float] | None = None,
    drafts: Sequence[Node] = (),
) -> None:
    """Draw the graph once and write the picture to one or more .png or .svg files.

    Naive and learned edges of weight 0 are not drawn, because hundreds of them would cover the other edges. The legend
    states how many were left out.

    Args:
        graph: Graph to draw.
        paths: Output files.
        node_success: Success rate (0 to 1) of each node, by its name, shown as a colour.
        edge_success: Success rate (0 to 1) of each edge, by its source, target and kind, shown as a colour.
        drafts: Unfinished nodes, which no walk enters, to draw below the graph.

    Raises:
        CtrlGraphError: The graph has no nodes, or a file cannot be written.
    """
    drawing = GraphDrawing.of(graph)
    boxes, positions = drawing.boxes, drawing.positions
    with plain_lettering():
        draft_places = _place_drafts(drawing, drafts)
        canvas, axes, bottom = _canvas(drawing, draft_places)
        coloured = bool(node_success or edge_success)
        for draft in drafts:
            ink = _colours(draft, None, False)[1]
            _draw_node(axes, draft, draft_places[draft.name], (PAPER, ink), None, False).set_linestyle(DOTTED)
        for name, node in graph.nodes.items():
            success = (node_success or {}).get(name)
            colours = _colours(node, success, coloured)
            _draw_node(axes, node, (positions[name], boxes[name]), colours, success, name == graph.start)
        for edge in drawing.edges:
            arrow = _arrow(edge.kind, drawing.curve(edge, GAP))
            if coloured:
                success = (edge_success or {}).get((edge.source, edge.target, edge.kind))
                colour = UNTRIED[1] if success is None else SUCCESS(success)
                arrow.set_edgecolor(colour)
                arrow.set_facecolor(PAPER if edge.kind == "learned" else colour)
            axes.add_artist(arrow)
        _draw_legend(axes, bottom, coloured, drawing.n_hidden, bool(drafts))
        for path in paths:
            with replacing(path) as temporary:
                canvas.savefig(temporary, format=temporary.suffix[1:] or "png", dpi=110)
        free_pixels(canvas)


def _place_drafts(drawing: GraphDrawing, drafts: Sequence[Node]) -> dict[str, tuple[Point, Box]]:
    """Place unfinished nodes in rows below the graph.

    Args:
        drawing: Geometry of the graph.
        drafts: Unfinished nodes, which no walk enters.

    Returns:
        Centre (inches) and box of each draft, by its name.
    """
    ends = [(x, y, drawing.boxes[name]) for name, (x, y) in drawing.positions.items()]
    left, right = min(x - box.width for x, _, box in ends), max(x + box.width for x, _, box in ends)
    top = min(y - box.height for _, y, box in ends) - 2 * MARGIN
    found: dict[str, tuple[Point, Box]] = {}
    x, height = left, 0.0
    for node in drafts:
        box = outline(node)
        if x > left and x + 2 * box.width > max(right, left + LEGEND[0]):
            x, top, height = left, top - height - MARGIN, 0.0
        found[node.name] = (x + box.width, top - box.height), box
        x, height = x + 2 * box.width + MARGIN, max(height, 2 * box.height)
    return found


def _canvas(drawing: GraphDrawing, draft_places: Mapping[str, tuple[Point, Box]]) -> tuple[Canvas, Axes, float]:
    """Create an empty picture that is large enough for all nodes, edges and the legend.

    Args:
        drawing: Geometry of the graph.
        draft_places: Centre (inches) and box of each draft, by its name.

    Returns:
        The picture; axes that fill it, in inches; and the y of the legend's centre, inches.
    """
    positions = drawing.positions
    corners = [
        (x + across * box.width, y + up * box.height)
        for (x, y), box in [*((at, drawing.boxes[name]) for name, at in positions.items()), *draft_places.values()]
        for across in (-1, 1)
        for up in (-1, 1)
    ]
    arcs = [arc(positions[edge.source], positions[edge.target], edge.bend) for edge in drawing.edges]
    points = np.concatenate([np.array(corners), *arcs])
    left, low = points.min(axis=0) - MARGIN
    right, top = points.max(axis=0) + MARGIN
    right = max(right, left + LEGEND[0])
    bottom = low - LEGEND[1]
    canvas = Canvas(figsize=(right - left, top - bottom), facecolor="white")
    axes = canvas.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set(xlim=(left, right), ylim=(bottom, top))
    return canvas, axes, bottom + LEGEND[1] / 2 + 0.1


def _colours(node: Node, success: float | None, coloured: bool) -> tuple[str, str]:
    """Return the fill colour and the line colour of a node.

    Args:
        node: Node to draw.
        success: Success rate of the node, 0 to 1; None if it is unknown or the node was never attempted.
        coloured: Whether the colours of the picture show success rates.
    """
    if success is not None:
        red, green, blue, _ = SUCCESS(success)
        fill = to_hex((0.62 + 0.38 * red, 0.62 + 0.38 * green, 0.62 + 0.38 * blue))
        return fill, TRUNK if node.is_static else NEAR
    if coloured:
        return UNTRIED
    return (STATIC_FILL, TRUNK) if node.is_static else (DYNAMIC_FILL, NEAR)


def _draw_node(
    axes: Axes, node: Node, place: tuple[Point, Box], colours: tuple[str, str], success: float | None, start: bool
) -> Patch:
    """Draw a node with its name, and return its outline.

    Args:
        axes: Axes to draw on.
        node: Node to draw.
        place: Centre of the node (inches), and its size and shape.
        colours: Fill colour and line colour.
        success: Success rate to write below the name, 0 to 1. None: only the name is written.
        start: Draw a second outline, for the start node of walks.
    """
    (at, box), (fill, ink) = place, colours
    if start:
        axes.add_patch(_shape(node.is_static, at, Box(box.width + 0.07, box.height + 0.07), PAPER, ink))
    patch = _shape(node.is_static, at, box, fill, ink)
    axes.add_patch(patch)
    text = "\n".join(name_lines(node.name))
    if success is not None:
        text += f"\n{100 * success:.0f} %"
    axes.text(*at, text, ha="center", va="center", fontsize=10, color=INK, zorder=6, linespacing=1.15)
    return patch


def _shape(static: bool, at: Point, box: Box, fill: str, ink: str) -> Patch:
    (x, y), (w, h) = at, box[:2]
    if static:
        style = "round,pad=0,rounding_size=0.06"
        return FancyBboxPatch((x - w, y - h), 2 * w, 2 * h, style, facecolor=fill, edgecolor=ink, lw=1.5, zorder=5)
    corners = [(x - w, y), (x, y + h), (x + w, y), (x, y - h)]
    return Polygon(corners, closed=True, facecolor=fill, edgecolor=ink, lw=1.5, zorder=5, joinstyle="round")


GAP = 0.02
"""Distance between an arrow and its nodes, inches."""


def _arrow(kind: str, curve: Sequence[Point]) -> FancyArrowPatch:
    """Return the arrow that represents an edge.

    matplotlib could clip the arrow at the outlines of the nodes, but that would take 10 ms for each edge.

    Args:
        kind: Kind of the edge ("naive", "learned" or "corrective"), which selects the line style.
        curve: Control points of a Bézier curve that ends at the outlines of the nodes: three (quadratic) or four
            (cubic), inches.
    """
    code = Path2D.CURVE3 if len(curve) == 3 else Path2D.CURVE4
    path = Path2D(list(curve), [Path2D.MOVETO, *[code] * (len(curve) - 1)])
    return FancyArrowPatch(path=path, **_line_style(kind))


def _line_style(kind: str) -> dict[str, Any]:
    corrective = kind == "corrective"
    colour = CORRECTIVE if corrective else TRUNK
    return {
        "arrowstyle": "-|>,head_length=0.55,head_width=0.24",
        "mutation_scale": 13,
        "linestyle": (0, (4, 3)) if corrective else "solid",
        "linewidth": 0.9 if corrective else 1.5,
        "edgecolor": colour,
        "facecolor": PAPER if kind == "learned" else colour,
        "alpha": 0.55 if corrective else 1.0,
        "zorder": 3 if corrective else 4,
    }


def _draw_legend(axes: Axes, y: float, coloured: bool, n_hidden: int, with_drafts: bool) -> None:
    x = axes.get_xlim()[0] + MARGIN
    for static, text in ((True, "static pose"), (False, "dynamic motion")):
        fill, ink = (STATIC_FILL, TRUNK) if static else (DYNAMIC_FILL, NEAR)
        axes.add_patch(_shape(static, (x + 0.2, y), Box(0.2, 0.12 if static else 0.15), fill, ink))
        axes.text(x + 0.5, y, text, va="center", fontsize=9, color=MUTED)
        x += 0.5 + 0.078 * len(text) + 0.25
    for kind, text in (("naive", "naive edge"), ("learned", "learned"), ("corrective", "corrective")):
        axes.add_patch(FancyArrowPatch((x, y), (x + 0.55, y), shrinkA=1, shrinkB=2, **_line_style(kind)))
        axes.text(x + 0.65, y, text, va="center", fontsize=9, color=MUTED)
        x += 0.65 + 0.078 * len(text) + 0.25
    if coloured:
        extent = (x, x + 0.9, y - 0.06, y + 0.06)
        axes.imshow([[i / 50 for i in range(51)]], cmap=SUCCESS, extent=extent, aspect="auto", zorder=3)
        axes.text(x + 1.0, y, "success 0 to 100 %", va="center", fontsize=9, color=MUTED)
        axes.add_patch(_shape(True, (x + 2.55, y), Box(0.2, 0.12), *UNTRIED))
        axes.text(x + 2.85, y, "never tried", va="center", fontsize=9, color=MUTED)
    notes = [f"{n_hidden} edge{'s' * (n_hidden != 1)} of weight 0 (for goal walks only) not shown"] if n_hidden else []
    notes += ["dotted: drafts, not part of walks"] if with_drafts else []
    if notes:
        text = "; ".join(notes)
        axes.text(axes.get_xlim()[0] + MARGIN, y - 0.3, text, va="center", fontsize=9, color=MUTED)
