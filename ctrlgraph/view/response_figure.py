"""Gain and lag of a joint over frequency and over stiffness: a Bode plot, and the same the other way round."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from ctrlgraph.files import replacing
from ctrlgraph.view.figure import INK, NEAR, PAPER, TRAIL, TRUNK
from ctrlgraph.view.lettering import plain_lettering

Row = tuple[float, float, float, float, float, float]
"""kp (N m/rad), frequency (Hz), gain, lag (degrees), and both as expected."""

_COLOURS = LinearSegmentedColormap.from_list("series", [TRUNK, TRAIL, "#e0a43a", NEAR])
_SIZE = (9.0, 5.4)  # inches


def write_response_figure(rows: Sequence[Row], path: Path, *, title: str = "") -> None:
    """Write a picture (.png or .svg): gain above, lag below; left over frequency by kp, right over kp by frequency.

    Dots are measured, lines what two rigid bodies on a hinge would do.

    Raises:
        CtrlGraphError: the file cannot be written.
    """
    with plain_lettering(), matplotlib.rc_context({"font.size": 8, "svg.hashsalt": "ctrlgraph"}):
        canvas = Figure(figsize=_SIZE, facecolor=PAPER, layout="constrained")
        FigureCanvasAgg(canvas)
        axes = canvas.subplots(2, 2, sharex="col")
        for column, (across, by, label, unit) in enumerate(
            ((1, 0, "frequency, Hz", "kp {:g}"), (0, 1, "kp, N m/rad", "{:g} Hz"))
        ):
            series = sorted({row[by] for row in rows})
            for i, value in enumerate(series):
                line = sorted(row for row in rows if row[by] == value)
                x, colour = [row[across] for row in line], _COLOURS(i / max(1, len(series) - 1))
                for row_of_axes, measured in enumerate((2, 3)):
                    here = axes[row_of_axes][column]
                    here.plot(x, [row[measured + 2] for row in line], color=colour, linewidth=1)
                    here.plot(
                        x, [row[measured] for row in line], "o", color=colour, markersize=3.5, label=unit.format(value)
                    )
            axes[1][column].set_xlabel(label)
            axes[0][column].legend(frameon=False, ncols=2)
        axes[0][0].set_ylabel("gain")
        axes[1][0].set_ylabel("lag, degrees")
        canvas.suptitle(title, x=0.02, ha="left", color=INK, parse_math=False)
        with replacing(path) as temporary:
            canvas.savefig(temporary, dpi=110, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
