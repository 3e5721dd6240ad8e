"""The layout of a filmstrip: a title, and rows of drawn figures with captions below and names of nodes above.

All lengths are in metres of the motion. A metre is drawn as `PIXELS_PER_METRE` pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import FancyBboxPatch

from ctrlgraph.errors import printable
from ctrlgraph.pictures.key_poses import KeyPose
from ctrlgraph.pictures.style import DPI, INK, MUTED, FloatArray, Label, label_colours, shortened, text_width, wrapped
from ctrlgraph.simulation.recording.base_trace import BaseTrace

PIXELS_PER_METRE = 110
"""Scale of a filmstrip, pixels per metre of the motion."""
ROW_WIDTH = 13.0
"""Maximum width of a row, m."""
MAX_ROWS = 16
"""Maximum number of rows."""
GAP = 0.14
"""Minimum distance between two neighbouring figures, m."""
MAX_GAP = 1.5
"""Maximum distance between two neighbouring figures, m."""
STAMP_SIZE, CAPTION_SIZE = 8.0, 7.5
"""Text sizes of time stamps and captions, points."""
CAPTION_LINES = 4
"""Maximum number of caption lines below a figure."""
CAPTION_WIDTH = 0.95
"""Minimum width that is available for the captions of a figure, m."""
LINE = 0.125
"""Line distance of captions, m."""
CAPTION_GAP = 0.1
"""Distance between the captions of two neighbouring figures, m."""


@dataclass(frozen=True, slots=True)
class FigureText:
    """The texts below a figure of a filmstrip."""

    stamp: str
    """Time of the pose such as "1.2 s", or start and end if the body rests in the pose."""
    lines: tuple[str, ...]
    """Lines of the caption."""
    width: float
    """Width of the widest text, with the distance to the next figure's texts, m."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A figure of a filmstrip and its place in its row.

    Coordinates are in m, with x = 0 at the left end of the row and y as in the world.
    """

    sample: int
    """Index in the trace of the sample whose pose the figure shows."""
    shift: float
    """Displacement of the figure: its x in the row minus its x in the world, m."""
    left: float
    """Smallest x of the figure, m."""
    right: float
    """Largest x of the figure, m."""
    bottom: float
    """Smallest y of the figure, m."""
    top: float
    """Largest y of the figure, m."""
    text: FigureText
    """The texts below the figure."""

    @property
    def middle(self) -> float:
        """Return the x of the figure's centre."""
        return (self.left + self.right) / 2

    @property
    def text_left(self) -> float:
        """Return the smallest x of the texts below the figure."""
        return self.middle - self.text.width / 2

    @property
    def text_right(self) -> float:
        """Return the largest x of the texts below the figure."""
        return self.middle + self.text.width / 2

    @property
    def begin(self) -> float:
        """Return the smallest x of the figure and its texts together."""
        return min(self.left, self.text_left)

    @property
    def end(self) -> float:
        """Return the largest x of the figure and its texts together."""
        return max(self.right, self.text_right)


def rows_of(trace: BaseTrace, extents: FloatArray, poses: Sequence[KeyPose], level: bool = True) -> list[list[Slot]]:
    """Place a figure for each of n key poses, in rows of similar width.

    Args:
        trace: Recorded motion.
        extents: Left, right, bottom and top of the figure in each key pose (n, 4), m.
        poses: Key poses to show, in order of time.
        level: Whether the ground is level.

    Returns:
        At most `MAX_ROWS` rows, each a list of figures from left to right. Poses that do not fit are omitted.
    """
    samples = [pose.sample for pose in poses]
    texts = [_text(trace, pose, right - left) for pose, (left, right, _, _) in zip(poses, extents, strict=True)]
    rows = _place_figures(samples, extents, texts, ROW_WIDTH, level)
    narrow, width = rows, ROW_WIDTH
    while len(narrow) == len(rows) and width > ROW_WIDTH / 2:
        rows, width = narrow, width - 0.25
        narrow = _place_figures(samples, extents, texts, width, level)
    return rows[:MAX_ROWS]


