"""Films of one motion, or of several motions side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D

from ctrlgraph.character.model import Character
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.files import replacing
from ctrlgraph.simulation.planar_trace import Trace
from ctrlgraph.terrain.terrain import Terrain
from ctrlgraph.view.film_files import SUFFIXES, Frame, rate_of, require_encoder, write_frames
from ctrlgraph.view.planar.clip import Clip, ClipDrawing
from ctrlgraph.view.planar.figure import Label
from ctrlgraph.view.style import DPI, GROUND_LINE, FloatArray, label_colours, plain_lettering

Progress = Callable[[int, int], None]
"""Called with the number of finished frames and the number of frames."""

SIZE = (768, 432)
"""Size of a film, pixels. Both are even, which MP4 requires."""
CELL = (384, 288)
"""Size of each motion in a film of several motions, pixels."""
GRID_PIXELS = (1920, 1440)
"""Maximum default size of a grid, pixels."""
MAX_PIXELS = 4096
"""Maximum side of a film, pixels."""
MIN_PIXELS = 64
"""Minimum side of a motion, pixels."""
MAX_CLIPS = 64
"""Maximum number of motions in a film."""


def write_video(
    trace: Trace,
    path: Path | str,
    *,
    character: Character,
    terrain: Terrain | None = None,
    labels: Sequence[Label] = (),
    phases: Sequence[Label] = (),
    fps: int = 30,
    size: tuple[int, int] = SIZE,
    still: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write a motion in real time as .gif, .webp, .mp4 or .webm.

    Args:
        trace: Recorded motion.
        path: Output file.
        character: Character of the motion.
        terrain: Terrain; None for level ground.
        labels: Start (s) and name of each node.
        phases: Start (s) and caption of each phase.
        fps: Frame rate, 1/s.
        size: Width and height, pixels; both even.
        still: Keep the camera still if the whole motion fits into the picture.
        progress: Called after each frame.

    Raises:
        CtrlGraphError: If the trace is empty, suffix or size are invalid, the encoder is missing, or the file cannot be
            written.
    """
    clip = Clip(trace, character, terrain, labels, phases)
    write_film([clip], path, fps=fps, size=size, still=still, progress=progress)


def write_film(
    clips: Sequence[Clip],
    path: Path | str,
    *,
    columns: int | None = None,
    fps: int = 30,
    size: tuple[int, int] | None = None,
    still: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write motions side by side, row by row. All start together; shorter ones end with a still image.

    Args:
        clips: Motions to film.
        path: Output file.
        columns: Columns of the grid; None for a grid of about the shape of a screen.
        fps: Frame rate, 1/s.
        size: Width and height of the film, pixels; both even.
        still: Keep the cameras still if the whole motion fits into the picture.
        progress: Called after each frame.

    Raises:
        CtrlGraphError: As for `write_video`, and if there are no clips or too many for the size.
    """
    if not clips or not all(len(clip.trace) for clip in clips):
        raise CtrlGraphError("there is no motion to film" + (": the trace is empty" if clips else ""))
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise CtrlGraphError(f"a video must be a .gif, .webp, .mp4 or .webm file, not '{path.name}'")
    suffix = path.suffix.lower()
    grid = _grid(len(clips), columns)
    size = size or _grid_size(grid)
    check_size(size)
    cell = (size[0] // grid[0], size[1] // grid[1])
    if min(cell) < MIN_PIXELS:
        raise CtrlGraphError(
            f"{len(clips)} motions do not fit into {size[0]}x{size[1]} pixels: each needs {MIN_PIXELS} to a side"
        )
    require_encoder(suffix)
    rate = rate_of(suffix, fps)
    times = np.arange(0.0, max(clip.seconds for clip in clips) + 1e-9, 1 / rate)
    with replacing(path) as temporary, plain_lettering():
        film = _Film([_printable(clip) for clip in clips], grid, size, still)
        frames = _with_progress(film.frames(times), len(times), progress)
        write_frames(temporary, frames, len(times), rate, film.colours.values())


def check_size(size: tuple[int, int]) -> None:
    """Raise an error if a film cannot have a size.

    Raises:
        CtrlGraphError: If a side is odd, too small or too large.
    """
    if any(side % 2 or not MIN_PIXELS <= side <= MAX_PIXELS for side in size):
        shown = f"{size[0]}x{size[1]}"
        raise CtrlGraphError(f"the sides of a video must be even, {MIN_PIXELS} to {MAX_PIXELS} pixels, not {shown}")


def _grid(number: int, columns: int | None) -> tuple[int, int]:
    """Return the number of columns and rows.

    Raises:
        CtrlGraphError: If there are too many clips.
    """
    if number > MAX_CLIPS:
        raise CtrlGraphError(f"a film shows {MAX_CLIPS} motions at most, not {number}")
    n_columns = min(columns or math.ceil(math.sqrt(number)), number)
    return n_columns, math.ceil(number / n_columns)


def _grid_size(grid: tuple[int, int]) -> tuple[int, int]:
    """Return the size of a grid in pixels. Cells shrink if there are many."""
    if grid == (1, 1):
        return SIZE
    scale = min(1.0, *(most / (cell * n) for most, cell, n in zip(GRID_PIXELS, CELL, grid, strict=True)))
    width, height = (2 * math.floor(cell * scale * n / 2) for cell, n in zip(CELL, grid, strict=True))
    return width, height


def _printable(clip: Clip) -> Clip:
    labels, phases = ([(start, printable(name)) for start, name in names] for names in (clip.labels, clip.phases))
    return replace(clip, labels=labels, phases=phases, title=printable(clip.title))


def _with_progress(frames: Iterator[Frame], total: int, progress: Progress | None) -> Iterator[Frame]:
    for count, frame in enumerate(frames, start=1):
        yield frame
        if progress is not None:
            progress(count, total)


class _Film:
    """Draws the frames of clips in a grid."""

    def __init__(self, clips: Sequence[Clip], grid: tuple[int, int], size: tuple[int, int], still: bool) -> None:
        self.colours = label_colours(name for clip in clips for _, name in clip.labels)
        self.canvas = Canvas(figsize=(size[0] / DPI, size[1] / DPI), dpi=DPI, facecolor="white")
        self.agg: Any = FigureCanvasAgg(self.canvas)  # its methods are untyped
        columns, rows = grid
        cell = (size[0] // columns, size[1] // rows)
        self.drawings = []
        for i, clip in enumerate(clips):
            part = (i % columns / columns, 1 - (i // columns + 1) / rows, 1 / columns, 1 / rows)
            self.drawings.append(ClipDrawing(self.canvas, part, cell, clip, self.colours, still))
        for i in range(1, columns):
            self._line([i / columns, i / columns], [0.0, 1.0])
        for i in range(1, rows):
            self._line([0.0, 1.0], [i / rows, i / rows])

    def _line(self, x: list[float], y: list[float]) -> None:
        """Draw a line between two clips; x and y are shares of the canvas."""
        self.canvas.add_artist(Line2D(x, y, color=GROUND_LINE, linewidth=1.0, transform=self.canvas.transFigure))

    def frames(self, times: FloatArray) -> Iterator[Frame]:
        """Yield a picture (height, width, 3) for each time since the start (s). It is valid until the next one is
        drawn.
        """
        for time in times.tolist():
            for drawing in self.drawings:
                drawing.pose(time)
            self.agg.draw()
            yield np.asarray(self.agg.buffer_rgba())[:, :, :3]
