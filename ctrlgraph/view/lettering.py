"""Names in pictures: letters, whatever they hold, and no formulas; and how much room they take."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import matplotlib

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 100
"""Pixels per inch of all pictures of motions."""
ELLIPSIS = "\u2026"


def free_pixels(figure: Figure) -> None:
    """Free the pixels of a figure that has been written: they would stay until Python looks for cycles of garbage."""
    from matplotlib.backend_bases import FigureCanvasBase

    FigureCanvasBase(figure)  # takes the place of the canvas that holds them


@contextmanager
def plain_lettering() -> Iterator[None]:
    """Draw texts as they are: `$` begins no formula, nothing is set by TeX, and a letter that the font lacks is a box.

    Both the making of texts and the drawing belong inside.
    """
    with matplotlib.rc_context({"text.parse_math": False, "text.usetex": False}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        # a name that leaves a drawing no room is drawn over its edge
        warnings.filterwarnings("ignore", message="constrained_layout not applied")
        yield


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return how wide a line of text of this size (points) is, in pixels at `DPI`."""
    from matplotlib.font_manager import FontProperties

    font = FontProperties(size=size, weight="bold" if bold else "normal")
    with plain_lettering():
        return float(_renderer().get_text_width_height_descent(text, font, False)[0])


@cache
def _renderer() -> Any:
    from matplotlib.backends.backend_agg import RendererAgg

    make: Any = RendererAgg  # it carries no types
    return make(8, 8, DPI)


def shortened(text: str, size: float, width: float, bold: bool = False) -> str:
    """Return a text in one line that is no wider than so many pixels; empty where not even three letters of it fit."""
    text = text.replace("\n", " ")
    if text_width(text, size, bold) <= width:
        return text
    for end in range(min(len(text), 400) - 1, 2, -1):
        short = text[:end].rstrip() + ELLIPSIS
        if text_width(short, size, bold) <= width:
            return short
    return ""


def wrapped(text: str, size: float, width: float, lines: int, bold: bool = False) -> list[str]:
    """Return a text in so many lines at most, each no wider than so many pixels; what does not fit is left out."""
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
