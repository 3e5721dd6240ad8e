"""A return map and the policy that produces it (figure 7 of Abe and Popovic 2011)."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ctrlgraph.pictures.style import INK, MUTED, NEAR, PAPER, TRAIL, FloatArray

WIDEST_TITLE = 50
"""Maximum length of a line above a map, characters."""


class ReturnMapPlot(NamedTuple):
    """A return map."""

    name: str
    rates: FloatArray
    """Rates, m/s or rad/s."""
    after: FloatArray
    """Next rates; NaN after a fall."""
    fixed_points: Sequence[tuple[float, float]]
    """Fixed points and their slopes."""


class PolicyPlot(NamedTuple):
    """A policy on a grid of theta and rate."""

    theta: tuple[float, float]
    """Bounds of theta, m."""
    rate: tuple[float, float]
    """Bounds of the rate, m/s."""
    at: FloatArray
    """Place of the force per state, m."""
    value: FloatArray
    """Value per state."""
    safe: NDArray[np.bool_]
    """Whether a state is safe."""


def return_map_figure(maps: Sequence[ReturnMapPlot], policy: PolicyPlot | None = None, unit: str = "m/s") -> Figure:
    """Return a picture of return maps with their diagonals, and of a policy and its values below.

    Args:
        maps: Return maps.
        policy: Policy to draw below.
        unit: Unit of the rates.
    """
    rows, columns = (1 if policy is None else 2), max(len(maps), 1 if policy is None else 2)
    canvas = Figure(figsize=(4.2 * columns, 3.8 * rows), facecolor=PAPER, layout="constrained")  # inches
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


def _draw_map(place: Axes, drawn: ReturnMapPlot, unit: str) -> None:
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


def _fixed_points(drawn: ReturnMapPlot, unit: str) -> list[str]:
    """Return the title lines with the fixed points. Labels at the points would overlap."""
    texts = [f"{at:.2f} {unit}: slope {slope:.2f}" for at, slope in drawn.fixed_points]
    return textwrap.wrap("; ".join(texts), WIDEST_TITLE) if texts else ["no fixed point"]


def _draw_table(canvas: Figure, place: Axes, policy: PolicyPlot, values: FloatArray, title: str, colours: str) -> None:
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
