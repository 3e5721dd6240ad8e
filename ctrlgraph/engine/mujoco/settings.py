"""How MuJoCo is run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ctrlgraph.engine.settings import WorldSettings
from ctrlgraph.errors import SimulationError

Cone = Literal["pyramidal", "elliptic"]


@dataclass(frozen=True, slots=True)
class MujocoSettings(WorldSettings):
    """Settings of MuJoCo; decision record 0010 says how they were chosen. SI units.

    solver: exact is Newton's method to its end, quick projected Gauss-Seidel with so many `iterations`.
    contact_time, contact_damping: of the spring that a contact or a joint's limit is (MuJoCo's `solref`).
    impedance, hard_impedance, impedance_width: the share of the force that it has from the first touch, that it has
    when deep, and how deep that is (the first three numbers of `solimp`).

    >>> MujocoSettings(contact_time=0.01).dt
    0.002
    """

    cone: Cone = "pyramidal"
    contact_time: float = 0.005
    contact_damping: float = 1.0
    impedance: float = 0.95
    hard_impedance: float = 0.99
    impedance_width: float = 0.001

    def __post_init__(self) -> None:
        WorldSettings.__post_init__(self)  # super() does not find the class that slots have made anew
        if self.cone not in ("pyramidal", "elliptic"):
            raise SimulationError(f"there is no cone '{self.cone}', only pyramidal and elliptic")
        if not (self.contact_time > 0.0 and self.contact_damping > 0.0 and self.impedance_width > 0.0):
            raise SimulationError("a contact's time, damping and width must be above 0")
        if not 0.0 < self.impedance <= self.hard_impedance < 1.0:
            raise SimulationError("a contact's impedance must be above 0, and its hard one at least as great, below 1")
