"""The world of a live motion, and events: pushes, and changes of slope, friction or engine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.simulation.environment import MAX_FRICTION
from ctrlgraph.terrain.terrain import FAR, Terrain, terrain_of

SLOPE_CHANGE_AHEAD = 0.8
"""Distance ahead of the centre of mass at which a new slope begins, m."""

MAX_SLOPE = 30.0
"""Maximum slope, degrees."""

MAX_EVENTS = 200
"""Maximum number of events of a motion."""


@dataclass(frozen=True, slots=True)
class WorldChange:
    """A change of the world during the motion. A field that is None keeps its value."""

    time: float
    """Time since the beginning of the motion, s."""
    slope: float | None = None
    """Slope of the ground ahead, degrees, positive if it rises forward."""
    friction: float | None = None
    """Friction coefficient."""
    engine: str | None = None
    """Name of the engine."""


Event = Push | WorldChange


def event_data(event: Event) -> dict[str, Any]:
    """Return an event as JSON data."""
    if isinstance(event, Push):
        return {"push": event.link, "time": event.start, "duration": event.duration, "x": event.x, "y": event.y}
    return {"time": event.time, "slope": event.slope, "friction": event.friction, "engine": event.engine}


def start_of(event: Event) -> float:
    """Return the time at which an event begins, s since the beginning of the motion."""
    return event.start if isinstance(event, Push) else event.time


def first_difference(before: Sequence[Event], after: Sequence[Event]) -> float:
    """Return the time at which two lists of events begin to differ, s.

    Args:
        before: Old events.
        after: New events.

    Returns:
        The time; infinity if both lists have the same events.
    """
    different = set(before) ^ set(after)
    return min(map(start_of, different), default=math.inf)


def sorted_events(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return events sorted by time."""
    return tuple(sorted(events, key=start_of))


def common_changes(before: Sequence[Event], after: Sequence[Event]) -> int:
    """Return the number of changes of the world, from the first one on, that are equal in two sorted lists of events.

    Args:
        before: Old events.
        after: New events.
    """
    changes = ([event for event in events if isinstance(event, WorldChange)] for events in (before, after))
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*changes, strict=False)))


@dataclass(frozen=True)
class LiveWorld:
    """World of a live motion: its terrain and its engine."""

    terrain: Terrain
    engine: str

    def changed(self, change: WorldChange, x: float) -> LiveWorld:
        """Return the world after a change.

        Args:
            change: Change to make.
            x: Position of the centre of mass at the time of the change, m.
        """
        terrain = self.terrain
        if change.slope is not None:
            terrain = with_slope_from(terrain, x + SLOPE_CHANGE_AHEAD, min(max(change.slope, -MAX_SLOPE), MAX_SLOPE))
        if change.friction is not None:
            terrain = replace(terrain, friction=min(max(change.friction, 0.0), MAX_FRICTION))
        return LiveWorld(terrain, change.engine or self.engine)


def with_slope_from(terrain: Terrain, x: float, slope: float) -> Terrain:
    """Return a terrain that is unchanged up to x and has a constant slope beyond x.

    Args:
        terrain: Terrain to change.
        x: Position at which the slope begins, m.
        slope: Slope, degrees, positive if it rises forward.
    """
    before = [(float(a), float(b)) for a, b in zip(terrain.x, terrain.y, strict=True) if a < x]
    height = terrain.height(x)
    points = [*(before or [(x - 1.0, terrain.height(x - 1.0))]), (x, height)]
    rise = math.tan(math.radians(slope))
    return terrain_of(
        f"slope={slope:g} from {x:.2f} m on", [*points, (FAR, height + rise * (FAR - x))], terrain.friction
    )
