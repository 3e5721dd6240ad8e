"""Splines over the phase: from coefficients to polynomials, and their values with two derivatives.

n coefficients of degree d define a clamped B-spline over [0, 1] with n - d pieces of equal length. For n = d + 1 it is
a Bezier curve. Fewer coefficients define a Bezier curve of degree n - 1; a single one defines a constant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Floats

REACH = 0.3
"""Distance beyond its ends over which a spline is linear, as a share of its range; farther out it is constant."""


def polynomials(coefficients: Sequence[float], degree: int) -> Floats:
    """Return a spline's pieces (P, d + 1), highest power first, each over its own [0, 1].

    Args:
        coefficients: (n,).
        degree: at most n - 1 is used.
    """
    from scipy.interpolate import BSpline, PPoly  # slow to import, needed by tracking files only

    order = min(degree, len(coefficients) - 1)
    pieces = len(coefficients) - order
    inner = np.linspace(0.0, 1.0, pieces + 1)
    knots = np.concatenate([np.zeros(order), inner, np.ones(order)])
    powers = PPoly.from_spline(BSpline(knots, np.asarray(coefficients, dtype=np.float64), order)).c
    powers = powers[:, order : order + pieces].T if order else np.asarray(coefficients, dtype=np.float64)[:, None]
    # from powers of the phase to powers of a piece's own share
    return np.ascontiguousarray(powers * (1.0 / pieces) ** np.arange(order, -1, -1))


@kernel
def evaluate(pieces: Floats, count: int, share: float, out: Floats) -> None:
    """Fill `out` with a spline's value and its first and second derivative with respect to the share.

    Args:
        pieces: (P, d + 1) polynomials.
        count: number of pieces that are used.
        share: of the range; beyond [0, 1] the spline is straight up to `REACH`, then constant.
        out: (3,) result.
    """
    inside = min(1.0, max(0.0, share))
    piece = min(count - 1, int(inside * count))
    x = inside * count - piece
    row = pieces[piece]
    value = slope = curvature = 0.0
    for k in range(row.size):
        curvature = curvature * x + 2.0 * slope
        slope = slope * x + value
        value = value * x + row[k]
    slope *= count
    curvature *= count * count
    if share != inside:
        beyond = share - inside
        curvature = 0.0
        if abs(beyond) < REACH:
            value += slope * beyond
        else:
            value += slope * math.copysign(REACH, beyond)
            slope = 0.0
    out[0], out[1], out[2] = value, slope, curvature
