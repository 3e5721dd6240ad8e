"""Kernels shared by several kinds of controllers.

They are not in `controller`, so that this module can be imported without the compiler.
"""

from __future__ import annotations

from typing import Any

from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Kinematics


@kernel
def no_requests(state: Any) -> bool:
    """Return False, for kinds whose controllers never request to save or load the simulation's state."""
    return False


@kernel
def hold(kin: Kinematics, state: Any) -> None:
    """Set `state.held` (J,) to the current joint angles, rad: the joints' targets while no controller runs."""
    for j in range(state.held.size):
        state.held[j] = kin.joint[j, 0]
