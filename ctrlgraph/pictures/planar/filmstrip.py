"""Filmstrips: a motion as one picture that shows the character in key poses, in rows from left to right.

The drawn figures keep their true distances if figures and captions do not overlap. Otherwise (as in a flip on the spot
or a slow gait) the figures are moved apart, and the path of the centre of mass is stretched accordingly.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from scipy.interpolate import PchipInterpolator

from ctrlgraph.arguments import checked
from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.files import replacing
from ctrlgraph.pictures.camera_path import JUMP
from ctrlgraph.pictures.filmstrip_layout import (
    BAND,
    MARGIN,
    Slot,
    draw_page,
    draw_texts,
    full_title,
    rows_of,
    text_height,
)
from ctrlgraph.pictures.key_poses import KeyPose, key_poses
from ctrlgraph.pictures.planar.clip import Clip
from ctrlgraph.pictures.planar.figure import Figure, ground_polyline, is_level
from ctrlgraph.pictures.style import DPI, GROUND, GROUND_LINE, TRAIL, FloatArray, Label, free_pixels, plain_lettering
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.terrain.terrain import Terrain

HEADROOM = 1.0
"""Minimum height of a row of figures above the ground, m."""
GROUND_DEPTH = 0.34
"""Height of the drawn strip of ground, which contains the time stamps, m."""
GROUND_CUT = 0.015
"""Half the gap between two pieces of ground, m."""
MIN_TRAIL_SHARE = 0.8
"""Minimum ratio of the drawn to the true distance of two figures. Below it, the path between the figures has a gap."""
MIN_WIDTH = 5.0
"""Minimum width of a picture, in m of the motion."""
EDGE = 0.05
"""Margin around a figure for the white border of its outline, m."""


@checked
def write_filmstrip(
    trace: Trace,
    path: Path | str,
    *,
    character: PlanarCharacter,
    terrain: Terrain | None = None,
    labels: Sequence[Label] = (),
    phases: Sequence[Label] = (),
    title: str = "",
    whole_s: float | None = None,
) -> None:
    """Write a motion as a filmstrip: a PNG picture that shows the character in key poses, in rows from left to right.

    If a motion is too long for a picture, only its beginning is shown, and the title states this.

    Args:
        trace: Recorded motion.
        path: Output file.
        character: PlanarCharacter that moves.
        terrain: The ground. None: level ground at height 0.
        labels: Start (s) and name of each node that runs.
        phases: Start (s) and caption of each phase of the controllers.
        title: Title of the picture.
        whole_s: Duration of the whole motion, s. Only needed if the trace contains just the beginning of the motion.

    Raises:
        CtrlGraphError: The trace is empty, or the file cannot be written.

    >>> from pathlib import Path
    >>> from ctrlgraph import Project, Simulation, write_filmstrip
    >>> project = Project.find()
    >>> with Simulation(project.character) as simulation:
    ...     _ = simulation.run(project.controller("stand"), timeout=1)
    ...     write_filmstrip(simulation.trace, "stand.png", character=project.character)
    >>> Path("stand.png").is_file()
    True
    """
    clip = Clip(trace, character, terrain, labels, phases, title)
    canvas = draw_filmstrip(clip, whole_s=whole_s)
    with replacing(path) as temporary, plain_lettering():
        canvas.savefig(temporary, format="png", dpi=DPI)
    free_pixels(canvas)


def draw_filmstrip(clip: Clip, *, whole_s: float | None = None) -> Canvas:
    """Draw the matplotlib figure that `write_filmstrip` writes to a file.

    Args:
        clip: Motion to draw, with its texts.
        whole_s: Duration of the whole motion, s. Only needed if the trace contains just the beginning of the motion.

    Raises:
        CtrlGraphError: The trace is empty.
    """
    trace, terrain = clip.trace, clip.terrain
    if len(trace) == 0:
        raise CtrlGraphError("the trace has no samples to draw: record a longer motion")
    poses = key_poses(trace, clip.character, labels=clip.labels, phases=clip.phases)
    figure = Figure.of(clip.character)
    with plain_lettering():
        rows = figure_rows(trace, figure, poses, is_level(terrain))
        title = full_title(trace, poses[: sum(map(len, rows))], clip.title, whole_s)
        labels = [(start, printable(name)) for start, name in clip.labels]
        return _draw(trace, figure, rows, terrain, labels, printable(title))


def figure_rows(trace: Trace, figure: Figure, poses: Sequence[KeyPose], level: bool = True) -> list[list[Slot]]:
    """Place a figure for each key pose, in rows of similar width.

    Args:
        trace: Recorded motion.
        figure: Outlines of the character.
        poses: Key poses to show, in order of time.
        level: Whether the ground is level.
    """
    samples = [pose.sample for pose in poses]
    return rows_of(trace, figure.extents(trace.position[samples], trace.angle[samples]), poses, level)


def _draw(
    trace: Trace, figure: Figure, rows: list[list[Slot]], terrain: Terrain | None, labels: Sequence[Label], title: str
) -> Canvas:
    spans = [_vertical_span(trace, row, terrain, bool(labels)) for row in rows]

    def draw_row(axes: Axes, row: list[Slot]) -> None:
        _draw_row(axes, trace, figure, row, terrain)

    return draw_page(trace, rows, spans, draw_row, labels, title, MIN_WIDTH)


def _vertical_span(trace: Trace, row: list[Slot], terrain: Terrain | None, labelled: bool) -> tuple[float, float]:
    """Return the lowest and highest y that a row of figures needs, m.

    Args:
        trace: Recorded motion.
        row: Places of the figures in the row.
        terrain: The ground; None for level ground.
        labelled: Whether the names of nodes are drawn above the row.
    """
    grounds = [ground_polyline(terrain, slot.left - slot.shift, slot.right - slot.shift)[1] for slot in row]
    lowest = min(*(float(heights.min()) for heights in grounds), *(slot.bottom - EDGE for slot in row))
    highest = max(float(heights.max()) for heights in grounds)
    heights_of_com = trace.com[row[0].sample : row[-1].sample + 1, 1]
    top = max(*(slot.top for slot in row), float(heights_of_com.max()), highest + HEADROOM) + 2 * EDGE
    return lowest - GROUND_DEPTH - text_height(row), top + (BAND + 0.12 if labelled else 0.05)


def _draw_row(axes: Axes, trace: Trace, figure: Figure, row: list[Slot], terrain: Terrain | None) -> None:
    floor = axes.get_ylim()[0] + text_height(row)
    _draw_ground(axes, row, terrain, floor)
    for slot in row:
        figure.draw(axes, trace.position[slot.sample], trace.angle[slot.sample], slot.shift)
    draw_texts(axes, row, floor)
    _draw_trail(axes, trace, row)


def _draw_ground(axes: Axes, row: list[Slot], terrain: Terrain | None, floor: float) -> None:
    """Draw the ground below a row of figures.

    Uneven ground is cut between two figures that are not drawn at their true distance. Level ground is never cut.

    Args:
        axes: Axes of the row.
        row: Places of the figures in the row.
        terrain: The ground; None for level ground.
        floor: y of the lower edge of the drawn ground, m.
    """
    left, level = -MARGIN, is_level(terrain)
    for slot, after in zip(row, [*row[1:], None], strict=True):
        right = slot.end + MARGIN if after is None else (slot.end + after.begin) / 2
        if after is not None and (level or abs(after.shift - slot.shift) < 1e-6):
            continue
        end = right if after is None else right - GROUND_CUT
        xs, ys = ground_polyline(terrain, left - slot.shift, end - slot.shift)
        ys = np.maximum(ys, floor + 0.06)  # a pit can be deeper than the row
        axes.fill_between(xs + slot.shift, ys, floor + 0.06, color=GROUND, linewidth=0, zorder=1)
        axes.plot(xs + slot.shift, ys, color=GROUND_LINE, linewidth=1.4, zorder=2, solid_capstyle="butt")
        left = right + GROUND_CUT


def _draw_trail(axes: Axes, trace: Trace, row: list[Slot]) -> None:
    """Draw the path of the centre of mass in a row of figures.

    The path is shifted like the figures, and it has gaps where the character restarts elsewhere.
    """
    part = slice(row[0].sample, row[-1].sample + 1)
    moves = np.diff(trace.com[part], axis=0, prepend=trace.com[part][:1])
    jumped = np.abs(moves).max(axis=1) > JUMP
    jumps = np.cumsum(np.where(jumped, moves[:, 0], 0.0))
    knots = [(float(trace.time[s.sample]), s.shift + jumps[s.sample - row[0].sample]) for s in row]
    x = trace.com[part, 0] - jumps + _smooth(trace.time[part], knots)
    y = np.where(jumped, np.nan, trace.com[part, 1])
    _cut_compressed_trail(x, y, trace.com[part, 0] - jumps, [slot.sample - row[0].sample for slot in row])
    axes.plot(x, y, color=TRAIL, linewidth=1.3, alpha=0.85, zorder=4, solid_capstyle="round")
    samples = [slot.sample for slot in row]
    shifts = np.array([slot.shift for slot in row])
    axes.scatter(trace.com[samples, 0] + shifts, trace.com[samples, 1], s=9, color=TRAIL, zorder=7, linewidths=0)


def _cut_compressed_trail(x: FloatArray, y: FloatArray, path: FloatArray, knots: Sequence[int]) -> None:
    """Make gaps in the drawn path of the centre of mass, between figures drawn much closer than their true distance.

    Near each figure, the path keeps its true form. The arrays `x` and `y` are changed in place.

    Args:
        x: Drawn x of the path at n samples (n,), m.
        y: Drawn y of the path (n,), m. It becomes NaN in the gaps.
        path: True x of the path (n,), m.
        knots: Index in these arrays of the sample of each figure.
    """
    for first, last in pairwise(knots):
        drawn, true = x[last] - x[first], path[last] - path[first]
        if abs(drawn) >= MIN_TRAIL_SHARE * abs(true):
            continue
        travelled, remaining = np.abs(path[first:last] - path[first]), np.abs(path[last] - path[first:last])
        room = 0.45 * abs(drawn)
        near, far = np.maximum.accumulate(travelled) <= room, np.maximum.accumulate(remaining[::-1])[::-1] <= room
        x[first:last] = np.where(
            far & ~near, x[last] - (path[last] - path[first:last]), x[first] + path[first:last] - path[first]
        )
        y[first:last] = np.where(near | far, y[first:last], np.nan)


def _smooth(times: FloatArray, points: list[tuple[float, float]]) -> FloatArray:
    """Interpolate points (time, value) by a smooth curve without overshoot, and return its values at `times`."""
    knots, y = np.array(points).T
    if len(knots) < 2:
        return np.full(len(times), y[0])
    smooth: FloatArray = PchipInterpolator(knots, y)(times)
    return smooth
