"""Proportional-derivative control: targets that persist, and the implicit form that ODE's motors take."""

from __future__ import annotations

from ctrlgraph.control.arrays import (
    LIPOSE_TARGET,
    MATCH_TARGET,
    NO_TARGET,
    TARGET_DURATION,
    TARGET_GOAL,
    TARGET_KIND,
    TARGET_MATCH,
    TARGET_START,
    TARGET_TIME,
    ControlState,
    Kinematics,
)
from ctrlgraph.control.jit import kernel


@kernel
def clipped(value: float, limit: float) -> float:
    """The value moved into [-limit, limit]."""
    return max(-limit, min(limit, value))


@kernel
def pd_torque(kp: float, kd: float, target: float, angle: float, velocity: float) -> float:
    """kp (target - angle) - kd velocity; a torque that turns clockwise is positive (Firmin 2014, 3.1.1)."""
    return kp * (target - angle) - kd * velocity


@kernel
def motor_parameters(
    dt: float, kp: float, kd: float, target: float, angle: float, torque: float
) -> tuple[float, float]:
    """Velocity and CFM that make a motor row of ODE an implicit PD controller with an added torque.

    ODE solves v' + CFM lambda = Vel for the velocity v' after the step. With ih = dt kp + kd,
    CFM = 1 / ih and Vel = (kp (target - q) + torque) / ih this is
    lambda = kp (target - q - dt v') - kd v' + torque: the PD law at the end of the step, stable at any gain.
    """
    ih = dt * kp + kd
    return (kp * (target - angle) + torque) / ih, 1.0 / ih


@kernel
def current_target(state: ControlState, kin: Kinematics, joint: int, time: float) -> tuple[bool, float]:
    """Whether the joint has a PD target now, and the angle it asks for (POSE, LIPOSE, MATCH)."""
    kind = state.target_kinds[joint, TARGET_KIND]
    if kind == NO_TARGET:
        return False, 0.0
    goal = state.targets[joint, TARGET_GOAL]
    if kind == MATCH_TARGET:
        goal = kin.joint[state.target_kinds[joint, TARGET_MATCH], 0]
    duration = state.targets[joint, TARGET_DURATION]
    if kind in (LIPOSE_TARGET, MATCH_TARGET) and duration > 0.0:
        share = min(1.0, (time - state.targets[joint, TARGET_TIME]) / duration)
        start = state.targets[joint, TARGET_START]
        return True, start + share * (goal - start)
    return True, goal
