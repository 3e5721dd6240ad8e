"""PD control against the analytic response of a driven rotor, explicit and implicit."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.kernels.pd import clipped, motor_parameters, pd_torque

gains = st.floats(1.0, 2000.0)


def analytic_response(inertia: float, kp: float, kd: float, target: float, time: float) -> float:
    """Angle of a rotor at rest at 0 under kp (target - q) - kd q', underdamped."""
    natural, decay = math.sqrt(kp / inertia), kd / (2 * inertia)
    ringing = math.sqrt(natural**2 - decay**2)
    swing = math.cos(ringing * time) + decay / ringing * math.sin(ringing * time)
    return target * (1 - math.exp(-decay * time) * swing)


def test_a_driven_rotor_follows_the_analytic_step_response() -> None:
    inertia, kp, kd, target, dt = 0.5, 300.0, 5.0, 0.7, 1e-5
    angle = velocity = 0.0
    for _ in range(20000):
        velocity += pd_torque(kp, kd, target, angle, velocity) / inertia * dt
        angle += velocity * dt
    assert angle == pytest.approx(analytic_response(inertia, kp, kd, target, 0.2), abs=1e-3)


@given(
    kp=gains, kd=gains, target=st.floats(-3, 3), angle=st.floats(-3, 3), v=st.floats(-20, 20), extra=st.floats(-99, 99)
)
def test_the_motor_row_is_the_pd_law_at_the_end_of_the_step(kp, kd, target, angle, v, extra) -> None:
    """Solving v' = v + dt/I lambda with lambda = (Vel - v') / CFM gives the PD law of the new state."""
    dt, inertia = 0.002, 0.03
    wanted, cfm = motor_parameters(dt, kp, kd, target, angle, extra)
    after = (v + dt / inertia * wanted / cfm) / (1 + dt / inertia / cfm)
    torque = (wanted - after) / cfm
    assert torque == pytest.approx(kp * (target - angle - dt * after) - kd * after + extra, rel=1e-6, abs=1e-6)


@given(value=st.floats(-1e4, 1e4), limit=st.floats(0, 1e3))
def test_clipping_keeps_what_is_within_the_limit_and_the_sign_of_what_is_not(value, limit) -> None:
    result = clipped(value, -limit, limit)
    assert abs(result) <= limit
    assert result == value or (abs(value) > limit and result == math.copysign(limit, value))
