"""Commands that follow a path of waypoints on the ground (pure pursuit)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ctrlgraph.footsteps.robots import LeggedRobot

AHEAD_S = 0.6
"""Time at the usual speed to the point of the path at which the robot aims, s."""
WINDOW_M = 0.5
"""Length of the path on which the place nearest to the robot is sought, from the last one, m."""
ARRIVED_M = 0.06
"""Distance to the end of the path at which the robot stops, m."""
SLOW_S = 1.2
"""Time at the usual speed to the end of the path from which the robot slows down, s."""
NEAR_M = 0.2
"""Distance to the end of the path below which the robot steps there without turning, m."""
AHEAD_RAD = 1.0
"""Difference of the directions of the aim and of the robot from which it turns on the spot, rad."""
SAMPLE_M = 0.02
"""Distance between the points of the path that are compared with the place of the robot, m."""

Command = tuple[float, float, float]


class PathFollower:
    """A path that a robot follows once, and its progress.

    >>> from ctrlgraph.footsteps.robots import ROBOTS
    >>> follower = PathFollower(ROBOTS["biped"], [(0.0, 0.0), (2.0, 0.0)])
    >>> follower.command((0.0, 0.0), 0.0)
    (0.8, 0.0, 0.0)
    """

    def __init__(self, robot: LeggedRobot, points: list[tuple[float, float]]) -> None:
        """Create a path.

        Args:
            robot: Robot, for its usual speeds.
            points: Waypoints, m; the first one is where the path begins.
        """
        self.points = [points[0]]
        self.length_m = 0.0
        """Length of the path, m."""
        self._robot, self._at = robot, 0
        self._samples = [points[0]]
        self.extend(points[1:])

    def extend(self, points: Sequence[tuple[float, float]]) -> None:
        """Add waypoints to the end of the path."""
        for point in points:
            (x, y), length = self.points[-1], math.dist(self.points[-1], point)
            n = max(1, math.ceil(length / SAMPLE_M))
            self._samples += [(x + k / n * (point[0] - x), y + k / n * (point[1] - y)) for k in range(1, n + 1)]
            self.points.append(point)
            self.length_m += length

    @property
    def ahead(self) -> list[tuple[float, float]]:
        """Return the part of the path that is left, as at most 200 points."""
        left = self._samples[self._at :]
        shown = left[:: max(1, len(left) // 199)]
        return [*shown, left[-1]]

    def command(self, place: tuple[float, float], heading: float) -> Command | None:
        """Return the command at a place: forward and to the left, m/s, and turning, rad/s; None at the end.

        Args:
            place: Place of the robot, m.
            heading: Heading of the robot, rad.
        """
        robot, n = self._robot, len(self._samples)
        window = np.array(self._samples[self._at : self._at + round(WINDOW_M / SAMPLE_M)])
        self._at += int(np.argmin(np.linalg.norm(window - place, axis=1)))
        left = SAMPLE_M * (n - 1 - self._at) + math.dist(self._samples[self._at], place)
        if left < ARRIVED_M:
            return None
        aim = self._samples[min(n - 1, self._at + round(AHEAD_S * robot.speed_mps / SAMPLE_M))]
        away = math.hypot(aim[0] - place[0], aim[1] - place[1])
        error = math.remainder(math.atan2(aim[1] - place[1], aim[0] - place[0]) - heading, 2.0 * math.pi)
        if left < NEAR_M:  # step there instead of turning
            speed = 0.5 * robot.speed_mps * away / NEAR_M
            return speed * math.cos(error), speed * math.sin(error), 0.0
        if abs(error) > AHEAD_RAD:
            return 0.0, 0.0, math.copysign(robot.turning_radps, error)
        bend = 2.0 * math.sin(error) / away  # of the arc through the point ahead, 1/m
        forward = robot.speed_mps * min(1.0, left / (SLOW_S * robot.speed_mps))
        forward = min(forward, 0.9 * robot.turning_radps / max(abs(bend), 1e-9))
        return forward, 0.0, forward * bend
