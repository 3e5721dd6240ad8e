"""The drawing of a footstep scenario: its panels side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from numpy.typing import NDArray

from ctrlgraph.footsteps.scenarios.scenario import Panel, Role, ScenarioResult, ShownBody
from ctrlgraph.pictures.spatial import DEFAULT_VIEW
from ctrlgraph.pictures.spatial.spatial_figure import SpatialFigure
from ctrlgraph.pictures.spatial.spatial_renderer import SpatialRenderer
from ctrlgraph.pictures.spatial.spatial_view import view_of
from ctrlgraph.pictures.style import FAR, GROUND, INK, MUTED, NEAR, PAPER, TRAIL

ROLE_COLOURS: dict[Role, str] = {
    "pressure": INK,
    "mass": TRAIL,
    "support": "#3a6ea5",
    "base": "#a23b54",
    "left": FAR,
    "right": NEAR,
    "hull": "#8c8371",
    "other": MUTED,
}
"""Colour of each role."""
WIDTH = 9.0
"""Width of a figure, inches."""
WIDE = 1.8
"""Ratio of width to height above which the panels are drawn below each other."""

BODY_PIXELS = (520, 400)
"""Width and height of the picture of a body."""
BODY_ROOM = 1.6
"""Height of this picture, as a multiple of the size of the body."""


def scenario_figure(result: ScenarioResult, title: str) -> Figure:
    """Draw the panels of a scenario.

    Args:
        result: What the scenario found.
        title: Title of the figure.
    """
    panels = result.panels
    stacked = any(panel.is_map and _ratio(panel) > WIDE for panel in panels)
    columns = 1 if stacked or len(panels) == 1 else 2
    rows = [panels[i : i + columns] for i in range(0, len(panels), columns)]
    heights = [max(_height(panel, columns) for panel in row) for row in rows]
    canvas = Figure(figsize=(WIDTH, sum(heights) + 0.3), facecolor=PAPER, layout="constrained")
    axes = canvas.subplots(len(rows), columns, squeeze=False, height_ratios=heights)
    for place, panel in zip(axes.flat, panels, strict=True):
        _draw(canvas, place, panel, columns == 1)
    canvas.suptitle(title)
    return canvas


def _height(panel: Panel, columns: int) -> float:
    """Return the height of a panel, inches."""
    width = WIDTH / columns
    return min(0.75 * width / _ratio(panel) + 0.9, 4.2) if panel.is_map else 3.0


def _ratio(panel: Panel) -> float:
    """Return the ratio of width to height of what a panel shows."""
    if panel.heat is not None:
        left, right, low, high = panel.heat.extent
        return (right - left) / (high - low)
    shown = [each.points for each in panel.curves] + [each.corners for each in panel.outlines]
    left, low = (min(float(points[:, k].min()) for points in shown) for k in (0, 1))
    right, high = (max(float(points[:, k].max()) for points in shown) for k in (0, 1))
    return (right - left) / max(high - low, 1e-9)


def _draw(canvas: Figure, place: Axes, panel: Panel, has_margin: bool) -> None:
    """Draw a panel; its legend is beside it if it has a margin, and inside otherwise."""
    if panel.body is not None:
        place.imshow(_picture(panel.body))
        place.set_axis_off()
        place.set_title(panel.title)
        return
    if panel.heat is not None:
        picture = place.imshow(
            panel.heat.values, origin="lower", extent=panel.heat.extent, cmap="magma_r", aspect="auto"
        )
        canvas.colorbar(picture, ax=place, label=panel.heat.label, shrink=0.8)
    for each in panel.outlines:
        colour = ROLE_COLOURS[each.role]
        fill = (GROUND if each.role == "hull" else colour) if each.filled else "none"
        place.add_patch(
            Polygon(each.corners, facecolor=fill, edgecolor=colour, linewidth=1.0, label=each.label or None)
        )
    for curve in panel.curves:
        place.plot(
            *curve.points.T,
            color=ROLE_COLOURS[curve.role],
            linestyle=curve.line or "none",
            marker="" if curve.line else "o",
            linewidth=1.3,
            markersize=6,
            markeredgecolor=PAPER,
            label=curve.label or None,
        )
    place.set(title=panel.title, xlabel=panel.x, ylabel=panel.y)
    if panel.heat is None:
        place.autoscale_view()
    if panel.is_map:
        place.set_aspect("equal")
    if any([each.label for each in panel.curves] + [each.label for each in panel.outlines]):
        beside: dict[str, Any] = (
            {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)} if has_margin and panel.heat is None else {}
        )
        place.legend(fontsize=7, frameon=panel.heat is not None, **beside)


def _picture(shown: ShownBody) -> NDArray[np.uint8]:
    """Return a picture of a body in space."""
    figure = SpatialFigure.of(shown.character)
    renderer = SpatialRenderer(BODY_PIXELS, figure, None, view_of(DEFAULT_VIEW))
    center, size = np.array(shown.center), figure.size
    middle = center + np.array([0.0, 0.0, 0.4 * size])
    return renderer.draw(shown.pose, middle, BODY_ROOM * size / BODY_PIXELS[1], center, (size, 2.0 * size))
