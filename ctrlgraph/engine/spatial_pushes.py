"""Pushes in space: external forces on points of links during an interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ctrlgraph.arguments import checked
from ctrlgraph.character.spatial_model import SpatialCharacter, Vector
from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.errors import SimulationError, near_names, quoted
from ctrlgraph.kernels.arrays import Floats

_MAX_PUSH = 1e5
_MAX_DISTANCE = 100.0


@checked
@dataclass(frozen=True, slots=True)
class SpatialPush:
    """A constant external force on a point of a link during an interval.

    >>> SpatialPush(start=0.2, duration=0.1, link="trunk", force=(0.0, 200.0, 0.0)).point
    (0.0, 0.0, 0.0)
    """

    start: float
    """Simulated time at which the force begins, s."""
    duration: float
    """Duration of the force, s."""
    link: str
    """Name of the link."""
    force: Vector
    """Force in the world frame, N."""
    point: Vector = (0.0, 0.0, 0.0)
    """Point of application from the link's centre of mass, in the frame of the link, m. It moves with the link."""


def spatial_push_array(character: SpatialCharacter, pushes: Sequence[SpatialPush | Push]) -> Floats:
    """Return P pushes as an array (P, 9), see `Disturbance.pushes`.

    Args:
        character: the character that is pushed.
        pushes: the pushes. A `Push` acts at the centre of mass of its link.

    Raises:
        SimulationError: a push names an unknown link, or a number is out of range or not finite.
    """
    rows = np.zeros((len(pushes), 9))
    for row, given in zip(rows, pushes, strict=True):
        push = given if isinstance(given, SpatialPush) else _in_space(given)
        link = character.link_index(push.link)
        if link is None:
            hint = near_names(push.link, character.known_links, "links")
            raise SimulationError(f"the character {character.name} has no link {quoted(push.link)} {hint}")
        numbers = (push.start, push.duration, *push.force, *push.point)
        if len(push.force) != 3 or len(push.point) != 3 or not all(map(math.isfinite, numbers)):
            raise SimulationError(
                f"the push on {quoted(push.link)} needs finite numbers, three for 'force' and three for 'point'"
            )
        if not push.duration > 0 or math.hypot(*push.force) > _MAX_PUSH:
            raise SimulationError(f"the push on {quoted(push.link)} must last above 0 s with at most {_MAX_PUSH:g} N")
        if math.hypot(*push.point) > _MAX_DISTANCE:
            raise SimulationError(
                f"the 'point' of the push on {quoted(push.link)} must be at most {_MAX_DISTANCE:g} m from its centre"
            )
        row[:] = push.start, push.start + push.duration, link, *push.force, *push.point
    return rows


def _in_space(push: Push) -> SpatialPush:
    return SpatialPush(push.start, push.duration, push.link, (push.x, push.side, push.y))
