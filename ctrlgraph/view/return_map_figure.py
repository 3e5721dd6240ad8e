"""A return map, and the policy that makes it: the source's figure 7 (Abe and Popovic 2011)."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ctrlgraph.files import replacing
from ctrlgraph.view.figure import INK, MUTED, NEAR, PAPER, TRAIL
from ctrlgraph.view.lettering import plain_lettering

Floats = NDArray[np.float64]

WIDEST_TITLE = 50
"""Characters that fit above a map."""


class MapDrawn(NamedTuple):
    """A return map: rates (m/s or rad/s), the next ones (NaN: a fall), and fixed points with their slopes."""

    name: str
    rates: Floats
    after: Floats
    fixed_points: Sequence[tuple[float, float]]


class PolicyDrawn(NamedTuple):
    """A policy on a grid (theta, rate): places in m, values, and which states are safe; the grid's bounds."""

    theta: tuple[float, float]
    rate: tuple[float, float]
    at: Floats
    value: Floats
    safe: NDArray[np.bool_]


def write_return_map_figure(
    maps: Sequence[MapDrawn], path: Path, policy: PolicyDrawn | None = None, unit: str = "m/s"
) -> None:
    """Write the picture of `return_map_figure` (.png or .svg).

    Raises:
        CtrlGraphError: the file cannot be written.
    """
    with plain_lettering(), matplotlib.rc_context({"font.size": 8, "svg.hashsalt": "ctrlgraph"}):
        canvas = return_map_figure(maps, policy, unit)
        with replacing(path) as temporary:
            canvas.savefig(temporary, dpi=110, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)


def return_map_figure(maps: Sequence[MapDrawn], policy: PolicyDrawn | None = None, unit: str = "m/s") -> Figure:
    """Return a picture: return maps with the diagonal; where there is a policy, it and its values below.

    Args:
        unit: of the maps' rates.
    """
    rows, columns = (1 if policy is None else 2), max(len(maps), 1 if policy is None else 2)
    canvas = Figure(figsize=(4.2 * columns, 3.8 * rows), facecolor=PAPER, layout="constrained")  # inches
    FigureCanvasAgg(canvas)
    axes = canvas.subplots(rows, columns, squeeze=False)
    for place in axes.flat[:]:
        place.set_visible(False)
    for drawn, place in zip(maps, axes[0], strict=False):
        place.set_visible(True)
        _draw_map(place, drawn, unit)
    if policy is not None:
        _draw_table(canvas, axes[1, 0], policy, policy.at, "policy: place of the force, m before the ankle", "coolwarm")
        _draw_table(canvas, axes[1, 1], policy, policy.value, "value: minus the error of the next rate, m/s", "viridis")
    return canvas


def _draw_map(place: Axes, drawn: MapDrawn, unit: str) -> None:
    low, high = float(drawn.rates.min()), float(drawn.rates.max())
    place.plot([low, high], [low, high], color=TRAIL, linewidth=1, label="next = this")
    place.plot(drawn.rates, drawn.after, color=NEAR, marker="o", markersize=2.5, linewidth=1, label="measured")
    falls = drawn.rates[np.isnan(drawn.after)]
    if len(falls):
        place.plot(falls, np.full(len(falls), low), linestyle="none", marker="x", color=MUTED, label="fall")
    for at, _ in drawn.fixed_points:
        place.plot([at], [at], marker="o", markersize=9, markerfacecolor="none", color=INK)
    place.set(xlabel=f"rate of theta at the beginning, {unit}", ylabel=f"at the next one, {unit}")
    place.set_title("\n".join([drawn.name, *_fixed_points(drawn, unit)]))
    place.legend(frameon=False)


def _fixed_points(drawn: MapDrawn, unit: str) -> list[str]:
    """The lines that tell of the fixed points: above the map, since beside points that are near each other they would
    lie on one another."""
    told = [f"{at:.2f} {unit}: slope {slope:.2f}" for at, slope in drawn.fixed_points]
    return textwrap.wrap("; ".join(told), WIDEST_TITLE) if told else ["no fixed point"]


def _draw_table(canvas: Figure, place: Axes, policy: PolicyDrawn, values: Floats, title: str, colours: str) -> None:
    place.set_visible(True)
    shown = np.where(policy.safe, values, np.nan).T
    picture = place.imshow(
        shown,
        origin="lower",
        aspect="auto",
        extent=(*policy.theta, *policy.rate),
        cmap=colours,
        interpolation="nearest",
    )
    canvas.colorbar(picture, ax=place)
    place.locator_params(axis="x", nbins=6)
    place.set(title=title, xlabel="theta, m", ylabel="rate of theta, m/s")
