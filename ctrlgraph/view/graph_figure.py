"""The controller graph as a picture.

Static poses are rectangles, dynamic motions diamonds; naive edges are solid, learned ones
open-headed, corrective ones dashed. Drafts, which no walk enters, stand below the graph with dotted outlines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Patch, Polygon
from matplotlib.path import Path as Path2D

from ctrlgraph.files import replacing
from ctrlgraph.view.figure import INK, MUTED, NEAR, PAPER, TRUNK
from ctrlgraph.view.graph_drawing import GraphDrawing, GraphLike, NodeLike, lines, loop, outline
from ctrlgraph.view.graph_layout import BoolArray, Box, FloatArray, Point, arc
from ctrlgraph.view.lettering import free_pixels, plain_lettering

EdgeName = tuple[str, str, str]  # source, target, kind

STATIC_FILL = "#e3eaf2"
DYNAMIC_FILL = "#fbe7de"
CORRECTIVE = "#7b5ea7"
UNTRIED = ("#f4f6f8", "#a9b3bd")  # fill and line of what was never tried, where the others are coloured by success
SUCCESS = LinearSegmentedColormap.from_list("success", ["#c0392b", "#f0c75e", "#3f9b63"])
MARGIN = 0.45  # in
LEGEND = (11.9, 0.6)  # in
DOTTED = (0, (1.2, 1.6))


def write_graph_figure(
    graph: GraphLike,
    *paths: Path | str,
    node_success: Mapping[str, float] | None = None,
    edge_success: Mapping[EdgeName, float] | None = None,
    drafts: Sequence[NodeLike] = (),
) -> None:
    """Draw the graph once and write it into files, as PNG or SVG by their suffixes.

    Nodes and edges for which a success (0 to 1) is given are coloured by it; edges are named by
    (source, target, kind). Planned edges of weight 0 are only counted: hundreds of them hide the others. `drafts` are
    drawn below the others.

    Raises:
        CtrlGraphError: the graph has no nodes, or the file cannot be written.
    """
    drawing = GraphDrawing.of(graph)
    boxes, positions = drawing.boxes, drawing.positions
    with plain_lettering():
        apart = _below(drawing, drafts)
        canvas, axes, bottom = _canvas(drawing, apart)
        coloured = bool(node_success or edge_success)
        for draft in drafts:
            at, box = apart[draft.name]
            ink = _colours(draft, None, False)[1]
            _draw_node(axes, draft, at, box, (PAPER, ink), False).set_linestyle(DOTTED)
            _write_name(axes, draft.name, at, None)
        for name, node in graph.nodes.items():
            success = (node_success or {}).get(name)
            fill, ink = _colours(node, success, coloured)
            _draw_node(axes, node, positions[name], boxes[name], (fill, ink), name == graph.start)
            _write_name(axes, name, positions[name], success)
        for edge in drawing.edges:
            a, b = edge.source, edge.target
            if edge.direction is not None:
                arrow = _loop(edge.kind, positions[a], boxes[a], edge.direction)
            else:
                arrow = _arrow(edge.kind, (positions[a], boxes[a]), (positions[b], boxes[b]), edge.bend)
            success = (edge_success or {}).get((a, b, edge.kind))
            if success is not None:
                arrow.set_edgecolor(SUCCESS(success))
                arrow.set_facecolor(PAPER if edge.kind == "learned" else SUCCESS(success))
            elif coloured:
                arrow.set_edgecolor(UNTRIED[1])
                arrow.set_facecolor(PAPER if edge.kind == "learned" else UNTRIED[1])
            axes.add_artist(arrow)
        _draw_legend(axes, bottom, coloured, drawing.left_out, bool(drafts))
        for path in paths:
            with replacing(path) as temporary:
                canvas.savefig(temporary, format=temporary.suffix[1:] or "png", dpi=110)
        free_pixels(canvas)


def _below(drawing: GraphDrawing, drafts: Sequence[NodeLike]) -> dict[str, tuple[Point, Box]]:
    """Where drafts stand, and how large they are: in rows below the graph, as wide as it is."""
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


def _canvas(drawing: GraphDrawing, apart: Mapping[str, tuple[Point, Box]]) -> tuple[Canvas, Axes, float]:
    """An empty picture that holds all nodes and edges, and the height at which the legend stands."""
    positions = drawing.positions
    corners = [
        (x + across * box.width, y + up * box.height)
        for (x, y), box in [*((at, drawing.boxes[name]) for name, at in positions.items()), *apart.values()]
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
    FigureCanvasAgg(canvas)
    axes = canvas.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set(xlim=(left, right), ylim=(bottom, top))
    return canvas, axes, bottom + LEGEND[1] / 2 + 0.1


def _colours(node: NodeLike, success: float | None, coloured: bool) -> tuple[str, str]:
    """Fill and line of a node; one that was never tried is not coloured like one that failed."""
    if success is not None:
        red, green, blue, _ = SUCCESS(success)
        fill = to_hex((0.62 + 0.38 * red, 0.62 + 0.38 * green, 0.62 + 0.38 * blue))
        return fill, TRUNK if node.is_static else NEAR
    if coloured:
        return UNTRIED
    return (STATIC_FILL, TRUNK) if node.is_static else (DYNAMIC_FILL, NEAR)


def _draw_node(axes: Axes, node: NodeLike, at: Point, box: Box, colours: tuple[str, str], start: bool) -> Patch:
    fill, ink = colours
    if start:
        axes.add_patch(_shape(node.is_static, at, Box(box.width + 0.07, box.height + 0.07), PAPER, ink))
    patch = _shape(node.is_static, at, box, fill, ink)
    axes.add_patch(patch)
    return patch


def _write_name(axes: Axes, name: str, at: Point, success: float | None) -> None:
    text = "\n".join(lines(name))
    if success is not None:
        text += f"\n{100 * success:.0f} %"
    axes.text(*at, text, ha="center", va="center", fontsize=10, color=INK, zorder=6, linespacing=1.15)


def _shape(static: bool, at: Point, box: Box, fill: str, ink: str) -> Patch:
    (x, y), (w, h) = at, box[:2]
    if static:
        style = "round,pad=0,rounding_size=0.06"
        return FancyBboxPatch((x - w, y - h), 2 * w, 2 * h, style, facecolor=fill, edgecolor=ink, lw=1.5, zorder=5)
    corners = [(x - w, y), (x, y + h), (x + w, y), (x, y - h)]
    return Polygon(corners, closed=True, facecolor=fill, edgecolor=ink, lw=1.5, zorder=5, joinstyle="round")


GAP = 0.02  # in, between an arrow and the nodes that it connects


def _arrow(kind: str, a: tuple[Point, Box], b: tuple[Point, Box], bend: float) -> FancyArrowPatch:
    """An edge between two nodes, from the outline of one to that of the other.

    Matplotlib can cut an arrow at the nodes, too, but it takes a hundredth of a second for each that it draws.
    """
    source, target = a[0], b[0]
    way = np.subtract(target, source)
    control = np.add(source, target) / 2 + bend * np.array([way[1], -way[0]])  # as matplotlib's arc3
    points = np.array([source, control, target])
    u = np.linspace(0, 1, 201)
    curve = np.column_stack([(1 - u) ** 2, 2 * u * (1 - u), u**2]) @ points
    outside = np.flatnonzero(~_within(curve, *a) & ~_within(curve, *b))
    first, last = (u[outside[0]], u[outside[-1]]) if len(outside) > 1 else (0.0, 1.0)
    blossom = [(first, first), (first, last), (last, last)]
    cut = [((1 - s) * (1 - t), (1 - s) * t + s * (1 - t), s * t) for s, t in blossom]
    path = Path2D(np.array(cut) @ points, [Path2D.MOVETO, Path2D.CURVE3, Path2D.CURVE3])
    return FancyArrowPatch(path=path, **_line_style(kind))


def _within(points: FloatArray, at: Point, box: Box) -> BoolArray:
    apart = np.abs(points - at) / (box.width + GAP, box.height + GAP)
    within: BoolArray = (apart.sum(axis=1) if box.diamond else apart.max(axis=1)) < 1
    return within


def _loop(kind: str, at: Point, box: Box, direction: float) -> FancyArrowPatch:
    """An edge from a node to itself, around one of its corners."""
    path = Path2D(list(loop(at, box, direction)), [Path2D.MOVETO, Path2D.CURVE4, Path2D.CURVE4, Path2D.CURVE4])
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


def _draw_legend(axes: Axes, y: float, coloured: bool, left_out: int, with_drafts: bool) -> None:
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
        axes.imshow(
            [[i / 50 for i in range(51)]],
            cmap=SUCCESS,
            extent=(x, x + 0.9, y - 0.06, y + 0.06),
            aspect="auto",
            zorder=3,
        )
        axes.text(x + 1.0, y, "success 0 to 100 %", va="center", fontsize=9, color=MUTED)
        axes.add_patch(_shape(True, (x + 2.55, y), Box(0.2, 0.12), *UNTRIED))
        axes.text(x + 2.85, y, "never tried", va="center", fontsize=9, color=MUTED)
    notes = [f"{left_out} of weight 0, for goal walks only, are not drawn"] if left_out else []
    notes += ["dotted: drafts, which no walk enters"] if with_drafts else []
    if notes:
        text = "; ".join(notes)
        axes.text(axes.get_xlim()[0] + MARGIN, y - 0.3, text, va="center", fontsize=9, color=MUTED)