def _text(trace: BaseTrace, pose: KeyPose, width: float) -> FigureText:
    """Return the texts below the figure of a key pose. `width` is the width of the figure, m."""
    began = float(trace.time[pose.sample])
    stamp = f"{_seconds(began)} s"
    if pose.until - began > 0.25:
        stamp = f"{_seconds(began)} \u2013 {_seconds(pose.until)} s"
    room = max(width, CAPTION_WIDTH) * PIXELS_PER_METRE
    lines = [line for caption in pose.captions for line in wrapped(printable(caption), CAPTION_SIZE, room, 3)]
    widths = [text_width(stamp, STAMP_SIZE), *(text_width(line, CAPTION_SIZE) for line in lines[:CAPTION_LINES])]
    return FigureText(stamp, tuple(lines[:CAPTION_LINES]), max(widths) / PIXELS_PER_METRE + CAPTION_GAP)


def _seconds(time: float) -> str:
    return f"{time:.2f}".rstrip("0").rstrip(".")


def _place_figures(
    samples: list[int], extents: FloatArray, texts: list[FigureText], width: float, level: bool
) -> list[list[Slot]]:
    """Place n figures in rows from left to right, at their true distances where possible.

    Args:
        samples: Index in the trace of the sample of each figure (n).
        extents: Left, right, bottom and top of each figure in the world (n, 4), m.
        texts: Texts below each figure (n).
        width: Maximum width of a row, m. A row with a single figure may be wider.
        level: Whether the ground is level. On uneven ground, the texts of a figure may not reach below the next figure,
            because the ground may be cut between the two figures.

    Returns:
        The rows, each a list of figures. The first figure of a row, with its texts, begins at x = 0.
    """
    rows: list[list[Slot]] = []
    for sample, text, extent in zip(samples, texts, extents.tolist(), strict=True):
        left, right, bottom, top = extent
        original = Slot(sample, 0.0, left, right, bottom, top, text)
        slot = None
        if rows:
            last = rows[-1][-1]
            min_shift = max(last.right + GAP - original.left, last.text_right - original.text_left)
            if not level:
                min_shift = max(min_shift, last.end - original.begin)
            max_shift = max(last.right + MAX_GAP - original.left, min_shift)
            slot = _moved(original, min(max(last.shift, min_shift), max_shift))  # true distance where possible
        if slot is None or slot.end > width:
            slot = _moved(original, -original.begin)
            rows.append([])
        rows[-1].append(slot)
    return rows


def _moved(slot: Slot, shift: float) -> Slot:
    return replace(slot, shift=slot.shift + shift, left=slot.left + shift, right=slot.right + shift)


MARGIN = 0.25
"""Margin at the ends of a row, m."""
BAND = 0.26
"""Height of a band (a coloured bar with the name of a node), m."""
SAMPLE_S = 0.015
"""Maximum difference between the start of a node and the time of its first sample, s."""
NAME_SIZE, TITLE_SIZE = 9.0, 13.0
"""Text sizes of the nodes' names and of the title, points."""
MIN_NAME_SIZE = 6.5
"""Minimum text size of a node's name, points."""
TITLE_LINES = 3
"""Maximum number of lines of the title."""
TITLE_HEIGHT, TITLE_LINE = 0.42, 0.22
"""Height of a title with one line, and height of each further line, m."""


def wrapped_title(title: str, width: float) -> list[str]:
    """Break the title of a filmstrip into lines that fit into the width of the picture.

    Args:
        title: Title. The result is empty if the title is empty.
        width: Width of the picture, m.
    """
    room = (width - 2 * MARGIN) * PIXELS_PER_METRE
    return wrapped(title, TITLE_SIZE, room, TITLE_LINES, bold=True) if title else []


