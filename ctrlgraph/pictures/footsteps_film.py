"""A film of a planned motion from above: footprints with their times, support, centre of mass and of pressure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from ctrlgraph.footsteps.robots import LeggedRobot
from ctrlgraph.footsteps.survey import ROUNDING_M, PlannedMotion, place_contacts, support_polygon
from ctrlgraph.pictures.film import SIZE, Progress, checked_rate, write_film
from ctrlgraph.pictures.film_files import Frame
from ctrlgraph.pictures.style import FAR, GROUND, GROUND_LINE, INK, MUTED, NEAR, PAPER, TRAIL

FPS = 25
"""Frames per second."""
WIDTH_M = 3.2
"""Smallest height of the picture, as a multiple of the distance from the centre of mass to the farthest hip."""
_FINE = 2  # drawn pixels per pixel of a frame, for smooth lines
_PRESSURE_S = 2.0  # length of the shown path of the centre of pressure, s
_WARNING = "#c0392b"


def write_footsteps_film(
    robot: LeggedRobot, motion: PlannedMotion, tick: float, path: Path, progress: Progress | None = None
) -> None:
    """Film a planned motion from above in real time. The picture follows the centre of mass.

    Args:
        robot: Robot.
        motion: Planned motion.
        tick: Duration of a tick, s.
        path: Output file.
        progress: Function that is called after each frame.

    Raises:
        CtrlGraphError: The motion is empty, or the file cannot be written.
    """
    rate = checked_rate(path, len(motion.mass), SIZE, FPS)
    ticks = np.arange(0.0, len(motion.mass), 1.0 / (rate * tick)).astype(int)
    film = _Film(robot, motion, tick)
    frames: Iterator[Frame] = (film.frame(int(i)) for i in ticks)
    write_film(path, frames, len(ticks), rate, (), progress, [film.frame(int(ticks[len(ticks) // 2]))])


class _Film:
    def __init__(self, robot: LeggedRobot, motion: PlannedMotion, tick: float) -> None:
        self._robot, self._motion, self._tick = robot, motion, tick
        self._scale = _FINE * SIZE[1] / (WIDTH_M * max(0.4, *(float(np.hypot(*hip)) for hip in robot.hips_m)))
        self._font = ImageFont.load_default(11 * _FINE)
        self._prints: list[tuple[int, int, NDArray[np.float64]]] = []  # (foot, first tick, corners)
        for foot in range(len(robot.hips_m)):
            ground = motion.ground[:, foot]
            for i in np.flatnonzero(ground & ~np.concatenate([[False], ground[:-1]])):
                self._prints.append((foot, int(i), place_contacts(robot, motion.poses[i, foot])))

    def frame(self, i: int) -> Frame:
        """Return the picture at a tick."""
        motion, robot = self._motion, self._robot
        image = Image.new("RGB", (SIZE[0] * _FINE, SIZE[1] * _FINE), PAPER)
        draw = ImageDraw.Draw(image)
        middle = np.array([SIZE[0], SIZE[1]]) * _FINE / 2

        def place(points: NDArray[np.float64]) -> list[tuple[float, float]]:
            offset = (np.atleast_2d(points) - motion.mass[i]) * self._scale * (1.0, -1.0) + middle
            return [(float(x), float(y)) for x, y in offset]

        polygon = support_polygon(robot, motion.poses[i], motion.ground[i])
        if len(polygon) > 2:
            draw.polygon(place(polygon), GROUND, GROUND_LINE)
        latest = {foot: begin for foot, begin, _ in self._prints if begin <= i}
        for foot, begin, corners in self._prints:
            if begin <= i:
                is_past = begin < latest[foot] or not motion.ground[i, foot]
                fill, line = (_faded(_side(robot, foot)), _faded(NEAR)) if is_past else (_side(robot, foot), NEAR)
                draw.polygon(place(corners), fill, line)
        for foot in range(len(robot.hips_m)):
            outline = place(place_contacts(robot, motion.poses[i, foot]))
            if not motion.ground[i, foot]:
                draw.line([*outline, outline[0]], INK, _FINE)
                continue
            begins = f"{latest[foot] * self._tick:.2f} s"
            draw.text((outline[0][0] + 8, outline[0][1] - 24), begins, MUTED, self._font)
        draw.line(place(motion.mass[: i + 1]), TRAIL, 2 * _FINE)
        draw.line(place(motion.pressure[max(0, i - round(_PRESSURE_S / self._tick)) : i + 1]), INK, _FINE)
        is_inside = motion.outside[i] <= ROUNDING_M
        for point, colour in ((motion.mass[i], TRAIL), (motion.pressure[i], INK if is_inside else _WARNING)):
            (x, y), radius = place(point)[0], 5 * _FINE
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), colour)
        draw.text((12 * _FINE, 10 * _FINE), self._caption(i), INK, self._font)
        return np.asarray(image.reduce(_FINE))

    def _caption(self, i: int) -> str:
        forward, left, turn = self._motion.command[i]
        command = f"forward {forward:.2f} m/s, left {left:.2f} m/s, turn {turn:.2f} rad/s"
        return f"{i * self._tick:.2f} s: {command}; update {self._motion.update_ms[i]:.2f} ms"


def _side(robot: LeggedRobot, foot: int) -> str:
    return NEAR if robot.hips_m[foot][1] > 0 else FAR


def _faded(colour: str) -> tuple[int, ...]:
    """Return a colour that is mixed with that of the paper."""
    return tuple(round(255 * (0.35 * part + 0.65)) for part in to_rgb(colour))
