"""One control tick of a gait: schedule of the legs, paths of swinging feet, and torques of standing legs."""

from __future__ import annotations

import math

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.control.gait.foot_forces import split_forces
from ctrlgraph.control.gait.gait_arrays import (
    AIMED,
    COMMAND,
    DESIRED,
    EARLY,
    EVENTS,
    FOOTHOLD,
    HEADING,
    INTEGRAL,
    LATE,
    LIFT,
    PHASE,
    SWINGS,
    TARGET,
    GaitData,
    GaitState,
)
from ctrlgraph.control.gait.gait_posture import along as _along
from ctrlgraph.control.gait.gait_posture import keep_posture, load_spine, set_spare_motion
from ctrlgraph.control.gait.gait_posture import least_squares as _least_squares
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.constants import GRAVITY
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.pd import clipped
from ctrlgraph.kernels.planar.kinematics import wrapped
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_dynamics import ROOT_VELOCITIES, bias_forces
from ctrlgraph.kernels.spatial.spatial_rotation import (
    add,
    cross,
    put_vector,
    quaternion_at,
    rotate,
    scale,
    subtract,
    vector_at,
)

_TOUCHES = 0.7
"""Fraction of a swing after which contact ends it."""
_OVERTIME = 0.12
"""Time for which a foot without contact is lowered after its swing, s."""
_LOWERS = 0.6
"""Speed at which it is lowered, m/s."""
_ARRIVES = 0.9
"""Fraction of a swing at which the foot is above its foothold."""
_PRESSES = 0.012
"""Depth below the estimated ground at which a swing aims, m."""
_SETTLES = 0.15
"""Time constant of the estimated slope, s."""
_FASTEST = 6.0
"""Maximum speed of the target of a swinging foot, m/s."""
_FURTHEST = 0.5
"""Maximum difference between a target angle and an angle, rad; also of the heading."""
_STRONGEST = 4.0
"""Maximum horizontal acceleration that the feedback asks for, m/s^2."""
_MOST_INTEGRAL = 0.6
"""Maximum magnitude of the integral of the speed, m/s."""


@kernel
def foot_place(kin: SpatialKinematics, data: GaitData, i: int) -> Vector:
    """Return the centre of the foot of leg `i` in the world, m."""
    link = data.legs.foot[i]
    return add(vector_at(kin.pose, link, 0), rotate(quaternion_at(kin.pose, link, 3), vector_at(data.legs.place, i, 0)))


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
    _follow_command(kin, data, state, fx, fy, dt)
    _estimate_ground(kin, data, state, fx, fy, dt)
    bias_forces(body, kin, GRAVITY, data.space, data.bias)
    for j in range(body.parent.size):
        motors.target[j], motors.torque[j] = kin.joint[j, 0], 0.0
        motors.kp[j], motors.kd[j] = 0.0, 0.0
    for k in range(data.others.size):
        j = data.others[k]
        motors.target[j] = data.others_rest[k]
        motors.kp[j], motors.kd[j] = body.gains[j, 0], body.gains[j, 1]
        motors.torque[j] = data.bias[ROOT_VELOCITIES + j]
    _want_wrench(body, kin, data, state, fx, fy)
    for i in range(data.legs.n_joints.size):
        _set_jacobian(kin, data, i)
        set_spare_motion(kin, data, i)
        share = _schedule(kin, data, state, i, dt)
        if state.leg[i, SWINGS] != 0.0:
            _swing(body, kin, data, state, motors, i, share, fx, fy, dt)
    split_forces(kin, data, state, body.total_mass, GRAVITY * body.total_mass)
    for i in range(data.legs.n_joints.size):
        if state.leg[i, SWINGS] == 0.0:
            _stand(data, motors, i)
            keep_posture(kin, data, motors, i)
        load_spine(kin, data, state, motors, i, foot_place(kin, data, i))


