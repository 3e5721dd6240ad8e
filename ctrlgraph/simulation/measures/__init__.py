"""Measures: quantities that are computed from the trace of a motion, for success conditions and reports.

`MEASURES` contains all measures by name, and `register` adds one. `BOUNDS` contains the measures that can be watched
during a rollout: if a watched measure leaves its range, the rollout fails immediately.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

# the order of these imports is the order of the measures
from ctrlgraph.simulation.measures import (  # noqa: F401
    at_end,
    gait,
    mechanics,
    on_hands,
    on_one_foot,
    over_course,
    posture,
    power,
    spatial_gait,
    spatial_measures,
    support,
)
from ctrlgraph.simulation.measures.base_motion import END_S, BaseMotion
from ctrlgraph.simulation.measures.planar_motion import Motion
from ctrlgraph.simulation.measures.ranges import (
    Conditions,
    arc,
    broken,
    in_turn,
    joined_conditions,
    overshoot,
    range_text,
    scaled_conditions,
)
from ctrlgraph.simulation.measures.registry import (
    MEASURES,
    Measure,
    also_in_space,
    lacking,
    register,
    register_in_space,
    remedy,
    require,
)
from ctrlgraph.simulation.measures.spatial_gait import GAITS, classify_gait, footfall_sequence
from ctrlgraph.simulation.measures.spatial_motion import SpatialMotion

if TYPE_CHECKING:
    from ctrlgraph.character.planar_model import PlanarCharacter
    from ctrlgraph.character.spatial_model import SpatialCharacter
    from ctrlgraph.simulation.recording.planar_trace import Trace
    from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
    from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain
    from ctrlgraph.terrain.terrain import Terrain

__all__ = [
    "BOUNDS",
    "END_S",
    "GAITS",
    "MEASURES",
    "BaseMotion",
    "Conditions",
    "Measure",
    "Motion",
    "SpatialMotion",
    "also_in_space",
    "arc",
    "broken",
    "classify_gait",
    "footfall_sequence",
    "in_turn",
    "joined_conditions",
    "lacking",
    "left_bounds",
    "measure",
    "measure_spatial",
    "measures_of",
    "overshoot",
    "range_text",
    "register",
    "register_in_space",
    "remedy",
    "require",
    "scaled_conditions",
]

BOUNDS: dict[str, Measure] = {name: each for name, each in MEASURES.own.items() if each.is_bound}
"""Measures that can be watched as bounds during a rollout, by name. Measures of packages are not among them."""


def left_bounds(motion: Motion | SpatialMotion, bounds: Conditions) -> str:
    """Return a message about the first measure that leaves its range in any sample of a motion; empty for none.

    Args:
        motion: the recorded motion.
        bounds: ranges by name of the measure. Each measure must be one of `BOUNDS`.
    """
    for name, ends in bounds.items():
        for value in BOUNDS[name].values(motion):
            if overshoot(name, float(value), *ends) != 0.0:
                return broken({name: float(value)}, {name: ends})[0]
    return ""


def measure(
    trace: Trace, character: PlanarCharacter, terrain: Terrain, gravity: float = Motion.gravity
) -> dict[str, float]:
    """Return the values of all measures of a trace, by name; empty for an empty trace.

    Measures that need links with a role that the character does not have are omitted.

    Args:
        trace: the recorded motion.
        character: the character that moved.
        terrain: the ground on which it moved.
        gravity: acceleration of gravity, m/s^2.
    """
    if len(trace) == 0:
        return {}
    return measures_of(Motion(trace.without_repeats(), character, terrain, gravity))


def measure_spatial(
    trace: SpatialTrace, character: SpatialCharacter, terrain: SpatialTerrain, gravity: float = Motion.gravity
) -> dict[str, float]:
    """Return the values of all measures of a trace in space, by name; empty for an empty trace.

    Measures that need links with a role that the character does not have are omitted.

    Args:
        trace: the recorded motion.
        character: the character that moved.
        terrain: the ground on which it moved.
        gravity: acceleration of gravity, m/s^2.
    """
    if len(trace) == 0:
        return {}
    return measures_of(SpatialMotion(trace.without_repeats(), character, terrain, gravity))


def measures_of(motion: Motion | SpatialMotion) -> dict[str, float]:
    """Return the values of measures of a motion, by name. Measures that need roles the character lacks are omitted."""
    return {name: each(motion) for name, each in MEASURES.items() if not each.missing(motion.character)}
