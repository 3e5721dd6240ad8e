"""Drawing of single frames of a film: the camera's view, the ground, the character and texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure as Canvas

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.pictures.camera_path import JUMP, smoothed_path
from ctrlgraph.pictures.frame_texts import NOTE_SIZE, FrameTexts
from ctrlgraph.pictures.planar.figure import Figure, ground_polyline
from ctrlgraph.pictures.style import GROUND, GROUND_LINE, MUTED, TRAIL, FloatArray, Label
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.terrain.terrain import Terrain

VIEW_HEIGHT = 2.7
"""Minimum height of the part of the world that a frame shows, m."""
VIEW_BELOW = 0.45 / VIEW_HEIGHT
"""Share of a frame's height that is below the ground."""
MARGIN = 0.08
"""Minimum distance of the character from the edges of a frame, m."""
TRAIL_TIME = 1.2
"""Duration of the past path of the centre of mass that a frame shows (the trail), s."""


@dataclass(frozen=True)
class Clip:
    """A recorded motion with the texts that a film or filmstrip shows. All times are simulated times, as in `trace`."""

    trace: Trace
    """The recorded motion, with at least one sample."""
    character: PlanarCharacter
    """The character that moves."""
    terrain: Terrain | None = None
    """The ground; None for level ground at height 0."""
    labels: Sequence[Label] = ()
    """Start (s) and name of each node that runs, in order."""
    phases: Sequence[Label] = ()
    """Start (s) and caption of each phase of the controllers, in order."""
    title: str = ""
    """Title of the picture."""

    @property
    def seconds(self) -> float:
        """Return the duration of the motion, s."""
        return float(self.trace.time[-1] - self.trace.time[0])


class ClipDrawing:
    """A matplotlib drawing that shows one moment of a motion at a time. It fills a canvas.

    The artists of matplotlib are created once and moved for each frame, which is faster than new artists.

    Args:
        canvas: Canvas to draw on.
        size: Width and height of the canvas, pixels.
        clip: Motion to draw, with its texts.
        colours: Colour of each node's label, by name of the node.
        still: Keep the camera at one place if the whole motion fits into the view.
    """

    def __init__(self, canvas: Canvas, size: tuple[int, int], clip: Clip, colours: dict[str, str], still: bool) -> None:
        self.trace, self.terrain, self.clip = clip.trace, clip.terrain, clip
        self.figure = Figure.of(clip.character)
        extents = self.figure.extents(self.trace.position, self.trace.angle)
        self.camera, self.view = _view(_camera(self.trace, self.terrain), extents, size[0] / size[1], still)
        self.axes = canvas.add_axes((0.0, 0.0, 1.0, 1.0))
        self.axes.set_axis_off()
        self.body = self.figure.draw(self.axes, self.trace.position[0], self.trace.angle[0])
        (self.trail,) = self.axes.plot([], [], color=TRAIL, linewidth=1.6, alpha=0.8, zorder=4)
        self.ground = self.axes.fill([0, 0, 0], [0, 0, 0], color=GROUND, linewidth=0, zorder=1)[0]
        (self.surface,) = self.axes.plot([], [], color=GROUND_LINE, linewidth=1.6, zorder=3)
        (self.posts,) = self.axes.plot([], [], color=GROUND_LINE, linewidth=1.0, alpha=0.6, zorder=2)
        texts = FrameTexts(self.axes, size, clip.labels, clip.phases, clip.title, colours)
        metre: dict[str, Any] = {"color": MUTED, "fontsize": NOTE_SIZE * texts.scale, "ha": "center", "va": "top"}
        count = int(np.ceil(self.view[0])) + 1
        self.metres = [self.axes.text(0, 0, "", clip_on=True, **metre) for _ in range(count)]
        self.texts = texts

    def pose(self, seconds: float) -> None:
        """Change the drawing so that it shows another moment of the motion.

        Args:
            seconds: Time since the start of the motion, s. Later times than the end of the motion show its end.
        """
        time = float(self.trace.time[0]) + min(seconds, self.clip.seconds)
        i = int(np.clip(np.searchsorted(self.trace.time, time - 1e-9), 0, len(self.trace) - 1))
        x, y = self.camera[i]
        width, height = self.view
        left, right = x - width / 2, x + width / 2
        bottom = y - VIEW_BELOW * height
        self.axes.set(xlim=(left, right), ylim=(bottom, bottom + height))
        self.body.set_verts(self.figure.polygons(self.trace.position[i], self.trace.angle[i]))
        begin = int(np.searchsorted(self.trace.time, self.trace.time[i] - TRAIL_TIME))
        self.trail.set_data(*_unbroken(self.trace.com[begin : i + 1]).T)
        self._draw_ground(left, right, bottom)
        self.texts.show(time)

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
        interval = max(1, int(np.ceil(len(metres) / 8)))
        for k, text in enumerate(self.metres):
            shown = k < len(metres) and metres[k] % interval == 0
            text.set_visible(shown)
            if shown:
                text.set(x=metres[k], y=heights[k] - 0.1, text=f"{metres[k] + 0.0:.0f} m")  # avoids -0