@kernel
def _follow_command(kin: SpatialKinematics, data: GaitData, state: GaitState, fx: float, fy: float, dt: float) -> None:
    """Move the desired velocity and heading towards the command, and integrate the deviation from the velocity."""
    values, motion, present = data.values, state.motion, math.atan2(fy, fx)
    forward, left = kin.com[3] * fx + kin.com[4] * fy, kin.com[4] * fx - kin.com[3] * fy
    if math.isnan(state.times[HEADING]):  # the first tick
        state.times[HEADING], motion[DESIRED], motion[DESIRED + 1] = present, forward, left
    for k in range(3):
        step = (values.turn_acceleration if k == 2 else values.acceleration) * dt
        motion[DESIRED + k] += clipped(motion[COMMAND + k] - motion[DESIRED + k], -step, step)
    off = wrapped(state.times[HEADING] + motion[DESIRED + 2] * dt - present)
    state.times[HEADING] = present + clipped(off, -_FURTHEST, _FURTHEST)
    rate = values.speed_integral * dt
    for k in range(2):
        off = motion[DESIRED + k] - (forward if k == 0 else left)
        motion[INTEGRAL + k] = clipped(motion[INTEGRAL + k] + rate * off, -_MOST_INTEGRAL, _MOST_INTEGRAL)


@kernel
def _estimate_ground(kin: SpatialKinematics, data: GaitData, state: GaitState, fx: float, fy: float, dt: float) -> None:
    """Fit a plane to the last footholds by least squares. Its slopes are smoothed, and nearly 0 where unknown."""
    n = data.legs.n_joints.size
    xx = yy = xy = x1 = y1 = xz = yz = z1 = 0.0
    for i in range(n):
        x, y = state.leg[i, FOOTHOLD] - kin.com[0], state.leg[i, FOOTHOLD + 1] - kin.com[1]
        z = state.leg[i, FOOTHOLD + 2]
        xx, yy, xy = xx + x * x, yy + y * y, xy + x * y
        x1, y1, z1 = x1 + x, y1 + y, z1 + z
        xz, yz = xz + x * z, yz + y * z
    # about the mean of the footholds
    xx, yy, xy = xx - x1 * x1 / n + 1e-4, yy - y1 * y1 / n + 1e-4, xy - x1 * y1 / n
    xz, yz = xz - x1 * z1 / n, yz - y1 * z1 / n
    determinant = xx * yy - xy * xy
    along, across = (yy * xz - xy * yz) / determinant, (xx * yz - xy * xz) / determinant
    share = min(dt / _SETTLES, 1.0)
    state.plane[0] += share * (along - state.plane[0])
    state.plane[1] += share * (across - state.plane[1])
    state.plane[2] = (z1 - along * x1 - across * y1) / n


@kernel
def _want_wrench(
    body: SpatialBody, kin: SpatialKinematics, data: GaitData, state: GaitState, fx: float, fy: float
) -> None:
    """Set the force and the moment of the ground that keep height, speed, tilt and heading, in `data.wanted`."""
    values, motion, mass, spin = data.values, state.motion, body.total_mass, vector_at(kin.twist, body.trunk, 3)
    vx, vy, vz = kin.com[3], kin.com[4], kin.com[5]
    forward, left = vx * fx + vy * fy, vy * fx - vx * fy
    along = values.speed_gain * (motion[DESIRED] + motion[INTEGRAL] - forward)
    across = values.speed_gain * (motion[DESIRED + 1] + motion[INTEGRAL + 1] - left)
    along, across = clipped(along, -_STRONGEST, _STRONGEST), clipped(across, -_STRONGEST, _STRONGEST)
    height = kin.com[2] - state.plane[2]
    rising = vz - state.plane[0] * vx - state.plane[1] * vy
    data.wanted[0], data.wanted[1] = mass * (along * fx - across * fy), mass * (along * fy + across * fx)
    upward = GRAVITY + values.height_kp * (values.height - height) - values.height_kd * rising
    data.wanted[2] = mass * max(upward, 0.0)
    # the trunk is to be parallel to the ground
    nx, ny = -state.plane[0], -state.plane[1]
    size = math.sqrt(nx * nx + ny * ny + 1.0)
    off = cross(direction(body, kin, data, 2), (nx / size, ny / size, 1.0 / size))
    roll, pitch = off[0] * fx + off[1] * fy, off[1] * fx - off[0] * fy
    rolling, pitching = spin[0] * fx + spin[1] * fy, spin[1] * fx - spin[0] * fy
    roll = data.inertia[0] * (values.roll_kp * roll - values.roll_kd * rolling)
    pitch = data.inertia[1] * (values.pitch_kp * pitch - values.pitch_kd * pitching)
    turned = wrapped(state.times[HEADING] - math.atan2(fy, fx))
    data.wanted[3], data.wanted[4] = roll * fx - pitch * fy, roll * fy + pitch * fx
    data.wanted[5] = data.inertia[2] * (
        values.heading_kp * turned + values.heading_kd * (motion[DESIRED + 2] - spin[2])
    )


