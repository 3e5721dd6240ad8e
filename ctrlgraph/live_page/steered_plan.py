"""A robot that plans its footsteps while messages steer it, with the same bits for the same messages and ticks."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.footsteps.paths import Command, PathFollower
from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.footsteps.posing import BodyPoser, trunk_corners
from ctrlgraph.footsteps.robots import ROBOTS
from ctrlgraph.footsteps.survey import ROUNDING_M, hull_distance
from ctrlgraph.kernels.footsteps.footstep_arrays import HALF, TIME
from ctrlgraph.live_page.plan_protocol import Impulse, PlanInput, UnsafePlace, Velocity

MAX_UNSAFE, MAX_WAYPOINTS = 50, 2000
"""Maximum number of unsafe places, and of waypoints of a path."""
MAX_WAY_M = 1000.0
"""Largest length of a path, m."""
UNSAFETY = 5.0
"""Height of the Gaussian bump of an unsafe place."""
SHOWN_S = 1.2
"""Time of the next footsteps that pages show, s."""
FALLEN_M = 1.0
"""Distance of the centre of mass from the middle of the feet at which the robot has fallen and starts again, m."""
_DIGITS = 4
STILL: Command = (0.0, 0.0, 0.0)
"""Command to stop."""


class SteeredPlan:
    """A robot that plans while pages steer it.

    Args:
        robot: Name of the robot.
    """

    def __init__(self, robot: str) -> None:
        _warm_up(robot)
        self.planner = FootstepPlanner(ROBOTS[robot])
        self.poser = BodyPoser(self.planner.robot)
        self.command: Command = STILL
        self.follower: PathFollower | None = None

    def act(self, message: PlanInput) -> None:
        """Do what a message of a page says.

        Raises:
            CtrlGraphError: There are too many waypoints or unsafe places.
        """
        planner = self.planner
        if isinstance(message, Velocity):
            self.command, self.follower = (message.forward, message.left, message.turn), None
        elif isinstance(message, Impulse):
            planner.push((message.x, message.y))
        elif isinstance(message, UnsafePlace):
            if len(planner.unsafe) >= MAX_UNSAFE:
                raise CtrlGraphError(
                    f"there can be at most {MAX_UNSAFE} unsafe places: restart the robot to remove them"
                )
            planner.unsafe = np.vstack([planner.unsafe, [message.x, message.y, message.radius, UNSAFETY]])
        else:
            follower = self.follower
            if follower is None or not message.more:
                x, y, _ = planner.centre_of_mass
                follower = PathFollower(planner.robot, [(float(x), float(y))])
            if len(follower.points) + len(message.points) > MAX_WAYPOINTS:
                raise CtrlGraphError(f"a path can have at most {MAX_WAYPOINTS:,} waypoints: draw a new one")
            if follower.length_m + _length([follower.points[-1], *message.points]) > MAX_WAY_M:
                raise CtrlGraphError(f"a path can have at most {MAX_WAY_M:,.0f} m: draw a new one")
            follower.extend(message.points)
            self.follower = follower

    def next_command(self) -> Command:
        """Return the command of the next tick, which follows the path if there is one."""
        if self.follower is not None:
            x, y, _ = self.planner.centre_of_mass
            followed = self.follower.command((float(x), float(y)), self.planner.heading)
            self.command = STILL if followed is None else followed
            self.follower = None if followed is None else self.follower
        return self.command

    def tick(self) -> dict[str, Any]:
        """Plan one tick further, and return the message for the pages."""
        planner, poser = self.planner, self.poser
        planner.update(self.next_command())
        pose = poser.pose(planner.centre_of_mass, planner.heading, planner.lean, planner.foot_pose, planner.foot_height)
        outside = hull_distance(planner)
        outside = 0.0 if outside <= ROUNDING_M else outside
        return {
            "type": "plan",
            "time": planner.time_s,
            "mass": _rounded(planner.centre_of_mass[:2]),
            "pressure": _rounded(planner.centre_of_pressure),
            "heading": round(planner.heading, _DIGITS),
            "poses": _rounded(planner.foot_pose),
            "ground": planner.on_ground.tolist(),
            "legs": _rounded(poser.skeleton()),
            "trunk": _rounded(trunk_corners(planner.robot, pose[:1])[0]),
            "next": self._next_steps(),
            "outside": round(outside, _DIGITS) if math.isfinite(outside) else None,
            "unsafe": planner.unsafe.tolist(),
            "way": [] if self.follower is None else _rounded(np.array(self.follower.ahead)),
            "command": _rounded(np.array(self.command)),
            "feasible": _rounded(planner.target),
            "standing": planner.is_standing,
            "ms": round(planner.update_ms, 3),
        }

    @property
    def has_fallen(self) -> bool:
        """Return whether the robot is too far from its feet to go on."""
        away = self.planner.centre_of_mass[:2] - self.planner.foot_pose[:, :2].mean(axis=0)
        return not float(np.linalg.norm(away)) < FALLEN_M

    def _next_steps(self) -> list[list[float]]:
        """Return foot, x, y, angle and time until touch-down of the next steps."""
        state, work = self.planner.state, self.planner.work
        early = state.middle + state.offset[:, :, TIME] - state.half - state.offset[:, :, HALF] - state.clock[0]
        found = np.argwhere((early > 0.0) & (early < SHOWN_S))
        return [[int(f), *_rounded(work.pose[f, s]), round(float(early[f, s]), 3)] for f, s in found]


@cache
def _warm_up(robot: str) -> None:
    """Compile before times are shown."""
    FootstepPlanner(ROBOTS[robot]).update(STILL)


def _length(points: list[tuple[float, float]]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(points))


def _rounded(values: Any) -> Any:
    return np.round(values, _DIGITS).tolist()
