"""The receding horizon: feasible commands, the next tick of a plan, the stand without a command, and the feet now."""

from __future__ import annotations

import math

from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.footsteps.footstep_arrays import (
    FIXED,
    FREE,
    GRAVITY,
    SWINGING,
    VARIABLES,
    FeetModel,
    PendulumModel,
    PlanState,
    PlanWork,
)
from ctrlgraph.kernels.footsteps.pendulum import move_base
from ctrlgraph.kernels.footsteps.steps import (
    REACH_SHARE,
    SPEED_SHARE,
    SWING_PEAK,
    lift_off,
    place_steps,
    swing_share,
    touch_down,
)
from ctrlgraph.kernels.jit import kernel, separate_kernel

LOCK_S = 0.06
"""Time before touch-down from which a step is fixed, s."""
LEAK_S = 0.3
"""Time constant with which the base follows the centre of mass, s."""
FEASIBLE_SHARE = 0.88
"""Share of the speed that steps can just follow which a command may use."""
STILL_MPS = 0.05
"""Speed of the base below which a robot without a command can stop stepping, m/s."""
STILL_SHARE = 0.15
"""Distance of the capture point from the middle of the feet below which it can, as a fraction of the reach."""
STILL_CYCLES = 1.5
"""Gait cycles without a command after which a robot can stop stepping."""
HOLD_S = 10.0
"""Time to the next lift-off of a robot that stands, s; longer than the horizon."""
CLEARANCE = 0.15
"""Height of a swinging foot, as a fraction of the length of its way."""
LEAST_CLEARANCE_M = 0.03
"""Smallest height of a swinging foot, m."""


@separate_kernel
def limit_command(feet: FeetModel, duty: float, command: Floats, feasible: Floats) -> None:
    """Scale a command so that the steps of all feet can follow it: within their reach, and below their swing speed.

    Args:
        feet: feet.
        duty: share of a gait cycle in which a foot is on the ground.
        command: velocity forward and to the left, m/s, and turning velocity, rad/s (3,).
        feasible: result (3,).
    """
    fastest = SPEED_SHARE * feet.swing_speed * (1.0 - duty) / SWING_PEAK
    fastest = min(fastest, 0.75 * REACH_SHARE * feet.reach / (0.5 * duty * feet.period)) * FEASIBLE_SHARE
    scale = 1.0
    for foot in range(feet.hip.shape[0]):
        x = command[0] - command[2] * feet.hip[foot, 1]
        y = command[1] + command[2] * feet.hip[foot, 0]
        speed = math.hypot(x, y)
        if speed * scale > fastest:
            scale = fastest / speed
    for k in range(3):
        feasible[k] = scale * command[k]


@separate_kernel
def prepare(pendulum: PendulumModel, feet: FeetModel, state: PlanState, target: Floats, work: PlanWork) -> None:
    """Begin an update: leave or keep the stand, and move the base towards the target command.

    Args:
        pendulum: pendulum.
        feet: feet.
        state: state of the planner.
        target: feasible command (3,).
        work: the base and the poses of the steps are results.
    """
    if state.mode[0] == 1:
        earliest = math.inf
        for foot in range(state.status.shape[0]):
            earliest = min(earliest, lift_off(state, state.offset, foot, 0))
        wanted = HOLD_S
        if target[0] != 0.0 or target[1] != 0.0 or target[2] != 0.0:
            state.mode[0] = 0
            wanted = 0.5 * feet.period
        _delay(state, state.clock[0] + wanted - earliest)
    move_base(pendulum, state, target, work)
    place_steps(pendulum, feet, state, state.offset, work)


@kernel
def _delay(state: PlanState, by: float) -> None:
    """Prolong the ground contact of all feet, and delay all later steps.

    Args:
        state: state of the planner.
        by: duration, s; negative to shorten the contacts.
    """
    for foot in range(state.status.shape[0]):
        state.middle[foot, 0] += 0.5 * by
        state.half[foot, 0] += 0.5 * by
        for step in range(1, state.status.shape[1]):
            state.middle[foot, step] += by


