"""Execution of a footstep plan by a gait: the planner runs between control steps, and the gait follows the plan."""

from __future__ import annotations

import math

from ctrlgraph.control.gait.gait_arrays import (
    BEHIND,
    COMMAND,
    DESIRED,
    DURATION,
    EARLY,
    EVENTS,
    FOOTHOLD,
    HEADING,
    LAND,
    LAST,
    PERIOD,
    PHASE,
    START,
    SWINGS,
    GaitData,
    GaitState,
)
from ctrlgraph.kernels.footsteps.descent import descend
from ctrlgraph.kernels.footsteps.footstep_arrays import FIXED, FREE, MEAN_SHARE, SWINGING
from ctrlgraph.kernels.footsteps.receding import HOLD_S, LOCK_S, advance, limit_command, prepare
from ctrlgraph.kernels.footsteps.steps import lift_off, limit_steps, touch_down
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.pd import clipped
from ctrlgraph.kernels.planar.kinematics import wrapped
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialKinematics

# Indices into GaitState.track. Of the last update of the plan: place, velocity and acceleration of the centre of mass,
# centre of pressure, heading and its rate, and the next foothold of each leg along x and y. Of the commanded path: its
# place, its command, forward and to the left, and the states of its pendulum along x and y.
MASS, RATE, PUSH, PRESSURE, AHEAD, PATH, SPEED, LEAD, AIM = 0, 2, 4, 6, 8, 10, 12, 14, 22

_STEP_SIZE = 0.5
"""Step size of the first descent."""
_RETURNS = 2.0
"""Speed towards the commanded path per distance from it, 1/s."""
_FASTEST_RETURN = 0.3
"""Largest such speed, m/s."""
_NEAR = 0.03
"""Distance from the commanded path at which the character stops, m."""
_FURTHEST = 0.5
"""Largest difference between planned and measured heading, rad."""
_LATEST = 0.03
"""Smallest time between a swing and the announcement of the next one, as a fraction of the period."""
_EXCESS = 0.5
"""Fraction of an unexpected change of velocity that is added to the base of the plan, so that the steps follow it."""


@kernel
def follow_plan(kin: SpatialKinematics, data: GaitData, state: GaitState, fx: float, fy: float) -> None:
    """Update the plan if a tick of it is over, and set the desired velocity, heading and times of the swings.

    Args:
        kin: state of the character.
        data: constants of the gait.
        state: state of the gait.
        fx: component of the present heading along x.
        fy: component of the present heading along y.
    """
    plan, now, tick = state.plan, state.times[LAST], data.plan.pendulum.tick
    if math.isnan(plan.clock[0]):
        _begin(kin, data, state, fx, fy)
        _update(kin, data, state)
    elif now >= plan.clock[0] - 1e-9:
        if data.plan.measured:
            _measure(kin, data, state)
        _update(kin, data, state)
    present, rate = math.atan2(fy, fx), state.track[AHEAD + 1]
    planned = state.track[AHEAD] + (now - plan.clock[0] + tick) * rate
    state.times[HEADING] = present + clipped(wrapped(planned - present), -_FURTHEST, _FURTHEST)
    vx, vy = state.track[RATE], state.track[RATE + 1]
    c, s = math.cos(state.times[HEADING]), math.sin(state.times[HEADING])
    state.motion[DESIRED], state.motion[DESIRED + 1] = vx * c + vy * s, vy * c - vx * s
    state.motion[DESIRED + 2] = rate
    for k in range(2):
        state.motion[BEHIND + k] = state.track[PATH + k] - kin.com[k]


@kernel
def planned_acceleration(kin: SpatialKinematics, data: GaitData, state: GaitState) -> tuple[float, float]:
    """Return the acceleration of the centre of mass along x and y by which it follows the plan, m/s^2."""
    since = state.times[LAST] - state.plan.clock[0] + data.plan.pendulum.tick
    track, kd = state.track, data.values.speed_gain
    kp = 0.25 * kd * kd
    ax, ay = track[PUSH], track[PUSH + 1]
    off_x = track[MASS] + since * (track[RATE] + 0.5 * since * ax) - kin.com[0]
    off_y = track[MASS + 1] + since * (track[RATE + 1] + 0.5 * since * ay) - kin.com[1]
    slow_x, slow_y = track[RATE] + since * ax - kin.com[3], track[RATE + 1] + since * ay - kin.com[4]
    return ax + kp * off_x + kd * slow_x, ay + kp * off_y + kd * slow_y


@kernel
def planned_foothold(state: GaitState, i: int) -> tuple[float, float]:
    """Return the next foothold of leg `i` in the plan along x and y, m."""
    return state.track[AIM + 2 * i], state.track[AIM + 2 * i + 1]


