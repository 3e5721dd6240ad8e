"""The motor commands of a step, as every engine takes them: an implicit PD motor is a velocity and a softness.

A joint with PD is a motor that drives the joint to a velocity `v`, and gives way: its torque in the step is
lambda = (v - v') / cfm with v' the joint's velocity after the step, within its limits. With what `motor_parameters`
makes of gains, target and torque, that is the PD law at the end of the step.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.kernels.arrays import Body, Floats, Kinematics, Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.pd import clipped, motor_parameters

# No part of a body moves faster; beyond this the simulation has blown up. m/s, rad/s, m
MAX_SPEED = 100.0
MAX_SPIN = 300.0
MAX_PLACE = 1e5

# A PD controller weaker than this (dt kp + kd, N m s/rad) is none: its motor would be all softness.
_LEAST_DAMPING = 1e-9


class Commands(NamedTuple):
    """Motor parameters of J joints, and the torques that came of them."""

    velocity: Floats  # (J,) rad/s
    cfm: Floats  # (J,) rad/s per N m
    limit: Floats  # (J, 2) least and greatest torque, N m; both 0: no motor
    explicit: Floats  # (J,) torque applied directly, N m
    applied: Floats  # (J,) torque of the last step, N m


def new_commands(n_joints: int) -> Commands:
    n = n_joints
    return Commands(np.zeros(n), np.zeros(n), np.zeros((n, 2)), np.zeros(n), np.zeros(n))


@kernel
def set_commands(body: Body, kin: Kinematics, motors: Motors, dt: float, commands: Commands) -> bool:
    """Turn PD targets and torques into motor parameters; a joint without PD gets its torque directly.

    False where one of them is not finite: the engine must not see it. A motor's velocity is kept to
    what saturates its torque at any speed that a body can have, so that absurd gains stay numbers.
    """
    for j in range(body.parent.size):
        kp, kd, lower, upper = motors.kp[j], motors.kd[j], motors.limit[j, 0], motors.limit[j, 1]
        if not math.isfinite(kp + kd + motors.target[j] + motors.torque[j] + upper - lower):
            return False
        if dt * kp + kd > _LEAST_DAMPING:
            velocity, cfm = motor_parameters(dt, kp, kd, motors.target[j], kin.joint[j, 0], motors.torque[j])
            if not math.isfinite(velocity):
                return False
            commands.velocity[j] = clipped(velocity, lower * cfm - 4.0 * MAX_SPIN, upper * cfm + 4.0 * MAX_SPIN)
            commands.cfm[j] = cfm
            commands.limit[j, 0], commands.limit[j, 1] = lower, upper
            commands.explicit[j] = 0.0
        else:
            commands.limit[j, 0] = commands.limit[j, 1] = 0.0
            commands.explicit[j] = clipped(motors.torque[j], lower, upper)
    return True


@kernel
def has_motor(commands: Commands, j: int) -> bool:
    """Tell whether a joint is driven by a motor, and not by an explicit torque."""
    return bool(commands.limit[j, 0] < commands.limit[j, 1])


@kernel
def motor_torque(commands: Commands, j: int, velocity: float) -> float:
    """Return what a joint's motor or its explicit torque has given it, N m; `velocity` after the step, rad/s."""
    if not has_motor(commands, j):
        return float(commands.explicit[j])
    torque = (commands.velocity[j] - velocity) / commands.cfm[j]
    return float(clipped(torque, commands.limit[j, 0], commands.limit[j, 1]))


@kernel
def is_saturated(commands: Commands, j: int, torque: float) -> bool:
    """Tell whether a motor's torque is at one of its limits."""
    return has_motor(commands, j) and not commands.limit[j, 0] < torque < commands.limit[j, 1]
