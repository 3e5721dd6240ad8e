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
RECOVERY_S = 0.04
"""Time to the first lift-off of a robot that stands and falls, s."""
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

    A robot leaves its stand on a command, or if its capture point has left the support of its feet.

    Args:
        pendulum: pendulum.
        feet: feet.
        state: state of the planner.
        target: feasible command (3,).
        work: the base and the poses of the steps are results.
    """
    if state.mode[0] == 1:
        if target[0] != 0.0 or target[1] != 0.0 or target[2] != 0.0:
            state.mode[0] = 0
            _hold(feet, state, _first_foot(state), 0.5 * feet.period)
        elif _falls(pendulum, feet, state, work):
            state.mode[0] = state.mode[1] = 0
            _hold(feet, state, _unloaded_foot(pendulum, state), RECOVERY_S)
        else:
            _hold(feet, state, _first_foot(state), HOLD_S)
    move_base(pendulum, state, target, work)
    place_steps(pendulum, feet, state, state.offset, work)


@kernel
def _hold(feet: FeetModel, state: PlanState, first: int, wait: float) -> None:
    """Prolong or shorten the ground contacts of all feet, and delay all later steps.

    Args:
        feet: feet.
        state: state of the planner.
        first: foot that lifts off first; feet whose lift-off would be earlier wait one more gait cycle.
        wait: time until its lift-off, s.
    """
    start = lift_off(state, state.offset, first, 0)
    for foot in range(state.status.shape[0]):
        by = state.clock[0] + wait - start
        if lift_off(state, state.offset, foot, 0) < start - 1e-6:
            by += feet.period
        state.middle[foot, 0] += 0.5 * by
        state.half[foot, 0] += 0.5 * by
        for step in range(1, state.status.shape[1]):
            state.middle[foot, step] += by


@kernel
def _first_foot(state: PlanState) -> int:
    """Return the foot that lifts off first."""
    first = 0
    for foot in range(1, state.status.shape[0]):
        if lift_off(state, state.offset, foot, 0) < lift_off(state, state.offset, first, 0):
            first = foot
    return first


@kernel
def _unloaded_foot(pendulum: PendulumModel, state: PlanState) -> int:
    """Return the foot that is farthest from the capture point."""
    x, y, _, _ = _capture_point(pendulum, state)
    found, farthest = 0, 0.0
    for foot in range(state.status.shape[0]):
        away = math.hypot(state.fixed[foot, 0, 0] - x, state.fixed[foot, 0, 1] - y)
        if away > farthest + 1e-6:
            found, farthest = foot, away
    return found


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
    x, y, middle_x, middle_y = _capture_point(pendulum, state)
    if math.hypot(x - middle_x, y - middle_y) < STILL_SHARE * feet.reach:
        state.mode[0] = 1


@kernel
def _capture_point(pendulum: PendulumModel, state: PlanState) -> tuple[float, float, float, float]:
    """Return where a point mass with the present velocity would come to rest on one support, and the feet's middle."""
    time, n_feet = math.sqrt(pendulum.length / GRAVITY), state.status.shape[0]
    x, y = state.pendulum[0], state.pendulum[1]
    middle_x = middle_y = 0.0
    for foot in range(n_feet):
        middle_x += state.fixed[foot, 0, 0] / n_feet
        middle_y += state.fixed[foot, 0, 1] / n_feet
    capture_x = x[0] - pendulum.length * x[2] + time * (x[1] - pendulum.length * x[3])
    capture_y = y[0] - pendulum.length * y[2] + time * (y[1] - pendulum.length * y[3])
    return capture_x, capture_y, middle_x, middle_y


@kernel
def _falls(pendulum: PendulumModel, feet: FeetModel, state: PlanState, work: PlanWork) -> bool:
    """Return whether the capture point of a robot that stands is outside the hull of its contact points.

    A point is outside a hull if all corners are on one side of a line from it to one of them.
    """
    x, y, _, _ = _capture_point(pendulum, state)
    n_feet, n_points = state.status.shape[0], feet.contact.shape[0]
    for foot in range(n_feet):
        place, c, s = state.fixed[foot, 0], math.cos(state.fixed[foot, 0, 2]), math.sin(state.fixed[foot, 0, 2])
        for j in range(n_points):
            work.point[foot, j, 0] = place[0] + c * feet.contact[j, 0] - s * feet.contact[j, 1] - x
            work.point[foot, j, 1] = place[1] + s * feet.contact[j, 0] + c * feet.contact[j, 1] - y
    for k in range(n_feet * n_points):
        a, beside = work.point[k // n_points, k % n_points], True
        for i in range(n_feet * n_points):
            b = work.point[i // n_points, i % n_points]
            beside = beside and a[0] * b[1] - a[1] * b[0] >= 0.0
        if beside:
            return True
    return False


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