@separate_kernel
def _begin(kin: SpatialKinematics, data: GaitData, state: GaitState, fx: float, fy: float) -> None:
    """Begin a plan in the present state of the gait: standing, or with the swings and contacts of this time."""
    plan, now, period, duty = state.plan, state.times[LAST], data.values.period, data.plan.duty
    heading = state.times[HEADING]
    if math.isnan(heading):
        heading = math.atan2(fy, fx)
    state.times[HEADING], state.shape[PERIOD] = heading, period
    plan.clock[0], plan.clock[1] = now, _STEP_SIZE
    plan.heading[0], plan.heading[1] = heading, state.motion[DESIRED + 2]
    plan.pendulum[...] = 0.0
    for k in range(2):
        plan.pendulum[k, 0], plan.pendulum[k, 1] = kin.com[k], kin.com[3 + k]
        plan.base[k, 0], plan.base[k, 1], plan.base[k, 2], plan.base[k, 3] = kin.com[k], kin.com[3 + k], 0.0, 0.0
        state.track[PATH + k] = kin.com[k]
        state.track[SPEED + k] = state.motion[DESIRED + k]
        for j in range(4):
            state.track[LEAD + 4 * k + j] = plan.base[k, j]
    for k in range(3):
        plan.command[k] = state.motion[DESIRED + k]
    plan.height[0], plan.height[1] = kin.com[2] - state.plane[2], 0.0
    plan.force[...] = 0.0
    plan.share[...] = MEAN_SHARE
    plan.offset[...] = 0.0
    plan.status[...] = FREE
    n_feet, n_steps = plan.status.shape
    plan.mode[0], plan.mode[1] = 1, 0
    for i in range(n_feet):  # a stand: no swing has begun since the start, or the last gait has none
        if state.counters[EVENTS] > 0 and (state.leg[i, SWINGS] != 0.0 or state.leg[i, DURATION] != 0.0):
            plan.mode[0] = 0
    for i in range(n_feet):
        since = state.times[PHASE] - state.leg[i, START]
        since -= math.floor(since)
        swings = state.leg[i, SWINGS] != 0.0 and since < state.leg[i, DURATION]
        if plan.mode[0] == 1:
            start = data.swing[i, 0]
            lift = now + HOLD_S + (start - math.floor(start)) * period
        elif swings or (since < state.leg[i, DURATION] and state.leg[i, EARLY] == 0.0):  # the latter lifts off now
            lift = now - since * period
        else:
            lift = now + (1.0 - since) * period
        touch = lift + (1.0 - duty) * period
        if swings:
            touch = now + (state.leg[i, DURATION] - since) * period
        first = min(now, lift - duty * period)
        plan.middle[i, 0], plan.half[i, 0] = 0.5 * (first + lift), 0.5 * (lift - first)
        plan.status[i, 0] = FIXED
        for k in range(n_steps - 1):
            plan.middle[i, 1 + k], plan.half[i, 1 + k] = touch + (0.5 * duty + k) * period, 0.5 * duty * period
        for step in range(n_steps):
            for k in range(2):
                plan.fixed[i, step, k] = state.leg[i, FOOTHOLD + k]
            plan.fixed[i, step, 2] = heading
        if swings:
            plan.status[i, 1] = FIXED if touch - now <= LOCK_S else SWINGING
            for k in range(2):
                plan.fixed[i, 1, k] = state.leg[i, LAND + k]


@separate_kernel
def _measure(kin: SpatialKinematics, data: GaitData, state: GaitState) -> None:
    """Set the centre of mass and the footholds of the plan to the measured ones.

    The centre of pressure moves along with the centre of mass, so that the planned force stays as it is.
    """
    plan, length = state.plan, data.plan.pendulum.length
    for k in range(2):
        here = plan.pendulum[k]
        off = kin.com[k] - (here[0] - length * here[2])
        excess = kin.com[3 + k] - (here[1] - length * here[3])
        here[0] += off
        here[1] += excess
        plan.base[k, 1] += _EXCESS * excess
    plan.height[0], plan.height[1] = kin.com[2] - state.plane[2], kin.com[5]
    for i in range(plan.status.shape[0]):
        if state.leg[i, SWINGS] != 0.0:
            continue
        lifted = plan.clock[0] > lift_off(plan, plan.offset, i, 0)
        if lifted and state.leg[i, EARLY] == 0.0:
            continue
        step = 1 if lifted else 0
        plan.status[i, step] = FIXED
        for k in range(2):
            plan.fixed[i, step, k] = state.leg[i, FOOTHOLD + k]