def title_height(lines: Sequence[str]) -> float:
    """Return the height of the part of the picture that contains the lines of the title, m."""
    return TITLE_HEIGHT + TITLE_LINE * (len(lines) - 1) if lines else 0.05


def draw_title(canvas: Canvas, lines: Sequence[str], width: float, height: float) -> None:
    """Draw the title at the top of a filmstrip.

    Args:
        canvas: matplotlib figure to draw on.
        lines: Lines of the title, from `wrapped_title`.
        width: Width of the picture, m.
        height: Height of the picture, m.
    """
    for i, line in enumerate(lines):
        y = 1 - (0.24 + i * TITLE_LINE) / height
        canvas.text(MARGIN / width, y, line, va="center", color=INK, fontsize=TITLE_SIZE, fontweight="bold")


Band = tuple[str, float, float]
"""A coloured bar above a row: name of the node, left and right end of the bar (x in the row, m)."""


def bands_of(trace: BaseTrace, row: list[Slot], labels: Sequence[Label], width: float) -> list[Band]:
    """Place the bands (coloured bars with the names of nodes) above a row of figures.

    The band of a node reaches from the place in the row where the node starts to the place where the next node starts.
    If a name does not fit into its band, the band becomes wider and its neighbours narrower.

    Args:
        trace: Recorded motion.
        row: Figures of the row.
        labels: Start (s) and name of each node, in order of time.
        width: Maximum width of all bands together, m. The last band may extend beyond the figures.
    """
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
    """Widen adjacent bands until the names of their nodes fit at the minimum text size, if the width allows.

    Args:
        bands: Bands without gaps between them, from left to right.
        width: Maximum width of all bands together, m.
    """
    if not bands:
        return []
    widths = [text_width(_words(name), MIN_NAME_SIZE, bold=True) / PIXELS_PER_METRE + 0.14 for name, _, _ in bands]
    end = min(max(bands[-1][2], bands[0][1] + sum(widths)), max(width, bands[-1][2]))
    share = min(1.0, (end - bands[0][1]) / sum(widths))
    ends = [bands[0][1], *(right for _, _, right in bands)]
    ends[-1] = end
    for i, room in enumerate(widths):
        ends[i + 1] = max(ends[i + 1], ends[i] + share * room)
    ends[-1] = end
    for i in range(len(bands) - 1, 0, -1):
        ends[i] = min(ends[i], ends[i + 1] - share * widths[i])
    return [(name, left, right) for (name, _, _), (left, right) in zip(bands, pairwise(ends), strict=True)]


def draw_bands(axes: Axes, bands: Sequence[Band], colours: dict[str, str], top: float) -> None:
    """Draw the coloured bars with the names of nodes above a row of figures.

    Args:
        axes: Axes of the row.
        bands: Name of the node, left and right end of each bar.
        colours: Colour of each node, by its name.
        top: y of the upper end of the axes, m.
    """
    for name, left, right in bands:
        shown, size = _fitted(name, right - left)
        corner, style = (left + 0.02, top - BAND - 0.02), "round,pad=0,rounding_size=0.05"
        fill: dict[str, Any] = {"facecolor": colours[name], "edgecolor": "none", "zorder": 3}
        axes.add_patch(FancyBboxPatch(corner, right - left - 0.04, BAND - 0.04, style, **fill))
        letters: dict[str, Any] = {"color": "white", "fontsize": size, "fontweight": "bold", "zorder": 4}
        middle, line = (left + right) / 2, top - BAND / 2 - 0.04
        axes.text(middle, line, shown, ha="center", va="center_baseline", **letters)


def _fitted(name: str, width: float) -> tuple[str, float]:
    """Fit the name of a node into a bar: reduce the text size first, then shorten the name, and finally omit the name.

    Args:
        name: Name of the node.
        width: Width of the bar, m.

    Returns:
        The text to draw (empty if the name is omitted), and the text size in points.
    """
    room, name = (width - 0.1) * PIXELS_PER_METRE, _words(name)
    sizes = np.arange(NAME_SIZE, MIN_NAME_SIZE - 0.01, -0.5).tolist()
    size = next((size for size in sizes if text_width(name, size, bold=True) <= room), MIN_NAME_SIZE)
    return shortened(name, size, room, bold=True), size


