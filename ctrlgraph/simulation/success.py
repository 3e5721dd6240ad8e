"""Success of a rollout: the limits that are watched during the rollout, and the status at the end."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from ctrlgraph.control.controller import Departure
from ctrlgraph.engine import loop
from ctrlgraph.engine.planar_loop import Limits
from ctrlgraph.errors import SimulationError
from ctrlgraph.simulation import measures
from ctrlgraph.simulation.fall_prediction import FALLS
from ctrlgraph.simulation.measures import BOUNDS, Conditions, arc
from ctrlgraph.simulation.outcome import Status
from ctrlgraph.terrain.terrain import Terrain


def limits_of(last_step: int, bounds: Conditions, ground: Terrain) -> Limits:
    """Return the limits that end a rollout early, in the form that the simulation loop uses.

    Args:
        last_step: time step at which the rollout times out, counted from the simulation's start.
        bounds: range of each measure that is required at all times, by name of the measure.
        ground: the terrain.

    Raises:
        SimulationError: a measure in `bounds` cannot be watched, because it is not in `measures.BOUNDS`.
    """
    known = [name for name, each in BOUNDS.items() if each.course is not None]
    unknown = [name for name in bounds if name not in known]
    if unknown:
        raise SimulationError(f"the measure '{unknown[0]}' cannot be a bound: use {' or '.join(known)}")
    ranges = {name: bounds.get(name, (-math.inf, math.inf)) for name in known}
    ranges |= {name: arc(*ends) for name, ends in ranges.items() if BOUNDS[name].circular}
    watched = {name: np.array(ends, np.float64) for name, ends in ranges.items()}
    bridged = ground.bridged
    if bridged is ground:
        return Limits(last_step, **watched)
    return Limits(last_step, **watched, ground_x=bridged.x, ground_y=bridged.y)


def final_status(
    status: int,
    timeout: float,
    values: dict[str, float],
    success: Conditions,
    bounds: Conditions,
    departure: Departure | None = None,
) -> tuple[Status, str]:
    """Return how a rollout ended, and why; the reason is empty if the rollout completed.

    Args:
        status: last status code of the simulation loop. It is a code with which the loop ends (not in
            `loop.GOES_ON`), or one of `FALLS`.
        timeout: timeout of the rollout, s.
        values: values of the measures, by name.
        success: ranges of measures that are required at the end.
        bounds: ranges of measures that are required at all times.
        departure: the condition by which the controller ended; None if it did not end by itself.
    """
    if status == loop.BLEW_UP:
        return Status.DIVERGED, "the state became impossible (not finite, or too fast)"
    if status == loop.TIMED_OUT:
        return Status.TIMEOUT, f"not ended after {timeout:g} s"
    if status == loop.GAVE_UP:
        return Status.FAILED, "left as failed" if departure is None else _departure_text(departure)
    if status in FALLS:
        return Status.FAILED, f"a fall {FALLS[status]} is predicted"
    if status == loop.LEFT_BOUNDS:
        broken = measures.broken(values, bounds)
        return Status.FAILED, broken[0] if broken else "left its bounds"
    broken = measures.broken(values, success)
    return (Status.FAILED, broken[0]) if broken else (Status.COMPLETED, "")


def _departure_text(departure: Departure) -> str:
    place = departure.place
    return f"left as failed after '{departure.condition}' ({Path(place.path).name}:{place.line})"
