"""Pushes: planar external forces on links."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.arguments import checked
from ctrlgraph.character.model import Character
from ctrlgraph.errors import SimulationError, near_names, quoted

_MAX_PUSH = 1e5


@checked
@dataclass(frozen=True, slots=True)
class Push:
    """An external force on a link.

    >>> from ctrlgraph import Project, Push, Simulation
    >>> project = Project.find()
    >>> push = Push(start=0.2, duration=0.1, link="pelvis", x=400.0)
    >>> with Simulation(project.character, pushes=(push,)) as simulation:
    ...     _ = simulation.run(project.controller("stand"), timeout=0.4)
    ...     bool(simulation.trace.com_velocity[-1, 0] > 0.2)
    True
    """

    start: float
    """Simulated time of the beginning, s."""
    duration: float
    """Duration, s."""
    link: str
    """Name of the link; the force acts at its centre of mass."""
    x: float
    """Forward component, N."""
    y: float = 0.0
    """Upward component, N."""


def push_array(character: Character, pushes: Sequence[Push]) -> NDArray[np.float64]:
    """Return the pushes as rows: start, end, link, force x, force y (SI units).

    Raises:
        SimulationError: a link is unknown, or a number is out of range.
    """
    rows = np.zeros((len(pushes), 5))
    for row, push in zip(rows, pushes, strict=True):
        link = character.link_index(push.link)
        if link is None:
            hint = near_names(push.link, character.known_links, "links")
            raise SimulationError(f"the character {character.name} has no link {quoted(push.link)} {hint}")
        if not all(map(math.isfinite, (push.start, push.duration, push.x, push.y))):
            raise SimulationError(f"the numbers of the push on {quoted(push.link)} must be finite")
        if not push.duration > 0 or math.hypot(push.x, push.y) > _MAX_PUSH:
            raise SimulationError(
                f"the push on {quoted(push.link)} must last longer than 0 s and be no stronger than {_MAX_PUSH:g} N"
            )
        row[:] = push.start, push.start + push.duration, link, push.x, push.y
    return rows
