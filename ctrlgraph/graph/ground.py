"""Ground ranges of edges, and obstacles that nodes cross."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from ctrlgraph.terrain.obstacles import ObstacleAhead, ObstacleKind
from ctrlgraph.terrain.terrain import TerrainPreview

Interval = tuple[float, float]
ANY: Interval = (-math.inf, math.inf)

# the slope of a polyline is a quotient: 2 degrees can become 1.9999999999
_TOLERANCE = 1e-6

# Distance assigned to a missing obstacle or to one of another kind. It is larger than the distance between any two
# sizes.
_NONE_THERE = 1e5
_CM = 100.0


@dataclass(frozen=True, slots=True)
class GroundRange:
    """Ground for which an edge is planned; any ground by default."""

    slope: Interval = ANY
    """Slope, degrees, rising forward."""
    obstacle: Interval = ANY
    """Height of the ground ahead, m."""
    rise: Interval | None = None
    """Height of a rise, m; the nearest obstacle must be of one of the given kinds, and of its size."""
    drop: Interval | None = None
    """Height of a drop, m."""
    gap: Interval | None = None
    """Width of a gap, m."""
    hurdle: Interval | None = None
    """Height of a hurdle, m."""
    clear: float = 0.0
    """Level ground from the centre of mass to the nearest obstacle, m."""

    @classmethod
    def of(cls, ranges: Mapping[str, Any]) -> GroundRange:
        """Return the ranges of a graph file."""
        given = {name: value for name, value in ranges.items() if name != "clear"}
        pairs = {name: (float(low), float(high)) for name, (low, high) in given.items()}
        return cls(**pairs, clear=float(ranges.get("clear", 0.0)))

    @property
    def takes(self) -> dict[ObstacleKind, Interval]:
        """Return the required sizes of the obstacle ahead, by kind; empty if none is required."""
        sizes = {kind: getattr(self, kind.value) for kind in ObstacleKind}
        return {kind: size for kind, size in sizes.items() if size is not None}

    @property
    def without_obstacles(self) -> GroundRange:
        """Return the range without conditions on the nearest obstacle."""
        return GroundRange(self.slope, self.obstacle)

    def __contains__(self, preview: TerrainPreview) -> bool:
        return self.beyond(preview) == 0.0

    def beyond(self, preview: TerrainPreview) -> float:
        """Return the distance of the ground from the ranges, in degrees and cm; 0 inside."""
        off = _outside(self.slope, preview.slope) + _CM * _outside(self.obstacle, preview.obstacle)
        ahead, takes = preview.ahead, self.takes
        if takes:
            off += (
                _NONE_THERE
                if ahead is None or ahead.kind not in takes
                else _CM * _outside(takes[ahead.kind], ahead.size)
            )
        if ahead is not None and self.clear > 0.0:
            off += _CM * _outside((self.clear, math.inf), ahead.distance)
        return off

    def as_dict(self) -> dict[str, Any]:
        """Return the ranges as data of a graph file, without defaults."""
        found: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if value != each.default:
                found[each.name] = value if each.name == "clear" else list(value)
        return found


@dataclass(frozen=True, slots=True)
class NodeObstacle:
    """Obstacle that a node crosses."""

    kind: ObstacleKind
    size: Interval = ANY
    """Height or width, m."""
    distance: Interval = ANY
    """Distance from the centre of mass when the node begins, m."""

    def beyond(self, ahead: ObstacleAhead | None) -> float:
        """Return the distance of an obstacle from the ranges, cm; 0 inside."""
        if ahead is None or ahead.kind is not self.kind:
            return _NONE_THERE
        return _CM * (_outside(self.size, ahead.size) + _outside(self.distance, ahead.distance))

    def as_dict(self) -> dict[str, Any]:
        """Return the obstacle as data of a graph file."""
        ranges = {"size": self.size, "distance": self.distance}
        return {"kind": self.kind.value} | {name: list(ends) for name, ends in ranges.items() if ends != ANY}


@dataclass(frozen=True, slots=True)
class TakeOff:
    """Obstacle required ahead of an edge."""

    sizes: Mapping[ObstacleKind, Interval]
    """Sizes by kind, m."""
    distance: Interval
    """Distance from the centre of mass, m."""

    def takes(self, kind: ObstacleKind, size: float) -> bool:
        """Return whether an obstacle has a required kind and size, m, at any distance."""
        low, high = self.sizes.get(kind, (math.inf, -math.inf))
        return low - _TOLERANCE <= size <= high + _TOLERANCE


def take_off(ground: GroundRange, obstacle: NodeObstacle | None) -> TakeOff | None:
    """Return the obstacle required by an edge's ground and its target's obstacle; None for plain ground."""
    sizes = ground.takes
    if obstacle is not None:
        sizes = {obstacle.kind: _both(obstacle.size, sizes.get(obstacle.kind, ANY))}
    if not sizes:
        return None
    return TakeOff(sizes, _both(ANY if obstacle is None else obstacle.distance, (ground.clear, math.inf)))


def sizes_taken(takeoffs: Iterable[TakeOff], kind: ObstacleKind) -> list[Interval]:
    """Return the sizes of a kind of obstacle that take-offs cover, m, as sorted separate intervals."""
    merged: list[Interval] = []
    for low, high in sorted(each.sizes[kind] for each in takeoffs if kind in each.sizes):
        if merged and low <= merged[-1][1] + _TOLERANCE:
            merged[-1] = merged[-1][0], max(merged[-1][1], high)
        else:
            merged.append((low, high))
    return merged


def _both(one: Interval, other: Interval) -> Interval:
    return max(one[0], other[0]), min(one[1], other[1])


def _outside(limits: Interval, value: float) -> float:
    off = max(limits[0] - value, value - limits[1], 0.0)
    return off if off > _TOLERANCE else 0.0


EVERYWHERE = GroundRange()
