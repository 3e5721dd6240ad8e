"""On which ground an edge is planned, and which obstacle a node takes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from ctrlgraph.terrain.obstacles import ObstacleAhead, ObstacleKind
from ctrlgraph.terrain.profile import TerrainPreview

Interval = tuple[float, float]
ANY: Interval = (-math.inf, math.inf)

# the slope of a polyline is a quotient, so that a hill of 2 degrees is one of 1.9999999999
_TOLERANCE = 1e-6

# That no obstacle is there, or one of another kind, is further off than any size.
_NONE_THERE = 1e5
_CM = 100.0


@dataclass(frozen=True, slots=True)
class GroundRange:
    """The ground that an edge is for; by default any.

    slope: least and greatest (deg, rising forward); obstacle: height of what rises ahead (m). rise, drop, gap, hurdle:
    the nearest obstacle is one of those that are given, of such a size (m). clear: level ground before the nearest
    obstacle, from the centre of mass on (m).
    """

    slope: Interval = ANY
    obstacle: Interval = ANY
    rise: Interval | None = None
    drop: Interval | None = None
    gap: Interval | None = None
    hurdle: Interval | None = None
    clear: float = 0.0

    @classmethod
    def of(cls, ranges: Mapping[str, Any]) -> GroundRange:
        """Return the ranges by their names, as a graph file has them."""
        given = {name: value for name, value in ranges.items() if name != "clear"}
        pairs = {name: (float(low), float(high)) for name, (low, high) in given.items()}
        return cls(**pairs, clear=float(ranges.get("clear", 0.0)))

    @property
    def takes(self) -> dict[ObstacleKind, Interval]:
        """Return the obstacles that the edge is for, one of which has to be ahead; empty where none has to be."""
        sizes = {kind: getattr(self, kind.value) for kind in ObstacleKind}
        return {kind: size for kind, size in sizes.items() if size is not None}

    @property
    def without_obstacles(self) -> GroundRange:
        """Return the same without what is said of the nearest obstacle."""
        return GroundRange(self.slope, self.obstacle)

    def __contains__(self, preview: TerrainPreview) -> bool:
        return self.beyond(preview) == 0.0

    def beyond(self, preview: TerrainPreview) -> float:
        """Return how far the ground is outside of the ranges, in degrees and in cm; 0 within."""
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
        """Return the ranges by their names; those that leave nothing out are left out."""
        found: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if value != each.default:
                found[each.name] = value if each.name == "clear" else list(value)
        return found


@dataclass(frozen=True, slots=True)
class NodeObstacle:
    """The obstacle that a node takes: the nearest one is of this kind, of such a size, and begins so far before the
    centre of mass when the node is entered; m.
    """

    kind: ObstacleKind
    size: Interval = ANY
    distance: Interval = ANY

    def beyond(self, ahead: ObstacleAhead | None) -> float:
        """Return how far an obstacle is from that, in cm; 0 where it is one that the node takes."""
        if ahead is None or ahead.kind is not self.kind:
            return _NONE_THERE
        return _CM * (_outside(self.size, ahead.size) + _outside(self.distance, ahead.distance))

    def as_dict(self) -> dict[str, Any]:
        """Return it as data of a graph file."""
        ranges = {"size": self.size, "distance": self.distance}
        return {"kind": self.kind.value} | {name: list(ends) for name, ends in ranges.items() if ends != ANY}


@dataclass(frozen=True, slots=True)
class TakeOff:
    """What lies ahead where an edge over an obstacle is taken: the sizes of each kind that it is for, m, and how far
    from the centre of mass the obstacle begins, m.
    """

    sizes: Mapping[ObstacleKind, Interval]
    distance: Interval

    def takes(self, kind: ObstacleKind, size: float) -> bool:
        """Tell whether an obstacle is of a kind and size (m) that it is for, however far it is."""
        low, high = self.sizes.get(kind, (math.inf, -math.inf))
        return low - _TOLERANCE <= size <= high + _TOLERANCE


def take_off(ground: GroundRange, obstacle: NodeObstacle | None) -> TakeOff | None:
    """Return what an edge for this ground to a node that takes this obstacle wants ahead; None where it is for plain
    ground.
    """
    sizes = ground.takes
    if obstacle is not None:
        sizes = {obstacle.kind: _both(obstacle.size, sizes.get(obstacle.kind, ANY))}
    if not sizes:
        return None
    return TakeOff(sizes, _both(ANY if obstacle is None else obstacle.distance, (ground.clear, math.inf)))


def sizes_taken(takeoffs: Iterable[TakeOff], kind: ObstacleKind) -> list[Interval]:
    """Return the ranges of sizes of a kind of obstacle that are taken, m, those that touch as one, the least first."""
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
