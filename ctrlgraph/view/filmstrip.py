"""A motion as one picture: the character at evenly spaced times, from left to right, in rows.

Figures stand at their true distance wherever that keeps them apart; where it does not (a flip on the
spot, a slow gait) they are moved apart, and the trail of the centre of mass is stretched with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import FancyBboxPatch

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
from ctrlgraph.view.lettering import plain_lettering
from ctrlgraph.view.palette import label_colours

ROW_WIDTH = 13.0  # m
MAX_ROWS = 12
GAP = 0.14  # m between the outlines of two figures
MARGIN = 0.25  # m at the ends of a row
HEADROOM = 1.95  # m: a row is at least as high as a person who stands
GROUND_DEPTH = 0.34  # m, holds the time stamps
GROUND_CUT = 0.015  # m: half of what parts two pieces of ground
BAND = 0.26  # m, height of a label's band
LETTER = 0.075  # m, width of a letter in it
PIXELS_PER_METRE = 110
FARTHEST = 1.5  # m of empty ground between two figures: beyond, they are moved together
TRAVELLING = 0.4  # m/s
STRIDE = 1.1  # m that a figure needs to itself

# (longest duration in s, time between two figures in s): short motions are shown finely.
SPACINGS = ((1.2, 0.1), (3.0, 0.2), (6.0, 0.3), (30.0, 0.5), (np.inf, 0.6))


@dataclass(frozen=True, slots=True)
class _Slot:
    """One figure in a row: its sample, its shift to the row's x, and its outline's extent there, m."""

    sample: int
    shift: float
    left: float
    right: float
    bottom: float
    top: float


def write_filmstrip(
    trace: Trace,
    path: Path | str,
    *,
    character: Character,
    terrain: TerrainLike | None = None,
    labels: Sequence[Label] = (),
    frames: int | None = None,
    title: str = "",
    whole_s: float | None = None,
) -> None:
    """Write the motion as a PNG.

    `labels` are (start time in s, name of the node); `frames` is the number of figures, by default
    chosen from the duration. Of a motion that is longer than a picture can hold, the beginning is
    shown, and the picture says so; `whole_s` is its duration, s, where the trace is only its beginning.

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
    figure = Figure.of(character)
    rows, complete = _rows(trace, figure, frames)
    shown = float(trace.time[rows[-1][-1].sample])
    there_s = float(trace.time[-1] - trace.time[0])
    if not complete or (whole_s is not None and there_s < whole_s - 1.0):
        note = f"the first {shown - trace.time[0]:.0f} s of {max(there_s, whole_s or 0.0):.0f} s"
        title = f"{title} ({note})" if title else note
    labels = [(start, printable(name)) for start, name in labels]
    with replacing(path) as temporary, plain_lettering():
        canvas = _draw(trace, figure, rows, terrain, labels, printable(title))
        canvas.savefig(temporary, format="png", dpi=100)


def _samples(trace: Trace, frames: int | None) -> list[int]:
    """Indices of the samples shown, at evenly spaced times."""
    start, end = float(trace.time[0]), float(trace.time[-1])
    if len(trace) == 1:
        return [0]
    if frames is not None:
        times = np.linspace(start, end, max(frames, 1))
    else:
        step = _spacing(trace)
        times = np.arange(start, end + 1e-6, step)
        if end - times[-1] > step / 2:
            times = np.append(times, end)
    after = np.clip(np.searchsorted(trace.time, times - 1e-9), 1, len(trace) - 1)
    nearer = times - trace.time[after - 1] < trace.time[after] - times
    samples: list[int] = np.unique(np.where(nearer, after - 1, after)).tolist()
    return samples


def _spacing(trace: Trace) -> float:
    """Seconds between two figures; where the character travels, enough for it to clear its own place."""
    duration = float(trace.time[-1] - trace.time[0])
    spacing = next(step for longest, step in SPACINGS if duration <= longest)
    speed = abs(float(trace.com[-1, 0] - trace.com[0, 0])) / max(duration, 1e-9)
    if speed < TRAVELLING:
        return spacing
    return float(np.clip(round(STRIDE / speed, 1), spacing, 2 * spacing))


def _rows(trace: Trace, figure: Figure, frames: int | None) -> tuple[list[list[_Slot]], bool]:
    """Figures placed in rows of about the same width; False where not all fitted."""
    samples = _samples(trace, frames)
    extents = [figure.extent(trace.position[i], trace.angle[i]) for i in samples]
    rows = _placed(samples, extents, ROW_WIDTH)
    if len(rows) > MAX_ROWS:
        return rows[:MAX_ROWS], False
    narrow = rows
    width = ROW_WIDTH
    while len(narrow) == len(rows) and width > ROW_WIDTH / 2:
        rows, width = narrow, width - 0.25
        narrow = _placed(samples, extents, width)
    return rows, True


def _placed(samples: list[int], extents: list[tuple[float, float, float, float]], width: float) -> list[list[_Slot]]:
    """Rows of figures, each beginning at x = 0 and at most `width` m wide where two figures fit."""
    rows: list[list[_Slot]] = []
    shift = 0.0
    for sample, (left, right, bottom, top) in zip(samples, extents, strict=True):
        if rows:
            last = rows[-1][-1]
            shift = max(last.shift, last.right + GAP - left)  # true distance, or just apart
            shift = min(shift, last.right + FARTHEST - left)
        if not rows or right + shift > width:
            rows.append([])
            shift = -left
        rows[-1].append(_Slot(sample, shift, left + shift, right + shift, bottom, top))
    return rows


