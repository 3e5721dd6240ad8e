"""Snapshots: exact copies of the states of simulations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.controller import JointTargets
from ctrlgraph.control.kinds import CONTROLLER_KINDS
from ctrlgraph.engine.disturbance import UnderWay


@dataclass(frozen=True)
class Snapshot:
    """Copy of everything on which the future of a simulation depends: the states of bodies, controller and engine.

    Pushes and torque noise are not included, because they depend only on the simulated time.
    """

    engine: str
    """Name of the engine."""
    bodies: NDArray[np.float64]
    """State of the bodies as the engine stores it; each engine has its own layout."""
    kinematics: Any
    """State of the links, joints and contacts."""
    kind: str | None
    """Name of the last controller's kind; None if no controller has been executed."""
    control: Any
    """State of the last controller, a named tuple of arrays; None without a controller."""
    step: int
    """Number of time steps since the simulation's start."""
    energy: float
    """Energy that the joints have spent since the simulation's start, J."""
    digest: int
    """Hash of all states since the simulation's start."""
    engine_seed: int
    """State of the engine's random generator."""
    delayed: UnderWay
    """Motor commands that the controller has given but that are not applied yet, because of a delay."""
    torque: NDArray[np.float64]
    """(J,) torques of the joints in the last time step, N m, from which the next ones change."""
    saved: Mapping[str, tuple[NDArray[np.float64], Any]]
    """States (bodies as in `bodies`, and kinematics) that scripts have saved by the command SAVE, by name."""

    @property
    def x(self) -> float:
        """Return the forward position of the centre of mass, m."""
        return float(self.kinematics.com[0])

    @property
    def hold_targets(self) -> JointTargets:
        """Return the PD targets that the last controller set for the joints; no targets without a controller."""
        n_joints = len(self.kinematics.joint)
        if self.kind is None:
            return JointTargets.none(n_joints)
        return CONTROLLER_KINDS[self.kind].joint_targets(self.control, n_joints)


def overwrite_arrays(group: Any, values: Any) -> None:
    """Copy the values of the arrays in the named tuple `values` into the arrays of the named tuple `group`."""
    for array, value in zip(group, values, strict=True):
        array[...] = value
