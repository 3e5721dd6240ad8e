"""Figures of the physics suite of spatial characters, which the tests in tests/engine/spatial bound."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from benchmarks.spatial_bench import Bench
from benchmarks.spatial_bodies import (
    TOP_AXIAL,
    TOP_INERTIA,
    TOP_LENGTH,
    TOP_MASS,
    X,
    Y,
    Z,
    ball,
    creature,
    pendulum,
    top,
)
from tests.engine.spatial.references import FixedTree
from tests.engine.spatial.test_spatial_contact import box_on_slope
from tests.engine.spatial.test_spatial_free_motion import drifts
from tests.engine.spatial.test_spatial_pendulums import errors

DT = 0.002


def _fall(engine: str) -> str:
    n = np.arange(1, 501)
    position = Bench(engine, ball(height=20.0), dt=DT).place(velocity=(1, 2, 3)).run(1.0).pose[:, 0, :3]
    expected = np.transpose([DT * n, 2 * DT * n, 20 + 3 * DT * n - 9.81 * DT * DT * n * (n + 1) / 2])
    return f"{abs(position - expected).max():.0e}"


def _tumble(engine: str, dt: float) -> str:
    linear, angular, energy = drifts(engine, dt)
    return f"{linear:.0e}, {100 * angular:.3f} %, {100 * energy:.3f} %"


def _swing(engine: str, name: str) -> str:
    return ", ".join(f"{1e3 * errors(engine, name, dt).max():.2f}" for dt in (DT, DT / 4))


def _precession(engine: str, dt: float) -> str:
    tilt, spin = 0.5, 60.0
    inertia, moment = (TOP_INERTIA + TOP_MASS * TOP_LENGTH**2) * math.cos(tilt), TOP_MASS * 9.81 * TOP_LENGTH
    angular = TOP_AXIAL * spin
    rate = (angular - math.sqrt(angular**2 - 4.0 * inertia * moment)) / (2.0 * inertia)
    bench = Bench(engine, top(tilt), dt=dt).place(rates=(rate, 0.0, spin - rate * math.cos(tilt)))
    return f"{100 * abs(bench.run(3.0).joint[-1, 0, 0] / 3.0 / rate - 1.0):.2f} %"


def _rolling(engine: str) -> str:
    speed = Bench(engine, ball(), friction=0.3).place(velocity=(1.0, 0, 0)).run(1.0).twist[-1, 0, 0]
    return f"{100 * abs(speed / (5 / 7) - 1.0):.2f} %"


def _box_rests(engine: str) -> str:
    return f"{1e3 * np.linalg.norm(box_on_slope(engine, 'slope', 20.0)[0]):.3f}"


def _box_slides(engine: str) -> str:
    moved, downhill = box_on_slope(engine, "slope", 35.0)
    acceleration = 9.81 * (math.sin(math.radians(35)) - 0.5 * math.cos(math.radians(35)))
    return f"{100 * abs(moved @ downhill / (1.5 * acceleration) - 1.0):.2f} %"


def _motor(engine: str, *axes: tuple[int, int, int]) -> str:
    kp, kd, n = 40.0, 1.5, len(axes)
    body, start, target = pendulum(*axes, kp=kp, kd=kd), np.array([0.3, -0.2, 0.5])[:n], np.array([0.8, 0.5, -0.4])[:n]
    bench = Bench(engine, body, dt=DT).place(angles=start)
    bench.motors.target[:] = target
    expected = FixedTree(body).implicit_motor_steps(start, np.zeros(n), kp, kd, target, DT, 500)
    return f"{1e3 * abs(bench.run(1.0).joint[:, :, 0] - expected).max():.1g}"


def _creep(engine: str) -> str:
    bench = Bench(engine, creature()).place()
    # the tail and the neck settle first
    start, later = bench.run(5.0, every=2500).pose[-1, :, :3], bench.run(60.0, every=30000).pose[-1, :, :3]
    return f"{1e3 * abs(later - start).max():.4f}"


FIGURES: dict[str, Callable[[str], str]] = {
    "free fall for 1 s: deviation from the parabola of the time step, m": _fall,
    "tumbling free body, 10 s at 2 ms: change in momentum, kg m/s; in angular momentum; in energy": (
        lambda engine: _tumble(engine, DT)
    ),
    "the same at 0.5 ms": lambda engine: _tumble(engine, DT / 4),
    "spherical pendulum, 2 s at 2 ms and at 0.5 ms: error of the angle, mrad": lambda e: _swing(e, "spherical"),
    "double pendulum with crossed axes, the same": lambda engine: _swing(engine, "double across"),
    "fast top (60 rad/s), at 2 ms and at 0.1 ms: error of the rate of precession": (
        lambda engine: ", ".join(_precession(engine, dt) for dt in (DT, DT / 20))
    ),
    "sliding ball: error of the speed at which it rolls in the end": _rolling,
    "box on 20 degrees, friction 0.5: displacement in 1 s, mm": _box_rests,
    "box on 35 degrees, friction 0.5: error of the acceleration": _box_slides,
    "PD step response of a hinge, 1 s: deviation from the implicit step, mrad": lambda engine: _motor(engine, Y),
    "of a universal joint": lambda engine: _motor(engine, X, Y),
    "of a ball joint": lambda engine: _motor(engine, X, Y, Z),
    "animal of 30 links at rest: displacement of a link from 5 s to 65 s, mm": _creep,
}
"""Figures by their descriptions: functions of the name of the engine."""
