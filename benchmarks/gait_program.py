"""Inverse dynamics as a quadratic program, in place of the forces and torques of a gait, for measurements.

The gait controller runs first: it has the plan, the schedule of the legs, and the accelerations that it wants for the
centre of mass, the trunk and the feet. The program finds accelerations and forces of the feet of which all torques are
within their limits. Both run in an interpreted simulation loop, in which each tick is timed.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any
from unittest.mock import patch

import daqp
import numpy as np

from ctrlgraph.control.gait.foot_forces import _EFFORT, _LEAST, _WEIGHTS
from ctrlgraph.control.gait.gait_arrays import SWINGS, GaitData, GaitState
from ctrlgraph.control.gait.gait_kind import KIND
from ctrlgraph.control.gait.gait_leg import foot_place
from ctrlgraph.engine.spatial_loop import _advance_spatial
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.constants import GRAVITY
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_dynamics import ROOT_VELOCITIES, com_jacobian, mass_matrix, point_jacobian
from ctrlgraph.simulation.scenes.spatial_scene import SpatialScene

GAIT, PROGRAM = "gait", "program"
"""The controllers: the gait as it is, and the quadratic program."""
_FEET = 1e3
"""Weight of the accelerations of the feet, in units of that of the acceleration of the centre of mass."""
_CHANGE = 1e-6
"""Weight of the deviations of all accelerations, in the same units."""
_EQUALITY = 5
"""Mark of an equality for the solver."""


@kernel
def _dynamics(
    body: SpatialBody, kin: SpatialKinematics, data: GaitData, mass: Floats, center: Floats, feet: Floats, turn: Floats
) -> None:
    """Compute the mass matrix, and the Jacobians of the centre of mass and of the feet (N, 3, V)."""
    mass_matrix(body, kin, data.space, mass)
    com_jacobian(body, kin, data.space, center)
    for i in range(data.legs.n_joints.size):
        point_jacobian(body, kin, data.legs.foot[i], foot_place(kin, data, i), feet[i], turn)


@dataclass
class Program:
    """A gait whose forces and torques come from a quadratic program, for characters with feet of one point."""

    body: SpatialBody
    data: GaitData
    unsolved: int = 0
    """Number of ticks without a solution, in which the torques are those of the gait."""
    _mass: Floats = field(init=False)

    def __post_init__(self) -> None:
        """Create the work arrays."""
        size, n = ROOT_VELOCITIES + self.body.child.size, len(self.data.legs.foot)
        self._mass, self._center, self._turn = np.zeros((size, size)), np.zeros((3, size)), np.zeros((3, size))
        self._feet = np.zeros((n, 3, size))

    def set_torques(self, kin: SpatialKinematics, state: GaitState, motors: Any) -> None:
        """Replace the torques of the gait.

        The unknowns are the deviations d of the accelerations from those that the gait wants, and the forces f of the
        standing feet. With the load that belongs to the wanted accelerations, the motion is load + M d = J^T f on the
        root, and the same plus torques on the joints.
        """
        data, body, six = self.data, self.body, ROOT_VELOCITIES
        _dynamics(body, kin, data, self._mass, self._center, self._feet, self._turn)
        mass, size = body.total_mass, len(self._mass)
        stands = np.flatnonzero(state.leg[: len(data.legs.foot), SWINGS] == 0.0)
        contact = self._feet[stands].reshape(-1, size)
        own, n = data.forces[0].reshape(-1, 3)[stands].ravel(), 3 * len(stands)
        # tasks of d: rows, weights, and targets of the acceleration of the centre of mass
        square = (data.inertia[0] + data.inertia[1]) / (2.0 * mass)
        tasks = np.vstack([self._center, np.eye(size)[3:six], self._feet.reshape(-1, size)])
        moment = np.array(_WEIGHTS[3:]) / square * data.inertia**2
        weights = np.concatenate([mass**2 * np.array(_WEIGHTS[:3]), moment, np.full(len(tasks) - six, mass**2 * _FEET)])
        off = np.zeros(len(tasks))
        off[:3] = (data.wanted[:3] - data.load[:3]) / mass
        hessian = np.zeros((size + n, size + n))
        hessian[:size, :size] = tasks.T @ (weights[:, None] * tasks) + mass**2 * _CHANGE * np.eye(size)
        hessian[size:, size:] = _EFFORT * np.eye(n)
        linear = np.concatenate([-(weights * off) @ tasks, np.zeros(n)])
        # rows: motion of the root, torques of the joints, friction, and forces that press
        motion = np.hstack([self._mass, -contact.T])
        pyramid = np.zeros((5 * len(stands), size + n))
        friction = data.values.friction
        for k in range(len(stands)):
            at = size + 3 * k
            for row, (axis, sign) in enumerate(((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0))):
                pyramid[5 * k + row, at + axis], pyramid[5 * k + row, at + 2] = sign, -friction
            pyramid[5 * k + 4, at + 2] = -1.0
        rest = motors.torque + contact[:, six:].T @ own  # torques for f = 0 and d = 0
        actual = rest + motors.kp * (motors.target - kin.joint[:, 0]) - motors.kd * kin.joint[:, 1]
        upper = np.concatenate([-data.load[:six], motors.limit[:, 1] - actual, np.zeros(5 * len(stands))])
        upper[six + len(actual) + 4 :: 5] = -_LEAST * mass * GRAVITY
        lower = np.concatenate([-data.load[:six], motors.limit[:, 0] - actual, np.full(5 * len(stands), -1e30)])
        sense = np.zeros(len(upper), np.int32)
        sense[:six] = _EQUALITY
        found, _, flag, _ = daqp.solve(hessian, linear, np.vstack([motion, pyramid]), upper, lower, sense)
        if flag <= 0:
            self.unsolved += 1
            return
        motors.torque[:] = rest + motion[six:] @ np.asarray(found)


@dataclass
class Ticks:
    """Times of the control ticks of a run."""

    tick_us: list[float] = field(default_factory=list)
    """CPU time of each tick, us."""
    unsolved: int = 0
    """Number of ticks without a solution."""

    def percentile(self, percent: float) -> float:
        """Return a percentile of the times, us."""
        return float(np.percentile(self.tick_us, percent)) if self.tick_us else math.nan


@contextmanager
def timed_loop(tracker: str) -> Iterator[Ticks]:
    """Run simulations with gaits in an interpreted loop that times the ticks.

    Args:
        tracker: `GAIT` or `PROGRAM`.
    """
    ticks, programs = Ticks(), dict[int, Program]()

    def tick(
        body: SpatialBody, kin: SpatialKinematics, data: GaitData, state: GaitState, motors: Any, now: float
    ) -> int:
        begin = time.process_time_ns()
        status = KIND.kernels.tick(body, kin, data, state, motors, now)
        if tracker == PROGRAM and status == 0:
            program = programs.setdefault(id(data.change), Program(body, data))
            program.set_torques(kin, state, motors)
            ticks.unsolved = program.unsolved
        ticks.tick_us.append(1e-3 * (time.process_time_ns() - begin))
        return int(status)

    def loop(scene: SpatialScene, kind: Any) -> Callable[..., int]:
        engine = scene.kernels
        parts: dict[str, Any] = {"IS_BOUNDED": engine.is_bounded, "OBSERVE": engine.observe, "STEP": engine.step}
        parts |= {"HASH_STATE": engine.hash_state, "TICK": tick, "PHASE_OF": kind.kernels.phase_of}
        parts |= {"ASKS": kind.kernels.has_requests}
        return FunctionType(_advance_spatial.__code__, {**_advance_spatial.__globals__, **parts}, "advance")

    with patch.object(SpatialScene, "loop", loop):
        yield ticks