@kernel
def _set_jacobian(kin: SpatialKinematics, data: GaitData, i: int) -> None:
    """Set the velocities of the foot of leg `i` by the rates of its joints."""
    foot = foot_place(kin, data, i)
    for a in range(data.legs.n_joints[i]):
        j = data.legs.joints[i, a]
        column = cross(vector_at(kin.axis, j, 0), subtract(foot, vector_at(kin.place, j, 0)))
        for k in range(3):
            data.jacobian[i, k, a] = column[k]


@kernel
def _schedule(kin: SpatialKinematics, data: GaitData, state: GaitState, i: int, dt: float) -> float:
    """Decide whether leg `i` swings, and return the fraction of its swing that has passed.

    A swing begins by the clock. It ends by contact after `_TOUCHES` of its duration, or `_OVERTIME` after its end.
    """
    leg, start, duration = state.leg, data.swing[i, 0], data.swing[i, 1]
    touches, foot = kin.contact[data.legs.foot[i]] != 0, foot_place(kin, data, i)
    since = state.times[PHASE] - start
    since -= math.floor(since)
    share = since / duration if since < duration else 1.0
    if since < duration:
        leg[i, LATE] = 0.0
        if leg[i, SWINGS] == 0.0 and leg[i, EARLY] == 0.0:
            leg[i, SWINGS], leg[i, AIMED] = 1.0, 0.0
            put_vector(leg, i, LIFT, foot)
            state.counters[EVENTS] += 1
        elif leg[i, SWINGS] != 0.0 and touches and share > _TOUCHES:
            leg[i, SWINGS], leg[i, EARLY] = 0.0, 1.0
    else:
        leg[i, EARLY] = 0.0
        if leg[i, SWINGS] != 0.0:
            leg[i, LATE] += dt
            if touches or leg[i, LATE] > _OVERTIME:
                leg[i, SWINGS], leg[i, LATE] = 0.0, 0.0
    if leg[i, SWINGS] == 0.0 and touches:
        put_vector(leg, i, FOOTHOLD, (foot[0], foot[1], foot[2] - data.legs.radius[i]))
    return share


@kernel
def _foothold(
    kin: SpatialKinematics, data: GaitData, state: GaitState, i: int, share: float, fx: float, fy: float
) -> Vector:
    """Return the place at which leg `i` is to land, m: Raibert's foothold, turned by the
    desired rotation until the middle of the next stance.

    Args:
        kin: state of the character.
        data: constants of the gait.
        state: state of the gait.
        i: index of the leg.
        share: fraction of the swing that has passed.
        fx: component of the heading along x.
        fy: component of the heading along y.
    """
    values, motion = data.values, state.motion
    rest = (1.0 - share) * data.swing[i, 1] * values.period + 0.5 * (1.0 - data.swing[i, 1]) * values.period
    vx, vy = kin.com[3], kin.com[4]
    ahead = values.placement_forward * (vx * fx + vy * fy - motion[DESIRED])
    aside = values.placement_sideways * (vy * fx - vx * fy - motion[DESIRED + 1])
    forward, left = data.legs.stance[i, 0] + values.advance, data.legs.stance[i, 1]
    left += values.width if left > 0.0 else -values.width
    turned = motion[DESIRED + 2] * rest
    ahead, aside = ahead + forward - turned * left, aside + left + turned * forward
    x, y = vx * rest + ahead * fx - aside * fy, vy * rest + ahead * fy + aside * fx
    z = state.plane[2] + state.plane[0] * x + state.plane[1] * y + data.legs.radius[i]
    return kin.com[0] + x, kin.com[1] + y, z


