"""The world of a live motion, and what changes in it at moments of the motion: pushes, slope, friction, engine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from ctrlgraph.engine.pushes import Push
from ctrlgraph.simulation.environment import MAX_FRICTION
from ctrlgraph.terrain.profile import FAR, Terrain, terrain_of

AHEAD = 0.8
"""m: so far before the centre of mass the ground begins to rise where its slope is changed under way."""

MAX_SLOPE = 30.0
"""Degrees."""

MAX_EVENTS = 200


@dataclass(frozen=True, slots=True)
class WorldChange:
    """From a moment (s of the motion) on another slope of the ground ahead (degrees), another friction or another
    engine; what is None stays."""

    time: float
    slope: float | None = None
    friction: float | None = None
    engine: str | None = None


Event = Push | WorldChange


def moment_of(event: Event) -> float:
    """Return when an event begins, s of the motion."""
    return event.start if isinstance(event, Push) else event.time


def first_difference(before: Sequence[Event], after: Sequence[Event]) -> float:
    """Return the moment (s) up to which two courses of events are the same; infinity where they are."""
    different = set(before) ^ set(after)
    return min(map(moment_of, different), default=math.inf)


def in_order(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return events by their moments."""
    return tuple(sorted(events, key=moment_of))


def common_changes(before: Sequence[Event], after: Sequence[Event]) -> int:
    """Return how many changes of the world two courses of events, each in order, have in common before they differ."""
    changes = ([event for event in events if isinstance(event, WorldChange)] for events in (before, after))
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*changes, strict=False)))


@dataclass(frozen=True)
class LiveWorld:
    """The ground and the engine."""

    terrain: Terrain
    engine: str

    def changed(self, change: WorldChange, x: float) -> LiveWorld:
        """Return the world after a change, made while the centre of mass is at x (m)."""
        terrain = self.terrain
        if change.slope is not None:
            terrain = bent(terrain, x + AHEAD, min(max(change.slope, -MAX_SLOPE), MAX_SLOPE))
        if change.friction is not None:
            terrain = replace(terrain, friction=min(max(change.friction, 0.0), MAX_FRICTION))
        return LiveWorld(terrain, change.engine or self.engine)


def bent(terrain: Terrain, x: float, slope: float) -> Terrain:
    """Return the ground as it is up to x (m), and rising with a slope (degrees) from there on."""
    before = [(float(a), float(b)) for a, b in zip(terrain.x, terrain.y, strict=True) if a < x]
    height = terrain.height(x)
    points = [*(before or [(x - 1.0, terrain.height(x - 1.0))]), (x, height)]
    rise = math.tan(math.radians(slope))
    return terrain_of(
        f"slope={slope:g} from {x:.2f} m on", [*points, (FAR, height + rise * (FAR - x))], terrain.friction
    )
