"""Plans of footsteps for a gait: the robot of the planner from a character and its gait, and the arrays of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.footsteps.footstep_arrays import (
    FeetModel,
    PendulumModel,
    PlanState,
    PlanWork,
    new_plan_state,
    new_plan_work,
)

if TYPE_CHECKING:
    from ctrlgraph.control.gait.gait_values import GaitValues
    from ctrlgraph.control.gait.legged_body import LeggedBody
    from ctrlgraph.footsteps.robots import LeggedRobot

PlanMode = Literal["", "commanded", "measured"]
"""Whether a gait has a plan: none, one from the commands only, or one that begins in the measured state each time."""

SWING_MPS = 4.5
"""Largest speed of a planned swing, m/s."""
REACH = 0.75
"""Largest horizontal distance of a planned foothold from its hip, in units of the height of the centre of mass."""
MARGIN_S = 0.005
"""Time after touch-down and before lift-off in which a foot carries no load in the plan, s."""
SHORTEST_SWING = 0.05
"""Smallest duration of a swing with a plan, as a fraction of the period."""
_ITERATIONS = 6
"""Iterations of the descent in an update; more than for kinematic robots, which have no disturbances."""
_BOX = {True: (0.28, 0.09, 0.11), False: (0.5, 0.3, 0.25)}
"""Largest offsets of steps from their hips, forward, outward and inward, in units of the height, with and without
soles."""
_USUAL = {True: 0.6, False: 0.8}
"""Usual largest speed, m/s, and turning velocity, rad/s, with and without soles."""


class GaitPlannerData(NamedTuple):
    """Constants of the planner of a gait, and its work arrays."""

    used: bool
    """Whether the gait has a plan."""
    measured: bool
    """Whether each plan begins in the measured state; otherwise in that of the last plan."""
    duty: float
    """Fraction of the period in which a foot is on the ground."""
    iterations: int
    """Iterations of the descent in an update."""
    pendulum: PendulumModel
    """Pendulum of the planner."""
    feet: FeetModel
    """Feet of the planner."""
    unsafe: Floats
    """(U, 4) unsafe places."""
    wanted: Floats
    """(3,) work array: command of the planner, m/s and rad/s."""
    feasible: Floats
    """(3,) work array: command that the steps can follow."""
    work: PlanWork
    """Results of the last update, and work arrays."""


def no_plan() -> GaitPlannerData:
    """Return the plan of a gait without a plan."""
    none, rows, square = np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0, 0))
    pendulum = PendulumModel(rows, none, none, none, none, 0.0, 0.0, 0.0, 0.0, none, rows, rows)
    feet = FeetModel(rows, rows, square, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, none)
    work = new_plan_work(empty_plan_state(), 0)
    return GaitPlannerData(False, False, 0.0, 0, pendulum, feet, np.zeros((0, 4)), np.zeros(3), np.zeros(3), work)


def empty_plan_state() -> PlanState:
    """Return the state of the planner of a gait without a plan."""
    return new_plan_state(0, 0, 0, 0)


def planned_robot(name: str, body: LeggedBody, values: GaitValues, swings: Floats) -> LeggedRobot:
    """Return the robot for which the footsteps of a gait are planned.

    Args:
        name: name of the robot.
        body: the character's body in its start pose.
        values: numbers of the gait.
        swings: start and duration of each leg's swing, fractions of the period, (N, 2); all durations are equal.
    """
    from ctrlgraph.footsteps.robots import LeggedRobot

    legs, height = body.legs, values.height
    hips = legs.stance + np.column_stack(
        [np.full(len(legs.stance), values.advance), values.width * np.sign(legs.stance[:, 1])]
    )
    has_soles = bool((legs.tasks > 3).any())
    points = legs.spread[legs.owner == 0] if has_soles else np.zeros((1, 2))
    return LeggedRobot(
        name=name,
        mass_kg=body.mass,
        height_m=height,
        hips_m=tuple((float(x), float(y)) for x, y in hips),
        contact_m=tuple((float(x), float(y)) for x, y in points),
        period_s=values.period,
        duty=1.0 - float(swings[0, 1]),
        phases=tuple(float((start + duration) % 1.0) for start, duration in swings),
        speed_mps=_USUAL[has_soles],
        turning_radps=_USUAL[has_soles],
        box_m=tuple(share * height for share in _BOX[has_soles]),  # type: ignore[arg-type]
        reach_m=REACH * height,
    )


def gait_plan(robot: LeggedRobot, values: GaitValues, *, measured: bool) -> tuple[GaitPlannerData, PlanState]:
    """Return the constants of a gait's planner with its work arrays, and a state of the right size.

    Args:
        robot: robot of the planner.
        values: numbers of the gait.
        measured: whether each plan begins in the measured state.
    """
    from ctrlgraph.footsteps.model import PlanSettings, feet_model, pendulum_model, plan_size

    settings = PlanSettings(swing_mps=SWING_MPS, margin_s=MARGIN_S, contact_share=1.0)
    state, pendulum = new_plan_state(*plan_size(robot, settings)), pendulum_model(robot, settings)
    pendulum = pendulum._replace(acceleration=np.array([values.acceleration, values.turn_acceleration]))
    plan = GaitPlannerData(
        used=True,
        measured=measured,
        duty=robot.duty,
        iterations=_ITERATIONS,
        pendulum=pendulum,
        feet=feet_model(robot, settings),
        unsafe=np.zeros((0, 4)),
        wanted=np.zeros(3),
        feasible=np.zeros(3),
        work=new_plan_work(state, len(pendulum.spline)),
    )
    return plan, state
