"""Forces of the ground on the links of a character in a time step, with the point at which each acts."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.kernels.arrays import Floats, Ints


class GroundForces(NamedTuple):
    """Forces of the ground on L links in D dimensions.

    The force of the ground on a link is equivalent to `force` at the point `pressure` and the moment `moment`. The
    centre of pressure is the mean of the contact points, weighted by their upward forces.
    """

    force: Floats
    """(L, D) force on each link, N."""
    pressure: Floats
    """(L, D) centre of pressure of each link, m; NaN without upward force."""
    moment: Floats
    """(L, 1) or (L, 3) moment of the ground about the centre of pressure of each link, N m: clockwise in the plane, and
    about x, y and z in space; 0 without upward force."""
    whole_pressure: Floats
    """(D,) centre of pressure of all links, m; NaN without upward force."""


def ground_forces(link: Ints, point: Floats, force: Floats, n_links: int) -> GroundForces:
    """Return the forces of the ground on the links, for the forces at C contacts.

    Args:
        link: index of the link of each contact (C,).
        point: position of each contact (C, D), m. The last coordinate is the height.
        force: force of the ground on the link at each contact (C, D), N.
        n_links: number of links, L.
    """
    dimensions = point.shape[1]
    upward = force[:, -1]
    total, weighted = np.zeros((n_links, dimensions)), np.zeros((n_links, dimensions))
    np.add.at(total, link, force)
    np.add.at(weighted, link, upward[:, None] * point)
    load = total[:, -1:]
    pressure = np.full_like(weighted, np.nan)
    np.divide(weighted, load, out=pressure, where=load > 0.0)
    arm = point - pressure[link]
    clockwise = arm[:, 1:2] * force[:, :1] - arm[:, :1] * force[:, 1:2]
    turning = clockwise if dimensions == 2 else np.cross(arm, force)
    moment = np.zeros((n_links, turning.shape[1]))
    np.add.at(moment, link, np.nan_to_num(turning))
    whole = float(upward.sum())
    middle = [float(upward @ point[:, d]) / whole if whole > 0.0 else math.nan for d in range(dimensions)]
    return GroundForces(total, pressure, moment, np.array(middle))
