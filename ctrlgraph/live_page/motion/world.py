"""The world of a live motion (terrain and engine), and events (pushes, changes of the world, desired velocities)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from ctrlgraph.character.model import Character
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.controller import Command
from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.engine.spatial_pushes import SpatialPush
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.simulation.environment import MAX_FRICTION, Environment
from ctrlgraph.terrain.spatial import SpatialTerrain
from ctrlgraph.terrain.spatial.spatial_terrain import in_space
from ctrlgraph.terrain.terrain import FAR, Terrain, terrain_of

SLOPE_CHANGE_AHEAD = 0.8
"""Distance ahead of the centre of mass at which a new slope begins, m."""

MAX_SLOPE = 30.0
"""Maximum slope, degrees."""

MAX_EVENTS = 200
"""Maximum number of pushes, changes of the world and desired velocities in a motion."""


@dataclass(frozen=True, slots=True)
class WorldChange:
    """A change of slope, friction or engine at a time of the motion."""

    time: float
    """Time since the beginning of the motion, s."""
    slope: float | None = None
    """New slope of the ground ahead, degrees, positive if the ground rises forward. None: the slope does not change."""
    friction: float | None = None
    """New friction coefficient of the ground. None: the friction does not change."""
    engine: str | None = None
    """Name of the new engine. None: the engine does not change."""


@dataclass(frozen=True, slots=True)
class Steering:
    """A desired velocity that a gait takes from a time of the motion on, until another node runs."""

    time: float
    """Time since the beginning of the motion, s."""
    command: Command
    """Desired velocity."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A node that the player of a motion chooses."""

    time: float
    """Time since the beginning of the motion, s."""
    node: str
    """Name of the node."""


Ground = Terrain | SpatialTerrain
"""Terrain under a character in the plane or in space."""

Event = Push | SpatialPush | WorldChange | Steering | Choice
"""Something that happens at a time of the motion: a push of a link, a change of slope, friction or engine, another
desired velocity, or the choice of a node."""


def event_data(event: Event) -> dict[str, Any]:
    """Return an event as data for JSON."""
    if isinstance(event, Push):
        return {"push": event.link, "time": event.start, "duration": event.duration, "x": event.x, "y": event.y}
    if isinstance(event, SpatialPush):
        force = dict(zip("xyz", event.force, strict=True))
        return {"push": event.link, "time": event.start, "duration": event.duration, **force, "point": event.point}
    if isinstance(event, Steering):
        return {"time": event.time, **event.command._asdict()}
    if isinstance(event, Choice):
        return {"time": event.time, "node": event.node}
    return {"time": event.time, "slope": event.slope, "friction": event.friction, "engine": event.engine}


def start_of(event: Event) -> float:
    """Return the time at which an event begins, s since the beginning of the motion."""
    return event.start if isinstance(event, Push | SpatialPush) else event.time


def first_difference(before: Sequence[Event], after: Sequence[Event]) -> float:
    """Return the start time of the first event that only one of two lists has, s.

    Args:
        before: Events of the first list.
        after: Events of the second list.

    Returns:
        The time, or infinity if both lists have the same events.
    """
    different = set(before) ^ set(after)
    return min(map(start_of, different), default=math.inf)


def sorted_events(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return events sorted by start time."""
    return tuple(sorted(events, key=start_of))


def common_changes(before: Sequence[Event], after: Sequence[Event]) -> int:
    """Return with how many equal changes of slope, friction or engine two lists of events begin. Pushes are ignored.

    Args:
        before: Events of the first list, sorted by time.
        after: Events of the second list, sorted by time.
    """
    changes = ([event for event in events if isinstance(event, WorldChange)] for events in (before, after))
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*changes, strict=False)))


@dataclass(frozen=True)
class LiveWorld:
    """World of a live motion at one time: terrain with its friction, and physics engine."""

    terrain: Ground
    engine: str
    """Name of the engine."""

    def changed(self, change: WorldChange, x: float) -> LiveWorld:
        """Return the world after a change of slope, friction or engine.

        Args:
            change: Change to make. Values outside the allowed range are replaced by the nearest allowed value.
            x: Position of the centre of mass at the time of the change, m.
        """
        ground = self.terrain
        profile = ground.profile if isinstance(ground, SpatialTerrain) else ground
        if change.slope is not None:
            profile = with_slope_from(profile, x + SLOPE_CHANGE_AHEAD, min(max(change.slope, -MAX_SLOPE), MAX_SLOPE))
        if change.friction is not None:
            profile = replace(profile, friction=min(max(change.friction, 0.0), MAX_FRICTION))
        terrain = replace(ground, profile=profile) if isinstance(ground, SpatialTerrain) else profile
        return LiveWorld(terrain, change.engine or self.engine)


def first_ground(character: Character, terrain: str, friction: float) -> Ground:
    """Return the terrain at the beginning of motions.

    Args:
        character: Character that moves on it.
        terrain: Text such as "slope=4".
        friction: Friction coefficient.

    Raises:
        TerrainError: The text or the friction is invalid, or the terrain is not one for the character.
    """
    environment = Environment(terrain, friction)
    return in_space(environment.ground()) if isinstance(character, SpatialCharacter) else environment.planar_ground()


def check_slope_can_change(terrain: Ground) -> None:
    """Check that the slope of a terrain can change ahead of the character.

    Raises:
        CtrlGraphError: It is ground in space whose height differs along y.
    """
    if isinstance(terrain, SpatialTerrain) and (terrain.bank != 0.0 or terrain.grid.size > 0):
        raise CtrlGraphError(
            "the slope cannot change on ground with 'bank', 'rough' or 'hills': restart the motion on other ground"
        )


def with_slope_from(terrain: Terrain, x: float, slope: float) -> Terrain:
    """Return a copy of a terrain that has a constant slope beyond a given position.

    Args:
        terrain: Terrain to copy.
        x: Position along the ground at which the slope begins, m.
        slope: Slope, degrees, positive if the ground rises forward.
    """
    before = [(float(a), float(b)) for a, b in zip(terrain.x, terrain.y, strict=True) if a < x]
    height = terrain.height(x)
    points = [*(before or [(x - 1.0, terrain.height(x - 1.0))]), (x, height)]
    rise = math.tan(math.radians(slope))
    return terrain_of(
        f"slope={slope:g} from {x:.2f} m on", [*points, (FAR, height + rise * (FAR - x))], terrain.friction
    )
