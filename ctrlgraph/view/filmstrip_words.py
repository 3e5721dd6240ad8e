"""What is written above the rows of a filmstrip: title and note, and a band for each node with its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import FancyBboxPatch

from ctrlgraph.simulation.trace import Trace
from ctrlgraph.view.figure import INK, MUTED, FloatArray, Label
from ctrlgraph.view.filmstrip_rows import PIXELS_PER_METRE, Slot
from ctrlgraph.view.lettering import shortened, text_width, wrapped

MARGIN = 0.25  # m at the ends of a row
BAND = 0.26  # m, height of a label's band
SAMPLE_S = 0.015  # s: a node begins at the sample nearest to its beginning
NAME_SIZE, TITLE_SIZE = 9.0, 13.0  # points
SMALLEST_NAME = 6.5  # points
HEAD_LINES = 3
HEAD, HEAD_LINE = 0.42, 0.22  # m: of a title in one line; of each further line and of the note


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands above the rows: the title and the note in lines, none of which is cut before the third."""

    title: tuple[str, ...]
    note: tuple[str, ...]

    @classmethod
    def of(cls, title: str, note: str, width: float) -> Heading:
        """The lines that fit into a picture of this width, m."""
        room = (width - 2 * MARGIN) * PIXELS_PER_METRE
        lines = wrapped(title, TITLE_SIZE, room, HEAD_LINES, bold=True) if title else []
        return cls(tuple(lines), tuple(wrapped(note, NAME_SIZE, room, HEAD_LINES)))

    @property
    def height(self) -> float:
        """How much room it takes, m."""
        further = HEAD_LINE * (max(len(self.title) - 1, 0) + len(self.note))
        return (HEAD if self.title else 0.05) + further

    def draw(self, canvas: Canvas, width: float, height: float) -> None:
        """Write it into a picture of this size, m."""
        down = 0.24
        styles: list[tuple[tuple[str, ...], dict[str, Any]]] = [
            (self.title, {"color": INK, "fontsize": TITLE_SIZE, "fontweight": "bold"}),
            (self.note, {"color": MUTED, "fontsize": NAME_SIZE}),
        ]
        for lines, style in styles:
            for line in lines:
                canvas.text(MARGIN / width, 1 - down / height, line, va="center", **style)
                down += HEAD_LINE


Band = tuple[str, float, float]  # a node's name, and from where to where its band goes, m


def bands_of(trace: Trace, row: list[Slot], labels: Sequence[Label], width: float) -> list[Band]:
    """The bands above a row of figures: from where a node begins to where the next does, and wider at its neighbours'
    cost where its name would not fit. The row's first and last may go on beside the figures."""
    times: FloatArray = np.array([trace.time[slot.sample] for slot in row])
    middles = [slot.middle for slot in row]
    begin, end = row[0].begin, row[-1].end
    bands: list[Band] = []
    for i, (start, name) in enumerate(labels):
        stop = labels[i + 1][0] if i + 1 < len(labels) else np.inf
        if start > times[-1] or stop <= times[0] + SAMPLE_S:
            continue
        left = begin if start <= times[0] + SAMPLE_S else float(np.interp(start, times, middles))
        right = end if stop > times[-1] else float(np.interp(stop, times, middles))
        if right - left >= 0.04:
            bands.append((name, left, right))
    return _widened(bands, width)


def _widened(bands: list[Band], width: float) -> list[Band]:
    """Bands that follow on each other, each at least as wide as its name in small letters, as far as `width` allows."""
    if not bands:
        return []
    wanted = [text_width(_words(name), SMALLEST_NAME, bold=True) / PIXELS_PER_METRE + 0.14 for name, _, _ in bands]
    end = min(max(bands[-1][2], bands[0][1] + sum(wanted)), max(width, bands[-1][2]))
    share = min(1.0, (end - bands[0][1]) / sum(wanted))
    ends = [bands[0][1], *(right for _, _, right in bands)]
    ends[-1] = end
    for i, room in enumerate(wanted):
        ends[i + 1] = max(ends[i + 1], ends[i] + share * room)
    ends[-1] = end
    for i in range(len(bands) - 1, 0, -1):
        ends[i] = min(ends[i], ends[i + 1] - share * wanted[i])
    return [(name, left, right) for (name, _, _), (left, right) in zip(bands, pairwise(ends), strict=True)]


def draw_bands(axes: Axes, bands: Sequence[Band], colours: dict[str, str], top: float) -> None:
    """A coloured band for each node above the figures, with its name."""
    for name, left, right in bands:
        shown, size = _fitted(name, right - left)
        box = FancyBboxPatch(
            (left + 0.02, top - BAND - 0.02),
            right - left - 0.04,
            BAND - 0.04,
            boxstyle="round,pad=0,rounding_size=0.05",
            facecolor=colours[name],
            edgecolor="none",
            zorder=3,
        )
        axes.add_patch(box)
        axes.text(
            (left + right) / 2,
            top - BAND / 2 - 0.04,
            shown,
            color="white",
            fontsize=size,
            fontweight="bold",
            ha="center",
            va="center_baseline",
            zorder=4,
        )


def _fitted(name: str, width: float) -> tuple[str, float]:
    """The name in a band of this width (m), and the size of its letters (points): in smaller ones, and then shortened,
    where it does not fit; empty where not even three letters do."""
    room, name = (width - 0.1) * PIXELS_PER_METRE, _words(name)
    sizes = [size for size in np.arange(NAME_SIZE, SMALLEST_NAME - 0.01, -0.5).tolist()]
    size = next((size for size in sizes if text_width(name, size, bold=True) <= room), SMALLEST_NAME)
    return shortened(name, size, room, bold=True), size


def _words(name: str) -> str:
    return name.replace("_", " ").replace("\n", " ")
