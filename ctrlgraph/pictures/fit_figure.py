"""A figure of fitted motion constraints over the phase variable theta, with the steps to which they were fitted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure

from ctrlgraph.errors import printable
from ctrlgraph.pictures.style import COLOURS, INK, MUTED, PAPER, FloatArray, write_figure

COLUMNS = 3
"""Maximum number of plots beside each other."""
WIDTH, HEIGHT = 3.4, 2.0
"""Size of one plot, inches."""


class FitPlot(NamedTuple):
    """One row of a fitted constraint: an angle as a function of the phase variable theta."""

    name: str
    """Name of the row, shown as the title of its plot."""
    theta: FloatArray
    """Values of theta (G,) at which the steps were sampled, rad."""
    steps: FloatArray
    """Measured angle in each of S steps (S, G), rad."""
    fitted_theta: FloatArray
    """Values of theta (F,) at which the fit is drawn, rad."""
    fitted: FloatArray
    """Fitted angle (F,), rad."""
    residual: float
    """Root mean square error of the fit, rad."""


def write_fit_figure(rows: Sequence[FitPlot], path: Path, title: str = "") -> None:
    """Write a picture with one plot for each row as .png or .svg.

    Args:
        rows: Rows to draw.
        path: Output file.
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
