"""Poses of the steps on the base's spline, and the limits that steps must satisfy."""

from __future__ import annotations

import math

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.footsteps.footstep_arrays import (
    ANGLE,
    FIXED,
    FREE,
    HALF,
    SWINGING,
    TIME,
    FeetModel,
    PendulumModel,
    PlanState,
    PlanWork,
    X,
    Y,
)
from ctrlgraph.kernels.jit import kernel, separate_kernel

SWING_RAMP = 0.25
"""Share of a swing in which the foot accelerates, and in which it brakes."""
SWING_PEAK = 1.0 / (1.0 - SWING_RAMP)
"""Largest speed of a swinging foot, as a multiple of its mean speed."""
REACH_SHARE = 0.85
"""Share of the reach that planned steps may use; the rest is for the difference of the pendulum from its base."""
SPEED_SHARE = 0.97
"""Share of the largest swing speed that planned steps may use."""


@kernel
def swing_share(time: float) -> float:
    """Return the share of a swing's way after a share of its time: smooth ramps with constant speed between."""
    t = min(max(time, 0.0), 1.0)
    back = t > 0.5
    if back:
        t = 1.0 - t
    if t < SWING_RAMP:
        x = t / SWING_RAMP
        way = SWING_PEAK * SWING_RAMP * x * x * x * (1.0 - 0.5 * x)
    else:
        way = SWING_PEAK * (t - 0.5 * SWING_RAMP)
    return 1.0 - way if back else way


@kernel
def swing_rate(time: float) -> float:
    """Return the derivative of `swing_share`."""
    t = min(time, 1.0 - time)
    if t <= 0.0:
        return 0.0
    x = min(t / SWING_RAMP, 1.0)
    return SWING_PEAK * x * x * (3.0 - 2.0 * x)


@kernel
def touch_down(state: PlanState, offset: Floats, foot: int, step: int) -> float:
    """Return the time at which a foot touches the ground for a step, s."""
    early = state.middle[foot, step] + offset[foot, step, TIME]
    return float(early - state.half[foot, step] - offset[foot, step, HALF])


@kernel
def lift_off(state: PlanState, offset: Floats, foot: int, step: int) -> float:
    """Return the time at which a foot leaves the ground after a step, s."""
    middle = state.middle[foot, step] + offset[foot, step, TIME]
    return float(middle + state.half[foot, step] + offset[foot, step, HALF])


@kernel
def place_step(
    pendulum: PendulumModel, feet: FeetModel, state: PlanState, offset: Floats, work: PlanWork, foot: int, step: int
) -> None:
    """Compute the pose of a step, its derivative with respect to time, and the frame of the base at its time.

    Args:
        pendulum: pendulum.
        feet: feet.
        state: state of the planner.
        offset: variables of the steps (F, S, 5).
        work: the fields `pose`, `slope` and `frame` are results.
        foot: index of the foot.
        step: index of the step.
    """
    pose, slope = work.pose[foot, step], work.slope[foot, step]
    if state.status[foot, step] == FIXED:
        for k in range(3):
            pose[k] = state.fixed[foot, step, k]
            slope[k] = 0.0
        return
    span = pendulum.tick * (work.heading.shape[0] - 1)
    u = (state.middle[foot, step] + offset[foot, step, TIME] - state.clock[0]) / span
    inside = min(max(u, 0.0), 1.0)  # outside, the base moves on evenly
    v = 1.0 - inside
    beyond = u - inside
    for k in range(3):
        c0, c1, c2, c3 = work.curve[k, 0], work.curve[k, 1], work.curve[k, 2], work.curve[k, 3]
        rate = 3.0 * (v * v * (c1 - c0) + 2.0 * v * inside * (c2 - c1) + inside * inside * (c3 - c2))
        pose[k] = c0 + inside * (3.0 * v * v * (c1 - c0) + 3.0 * v * inside * (c2 - c0) + inside * inside * (c3 - c0))
        pose[k] += rate * beyond
        slope[k] = rate / span
    c, s = math.cos(pose[2]), math.sin(pose[2])
    work.frame[foot, step, 0], work.frame[foot, step, 1] = c, s
    x, y = feet.hip[foot, 0] + offset[foot, step, X], feet.hip[foot, 1] + offset[foot, step, Y]
    pose[0] += c * x - s * y
    pose[1] += s * x + c * y
    pose[2] += offset[foot, step, ANGLE]
    slope[0] -= slope[2] * (s * x + c * y)
    slope[1] += slope[2] * (c * x - s * y)