@kernel
def _swing(
    body: SpatialBody,
    kin: SpatialKinematics,
    data: GaitData,
    state: GaitState,
    motors: Motors,
    i: int,
    share: float,
    fx: float,
    fy: float,
    dt: float,
) -> None:
    """Set the commands of a swinging leg: PD control towards the angles that bring its foot to its path.

    Args:
        body: constants of the character.
        kin: state of the character.
        data: constants of the gait. The reaction on the trunk is added to `data.wanted`.
        state: state of the gait.
        motors: receives the commands.
        i: index of the leg.
        share: fraction of the swing that has passed.
        fx: component of the heading along x.
        fy: component of the heading along y.
        dt: time since the last tick, s.
    """
    values, leg = data.values, state.leg
    foot, lift, land = foot_place(kin, data, i), vector_at(leg, i, LIFT), _foothold(kin, data, state, i, share, fx, fy)
    part = min(share / _ARRIVES, 1.0)
    part = part * part * (3.0 - 2.0 * part)
    bump = 16.0 * share * share * (1.0 - share) * (1.0 - share)
    up = values.step_height * bump - _PRESSES * share * share - _LOWERS * leg[i, LATE]
    target = add(add(lift, scale(part, subtract(land, lift))), (0.0, 0.0, up))
    velocity = (0.0, 0.0, 0.0)
    if leg[i, AIMED] != 0.0 and dt > 0.0:
        change = scale(1.0 / dt, subtract(target, vector_at(leg, i, TARGET)))
        velocity = (_bounded(change[0]), _bounded(change[1]), _bounded(change[2]))
    put_vector(leg, i, TARGET, target)
    leg[i, AIMED] = 1.0
    arm = subtract(foot, vector_at(kin.pose, body.trunk, 0))
    carried = add(vector_at(kin.twist, body.trunk, 0), cross(vector_at(kin.twist, body.trunk, 3), arm))
    toward, rate = _least_squares(data, i, subtract(target, foot)), _least_squares(data, i, subtract(velocity, carried))
    w, reaction = values.swing_frequency, (0.0, 0.0, 0.0)
    for a in range(data.legs.n_joints[i]):
        j = data.legs.joints[i, a]
        motors.kp[j] = data.legs.inertia[i, a] * w * w
        motors.kd[j] = 2.0 * values.swing_damping * w * data.legs.inertia[i, a]
        off = clipped(_along(data, i, a, toward) + data.spare[i, a], -_FURTHEST, _FURTHEST)
        motors.target[j] = kin.joint[j, 0] + off
        motors.torque[j] = motors.kd[j] * _along(data, i, a, rate) + data.bias[ROOT_VELOCITIES + j]
        if a < data.legs.hips[i]:
            torque = motors.kp[j] * off + motors.kd[j] * (_along(data, i, a, rate) - kin.joint[j, 1])
            reaction = add(reaction, scale(torque, vector_at(kin.axis, j, 0)))
    for k in range(3):
        data.wanted[3 + k] += values.swing_reaction * reaction[k]


@kernel
def _bounded(speed: float) -> float:
    return clipped(speed, -_FASTEST, _FASTEST)


@kernel
def _stand(data: GaitData, motors: Motors, i: int) -> None:
    """Set the torques of a standing leg, by which its foot presses on the ground with the force in `data.forces`."""
    force = vector_at(data.forces, 0, 3 * i)
    for a in range(data.legs.n_joints[i]):
        j = data.legs.joints[i, a]
        motors.torque[j] = data.bias[ROOT_VELOCITIES + j] - _along(data, i, a, force)
