"""Bodies in free flight against the closed form, and conservation of momentum, angular momentum and energy."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.spatial_bench import Bench, character, link
from benchmarks.spatial_bodies import ball

ASYMMETRIC = character([link("body", 1.0, (0.02, 0.05, 0.06), (0, 0, 5))])


def test_a_body_falls_on_the_parabola_of_the_time_step(engine) -> None:
    dt, n = 0.002, np.arange(1, 501)
    position = Bench(engine, ball(height=20.0), dt=dt).place(velocity=(1, 2, 3)).run(1.0).pose[:, 0, :3]
    expected = np.transpose([dt * n, 2 * dt * n, 20 + 3 * dt * n - 9.81 * dt * dt * n * (n + 1) / 2])
    np.testing.assert_allclose(position, expected, atol=1e-9)


def drifts(engine: str, dt: float) -> tuple[float, float, float]:
    """Return the changes in momentum, kg m/s, and the relative ones in angular momentum and energy, in 10 s."""
    bench = Bench(engine, ASYMMETRIC, gravity=0.0, dt=dt)
    bench.place(orientation=(0.5, 0.5, 0.5, 0.5), velocity=(0.3, 0, 0), spin=(0.3, 5.0, 0.2))
    start, motion = bench.now().motion[0], bench.run(10.0).motion
    linear, angular = (np.linalg.norm(motion[:, k : k + 3] - start[k : k + 3], axis=1).max() for k in (0, 3))
    return linear, angular / np.linalg.norm(start[3:6]), abs(motion[:, 6] / start[6] - 1.0).max()


def test_a_tumbling_body_keeps_its_momentum_and_nearly_its_angular_momentum_and_energy(engine) -> None:
    linear, angular, energy = drifts(engine, dt=0.002)
    assert linear < 1e-12
    assert angular < 0.006
    assert energy < 0.005


@pytest.mark.slow
def test_the_drift_of_angular_momentum_and_energy_is_proportional_to_the_time_step(engine) -> None:
    coarse, fine = drifts(engine, dt=0.002)[1:], drifts(engine, dt=0.0005)[1:]
    assert np.less(fine, np.multiply(0.3, coarse) + 1e-9).all()
