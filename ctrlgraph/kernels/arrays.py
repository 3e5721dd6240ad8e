"""Types of the arrays of kernels, and the commands of a control tick, which are the same in the plane and in space."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Motors(NamedTuple):
    """Commands of one control tick to the J joints: PD targets and explicit torques, with their limits."""

    target: Floats
    """Target angle of each joint (J,), rad."""
    kp: Floats
    """Stiffness of each joint (J,), N m/rad. A joint with kp = kd = 0 has no PD control."""
    kd: Floats
    """Damping of each joint (J,), N m s/rad."""
    torque: Floats
    """Torque added to the PD control of each joint (J,), N m. A positive torque turns the child link in the
    direction of positive angles."""
    limit: Floats
    """Minimum and maximum torque of each joint (J, 2), N m."""


def new_motors(n_joints: int) -> Motors:
    """Return commands for `n_joints` joints without PD control or torque: all values are 0."""
    target, kp, kd, torque = (np.zeros(n_joints) for _ in range(4))
    return Motors(target, kp, kd, torque, limit=np.zeros((n_joints, 2)))


def copy_arrays(group: Any) -> Any:
    """Return a named tuple with copies of all arrays of a named tuple, also of those in named tuples in it."""
    return type(group)(*(copy_arrays(each) if isinstance(each, tuple) else each.copy() for each in group))
