"""One control tick of a gait: force and moment of the ground, schedule of the legs, and torques of standing legs."""

from __future__ import annotations

import math

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.control.gait.foot_forces import foot_push, split_forces
from ctrlgraph.control.gait.gait_arrays import (
    AIMED,
    BEHIND,
    COMMAND,
    DESIRED,
    DURATION,
    EARLY,
    EVENTS,
    FOOTHOLD,
    HEADING,
    HEIGHT,
    LATE,
    LIFT,
    LIFTED,
    LYING,
    PERIOD,
    PHASE,
    RHYTHM,
    ROLLED,
    START,
    SWINGS,
    TOUCHED,
    GaitData,
    GaitState,
)
from ctrlgraph.control.gait.gait_ground import estimate_ground
from ctrlgraph.control.gait.gait_leg import (
    Motion,
    along,
    difference,
    foot_acceleration,
    foot_place,
    least_squares,
    passive_torque,
    set_jacobian,
)
from ctrlgraph.control.gait.gait_posture import follow_trajectories, load_spine, posture_change, set_spare_motion
from ctrlgraph.control.gait.gait_sole import ground_point, sole_change
from ctrlgraph.control.gait.gait_swing import FURTHEST, desired_velocity, swing
from ctrlgraph.control.gait.plan_following import follow_plan, planned_acceleration
from ctrlgraph.control.gait.published_laws import legs_weight, stand_as_published
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.constants import GRAVITY
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.pd import clipped
from ctrlgraph.kernels.planar.kinematics import wrapped
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_dynamics import ROOT_VELOCITIES, inverse_dynamics
from ctrlgraph.kernels.spatial.spatial_rotation import (
    add,
    cross,
    put_quaternion,
    put_vector,
    quaternion_at,
    rotate,
    scale,
    subtract,
    vector_at,
)

_TOUCHES = 0.7
"""Fraction of a swing after which contact ends it."""
_RETURNS = 2.0
"""Speed at which a character that only stands brings its centre of mass above its feet, per distance, 1/s."""
_FURTHEST_BEHIND = 0.6
"""Maximum distance from the desired place, along and across the path, m. The place moves along with a character that is
further away.
"""
_TURNS_BACK = 0.25
"""Maximum deviation from the desired heading that adds to the moment, rad. More would leave too little friction for the
forces that stop a push.
"""
_FORGETS = 0.5
"""Time constant with which the distance from the path decays while the desired speed changes, s."""


@kernel
def direction(body: SpatialBody, kin: SpatialKinematics, data: GaitData, axis: int) -> Vector:
    """Return the forward, left or upward axis of the trunk in the world: x, y or z in the reference pose.

    Args:
        body: constants of the character.
        kin: state of the character.
        data: constants of the gait.
        axis: 0 for forward, 1 for left, 2 for up.
    """
    local = (data.axes[0, axis], data.axes[1, axis], data.axes[2, axis])
    return rotate(quaternion_at(kin.pose, body.trunk, 3), local)


