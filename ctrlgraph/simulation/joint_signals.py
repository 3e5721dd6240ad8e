"""Signals of joints, which are the same in the plane and in space."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.pd import pd_torque
from ctrlgraph.simulation.moment import Moment

JOINT: dict[str, tuple[str, str]] = {
    "angle": ("rad", "angle of the child relative to the parent, clockwise"),
    "velocity": ("rad/s", "rate of the angle"),
    "target": ("rad", "target angle of the PD control; empty without one"),
    "asked": ("N m", "requested torque: kp (target - angle) - kd velocity, plus explicit torques"),
    "torque": ("N m", "torque of the joint in the step, within its limits"),
    "least": ("N m", "lower limit of the torque"),
    "greatest": ("N m", "upper limit of the torque"),
}
"""Unit and meaning of the columns of each joint. The column `angle` of the joint `rKnee` is called `angle.rKnee`. In
space, angles are positive anticlockwise about the axis of the joint."""


def joint_values(moment: Moment) -> Floats:
    """Return the values of the columns of all joints at a moment, (J * 7,)."""
    motors, angle, speed = moment.motors, moment.kinematics.joint[:, 0], moment.kinematics.joint[:, 1]
    pd: Floats = pd_torque.py_func(motors.kp, motors.kd, motors.target, angle, speed)  # type: ignore[attr-defined]  # numba
    free = (motors.kp == 0.0) & (motors.kd == 0.0)
    over = math.nan if moment.last else 0.0  # no step followed
    columns = (
        angle,
        speed,
        np.where(free, math.nan, motors.target),
        motors.torque + pd + over,
        moment.torque + over,
        motors.limit[:, 0],
        motors.limit[:, 1],
    )
    return np.stack(columns, axis=1).ravel()
