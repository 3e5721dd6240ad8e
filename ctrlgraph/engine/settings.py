"""How an engine is run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ctrlgraph.errors import SimulationError

Solver = Literal["exact", "quick"]


@dataclass(frozen=True, slots=True)
class WorldSettings:
    """How the engine is run; decision records 0001 to 0003 say how these were chosen. SI units.

    >>> from ctrlgraph import WorldSettings
    >>> WorldSettings(dt=0.001, solver="quick").iterations
    50
    """

    dt: float = 0.002
    solver: Solver = "exact"
    iterations: int = 50
    gravity: float = 9.81
    erp: float = 0.2
    cfm: float = 1e-9
    contact_erp: float = 0.2
    contact_cfm: float = 1e-5
    hinges: bool = False
    friction_rows: int = 1

    def __post_init__(self) -> None:
        if not 1e-5 <= self.dt <= 0.02:
            raise SimulationError(f"a time step of {self.dt:g} s is not within 0.00001 and 0.02 s")
        if self.solver not in ("exact", "quick"):
            raise SimulationError(f"there is no solver '{self.solver}', only exact and quick")
        if self.iterations < 1:
            raise SimulationError(f"the solver needs at least one iteration, not {self.iterations}")
