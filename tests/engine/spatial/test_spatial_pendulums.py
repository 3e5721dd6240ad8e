"""Pendulums and a top on a fixed base against an accurate integration and the closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.spatial_bench import Bench
from benchmarks.spatial_bodies import TOP_AXIAL, TOP_INERTIA, TOP_LENGTH, TOP_MASS, X, Y, double_pendulum, pendulum, top
from tests.engine.spatial.references import FixedTree

SWINGS = {
    "spherical": (pendulum(X, Y), (0.7, -0.4), (1.0, 2.0)),
    "double": (double_pendulum(), (0.6, 0.4), (0.0, 0.0)),
    "double across": (double_pendulum(Y, X), (0.6, 0.4), (0.0, 1.0)),
}


def errors(engine: str, swing: str, dt: float, duration: float = 2.0) -> np.ndarray:
    """Return the errors of the angles at intervals of 10 ms, rad."""
    character, angles, rates = SWINGS[swing]
    reference = FixedTree(character).motion(np.array(angles), np.array(rates), 0.005, round(duration / 0.005))
    history = Bench(engine, character, dt=dt).place(angles=angles, rates=rates).run(duration, every=round(0.01 / dt))
    return abs(history.joint[:, :, 0] - reference[1::2])


@pytest.mark.parametrize("swing", SWINGS)
def test_a_pendulum_swings_as_in_an_accurate_integration(swing, engine) -> None:
    coarse, fine = (errors(engine, swing, dt).max() for dt in (0.002, 0.0005))
    assert coarse < 0.015
    assert fine < 0.3 * coarse + 1e-6  # an error of the first order


def test_a_fast_top_precesses_at_the_rate_of_the_closed_form(engine) -> None:
    # ODE damps the spin of a top in proportion to the time step
    dt, relative, nutation = (1e-4, 0.03, 0.06) if engine == "ode" else (0.002, 0.001, 1e-6)
    tilt, spin = 0.5, 60.0
    inertia = (TOP_INERTIA + TOP_MASS * TOP_LENGTH**2) * math.cos(tilt)  # about the fixed point
    moment, angular = TOP_MASS * 9.81 * TOP_LENGTH, TOP_AXIAL * spin
    # steady precession: inertia rate^2 - angular rate + moment = 0
    rate = (angular - math.sqrt(angular**2 - 4.0 * inertia * moment)) / (2.0 * inertia)
    bench = Bench(engine, top(tilt), dt=dt).place(rates=(rate, 0.0, spin - rate * math.cos(tilt)))
    angles = bench.run(3.0).joint[:, :, 0]
    assert angles[-1, 0] / 3.0 == pytest.approx(rate, rel=relative)
    assert abs(angles[:, 1]).max() < nutation
