"""The controller graph as a picture.

Static poses are rectangles, dynamic motions diamonds; naive edges are solid, learned ones
open-headed, corrective ones dashed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Patch, Polygon
from matplotlib.path import Path as Path2D

from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.files import replacing
from ctrlgraph.view.figure import INK, MUTED, NEAR, PAPER, TRUNK
from ctrlgraph.view.graph_layout import Box, Point, arc, bends, free_direction, place
from ctrlgraph.view.lettering import plain_lettering

EdgeName = tuple[str, str, str]  # source, target, kind

STATIC_FILL = "#e3eaf2"
DYNAMIC_FILL = "#fbe7de"
CORRECTIVE = "#7b5ea7"
SUCCESS = LinearSegmentedColormap.from_list("success", ["#c0392b", "#f0c75e", "#3f9b63"])
LETTER = (0.082, 0.17)  # in: width and height of a letter in a node
LINE = 14  # letters in a line of a node's name
MARGIN = 0.45  # in
LEGEND = (11.2, 0.6)  # in


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


def write_graph_figure(
    graph: GraphLike,
    path: Path | str,
    *,
    node_success: Mapping[str, float] | None = None,
    edge_success: Mapping[EdgeName, float] | None = None,
) -> None:
    """Write the graph as a picture, PNG or SVG by its suffix.

    Nodes and edges for which a success (0 to 1) is given are coloured by it; edges are named by
    (source, target, kind). Planned edges of weight 0 are only counted: hundreds of them hide the others.

    Raises:
        CtrlGraphError: the graph has no nodes, or the file cannot be written.
    """
    if not graph.nodes:
        raise CtrlGraphError("there is nothing to draw: the graph has no nodes")
    every = _distinct(graph.edges)
    edges = [edge for edge in every if edge.kind == "corrective" or edge.weight > 0.0]
    boxes = {name: _box(node) for name, node in graph.nodes.items()}
    near = [(e.source, e.target) for e in edges if e.kind != "corrective" and e.source != e.target]
    far = [(e.source, e.target) for e in edges if e.kind == "corrective" and e.source != e.target]
    positions = place(boxes, near, far)
    ends = [(edge.source, edge.target) for edge in edges]
    bent = bends(ends, positions, boxes, bundled=[edge.kind == "corrective" for edge in edges])
    with replacing(path) as temporary, plain_lettering():
        canvas, axes, bottom = _canvas(positions, boxes, ends, bent)
        patches = {}
        for name, node in graph.nodes.items():
            success = (node_success or {}).get(name)
            patches[name] = _draw_node(axes, node, positions[name], boxes[name], success, name == graph.start)
        for edge, bend in zip(edges, bent, strict=True):
            a, b = edge.source, edge.target
            if a == b:
                arrow = _loop(edge.kind, positions[a], boxes[a], free_direction(a, ends, positions))
            else:
                arrow = _arrow(edge.kind, positions[a], positions[b], bend)
                arrow.set_patchA(patches[a])
                arrow.set_patchB(patches[b])
            success = (edge_success or {}).get((a, b, edge.kind))
            if success is not None:
                arrow.set_edgecolor(SUCCESS(success))
                arrow.set_facecolor(PAPER if edge.kind == "learned" else SUCCESS(success))
            axes.add_patch(arrow)
        _draw_legend(axes, bottom, bool(node_success or edge_success), len(every) - len(edges))
        canvas.savefig(temporary, format=temporary.suffix[1:] or "png", dpi=110)


def _distinct(edges: Sequence[EdgeLike]) -> list[EdgeLike]:
    """One edge for each source, target and kind; the planned ones are routed first."""
    found = {(edge.source, edge.target, edge.kind): edge for edge in edges}
    return sorted(found.values(), key=lambda edge: edge.kind == "corrective")


def _lines(name: str) -> list[str]:
    return textwrap.wrap(printable(name).replace("_", " "), LINE) or [printable(name)]


def _box(node: NodeLike) -> Box:
    """Half width and half height that hold the name (a diamond needs about twice the room), in in."""
    lines = _lines(node.name)
    width, height = max(map(len, lines)) * LETTER[0], len(lines) * LETTER[1]
    if node.is_static:
        return Box(width / 2 + 0.18, height / 2 + 0.17)
    return Box(width / 2 + 0.34 + 0.08 * len(lines), height / 2 + 0.32 + 0.08 * len(lines), diamond=True)


def _canvas(
    positions: Mapping[str, Point],
    boxes: Mapping[str, Box],
    ends: Sequence[tuple[str, str]],
    bent: Sequence[float],
) -> tuple[Canvas, Axes, float]:
    """An empty picture that holds all nodes and edges, and the height at which the legend stands."""
    corners = [
        (x + across * boxes[name].width, y + up * boxes[name].height)
        for name, (x, y) in positions.items()
        for across in (-1, 1)
        for up in (-1, 1)
    ]
    arcs = [arc(positions[a], positions[b], bend) for (a, b), bend in zip(ends, bent, strict=True)]
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


def _draw_node(axes: Axes, node: NodeLike, at: Point, box: Box, success: float | None, start: bool) -> Patch:
    ink = TRUNK if node.is_static else NEAR
    fill = STATIC_FILL if node.is_static else DYNAMIC_FILL
    if success is not None:
        red, green, blue, _ = SUCCESS(success)
        fill = to_hex((0.62 + 0.38 * red, 0.62 + 0.38 * green, 0.62 + 0.38 * blue))
    if start:
        axes.add_patch(_shape(node.is_static, at, Box(box.width + 0.07, box.height + 0.07), PAPER, ink))
    patch = _shape(node.is_static, at, box, fill, ink)
    axes.add_patch(patch)
    text = "\n".join(_lines(node.name))
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


def _arrow(kind: str, a: Point, b: Point, bend: float = 0.0) -> FancyArrowPatch:
    return FancyArrowPatch(a, b, connectionstyle=f"arc3,rad={bend}", shrinkA=1, shrinkB=2, **_line_style(kind))


def _loop(kind: str, at: Point, box: Box, direction: float) -> FancyArrowPatch:
    """An edge from a node to itself, around one of its corners."""
    right, up = (1 if np.cos(direction) > 0 else -1), (1 if np.sin(direction) > 0 else -1)
    inset = 0.5 if box.diamond else 0.0  # a diamond's side is further in
    beside = (at[0] + right * box.width * (1 - inset), at[1] + up * box.height * (0.35 + 0.3 * inset))
    above = (at[0] + right * box.width * (0.45 - 0.1 * inset), at[1] + up * box.height * (1 - 0.6 * inset))
    out = (beside[0] + right * 0.55, beside[1] + up * 0.15), (above[0] + right * 0.15, above[1] + up * 0.55)
    path = Path2D([beside, *out, above], [Path2D.MOVETO, Path2D.CURVE4, Path2D.CURVE4, Path2D.CURVE4])
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


def _draw_legend(axes: Axes, y: float, coloured: bool, left_out: int) -> None:
    x = axes.get_xlim()[0] + MARGIN
    for static, text in ((True, "static pose"), (False, "dynamic motion")):
        fill, ink = (STATIC_FILL, TRUNK) if static else (DYNAMIC_FILL, NEAR)
        axes.add_patch(_shape(static, (x + 0.2, y), Box(0.2, 0.12 if static else 0.15), fill, ink))
        axes.text(x + 0.5, y, text, va="center", fontsize=9, color=MUTED)
        x += 0.5 + 0.078 * len(text) + 0.25
    for kind, text in (("naive", "naive edge"), ("learned", "learned"), ("corrective", "corrective")):
        axes.add_patch(_arrow(kind, (x, y), (x + 0.55, y)))
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
    if left_out:
        text = f"{left_out} of weight 0, for goal walks only, are not drawn"
        axes.text(axes.get_xlim()[0] + MARGIN, y - 0.3, text, va="center", fontsize=9, color=MUTED)