@kernel
def control(
    body: SpatialBody, kin: SpatialKinematics, data: GaitData, state: GaitState, motors: Motors, dt: float
) -> None:
    """Set the commands of all joints for the present phase.

    Args:
        body: constants of the character.
        kin: state of the character.
        data: constants of the gait.
        state: state of the gait.
        motors: receives the commands.
        dt: time since the last tick, s.
    """
    ahead = direction(body, kin, data, 0)
    size = math.sqrt(ahead[0] * ahead[0] + ahead[1] * ahead[1]) + 1e-9
    fx, fy = ahead[0] / size, ahead[1] / size
    if data.plan.used:
        follow_plan(kin, data, state, fx, fy)
    else:
        _follow_command(kin, data, state, fx, fy, dt)
    estimate_ground(kin, data, state, fx, fy, dt)
    for j in range(body.parent.size):
        motors.target[j], motors.torque[j] = kin.joint[j, 0], 0.0
        motors.kp[j], motors.kd[j] = 0.0, 0.0
    _want_wrench(body, kin, data, state, fx, fy)
    if data.published.weight:
        data.wanted[2] -= legs_weight(body, data)
    data.change[ROOT_VELOCITIES:] = 0.0
    follow_trajectories(body, data, state, motors, dt)
    inverse_dynamics(body, kin, data.change, GRAVITY, data.space, data.load)
    for i in range(data.legs.n_joints.size):
        set_jacobian(kin, data, i)
        set_spare_motion(kin, data, i)
        since = _schedule(kin, data, state, i, dt)
        if state.leg[i, SWINGS] != 0.0:
            swing(body, kin, data, state, motors, i, since, fx, fy, dt)
        else:
            change = sole_change(kin, data, state, i, fx, fy)
            _move_foot(data, i, difference(change, foot_acceleration(kin, data, i)))
            for a in range(data.legs.n_joints[i]):
                data.change[ROOT_VELOCITIES + data.legs.joints[i, a]] += posture_change(data, i, a)
    if data.published.stance:
        inverse_dynamics(body, kin, data.change, GRAVITY, data.space, data.load)
    else:
        _balance_legs(body, kin, data)
    for i in range(data.legs.n_joints.size):
        for k in range(data.legs.n_spine[i] * data.published.stance):
            data.load[ROOT_VELOCITIES + data.legs.spine[i, k]] = 0.0
        if data.published.swing if state.leg[i, SWINGS] != 0.0 else data.published.stance:
            for a in range(data.legs.n_joints[i]):
                data.load[ROOT_VELOCITIES + data.legs.joints[i, a]] = 0.0
    for j in range(body.parent.size):
        motors.torque[j] += data.load[ROOT_VELOCITIES + j]
    if data.published.stance:
        stand_as_published(body, kin, data, state, motors)
        return
    split_forces(kin, data, state, body.total_mass, GRAVITY * body.total_mass)
    for i in range(data.legs.n_joints.size):
        if state.leg[i, SWINGS] == 0.0:
            push = foot_push(kin, data, state, i)
            _stand(body, kin, data, state, motors, i, push)
            load_spine(kin, data, motors, i, foot_place(kin, data, i), push)


@kernel
def _move_foot(data: GaitData, i: int, change: Motion) -> None:
    """Add the accelerations of the joints of leg `i` that change the acceleration of its foot by `change`."""
    solved = least_squares(data, i, change)
    for a in range(data.legs.n_joints[i]):
        data.change[ROOT_VELOCITIES + data.legs.joints[i, a]] += along(data, i, a, solved)


@kernel
def _balance_legs(body: SpatialBody, kin: SpatialKinematics, data: GaitData) -> None:
    """Compute the forces in `data.load` with which the trunk and the legs have the accelerations in `data.change`.

    First the trunk gets the acceleration by which the centre of mass has the desired one although the legs move. A
    fraction of the moment by the motion of the legs is added to `data.wanted`.
    """
    load, wanted = data.load, data.wanted
    inverse_dynamics(body, kin, data.change, GRAVITY, data.space, load)
    off = scale(1.0 / body.total_mass, (wanted[0] - load[0], wanted[1] - load[1], wanted[2] - load[2]))
    for k in range(3):
        data.change[k] += off[k]
    for i in range(data.legs.n_joints.size):
        _move_foot(data, i, (scale(-1.0, off), (0.0, 0.0, 0.0)))
    inverse_dynamics(body, kin, data.change, GRAVITY, data.space, load)
    arm = subtract(vector_at(kin.pose, body.root, 0), (kin.com[0], kin.com[1], kin.com[2]))
    moment = add((load[3], load[4], load[5]), cross(arm, (load[0], load[1], load[2])))
    for k in range(3):
        wanted[3 + k] += data.values.swing_reaction * (moment[k] - wanted[3 + k])


@kernel
def _follow_command(kin: SpatialKinematics, data: GaitData, state: GaitState, fx: float, fy: float, dt: float) -> None:
    """Move the desired velocity and heading towards the command, and update the distance from the desired path."""
    values, motion, present = data.values, state.motion, math.atan2(fy, fx)
    forward, left = kin.com[3] * fx + kin.com[4] * fy, kin.com[4] * fx - kin.com[3] * fy
    if math.isnan(state.times[HEADING]):  # the first tick
        state.times[HEADING], motion[DESIRED], motion[DESIRED + 1] = present, forward, left
    for k in range(3):
        step = (values.turn_acceleration if k == 2 else values.acceleration) * dt
        motion[DESIRED + k] += clipped(motion[COMMAND + k] - motion[DESIRED + k], -step, step)
    off = wrapped(state.times[HEADING] + motion[DESIRED + 2] * dt - present)
    state.times[HEADING] = present + clipped(off, -FURTHEST, FURTHEST)
    # the path is that of the desired velocity along the desired heading; the trunk may be at a steady angle to it
    ahead, aside = math.cos(state.times[HEADING]), math.sin(state.times[HEADING])
    wanted_x, wanted_y = desired_velocity(state, 1.0, 0.0)
    motion[BEHIND] += dt * (wanted_x - kin.com[3])
    motion[BEHIND + 1] += dt * (wanted_y - kin.com[4])
    if motion[DESIRED] != motion[COMMAND]:
        for k in range(2):
            motion[BEHIND + k] *= 1.0 - min(dt / _FORGETS, 1.0)
    back = clipped(motion[BEHIND] * ahead + motion[BEHIND + 1] * aside, -_FURTHEST_BEHIND, _FURTHEST_BEHIND)
    left = clipped(motion[BEHIND + 1] * ahead - motion[BEHIND] * aside, -_FURTHEST_BEHIND, _FURTHEST_BEHIND)
    motion[BEHIND], motion[BEHIND + 1] = back * ahead - left * aside, back * aside + left * ahead


