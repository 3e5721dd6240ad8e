"""Swings of a gait: footholds, paths of swinging feet, and the commands of swinging legs."""

from __future__ import annotations

import math

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.control.gait.gait_arrays import (
    AIMED,
    DESIRED,
    DURATION,
    FEET,
    FOOTHOLD,
    HEADING,
    HEIGHT,
    LAND,
    LATE,
    LIFT,
    LIFTED,
    PERIOD,
    STEP_HEIGHT,
    SWINGS,
    TARGET,
    WIDTH,
    GaitData,
    GaitState,
)
from ctrlgraph.control.gait.gait_ground import unevenness
from ctrlgraph.control.gait.gait_leg import (
    along,
    difference,
    foot_acceleration,
    foot_motion,
    foot_place,
    foot_velocity,
    has_sole,
    least_squares,
    passive_torque,
)
from ctrlgraph.control.gait.gait_posture import posture_change
from ctrlgraph.control.gait.plan_following import planned_foothold
from ctrlgraph.control.gait.published_laws import published_foothold
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.pd import clipped
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_dynamics import ROOT_VELOCITIES
from ctrlgraph.kernels.spatial.spatial_rotation import (
    about_axis,
    add,
    conjugate,
    from_rotation_vector,
    product,
    put_vector,
    quaternion_at,
    rotation_vector,
    scale,
    subtract,
    vector_at,
)

_OVERTIME = 0.12
"""Time for which a foot without contact is lowered after its swing, s."""
_LOWERS = 0.6
"""Speed at which it is lowered, m/s."""
_PRESSES = 0.012
"""Depth below the estimated ground at which a swing aims, m."""
_FASTEST = 6.0
"""Maximum speed of the target of a swinging foot relative to the centre of mass, along each axis, m/s."""
_REACH = 0.75
"""Maximum distance of a landing foot from the place under its hip, in units of the height of the centre of mass."""
_APART = 1.4
"""Minimum distance of a foothold from the line along the heading through another standing foot, in units of the breadth
of their soles."""
_CLEARS = 3.0
"""Additional height of a step on uneven ground, in units of the unevenness."""
FURTHEST = 0.5
"""Maximum difference between a target angle and an angle, rad; also of the heading."""


@kernel
def swing(
    body: SpatialBody,
    kin: SpatialKinematics,
    data: GaitData,
    state: GaitState,
    motors: Motors,
    i: int,
    since: float,
    fx: float,
    fy: float,
    dt: float,
) -> None:
    """Set accelerations and commands of a swinging leg: its foot follows its path, its spare joints the posture.

    Args:
        body: constants of the character.
        kin: state of the character.
        data: constants of the gait. The accelerations of the joints are set in `data.change`.
        state: state of the gait.
        motors: receives the commands.
        i: index of the leg.
        since: time since the swing began, as a fraction of the period.
        fx: component of the heading along x.
        fy: component of the heading along y.
        dt: time since the last tick, s.
    """
    values, leg = data.values, state.leg
    foot, lift = foot_place(kin, data, i), vector_at(leg, i, LIFT)
    if leg[i, AIMED] == 0.0 or not data.published.target:
        if data.published.foothold:
            put_vector(leg, i, LAND, published_foothold(kin, data, state, i, fx, fy))
        else:
            put_vector(leg, i, LAND, _foothold(kin, data, state, i, since, fx, fy))
    land = vector_at(leg, i, LAND)
    target, curve = _path(data, state, i, since, lift, land)
    turn, turning, bend = _turn(kin, data, state, i, since, fx, fy)
    target = add(target, (0.0, 0.0, -_LOWERS * min(leg[i, LATE], _OVERTIME)))
    velocity, carrier = (0.0, 0.0, 0.0), (kin.com[3], kin.com[4], kin.com[5])
    if leg[i, AIMED] != 0.0 and dt > 0.0:
        change = scale(1.0 / dt, subtract(target, vector_at(leg, i, TARGET)))
        velocity = add(carrier, _bounded(subtract(change, carrier)))
    put_vector(leg, i, TARGET, target)
    leg[i, AIMED] = 1.0
    carried = difference(foot_velocity(kin, data, i), foot_motion(kin, data, i))
    ahead = least_squares(data, i, difference((curve, bend), foot_acceleration(kin, data, i)))
    toward = least_squares(data, i, (subtract(target, foot), turn))
    rate = least_squares(data, i, difference((velocity, turning), carried))
    w, damping = values.swing_frequency, 2.0 * values.swing_damping * values.swing_frequency
    for a in range(data.legs.n_joints[i]):
        j = data.legs.joints[i, a]
        off = clipped(along(data, i, a, toward), -FURTHEST, FURTHEST)
        motors.kp[j], motors.kd[j] = data.legs.inertia[i, a] * w * w, data.legs.inertia[i, a] * damping
        if data.published.swing:
            motors.target[j] = kin.joint[j, 0] + off + data.spare[i, a]
            continue
        slower = along(data, i, a, rate) - (kin.joint[j, 1] - data.spare_rate[i, a])
        change = along(data, i, a, ahead) + w * w * off + damping * slower
        data.change[ROOT_VELOCITIES + j] = change + posture_change(data, i, a)
        # the torques are those of inverse dynamics; PD control without a deviation makes them stable in contact
        motors.torque[j] = motors.kd[j] * kin.joint[j, 1] - passive_torque(body, kin, j, along(data, i, a, rate))


