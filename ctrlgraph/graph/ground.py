"""On which ground an edge is planned: ranges of the slope and of what stands in the way."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from ctrlgraph.terrain.profile import TerrainPreview

Interval = tuple[float, float]
ANY: Interval = (-math.inf, math.inf)

# the slope of a polyline is a quotient, so that a hill of 2 degrees is one of 1.9999999999
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class GroundRange:
    """Least and greatest slope (deg, rising forward) and height of an obstacle ahead (m); by default any."""

    slope: Interval = ANY
    obstacle: Interval = ANY

    @classmethod
    def of(cls, ranges: Mapping[str, Interval]) -> GroundRange:
        """Return the ranges by their names, as a graph file has them."""
        return cls(**{name: (float(low), float(high)) for name, (low, high) in ranges.items()})

    def __contains__(self, preview: TerrainPreview) -> bool:
        limits = ((getattr(self, field.name), getattr(preview, field.name)) for field in fields(self))
        return all(low - _TOLERANCE <= value <= high + _TOLERANCE for (low, high), value in limits)

    def beyond(self, preview: TerrainPreview) -> float:
        """Return how far the ground is outside of the ranges, in degrees and in cm of an obstacle; 0 within."""
        slope = _outside(self.slope, preview.slope)
        return 0.0 if preview in self else slope + 100.0 * _outside(self.obstacle, preview.obstacle)

    def as_dict(self) -> dict[str, list[float]]:
        """Return the ranges by their names; those that leave nothing out are left out."""
        return {name: list(limits) for name, limits in asdict(self).items() if tuple(limits) != ANY}


def _outside(limits: Interval, value: float) -> float:
    return max(limits[0] - value, value - limits[1], 0.0)


EVERYWHERE = GroundRange()