@kernel
def _rhythm(data: GaitData, state: GaitState, k: int) -> Vector:
    """Return acceleration, velocity and displacement of the rhythm: upward (k = 0), of roll (1) or of pitch (2)."""
    n = data.rhythm.shape[0]
    row = min(int(state.times[PHASE] * n), n - 1)
    share, period = state.shape[RHYTHM], state.shape[PERIOD]
    a, v, s = data.rhythm[row, k, 0], data.rhythm[row, k, 1], data.rhythm[row, k, 2]
    return share * a, share * period * v, share * period * period * s


@kernel
def _return_velocity(
    kin: SpatialKinematics, data: GaitData, state: GaitState, fx: float, fy: float
) -> tuple[float, float]:
    """Return the velocity that brings the centre of mass above the feet if no leg swings, else 0.

    Args:
        kin: state of the character.
        data: constants of the gait.
        state: state of the gait.
        fx: component of the heading along x.
        fy: component of the heading along y.

    Returns:
        The velocity along the heading and to the left, m/s.
    """
    n, x, y = data.legs.owner.size, 0.0, 0.0
    for p in range(n):
        if state.leg[data.legs.owner[p], DURATION] != 0.0 or state.leg[data.legs.owner[p], SWINGS] != 0.0:
            return 0.0, 0.0
        place = ground_point(data, state, p)
        x, y = x + (place[0] - kin.com[0]) / n, y + (place[1] - kin.com[1]) / n
    return _RETURNS * (x * fx + y * fy) - _RETURNS * data.values.advance, _RETURNS * (y * fx - x * fy)


@kernel
def _want_wrench(
    body: SpatialBody, kin: SpatialKinematics, data: GaitData, state: GaitState, fx: float, fy: float
) -> None:
    """Set the force and the moment of the ground that keep height, speed, tilt and heading, in `data.wanted`.

    The accelerations of the trunk that belong to them are set in `data.change`.
    """
    values, motion, mass, spin = data.values, state.motion, body.total_mass, vector_at(kin.twist, body.trunk, 3)
    vx, vy, vz = kin.com[3], kin.com[4], kin.com[5]
    forward, left = vx * fx + vy * fy, vy * fx - vx * fy
    back, beside = _return_velocity(kin, data, state, fx, fy)
    back_x, back_y = values.speed_integral * motion[BEHIND], values.speed_integral * motion[BEHIND + 1]
    wanted, wanted_left = desired_velocity(state, fx, fy)
    along = values.speed_gain * (wanted + back_x * fx + back_y * fy + back - forward)
    across = values.speed_gain * (wanted_left + back_y * fx - back_x * fy + beside - left)
    along -= wanted_left * motion[DESIRED + 2]  # the desired velocity turns with the heading
    across += wanted * motion[DESIRED + 2]
    if data.plan.used:
        ax, ay = planned_acceleration(kin, data, state)
        along, across = ax * fx + ay * fy, ay * fx - ax * fy
    height = kin.com[2] - state.plane[2]
    rising = vz - state.plane[0] * vx - state.plane[1] * vy
    data.wanted[0], data.wanted[1] = mass * (along * fx - across * fy), mass * (along * fy + across * fx)
    up, over, nose = _rhythm(data, state, 0), _rhythm(data, state, 1), _rhythm(data, state, 2)
    upward = GRAVITY + up[0] + values.height_kp * (state.shape[HEIGHT] + up[2] - height)
    upward += values.height_kd * (up[1] - rising)
    data.wanted[2] = mass * max(upward, 0.0)
    # the trunk is to be parallel to the ground
    nx, ny = -state.plane[0], -state.plane[1]
    size = math.sqrt(nx * nx + ny * ny + 1.0)
    off = cross(direction(body, kin, data, 2), (nx / size, ny / size, 1.0 / size))
    roll, pitch = off[0] * fx + off[1] * fy, off[1] * fx - off[0] * fy
    rolling, pitching = spin[0] * fx + spin[1] * fy, spin[1] * fx - spin[0] * fy
    roll = over[0] + values.roll_kp * (roll + over[2]) + values.roll_kd * (over[1] - rolling)
    pitch = nose[0] + values.pitch_kp * (pitch + nose[2]) + values.pitch_kd * (nose[1] - pitching)
    turned = clipped(wrapped(state.times[HEADING] - math.atan2(fy, fx)), -_TURNS_BACK, _TURNS_BACK)
    data.change[3], data.change[4] = roll * fx - pitch * fy, roll * fy + pitch * fx
    roll, pitch = data.inertia[0] * roll, data.inertia[1] * pitch
    data.wanted[3], data.wanted[4] = roll * fx - pitch * fy, roll * fy + pitch * fx
    data.wanted[5] = data.inertia[2] * (
        values.heading_kp * turned + values.heading_kd * (motion[DESIRED + 2] - spin[2])
    )
    data.change[0], data.change[1] = along * fx - across * fy, along * fy + across * fx
    data.change[2] = data.wanted[2] / mass - GRAVITY
    data.change[5] = data.wanted[5] / data.inertia[2]


