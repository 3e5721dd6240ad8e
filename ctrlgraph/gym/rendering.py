"""Pictures of the character in a single state, for `render` of a Gymnasium environment."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from numpy.typing import NDArray

from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.character.spatial.spatial_frames import quaternion_of, reference_frames
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.errors import printable
from ctrlgraph.pictures.planar.figure import Figure, ground_polyline
from ctrlgraph.pictures.spatial import DEFAULT_VIEW
from ctrlgraph.pictures.spatial.spatial_figure import SpatialFigure
from ctrlgraph.pictures.spatial.spatial_renderer import SpatialRenderer
from ctrlgraph.pictures.spatial.spatial_video import FADE, framing
from ctrlgraph.pictures.spatial.spatial_view import ground_below, view_of
from ctrlgraph.pictures.style import GROUND, GROUND_LINE, INK, MUTED, plain_lettering

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.character.planar_model import PlanarCharacter
    from ctrlgraph.simulation.simulation import Simulation

Picture = NDArray[np.uint8]

SIZE = (480, 270)
"""Default width and height of a picture, pixels."""
FPS = 30
"""Pictures per second that `Walkthrough` states in its metadata."""
VIEW = 2.7  # m, from the picture's bottom to its top
BELOW = 0.45  # m of ground


class Renderer(ABC):
    """Renderer of a character on its ground.

    Args:
        size: width and height of a picture, pixels.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self._canvas = Canvas(figsize=(size[0] / 100, size[1] / 100), dpi=100, facecolor="white")
        self._agg: Any = FigureCanvasAgg(self._canvas)  # its methods carry no types
        self._axes = self._canvas.add_axes((0, 0, 1, 1))

    def draw(self, simulation: Simulation, label: str = "") -> Picture:
        """Return a picture of the current state as RGB values, (height, width, 3).

        Args:
            simulation: simulation of the character.
            label: text to print in the upper left corner; underscores become spaces.
        """
        axes = self._axes
        axes.clear()
        axes.set_axis_off()
        self._draw_body(simulation)
        corner: dict[str, Any] = {"transform": axes.transAxes, "va": "top", "fontsize": 9}
        axes.text(0.97, 0.95, f"{simulation.time:.1f} s", color=MUTED, ha="right", **corner)
        axes.text(0.03, 0.95, printable(label).replace("_", " "), color=INK, fontweight="bold", **corner)
        with plain_lettering():
            self._agg.draw()
        return np.array(self._agg.buffer_rgba(), np.uint8)[:, :, :3].copy()

    @abstractmethod
    def _draw_body(self, simulation: Simulation) -> None:
        """Draw the character and the ground on the axes."""


class PlanarRenderer(Renderer):
    """Renderer of a planar character, seen from the side.

    Args:
        character: character to draw.
        size: width and height of a picture, pixels.
    """

    def __init__(self, character: PlanarCharacter, size: tuple[int, int]) -> None:
        super().__init__(size)
        self._figure = Figure.of(character)
        self._wide = VIEW * size[0] / size[1]

    def _draw_body(self, simulation: Simulation) -> None:
        (position, angle), ground = simulation.poses, simulation.terrain
        axes, x = self._axes, float(position[:, 0].mean())
        left, right = x - self._wide / 2, x + self._wide / 2
        xs, ys = ground_polyline(ground, left - 1.0, right + 1.0)
        bottom = float(ground.bridged.height(x)) - BELOW
        axes.set(xlim=(left, right), ylim=(bottom, bottom + VIEW))
        axes.fill_between(xs, ys, bottom - 10.0, color=GROUND, linewidth=0, zorder=1)
        axes.plot(xs, ys, color=GROUND_LINE, linewidth=1.4, zorder=3)
        for metre in range(int(np.ceil(left)), int(right) + 1):
            axes.text(metre, bottom + 0.05, f"{metre} m", color=MUTED, fontsize=6, ha="center", zorder=4)
        self._figure.draw(axes, position, angle)


class SpaceRenderer(Renderer):
    """Renderer of a spatial character, seen from ahead, from its right side and from above.

    Args:
        character: character to draw.
        size: width and height of a picture, pixels.
    """

    def __init__(self, character: SpatialCharacter, size: tuple[int, int]) -> None:
        super().__init__(size)
        self._size = size
        self._figure = SpatialFigure.of(character)
        self._view = view_of(DEFAULT_VIEW)
        frames = reference_frames(character)
        pose = np.concatenate([frames.position, np.tile([1.0, 0.0, 0.0, 0.0], (len(frames.position), 1))], axis=1)
        pose[:, 3:] = [quaternion_of(rotation) for rotation in frames.rotation]
        level, low = self._view.axes[:2], self._figure.extents(pose[None], np.eye(3))[0]
        middle = np.array([low[0].mean(), low[1].mean(), low[2, 0]])
        reach = self._figure.extents(pose[None], level)[0] - (level @ middle)[:, None]
        self._framing = framing(reach.reshape(1, 4), self._figure.size, size[0] / size[1])

    def _draw_body(self, simulation: Simulation) -> None:
        terrain, kinematics = simulation.terrain, simulation.kinematics
        focus = ground_below(terrain, kinematics.com[None, :2])[0]
        scale = self._framing.height / self._size[1]
        fade = (FADE[0] * scale * self._size[0], FADE[1] * scale * self._size[0])
        middle = focus + self._framing.lift * self._view.up
        renderer = SpatialRenderer(self._size, self._figure, terrain, self._view)
        picture = renderer.draw(kinematics.pose, middle, scale, focus, fade)
        self._axes.imshow(picture, aspect="auto", interpolation="nearest")


def renderer_of(character: Character, size: tuple[int, int]) -> Renderer:
    """Return a renderer of a character.

    Args:
        character: character to draw.
        size: width and height of a picture, pixels.
    """
    if isinstance(character, SpatialCharacter):
        return SpaceRenderer(character, size)
    return PlanarRenderer(require_planar(character, "a planar picture"), size)
