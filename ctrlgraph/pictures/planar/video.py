"""Films: planar motions as video files that play in real time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.errors import printable
from ctrlgraph.pictures.film import SIZE, Progress, checked_rate, write_film
from ctrlgraph.pictures.film_files import Frame
from ctrlgraph.pictures.planar.clip import Clip, ClipDrawing
from ctrlgraph.pictures.style import DPI, FloatArray, Label, label_colours
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.terrain.terrain import Terrain


def write_video(
    trace: Trace,
    path: Path | str,
    *,
    character: PlanarCharacter,
    terrain: Terrain | None = None,
    labels: Sequence[Label] = (),
    phases: Sequence[Label] = (),
    fps: int = 30,
    size: tuple[int, int] = SIZE,
    still: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write a motion as a film (video file) that plays in real time.

    Args:
        trace: Recorded motion.
        path: Output file: .gif, .webp, .mp4 or .webm.
        character: PlanarCharacter that moves.
        terrain: The ground. None: level ground at height 0.
        labels: Start (s) and name of each node that runs.
        phases: Start (s) and caption of each phase of the controllers.
        fps: Frame rate, 1/s.
        size: Width and height, pixels; both even.
        still: Keep the camera still if the whole motion fits into the picture.
        progress: Function that is called after each frame with the number of written frames and their total number.

    Raises:
        CtrlGraphError: The trace is empty, the suffix or the size is not supported, the encoder is missing, or the file
            cannot be written.
    """
    path = Path(path)
    rate = checked_rate(path, len(trace), size, fps)
    clip = _printable(Clip(trace, character, terrain, labels, phases))
    times = np.arange(0.0, clip.seconds + 1e-9, 1 / rate)
    colours = label_colours(name for _, name in clip.labels)
    write_film(path, _frames(clip, size, colours, still, times), len(times), rate, colours.values(), progress)


def _printable(clip: Clip) -> Clip:
    labels, phases = ([(start, printable(name)) for start, name in names] for names in (clip.labels, clip.phases))
    return replace(clip, labels=labels, phases=phases, title=printable(clip.title))


def _frames(
    clip: Clip, size: tuple[int, int], colours: dict[str, str], still: bool, times: FloatArray
) -> Iterator[Frame]:
    """Draw the frames of a film: an RGB picture (height, width, 3) for each time.

    Each picture must be used before the next one is requested, which overwrites it in memory.

    Args:
        clip: Motion to film, with its texts.
        size: Width and height of the frames, pixels.
        colours: Colour of each node's label, by name of the node.
        still: Keep the camera still if the whole motion fits into the picture.
        times: Times since the start of the motion (n,), s.
    """
    canvas = Canvas(figsize=(size[0] / DPI, size[1] / DPI), dpi=DPI, facecolor="white")
    agg: Any = FigureCanvasAgg(canvas)  # its methods are untyped
    drawing = ClipDrawing(canvas, size, clip, colours, still)
    for time in times.tolist():
        drawing.pose(time)
        agg.draw()
        yield np.asarray(agg.buffer_rgba())[:, :, :3]
