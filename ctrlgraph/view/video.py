"""A motion as a film: GIF and WebP through pillow, MP4 through the ffmpeg that imageio-ffmpeg brings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure as Canvas
from numpy.typing import NDArray
from PIL import Image

from ctrlgraph.character.model import Character
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.extras import require
from ctrlgraph.files import replacing
from ctrlgraph.simulation.trace import Trace
from ctrlgraph.view.figure import (
    FAR,
    GROUND,
    GROUND_LINE,
    INK,
    JUMP,
    MUTED,
    NEAR,
    PAPER,
    TRAIL,
    TRUNK,
    Figure,
    FloatArray,
    Label,
    TerrainLike,
    ground_polyline,
)
from ctrlgraph.view.lettering import plain_lettering
from ctrlgraph.view.palette import label_colours

Progress = Callable[[int, int], None]
Frame = NDArray[np.uint8]

SUFFIXES = (".gif", ".webp", ".mp4")
SIZE = (768, 432)  # pixels; both even, as MP4 wants them
MOST_PIXELS = 4096  # of a side
LEAST_PIXELS = 64
VIEW_HEIGHT = 2.7  # m, or as much as the character needs
VIEW_BELOW = 0.45 / VIEW_HEIGHT  # share of the picture that is ground
MARGIN = 0.08  # m between the character and the edge
FOLLOW = 0.6  # s over which the camera's way is averaged
TRAIL_TIME = 1.2  # s


def write_video(
    trace: Trace,
    path: Path | str,
    *,
    character: Character,
    terrain: TerrainLike | None = None,
    labels: Sequence[Label] = (),
    fps: int = 30,
    size: tuple[int, int] = SIZE,
    still: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write the motion at its true speed as .gif, .webp or .mp4.

    `labels` are (start time in s, name of the node); `size` is the picture's width and height in pixels, both even;
    `still` lets the camera stand where the whole motion fits into the picture; `progress` is called with the number of
    frames made and of all frames.

    Raises:
        CtrlGraphError: the trace is empty, the suffix is another one, no picture has this size, the extra for MP4 is
            missing, or the file cannot be written.
    """
    if len(trace) == 0:
        raise CtrlGraphError("there is no motion to film: the trace is empty")
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise CtrlGraphError(f"a video is a .gif, .webp or .mp4 file, not '{path.name}'")
    check_size(size)
    suffix = path.suffix.lower()
    if suffix == ".mp4":
        require("video")
    # a GIF counts time in hundredths of a second: its rate is the nearest one that it can show
    rate = 100 / max(2, round(100 / fps)) if suffix == ".gif" else float(fps)
    times = np.arange(trace.time[0], trace.time[-1] + 1e-9, 1 / rate)
    labels = [(start, printable(name)) for start, name in labels]
    with replacing(path) as temporary, plain_lettering():
        film = _Film(trace, Figure.of(character), terrain, labels, size, still)
        frames = _reported(film.frames(times), len(times), progress)
        if suffix == ".mp4":
            _write_mp4(temporary, frames, rate, size)
        else:
            write = _write_gif if suffix == ".gif" else _write_webp
            write(temporary, _in_colours(frames, film.colours.values()), rate)


def check_size(size: tuple[int, int]) -> None:
    """
    Raises:
        CtrlGraphError: no picture has this size.
    """
    if any(side % 2 or not LEAST_PIXELS <= side <= MOST_PIXELS for side in size):
        what = f"{size[0]}x{size[1]}"
        raise CtrlGraphError(f"a video's sides are even, of {LEAST_PIXELS} to {MOST_PIXELS} pixels, not {what}")


def _reported(frames: Iterator[Frame], total: int, progress: Progress | None) -> Iterator[Frame]:
    for count, frame in enumerate(frames, start=1):
        yield frame
        if progress is not None:
            progress(count, total)


