"""A figure of the return map of a cyclic motion, and of the policy (choice of the ground force) that produces it.

Theta is the phase variable: a quantity that increases during each cycle. The return map gives the rate of theta at the
start of a cycle as a function of its rate at the start of the previous cycle. The figure is like figure 7 of Abe and
Popovic (2011).
"""

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
"""Maximum number of characters of a title line that lists fixed points."""


class ReturnMapPlot(NamedTuple):
    """A measured return map: the rate of theta at the start of a cycle, and at the start of the next cycle."""

    name: str
    """Title of the plot."""
    rates: FloatArray
    """Rates of theta at the start of a cycle (n,), m/s or rad/s."""
    after: FloatArray
    """Rates of theta at the start of the next cycle, for each element of `rates` (n,), m/s or rad/s; NaN after a
    fall."""
    fixed_points: Sequence[tuple[float, float]]
    """Rate of each fixed point (the next cycle starts with the same rate), and slope of the map at this rate."""


class PolicyPlot(NamedTuple):
    """A policy, as the force that it chooses in each state of a grid. A state is a value of theta and its rate.

    Row i of the arrays (T, R) belongs to the i-th theta, and column j to the j-th rate.
    """

    theta: tuple[float, float]
    """Smallest and largest theta of the grid, m."""
    rate: tuple[float, float]
    """Smallest and largest rate of theta of the grid, m/s."""
    at: FloatArray
    """Position of the ground force that the policy chooses in each state (T, R), m ahead of the ankle."""
    value: FloatArray
    """Value of each state (T, R): minus the error of theta's rate at the start of the next cycle, m/s."""
    safe: NDArray[np.bool_]
    """Whether the character reaches the next cycle from each state (T, R). The plots leave other states blank."""


def return_map_figure(maps: Sequence[ReturnMapPlot], policy: PolicyPlot | None = None, unit: str = "m/s") -> Figure:
    """Draw a plot of each return map, and below these two plots of a policy: its chosen forces and its values.

    Args:
        maps: Return maps to draw.
        policy: Policy to draw; None to draw only return maps.
        unit: Unit of the rates in the return maps, "m/s" or "rad/s".
    """
    rows, columns = (1 if policy is None else 2), max(len(maps), 1 if policy is None else 2)
    canvas = Figure(figsize=(4.2 * columns, 3.8 * rows), facecolor=PAPER, layout="constrained")  # inches
    axes = canvas.subplots(rows, columns, squeeze=False)
    for place in (*axes[0, len(maps) :], *axes[1:, 2:].flat):
        place.set_visible(False)
    for drawn, place in zip(maps, axes[0], strict=False):
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
    """Return the lines of a plot's title that list the fixed points. Labels next to the fixed points would overlap."""
    texts = [f"{at:.2f} {unit}: slope {slope:.2f}" for at, slope in drawn.fixed_points]
    return textwrap.wrap("; ".join(texts), WIDEST_TITLE) if texts else ["no fixed point"]


def _draw_table(canvas: Figure, place: Axes, policy: PolicyPlot, values: FloatArray, title: str, colours: str) -> None:
    shown, extent = np.where(policy.safe, values, np.nan).T, (*policy.theta, *policy.rate)
    picture = place.imshow(shown, origin="lower", aspect="auto", extent=extent, cmap=colours, interpolation="nearest")
    canvas.colorbar(picture, ax=place)
    place.locator_params(axis="x", nbins=6)
    place.set(title=title, xlabel="theta, m", ylabel="rate of theta, m/s")
