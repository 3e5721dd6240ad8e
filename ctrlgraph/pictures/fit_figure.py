"""Fitted constraints over the phase, with the steps to which they were fitted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure

from ctrlgraph.errors import printable
from ctrlgraph.pictures.style import COLOURS, INK, MUTED, PAPER, FloatArray, write_figure

COLUMNS = 3
WIDTH, HEIGHT = 3.4, 2.0
"""Size of the axes, in."""


class FitPlot(NamedTuple):
    """One fitted row."""

    name: str
    theta: FloatArray
    """Phase of the steps (G,), rad."""
    steps: FloatArray
    """Measured values (S, G), rad."""
    fitted_theta: FloatArray
    """Phase of the fit, rad."""
    fitted: FloatArray
    """Fitted values, rad."""
    residual: float
    """Root mean square error, rad."""


def write_fit_figure(rows: Sequence[FitPlot], path: Path, title: str = "") -> None:
    """Write a picture with axes for each row as .png or .svg.

    Args:
        rows: Rows to draw.
        path: Output file.
        title: Title.

    Raises:
        CtrlGraphError: If the file cannot be written.
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
