"""Splines over the phase equal those of scipy, and are straight just beyond their ends."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import BSpline

from ctrlgraph.control.tracking.splines import REACH, evaluate, polynomials


def at(pieces: np.ndarray, share: float) -> np.ndarray:
    out = np.zeros(3)
    evaluate(pieces, len(pieces), share, out)
    return out


@pytest.mark.parametrize(("count", "degree"), [(7, 6), (1, 6), (3, 6), (9, 3), (12, 5), (64, 3)])
def test_values_and_derivatives_are_those_of_a_clamped_b_spline(count: int, degree: int) -> None:
    coefficients = np.random.default_rng(count).normal(size=count)
    order = min(degree, count - 1)
    knots = np.concatenate([np.zeros(order), np.linspace(0, 1, count - order + 1), np.ones(order)])
    spline = BSpline(knots, coefficients, order)
    pieces = polynomials(coefficients.tolist(), degree)
    for share in np.linspace(0.0, 0.999, 37):
        wanted = [spline(share), spline(share, 1) if order else 0.0, spline(share, 2) if order > 1 else 0.0]
        np.testing.assert_allclose(at(pieces, share), wanted, rtol=1e-7, atol=1e-7)


def test_beyond_its_ends_a_spline_is_straight_and_then_constant() -> None:
    pieces = polynomials([0.0, 0.0, 1.0], 6)
    value, slope, _ = at(pieces, 1.0)
    assert at(pieces, 1.1) == pytest.approx([value + 0.1 * slope, slope, 0.0])
    assert at(pieces, 5.0) == pytest.approx([value + REACH * slope, 0.0, 0.0])
    assert at(pieces, -5.0) == pytest.approx([0.0, 0.0, 0.0])