@kernel
def desired_velocity(state: GaitState, fx: float, fy: float) -> tuple[float, float]:
    """Return the components of the desired velocity along a direction and to its left, m/s.

    The velocity is that along the desired heading, from which the trunk can deviate.

    Args:
        state: state of the gait.
        fx: component of the direction along x.
        fy: component of the direction along y.
    """
    ahead, aside = math.cos(state.times[HEADING]), math.sin(state.times[HEADING])
    x = state.motion[DESIRED] * ahead - state.motion[DESIRED + 1] * aside
    y = state.motion[DESIRED] * aside + state.motion[DESIRED + 1] * ahead
    return x * fx + y * fy, y * fx - x * fy


@kernel
def _path(data: GaitData, state: GaitState, i: int, since: float, lift: Vector, land: Vector) -> tuple[Vector, Vector]:
    """Return the place on the path of a swinging foot, m, and its acceleration for a fixed foothold, m/s^2.

    Args:
        data: constants of the gait.
        state: state of the gait.
        i: index of the leg.
        since: time since the swing began, as a fraction of the period.
        lift: place where it began, m.
        land: foothold, m.
    """
    away, duration, arrival = subtract(land, lift), state.leg[i, DURATION], data.values.arrival
    step = state.shape[STEP_HEIGHT] + _CLEARS * unevenness(data, state)
    if since >= duration:
        return add(land, (0.0, 0.0, -_PRESSES)), (0.0, 0.0, 0.0)
    share = since / duration
    part, rest = min(share / arrival, 1.0), 1.0 - share
    bump, bend = 16.0 * share * share * rest * rest, 32.0 * (1.0 - 6.0 * share * rest)
    place = add(scale(part * part * (3.0 - 2.0 * part), away), (0.0, 0.0, step * bump - _PRESSES * share * share))
    curve = (6.0 - 12.0 * part) / (arrival * arrival) if part < 1.0 else 0.0
    change = add(scale(curve, away), (0.0, 0.0, step * bend - 2.0 * _PRESSES))
    return add(lift, place), scale(1.0 / (duration * state.shape[PERIOD]) ** 2, change)


@kernel
def _turn(
    kin: SpatialKinematics, data: GaitData, state: GaitState, i: int, since: float, fx: float, fy: float
) -> tuple[Vector, Vector, Vector]:
    """Return the rotation by which a swinging sole is off its path, rad, and the angular velocity and acceleration.

    The foot turns from where it was lifted to that of the start pose, relative to the ground and the heading in the
    middle of the next stance. A foot without a sole has no such path.

    Args:
        kin: state of the character.
        data: constants of the gait.
        state: state of the gait.
        i: index of the leg.
        since: time since the swing began, as a fraction of the period.
        fx: component of the heading along x.
        fy: component of the heading along y.
    """
    still = (0.0, 0.0, 0.0)
    if not has_sole(data, i):
        return still, still, still
    duration, period, arrival = state.leg[i, DURATION], state.shape[PERIOD], data.values.arrival
    stands = 0.5 * (1.0 - duration) + max(duration - since, 0.0)
    ahead = math.atan2(fy, fx) + state.motion[DESIRED + 2] * period * stands
    nx, ny = -state.plane[0], -state.plane[1]
    steep = math.sqrt(nx * nx + ny * ny)
    tilt = scale(math.atan(steep) / (steep + 1e-9), (-ny, nx, 0.0))
    level = product(about_axis((0.0, 0.0, 1.0), ahead), quaternion_at(data.legs.level, i, 0))
    end, begin = product(from_rotation_vector(tilt), level), quaternion_at(state.leg, i, LIFTED)
    now = quaternion_at(kin.pose, data.legs.foot[i], 3)
    if since >= duration:
        return rotation_vector(product(end, conjugate(now))), still, still
    way, time = rotation_vector(product(end, conjugate(begin))), duration * period * arrival
    part = min(since / (duration * arrival), 1.0)
    planned = product(from_rotation_vector(scale(part * part * (3.0 - 2.0 * part), way)), begin)
    bend = scale((6.0 - 12.0 * part) / (time * time), way) if part < 1.0 else still
    return rotation_vector(product(planned, conjugate(now))), scale(6.0 * part * (1.0 - part) / time, way), bend


