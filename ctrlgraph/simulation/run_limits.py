"""Bounds that are watched while a controller runs; leaving one ends the run."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.engine.planar_loop import Limits
from ctrlgraph.errors import SimulationError
from ctrlgraph.simulation.measures import BOUNDS, Conditions, arc
from ctrlgraph.terrain.terrain import Terrain


def limits_of(last_step: int, bounds: Conditions, ground: Terrain) -> Limits:
    """Return the limits of a run for the compiled loop.

    Args:
        last_step: step at which the run times out.
        bounds: bounds to watch.
        ground: reference ground of heights.

    Raises:
        SimulationError: a bound is not in `measures.BOUNDS`.
    """
    unknown = [name for name in bounds if name not in BOUNDS]
    if unknown:
        raise SimulationError(f"'{unknown[0]}' cannot be a bound, only {', '.join(BOUNDS)}")
    ranges = {name: bounds.get(name, (-math.inf, math.inf)) for name in BOUNDS}
    ranges |= {name: arc(*ends) for name, ends in ranges.items() if BOUNDS[name].circular}
    watched = {name: np.array(ends, np.float64) for name, ends in ranges.items()}
    bridged = ground.bridged
    if bridged is ground:
        return Limits(last_step, **watched)
    return Limits(last_step, **watched, ground_x=bridged.x, ground_y=bridged.y)
