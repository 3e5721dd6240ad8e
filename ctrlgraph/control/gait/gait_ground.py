"""Estimate of the ground by the last footholds: a plane for the trunk, one for the next footholds, and unevenness."""

from __future__ import annotations

import math

from ctrlgraph.control.gait.gait_arrays import FEET, SLOW, TOUCHED, UNEVEN, GaitData, GaitState
from ctrlgraph.control.gait.gait_sole import ground_point
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.pd import clipped
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialKinematics

_SETTLES = 0.15
"""Time constant of the estimated slope, s."""
_FOLLOWS = 1.5
"""Time constant of the slope for footholds on uneven ground, s."""
_REMEMBERS = 1.0
"""Time constant of the mean square distance of the footholds from the plane, s."""
_EVEN = 0.007
"""Root mean square distance of the footholds from the plane up to which the ground is even, in units of the height."""
_EXPLAINS = 3.0
"""Largest difference of the two slopes, in standard errors that the unevenness explains."""


@kernel
def estimate_ground(kin: SpatialKinematics, data: GaitData, state: GaitState, fx: float, fy: float, dt: float) -> None:
    """Fit a plane to the last footholds by least squares. Its slopes are smoothed, and nearly 0 where unknown.

    A foot that has not touched the ground since the start does not count, unless none has.

    Args:
        kin: state of the character.
        data: constants of the gait.
        state: state of the gait.
        fx: component of the heading along x.
        fy: component of the heading along y.
        dt: time since the last tick, s.
    """
    any_touched, n = False, 0.0
    for i in range(data.legs.n_joints.size):
        any_touched = any_touched or state.leg[i, TOUCHED] != 0.0
    xx = yy = xy = x1 = y1 = xz = yz = z1 = zz = 0.0
    for p in range(data.legs.owner.size):
        if any_touched and state.leg[data.legs.owner[p], TOUCHED] == 0.0:
            continue
        x, y, z = ground_point(data, state, p)
        x, y = x - kin.com[0], y - kin.com[1]
        xx, yy, xy = xx + x * x, yy + y * y, xy + x * y
        x1, y1, z1, n = x1 + x, y1 + y, z1 + z, n + 1.0
        xz, yz, zz = xz + x * z, yz + y * z, zz + z * z
    # about the mean of the footholds
    xx, yy, xy = xx - x1 * x1 / n + 1e-4, yy - y1 * y1 / n + 1e-4, xy - x1 * y1 / n
    xz, yz, zz = xz - x1 * z1 / n, yz - y1 * z1 / n, zz - z1 * z1 / n
    determinant = xx * yy - xy * xy
    along, across = (yy * xz - xy * yz) / determinant, (xx * yz - xy * xz) / determinant
    share, plane = min(dt / _SETTLES, 1.0), state.plane
    plane[0] += share * (along - plane[0])
    plane[1] += share * (across - plane[1])
    plane[2] = (z1 - along * x1 - across * y1) / n
    for k in range(3):
        plane[FEET + k] = plane[k]
    if data.legs.owner.size > data.legs.n_joints.size or n < 4.0:
        return  # three footholds are always on a plane, and the points of a sole are not independent
    plane[UNEVEN] += min(dt / _REMEMBERS, 1.0) * (max(zz - along * xz - across * yz, 0.0) / n - plane[UNEVEN])
    uneven = unevenness(data, state)
    if uneven == 0.0:
        plane[SLOW], plane[SLOW + 1] = plane[0], plane[1]
        return
    # on uneven ground, the slope for footholds changes slowly, unless the unevenness does not explain the difference
    share = min(dt / _FOLLOWS, 1.0)
    for k in range(2):
        plane[SLOW + k] += share * (plane[k] - plane[SLOW + k])
    x, y = plane[SLOW] - plane[0], plane[SLOW + 1] - plane[1]
    most = _EXPLAINS * uneven * math.sqrt(n / (n - 3.0))
    wide = most / math.sqrt(fy * fy * xx - 2.0 * fx * fy * xy + fx * fx * yy)
    long = most / math.sqrt(fx * fx * xx + 2.0 * fx * fy * xy + fy * fy * yy)
    ahead, aside = clipped(fx * x + fy * y, -long, long), clipped(fx * y - fy * x, -wide, wide)
    plane[FEET], plane[FEET + 1] = plane[0] + ahead * fx - aside * fy, plane[1] + ahead * fy + aside * fx
    plane[FEET + 2] = (z1 - plane[FEET] * x1 - plane[FEET + 1] * y1) / n


@kernel
def unevenness(data: GaitData, state: GaitState) -> float:
    """Return by how much the distance of footholds from a plane exceeds that on even ground, m; 0 on even ground."""
    return max(math.sqrt(state.plane[UNEVEN]) - _EVEN * data.values.height, 0.0)
