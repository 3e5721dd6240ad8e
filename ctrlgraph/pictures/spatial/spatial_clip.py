"""Spatial motions to draw: the motion with its texts, the footprints on the ground, and the arrows of pushes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.spatial.spatial_frames import rotation_matrix
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.errors import printable
from ctrlgraph.pictures.spatial.spatial_figure import SpatialFigure, rgb, side_color
from ctrlgraph.pictures.spatial.spatial_renderer import Colored, SpatialRenderer
from ctrlgraph.pictures.spatial.spatial_solids import arrow, disc
from ctrlgraph.pictures.spatial.spatial_view import SpatialView, followed
from ctrlgraph.pictures.style import TRAIL, FloatArray, Label
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.terrain.spatial import SpatialTerrain

PRINT_RADIUS = 0.032
"""Radius of a footprint, relative to the size of the character."""
PRINT_LIFT = 0.004
"""Height of a footprint above the ground, relative to the size of the character."""
PRINT_SHADE = 0.82
"""Brightness of a footprint, relative to the foot."""
MAX_PRINTS = 300
"""Maximum number of footprints in a picture: the latest ones."""
ARROW_LENGTH = 0.7
"""Length of the arrow of the strongest push, relative to the size of the character."""
MIN_ARROW = 0.25
"""Minimum length of a push's arrow, relative to the arrow of the strongest push."""
ARROW_RADIUS = 0.016
"""Radius of the shaft of an arrow, relative to the size of the character."""
MIN_PUSH_S = 0.25
"""Minimum duration for which the arrow of a push is drawn, s."""


@dataclass(frozen=True)
class SpatialClip:
    """A recorded motion with the data that pictures of it need. All times are simulated times, as in `trace`."""

    trace: SpatialTrace
    """The recorded motion, with at least one sample."""
    character: SpatialCharacter
    """The character that moves."""
    terrain: SpatialTerrain | None = None
    """The ground; None for level ground at height 0."""
    labels: Sequence[Label] = ()
    """Start (s) and name of each node that runs, in order."""
    phases: Sequence[Label] = ()
    """Start (s) and caption of each phase of the controllers, in order."""
    pushes: FloatArray = field(default_factory=lambda: np.zeros((0, 9)))
    """(P, 9) start and end, s, index of the link, force in the world, N, and its point in the frame of the link, m."""
    title: str = ""
    """Title of the picture."""

    @property
    def seconds(self) -> float:
        """Return the duration of the motion, s."""
        return float(self.trace.time[-1] - self.trace.time[0])

    @property
    def printable_labels(self) -> list[Label]:
        """Return the names of nodes without control characters."""
        return [(start, printable(name)) for start, name in self.labels]


class Footprint(NamedTuple):
    """A place where a foot began to touch the ground."""

    time: float
    """Simulated time of the touch, s."""
    place: FloatArray
    """Position (3,), m."""
    drawn: Colored
    """Disc on the ground."""


class SpatialStage:
    """A motion with its figure, seen from one direction. It draws any sample of the motion.

    Args:
        clip: Motion to draw.
        view: Direction of the projection.
    """

    def __init__(self, clip: SpatialClip, view: SpatialView) -> None:
        self.clip, self.view = clip, view
        self.figure = SpatialFigure.of(clip.character)
        self.camera = followed(clip.trace, clip.terrain)
        self.footprints = _footprints(clip, self.figure)

    def renderer(self, size: tuple[int, int]) -> SpatialRenderer:
        """Return a renderer for pictures with this width and height, pixels."""
        return SpatialRenderer(size, self.figure, self.clip.terrain, self.view)

    def extents(self, samples: NDArray[np.int64] | slice = slice(None)) -> FloatArray:
        """Return left, right, bottom and top of the character, from the point at which the camera looks (n, 4), m.

        Args:
            samples: Indices of n samples of the motion.
        """
        axes = self.view.axes[:2]
        reach = self.figure.extents(self.clip.trace.pose[samples], axes)
        reach = reach - (self.camera[samples] @ axes.T)[:, :, None]
        return reach.reshape(-1, 4)

    def draw(
        self,
        renderer: SpatialRenderer,
        sample: int,
        middle: FloatArray,
        scale: float,
        center: FloatArray,
        fade: tuple[float, float],
    ) -> NDArray[np.uint8]:
        """Return a picture of a sample of the motion, (height, width, 3), RGB.

        Args:
            renderer: Renderer of the size of the picture.
            sample: Index of the sample.
            middle: Point of the world in the middle of the picture (3,), m.
            scale: Size of a pixel, m.
            center: Middle of the drawn ground (3,), m.
            fade: Radii at which the ground begins to fade and is invisible, m.
        """
        time = float(self.clip.trace.time[sample])
        near = [
            each
            for each in self.footprints
            if each.time <= time + 1e-9 and np.hypot(*(each.place - center)[:2]) < fade[1]
        ]
        pose = self.clip.trace.pose[sample]
        prints = [each.drawn for each in near[-MAX_PRINTS:]]
        return renderer.draw(pose, middle, scale, center, fade, prints, _arrows(self.clip, self.figure.size, sample))


def _footprints(clip: SpatialClip, figure: SpatialFigure) -> list[Footprint]:
    """Return the footprints of a motion, in order of time. Without feet, those of all links."""
    trace, found = clip.trace, []
    for link in clip.character.roles.feet or range(len(clip.character.links)):
        touching = trace.contact[:, link]
        color = PRINT_SHADE * rgb(side_color(clip.character, link))
        for i in np.flatnonzero(np.diff(touching.astype(int), prepend=0) == 1).tolist():
            place = figure.lowest(trace.pose[i], link)
            height, normal = 0.0, np.array([0.0, 0.0, 1.0])
            if clip.terrain is not None:
                x, y = place[:2].tolist()
                height, normal = clip.terrain.height(x, y), np.array(clip.terrain.normal(x, y))
            place = np.array([place[0], place[1], height])
            solid = disc(PRINT_RADIUS * figure.size).moved(_upright(normal), place + PRINT_LIFT * figure.size * normal)
            found.append(Footprint(float(trace.time[i]), place, Colored(solid, color)))
    return sorted(found, key=lambda each: each.time)


def _upright(normal: FloatArray) -> FloatArray:
    """Return a rotation matrix (3, 3) that turns the z axis to a unit vector (3,) that points up."""
    right = np.cross((0.0, 1.0, 0.0), normal)
    right /= np.linalg.norm(right)
    return np.column_stack([right, np.cross(normal, right), normal])


def _arrows(clip: SpatialClip, size: float, sample: int) -> list[Colored]:
    """Return the arrows of the pushes that act at a sample. Each ends at the point at which the force acts.

    Args:
        clip: Motion.
        size: Size of the character, m.
        sample: Index of the sample.
    """
    time, pose, found = float(clip.trace.time[sample]), clip.trace.pose[sample], []
    strongest = float(np.linalg.norm(clip.pushes[:, 3:6], axis=1).max(initial=0.0))
    for start, end, link, *rest in clip.pushes.tolist():
        force, point = np.array(rest[:3]), np.array(rest[3:])
        strength = float(np.linalg.norm(force))
        if strength > 0.0 and start - 1e-9 <= time <= max(end, start + MIN_PUSH_S):
            at = pose[int(link)]
            tip = at[:3] + rotation_matrix(at[3:]) @ point
            length = ARROW_LENGTH * size * max(MIN_ARROW, strength / strongest)
            found.append(Colored(arrow(tip - force / strength * length, tip, ARROW_RADIUS * size), rgb(TRAIL)))
    return found