@kernel
def _foothold(
    kin: SpatialKinematics, data: GaitData, state: GaitState, i: int, since: float, fx: float, fy: float
) -> Vector:
    """Return the place at which leg `i` is to land, m.

    It is Raibert's foothold, turned by the desired rotation until the middle of the next stance.

    Args:
        kin: state of the character.
        data: constants of the gait.
        state: state of the gait.
        i: index of the leg.
        since: time since the swing began, as a fraction of the period.
        fx: component of the heading along x.
        fy: component of the heading along y.
    """
    values, motion, duration = data.values, state.motion, state.leg[i, DURATION]
    flies = state.shape[PERIOD] * max(duration - since, 0.0)
    half = 0.5 * state.shape[PERIOD] * (1.0 - max(since, duration))
    vx, vy = kin.com[3], kin.com[4]
    speed, aside = vx * fx + vy * fy, vy * fx - vx * fy
    wanted, wanted_aside = desired_velocity(state, fx, fy)
    forward, left = data.legs.stance[i, 0] + values.advance, data.legs.stance[i, 1]
    left += state.shape[WIDTH] if left > 0.0 else -state.shape[WIDTH]
    turned = motion[DESIRED + 2] * (flies + half)
    ahead = speed * half + values.placement_forward * (speed - wanted) - turned * left
    beside = aside * half + values.placement_sideways * (aside - wanted_aside) + turned * forward
    if data.plan.used:
        x, y = planned_foothold(state, i)
        x, y = x - kin.com[0], y - kin.com[1]
        ahead = x * fx + y * fy - forward - speed * flies
        beside = y * fx - x * fy - left - aside * flies
    nearer = min(_REACH * state.shape[HEIGHT] / (math.sqrt(ahead * ahead + beside * beside) + 1e-9), 1.0)
    ahead, beside = nearer * ahead, nearer * beside
    ahead, beside = ahead + forward + speed * flies, beside + left + aside * flies
    beside = _clear(kin, data, state, i, beside, fx, fy)
    x, y = ahead * fx - beside * fy, ahead * fy + beside * fx
    z = state.plane[FEET + 2] + state.plane[FEET] * x + state.plane[FEET + 1] * y + data.legs.radius[i]
    return kin.com[0] + x, kin.com[1] + y, z


@kernel
def _clear(
    kin: SpatialKinematics, data: GaitData, state: GaitState, i: int, beside: float, fx: float, fy: float
) -> float:
    """Return how far to the left of the centre of mass leg `i` lands, m, so that its sole is beside standing ones.

    Args:
        kin: state of the character.
        data: constants of the gait.
        state: state of the gait.
        i: index of the leg.
        beside: the same without regard to other feet, m.
        fx: component of the heading along x.
        fy: component of the heading along y.
    """
    legs = data.legs
    for k in range(legs.n_joints.size):
        apart = 0.5 * _APART * (legs.breadth[i] + legs.breadth[k])
        if has_sole(data, i) and has_sole(data, k) and k != i and state.leg[k, SWINGS] == 0.0:
            x, y = state.leg[k, FOOTHOLD] - kin.com[0], state.leg[k, FOOTHOLD + 1] - kin.com[1]
            other = y * fx - x * fy
            beside = max(beside, other + apart) if legs.stance[i, 1] > legs.stance[k, 1] else min(beside, other - apart)
    return beside


@kernel
def _bounded(v: Vector) -> Vector:
    return clipped(v[0], -_FASTEST, _FASTEST), clipped(v[1], -_FASTEST, _FASTEST), clipped(v[2], -_FASTEST, _FASTEST)
