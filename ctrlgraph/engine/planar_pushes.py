"""Pushes: external forces on links during an interval, forward and upward."""

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
    """A constant external force on a link during an interval.

    >>> from ctrlgraph import Project, Push, Simulation
    >>> project = Project.find()
    >>> push = Push(start=0.2, duration=0.1, link="pelvis", x=400.0)
    >>> with Simulation(project.character, pushes=(push,)) as simulation:
    ...     _ = simulation.run(project.controller("stand"), timeout=0.4)
    ...     bool(simulation.trace.com_velocity[-1, 0] > 0.2)
    True
    """

    start: float
    """Simulated time at which the force begins, s."""
    duration: float
    """Duration of the force, s."""
    link: str
    """Name of the link. The force acts at the centre of mass of the link."""
    x: float
    """Forward component of the force, N."""
    y: float = 0.0
    """Upward component of the force, N."""
    side: float = 0.0
    """Component of the force to the left, N; only for characters in space."""


def push_array(character: Character, pushes: Sequence[Push]) -> NDArray[np.float64]:
    """Return P pushes as an array (P, 5): start and end, s; index of the pushed link; x and y of the force, N.

    Raises:
        SimulationError: a push names an unknown link, or a number is out of range or not finite.
    """
    rows = np.zeros((len(pushes), 5))
    for row, push in zip(rows, pushes, strict=True):
        link = character.link_index(push.link)
        if link is None:
            hint = near_names(push.link, character.known_links, "links")
            raise SimulationError(f"the character {character.name} has no link {quoted(push.link)} {hint}")
        if push.side != 0.0:
            raise SimulationError(f"the planar character {character.name} cannot be pushed to the side")
        if not all(map(math.isfinite, (push.start, push.duration, push.x, push.y))):
            raise SimulationError(f"the numbers of the push on {quoted(push.link)} must be finite")
        if not push.duration > 0 or math.hypot(push.x, push.y) > _MAX_PUSH:
            raise SimulationError(f"the push on {quoted(push.link)} must last above 0 s with at most {_MAX_PUSH:g} N")
        row[:] = push.start, push.start + push.duration, link, push.x, push.y
    return rows
