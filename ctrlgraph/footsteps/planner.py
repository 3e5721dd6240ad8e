"""A planner that continuously replans a robot's path, footsteps and support while it follows commands."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.footsteps.model import PlanSettings, feet_model, pendulum_model, plan_size
from ctrlgraph.footsteps.robots import LeggedRobot
from ctrlgraph.kernels.footsteps.descent import descend
from ctrlgraph.kernels.footsteps.footstep_arrays import FIXED, MEAN_SHARE, PlanState, new_plan_state, new_plan_work
from ctrlgraph.kernels.footsteps.receding import HOLD_S, advance, feet_now, limit_command, prepare
from ctrlgraph.kernels.footsteps.steps import limit_steps

URGENT_UPDATES = 10
"""Number of updates after a push that have more iterations."""
URGENT_ITERATIONS = 20
"""Iterations of an update after a push."""
STEP_SIZE = 0.5
"""Step size of the first descent."""


class FootstepPlanner:
    """Plan of a robot that starts standing at a place, and moves on by one tick in each update.

    >>> from ctrlgraph.footsteps.robots import ROBOTS
    >>> planner = FootstepPlanner(ROBOTS["quadruped"])
    >>> for _ in range(50):
    ...     planner.update((0.5, 0.0, 0.0))
    >>> planner.time_s, bool(planner.centre_of_mass[0] > 0.1)
    (1.0, True)
    """

    def __init__(
        self,
        robot: LeggedRobot,
        settings: PlanSettings | None = None,
        *,
        start: tuple[float, float, float] = (0.0, 0.0, 0.0),
        unsafe: Sequence[tuple[float, float, float, float]] = (),
    ) -> None:
        """Create a planner of a robot that stands.

        Args:
            robot: The robot.
            settings: Settings of the planner; the defaults if None.
            start: x and y, m, and heading, rad, of the robot.
            unsafe: Unsafe places, each with x, y and radius, m, and the height of its Gaussian bump.
        """
        self.robot = robot
        self.settings = settings or PlanSettings()
        self.pendulum = pendulum_model(robot, self.settings)
        self.feet = feet_model(robot, self.settings)
        self.unsafe = np.array(unsafe, dtype=float).reshape(-1, 4)
        self.state = _standing(robot, self.settings, start)
        self.work = new_plan_work(self.state, len(self.pendulum.spline))
        self.target = np.zeros(3)
        self._urgent = 0
        self.update_ms = math.nan
        """CPU time of the last update, ms."""
        n_feet = len(robot.hips_m)
        self.foot_pose, self.foot_height = np.zeros((n_feet, 3)), np.zeros(n_feet)
        self.on_ground = np.zeros(n_feet, dtype=np.int64)
        feet_now(self.state, self.foot_pose, self.foot_height, self.on_ground)

    @property
    def time_s(self) -> float:
        """Return the time since the start, s."""
        return round(float(self.state.clock[0]), 9)

    @property
    def centre_of_pressure(self) -> NDArray[np.float64]:
        """Return the centre of pressure (2,), m."""
        return self.state.pendulum[:, 0].copy()

    @property
    def centre_of_mass(self) -> NDArray[np.float64]:
        """Return the centre of mass (3,), m."""
        plane = self.state.pendulum[:, 0] - self.robot.height_m * self.state.pendulum[:, 2]
        return np.array([*plane, self.state.height[0]])

    @property
    def velocity(self) -> NDArray[np.float64]:
        """Return the velocity of the centre of mass on the ground (2,), m/s."""
        return np.asarray(self.state.pendulum[:, 1] - self.robot.height_m * self.state.pendulum[:, 3])

    @property
    def lean(self) -> NDArray[np.float64]:
        """Return the angle of the pendulum along x and y (2,), rad; its top leans against this direction."""
        return self.state.pendulum[:, 2].copy()

    @property
    def heading(self) -> float:
        """Return the heading, rad."""
        return float(self.state.heading[0])

    @property
    def is_standing(self) -> bool:
        """Return whether the robot stands and takes no steps."""
        return bool(self.state.mode[0])

    def push(self, velocity: tuple[float, float]) -> None:
        """Change the velocity of the centre of mass at once.

        The base gets the same change, so that the steps follow the robot instead of pulling it back. The next updates
        have more iterations.

        Args:
            velocity: Change along x and y, m/s.
        """
        self.state.pendulum[:, 1] += velocity
        self.state.base[:, 1] += velocity
        self._urgent = URGENT_UPDATES

    def update(self, command: tuple[float, float, float]) -> None:
        """Plan again, and carry out one tick of the plan.

        Args:
            command: Velocity forward and to the left, m/s, and turning velocity, rad/s.

        Raises:
            CtrlGraphError: The command is not three finite numbers.
        """
        try:
            wanted = np.array(command, dtype=float)
        except (TypeError, ValueError):
            wanted = np.full(3, math.nan)
        if wanted.shape != (3,) or not np.isfinite(wanted).all():
            raise CtrlGraphError(f"a command must have three finite numbers, not {command!r}")
        began = time.thread_time_ns()
        limit_command(self.feet, self.robot.duty, wanted, self.target)
        prepare(self.pendulum, self.feet, self.state, self.target, self.work)
        self.solve()
        limit_steps(self.pendulum, self.feet, self.state, self.work)
        advance(self.pendulum, self.feet, self.robot.duty, self.state, self.target, self.work)
        self.update_ms = (time.thread_time_ns() - began) * 1e-6
        feet_now(self.state, self.foot_pose, self.foot_height, self.on_ground)

    def solve(self) -> None:
        """Improve the plan; its motion and poses are those of the improved plan."""
        iterations = URGENT_ITERATIONS if self._urgent else self.settings.iterations
        self._urgent = max(0, self._urgent - 1)
        descend(self.pendulum, self.feet, self.unsafe, self.state, self.work, iterations)


def _standing(robot: LeggedRobot, settings: PlanSettings, start: tuple[float, float, float]) -> PlanState:
    """Return the state of a robot that stands."""
    n, n_feet, n_points, n_steps = plan_size(robot, settings)
    period = robot.period_s
    x, y, heading = start
    middle = np.array([[(phase + step) * period for step in range(n_steps)] for phase in robot.phases])
    half = np.full(middle.shape, 0.5 * robot.duty * period)
    ends = middle[:, 0] + half[:, 0]  # the first contact has lasted for long
    half[:, 0] = 0.5 * (ends + HOLD_S)
    middle[:, 0] = ends - half[:, 0]
    fixed = np.zeros((n_feet, n_steps, 3))
    c, s = math.cos(heading), math.sin(heading)
    for foot, (forward, left) in enumerate(robot.hips_m):
        fixed[foot, :] = (x + c * forward - s * left, y + s * forward + c * left, heading)
    state = new_plan_state(n, n_feet, n_points, n_steps)
    state.clock[1] = STEP_SIZE
    state.pendulum[:, 0] = state.base[:, 0] = x, y
    state.height[0] = robot.height_m
    state.heading[0] = heading
    state.share[:] = MEAN_SHARE
    state.middle[:], state.half[:], state.status[:, 0], state.fixed[:] = middle, half, FIXED, fixed
    state.mode[0] = 1
    return state
