"""Splines over [0, 1], the relative position of theta in its range: conversion to polynomials, and evaluation.

The variable of a spline is the *share*: the position of theta in the range of a stage, 0 at its start and 1 at its end.
n coefficients and the degree d define a clamped B-spline over [0, 1] with n - d polynomial pieces of equal length. For
n = d + 1 it is a Bezier curve. Fewer coefficients define a Bezier curve of degree n - 1. A single coefficient defines a
constant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel

REACH = 0.3
"""Distance beyond 0 and 1 over which a spline continues linearly; farther out it is constant."""


def polynomials(coefficients: Sequence[float], degree: int) -> Floats:
    """Convert a B-spline over [0, 1] to polynomials, one for each of its P pieces.

    Args:
        coefficients: (n,) B-spline coefficients.
        degree: degree d of the spline; n - 1 if that is smaller.

    Returns:
        (P, d + 1) coefficients of the P polynomials, highest power first. The variable of each polynomial is 0 at the
        start of its piece and 1 at the end.
    """
    from scipy.interpolate import BSpline, PPoly  # slow to import, needed by tracking files only

    order = min(degree, len(coefficients) - 1)
    pieces = len(coefficients) - order
    inner = np.linspace(0.0, 1.0, pieces + 1)
    knots = np.concatenate([np.zeros(order), inner, np.ones(order)])
    powers = PPoly.from_spline(BSpline(knots, np.asarray(coefficients, dtype=np.float64), order)).c
    powers = powers[:, order : order + pieces].T if order else np.asarray(coefficients, dtype=np.float64)[:, None]
    # the variable of a piece is from 0 to 1
    return np.ascontiguousarray(powers * (1.0 / pieces) ** np.arange(order, -1, -1))


@kernel
def evaluate(pieces: Floats, count: int, share: float, out: Floats) -> None:
    """Fill `out` with the value of a spline at `share`, and its first and second derivative.

    Args:
        pieces: (at least count, d + 1) polynomials of the spline, as `polynomials` returns them.
        count: number of polynomials.
        share: variable of the spline. Beyond [0, 1] the spline is linear up to a distance of `REACH`, then constant.
        out: (3,) result: value, first and second derivative with respect to `share`.
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
