"""Constants of a plan as arrays: the pendulum in discrete time with its feedback, and the feet of a robot."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm, solve_discrete_are, toeplitz

from ctrlgraph.footsteps.robots import LeggedRobot
from ctrlgraph.kernels.footsteps.footstep_arrays import GRAVITY, VARIABLES, FeetModel, PendulumModel


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """Settings of a planner."""

    tick_s: float = 0.02
    """Duration of a tick, s."""
    horizon_s: float = 1.6
    """Time that a plan covers, s."""
    iterations: int = 2
    """Iterations of the descent in an update."""
    inertia: float = 0.02
    """Inertia of the pendulum about its centre of mass, as a fraction of mass times squared length. With 0, the centre
    of pressure would be the zero-moment point of a point mass."""
    swing_mps: float = 3.0
    """Largest speed of a swinging foot, m/s."""
    slew_mps: float = 1.0
    """Largest speed at which the planned place of a swinging foot moves, m/s."""
    contact_share: float = 0.8
    """Size of the planned contacts, as a fraction of the real ones."""
    support: float = 1.0
    force: float = 1e-4
    place: float = 0.02
    turn: float = 0.05
    shift: float = 0.2
    stretch: float = 0.4
    share: float = 2e-3
    separation: float = 2e-3
    unsafety: float = 0.05


def pendulum_matrices(length: float, inertia: float, tick: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the transition (4, 4) and the drive (4,) of one axis in a tick, exact for a constant force (m/s^2).

    With r the relative inertia: p'' = (g / r) theta + (1 + 1 / r) u and theta'' = (g theta + u) / (r L), so that the
    centre of mass p - L theta accelerates with u.

    Args:
        length: Length L of the pendulum, m.
        inertia: Relative inertia r.
        tick: Duration of a tick, s.
    """
    r = inertia
    continuous = np.zeros((5, 5))
    continuous[0, 1] = continuous[2, 3] = 1.0
    continuous[1, 2], continuous[1, 4] = GRAVITY / r, 1.0 + 1.0 / r
    continuous[3, 2], continuous[3, 4] = GRAVITY / (r * length), 1.0 / (r * length)
    discrete = expm(continuous * tick)
    return np.ascontiguousarray(discrete[:4, :4]), np.ascontiguousarray(discrete[:4, 4])


def lqr_gain(
    transition: NDArray[np.float64], drive: NDArray[np.float64], state_cost: list[float], force_cost: float
) -> NDArray[np.float64]:
    """Return the gain K of the feedback u = -K s with least sum of s^T Q s + R u^2 over infinitely many ticks.

    Args:
        transition: Transition of the state s in a tick (n, n).
        drive: Change of the state by a unit of u (n,).
        state_cost: Diagonal of Q.
        force_cost: R.
    """
    column = drive[:, None]
    cost = solve_discrete_are(transition, column, np.diag(state_cost), np.array([[force_cost]]))
    return np.asarray((column.T @ cost @ transition)[0] / (force_cost + (column.T @ cost @ column)[0, 0]))


def pendulum_model(robot: LeggedRobot, settings: PlanSettings) -> PendulumModel:
    """Return the pendulum of a robot, with its feedback."""
    length, tick = robot.height_m, settings.tick_s
    transition, drive = pendulum_matrices(length, settings.inertia, tick)
    gain = lqr_gain(transition, drive, [20.0, 2.0, 5.0, 0.5], 0.02)
    base_gain = np.zeros(4)
    base_gain[1:] = lqr_gain(transition[1:, 1:], drive[1:], [4.0, 2.0, 0.2], 0.05)  # its position has no target
    height_gain = lqr_gain(np.array([[1.0, tick], [0.0, 1.0]]), np.array([tick * tick / 2, tick]), [100.0, 5.0], 0.02)
    n = round(settings.horizon_s / tick)
    base = np.arange(n + round(1.2 * robot.period_s / tick) + 1)
    u = base / base[-1]
    bernstein = np.stack([(1 - u) ** 3, 3 * u * (1 - u) ** 2, 3 * u * u * (1 - u), u**3], axis=1)
    closed, impulse = transition - np.outer(drive, gain), [drive]
    for _ in range(n - 1):
        impulse.append(closed @ impulse[-1])
    response = toeplitz([each[0] for each in impulse], np.zeros(n))
    hessian = 2.0 * (settings.support * response.T @ response + settings.force * np.eye(n))
    inverse = np.linalg.inv(hessian)
    return PendulumModel(
        transition=transition,
        drive=drive,
        gain=gain,
        base_gain=base_gain,
        height_gain=height_gain,
        length=length,
        tick=tick,
        contraction=1.0,
        turning=4.0,
        acceleration=np.array([1.5, 3.0]),
        spline=np.ascontiguousarray(np.linalg.pinv(bernstein).T),
        response=np.ascontiguousarray(0.5 * (inverse + inverse.T)),
    )


def feet_model(robot: LeggedRobot, settings: PlanSettings) -> FeetModel:
    """Return the feet of a robot, with the weights of the energy."""
    period, (ahead, outward, inward) = robot.period_s, robot.box_m
    box = np.zeros((len(robot.hips_m), VARIABLES, 2))
    for foot, (_, y) in enumerate(robot.hips_m):
        left, right = (outward, inward) if y > 0 else (inward, outward)
        box[foot, :, 1] = (ahead, left, 0.5, 0.08 * period, 0.04 * period)
        box[foot, :, 0] = (-ahead, -right, -0.5, -0.08 * period, -0.04 * period)
    s = settings
    weights = (s.support, s.force, s.place, s.turn, s.shift, s.stretch, s.share, s.separation, s.unsafety)
    return FeetModel(
        hip=np.array(robot.hips_m),
        contact=settings.contact_share * np.array(robot.contact_m),
        box=box,
        steepness=120.0 / period**2,
        margin=robot.margin_s,
        period=period,
        reach=robot.reach_m,
        swing_speed=settings.swing_mps,
        slew=settings.slew_mps,
        weight=np.array(weights),
    )


def plan_size(robot: LeggedRobot, settings: PlanSettings) -> tuple[int, int, int, int]:
    """Return the numbers of ticks, feet, points of a foot, and steps of a foot in a plan."""
    n_steps = math.ceil(settings.horizon_s / robot.period_s) + 3
    return round(settings.horizon_s / settings.tick_s), len(robot.hips_m), len(robot.contact_m), n_steps
