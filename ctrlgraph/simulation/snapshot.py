"""A snapshot: everything that the future of a simulation depends on, bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.controller import HeldTargets
from ctrlgraph.control.kinds import CONTROLLER_KINDS
from ctrlgraph.engine.disturbance import UnderWay
from ctrlgraph.kernels.arrays import Kinematics


@dataclass(frozen=True)
class Snapshot:
    """A state of bodies, control and engine; `saved` are the states that controllers have saved by name.

    bodies: as the engine of this name keeps them. kind: of the last controller, None where none has run; control: its
    state, a named tuple of arrays.
    Pushes and torque noise are no part of the state: they act by the simulation's clock as long as they are set.
    """

    engine: str
    bodies: NDArray[np.float64]
    kinematics: Kinematics
    kind: str | None
    control: Any
    step: int
    energy: float
    digest: int
    engine_seed: int
    delayed: UnderWay
    saved: Mapping[str, tuple[NDArray[np.float64], Kinematics]]

    @property
    def held(self) -> HeldTargets:
        """Return what the last controller drives the joints to."""
        if self.kind is None:
            return HeldTargets.nothing(len(self.kinematics.joint))
        return CONTROLLER_KINDS[self.kind].held(self.control)
