"""Pictures of the character in a single state, for `render` of a Gymnasium environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from numpy.typing import NDArray

from ctrlgraph.errors import printable
from ctrlgraph.pictures.planar.figure import Figure, ground_polyline
from ctrlgraph.pictures.style import GROUND, GROUND_LINE, INK, MUTED, plain_lettering

if TYPE_CHECKING:
    from ctrlgraph.character.planar_model import PlanarCharacter
    from ctrlgraph.terrain.terrain import Terrain

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

SIZE = (480, 270)
"""Default width and height of a picture, pixels."""
FPS = 30
"""Pictures per second that `Walkthrough` states in its metadata."""
VIEW = 2.7  # m, from the picture's bottom to its top
BELOW = 0.45  # m of ground


class Renderer:
    """Renderer of a character on its ground, seen from the side.

    Args:
        character: character to draw.
        size: width and height of a picture, pixels.
    """

    def __init__(self, character: PlanarCharacter, size: tuple[int, int] = SIZE) -> None:
        self._figure = Figure.of(character)
        self._canvas = Canvas(figsize=(size[0] / 100, size[1] / 100), dpi=100, facecolor="white")
        self._agg: Any = FigureCanvasAgg(self._canvas)  # its methods carry no types
        self._axes = self._canvas.add_axes((0, 0, 1, 1))
        self._wide = VIEW * size[0] / size[1]

    def draw(self, position: Floats, angle: Floats, ground: Terrain, time: float, label: str = "") -> Picture:
        """Return a picture of a pose as RGB values, (height, width, 3).

        Args:
            position: world positions of the centres of mass of the links, (L, 2), m.
            angle: global angles of the links, (L,), rad, clockwise.
            ground: terrain to draw.
            time: time to print in the upper right corner, s.
            label: text to print in the upper left corner; underscores become spaces.
        """
        axes, x = self._axes, float(position[:, 0].mean())
        axes.clear()
        axes.set_axis_off()
        left, right = x - self._wide / 2, x + self._wide / 2
        xs, ys = ground_polyline(ground, left - 1.0, right + 1.0)
        bottom = float(ground.bridged.height(x)) - BELOW
        axes.set(xlim=(left, right), ylim=(bottom, bottom + VIEW))
        axes.fill_between(xs, ys, bottom - 10.0, color=GROUND, linewidth=0, zorder=1)
        axes.plot(xs, ys, color=GROUND_LINE, linewidth=1.4, zorder=3)
        for metre in range(int(np.ceil(left)), int(right) + 1):
            axes.text(metre, bottom + 0.05, f"{metre} m", color=MUTED, fontsize=6, ha="center", zorder=4)
        self._figure.draw(axes, position, angle)
        corner: dict[str, Any] = {"transform": axes.transAxes, "va": "top", "fontsize": 9}
        axes.text(0.97, 0.95, f"{time:.1f} s", color=MUTED, ha="right", **corner)
        axes.text(0.03, 0.95, printable(label).replace("_", " "), color=INK, fontweight="bold", **corner)
        with plain_lettering():
            self._agg.draw()
        return np.array(self._agg.buffer_rgba(), np.uint8)[:, :, :3].copy()
