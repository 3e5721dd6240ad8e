"""Proportional-derivative control: the explicit law, and its implicit form for motors."""

from __future__ import annotations

from ctrlgraph.kernels.jit import kernel


@kernel
def clipped(value: float, lower: float, upper: float) -> float:
    """Return the value clipped to [lower, upper]."""
    return max(lower, min(upper, value))


@kernel
def pd_torque(kp: float, kd: float, target: float, angle: float, velocity: float) -> float:
    """Return the torque kp (target - angle) - kd velocity, N m, positive clockwise (Firmin 2014, 3.1.1).

    Args:
        kp: stiffness, N m/rad.
        kd: damping, N m s/rad.
        target: target angle, rad.
        angle: measured angle, rad.
        velocity: measured angular velocity, rad/s.
    """
    return kp * (target - angle) - kd * velocity


@kernel
def motor_parameters(
    dt: float, kp: float, kd: float, target: float, angle: float, torque: float
) -> tuple[float, float]:
    """Return two parameters with which a joint motor of ODE becomes an implicit PD controller with an added torque.

    They are the motor's target velocity Vel and its compliance CFM (constraint force mixing). ODE solves v' + CFM
    lambda = Vel for the velocity v' after the step and the motor's torque lambda. With ih = dt kp + kd, CFM = 1 / ih
    and Vel = (kp (target - angle) + torque) / ih this is lambda = kp (target - angle - dt v') - kd v' + torque: the PD
    law at the end of the step, stable at any gain.

    Args:
        dt: duration of the step, s.
        kp: stiffness, N m/rad.
        kd: damping, N m s/rad.
        target: target angle, rad.
        angle: angle before the step, rad.
        torque: torque added to the PD law, N m.

    Returns:
        Vel, rad/s, and CFM, rad/(N m s).
    """
    ih = dt * kp + kd
    return (kp * (target - angle) + torque) / ih, 1.0 / ih
