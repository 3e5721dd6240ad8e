"""Kernels shared by several kinds of controllers. They are separate from `controller`, which needs no compiler."""

from __future__ import annotations

from typing import Any

from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Kinematics


@kernel
def no_requests(state: Any) -> bool:
    """Return False: the controller never has requests."""
    return False


@kernel
def hold(kin: Kinematics, state: Any) -> None:
    """Set `state.held` (J,), the joint targets while no controller runs, to the present angles."""
    for j in range(state.held.size):
        state.held[j] = kin.joint[j, 0]