@separate_kernel
def place_steps(pendulum: PendulumModel, feet: FeetModel, state: PlanState, offset: Floats, work: PlanWork) -> None:
    """Compute the poses of all steps, see `place_step`."""
    for foot in range(offset.shape[0]):
        for step in range(offset.shape[1]):
            place_step(pendulum, feet, state, offset, work, foot, step)


@kernel
def move_place(state: PlanState, work: PlanWork, foot: int, step: int, x: float, y: float) -> None:
    """Move a step that is not fixed to a place, by its offset from the hip.

    Args:
        state: state of the planner; the offset is changed.
        work: the pose is changed.
        foot: index of the foot.
        step: index of the step.
        x: new x, m.
        y: new y, m.
    """
    dx, dy = x - work.pose[foot, step, 0], y - work.pose[foot, step, 1]
    c, s = work.frame[foot, step, 0], work.frame[foot, step, 1]
    state.offset[foot, step, X] += c * dx + s * dy
    state.offset[foot, step, Y] += c * dy - s * dx
    work.pose[foot, step, 0], work.pose[foot, step, 1] = x, y


@separate_kernel
def limit_steps(pendulum: PendulumModel, feet: FeetModel, state: PlanState, work: PlanWork) -> None:
    """Move steps that are not fixed to places that their legs can reach in time. The descent does not see these limits.

    First the offset from the hip is limited: at touch-down and lift-off the hip is half a contact's way from its place
    in the middle. Then the way from the previous step is limited by the swing speed. The place of a swinging foot moves
    only as fast as the swing leaves room for.

    Args:
        pendulum: pendulum.
        feet: feet.
        state: state of the planner; the field `offset` is changed, and `fixed` for swinging steps.
        work: the fields `pose`, `slope` and `frame` are changed.
    """
    n_feet, n_steps = state.status.shape
    fastest = SPEED_SHARE * feet.swing_speed
    for foot in range(n_feet):
        for step in range(n_steps):
            if state.status[foot, step] == FIXED:
                continue
            place_step(pendulum, feet, state, state.offset, work, foot, step)
            pose, offset = work.pose[foot, step], state.offset[foot, step]
            hip_speed = math.hypot(work.slope[foot, step, 0], work.slope[foot, step, 1])
            half = state.half[foot, step] + offset[HALF]
            room = max(REACH_SHARE * feet.reach - hip_speed * half, 0.0)
            size = math.hypot(offset[X], offset[Y])
            if size > room:
                offset[X] *= room / size
                offset[Y] *= room / size
                place_step(pendulum, feet, state, state.offset, work, foot, step)
            if step == 0:
                continue
            early, late = lift_off(state, state.offset, foot, step - 1), touch_down(state, state.offset, foot, step)
            duration = max(late - early, pendulum.tick)
            from_x, from_y = work.pose[foot, step - 1, 0], work.pose[foot, step - 1, 1]
            dx, dy = pose[0] - from_x, pose[1] - from_y
            way, farthest = math.hypot(dx, dy), fastest * duration / SWING_PEAK
            if way > farthest:
                move_place(state, work, foot, step, from_x + dx * farthest / way, from_y + dy * farthest / way)
            if state.status[foot, step] == SWINGING:
                last = state.fixed[foot, step]
                now = (state.clock[0] - early) / duration
                planned = math.hypot(last[0] - from_x, last[1] - from_y) / duration
                planned *= max(swing_rate(now), swing_rate(now + pendulum.tick / duration))
                share = max(swing_share(now + pendulum.tick / duration), 0.1)
                slew = min(max(fastest - planned, 0.0) / share, feet.slew) * pendulum.tick
                dx, dy = pose[0] - last[0], pose[1] - last[1]
                way = math.hypot(dx, dy)
                if way > slew:
                    move_place(state, work, foot, step, last[0] + dx * slew / way, last[1] + dy * slew / way)
                for k in range(3):
                    last[k] = pose[k]
            elif state.status[foot, step] == FREE:
                for k in range(3):
                    state.fixed[foot, step, k] = pose[k]
