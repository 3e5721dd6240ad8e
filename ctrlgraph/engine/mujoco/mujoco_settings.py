"""Settings of MuJoCo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.errors import SimulationError

Cone = Literal["pyramidal", "elliptic"]


@dataclass(frozen=True, slots=True)
class MujocoSettings(WorldSettings):
    """Settings of MuJoCo in SI units. Decision record 0010 explains the defaults.

    The solver "exact" is Newton's method until convergence; "quick" is projected Gauss-Seidel (PGS).

    >>> MujocoSettings(contact_time=0.01).dt
    0.002
    """

    cone: Cone = "pyramidal"
    """Shape of the friction cone: "pyramidal" or "elliptic"."""
    contact_time: float = 0.005
    """Time constant of contacts and joint limits, s (first number of MuJoCo's `solref`)."""
    contact_damping: float = 1.0
    """Damping ratio of contacts and joint limits (second number of MuJoCo's `solref`)."""
    impedance: float = 0.95
    """Impedance of contacts and joint limits at zero penetration, 0 to 1 (first number of MuJoCo's `solimp`)."""
    hard_impedance: float = 0.99
    """Impedance at the penetration `impedance_width` and beyond, 0 to 1 (second number of MuJoCo's `solimp`)."""
    impedance_width: float = 0.001
    """Penetration at which the impedance reaches its maximum, m or rad (third number of MuJoCo's `solimp`)."""

    def __post_init__(self) -> None:
        WorldSettings.__post_init__(self)  # super() fails in a dataclass with slots
        if self.cone not in ("pyramidal", "elliptic"):
            raise SimulationError(f"the setting 'cone' is '{self.cone}', but must be pyramidal or elliptic")
        if not (self.contact_time > 0.0 and self.contact_damping > 0.0 and self.impedance_width > 0.0):
            raise SimulationError("the settings contact_time, contact_damping and impedance_width must be above 0")
        if not 0.0 < self.impedance <= self.hard_impedance < 1.0:
            raise SimulationError("the settings must fulfil 0 < impedance <= hard_impedance < 1")
