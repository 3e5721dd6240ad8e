"""A snapshot: everything that the future of a simulation depends on, bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.script.state import ControlState
from ctrlgraph.engine.disturbance import UnderWay
from ctrlgraph.kernels.arrays import Kinematics


@dataclass(frozen=True)
class Snapshot:
    """A state of bodies, control and engine; `saved` are the states that scripts have saved by name.

    Pushes and torque noise are no part of the state: they act by the simulation's clock as long as they are set.
    """

    bodies: NDArray[np.float64]
    kinematics: Kinematics
    control: ControlState
    step: int
    energy: float
    digest: int
    engine_seed: int
    delayed: UnderWay
    saved: Mapping[str, tuple[NDArray[np.float64], Kinematics]]
