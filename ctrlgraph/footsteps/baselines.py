"""Planners to compare with: a quadratic program with fixed timing, and Raibert's steps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.extras import require
from ctrlgraph.footsteps.model import PlanSettings
from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.footsteps.robots import LeggedRobot
from ctrlgraph.kernels.footsteps.footstep_arrays import GRAVITY, X, Y
from ctrlgraph.kernels.footsteps.pendulum import move_pendulum
from ctrlgraph.kernels.footsteps.quadratic_plan import hull_rows, index_free_steps
from ctrlgraph.kernels.footsteps.steps import place_steps

HORIZON_S = 1.6
"""Time that the quadratic program covers, s."""
TICKS_PER_FORCE = 2
"""Ticks for which a force of the quadratic program acts."""
MOST_CHANGE_M = 0.05
"""Largest change of a step in an update, m: the edges of a hull turn as its steps move."""
UNBOUNDED = 1e30
"""Bound that the solver takes as none."""
SOFT = 8
"""Mark of constraints that may be violated, for a price, where they contradict each other."""
RAIBERT_SHARE = 0.5
"""Gain of Raibert's steps, as a fraction of that of the capture point."""


@dataclass(frozen=True, slots=True)
class QuadraticProblem:
    """Least 0.5 x^T H x + f^T x with lower <= x <= upper and rows x <= limits; H is diagonal."""

    diagonal: NDArray[np.float64]
    """Diagonal of H (n,)."""
    linear: NDArray[np.float64]
    """f (n,)."""
    lower: NDArray[np.float64]
    """Lower bounds (n,)."""
    upper: NDArray[np.float64]
    """Upper bounds (n,)."""
    rows: NDArray[np.float64]
    """Rows (m, n)."""
    limits: NDArray[np.float64]
    """Limits (m,)."""


