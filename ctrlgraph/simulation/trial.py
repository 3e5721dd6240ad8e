"""Trials of a sweep: results of simulations at points of a grid of perturbations, for gates and reports as well."""

from __future__ import annotations

from dataclasses import dataclass

CRASHED = "crashed"
"""Status of a trial whose worker process died in every attempt."""

Point = tuple[tuple[str, float], ...]
"""A point of a sweep's grid: (name, value) of each axis (perturbation), in the order of the axes."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Result of one trial: the simulation of the tested nodes with the perturbations of one point of a sweep's grid."""

    target: str
    """The tested nodes: "walk", "walk->walk_to_stop" or a longer path."""
    point: Point
    """Value of each perturbation at the point of the grid."""
    index: int
    """Number of the trial among the trials at the same point, from 0."""
    seed: int
    """Seed of the trial."""
    succeeded: bool
    """Whether the success conditions of the tested nodes were fulfilled."""
    recovered: bool
    """Whether the trial succeeded and then reached the nearest static pose."""
    status: str
    """How the tested nodes ended or, if a node before them failed, how that node ended (see `outcome.Status`).

    The next four fields describe the same node.
    """
    reason: str
    """Why the node failed; empty on success."""
    phase: int | None
    """Phase in which the node ended; None without phases."""
    script: str | None
    """Path of the script with this phase, relative to the project; None without phases."""
    line: int | None
    """Line at which this phase begins in the script; None without phases."""
    simulated_s: float
    """Simulated time since the first tested node was entered, s."""