@separate_kernel
def advance(
    pendulum: PendulumModel, feet: FeetModel, duty: float, state: PlanState, target: Floats, work: PlanWork
) -> None:
    """Carry out the first tick of a plan whose steps are limited, see `limit_steps`.

    Args:
        pendulum: pendulum.
        feet: feet.
        duty: share of a gait cycle in which a foot is on the ground.
        state: state of the planner.
        target: feasible command (3,).
        work: the plan.
    """
    tick, (n_feet, n_steps), n = pendulum.tick, state.status.shape, state.force.shape[0]
    for k in range(2):
        state.height[k] = work.heights[1, k]
    state.heading[1] += tick * pendulum.turning * (state.command[2] - state.heading[1])
    state.heading[0] = work.heading[1]
    for k in range(3):
        state.command[k] = work.command[k]
    anchor_x, anchor_y = _anchor(pendulum, state, work)
    for axis in range(2):
        for k in range(4):
            state.pendulum[axis, k] = work.states[1, axis, k]
            state.base[axis, k] = work.base[1, axis, k]
        here = state.base[axis, 0] - pendulum.length * state.base[axis, 2]
        state.base[axis, 0] += tick / LEAK_S * ((anchor_x if axis == 0 else anchor_y) - here)
    state.clock[0] += tick
    # shares are those of one gait cycle before at the end of the horizon
    before = max(n - round(feet.period / tick), 0)
    for t in range(n):
        last = t == n - 1
        for k in range(2):
            state.force[t, k] = 0.0 if last else state.force[t + 1, k]
        for foot in range(n_feet):
            for j in range(state.share.shape[2]):
                state.share[t, foot, j] = state.share[before if last else t + 1, foot, j]
    now, standing = state.clock[0], True
    for foot in range(n_feet):
        if now > lift_off(state, state.offset, foot, 0):
            standing = False
            if state.status[foot, 1] == FREE:
                state.status[foot, 1] = SWINGING
        if state.status[foot, 1] != FIXED and now >= touch_down(state, state.offset, foot, 1) - LOCK_S:
            state.status[foot, 1] = FIXED
        if now >= touch_down(state, state.offset, foot, 1):
            _forget_step(feet, duty, state, foot, n_steps)
    _consider_stand(feet, pendulum, state, target, standing)


@kernel
def _anchor(pendulum: PendulumModel, state: PlanState, work: PlanWork) -> tuple[float, float]:
    """Return the place that the base follows: the centre of mass, or the middle of the feet of a robot that stands."""
    if state.mode[0] == 0:
        x = work.states[1, 0, 0] - pendulum.length * work.states[1, 0, 2]
        return x, work.states[1, 1, 0] - pendulum.length * work.states[1, 1, 2]
    x = y = 0.0
    n_feet = state.status.shape[0]
    for foot in range(n_feet):
        x += state.fixed[foot, 0, 0] / n_feet
        y += state.fixed[foot, 0, 1] / n_feet
    return x, y


@kernel
def _forget_step(feet: FeetModel, duty: float, state: PlanState, foot: int, n_steps: int) -> None:
    """Drop the first step of a foot, and append a free step."""
    for step in range(n_steps - 1):
        state.middle[foot, step] = state.middle[foot, step + 1]
        state.half[foot, step] = state.half[foot, step + 1]
        state.status[foot, step] = state.status[foot, step + 1]
        for k in range(3):
            state.fixed[foot, step, k] = state.fixed[foot, step + 1, k]
        for k in range(VARIABLES):
            state.offset[foot, step, k] = state.offset[foot, step + 1, k]
    last = n_steps - 1
    state.middle[foot, last] = state.middle[foot, last - 1] + feet.period
    state.half[foot, last] = 0.5 * duty * feet.period
    state.status[foot, last] = FREE
    for k in range(VARIABLES):
        state.offset[foot, last, k] = 0.0


@kernel
def _consider_stand(feet: FeetModel, pendulum: PendulumModel, state: PlanState, target: Floats, standing: bool) -> None:
    """Let the robot stand if it has had no command for some cycles, is still, and has all feet on the ground."""
    if target[0] != 0.0 or target[1] != 0.0 or target[2] != 0.0:
        state.mode[1] = 0
        return
    state.mode[1] += 1
    waited = state.mode[1] * pendulum.tick >= STILL_CYCLES * feet.period
    if not (standing and waited and math.hypot(state.base[0, 1], state.base[1, 1]) < STILL_MPS):
        return
    # where a point mass with this velocity would come to rest on one support
    time = math.sqrt(pendulum.length / GRAVITY)
    apart = 0.0
    for axis in range(2):
        here, middle = state.pendulum[axis], 0.0
        for foot in range(state.status.shape[0]):
            middle += state.fixed[foot, 0, axis] / state.status.shape[0]
        place, speed = here[0] - pendulum.length * here[2], here[1] - pendulum.length * here[3]
        apart = math.hypot(apart, place + time * speed - middle)
    if apart < STILL_SHARE * feet.reach:
        state.mode[0] = 1


@separate_kernel
def feet_now(state: PlanState, pose: Floats, height: Floats, ground: Ints) -> None:
    """Compute where the feet are at the time of the planner.

    Args:
        state: state of the planner.
        pose: result, position and angle of each foot (F, 3).
        height: result, height of each foot above the ground (F,), m.
        ground: result, 1 for each foot on the ground, otherwise 0 (F,).
    """
    for foot in range(state.status.shape[0]):
        early, now = lift_off(state, state.offset, foot, 0), state.clock[0]
        start, end = state.fixed[foot, 0], state.fixed[foot, 1]
        if now <= early:
            ground[foot], height[foot] = 1, 0.0
            for k in range(3):
                pose[foot, k] = start[k]
            continue
        time = (now - early) / (touch_down(state, state.offset, foot, 1) - early)
        share = swing_share(time)
        for k in range(3):
            pose[foot, k] = start[k] + share * (end[k] - start[k])
        way = math.hypot(end[0] - start[0], end[1] - start[1])
        ground[foot] = 0
        height[foot] = max(CLEARANCE * way, LEAST_CLEARANCE_M) * 64.0 * (time * (1.0 - time)) ** 3
