"""Standing soles of a gait: flat, or on their front edge if the leg would otherwise be too short."""

from __future__ import annotations

import math

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.control.gait.gait_arrays import FOOTHOLD, LYING, ROLLED, GaitData, GaitState
from ctrlgraph.control.gait.gait_leg import Motion, foot_place, has_sole
from ctrlgraph.control.gait.legged_body import INNER
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_rotation import (
    add,
    conjugate,
    cross,
    dot,
    product,
    quaternion_at,
    rotate,
    rotate_back,
    rotation_vector,
    scale,
    subtract,
    vector_at,
)

_STRETCHED = 0.985
"""Distance of the ankle from the hip beyond which the heel rises, as a fraction of that of a straight leg."""
_STEEPEST = 1.0
"""Maximum angle of a sole that stands on its front edge, rad."""
_FREQUENCY = 40.0
"""Frequency of the control of this angle, rad/s."""


@kernel
def sole_change(kin: SpatialKinematics, data: GaitData, state: GaitState, i: int, fx: float, fy: float) -> Motion:
    """Return the acceleration of the standing foot of leg `i`, m/s^2 and rad/s^2: 0 unless its heel rises.

    The angle by which the heel rises is set in the state.

    Args:
        kin: state of the character.
        data: constants of the gait.
        state: state of the gait.
        i: index of the leg.
        fx: component of the heading along x.
        fy: component of the heading along y.
    """
    still = (0.0, 0.0, 0.0)
    if not has_sole(data, i):
        return still, still
    legs, link = data.legs, data.legs.foot[i]
    now, lying, foot = quaternion_at(kin.pose, link, 3), quaternion_at(state.leg, i, LYING), foot_place(kin, data, i)
    ankle = kin.place[legs.joints[i, legs.n_joints[i] - 1]]
    local = rotate_back(now, subtract((ankle[0], ankle[1], ankle[2]), foot))
    flat = add(vector_at(state.leg, i, FOOTHOLD), rotate(lying, local))
    hip = vector_at(kin.place, legs.joints[i, legs.hips[i] - 1], 0)
    away = subtract(hip, flat)
    distance, toe = math.sqrt(dot(away, away)), vector_at(legs.toe, i, 0)
    lever = toe[0] - rotate(quaternion_at(legs.level, i, 0), local)[0]
    angle = (distance - _STRETCHED * legs.reach[i]) / max(lever, 1e-3)
    if angle <= 0.0 or away[0] * fx + away[1] * fy <= 0.0 or lever <= 0.0:
        state.leg[i, ROLLED] = 0.0
        return still, still
    state.leg[i, ROLLED] = min(angle, _STEEPEST)
    rate = dot(away, (kin.com[3], kin.com[4], kin.com[5])) / (distance * lever) if angle < _STEEPEST else 0.0
    axis, spin = (-fy, fx, 0.0), vector_at(kin.twist, link, 3)
    off = subtract(scale(state.leg[i, ROLLED], axis), rotation_vector(product(now, conjugate(lying))))
    slower = subtract(scale(rate, axis), spin)
    w = _FREQUENCY
    turn = add(scale(w * w, off), scale(2.0 * w, slower))
    arm = rotate(now, scale(-1.0, rotate_back(quaternion_at(legs.level, i, 0), toe)))
    return add(cross(turn, arm), cross(spin, cross(spin, arm))), turn


@kernel
def ground_point(data: GaitData, state: GaitState, p: int) -> Vector:
    """Return the place of a point of a foot on the ground at the last foothold, m.

    It is inside the sole, but on the edge of a sole that stands on this edge.
    """
    i, arm = data.legs.owner[p], vector_at(data.legs.arm, p, 0)
    if state.leg[i, ROLLED] > 0.0:
        arm = scale(1.0 / INNER, arm)
    return add(vector_at(state.leg, i, FOOTHOLD), rotate(quaternion_at(state.leg, i, LYING), arm))


@kernel
def is_loaded(data: GaitData, state: GaitState, p: int) -> bool:
    """Return whether a point of a standing foot is to press on the ground: the heel does not if it rises."""
    return bool(state.leg[data.legs.owner[p], ROLLED] <= 0.0 or data.legs.spread[p, 0] > 0.0)
