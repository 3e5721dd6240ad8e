"""Bounds that are watched while a controller runs: leaving one ends it at once."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.engine.loop import Limits
from ctrlgraph.errors import SimulationError
from ctrlgraph.simulation.measures import BOUNDS, Conditions, arc
from ctrlgraph.terrain.profile import Terrain, flat

LEVEL_GROUND = flat()


def limits_of(last_step: int, bounds: Conditions, ground: Terrain = LEVEL_GROUND) -> Limits:
    """Return the step to stop at, the bounds, and the ground that heights are told above, as the loop reads them.

    Raises:
        SimulationError: a bound is none of `measures.BOUNDS`.
    """
    unknown = [name for name in bounds if name not in BOUNDS]
    if unknown:
        raise SimulationError(f"'{unknown[0]}' cannot be watched, only {', '.join(BOUNDS)}")
    ranges = {name: bounds.get(name, (-math.inf, math.inf)) for name in BOUNDS}
    ranges |= {name: arc(*ends) for name, ends in ranges.items() if BOUNDS[name].circular}
    watched = {name: np.array(ends, np.float64) for name, ends in ranges.items()}
    bridged = ground.bridged
    if bridged is ground:
        return Limits(last_step, **watched)
    return Limits(last_step, **watched, ground_x=bridged.x, ground_y=bridged.y)
