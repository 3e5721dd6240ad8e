"""A figure of joint angles in recorded walking steps, and of curves fitted to them, over the phase variable theta.

The fitted curves become the constraints of a tracking controller. Theta increases during each step.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure

from ctrlgraph.errors import printable
from ctrlgraph.pictures.style import COLOURS, INK, MUTED, PAPER, FloatArray, write_figure

COLUMNS = 3
"""Maximum number of plots next to each other."""
WIDTH, HEIGHT = 3.4, 2.0
"""Size of one plot, inches."""


class FitPlot(NamedTuple):
    """Data of one plot: an angle over the phase variable theta, as measured in recorded steps and as fitted."""

    name: str
    """Name of the angle, shown as the title of the plot."""
    theta: FloatArray
    """Values of theta at which the angle was measured (G,), rad."""
    steps: FloatArray
    """Measured angle in each of S recorded steps (S, G), rad."""
    fitted_theta: FloatArray
    """Values of theta at which the fitted curve is drawn (F,), rad."""
    fitted: FloatArray
    """Angle of the fitted curve (F,), rad."""
    residual: float
    """Root mean square error of the fitted curve, rad."""


def write_fit_figure(rows: Sequence[FitPlot], path: Path, title: str = "") -> None:
    """Write a picture with a plot for each fitted angle.

    Args:
        rows: Data of each plot.
        path: Output file, .png or .svg.
        title: Title of the picture.

    Raises:
        CtrlGraphError: The file cannot be written.
    """
    write_figure(path, lambda: _figure(rows, title))


def _figure(rows: Sequence[FitPlot], title: str) -> Figure:
    columns = min(COLUMNS, len(rows))
    lines = -(-len(rows) // columns)
    canvas = Figure(figsize=(WIDTH * columns, 0.6 + HEIGHT * lines), facecolor=PAPER, layout="constrained")
    axes = canvas.subplots(lines, columns, squeeze=False)
    for place in axes.flat[len(rows) :]:
        place.axis("off")
    for place, row in zip(axes.flat, rows, strict=False):
        place.set_facecolor(PAPER)
        place.set_title(printable(row.name), loc="left", color=INK)
        place.plot(row.theta, row.steps.T, color=MUTED, lw=0.6, alpha=0.5)
        place.plot(row.fitted_theta, row.fitted, color=COLOURS[0], lw=1.4, label=f"{row.residual:.3f} rad")
        place.legend(frameon=False, fontsize=7)
        place.set_ylabel("rad")
        place.set_xlabel("theta, rad")
    canvas.suptitle(printable(title), color=INK, fontsize=10)
    return canvas