class _Film:
    """Draws the frames; the artists are made once and moved."""

    def __init__(
        self,
        trace: Trace,
        figure: Figure,
        terrain: TerrainLike | None,
        labels: Sequence[Label],
        size: tuple[int, int],
        still: bool,
    ) -> None:
        self.trace, self.figure, self.terrain, self.labels = trace, figure, terrain, labels
        self.colours = label_colours(name for _, name in labels)
        extents = np.array([figure.extent(p, a) for p, a in zip(trace.position, trace.angle, strict=True)])
        self.camera, self.view = _view(_camera(trace, terrain), extents, size[0] / size[1], still)
        scale = min(1.0, max(0.7, size[1] / SIZE[1]))  # letters of a small picture are not as small as that
        self.canvas = Canvas(figsize=(size[0] / 100, size[1] / 100), dpi=100, facecolor="white")
        self.agg: Any = FigureCanvasAgg(self.canvas)  # its methods carry no types
        self.axes = self.canvas.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()
        self.body = figure.draw(self.axes, trace.position[0], trace.angle[0])
        (self.trail,) = self.axes.plot([], [], color=TRAIL, linewidth=1.6, alpha=0.8, zorder=4)
        self.ground = self.axes.fill([0, 0, 0], [0, 0, 0], color=GROUND, linewidth=0, zorder=1)[0]
        (self.surface,) = self.axes.plot([], [], color=GROUND_LINE, linewidth=1.6, zorder=3)
        (self.posts,) = self.axes.plot([], [], color=GROUND_LINE, linewidth=1.0, alpha=0.6, zorder=2)
        self.metres = [
            self.axes.text(0, 0, "", color=MUTED, fontsize=8 * scale, ha="center", va="top") for _ in range(8)
        ]
        corner: dict[str, Any] = {"transform": self.axes.transAxes, "va": "top"}
        self.clock = self.axes.text(0.975, 0.955, "", color=MUTED, fontsize=11 * scale, ha="right", **corner)
        box = {"boxstyle": "round,pad=0.4,rounding_size=0.3", "edgecolor": "none", "facecolor": INK}
        self.name = self.axes.text(
            0.03, 0.95, "", color=PAPER, fontsize=12 * scale, fontweight="bold", bbox=box, **corner
        )

    def frames(self, times: FloatArray) -> Iterator[Frame]:
        """Return one picture (height, width, 3) for each time, each valid until the next is drawn."""
        for time in times:
            after = int(np.clip(np.searchsorted(self.trace.time, time - 1e-9), 0, len(self.trace) - 1))
            self._pose(after, float(time))
            self.agg.draw()
            yield np.asarray(self.agg.buffer_rgba())[:, :, :3]

    def _pose(self, i: int, time: float) -> None:
        x, y = self.camera[i]
        width, height = self.view
        left, right = x - width / 2, x + width / 2
        bottom = y - VIEW_BELOW * height
        self.axes.set(xlim=(left, right), ylim=(bottom, bottom + height))
        self.body.set_verts(self.figure.polygons(self.trace.position[i], self.trace.angle[i]))
        begin = int(np.searchsorted(self.trace.time, self.trace.time[i] - TRAIL_TIME))
        self.trail.set_data(*_unbroken(self.trace.com[begin : i + 1]).T)
        self._draw_ground(left, right, bottom)
        self.clock.set_text(f"{time:.1f} s")
        name = next((name for start, name in reversed(self.labels) if start <= time + 1e-9), "")
        self.name.set_text(name.replace("_", " "))
        self.name.set_visible(bool(name))
        box = self.name.get_bbox_patch()
        if name and box is not None:
            box.set_facecolor(self.colours[name])

    def _draw_ground(self, left: float, right: float, bottom: float) -> None:
        xs, ys = ground_polyline(self.terrain, left - 0.1, right + 0.1)
        self.surface.set_data(xs, ys)
        below = np.array([[xs[-1], bottom - 0.1], [xs[0], bottom - 0.1]])
        self.ground.set_xy(np.concatenate([np.column_stack([xs, ys]), below]))
        metres = np.arange(np.ceil(left), np.floor(right) + 1)
        heights = [ground_polyline(self.terrain, metre, metre + 1e-6)[1][0] for metre in metres]
        gap = np.full(len(metres), np.nan)
        self.posts.set_data(
            np.column_stack([metres, metres, gap]).ravel(),
            np.column_stack([heights, np.array(heights) - 0.07, gap]).ravel(),
        )
        for k, text in enumerate(self.metres):
            text.set_visible(k < len(metres))
            if k < len(metres):
                text.set(x=metres[k], y=heights[k] - 0.1, text=f"{metres[k] + 0.0:.0f} m")  # not -0


def _unbroken(com: FloatArray) -> FloatArray:
    """The last piece of the centre of mass's way that has no jump in it."""
    jumps = np.flatnonzero(np.abs(np.diff(com, axis=0)).max(axis=1, initial=0.0) > JUMP)
    return com[jumps[-1] + 1 :] if len(jumps) else com


