"""Figures of a report. Each is drawn once with matplotlib, and written as a PNG file and as SVG inside the page.

In the SVG, the colours defined here are replaced by CSS variables. So figures follow the light, dark and print style of
the page.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import FuncFormatter

from ctrlgraph.files import replacing
from ctrlgraph.pictures.style import INK, MUTED, free_pixels, plain_lettering

ACCENT = "#3a6ea5"
BAD = "#c03a2c"  # differs from the red of the success colours, which do not change in dark mode
GOOD = "#3f9b63"
GRID = "#d9dfe5"
PAPER = "#fdfdfe"  # differs from pure white, which does not change in dark mode

# CSS variables of the colours; matplotlib writes colours in lower case
VARIABLES = {INK: "--ink", MUTED: "--muted", ACCENT: "--accent", BAD: "--bad", GRID: "--line", PAPER: "--paper"}

PNG_DPI = 160
"""Resolution of PNG files, dots per inch."""
MAX_PNG_SIDE = 4000
"""Maximum width and height of PNG files, pixels. Otherwise the matrix of a large graph could take 200 MB."""


@dataclass(frozen=True)
class ReportFigure:
    """A figure drawn with matplotlib, with its data and texts, before its files are written."""

    name: str
    """File name without suffix."""
    canvas: Canvas
    """Drawing of matplotlib."""
    rows: Sequence[dict[str, Any]]
    """Data of the figure for its CSV file."""
    alt: str
    """Description for screen readers, one sentence."""
    caption: str = ""
    """Text below the figure."""

    def write_png(self, path: Path) -> None:
        """Write the drawing to a PNG file.

        Raises:
            CtrlGraphError: The file cannot be written.
        """
        with replacing(path) as temporary, plain_text():
            self._lay_out()
            dpi = min(PNG_DPI, MAX_PNG_SIDE / max(self.canvas.get_size_inches()))
            self.canvas.savefig(temporary, format="png", dpi=dpi, facecolor="white")
        free_pixels(self.canvas)

    def _lay_out(self) -> None:
        """Place the axes once and turn off the layout engine, so that matplotlib does not place them for each file."""
        if self.canvas.get_layout_engine() is not None:
            self.canvas.draw_without_rendering()
            self.canvas.set_layout_engine(None)

    def inline(self) -> str:
        """Return the drawing as an SVG element for the page."""
        buffer = io.StringIO()
        with plain_text():
            self._lay_out()
            self.canvas.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
        return inline_svg(buffer.getvalue(), self.name, self.alt)


@dataclass(frozen=True)
class PageFigure:
    """A figure as it is shown on the page, after its files have been written."""

    name: str
    """File name without suffix."""
    svg: str
    """SVG element."""
    caption: str
    """Text below the figure."""


@contextmanager
def plain_text() -> Iterator[None]:
    """Set up matplotlib during a `with` block: no math markup in names, letters as text in SVG, reproducible files."""
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": "ctrlgraph", "axes.unicode_minus": True}
    with plain_lettering(), matplotlib.rc_context(settings):
        yield


def new_canvas(
    width: float, height: float, margins: tuple[float, float, float, float] | None = None
) -> tuple[Canvas, Axes]:
    """Return an empty figure of matplotlib and its axes, in the style of the report.

    Args:
        width: Width of the figure, inches.
        height: Height of the figure, inches.
        margins: Left, bottom, right and top distance between figure and axes, inches. None: as the labels require,
            which is slower.
    """
    canvas = Canvas(figsize=(width, height), layout=None if margins else "constrained")
    FigureCanvasAgg(canvas)
    if margins:
        left, bottom, right, top = margins
        canvas.subplots_adjust(left / width, bottom / height, 1 - right / width, 1 - top / height)
    axes = canvas.add_subplot()
    axes.set_facecolor("none")
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set(color=GRID, linewidth=0.8)
    axes.tick_params(colors=MUTED, labelsize=8, length=0, pad=4)
    axes.xaxis.label.set(color=MUTED, size=8.5)
    axes.yaxis.label.set(color=MUTED, size=8.5)
    axes.set_axisbelow(True)
    return canvas, axes


def percent_axis(axes: Axes) -> None:
    """Label the y axis from 0 to 100 %, for plotted values from 0 to 1."""
    axes.set_ylim(-0.04, 1.04)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f} %"))
    axes.grid(axis="y", color=GRID, linewidth=0.7)


def inline_svg(text: str, name: str, alt: str, *, themed: bool = True) -> str:
    """Convert an SVG document to an element for an HTML page, which is as wide as the element that contains it.

    Args:
        text: SVG document.
        name: Text put before all ids of the SVG, so that they are unique on the page.
        alt: Description for screen readers.
        themed: True replaces the colours in `VARIABLES` by CSS variables of the page.
    """
    from markupsafe import escape

    body = text[text.index("<svg") :]
    prefix = f"{name}-"
    body = re.sub(r'\bid="', f'id="{prefix}', body)
    body = re.sub(r'((?:xlink:)?href="#|url\(#)', rf"\g<1>{prefix}", body)
    body = re.sub(r"<metadata>.*?</metadata>", "", body, count=1, flags=re.DOTALL)
    body = re.sub(r"(font(?:-family)?: )([^;\"]*?)'DejaVu Sans'[^;\"]*", r"\1\2var(--font)", body)
    for colour, variable in VARIABLES.items() if themed else ():
        body = body.replace(colour, f"var({variable})")
    head, _, rest = body.partition(">")
    head = re.sub(r' (?:width|height)="[^"]*"', "", head)
    width = re.search(r' width="([\d.]+)pt"', body.partition(">")[0])
    style = f' style="max-width:{float(width[1]) * 96 / 72:.0f}px"' if width else ""
    return f'{head} role="img" aria-label="{escape(alt)}"{style}>{rest}'
