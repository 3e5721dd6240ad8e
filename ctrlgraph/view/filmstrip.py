"""A motion as one picture: its key poses, from left to right, in rows, with what each of them is under it.

Figures stand at their true distance wherever that keeps them and their captions apart; where it does not (a flip on the
spot, a slow gait) they are moved apart, and the trail of the centre of mass is stretched with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import FancyBboxPatch
from scipy.interpolate import PchipInterpolator

from ctrlgraph.character.model import Character
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.files import replacing
from ctrlgraph.simulation.trace import Trace
from ctrlgraph.view.figure import (
    GROUND,
    GROUND_LINE,
    INK,
    JUMP,
    MUTED,
    TRAIL,
    Figure,
    FloatArray,
    Label,
    TerrainLike,
    ground_polyline,
    is_level,
)
from ctrlgraph.view.key_poses import KeyPose, key_poses, nearest
from ctrlgraph.view.lettering import DPI, plain_lettering, shortened, text_width, wrapped
from ctrlgraph.view.palette import label_colours

ROW_WIDTH = 13.0  # m
MAX_ROWS = 16
GAP = 0.14  # m between the outlines of two figures
MARGIN = 0.25  # m at the ends of a row
HEADROOM = 1.0  # m: a row is at least so high
GROUND_DEPTH = 0.34  # m, holds the time stamps
GROUND_CUT = 0.015  # m: half of what parts two pieces of ground
BAND = 0.26  # m, height of a label's band
PIXELS_PER_METRE = 110
FARTHEST = 1.5  # m of empty ground between two figures: beyond, they are moved together
SQUEEZED = 0.8  # of its true way: a trail that is pushed together farther than that is cut instead
NARROWEST = 5.0  # m, width of a picture
SAMPLE_S = 0.015  # s: a node begins at the sample nearest to its beginning
EDGE = 0.05  # m around a figure, for the halo of its outline

STAMP_SIZE, CAPTION_SIZE, NAME_SIZE, TITLE_SIZE = 8.0, 7.5, 9.0, 13.0  # points
SMALLEST_NAME = 6.5  # points
HEAD_LINES = 3
HEAD, HEAD_LINE = 0.42, 0.22  # m: of a title in one line; of each further line and of the note
LINE = 0.125  # m from one line of a caption to the next
CAPTION_LINES = 4
CAPTION_WIDTH = 0.95  # m, of a caption below a narrower figure
CAPTION_GAP = 0.1  # m between two captions


@dataclass(frozen=True, slots=True)
class _Text:
    """What stands under a figure: its time, and its caption in lines; both in the width (m) that they need."""

    stamp: str
    lines: tuple[str, ...]
    width: float


@dataclass(frozen=True, slots=True)
class _Slot:
    """One figure in a row: its sample, its shift to the row's x, and its outline's extent there, m; and what is said of
    it."""

    sample: int
    shift: float
    left: float
    right: float
    bottom: float
    top: float
    text: _Text

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    @property
    def text_left(self) -> float:
        return self.middle - self.text.width / 2

    @property
    def text_right(self) -> float:
        return self.middle + self.text.width / 2

    @property
    def begin(self) -> float:
        """Where figure and text begin, m."""
        return min(self.left, self.text_left)

    @property
    def end(self) -> float:
        """Where they end, m."""
        return max(self.right, self.text_right)


def write_filmstrip(
    trace: Trace,
    path: Path | str,
    *,
    character: Character,
    terrain: TerrainLike | None = None,
    labels: Sequence[Label] = (),
    phases: Sequence[Label] = (),
    poses: Sequence[KeyPose] | None = None,
    frames: int | None = None,
    title: str = "",
    note: str = "",
    whole_s: float | None = None,
) -> None:
    """Write the motion as a PNG.

    `labels` are (start time in s, name of the node), `phases` (start time in s, caption); `poses` are what is shown, by
    default the `key_poses`, or `frames` figures at equal distances in time; `note` is a sentence below the title. Of a
    motion that is longer than a picture
    can hold, the beginning is shown, and the picture says so; `whole_s` is its duration, s, where the trace is only its
    beginning.

    Raises:
        CtrlGraphError: the trace is empty, or the file cannot be written.

    >>> from pathlib import Path
    >>> from ctrlgraph import Project, Simulation, write_filmstrip
    >>> project = Project.find()
    >>> with Simulation(project.character) as simulation:
    ...     _ = simulation.run(project.controller("stand"), timeout=1)
    ...     write_filmstrip(simulation.trace, "stand.png", character=project.character)
    >>> Path("stand.png").is_file()
    True
    """
    if len(trace) == 0:
        raise CtrlGraphError("there is no motion to draw: the trace is empty")
    if poses is None and frames is not None:
        times = np.linspace(trace.time[0], trace.time[-1], max(frames, 1))
        poses = [KeyPose(i, until=float(trace.time[i])) for i in nearest(trace, times)]
    elif poses is None:
        poses = key_poses(trace, character, labels=labels, phases=phases)
    figure = Figure.of(character)
    with replacing(path) as temporary, plain_lettering():
        rows = _rows(trace, figure, poses, is_level(terrain))
        title = _told(trace, poses[: sum(map(len, rows))], title, whole_s)
        labels = [(start, printable(name)) for start, name in labels]
        canvas = _draw(trace, figure, rows, terrain, labels, (printable(title), printable(note)))
        canvas.savefig(temporary, format="png", dpi=DPI)


def _told(trace: Trace, shown: Sequence[KeyPose], title: str, whole_s: float | None) -> str:
    """The title, with how much of the motion is shown where that is only its beginning."""
    start, end = float(trace.time[0]), float(trace.time[-1])
    before = float(trace.time[shown[-2].sample]) if len(shown) > 1 else start
    cut_s = max(shown[-1].until - before, 1.0)  # figures may be far apart
    whole = max(end - start, whole_s or 0.0)
    if shown[-1].until >= end - cut_s and end - start >= whole - 1.0:
        return title
    note = f"the first {shown[-1].until - start:.0f} s of {whole:.0f} s"
    return f"{title} ({note})" if title else note


def _rows(trace: Trace, figure: Figure, poses: Sequence[KeyPose], level: bool = True) -> list[list[_Slot]]:
    """Figures placed in rows of about the same width, as many as a picture holds."""
    samples = [pose.sample for pose in poses]
    extents = figure.extents(trace.position[samples], trace.angle[samples])
    texts = [_text(trace, pose, right - left) for pose, (left, right, _, _) in zip(poses, extents, strict=True)]
    rows = _placed(samples, extents, texts, ROW_WIDTH, level)
    narrow, width = rows, ROW_WIDTH
    while len(narrow) == len(rows) and width > ROW_WIDTH / 2:
        rows, width = narrow, width - 0.25
        narrow = _placed(samples, extents, texts, width, level)
    return rows[:MAX_ROWS]


def _text(trace: Trace, pose: KeyPose, width: float) -> _Text:
    """What stands under a figure of this width (m)."""
    began = float(trace.time[pose.sample])
    stamp = f"{_seconds(began)} s"
    if pose.until - began > 0.25:
        stamp = f"{_seconds(began)} \u2013 {_seconds(pose.until)} s"
    room = max(width, CAPTION_WIDTH) * PIXELS_PER_METRE
    lines = [line for caption in pose.captions for line in wrapped(printable(caption), CAPTION_SIZE, room, 3)]
    widths = [text_width(stamp, STAMP_SIZE), *(text_width(line, CAPTION_SIZE) for line in lines[:CAPTION_LINES])]
    return _Text(stamp, tuple(lines[:CAPTION_LINES]), max(widths) / PIXELS_PER_METRE + CAPTION_GAP)


def _seconds(time: float) -> str:
    return f"{time:.2f}".rstrip("0").rstrip(".")


def _placed(
    samples: list[int], extents: FloatArray, texts: list[_Text], width: float, level: bool
) -> list[list[_Slot]]:
    """Rows of figures, each beginning at x = 0 and at most `width` m wide where two figures fit; on ground that is not
    level each may have a piece of it to itself."""
    rows: list[list[_Slot]] = []
    for sample, text, extent in zip(samples, texts, extents.tolist(), strict=True):
        left, right, bottom, top = extent
        at_home = _Slot(sample, 0.0, left, right, bottom, top, text)
        slot = None
        if rows:
            last = rows[-1][-1]
            apart = max(last.right + GAP - at_home.left, last.text_right - at_home.text_left)
            if not level:
                apart = max(apart, last.end - at_home.begin)
            farthest = max(last.right + FARTHEST - at_home.left, apart)
            slot = _moved(at_home, min(max(last.shift, apart), farthest))  # true distance, or just apart
        if slot is None or slot.end > width:
            slot = _moved(at_home, -at_home.begin)
            rows.append([])
        rows[-1].append(slot)
    return rows


def _moved(slot: _Slot, shift: float) -> _Slot:
    return replace(slot, shift=slot.shift + shift, left=slot.left + shift, right=slot.right + shift)


def _draw(
    trace: Trace,
    figure: Figure,
    rows: list[list[_Slot]],
    terrain: TerrainLike | None,
    labels: Sequence[Label],
    told: tuple[str, str],
) -> Canvas:
    width = max(NARROWEST, max(slot.end for row in rows for slot in row) + 2 * MARGIN)
    spans = [_vertical_span(trace, row, terrain, bool(labels)) for row in rows]
    head = _Heading.of(*told, width)
    height = sum(top - bottom for bottom, top in spans) + head.height
    scale = PIXELS_PER_METRE / DPI
    canvas = Canvas(figsize=(width * scale, height * scale), dpi=DPI, facecolor="white")
    FigureCanvasAgg(canvas)
    head.draw(canvas, width, height)
    colours = label_colours(name for _, name in labels)
    above = head.height
    for row, (bottom, top) in zip(rows, spans, strict=True):
        axes = canvas.add_axes((0, 1 - (above + top - bottom) / height, 1, (top - bottom) / height))
        axes.set_axis_off()
        axes.set(xlim=(-MARGIN, width - MARGIN), ylim=(bottom, top))
        _draw_row(axes, trace, figure, row, terrain)
        _draw_labels(axes, _bands(trace, row, labels, width - 2 * MARGIN), colours, top)
        above += top - bottom
    return canvas


@dataclass(frozen=True, slots=True)
class _Heading:
    """What stands above the rows: the title and the note in lines, none of which is cut before the third."""

    title: tuple[str, ...]
    note: tuple[str, ...]

    @classmethod
    def of(cls, title: str, note: str, width: float) -> _Heading:
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


def _vertical_span(trace: Trace, row: list[_Slot], terrain: TerrainLike | None, labelled: bool) -> tuple[float, float]:
    """Bottom and top of a row, m: all of its figures, their trail, the ground below them and what is written."""
    grounds = [ground_polyline(terrain, slot.left - slot.shift, slot.right - slot.shift)[1] for slot in row]
    lowest = min(*(float(heights.min()) for heights in grounds), *(slot.bottom - EDGE for slot in row))
    highest = max(float(heights.max()) for heights in grounds)
    way = trace.com[row[0].sample : row[-1].sample + 1, 1]
    top = max(*(slot.top for slot in row), float(way.max()), highest + HEADROOM) + 2 * EDGE
    lines = max(len(slot.text.lines) for slot in row)
    below = GROUND_DEPTH + (lines * LINE + 0.06 if lines else 0.0)
    return lowest - below, top + (BAND + 0.12 if labelled else 0.05)


def _draw_row(axes: Axes, trace: Trace, figure: Figure, row: list[_Slot], terrain: TerrainLike | None) -> None:
    lines = max(len(slot.text.lines) for slot in row)
    floor = axes.get_ylim()[0] + (lines * LINE + 0.06 if lines else 0.0)
    _draw_ground(axes, row, terrain, floor)
    for slot in row:
        figure.draw(axes, trace.position[slot.sample], trace.angle[slot.sample], slot.shift)
        under: dict[str, Any] = {"ha": "center", "va": "center_baseline", "zorder": 6}
        axes.text(slot.middle, floor + 0.17, slot.text.stamp, color=MUTED, fontsize=STAMP_SIZE, **under)
        for i, line in enumerate(slot.text.lines):
            axes.text(slot.middle, floor - 0.02 - i * LINE, line, color=INK, fontsize=CAPTION_SIZE, **under)
    _draw_trail(axes, trace, row)


def _draw_ground(axes: Axes, row: list[_Slot], terrain: TerrainLike | None, floor: float) -> None:
    """The ground in one piece where figures stand at their true distance, else a piece for each."""
    left, level = -MARGIN, is_level(terrain)
    for slot, following in zip(row, [*row[1:], None], strict=True):
        right = slot.end + MARGIN if following is None else (slot.end + following.begin) / 2
        if following is not None and (level or abs(following.shift - slot.shift) < 1e-6):
            continue
        end = right if following is None else right - GROUND_CUT
        xs, ys = ground_polyline(terrain, left - slot.shift, end - slot.shift)
        ys = np.maximum(ys, floor + 0.06)  # a pit beside the figures may be deeper than the row
        axes.fill_between(xs + slot.shift, ys, floor + 0.06, color=GROUND, linewidth=0, zorder=1)
        axes.plot(xs + slot.shift, ys, color=GROUND_LINE, linewidth=1.4, zorder=2, solid_capstyle="butt")
        left = right + GROUND_CUT


def _draw_trail(axes: Axes, trace: Trace, row: list[_Slot]) -> None:
    """The centre of mass between the figures, moved as they are, broken where it jumped."""
    part = slice(row[0].sample, row[-1].sample + 1)
    moves = np.diff(trace.com[part], axis=0, prepend=trace.com[part][:1])
    jumped = np.abs(moves).max(axis=1) > JUMP
    jumps = np.cumsum(np.where(jumped, moves[:, 0], 0.0))
    knots = [(float(trace.time[s.sample]), s.shift + jumps[s.sample - row[0].sample]) for s in row]
    x = trace.com[part, 0] - jumps + _smooth(trace.time[part], knots)
    y = np.where(jumped, np.nan, trace.com[part, 1])
    _cut_squeezed(x, y, trace.com[part, 0] - jumps, [slot.sample - row[0].sample for slot in row])
    axes.plot(x, y, color=TRAIL, linewidth=1.3, alpha=0.85, zorder=4, solid_capstyle="round")
    samples = [slot.sample for slot in row]
    shifts = np.array([slot.shift for slot in row])
    axes.scatter(trace.com[samples, 0] + shifts, trace.com[samples, 1], s=9, color=TRAIL, zorder=7, linewidths=0)


def _cut_squeezed(x: FloatArray, y: FloatArray, way: FloatArray, knots: Sequence[int]) -> None:
    """Where figures were moved together (all (n,), m; knots: their samples), let the trail keep its true form near each
    of them, and have a gap where the rest of the way is left out."""
    for first, last in pairwise(knots):
        drawn, true = x[last] - x[first], way[last] - way[first]
        if drawn * np.sign(true) >= SQUEEZED * abs(true):
            continue
        gone, left = np.abs(way[first:last] - way[first]), np.abs(way[last] - way[first:last])
        room = 0.45 * abs(drawn)
        near, far = np.maximum.accumulate(gone) <= room, np.maximum.accumulate(left[::-1])[::-1] <= room
        x[first:last] = np.where(
            far & ~near, x[last] - (way[last] - way[first:last]), x[first] + way[first:last] - way[first]
        )
        y[first:last] = np.where(near | far, y[first:last], np.nan)


def _smooth(at: FloatArray, points: list[tuple[float, float]]) -> FloatArray:
    """Values between points (time, value), so that the trail has no corners and swings beyond no figure."""
    knots, y = np.array(points).T
    if len(knots) < 2:
        return np.full(len(at), y[0])
    smooth: FloatArray = PchipInterpolator(knots, y)(at)
    return smooth


Band = tuple[str, float, float]  # a node's name, and from where to where its band goes, m


def _bands(trace: Trace, row: list[_Slot], labels: Sequence[Label], width: float) -> list[Band]:
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


def _draw_labels(axes: Axes, bands: Sequence[Band], colours: dict[str, str], top: float) -> None:
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
