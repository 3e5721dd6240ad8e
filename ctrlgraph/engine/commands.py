"""Motor commands to the joints in a time step, in a form that all engines share.

A joint with PD control is a compliant velocity motor, with a target velocity v and a compliance cfm (constraint force
mixing). The motor's torque in the step is lambda = (v - v') / cfm, clipped to the torque limits, where v' is the
joint's velocity after the step. `motor_parameters` computes v and cfm from PD gains, target angle and explicit torque
such that lambda is the PD law evaluated at the end of the step.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.kernels.arrays import Floats, Ints, Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.pd import clipped, motor_parameters
from ctrlgraph.kernels.planar.arrays import Body, Kinematics
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody, SpatialKinematics


class Clock(NamedTuple):
    """Counters of the simulation loop since the start of the simulation, as arrays that kernels can change."""

    step: Ints
    """(1,) number of time steps."""
    energy: Floats
    """(1,) energy that the joints have spent: sum of the magnitudes of their work, J."""
    effort: Floats
    """(2,) sum over the joints of the integral of squared torque, (N m)^2 s, and of the time at a torque limit, s."""
    digest: NDArray[np.uint64]
    """(1,) hash of all states."""


MAX_SPEED = 100.0
"""Maximum speed of a link, m/s. A simulation that exceeds this or one of the next two values has diverged."""
MAX_ANGULAR_VELOCITY = 300.0
"""Maximum angular velocity of a link, rad/s."""
MAX_PLACE = 1e5
"""Maximum magnitude of the world coordinates of a link, m."""

# Minimum dt kp + kd of a PD motor, N m s/rad. Below it the joint has no motor.
_LEAST_DAMPING = 1e-9


class Commands(NamedTuple):
    """Motor parameters of J joints in a time step, and the torques that result from them.

    A motor is PD control in the form torque = (`velocity` - v) / `cfm`, where v is the joint's velocity after the step.
    """

    velocity: Floats
    """(J,) target velocity of each motor, rad/s."""
    cfm: Floats
    """(J,) compliance of each motor (constraint force mixing), rad/s per N m."""
    limit: Floats
    """(J, 2) minimum and maximum torque of each motor, N m; both are 0 for a joint without a motor."""
    explicit: Floats
    """(J,) torque that is applied directly to a joint without a motor, N m."""
    applied: Floats
    """(J,) torque of each joint in the last step, N m."""


def new_commands(n_joints: int) -> Commands:
    """Return the commands for `n_joints` joints without motors: all values are zero."""
    velocity, cfm, explicit, applied = (np.zeros(n_joints) for _ in range(4))
    return Commands(velocity, cfm, np.zeros((n_joints, 2)), explicit, applied)


@kernel
def set_commands(
    body: Body | SpatialBody, kin: Kinematics | SpatialKinematics, motors: Motors, dt: float, commands: Commands
) -> bool:
    """Convert the PD targets and torques of a controller to motor parameters.

    A joint whose gains are zero gets no motor, only its explicit torque. A motor's target velocity is clipped to a
    value that saturates its torque at any possible speed, so that the numbers remain finite even for absurd gains.

    Args:
        body: constants of the character.
        kin: state of the character before the step.
        motors: PD targets, gains, torques and torque limits from the controller.
        dt: time step, s.
        commands: receives the motor parameters. Its last torques limit the torques of this step if the joints have a
            maximum torque rate.

    Returns:
        False if a value of `motors` is not finite. The engine must not be called then.
    """
    for j in range(body.parent.size):
        kp, kd, lower, upper = motors.kp[j], motors.kd[j], motors.limit[j, 0], motors.limit[j, 1]
        if not math.isfinite(kp + kd + motors.target[j] + motors.torque[j] + upper - lower):
            return False
        lower, upper = available_torque(body, j, kin.joint[j, 1], commands.applied[j], dt, lower, upper)
        if dt * kp + kd > _LEAST_DAMPING and lower < upper:
            velocity, cfm = motor_parameters(dt, kp, kd, motors.target[j], kin.joint[j, 0], motors.torque[j])
            if not math.isfinite(velocity):
                return False
            commands.velocity[j] = clipped(
                velocity, lower * cfm - 4.0 * MAX_ANGULAR_VELOCITY, upper * cfm + 4.0 * MAX_ANGULAR_VELOCITY
            )
            commands.cfm[j] = cfm
            commands.limit[j, 0], commands.limit[j, 1] = lower, upper
            commands.explicit[j] = 0.0
        else:
            commands.limit[j, 0] = commands.limit[j, 1] = 0.0
            commands.explicit[j] = clipped(motors.torque[j], lower, upper)
    return True


@kernel
def available_torque(
    body: Body | SpatialBody, j: int, speed: float, applied: float, dt: float, lower: float, upper: float
) -> tuple[float, float]:
    """Return the torque limits of a joint in a time step, which depend on its speed and its last torque.

    The limit in the direction of the motion decreases linearly with the speed (Hill's curve without its curvature).
    A torque changes by at most `torque_rate` times the time step, but never remains above its limit.

    Args:
        body: constants of the character.
        j: index of the joint.
        speed: velocity of the joint before the step, rad/s.
        applied: torque of the joint in the last step, N m.
        dt: time step, s.
        lower: minimum torque at rest, N m.
        upper: maximum torque at rest, N m.
    """
    if speed > 0.0:
        upper *= max(0.0, 1.0 - speed / body.max_speed[j])
    else:
        lower *= max(0.0, 1.0 + speed / body.max_speed[j])
    change = body.torque_rate[j] * dt
    return max(lower, min(upper, applied - change)), min(upper, max(lower, applied + change))


@kernel
def has_motor(commands: Commands, j: int) -> bool:
    """Return whether the joint with the index `j` is driven by a motor, not by an explicit torque."""
    return bool(commands.limit[j, 0] < commands.limit[j, 1])


@kernel
def record_torque(commands: Commands, clock: Clock, j: int, velocity: float, dt: float) -> float:
    """Record the torque of a joint in a time step, and return the magnitude of its work, J.

    The torque is written to `commands.applied`. Its square and the time at a torque limit are added to `clock.effort`.

    Args:
        commands: motor commands of the step.
        clock: counters of the simulation loop.
        j: index of the joint.
        velocity: angular velocity of the joint after the step, rad/s.
        dt: time step, s.
    """
    torque = float(commands.explicit[j])
    if has_motor(commands, j):
        lower, upper = commands.limit[j, 0], commands.limit[j, 1]
        torque = clipped((commands.velocity[j] - velocity) / commands.cfm[j], lower, upper)
        if not lower < torque < upper:
            clock.effort[1] += dt
    commands.applied[j] = torque
    clock.effort[0] += torque * torque * dt
    return abs(torque * velocity) * dt