class QuadraticPlanner(FootstepPlanner):
    """Planner that solves one quadratic program in each update; the timing of the steps is fixed."""

    def __init__(self, robot: LeggedRobot, settings: PlanSettings | None = None, **options: Any) -> None:
        """Create a planner of a robot that stands, see `FootstepPlanner`.

        Raises:
            CtrlGraphError: The solver is not installed.
        """
        require("footsteps")
        super().__init__(robot, settings, **options)
        import daqp

        self._solve = daqp.solve
        tick, n = self.settings.tick_s, round(HORIZON_S / self.settings.tick_s)
        model = self.pendulum
        closed, impulse = model.transition - np.outer(model.drive, model.gain), [model.drive]
        for _ in range(n - 1):
            impulse.append(closed @ impulse[-1])
        values = np.array([each[0] for each in impulse])
        response = np.array([[values[t - k] if k <= t else 0.0 for k in range(n)] for t in range(n)])
        self._n_forces = n // TICKS_PER_FORCE
        self._ticks = np.array([1, *range(TICKS_PER_FORCE, n + 1, TICKS_PER_FORCE)])
        grouped = response.reshape(n, self._n_forces, TICKS_PER_FORCE).sum(axis=2)
        self._response = np.ascontiguousarray(grouped[self._ticks - 1])
        n_points = self.state.share.shape[1] * self.state.share.shape[2]
        self._points, self._hull = np.zeros((n_points, 2)), np.zeros((2 * n_points, 2))
        most = 2 * self._n_forces + 2 * self.state.status.size
        self._rows, self._limits = np.zeros((len(self._ticks) * n_points, most)), np.zeros(len(self._ticks) * n_points)
        self._column = np.zeros(self.state.status.shape, dtype=np.int64)
        self._until = tick * n

    def problem(self) -> QuadraticProblem:
        """Return the quadratic program of this update."""
        state, feet, weight = self.state, self.feet, self.feet.weight
        state.force[:] = 0.0
        move_pendulum(self.pendulum, state, state.force, self.work)
        place_steps(self.pendulum, feet, state, state.offset, self.work)
        first = 2 * self._n_forces
        n = index_free_steps(feet, state, state.clock[0] + self._until, self._column, first)
        rows = self._rows.reshape(-1)[: self._limits.size * n].reshape(-1, n)
        m = hull_rows(
            self.pendulum,
            feet,
            state,
            self.work,
            self._ticks,
            self._response,
            self._column,
            self._points,
            self._hull,
            rows,
            self._limits,
        )
        diagonal, linear = np.full(n, 2.0 * TICKS_PER_FORCE * self.settings.force), np.zeros(n)
        lower, upper = np.full(n, -UNBOUNDED), np.full(n, UNBOUNDED)
        diagonal[first:] = 2.0 * self.settings.place
        free = self._column >= 0
        now = state.offset[free][:, : Y + 1].ravel()
        foot = np.nonzero(free)[0]
        linear[first:] = 2.0 * weight[2] * now
        lower[first:] = np.clip(feet.box[foot, : Y + 1, 0].ravel() - now, -MOST_CHANGE_M, 0.0)
        upper[first:] = np.clip(feet.box[foot, : Y + 1, 1].ravel() - now, 0.0, MOST_CHANGE_M)
        return QuadraticProblem(diagonal, linear, lower, upper, rows[:m], self._limits[:m])

    def solve(self) -> None:
        """Solve the quadratic program of this update, and take over its solution.

        Raises:
            CtrlGraphError: The solver found no solution, although all rows are soft.
        """
        problem = self.problem()
        n, m = len(problem.diagonal), len(problem.limits)
        sense = np.zeros(n + m, dtype=np.int32)
        sense[n:] = SOFT
        x, _, flag, _ = self._solve(
            np.diag(problem.diagonal),
            problem.linear,
            problem.rows,
            np.concatenate([problem.upper, problem.limits]),
            np.concatenate([problem.lower, np.full(m, -UNBOUNDED)]),
            sense,
        )
        if flag <= 0:
            raise CtrlGraphError(f"daqp found no plan at {self.time_s:g} s (exit flag {flag})")
        state, first = self.state, 2 * self._n_forces
        forces = np.repeat(np.asarray(x[:first]).reshape(-1, 2), TICKS_PER_FORCE, axis=0)
        heading = self.work.heading[: len(forces)]
        c, s = np.cos(heading), np.sin(heading)
        state.force[: len(forces), 0] = c * forces[:, 0] + s * forces[:, 1]
        state.force[: len(forces), 1] = c * forces[:, 1] - s * forces[:, 0]
        free = self._column >= 0
        changed = state.offset[free]
        changed[:, : Y + 1] += np.asarray(x[first:]).reshape(-1, 2)
        state.offset[free] = changed
        move_pendulum(self.pendulum, state, state.force, self.work)


class RaibertPlanner(FootstepPlanner):
    """Planner with Raibert's steps: the offset of a step is proportional to the error of the velocity.

    Steps are below the hip in the middle of their ground contact, which is Raibert's neutral point. The pendulum
    follows its base and does not depend on the feet.
    """

    def solve(self) -> None:
        """Place the steps."""
        state, work = self.state, self.work
        c, s = math.cos(state.heading[0]), math.sin(state.heading[0])
        wanted = work.base[0, :, 1] - self.robot.height_m * work.base[0, :, 3]
        error = RAIBERT_SHARE * math.sqrt(self.robot.height_m / GRAVITY) * (self.velocity - wanted)
        offset = (c * error[0] + s * error[1], c * error[1] - s * error[0])
        state.force[:] = 0.0
        for k in (X, Y):
            state.offset[:, :, k] = np.clip(offset[k], self.feet.box[:, k, :1], self.feet.box[:, k, 1:])
        move_pendulum(self.pendulum, state, state.force, work)


SOLVERS: dict[str, type[FootstepPlanner]] = {
    "descent": FootstepPlanner,
    "qp": QuadraticPlanner,
    "raibert": RaibertPlanner,
}
"""The planners by the name of their solver."""
