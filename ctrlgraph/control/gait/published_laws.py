"""Laws of the published controller of the dog, which a gait file can choose instead of those of ctrlgraph.

T. Randhavane, Evolution Inspired Generalized Controller Based Locomotion (2014), chapters 3 and 4. The effect of each
law is in docs/results/dog.md.
"""

from __future__ import annotations

import math

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.control.gait.gait_arrays import DESIRED, HEADING, HEIGHT, SWINGS, GaitData, GaitState
from ctrlgraph.control.gait.gait_leg import along
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.constants import GRAVITY
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.kinematics import wrapped
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_rotation import (
    add,
    cross,
    dot,
    quaternion_at,
    rotate,
    scale,
    subtract,
    vector_at,
)


@kernel
def published_foothold(
    kin: SpatialKinematics, data: GaitData, state: GaitState, i: int, fx: float, fy: float
) -> Vector:
    """Return the place at which leg `i` is to land, m: equations (3.1) and (3.2), from the place below its hip.

    Args:
        kin: state of the character.
        data: constants of the gait.
        state: state of the gait.
        i: index of the leg.
        fx: component of the heading along x.
        fy: component of the heading along y.
    """
    hip = vector_at(kin.place, data.legs.joints[i, data.legs.hips[i] - 1], 0)
    forward, left = state.motion[DESIRED], state.motion[DESIRED + 1]
    time = math.sqrt(state.shape[HEIGHT] / GRAVITY + (forward * forward + left * left) / (4.0 * GRAVITY * GRAVITY))
    faster, aside = kin.com[3] * fx + kin.com[4] * fy - forward, kin.com[4] * fx - kin.com[3] * fy - left
    ahead = forward * time + data.values.placement_forward * faster
    beside = left * time + data.values.placement_sideways * aside
    x, y = hip[0] + ahead * fx - beside * fy - kin.com[0], hip[1] + ahead * fy + beside * fx - kin.com[1]
    z = state.plane[2] + state.plane[0] * x + state.plane[1] * y + data.legs.radius[i]
    return kin.com[0] + x, kin.com[1] + y, z


@kernel
def legs_weight(body: SpatialBody, data: GaitData) -> float:
    """Return the weight of all legs, N. The source compensates the weight of the other links only."""
    mass = 0.0
    for i in range(data.legs.n_joints.size):
        for a in range(data.legs.n_joints[i]):
            if a == 0 or body.child[data.legs.joints[i, a]] != body.child[data.legs.joints[i, a - 1]]:
                mass += body.mass[body.child[data.legs.joints[i, a]]]
    return float(GRAVITY * mass)


@kernel
def stand_as_published(
    body: SpatialBody, kin: SpatialKinematics, data: GaitData, state: GaitState, motors: Motors
) -> None:
    """Set the torques of all standing legs: virtual forces on each leg frame, and its torque (3.3).

    A leg frame is the link to which legs are attached, and the legs in front or behind. Its standing legs carry equal
    shares. The forces track velocity and height, and carry half the weight.

    Args:
        body: constants of the character.
        kin: state of the character.
        data: constants of the gait. `data.wanted` is read.
        state: state of the gait.
        motors: commands of all other joints; receives the torques of the standing legs.
    """
    for front in (True, False):
        n, first, reaction = 0.0, -1, (0.0, 0.0, 0.0)
        for i in range(data.legs.n_joints.size):
            if (data.legs.stance[i, 0] > 0.0) != front:
                continue
            first = i if first < 0 else first
            if state.leg[i, SWINGS] == 0.0:
                n += 1.0
                continue
            for a in range(data.legs.hips[i]):
                reaction = add(reaction, _moment(kin, motors, data.legs.joints[i, a]))
        if n == 0.0:
            continue
        link = body.parent[data.legs.joints[first, 0]]
        for k in range(data.others.size):
            j = data.others[k]
            if body.parent[j] == link:
                reaction = add(reaction, _moment(kin, motors, j))
            elif body.child[j] == link:
                reaction = subtract(reaction, _moment(kin, motors, j))
        # the moments of the joints on the frame are the opposite of those on their child links
        torque = scale(1.0 / n, add(_frame_torque(kin, data, state, first, link), reaction))
        force = scale(0.5 / n, (data.wanted[0], data.wanted[1], data.wanted[2]))
        for i in range(data.legs.n_joints.size):
            if (data.legs.stance[i, 0] > 0.0) != front or state.leg[i, SWINGS] != 0.0:
                continue
            for a in range(data.legs.n_joints[i]):
                j = data.legs.joints[i, a]
                motors.torque[j] -= along(data, i, a, (force, (0.0, 0.0, 0.0)))
                if a < data.legs.hips[i]:
                    motors.torque[j] -= dot(vector_at(kin.axis, j, 0), torque)


@kernel
def _moment(kin: SpatialKinematics, motors: Motors, j: int) -> Vector:
    """Return the moment of the motor of joint `j` on its child link, N m."""
    torque = motors.torque[j] + motors.kp[j] * (motors.target[j] - kin.joint[j, 0]) - motors.kd[j] * kin.joint[j, 1]
    return scale(torque, vector_at(kin.axis, j, 0))


@kernel
def _frame_torque(kin: SpatialKinematics, data: GaitData, state: GaitState, i: int, link: int) -> Vector:
    """Return half the moment that keeps the frame of leg `i`, which is `link`, level and in the desired heading."""
    values, frame = data.values, quaternion_at(kin.pose, link, 3)
    ahead, up = rotate(frame, vector_at(data.legs.frame, i, 0)), rotate(frame, vector_at(data.legs.frame, i, 3))
    spin, heading = vector_at(kin.twist, link, 3), math.atan2(ahead[1], ahead[0])
    fx, fy = math.cos(heading), math.sin(heading)
    off = cross(up, (0.0, 0.0, 1.0))
    roll = values.roll_kp * (off[0] * fx + off[1] * fy) - values.roll_kd * (spin[0] * fx + spin[1] * fy)
    pitch = values.pitch_kp * (off[1] * fx - off[0] * fy) - values.pitch_kd * (spin[1] * fx - spin[0] * fy)
    yaw = values.heading_kp * wrapped(state.times[HEADING] - heading)
    yaw += values.heading_kd * (state.motion[DESIRED + 2] - spin[2])
    roll, pitch = data.inertia[0] * roll, data.inertia[1] * pitch
    return scale(0.5, (roll * fx - pitch * fy, roll * fy + pitch * fx, data.inertia[2] * yaw))
