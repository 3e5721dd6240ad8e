"""Settings of ODE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.errors import SimulationError

Pins = Literal["distances", "balls", "hinges"]
Friction = Literal["cone", "box"]


@dataclass(frozen=True, slots=True)
class OdeSettings(WorldSettings):
    """Settings of ODE in SI units; decision records 0001 to 0003, 0009 and 0012 explain their defaults.

    >>> OdeSettings(dt=0.001, pins="balls").contact_erp
    0.2
    """

    erp: float = 0.3
    """Error reduction of joints per step, 0 to 1."""
    cfm: float = 1e-9
    """Compliance of joints (constraint force mixing)."""
    contact_erp: float = 0.2
    """Error reduction of contacts per step, 0 to 1."""
    contact_cfm: float = 1e-5
    """Compliance of contacts (constraint force mixing)."""
    pins: Pins = "distances"
    """Pins of joints: two distances of one constraint row each, a ball joint of three rows (with a Plane2D joint on the
    root), or a hinge of five rows."""
    friction_rows: int = 1
    """Friction rows of a contact; 1 for none across the plane."""
    friction: Friction = "cone"
    """Bound of friction: the cone of each contact's normal force, or ODE's box from a solution without friction."""

    def __post_init__(self) -> None:
        WorldSettings.__post_init__(self)  # super() fails in a dataclass with slots
        if self.pins not in ("distances", "balls", "hinges"):
            raise SimulationError(f"pins must be distances, balls or hinges, not '{self.pins}'")
        if self.friction not in ("cone", "box"):
            raise SimulationError(f"friction must be cone or box, not '{self.friction}'")
