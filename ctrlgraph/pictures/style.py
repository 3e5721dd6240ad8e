"""The common style of all pictures: colours, literal text, wrapping of texts to a width, and writing of files."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from numpy.typing import NDArray

from ctrlgraph.files import replacing

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

FloatArray = NDArray[np.float64]

Label = tuple[float, str]
"""Start (s) of a node and its name, or start of a phase and its caption."""

INK = "#22303c"
PAPER = "#ffffff"
MUTED = "#7a8793"
TRUNK = "#33475b"
NEAR = "#d1603d"
FAR = "#eec3b0"
GROUND = "#e9e4da"
GROUND_LINE = "#8c8371"
TRAIL = "#2a9d8f"

DPI = 100
"""Resolution of all pictures of motions, pixels per inch."""
ELLIPSIS = "\u2026"


def free_pixels(figure: Figure) -> None:
    """Free the memory of a figure's pixels at once, after the figure was written to a file."""
    from matplotlib.backend_bases import FigureCanvasBase

    FigureCanvasBase(figure)  # replaces the canvas that holds the pixels


@contextmanager
def plain_lettering() -> Iterator[None]:
    """Make matplotlib draw texts literally within a `with` block: without math markup, TeX and warnings about glyphs.

    Texts must be both created and drawn within the block.
    """
    with matplotlib.rc_context({"text.parse_math": False, "text.usetex": False}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        # a long name is drawn across the edge of its axes
        warnings.filterwarnings("ignore", message="constrained_layout not applied")
        yield


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a line of text in a picture with the resolution `DPI`, pixels.

    Args:
        text: Text without line breaks.
        size: Text size, points.
        bold: Whether the text is bold.
    """
    from matplotlib.font_manager import FontProperties

    font = FontProperties(size=size, weight="bold" if bold else "normal")
    with plain_lettering():
        return float(_renderer().get_text_width_height_descent(text, font, False)[0])


@cache
def _renderer() -> Any:
    from matplotlib.backends.backend_agg import RendererAgg

    make: Any = RendererAgg  # untyped
    return make(8, 8, DPI)


def shortened(text: str, size: float, width: float, bold: bool = False) -> str:
    """Return a text as one line. If it is too wide, it is cut and ends with an ellipsis.

    The result is empty if fewer than three letters fit.

    Args:
        text: Text to shorten.
        size: Text size, points.
        width: Maximum width, pixels.
        bold: Whether the text is bold.
    """
    text = text.replace("\n", " ")
    if text_width(text, size, bold) <= width:
        return text
    for end in range(min(len(text), 400) - 1, 2, -1):
        short = text[:end].rstrip() + ELLIPSIS
        if text_width(short, size, bold) <= width:
            return short
    return ""


def wrapped(text: str, size: float, width: float, lines: int, bold: bool = False) -> list[str]:
    """Break a text into lines that fit into a width. The part that does not fit into these lines is omitted.

    Args:
        text: Text to wrap at spaces.
        size: Text size, points.
        width: Maximum width, pixels.
        lines: Maximum number of lines.
        bold: Whether the text is bold.
    """
    found: list[str] = []
    words = text.split()[:200]
    for word in words:
        longer = f"{found[-1]} {word}" if found else word
        if found and text_width(longer, size, bold) <= width:
            found[-1] = longer
        else:
            found.append(word)
    if len(found) > lines:
        found = [*found[: lines - 1], " ".join(found[lines - 1 :])]
    return [line for line in (shortened(each, size, width, bold) for each in found) if line]


def write_figure(path: Path, draw: Callable[[], Figure]) -> None:
    """Draw a figure in the common style, and write it to a file.

    Args:
        path: Output file, .png or .svg.
        draw: Function that draws the figure and returns it. It is called once.

    Raises:
        CtrlGraphError: The file cannot be written.
    """
    with plain_lettering(), matplotlib.rc_context({"font.size": 8, "svg.hashsalt": "ctrlgraph"}):
        canvas = draw()
        with replacing(path) as temporary:
            canvas.savefig(temporary, dpi=110, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)


COLOURS = (
    "#3a6ea5", "#5b8e7d", "#b5651d", "#7b5ea7", "#a23b54", "#2a7f86",
    "#8a7a2f", "#4f5d75", "#c0562f", "#3f7d4e", "#94577e", "#6b705c",
)  # fmt: skip
"""Colours of node names and other labels, in the order in which `label_colours` assigns them."""


def label_colours(names: Iterable[str]) -> dict[str, str]:
    """Assign one of `COLOURS` to each distinct name, in order of appearance, and return the colours by name.

    After the last colour, the first colour is used again.
    """
    return {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(dict.fromkeys(names))}
