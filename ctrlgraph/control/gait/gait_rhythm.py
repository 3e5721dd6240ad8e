"""Rhythm of a gait: the motion of the trunk in a cycle in which the standing legs cannot keep height and tilt constant.

The legs that stand carry the weight of the whole cycle. While no leg stands, the character falls freely; while it
stands on one side only, the moment of its weight turns it. The rhythm is the periodic motion by these forces. It is
zero for gaits with feet on both sides of the centre of mass at all times, such as walks and trots.
"""

from __future__ import annotations

import numpy as np

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.constants import GRAVITY

SAMPLES = 120
"""Number of samples of a cycle."""

_NEAR = 0.1
"""Distance of the centre of mass from the support, in units of its height, up to which legs keep the tilt constant."""


def rhythm(swing: Floats, feet: Floats, height: float, mass: float, inertia: Floats) -> Floats:
    """Return the motion of the trunk in a cycle, (SAMPLES, 3, 3).

    The second index is that of the upward motion, in m, the roll and the pitch, in rad. The third one is that of the
    acceleration, the velocity divided by the period, and the displacement divided by the square of the period.

    Args:
        swing: start and duration of the swing of each point of the feet, fractions of the period, (P, 2).
        feet: places of the standing points, forward and to the left of the centre of mass, m, (P, 2).
        height: height of the centre of mass, m.
        mass: mass of the character, kg.
        inertia: moments of inertia about the forward, left and upward axes, kg m^2, (3,).
    """
    phase = (np.arange(SAMPLES) + 0.5) / SAMPLES
    stands = (phase[:, None] - swing[:, 0]) % 1.0 >= swing[:, 1]
    carries = stands.any(axis=1)
    found = np.zeros((SAMPLES, 3, 3))
    if not carries.any():
        return found
    force = mass * GRAVITY * carries / carries.mean()
    found[:, 0, 0] = force / mass - GRAVITY
    for k in np.flatnonzero(carries):
        x, y = _nearest(feet[stands[k]])
        if np.hypot(x, y) > _NEAR * height:
            found[k, 1, 0], found[k, 2, 0] = y * force[k] / inertia[0], -x * force[k] / inertia[1]
    found[:, :, 0] -= found[:, :, 0].mean(axis=0)
    for order in (1, 2):
        found[:, :, order] = np.cumsum(found[:, :, order - 1], axis=0) - 0.5 * found[:, :, order - 1]
        found[:, :, order] = (found[:, :, order] - found[:, :, order].mean(axis=0)) / SAMPLES
    return found


def _nearest(feet: Floats) -> Floats:
    """Return the point of the convex hull of feet (M, 2) that is nearest to the origin, m."""
    ends = feet if len(feet) > 1 else np.vstack([feet, feet])
    best = ends[0]
    for a, b in ((a, b) for i, a in enumerate(ends) for b in ends[i + 1 :]):
        along = b - a
        share = np.clip(-(a @ along) / max(along @ along, 1e-12), 0.0, 1.0)
        point = a + share * along
        best = point if point @ point < best @ best else best
    # the origin is inside if no half-plane through it contains all feet
    angles = np.sort(np.arctan2(feet[:, 1], feet[:, 0]))
    gaps = np.diff(np.append(angles, angles[0] + 2.0 * np.pi))
    return np.zeros(2) if gaps.max() < np.pi else best
