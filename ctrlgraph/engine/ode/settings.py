"""How ODE is run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ctrlgraph.engine.settings import WorldSettings
from ctrlgraph.errors import SimulationError

Pins = Literal["distances", "balls", "hinges"]
Friction = Literal["cone", "box"]


@dataclass(frozen=True, slots=True)
class OdeSettings(WorldSettings):
    """Settings of ODE; decision records 0001 to 0003, 0009 and 0012 say how they were chosen. SI units.

    pins: what holds two links together at a joint: two distances of one constraint row each, a ball joint of three
    rows (and a Plane2D joint on the root), or a hinge of five. friction: in the cone of each contact's normal force,
    or in the box that ODE takes of a solution without friction.

    >>> OdeSettings(dt=0.001, pins="balls").contact_erp
    0.2
    """

    erp: float = 0.3
    cfm: float = 1e-9
    contact_erp: float = 0.2
    contact_cfm: float = 1e-5
    pins: Pins = "distances"
    friction_rows: int = 1
    friction: Friction = "cone"

    def __post_init__(self) -> None:
        WorldSettings.__post_init__(self)  # super() does not find the class that slots have made anew
        if self.pins not in ("distances", "balls", "hinges"):
            raise SimulationError(f"there are no pins '{self.pins}', only distances, balls and hinges")
        if self.friction not in ("cone", "box"):
            raise SimulationError(f"there is no friction '{self.friction}', only cone and box")
