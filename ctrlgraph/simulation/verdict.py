"""Verdicts: the status of a run from the result of the loop and the conditions."""

from __future__ import annotations

from pathlib import Path

from ctrlgraph.control.controller import Departure
from ctrlgraph.engine import planar_loop as loop
from ctrlgraph.simulation import measures
from ctrlgraph.simulation.measures import Conditions
from ctrlgraph.simulation.outcome import Status


def verdict(
    status: int,
    timeout: float,
    values: dict[str, float],
    success: Conditions,
    bounds: Conditions,
    departure: Departure | None = None,
) -> tuple[Status, str]:
    """Return how a run ended, and the reason, which is empty on success.

    Args:
        status: result of the compiled loop (`loop.ENDED` or a later constant).
        timeout: timeout of the run, s.
        values: measures of the run.
        success: conditions at the end.
        bounds: bounds during the run.
        departure: the transition or end by which the controller ended.
    """
    if status == loop.BLEW_UP:
        return Status.DIVERGED, "the state became impossible (not finite, or too fast)"
    if status == loop.TIMED_OUT:
        return Status.TIMEOUT, f"not ended after {timeout:g} s"
    if status == loop.GAVE_UP:
        return Status.FAILED, "left as failed" if departure is None else _departure_text(departure)
    if status == loop.LEFT_BOUNDS:
        broken = measures.broken(values, bounds)
        return Status.FAILED, broken[0] if broken else "left its bounds"
    broken = measures.broken(values, success)
    return (Status.FAILED, broken[0]) if broken else (Status.COMPLETED, "")


def _departure_text(departure: Departure) -> str:
    place = departure.place
    return f"left as failed after '{departure.condition}' ({Path(place.path).name}:{place.line})"
