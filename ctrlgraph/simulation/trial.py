"""Trials of a sweep: results of simulations at points of a grid of perturbations, for gates and reports as well."""

from __future__ import annotations

from dataclasses import dataclass

CRASHED = "crashed"
"""Status of a trial whose worker process died each time it was tried."""

Point = tuple[tuple[str, float], ...]
"""A point of a sweep's grid: (name, value) of each axis (perturbation), in the order of the axes."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Result of one trial at one point of a sweep's grid."""

    target: str
    """The tested nodes: "walk", "walk->walk_to_stop" or a longer path."""
    point: Point
    """The point of the grid."""
    index: int
    """Number of the trial among those at the same point."""
    seed: int
    """Seed of the trial."""
    succeeded: bool
    """Whether the success conditions of the tested nodes were fulfilled."""
    recovered: bool
    """Whether the trial succeeded and then reached the nearest static pose."""
    status: str
    """Status of the outcome of the tested nodes, or of the failure before they were reached.

    The next four fields describe the same outcome.
    """
    reason: str
    """Why the outcome is not a success; empty on success."""
    phase: int | None
    """Phase of the controller at the end."""
    script: str | None
    """File of the script with this phase, relative to the project."""
    line: int | None
    """Line of this phase in the script."""
    simulated_s: float
    """Simulated time since the first tested node was entered, s."""
