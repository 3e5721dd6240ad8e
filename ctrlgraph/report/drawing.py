"""Figures of a report: drawn once with matplotlib, kept as a PNG and shown as an SVG that follows the page.

The SVG stands inside the page and takes its colours and font from it: what is drawn in the colours below
becomes a CSS variable, so that a figure is right in light, dark and print.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter

from ctrlgraph.files import replacing
from ctrlgraph.view.figure import INK, MUTED
from ctrlgraph.view.lettering import free_pixels, plain_lettering

ACCENT = "#3a6ea5"
BAD = "#c03a2c"  # not quite the red of the success colours, which are the same in the dark
GOOD = "#3f9b63"
SOURCE = "#7b5ea7"
GRID = "#d9dfe5"
PAPER = "#fdfdfe"  # not pure white, which stays white

# what the page calls the colours; matplotlib writes them in small letters
VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    ACCENT: "--accent",
    BAD: "--bad",
    SOURCE: "--corrective",
    GRID: "--line",
    PAPER: "--paper",
}

PNG_DPI = 160
PNG_SIDE = 4000
"""Pixels of a picture's longer side at most: the matrix of a large graph would take 200 MB."""


class Values:
    """Texts of places in a drawing: nothing is seen of them but when somebody points there."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def _next(self, text: str) -> dict[str, Any]:
        self._texts.append(text)
        # what is quite invisible is not drawn, and cannot be pointed at
        return {"gid": f"value-{len(self._texts) - 1}", "alpha": 0.003, "zorder": 9}

    def at(self, axes: Axes, x: float, y: float, text: str) -> None:
        """Tell a text at a point."""
        axes.plot([x], [y], marker="o", markersize=11, color=PAPER, linestyle="none", **self._next(text))

    def over(self, axes: Axes, corner: tuple[float, float], width: float, height: float, text: str) -> None:
        """Tell a text over a rectangle, from its lower left corner."""
        axes.add_patch(Rectangle(corner, width, height, facecolor=PAPER, edgecolor="none", **self._next(text)))

    def told(self, svg: str, name: str) -> str:
        """Return the drawing as an element of a page, with its texts."""
        from markupsafe import escape

        def titled(found: re.Match[str]) -> str:
            return f'<g class="value" id="{found[1]}"><title>{escape(self._texts[int(found[2])])}</title>'

        return re.sub(rf'<g id="({re.escape(name)}-value-(\d+))">', titled, svg)


@dataclass(frozen=True)
class Rows:
    """Rows of numbers that are made each time that they are asked for, instead of being kept; count: of the rows."""

    columns: Sequence[str]
    make: Callable[[], Iterable[Sequence[Any]]]
    count: int

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.columns, row, strict=True)) for row in self.make())


@dataclass(frozen=True)
class ReportFigure:
    """A figure: its file name, caption, drawing and numbers.

    rows are what CSV and JSON hold; `alt` says in a sentence what is seen, for those who do not see it; values are
    what the page tells of places of the drawing that are pointed at.
    """

    name: str
    canvas: Canvas
    rows: Sequence[dict[str, Any]] | Rows
    alt: str
    caption: str = ""
    values: Values | None = None

    def write_png(self, path: Path) -> None:
        """
        Raises:
            CtrlGraphError: the file cannot be written.
        """
        with replacing(path) as temporary, plain_text():
            self._lay_out()
            dpi = min(PNG_DPI, PNG_SIDE / max(self.canvas.get_size_inches()))
            self.canvas.savefig(temporary, format="png", dpi=dpi, facecolor="white")
        free_pixels(self.canvas)

    def _lay_out(self) -> None:
        """Place the axes once: matplotlib would do so twice for each file that it writes."""
        if self.canvas.get_layout_engine() is not None:
            self.canvas.draw_without_rendering()
            self.canvas.set_layout_engine(None)

    def inline(self) -> str:
        """Return the drawing as an SVG element for the page."""
        buffer = io.StringIO()
        with plain_text():
            self._lay_out()
            self.canvas.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
        drawn = inline_svg(buffer.getvalue(), self.name, self.alt)
        return drawn if self.values is None else self.values.told(drawn, self.name)


@dataclass(frozen=True)
class PageFigure:
    """A figure as the page shows it; its files are written."""

    name: str
    svg: str
    caption: str


@contextmanager
def plain_text() -> Iterator[None]:
    """Return names are no formulas, and letters stay letters in an SVG; the same drawing gives the same bytes."""
    settings: Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": "ctrlgraph",
        "axes.unicode_minus": True,
    }
    with plain_lettering(), matplotlib.rc_context(settings):
        yield


def new_canvas(
    width: float, height: float, margins: tuple[float, float, float, float] | None = None
) -> tuple[Canvas, Axes]:
    """Return an empty figure of this size in in, with axes in the report's manner.

    Args:
        margins: left, bottom, right, top of the axes, in; as labels need them without it, which takes longer to draw.
    """
    canvas = Canvas(figsize=(width, height), layout=None if margins else "constrained")
    FigureCanvasAgg(canvas)
    if margins:
        left, bottom, right, top = margins
        canvas.subplots_adjust(left / width, bottom / height, 1 - right / width, 1 - top / height)
    axes = canvas.add_subplot()
    axes.set_facecolor("none")
    for name in ("top", "right"):
        axes.spines[name].set_visible(False)
    for name in ("left", "bottom"):
        axes.spines[name].set(color=GRID, linewidth=0.8)
    axes.tick_params(colors=MUTED, labelsize=8, length=0, pad=4)
    axes.xaxis.label.set(color=MUTED, size=8.5)
    axes.yaxis.label.set(color=MUTED, size=8.5)
    axes.set_axisbelow(True)
    return canvas, axes


def percent_axis(axes: Axes) -> None:
    """Let the y axis go from 0 to 100 %."""
    axes.set_ylim(-0.04, 1.04)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f} %"))
    axes.grid(axis="y", color=GRID, linewidth=0.7)


def inline_svg(text: str, name: str, alt: str, *, themed: bool = True) -> str:
    """Return an SVG document as an element of a page: as wide as its place, its ids begin with `name`; in the
    page's colours where it is themed."""
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
