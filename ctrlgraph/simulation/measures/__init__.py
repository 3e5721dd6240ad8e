"""Quantities that success conditions and reports speak of, computed from a trace.

`MEASURES` has all of them; `register` makes a function one. `BOUNDS` are those that can be watched while a controller
runs: leaving the range stops it at once, as failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

# the order in which these register is that of the values
from ctrlgraph.simulation.measures import at_end, gait, mechanics, over_course, self_contact  # noqa: F401
from ctrlgraph.simulation.measures.conditions import Conditions, broken, scaled_conditions
from ctrlgraph.simulation.measures.motion import END_S, Motion
from ctrlgraph.simulation.measures.registry import HOW_TO_STATE, MEASURES, Measure, lacking, register, require

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.simulation.trace import Trace
    from ctrlgraph.terrain.profile import Terrain

__all__ = [
    "BOUNDS",
    "END_S",
    "HOW_TO_STATE",
    "MEASURES",
    "Conditions",
    "Measure",
    "Motion",
    "broken",
    "lacking",
    "measure",
    "register",
    "require",
    "scaled_conditions",
]

BOUNDS: dict[str, Measure] = MEASURES.bounds()


def measure(trace: Trace, character: Character, terrain: Terrain, gravity: float = Motion.gravity) -> dict[str, float]:
    """Return every measure of a trace that the character can have, by name; empty where the trace is.

    gravity: of the world in which it moved, m/s^2.
    """
    if len(trace) == 0:
        return {}
    motion = Motion(trace, character, terrain, gravity)
    return {name: each(motion) for name, each in MEASURES.items() if not each.missing(character)}
