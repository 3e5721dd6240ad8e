"""Films of spatial motions: video files that play in real time, with a camera that follows the character."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from ctrlgraph.arguments import checked
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.errors import printable
from ctrlgraph.pictures.film import SIZE, Progress, checked_rate, write_film
from ctrlgraph.pictures.film_files import Frame
from ctrlgraph.pictures.frame_texts import NOTE_SIZE, FrameTexts
from ctrlgraph.pictures.spatial import DEFAULT_VIEW
from ctrlgraph.pictures.spatial.spatial_clip import SpatialClip, SpatialStage
from ctrlgraph.pictures.spatial.spatial_view import view_of
from ctrlgraph.pictures.style import DPI, MUTED, FloatArray, Label, label_colours, plain_lettering
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.terrain.spatial import SpatialTerrain

VIEW_HEIGHT = 1.75
"""Minimum height of the part of the world that a frame shows, relative to the size of the character."""
ROOM = 1.3
"""Minimum height and width of the visible part, relative to the height and width of the character."""
HEADROOM = 0.04
"""Displacement of the character below the middle of the frame, relative to the height of the frame."""
FADE = (0.36, 0.72)
"""Radii at which the ground begins to fade and is invisible, relative to the width of the frame."""
PALETTED = (".gif", ".webp")
"""Suffixes of the film files whose frames have a common palette."""
EXAMPLES = 6
"""Number of frames from which the colours of GIF and WebP files are chosen."""


@checked
def write_spatial_video(
    trace: SpatialTrace,
    path: Path | str,
    *,
    character: SpatialCharacter,
    terrain: SpatialTerrain | None = None,
    labels: Sequence[Label] = (),
    phases: Sequence[Label] = (),
    pushes: FloatArray | None = None,
    view: str = DEFAULT_VIEW,
    fps: int = 30,
    size: tuple[int, int] = SIZE,
    progress: Progress | None = None,
) -> None:
    """Write a spatial motion as a film (video file) that plays in real time.

    Args:
        trace: Recorded motion.
        path: Output file: .gif, .webp, .mp4 or .webm.
        character: Character that moves.
        terrain: The ground. None: level ground at height 0.
        labels: Start (s) and name of each node that runs.
        phases: Start (s) and caption of each phase of the controllers.
        pushes: Pushes that are drawn as arrows (P, 9): start and end, s, index of the link, force in the world, N, and
            the point at which it acts, in the frame of the link, m.
        view: Direction of view: "three-quarter", "side", "front", "top" or "behind".
        fps: Frame rate, 1/s.
        size: Width and height, pixels; both even.
        progress: Function that is called after each frame with the number of written frames and their total number.

    Raises:
        CtrlGraphError: The trace is empty, the view, the suffix or the size is not supported, the encoder is missing,
            or the file cannot be written.
    """
    path = Path(path)
    rate = checked_rate(path, len(trace), size, fps)
    clip = SpatialClip(
        trace,
        character,
        terrain,
        [(start, printable(name)) for start, name in labels],
        [(start, printable(caption)) for start, caption in phases],
        np.zeros((0, 9)) if pushes is None else pushes,
    )
    film = SpatialFilm(SpatialStage(clip, view_of(view)), size)
    times = np.arange(0.0, clip.seconds + 1e-9, 1 / rate)
    colours = list(film.colours.values())
    examples = film.frames(np.linspace(0.0, clip.seconds, EXAMPLES)) if path.suffix.lower() in PALETTED else ()
    write_film(path, film.frames(times), len(times), rate, colours, progress, examples)


class Framing(NamedTuple):
    """The part of the world that the frames of a film show."""

    height: float
    """Height of the visible part of the world, m."""
    lift: float
    """Height of its middle in the picture above the point at which the camera looks, m."""


def framing(extents: FloatArray, size: float, aspect: float) -> Framing:
    """Choose a part of the world of constant size that contains the whole character at each of n samples.

    Args:
        extents: Left, right, bottom and top of the character, from the point at which the camera looks (n, 4), m.
        size: Size of the character, m.
        aspect: Width of the frames divided by their height.
    """
    bottom, top = float(extents[:, 2].min()), float(extents[:, 3].max())
    width = 2.0 * float(np.abs(extents[:, :2]).max())
    height = max(VIEW_HEIGHT * size, ROOM * (top - bottom), ROOM * width / aspect)
    return Framing(height, (bottom + top) / 2.0 + HEADROOM * height)


class SpatialFilm:
    """The frames of a film of a spatial motion.

    Args:
        stage: Motion to film, and the view.
        size: Width and height of the frames, pixels.
    """

    def __init__(self, stage: SpatialStage, size: tuple[int, int]) -> None:
        self.stage, self.size = stage, size
        self.colours = label_colours(name for _, name in stage.clip.labels)
        self.framing = framing(stage.extents(), stage.figure.size, size[0] / size[1])
        self.scale = self.framing.height / size[1]
        self._renderer = stage.renderer(size)

    def scene(self, sample: int) -> Frame:
        """Return the picture of a sample of the motion without texts, (height, width, 3), RGB."""
        focus = self.stage.camera[sample]
        middle = focus + self.framing.lift * self.stage.view.up
        width = self.scale * self.size[0]
        fade = (FADE[0] * width, FADE[1] * width)
        return self.stage.draw(self._renderer, sample, middle, self.scale, focus, fade)

    def frames(self, times: FloatArray) -> Iterator[Frame]:
        """Draw the frames: an RGB picture (height, width, 3) for each time.

        Args:
            times: Times since the start of the motion (n,), s.
        """
        trace, layer = self.stage.clip.trace, self._new_layer()
        start = float(trace.time[0])
        for time in times.tolist():
            sample = int(np.searchsorted(trace.time, start + time - 1e-9))
            picture = self.scene(min(sample, len(trace) - 1))
            layer.show(start + min(time, self.stage.clip.seconds))
            layer.put_on(picture)
            yield picture

    def _new_layer(self) -> _TextLayer:
        note = f"grid {self._renderer.grid:g} m"
        return _TextLayer(self.stage.clip, self.size, self.colours, note)


class _TextLayer:
    """The texts of a film, which are drawn again only when they change.

    Args:
        clip: Motion, with its texts.
        size: Width and height of the frames, pixels.
        colours: Colour of each node's label, by name of the node.
        note: Text at the lower right.
    """

    def __init__(self, clip: SpatialClip, size: tuple[int, int], colours: dict[str, str], note: str) -> None:
        canvas = Canvas(figsize=(size[0] / DPI, size[1] / DPI), dpi=DPI, facecolor="none")
        self._agg: Any = FigureCanvasAgg(canvas)  # its methods are untyped
        axes = canvas.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_axis_off()
        with plain_lettering():
            self._texts = FrameTexts(axes, size, clip.labels, clip.phases, clip.title, colours)
            style: dict[str, Any] = {"fontsize": NOTE_SIZE * self._texts.scale, "ha": "right", "va": "bottom"}
            axes.text(0.975, 0.02, note, color=MUTED, transform=axes.transAxes, **style)
        self._shown: tuple[str, ...] = ()
        self._covered: tuple[Any, ...] = ()
        self._ink = self._opacity = np.zeros((0, 1))

    def show(self, time: float) -> None:
        """Draw the texts of a moment. `time` is the simulated time, s."""
        with plain_lettering():
            texts = self._texts
            texts.show(time)
            shown = tuple(text.get_text() for text in (texts.clock, texts.name, texts.caption))
            if shown == self._shown:
                return
            self._shown = shown
            self._agg.draw()
        pixels = np.asarray(self._agg.buffer_rgba())
        self._covered = np.nonzero(pixels[:, :, 3])
        self._ink = pixels[self._covered][:, :3].astype(np.float64)
        self._opacity = pixels[self._covered][:, 3:] / 255.0

    def put_on(self, picture: Frame) -> None:
        """Put the texts on a picture (height, width, 3), in place."""
        below = picture[self._covered]
        picture[self._covered] = np.rint(below + self._opacity * (self._ink - below)).astype(np.uint8)