def _words(name: str) -> str:
    return name.replace("_", " ").replace("\n", " ")


def full_title(trace: BaseTrace, shown: Sequence[KeyPose], title: str, whole_s: float | None) -> str:
    """Return the title, with a note such as "(the first 20 s of 60 s)" if only the beginning of the motion is shown.

    Args:
        trace: Recorded motion.
        shown: Poses that the picture shows.
        title: Title without the note.
        whole_s: Duration of the whole motion, s; None if the trace contains the whole motion.
    """
    start, end = float(trace.time[0]), float(trace.time[-1])
    before = float(trace.time[shown[-2].sample]) if len(shown) > 1 else start
    cut_s = max(shown[-1].until - before, 1.0)  # figures can be far apart in time
    whole = max(end - start, whole_s or 0.0)
    if shown[-1].until >= end - cut_s and end - start >= whole - 1.0:
        return title
    note = f"the first {shown[-1].until - start:.0f} s of {whole:.0f} s"
    return f"{title} ({note})" if title else note


def text_height(row: list[Slot]) -> float:
    """Return the height of the captions below a row of figures, m."""
    lines = max(len(slot.text.lines) for slot in row)
    return lines * LINE + 0.06 if lines else 0.0


def draw_texts(axes: Axes, row: list[Slot], floor: float) -> None:
    """Draw the time stamps and captions below a row of figures.

    Args:
        axes: Axes of the row.
        row: Places of the figures in the row.
        floor: y of the upper end of the captions, m. The time stamps are above.
    """
    under: dict[str, Any] = {"ha": "center", "va": "center_baseline", "zorder": 6}
    for slot in row:
        axes.text(slot.middle, floor + 0.17, slot.text.stamp, color=MUTED, fontsize=STAMP_SIZE, **under)
        for i, line in enumerate(slot.text.lines):
            axes.text(slot.middle, floor - 0.02 - i * LINE, line, color=INK, fontsize=CAPTION_SIZE, **under)


def draw_page(
    trace: BaseTrace,
    rows: list[list[Slot]],
    spans: Sequence[tuple[float, float]],
    draw_row: Callable[[Axes, list[Slot]], None],
    labels: Sequence[Label],
    title: str,
    min_width: float,
) -> Canvas:
    """Draw a filmstrip: the title, the rows below each other, and the names of nodes above each row.

    Args:
        trace: Recorded motion.
        rows: Places of the figures.
        spans: Lowest and highest y of each row, m.
        draw_row: Function that draws the figures of a row and its texts.
        labels: Start (s) and name of each node.
        title: Title of the picture.
        min_width: Minimum width of the picture, m.
    """
    width = max(min_width, max(slot.end for row in rows for slot in row) + 2 * MARGIN)
    title_lines = wrapped_title(title, width)
    above = title_height(title_lines)
    height = sum(top - bottom for bottom, top in spans) + above
    scale = PIXELS_PER_METRE / DPI
    canvas = Canvas(figsize=(width * scale, height * scale), dpi=DPI, facecolor="white")
    FigureCanvasAgg(canvas)
    draw_title(canvas, title_lines, width, height)
    colours = label_colours(name for _, name in labels)
    for row, (bottom, top) in zip(rows, spans, strict=True):
        axes = canvas.add_axes((0, 1 - (above + top - bottom) / height, 1, (top - bottom) / height))
        axes.set_axis_off()
        axes.set(xlim=(-MARGIN, width - MARGIN), ylim=(bottom, top))
        draw_row(axes, row)
        draw_bands(axes, bands_of(trace, row, labels, width - 2 * MARGIN), colours, top)
        above += top - bottom
    return canvas