def _unbroken(com: FloatArray) -> FloatArray:
    """Return the part of the path of the centre of mass after the last restart of the character at another place.

    Args:
        com: Positions of the centre of mass (n, 2), m. A displacement of more than `JUMP` is a restart.
    """
    jumps = np.flatnonzero(np.abs(np.diff(com, axis=0)).max(axis=1, initial=0.0) > JUMP)
    return com[jumps[-1] + 1 :] if len(jumps) else com


def _camera(trace: Trace, terrain: Terrain | None) -> FloatArray:
    """Return the point on the ground at which a moving camera looks, for each sample (n, 2), world coordinates, m.

    The point is below the centre of mass. It is smoothed over time, separately before and after each restart of the
    character elsewhere.

    Args:
        trace: Recorded motion with n samples.
        terrain: The ground; None for level ground at height 0.
    """
    # without gaps, so that the camera does not drop into them
    ground_line = None if terrain is None else terrain.bridged
    ground = np.array([ground_polyline(ground_line, x, x + 1e-6)[1][0] for x in trace.com[:, 0]])
    return smoothed_path(np.column_stack([trace.com[:, 0], ground]), trace.com, trace.time)


def _view(
    camera: FloatArray, extents: FloatArray, aspect: float, still: bool
) -> tuple[FloatArray, tuple[float, float]]:
    """Choose a view of constant size that contains the whole character at each sample.

    Args:
        camera: Point on the ground at which a moving camera looks, for each sample (n, 2), m.
        extents: Left, right, bottom and top of the character at each sample (n, 4), m.
        aspect: Width of the view divided by its height.
        still: Let the camera look at the same point at all samples if the whole motion fits into the view.

    Returns:
        The point on the ground at which the camera looks, for each sample (n, 2), m; width and height of the view, m.
    """
    left, right, bottom, top = extents.T
    fixed = np.array([(left.min() + right.max()) / 2.0, camera[:, 1].min()])
    width, height = right.max() - left.min() + 2 * MARGIN, top.max() - fixed[1] + MARGIN
    if still and width <= VIEW_HEIGHT * aspect and height <= VIEW_HEIGHT * (1 - VIEW_BELOW):
        return np.repeat(fixed[None], len(camera), axis=0), (VIEW_HEIGHT * aspect, VIEW_HEIGHT)
    x, y = camera.T
    sideways = 2.0 * (max((right - x).max(), (x - left).max()) + MARGIN)
    above = ((top - y).max() + MARGIN) / (1 - VIEW_BELOW)
    below = ((y - bottom).max() + MARGIN) / VIEW_BELOW
    height = float(max(VIEW_HEIGHT, sideways / aspect, above, below))
    return camera, (height * aspect, height)
