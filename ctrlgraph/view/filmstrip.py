"""A motion as one picture: its key poses, from left to right, in rows, with what each of them is under it.

Figures stand at their true distance wherever that keeps them and their captions apart; where it does not (a flip on the
spot, a slow gait) they are moved apart, and the trail of the centre of mass is stretched with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from scipy.interpolate import PchipInterpolator

from ctrlgraph.arguments import checked
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
from ctrlgraph.view.filmstrip_rows import CAPTION_SIZE, PIXELS_PER_METRE, STAMP_SIZE, Slot, rows_of
from ctrlgraph.view.filmstrip_words import BAND, MARGIN, Heading, bands_of, draw_bands
from ctrlgraph.view.key_poses import KeyPose, key_poses, nearest
from ctrlgraph.view.lettering import DPI, free_pixels, plain_lettering
from ctrlgraph.view.palette import label_colours

HEADROOM = 1.0  # m: a row is at least so high
GROUND_DEPTH = 0.34  # m, holds the time stamps
GROUND_CUT = 0.015  # m: half of what parts two pieces of ground
SQUEEZED = 0.8  # of its true way: a trail that is pushed together farther than that is cut instead
NARROWEST = 5.0  # m, width of a picture
EDGE = 0.05  # m around a figure, for the halo of its outline
LINE = 0.125  # m from one line of a caption to the next


@checked
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
    canvas = draw_filmstrip(
        trace,
        character=character,
        terrain=terrain,
        labels=labels,
        phases=phases,
        poses=poses,
        frames=frames,
        title=title,
        note=note,
        whole_s=whole_s,
    )
    with replacing(path) as temporary, plain_lettering():
        canvas.savefig(temporary, format="png", dpi=DPI)
    free_pixels(canvas)


def draw_filmstrip(
    trace: Trace,
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
) -> Canvas:
    """Return the drawing that `write_filmstrip` writes, of so many dots per inch as its file.

    Raises:
        CtrlGraphError: the trace is empty.
    """
    if len(trace) == 0:
        raise CtrlGraphError("there is no motion to draw: the trace is empty")
    if poses is None and frames is not None:
        times = np.linspace(trace.time[0], trace.time[-1], max(frames, 1))
        poses = [KeyPose(i, until=float(trace.time[i])) for i in nearest(trace, times)]
    elif poses is None:
        poses = key_poses(trace, character, labels=labels, phases=phases)
    figure = Figure.of(character)
    with plain_lettering():
        rows = rows_of(trace, figure, poses, is_level(terrain))
        title = _told(trace, poses[: sum(map(len, rows))], title, whole_s)
        labels = [(start, printable(name)) for start, name in labels]
        return _draw(trace, figure, rows, terrain, labels, (printable(title), printable(note)))


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


def _draw(
    trace: Trace,
    figure: Figure,
    rows: list[list[Slot]],
    terrain: TerrainLike | None,
    labels: Sequence[Label],
    told: tuple[str, str],
) -> Canvas:
    width = max(NARROWEST, max(slot.end for row in rows for slot in row) + 2 * MARGIN)
    spans = [_vertical_span(trace, row, terrain, bool(labels)) for row in rows]
    head = Heading.of(*told, width)
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
        draw_bands(axes, bands_of(trace, row, labels, width - 2 * MARGIN), colours, top)
        above += top - bottom
    return canvas


def _vertical_span(trace: Trace, row: list[Slot], terrain: TerrainLike | None, labelled: bool) -> tuple[float, float]:
    """Bottom and top of a row, m: all of its figures, their trail, the ground below them and what is written."""
    grounds = [ground_polyline(terrain, slot.left - slot.shift, slot.right - slot.shift)[1] for slot in row]
    lowest = min(*(float(heights.min()) for heights in grounds), *(slot.bottom - EDGE for slot in row))
    highest = max(float(heights.max()) for heights in grounds)
    way = trace.com[row[0].sample : row[-1].sample + 1, 1]
    top = max(*(slot.top for slot in row), float(way.max()), highest + HEADROOM) + 2 * EDGE
    lines = max(len(slot.text.lines) for slot in row)
    below = GROUND_DEPTH + (lines * LINE + 0.06 if lines else 0.0)
    return lowest - below, top + (BAND + 0.12 if labelled else 0.05)


def _draw_row(axes: Axes, trace: Trace, figure: Figure, row: list[Slot], terrain: TerrainLike | None) -> None:
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


def _draw_ground(axes: Axes, row: list[Slot], terrain: TerrainLike | None, floor: float) -> None:
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


def _draw_trail(axes: Axes, trace: Trace, row: list[Slot]) -> None:
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
        if abs(drawn) >= SQUEEZED * abs(true):
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
