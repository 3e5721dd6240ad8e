"""A motion as a film, or several side by side."""

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
from ctrlgraph.simulation.trace import Trace
from ctrlgraph.view.clip import Clip, ClipDrawing
from ctrlgraph.view.figure import GROUND_LINE, FloatArray, Label, TerrainLike
from ctrlgraph.view.film_files import SUFFIXES, Frame, rate_of, require_encoder, write_frames
from ctrlgraph.view.lettering import DPI, plain_lettering
from ctrlgraph.view.palette import label_colours

Progress = Callable[[int, int], None]

SIZE = (768, 432)  # pixels; both even, as MP4 wants them
CELL = (384, 288)  # pixels of one of several motions
GRID_PIXELS = (1920, 1440)  # a grid is no larger unless it is asked for
MOST_PIXELS = 4096  # of a side
LEAST_PIXELS = 64
MOST_CLIPS = 64


def write_video(
    trace: Trace,
    path: Path | str,
    *,
    character: Character,
    terrain: TerrainLike | None = None,
    labels: Sequence[Label] = (),
    phases: Sequence[Label] = (),
    fps: int = 30,
    size: tuple[int, int] = SIZE,
    still: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write the motion at its true speed as .gif, .webp, .mp4 or .webm.

    `labels` are (start time in s, name of the node), `phases` (start time in s, caption); `size` is the picture's width
    and height in pixels, both even; `still` lets the camera stand where the whole motion fits into the picture;
    `progress` is called with the number of frames made and of all frames.

    Raises:
        CtrlGraphError: the trace is empty, the suffix is another one, no picture has this size, what encodes MP4 and
            WebM is missing, or the file cannot be written.
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
    """Write motions side by side, row by row, all from their beginnings on; one that is over waits for the others.

    Args:
        columns: of the grid; without it, as many as make it about as wide as a screen.
        size: width and height of the whole picture in pixels, both even.
        fps, still, progress: as `write_video` has them.

    Raises:
        CtrlGraphError: as `write_video`; there are no clips, or too many of them for the picture.
    """
    if not clips or not all(len(clip.trace) for clip in clips):
        raise CtrlGraphError("there is no motion to film" + (": the trace is empty" if clips else ""))
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise CtrlGraphError(f"a video is a .gif, .webp, .mp4 or .webm file, not '{path.name}'")
    suffix = path.suffix.lower()
    grid = _grid(len(clips), columns)
    size = size or _grid_size(grid)
    check_size(size)
    cell = (size[0] // grid[0], size[1] // grid[1])
    if min(cell) < LEAST_PIXELS:
        raise CtrlGraphError(
            f"{len(clips)} motions do not fit into {size[0]}x{size[1]} pixels: each needs {LEAST_PIXELS} to a side"
        )
    require_encoder(suffix)
    rate = rate_of(suffix, fps)
    times = np.arange(0.0, max(clip.seconds for clip in clips) + 1e-9, 1 / rate)
    with replacing(path) as temporary, plain_lettering():
        film = _Film([_printable(clip) for clip in clips], grid, size, still)
        frames = _reported(film.frames(times), len(times), progress)
        write_frames(temporary, frames, len(times), rate, film.colours.values())


def check_size(size: tuple[int, int]) -> None:
    """
    Raises:
        CtrlGraphError: no picture has this size.
    """
    if any(side % 2 or not LEAST_PIXELS <= side <= MOST_PIXELS for side in size):
        what = f"{size[0]}x{size[1]}"
        raise CtrlGraphError(f"a video's sides are even, of {LEAST_PIXELS} to {MOST_PIXELS} pixels, not {what}")


def _grid(number: int, columns: int | None) -> tuple[int, int]:
    """Columns and rows of so many clips.

    Raises:
        CtrlGraphError: there are more than a film holds.
    """
    if number > MOST_CLIPS:
        raise CtrlGraphError(f"a film shows {MOST_CLIPS} motions at most, not {number}")
    wide = min(columns or math.ceil(math.sqrt(number)), number)
    return wide, math.ceil(number / wide)


def _grid_size(grid: tuple[int, int]) -> tuple[int, int]:
    """Pixels of a grid: one clip has a film's, several have cells, smaller ones where they are many."""
    if grid == (1, 1):
        return SIZE
    shrunk = min(1.0, *(most / (cell * n) for most, cell, n in zip(GRID_PIXELS, CELL, grid, strict=True)))
    width, height = (2 * math.floor(cell * shrunk * n / 2) for cell, n in zip(CELL, grid, strict=True))
    return width, height


def _printable(clip: Clip) -> Clip:
    labels, phases = ([(start, printable(name)) for start, name in names] for names in (clip.labels, clip.phases))
    return replace(clip, labels=labels, phases=phases, title=printable(clip.title))


def _reported(frames: Iterator[Frame], total: int, progress: Progress | None) -> Iterator[Frame]:
    for count, frame in enumerate(frames, start=1):
        yield frame
        if progress is not None:
            progress(count, total)


class _Film:
    """Draws the frames of clips in a grid."""

    def __init__(self, clips: Sequence[Clip], grid: tuple[int, int], size: tuple[int, int], still: bool) -> None:
        self.colours = label_colours(name for clip in clips for _, name in clip.labels)
        self.canvas = Canvas(figsize=(size[0] / DPI, size[1] / DPI), dpi=DPI, facecolor="white")
        self.agg: Any = FigureCanvasAgg(self.canvas)  # its methods carry no types
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
        """Draw what parts two clips; x and y as shares of the canvas."""
        self.canvas.add_artist(Line2D(x, y, color=GROUND_LINE, linewidth=1.0, transform=self.canvas.transFigure))

    def frames(self, times: FloatArray) -> Iterator[Frame]:
        """Return one picture (height, width, 3) for each time since the beginning (s), each valid until the next is
        drawn."""
        for time in times.tolist():
            for drawing in self.drawings:
                drawing.pose(time)
            self.agg.draw()
            yield np.asarray(self.agg.buffer_rgba())[:, :, :3]