def _draw(
    trace: Trace,
    figure: Figure,
    rows: list[list[_Slot]],
    terrain: TerrainLike | None,
    labels: Sequence[Label],
    title: str,
) -> Canvas:
    width = max(row[-1].right for row in rows) + 2 * MARGIN
    spans = [_vertical_span(row, terrain, bool(labels)) for row in rows]
    head = 0.42 if title else 0.05
    height = sum(top - bottom for bottom, top in spans) + head
    scale = PIXELS_PER_METRE / 100
    canvas = Canvas(figsize=(max(width, 5.0) * scale, height * scale), dpi=100, facecolor="white")
    FigureCanvasAgg(canvas)
    canvas_width = max(width, 5.0)
    if title:
        x, y = MARGIN / canvas_width, 1 - 0.24 / height
        canvas.text(x, y, title, color=INK, fontsize=13, fontweight="bold", va="center")
    colours = label_colours(name for _, name in labels)
    above = head
    for row, (bottom, top) in zip(rows, spans, strict=True):
        axes = canvas.add_axes((0, 1 - (above + top - bottom) / height, 1, (top - bottom) / height))
        axes.set_axis_off()
        axes.set(xlim=(-MARGIN, canvas_width - MARGIN), ylim=(bottom, top))
        _draw_row(axes, trace, figure, row, terrain)
        _draw_labels(axes, trace, row, labels, colours, top)
        above += top - bottom
    return canvas


def _vertical_span(row: list[_Slot], terrain: TerrainLike | None, labelled: bool) -> tuple[float, float]:
    grounds = [ground_polyline(terrain, slot.left - slot.shift, slot.right - slot.shift)[1] for slot in row]
    lowest = min(float(heights.min()) for heights in grounds)
    highest = max(float(heights.max()) for heights in grounds)
    top = max(max(slot.top for slot in row) + 0.1, highest + HEADROOM)
    return lowest - GROUND_DEPTH, top + (BAND + 0.12 if labelled else 0.05)


def _draw_row(axes: Axes, trace: Trace, figure: Figure, row: list[_Slot], terrain: TerrainLike | None) -> None:
    floor = axes.get_ylim()[0]
    _draw_ground(axes, row, terrain)
    for slot in row:
        figure.draw(axes, trace.position[slot.sample], trace.angle[slot.sample], slot.shift)
        stamp = f"{trace.time[slot.sample]:.2f}".rstrip("0").rstrip(".") + " s"
        middle = (slot.left + slot.right) / 2
        axes.text(middle, floor + 0.17, stamp, color=MUTED, fontsize=8, ha="center", va="center", zorder=3)
    _draw_trail(axes, trace, row)


def _draw_ground(axes: Axes, row: list[_Slot], terrain: TerrainLike | None) -> None:
    """The ground in one piece where figures stand at their true distance, else a piece for each."""
    floor = axes.get_ylim()[0]
    left, level = row[0].left - MARGIN, is_level(terrain)
    for slot, following in zip(row, [*row[1:], None], strict=True):
        right = slot.right + MARGIN if following is None else (slot.right + following.left) / 2
        if following is not None and (level or abs(following.shift - slot.shift) < 1e-6):
            continue
        end = right if following is None else right - GROUND_CUT
        xs, ys = ground_polyline(terrain, left - slot.shift, end - slot.shift)
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
    axes.plot(x, y, color=TRAIL, linewidth=1.3, alpha=0.85, zorder=4, solid_capstyle="round")
    samples = [slot.sample for slot in row]
    shifts = np.array([slot.shift for slot in row])
    axes.scatter(trace.com[samples, 0] + shifts, trace.com[samples, 1], s=9, color=TRAIL, zorder=7, linewidths=0)


def _smooth(at: FloatArray, points: list[tuple[float, float]]) -> FloatArray:
    """Values between points (time, value) by cubic Hermite pieces, so that the trail has no corners."""
    knots, y = np.array(points).T
    if len(knots) < 2:
        return np.full(len(at), y[0])
    slopes = np.gradient(y, knots)
    i = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(knots) - 2)
    step = knots[i + 1] - knots[i]
    u = (at - knots[i]) / step
    rise = (3 - 2 * u) * u**2
    bend = step * u * (1 - u) * ((1 - u) * slopes[i] - u * slopes[i + 1])
    smooth: FloatArray = y[i] + rise * (y[i + 1] - y[i]) + bend
    return smooth


def _fitted(name: str, width: float) -> str:
    """The name, shortened to a band of this width in m; empty where not even three letters fit."""
    room, name = int((width - 0.12) / LETTER), name.replace("_", " ")
    if len(name) <= room:
        return name
    return name[: room - 1].rstrip() + "\u2026" if room > 3 else ""


def _draw_labels(
    axes: Axes, trace: Trace, row: list[_Slot], labels: Sequence[Label], colours: dict[str, str], top: float
) -> None:
    """A coloured band above the figures for each node, from where it begins to where the next does."""
    times: FloatArray = np.array([trace.time[slot.sample] for slot in row])
    middles = [(slot.left + slot.right) / 2 for slot in row]
    begin, end = row[0].left, row[-1].right
    for i, (start, name) in enumerate(labels):
        stop = labels[i + 1][0] if i + 1 < len(labels) else np.inf
        if start > times[-1] or stop <= times[0]:
            continue
        left = begin if start <= times[0] else float(np.interp(start, times, middles))
        right = end if stop > times[-1] else float(np.interp(stop, times, middles))
        if right - left < 0.04:
            continue
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
            _fitted(name, right - left),
            color="white",
            fontsize=9,
            fontweight="bold",
            ha="center",
            va="center_baseline",
            zorder=4,
        )
