"""Kernels (compiled functions) shared by several kinds of controllers.

They are not in the module `controller`, because that module must be importable without the compiler.
"""

from __future__ import annotations

from typing import Any

from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Kinematics


@kernel
def no_requests(state: Any) -> bool:
    """Return False: a controller of this kind never requests to save or load the simulation's state.

    Args:
        state: state of the controller, which is not used.
    """
    return False


@kernel
def hold(kin: Kinematics, state: Any) -> None:
    """Copy the current joint angles to `state.hold_angle`, the targets of the joints while no controller runs.

    Args:
        kin: current state of the character, with J joints.
        state: state of the controller; its array `hold_angle` (J,), rad, is filled.
    """
    for j in range(state.hold_angle.size):
        state.hold_angle[j] = kin.joint[j, 0]
