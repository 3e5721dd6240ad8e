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
    """Settings of ODE in SI units. Decision records 0001 to 0003, 0009 and 0012 explain the defaults.

    >>> OdeSettings(dt=0.001, pins="balls").contact_erp
    0.2
    """

    erp: float = 0.3
    """ERP (error reduction parameter) of joints: fraction of a joint's position error that a step corrects, 0 to 1."""
    cfm: float = 1e-9
    """CFM (constraint force mixing) of joints: their compliance, in ODE's units."""
    contact_erp: float = 0.2
    """ERP of contacts: fraction of the penetration that a step corrects, 0 to 1."""
    contact_cfm: float = 1e-5
    """CFM of contacts: their compliance, in ODE's units."""
    pins: Pins = "distances"
    """Constraints that keep the two links of a joint together.

    "distances": two distance constraints with one constraint row each. "balls": a ball joint with three rows. "hinges":
    a hinge with five rows. With the last two, a Plane2D joint keeps the root in the plane.
    """
    friction_rows: int = 1
    """Number of friction directions of a contact: 1 along the ground only, 2 also across the plane of motion."""
    friction: Friction = "cone"
    """Limit of the friction of a contact.

    "cone": the coefficient times the normal force of the contact. "box": ODE's approximation, the coefficient times the
    normal force of a solution without friction.
    """

    def __post_init__(self) -> None:
        WorldSettings.__post_init__(self)  # super() fails in a dataclass with slots
        if self.pins not in ("distances", "balls", "hinges"):
            raise SimulationError(f"the setting 'pins' must be distances, balls or hinges, not '{self.pins}'")
        if self.friction not in ("cone", "box"):
            raise SimulationError(f"the setting 'friction' must be cone or box, not '{self.friction}'")