@kernel
def _schedule(kin: SpatialKinematics, data: GaitData, state: GaitState, i: int, dt: float) -> float:
    """Decide whether leg `i` swings, and return the time since its swing began, as a fraction of the period.

    A swing begins by the clock. It ends by contact after `_TOUCHES` of its duration.
    """
    leg, start, duration = state.leg, state.leg[i, START], state.leg[i, DURATION]
    touches, foot = kin.contact[data.legs.foot[i]] != 0, foot_place(kin, data, i)
    since = state.times[PHASE] - start
    since -= math.floor(since)
    if since < duration:
        if leg[i, LATE] > 0.0 or (leg[i, SWINGS] == 0.0 and leg[i, EARLY] == 0.0):
            leg[i, SWINGS], leg[i, AIMED], leg[i, LATE] = 1.0, 0.0, 0.0
            put_vector(leg, i, LIFT, foot)
            put_quaternion(leg, i, LIFTED, quaternion_at(kin.pose, data.legs.foot[i], 3))
            leg[i, ROLLED] = 0.0
            state.counters[EVENTS] += 1
        elif leg[i, SWINGS] != 0.0 and touches and since > _TOUCHES * duration:
            leg[i, SWINGS], leg[i, EARLY] = 0.0, 1.0
    else:
        leg[i, EARLY] = 0.0
        if touches:
            leg[i, SWINGS], leg[i, LATE] = 0.0, 0.0
        elif leg[i, SWINGS] != 0.0:
            leg[i, LATE] += dt
    if touches:
        leg[i, TOUCHED] = 1.0
    if leg[i, SWINGS] == 0.0 and touches and leg[i, ROLLED] == 0.0:
        put_vector(leg, i, FOOTHOLD, (foot[0], foot[1], foot[2] - data.legs.radius[i]))
        put_quaternion(leg, i, LYING, quaternion_at(kin.pose, data.legs.foot[i], 3))
    return float(since)


@kernel
def _stand(
    body: SpatialBody, kin: SpatialKinematics, data: GaitData, state: GaitState, motors: Motors, i: int, push: Motion
) -> None:
    """Set the torques of a standing leg, by which the ground pushes its foot with a force and a moment.

    The damping of the joints is compensated at the rates of the desired velocity, so it still brakes deviations.
    """
    wanted_x, wanted_y = desired_velocity(state, 1.0, 0.0)
    velocity = (-wanted_x, -wanted_y, 0.0)
    rate = least_squares(data, i, (velocity, (0.0, 0.0, 0.0)))
    for a in range(data.legs.n_joints[i]):
        j = data.legs.joints[i, a]
        motors.torque[j] -= along(data, i, a, push) + passive_torque(body, kin, j, along(data, i, a, rate))