def _camera(trace: Trace, terrain: TerrainLike | None) -> FloatArray:
    """Where the camera looks (n, 2): the centre of mass and the ground below it, smoothed over time.

    It starts anew where the character jumps.
    """
    # over a gap the camera stays at the height of its rims
    standing = getattr(terrain, "support", terrain)
    ground = np.array([ground_polyline(standing, x, x + 1e-6)[1][0] for x in trace.com[:, 0]])
    way = np.column_stack([trace.com[:, 0], ground])
    steps = np.abs(np.diff(trace.com, axis=0)).max(axis=1, initial=0.0)
    pieces = np.split(np.arange(len(trace)), np.flatnonzero(steps > JUMP) + 1)
    return np.concatenate([_smoothed(way[piece], trace.time[piece]) for piece in pieces])


def _view(
    camera: FloatArray, extents: FloatArray, aspect: float, still: bool
) -> tuple[FloatArray, tuple[float, float]]:
    """Where the camera looks (n, 2), and the width and height that it sees, m: never less than the character, whose
    `extents` (n, 4) are left, right, bottom and top in each sample."""
    left, right, bottom, top = extents.T
    standing = np.array([(left.min() + right.max()) / 2.0, camera[:, 1].min()])
    wide, high = right.max() - left.min() + 2 * MARGIN, top.max() - standing[1] + MARGIN
    if still and wide <= VIEW_HEIGHT * aspect and high <= VIEW_HEIGHT * (1 - VIEW_BELOW):
        return np.repeat(standing[None], len(camera), axis=0), (VIEW_HEIGHT * aspect, VIEW_HEIGHT)
    x, y = camera.T
    aside = 2.0 * (max((right - x).max(), (x - left).max()) + MARGIN)
    above = ((top - y).max() + MARGIN) / (1 - VIEW_BELOW)
    below = ((y - bottom).max() + MARGIN) / VIEW_BELOW
    height = float(max(VIEW_HEIGHT, aside / aspect, above, below))
    return camera, (height * aspect, height)


def _smoothed(way: FloatArray, time: FloatArray) -> FloatArray:
    """A Hann-weighted mean over FOLLOW seconds on both sides; the ends are mirrored."""
    if len(time) < 3:
        return way
    reach = min(round(FOLLOW / float(np.median(np.diff(time)))), len(time) - 1)
    window = np.hanning(2 * reach + 3)[1:-1]
    padded = np.pad(way, ((reach, reach), (0, 0)), mode="reflect", reflect_type="odd")
    columns = [np.convolve(padded[:, k], window / window.sum(), mode="valid") for k in range(2)]
    return np.column_stack(columns)


def _in_colours(frames: Iterator[Frame], labels: Iterable[str]) -> Iterator[Image.Image]:
    palette = _palette(labels)
    return (Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)


def _write_gif(path: Path, pictures: Iterator[Image.Image], rate: float) -> None:
    first = next(pictures)
    first.save(path, format="GIF", save_all=True, append_images=pictures, duration=round(1000 / rate), loop=0)


def _write_webp(path: Path, pictures: Iterator[Image.Image], rate: float) -> None:
    """Few colours and straight edges: without loss it is smaller than with."""
    rgb = (picture.convert("RGB") for picture in pictures)
    first = next(rgb)
    options: dict[str, Any] = {"lossless": True, "quality": 60, "method": 4}
    first.save(path, format="WEBP", save_all=True, append_images=rgb, duration=round(1000 / rate), loop=0, **options)


def _palette(labels: Iterable[str]) -> Image.Image:
    """The colours of a film and their blends with what they border on, so that none of them shifts."""
    colours = [INK, TRUNK, NEAR, FAR, GROUND_LINE, TRAIL, MUTED, *labels]
    pairs = [(colour, other) for colour in colours for other in (PAPER, GROUND)]
    blends = [
        share * np.array(to_rgb(colour)) + (1 - share) * np.array(to_rgb(other))
        for share in (1.0, 0.75, 0.5, 0.25)
        for colour, other in pairs
    ]
    table = np.unique(np.round(255 * np.array([to_rgb(PAPER), to_rgb(GROUND), *blends])).astype(np.uint8), axis=0)
    image = Image.new("P", (1, 1))
    image.putpalette(table[:256].tobytes())
    return image


def _write_mp4(path: Path, frames: Iterator[Frame], rate: float, size: tuple[int, int]) -> None:
    import imageio_ffmpeg

    writer = imageio_ffmpeg.write_frames(str(path), size, fps=rate, codec="libx264", quality=7, macro_block_size=2)
    writer.send(None)
    try:
        for frame in frames:
            writer.send(np.ascontiguousarray(frame))
    finally:
        writer.close()
