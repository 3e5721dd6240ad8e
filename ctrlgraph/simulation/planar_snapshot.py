"""Snapshots: exact states of planar simulations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.controller import JointTargets
from ctrlgraph.control.kinds import CONTROLLER_KINDS
from ctrlgraph.engine.disturbance import UnderWay
from ctrlgraph.kernels.planar.arrays import Kinematics


@dataclass(frozen=True)
class Snapshot:
    """State of bodies, controller and engine, on which the future of a simulation depends.

    Pushes and torque noise are not part of the state: they depend on the simulation's clock only.
    """

    engine: str
    """Name of the engine."""
    bodies: NDArray[np.float64]
    """State of the bodies in the layout of the engine."""
    kinematics: Kinematics
    kind: str | None
    """Kind of the last controller; None if none has run."""
    control: Any
    """State of the last controller, a named tuple of arrays."""
    step: int
    """Steps since the simulation's start."""
    energy: float
    """Energy spent by the joints since the start, J."""
    digest: int
    """Hash of all states since the start."""
    engine_seed: int
    """Random state of the engine."""
    delayed: UnderWay
    """Delayed commands."""
    saved: Mapping[str, tuple[NDArray[np.float64], Kinematics]]
    """States that controllers have saved, by name."""

    @property
    def x(self) -> float:
        """Return the forward position of the centre of mass, m."""
        return float(self.kinematics.com[0])

    @property
    def held(self) -> JointTargets:
        """Return the joint targets of the last controller."""
        n_joints = len(self.kinematics.joint)
        if self.kind is None:
            return JointTargets.none(n_joints)
        return CONTROLLER_KINDS[self.kind].joint_targets(self.control, n_joints)


def overwrite_arrays(group: Any, values: Any) -> None:
    """Copy the values of a named tuple of arrays into the arrays of another one."""
    for array, value in zip(group, values, strict=True):
        array[...] = value
