"""Fitted constraints over the phase: each row with the steps that it was fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ctrlgraph.errors import printable
from ctrlgraph.files import replacing
from ctrlgraph.view.figure import INK, MUTED, PAPER
from ctrlgraph.view.lettering import plain_lettering
from ctrlgraph.view.palette import COLOURS

Floats = NDArray[np.float64]

COLUMNS = 3
WIDTH, HEIGHT = 3.4, 2.0  # in


class RowDrawn(NamedTuple):
    """A row of a stage over theta (G,): its steps (S, G), and what was fitted over its own places."""

    stage: str
    name: str
    theta: Floats
    steps: Floats
    fitted_theta: Floats
    fitted: Floats
    residual: float


def write_fit_figure(rows: Sequence[RowDrawn], path: Path, title: str = "") -> None:
    """Write the picture of `fit_figure` (.png or .svg).

    Raises:
        CtrlGraphError: the file cannot be written.
    """
    with plain_lettering(), matplotlib.rc_context({"font.size": 8, "svg.hashsalt": "ctrlgraph"}):
        canvas = fit_figure(rows, title)
        with replacing(path) as temporary:
            canvas.savefig(temporary, dpi=110, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)


def fit_figure(rows: Sequence[RowDrawn], title: str = "") -> Figure:
    """Return a picture with a place for each name of a row, and in it all stages that have such a row."""
    names = list(dict.fromkeys(row.name for row in rows))
    stages = list(dict.fromkeys(row.stage for row in rows))
    columns = min(COLUMNS, len(names))
    lines = -(-len(names) // columns)
    canvas = Figure(figsize=(WIDTH * columns, 0.6 + HEIGHT * lines), facecolor=PAPER, layout="constrained")
    FigureCanvasAgg(canvas)
    axes = canvas.subplots(lines, columns, squeeze=False)
    for place in axes.flat[len(names) :]:
        place.axis("off")
    for place, name in zip(axes.flat, names, strict=False):
        place.set_facecolor(PAPER)
        place.set_title(printable(name), loc="left", color=INK)
        for row in (row for row in rows if row.name == name):
            colour = COLOURS[stages.index(row.stage) % len(COLOURS)]
            place.plot(row.theta, row.steps.T, color=MUTED, lw=0.6, alpha=0.5)
            label = f"{printable(row.stage)}, {row.residual:.3f} rad"
            place.plot(row.fitted_theta, row.fitted, color=colour, lw=1.4, label=label)
        place.legend(frameon=False, fontsize=7)
        place.set_ylabel("rad")
        place.set_xlabel("theta, rad")
    canvas.suptitle(printable(title), color=INK, fontsize=10)
    return canvas
