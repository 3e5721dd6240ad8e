"""Gain and lag of a joint over frequency (a Bode plot) and over stiffness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ctrlgraph.view.figure import INK, NEAR, PAPER, TRAIL, TRUNK
from ctrlgraph.view.lettering import write_figure

Row = tuple[float, float, float, float]
"""kp (N m/rad), frequency (Hz), measured gain, measured lag (degrees)."""

Theory = Callable[[float, float], tuple[float, float]]
"""Returns the expected gain and lag (degrees) for kp (N m/rad) and frequency (Hz)."""

CURVE_POINTS = 200
"""Points of a curve."""

_COLOURS = LinearSegmentedColormap.from_list("series", [TRUNK, TRAIL, "#e0a43a", NEAR])
_MARKER: dict[str, Any] = {"marker": "o", "markersize": 3.5, "linestyle": "none"}
_COLUMNS = (("frequency, Hz", "kp {:g}", 1, 0), ("kp, N m/rad", "{:g} Hz", 0, 1))
"""Per column: axis title, series label, and indices of x and series in a row."""


def write_response_figure(rows: Sequence[Row], theory: Theory, path: Path, *, title: str = "") -> None:
    """Write the picture of `response_figure` as .png or .svg.

    Args:
        rows: Measurements.
        theory: Expected values.
        path: Output file.
        title: Title.

    Raises:
        CtrlGraphError: If the file cannot be written.
    """
    write_figure(path, lambda: response_figure(rows, theory, title=title))


def response_figure(rows: Sequence[Row], theory: Theory, *, title: str = "") -> Figure:
    """Return a picture: gain above, lag below; over frequency on the left, over kp on the right.

    Markers are measurements, curves the theory.

    Args:
        rows: Measurements.
        theory: Expected values.
        title: Title.
    """
    canvas = Figure(figsize=(9.0, 5.4), facecolor=PAPER, layout="constrained")  # inches
    FigureCanvasAgg(canvas)
    axes = canvas.subplots(2, 2, sharex="col")
    for column, (label, name, across, by) in enumerate(_COLUMNS):
        series = sorted({row[by] for row in rows})
        for i, value in enumerate(series):
            colour = _COLOURS(i / max(1, len(series) - 1))
            line = sorted((row for row in rows if row[by] == value), key=lambda row: row[across])
            _draw_series(axes[:, column], line, theory, across, colour, name.format(value))
        axes[1][column].set_xlabel(label)
        axes[0][column].legend(frameon=False, ncols=2)
    axes[0][0].set_ylabel("gain")
    axes[1][0].set_ylabel("lag, degrees")
    marks = [Line2D([], [], color=INK, label="measured", **_MARKER), Line2D([], [], color=INK, label="linear theory")]
    canvas.legend(handles=marks, loc="outside upper right", ncols=2, frameon=False)
    canvas.suptitle(title, x=0.02, ha="left", color=INK, parse_math=False)
    return canvas


def _draw_series(
    axes: Sequence[Axes], line: Sequence[Row], theory: Theory, across: int, colour: Any, name: str
) -> None:
    """Draw the gain and lag of one series."""
    x = [row[across] for row in line]
    dense = np.linspace(x[0], x[-1], CURVE_POINTS)
    kp, frequency, *_ = line[0]
    expected = [theory(value, frequency) if across == 0 else theory(kp, value) for value in dense.tolist()]
    for quantity, here in enumerate(axes):
        here.plot(dense, [each[quantity] for each in expected], color=colour, linewidth=1)
        here.plot(x, [row[2 + quantity] for row in line], color=colour, label=name, **_MARKER)
