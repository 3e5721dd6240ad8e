"""Quantities that success conditions and reports speak of, computed from a trace.

`MEASURES` has all of them; `register` makes a function one. `BOUNDS` are those that can be watched while a controller
runs: leaving the range stops it at once, as failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

# the order in which these register is that of the values
from ctrlgraph.simulation.measures import (  # noqa: F401
    at_end,
    gait,
    mechanics,
    on_hands,
    over_course,
    posture,
    power,
    self_contact,
    support,
)
from ctrlgraph.simulation.measures.conditions import (
    Conditions,
    arc,
    broken,
    in_turn,
    joined_conditions,
    overshoot,
    range_text,
    scaled_conditions,
)
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
    "arc",
    "broken",
    "in_turn",
    "joined_conditions",
    "lacking",
    "left_bounds",
    "measure",
    "measures_of",
    "overshoot",
    "range_text",
    "register",
    "require",
    "scaled_conditions",
]

BOUNDS: dict[str, Measure] = MEASURES.bounds()


def left_bounds(motion: Motion, bounds: Conditions) -> str:
    """Return which bound a motion leaves in one of its samples, in a sentence; empty where it leaves none."""
    for name, ends in bounds.items():
        course = BOUNDS[name].course
        for value in course(motion) if course is not None else ():
            if overshoot(name, float(value), *ends) != 0.0:
                return broken({name: float(value)}, {name: ends})[0]
    return ""


def measure(trace: Trace, character: Character, terrain: Terrain, gravity: float = Motion.gravity) -> dict[str, float]:
    """Return every measure of a trace that the character can have, by name; empty where the trace is.

    gravity: of the world in which it moved, m/s^2.
    """
    if len(trace) == 0:
        return {}
    return measures_of(Motion(trace.without_repeats(), character, terrain, gravity))


def measures_of(motion: Motion) -> dict[str, float]:
    """Return every measure of a motion that its character can have, by name."""
    return {name: each(motion) for name, each in MEASURES.items() if not each.missing(motion.character)}
