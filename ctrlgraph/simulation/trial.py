"""Trials: the results of repeated rollouts at points of a parameter space, as sweeps, gates and reports use them."""

from __future__ import annotations

from dataclasses import dataclass

CRASHED = "crashed"
"""Status of a trial whose process died in every attempt."""

Point = tuple[tuple[str, float], ...]
"""Values of a sweep's axes as (name, value), in the order of the axes."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Result of one trial at one point."""

    target: str
    """What was tried: "walk", "walk->walk_to_stop" or a longer path."""
    point: Point
    index: int
    """Number of the trial at its point."""
    seed: int
    succeeded: bool
    """Whether the conditions of the target's nodes were fulfilled."""
    recovered: bool
    """Whether the trial succeeded and then reached the nearest static pose."""
    status: str
    """Status of the target's outcome, or of the failure before the target was reached. The next four fields describe
    the same outcome."""
    reason: str
    phase: int | None
    script: str | None
    line: int | None
    simulated_s: float
    """Simulated time since the target was entered, s."""
