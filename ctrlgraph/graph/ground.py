"""Conditions on the ground: the ranges for which an edge is planned, and the obstacle that a node crosses."""

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

# Result of `beyond` for a missing obstacle or one of another kind: larger than for any obstacle of the required kind.
_NONE_THERE = 1e5
_CM = 100.0


@dataclass(frozen=True, slots=True)
class GroundRange:
    """Ground for which an edge is planned: ranges of the slope, of the height of the ground ahead, and of obstacles.

    By default, the edge is planned for any ground.
    """

    slope: Interval = ANY
    """Range of the slope of the ground at the character, degrees, positive if the ground rises forward."""
    obstacle: Interval = ANY
    """Range of the height of the ground ahead above the straight line that continues the slope, m."""
    rise: Interval | None = None
    """Range of the height of a rise, m.

    If any of `rise`, `drop`, `gap` and `hurdle` are given, there must be an obstacle ahead, the nearest one must be of
    one of these kinds, and its size must be in the range of this kind.
    """
    drop: Interval | None = None
    """Range of the height of a drop, m."""
    gap: Interval | None = None
    """Range of the width of a gap, m."""
    hurdle: Interval | None = None
    """Range of the height of a hurdle, m."""
    clear: float = 0.0
    """Minimum distance from the centre of mass to the nearest obstacle, m."""

    @classmethod
    def of(cls, ranges: Mapping[str, Any]) -> GroundRange:
        """Return the ground range from the field `ground` of an edge in a graph file.

        Args:
            ranges: the field: [minimum, maximum] by name of the range, and the number `clear`.
        """
        given = {name: value for name, value in ranges.items() if name != "clear"}
        pairs = {name: (float(low), float(high)) for name, (low, high) in given.items()}
        return cls(**pairs, clear=float(ranges.get("clear", 0.0)))

    @property
    def takes(self) -> dict[ObstacleKind, Interval]:
        """Return the range of the required obstacle's size, m, by allowed kind; empty if no obstacle is required."""
        sizes = {kind: getattr(self, kind.value) for kind in ObstacleKind}
        return {kind: size for kind, size in sizes.items() if size is not None}

    @property
    def without_obstacles(self) -> GroundRange:
        """Return a copy without the conditions on the nearest obstacle: only slope and height of the ground count."""
        return GroundRange(self.slope, self.obstacle)

    def __contains__(self, preview: TerrainPreview) -> bool:
        return self.beyond(preview) == 0.0

    def beyond(self, preview: TerrainPreview) -> float:
        """Return how far a ground is outside the ranges, as a sum of degrees and cm; 0 if all ranges are met.

        If a required obstacle is missing or of another kind, the result is very large.

        Args:
            preview: ground under and ahead of the character.
        """
        off = _outside(self.slope, preview.slope) + _CM * _outside(self.obstacle, preview.obstacle)
        ahead, takes = preview.ahead, self.takes
        if takes and (ahead is None or ahead.kind not in takes):
            off += _NONE_THERE
        elif takes and ahead is not None:
            off += _CM * _outside(takes[ahead.kind], ahead.size)
        if ahead is not None and self.clear > 0.0:
            off += _CM * _outside((self.clear, math.inf), ahead.distance)
        return off

    def as_dict(self) -> dict[str, Any]:
        """Return the contents of the field `ground` of an edge in a graph file, without ranges that are not limited."""
        found: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if value != each.default:
                found[each.name] = value if each.name == "clear" else list(value)
        return found


@dataclass(frozen=True, slots=True)
class NodeObstacle:
    """Obstacle that a node crosses: its kind, size and distance when the node begins."""

    kind: ObstacleKind
    size: Interval = ANY
    """Range of the width of a gap, or of the height of any other obstacle, m."""
    distance: Interval = ANY
    """Range of the distance from the centre of mass to the obstacle when the node begins, m."""

    def beyond(self, ahead: ObstacleAhead | None) -> float:
        """Return how far the size and the distance of an obstacle are outside the ranges, cm; 0 if both are inside.

        Args:
            ahead: nearest obstacle ahead. If it is None or of another kind, the result is very large.
        """
        if ahead is None or ahead.kind is not self.kind:
            return _NONE_THERE
        return _CM * (_outside(self.size, ahead.size) + _outside(self.distance, ahead.distance))

    def as_dict(self) -> dict[str, Any]:
        """Return the contents of the field `obstacle` of a node in a graph file. Unlimited ranges are omitted."""
        ranges = {"size": self.size, "distance": self.distance}
        return {"kind": self.kind.value} | {name: list(ends) for name, ends in ranges.items() if ends != ANY}


@dataclass(frozen=True, slots=True)
class TakeOff:
    """Obstacle that must be ahead when an edge is taken: the allowed kinds with their sizes, and the distance."""

    sizes: Mapping[ObstacleKind, Interval]
    """Range of the obstacle's size, m, by allowed kind of obstacle."""
    distance: Interval
    """Range of the distance from the centre of mass to the obstacle, m."""

    def takes(self, kind: ObstacleKind, size: float) -> bool:
        """Return whether an obstacle of this kind and size, m, is allowed. The distance is not checked."""
        low, high = self.sizes.get(kind, (math.inf, -math.inf))
        return low - _TOLERANCE <= size <= high + _TOLERANCE


def take_off(ground: GroundRange, obstacle: NodeObstacle | None) -> TakeOff | None:
    """Return the obstacle that must be ahead when an edge is taken; None if none is required.

    Args:
        ground: ground range of the edge.
        obstacle: obstacle that the target of the edge crosses, if any.
    """
    sizes = ground.takes
    if obstacle is not None:
        sizes = {obstacle.kind: _both(obstacle.size, sizes.get(obstacle.kind, ANY))}
    if not sizes:
        return None
    return TakeOff(sizes, _both(ANY if obstacle is None else obstacle.distance, (ground.clear, math.inf)))


def sizes_taken(takeoffs: Iterable[TakeOff], kind: ObstacleKind) -> list[Interval]:
    """Return the sizes of obstacles of one kind for which there is an edge, m, as sorted intervals without overlap.

    Args:
        takeoffs: the obstacles that edges require.
        kind: kind of obstacle.
    """
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
"""Ground range without limits."""