@separate_kernel
def _update(kin: SpatialKinematics, data: GaitData, state: GaitState) -> None:
    """Plan again, and carry out the first tick: its motion, footholds and times of swings are for the gait."""
    plan, constants, track = state.plan, data.plan, state.track
    pendulum, feet, work, wanted = constants.pendulum, constants.feet, constants.work, constants.wanted
    for k in range(3):
        wanted[k] = state.motion[COMMAND + k]
    limit_command(feet, constants.duty, wanted, constants.feasible)
    _move_path(data, state)
    c, s = math.cos(plan.heading[0]), math.sin(plan.heading[0])
    here = plan.pendulum
    x = _RETURNS * (track[PATH] - here[0, 0] + pendulum.length * here[0, 2])
    y = _RETURNS * (track[PATH + 1] - here[1, 0] + pendulum.length * here[1, 2])
    size = math.sqrt(x * x + y * y)
    share = min(_FASTEST_RETURN / (size + 1e-9), 1.0)
    for k in range(3):
        wanted[k] = constants.feasible[k]
    # the way back adds to the present command at once; only the command itself has a limit of its acceleration
    plan.command[0], plan.command[1] = track[SPEED], track[SPEED + 1]
    stops = wanted[0] == 0.0 and wanted[1] == 0.0 and wanted[2] == 0.0
    if not stops or (plan.mode[0] == 0 and size > _RETURNS * _NEAR):
        back, aside = share * (c * x + s * y), share * (c * y - s * x)
        wanted[0], wanted[1] = wanted[0] + back, wanted[1] + aside
        plan.command[0], plan.command[1] = plan.command[0] + back, plan.command[1] + aside
    prepare(pendulum, feet, plan, wanted, work)
    descend(pendulum, feet, constants.unsafe, plan, work, constants.iterations)
    limit_steps(pendulum, feet, plan, work)
    for k in range(2):
        now = work.states[0, k]
        track[MASS + k] = now[0] - pendulum.length * now[2]
        track[RATE + k] = now[1] - pendulum.length * now[3]
        track[PUSH + k] = work.contact[0] * work.forces[0, k]
        track[PRESSURE + k] = now[0]
        track[AHEAD + k] = plan.heading[k]
        for i in range(plan.status.shape[0]):
            track[AIM + 2 * i + k] = plan.fixed[i, 1, k]
    period, time = state.shape[PERIOD], plan.clock[0]
    for i in range(plan.status.shape[0]):
        lift, touch = lift_off(plan, plan.offset, i, 0), touch_down(plan, plan.offset, i, 1)
        duration = (touch - lift) / period
        if plan.mode[0] == 1:  # a gait that follows begins its own swings
            state.leg[i, DURATION] = 0.0
            continue
        # a swing that is further away is announced later; otherwise it would seem to be in progress
        start = state.times[PHASE] + min((lift - time) / period, 1.0 - duration - _LATEST)
        state.leg[i, START], state.leg[i, DURATION] = start - math.floor(start), duration
    if plan.mode[0] == 0:  # the clock of the gait goes with the plan, so that the next gait finds its own times
        ahead = state.leg[0, START] - data.swing[0, 0]
        state.times[PHASE] -= ahead
        state.times[PHASE] -= math.floor(state.times[PHASE])
        for i in range(plan.status.shape[0]):
            state.leg[i, START] -= ahead
            state.leg[i, START] -= math.floor(state.leg[i, START])
    advance(pendulum, feet, constants.duty, plan, wanted, work)


@kernel
def _move_path(data: GaitData, state: GaitState) -> None:
    """Move the place on the commanded path by a tick: a base pendulum that nothing disturbs follows the command."""
    model = data.plan.pendulum
    track, tick, most, a, gain = state.track, model.tick, model.acceleration[0], model.transition, model.base_gain
    dx, dy = data.plan.feasible[0] - track[SPEED], data.plan.feasible[1] - track[SPEED + 1]
    share = min(most * tick / (math.sqrt(dx * dx + dy * dy) + 1e-9), 1.0)
    track[SPEED], track[SPEED + 1] = track[SPEED] + share * dx, track[SPEED + 1] + share * dy
    c, s = math.cos(state.plan.heading[0]), math.sin(state.plan.heading[0])
    for k in range(2):
        speed = c * track[SPEED] - s * track[SPEED + 1] if k == 0 else s * track[SPEED] + c * track[SPEED + 1]
        at = LEAD + 4 * k
        p, v, angle, rate = track[at], track[at + 1], track[at + 2], track[at + 3]
        track[PATH + k] = p - model.length * angle
        force = -(gain[1] * (v - speed) + gain[2] * angle + gain[3] * rate)
        for j in range(4):
            track[at + j] = a[j, 0] * p + a[j, 1] * v + a[j, 2] * angle + a[j, 3] * rate + model.drive[j] * force
