"""A film of a planned motion: the robot with its legs, footprints with times, support, and centre of pressure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from ctrlgraph.footsteps.posing import PosedMotion
from ctrlgraph.footsteps.robots import LeggedRobot
from ctrlgraph.footsteps.survey import ROUNDING_M, PlannedMotion, place_contacts, support_polygon
from ctrlgraph.pictures.camera_path import smoothed_path
from ctrlgraph.pictures.film import SIZE, Progress, checked_rate, write_film
from ctrlgraph.pictures.film_files import Frame
from ctrlgraph.pictures.spatial.spatial_figure import SpatialFigure, rgb
from ctrlgraph.pictures.spatial.spatial_renderer import Colored, SpatialRenderer
from ctrlgraph.pictures.spatial.spatial_solids import Solid, disc, ribbon, sheet
from ctrlgraph.pictures.spatial.spatial_view import view_of
from ctrlgraph.pictures.style import FAR, INK, MUTED, NEAR, TRAIL, FloatArray

FPS = 25
"""Frames per second."""
ROOM = 1.7
"""Height of the picture, as a multiple of the size of the robot."""
RISE = 0.35
"""Height above the ground of the middle of the picture, as a multiple of the size of the robot."""
PRESSURE_S = 2.0
"""Length of the shown path of the centre of pressure, s."""
LAYER_M = 0.002
"""Distance between two layers of marks on the ground, m."""
SUPPORT = "#c9d8e6"
"""Colour of the support polygon."""
WARNING = "#c0392b"
"""Colour of a centre of pressure outside its support."""


def write_footsteps_film(
    robot: LeggedRobot,
    motion: PlannedMotion,
    posed: PosedMotion,
    tick: float,
    path: Path,
    view: str,
    progress: Progress | None = None,
) -> None:
    """Film a planned motion in real time. The picture follows the centre of mass.

    Args:
        robot: Robot.
        motion: Planned motion.
        posed: Body of the robot in the motion.
        tick: Duration of a tick, s.
        path: Output file.
        view: Direction of view: "three-quarter", "side", "front", "top" or "behind".
        progress: Function that is called after each frame.

    Raises:
        CtrlGraphError: The motion is empty, or the file cannot be written.
    """
    rate = checked_rate(path, len(motion.mass), SIZE, FPS)
    ticks = np.arange(0.0, len(motion.mass), 1.0 / (rate * tick)).astype(int)
    film = _Film(robot, motion, posed, tick, view)
    frames: Iterator[Frame] = (film.frame(int(i)) for i in ticks)
    write_film(path, frames, len(ticks), rate, (), progress, [film.frame(int(ticks[len(ticks) // 2]))])


class _Film:
    def __init__(self, robot: LeggedRobot, motion: PlannedMotion, posed: PosedMotion, tick: float, view: str) -> None:
        self._robot, self._motion, self._posed, self._tick = robot, motion, posed, tick
        self._view, figure = view_of(view), SpatialFigure.of(posed.character)
        self._size = figure.size
        self._renderer = SpatialRenderer(SIZE, figure, None, self._view)
        self._pixel = ROOM * figure.size / SIZE[1]
        self._camera = smoothed_path(motion.mass, motion.mass, tick * np.arange(len(motion.mass), dtype=np.float64))
        self._font = ImageFont.load_default(12)
        # (foot, first tick, corners)
        self._prints = [(foot, i, place_contacts(robot, motion.poses[i, foot])) for foot, i in motion.landings]

    def frame(self, i: int) -> Frame:
        """Return the picture at a tick."""
        center = np.array([*self._camera[i], 0.0])
        middle = center + np.array([0.0, 0.0, RISE * self._size])
        fade = (1.2 * self._size, 1.9 * self._size)
        near = [each for each in self._prints if np.hypot(*(each[2][0] - center[:2])) < fade[1]]
        drawn = self._marks(i, near, fade[1])
        picture = self._renderer.draw(self._posed.poses[i], middle, self._pixel, center, fade, drawn)
        image = Image.fromarray(picture)
        draw = ImageDraw.Draw(image)
        latest = {foot: begin for foot, begin, _ in near if begin <= i}
        for foot, begin, corners in near:
            if begin == latest.get(foot) and self._motion.ground[i, foot]:
                x, y = self._on_screen(corners[0], middle)
                draw.text((x + 6, y + 4), f"{begin * self._tick:.2f} s", MUTED, self._font)
        draw.text((12, 10), self._caption(i), INK, self._font)
        return np.asarray(image)

    def _marks(self, i: int, near: list[tuple[int, int, NDArray[np.float64]]], radius: float) -> list[Colored]:
        """Return the marks on the ground at a tick, the lower ones first."""
        motion, robot = self._motion, self._robot
        layers: list[tuple[Solid, str]] = []
        polygon = support_polygon(robot, motion.poses[i], motion.ground[i])
        if len(polygon) > 2:
            layers.append((sheet(polygon, LAYER_M), SUPPORT))
        for foot, begin, corners in near:
            if begin <= i:
                layers.append((sheet(_anticlockwise(corners), 2 * LAYER_M), NEAR if robot.hips_m[foot][1] < 0 else FAR))
        first = max(0, i - round(PRESSURE_S / self._tick))
        thick = 0.008 * self._size
        for path, begin, colour, height in ((motion.mass, 0, TRAIL, 3), (motion.pressure, first, INK, 4)):
            shown = path[begin : i + 1]
            shown = shown[np.linalg.norm(shown - motion.mass[i], axis=1) < radius]
            if len(shown) > 1:
                layers.append((ribbon(shown, thick, height * LAYER_M), colour))
        is_inside = motion.outside[i] <= ROUNDING_M
        spot = disc(2.5 * thick).moved(np.eye(3), [*motion.pressure[i], 5 * LAYER_M])
        layers.append((spot, INK if is_inside else WARNING))
        return [Colored(solid, rgb(colour)) for solid, colour in layers]

    def _on_screen(self, place: FloatArray, middle: FloatArray) -> tuple[float, float]:
        """Return the pixel of a point on the ground (2,), m."""
        x, y = (np.array([*place, 0.0]) - middle) @ self._view.axes[:2].T / self._pixel
        return SIZE[0] / 2.0 + float(x), SIZE[1] / 2.0 - float(y)

    def _caption(self, i: int) -> str:
        forward, left, turn = self._motion.command[i]
        command = f"forward {forward:.2f} m/s, left {left:.2f} m/s, turn {turn:.2f} rad/s"
        return f"{i * self._tick:.2f} s: {command}; update {self._motion.update_ms[i]:.2f} ms"


def _anticlockwise(corners: FloatArray) -> FloatArray:
    """Return the corners of a polygon, which is seen from above, in anticlockwise order."""
    (ax, ay), (bx, by) = corners[1] - corners[0], corners[2] - corners[1]
    return corners if ax * by > ay * bx else corners[::-1]
