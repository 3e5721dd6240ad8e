"""The MuJoCo engine and its settings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from ctrlgraph.engine.engine import Engine, EngineLibrary
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.errors import SimulationError

Cone = Literal["pyramidal", "elliptic"]


@dataclass(frozen=True, slots=True)
class MujocoSettings(WorldSettings):
    """Settings of MuJoCo in SI units; decision record 0010 explains their defaults.

    The exact solver is Newton's method until convergence, the quick one projected Gauss-Seidel.

    >>> MujocoSettings(contact_time=0.01).dt
    0.002
    """

    cone: Cone = "pyramidal"
    """Shape of the friction cone."""
    contact_time: float = 0.005
    """Time constant of contacts and joint limits, s (first number of `solref`)."""
    contact_damping: float = 1.0
    """Damping ratio of contacts and joint limits (second number of `solref`)."""
    impedance: float = 0.95
    """Impedance at zero depth (first number of `solimp`)."""
    hard_impedance: float = 0.99
    """Impedance at the depth `impedance_width` (second number of `solimp`)."""
    impedance_width: float = 0.001
    """Depth at which the impedance is greatest, m (third number of `solimp`)."""

    def __post_init__(self) -> None:
        WorldSettings.__post_init__(self)  # super() fails in a dataclass with slots
        if self.cone not in ("pyramidal", "elliptic"):
            raise SimulationError(f"there is no cone '{self.cone}', only pyramidal and elliptic")
        if not (self.contact_time > 0.0 and self.contact_damping > 0.0 and self.impedance_width > 0.0):
            raise SimulationError("a contact's time, damping and width must be above 0")
        if not 0.0 < self.impedance <= self.hard_impedance < 1.0:
            raise SimulationError(
                "the impedance of a contact must be above 0 and at most its hard impedance, which must be below 1"
            )


@cache
def load() -> EngineLibrary:
    """Return the loaded library.

    Raises:
        EngineError: the library is missing or too old.
    """
    from ctrlgraph.engine.mujoco import library

    library.load()
    from ctrlgraph.engine.mujoco.bare_loop import MujocoBareLoop
    from ctrlgraph.engine.mujoco.stepper import KERNELS
    from ctrlgraph.engine.mujoco.world import MujocoWorld

    return EngineLibrary(KERNELS, MujocoWorld, library.message_count, library.version, MujocoBareLoop)


MUJOCO = Engine("mujoco", MujocoSettings, load)
