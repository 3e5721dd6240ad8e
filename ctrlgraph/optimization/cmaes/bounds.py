"""Bounds: an unbounded space to search, folded so that all of it comes to lie within them.

To draw a candidate again while it is out of bounds, or to clip it, makes an evolution strategy converge short of
a minimum on the bounds: towards the bound, successful steps are cut short, and the step size falls with them. So the
search does not know of bounds. It takes its steps in an unbounded space; a point there is folded to a candidate
within, and what is learnt is learnt from the steps there.

The map is that of `BoxConstraintsLinQuadTransformation` in N. Hansen's pycma. Along each coordinate, with the low
bound a and a width w: where y is more than w within the bound, x = y; about the bound, for y within a - w..a + w,
x = a + (y - (a - w))^2 / (4 w), a parabola that meets the line with its slope and has its vertex, x = a, at
y = a - w; beyond, the map is mirrored at the vertex. The same at the high bound. So cost slopes to a bound become
minima with a slope of 0, which are found like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ctrlgraph.optimization.cmaes.encoding import known_array, nested
from ctrlgraph.optimization.cmaes.interface import FloatArray

SHARE = 0.1
"""The width of a parabola within the bounds: this share of the span between them, at most."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The box that candidates are within.

    low, high: (n,), infinite where there is no bound; width: (n,), w of each coordinate, at both of its bounds.
    """

    low: FloatArray
    high: FloatArray
    width: FloatArray

    @classmethod
    def of(cls, low: FloatArray, high: FloatArray, sigma: float) -> Bounds:
        """Return the bounds for a search whose first step size is sigma."""
        return cls(low, high, np.minimum(SHARE * (high - low), sigma))

    def fold(self, y: FloatArray) -> FloatArray:
        """Return the candidates, (..., n), of points of the unbounded space, (..., n)."""
        low, high, width = self.low, self.high, self.width
        first, last = low - width, high + width  # the vertices
        x = np.where(y < first, 2 * first - y, y)
        both = np.isfinite(high - low)
        if np.any(both & (x > last)):
            # mirrored at both vertices the map has a period; what is within one is left to the bit
            period = np.where(both, 2 * (last - first), 1.0)
            start = np.where(both, first, 0.0)
            x = np.where(both & (x > last), start + np.mod(x - start, period), x)
        x = np.where(x > last, 2 * last - x, x)
        with np.errstate(invalid="ignore"):  # where there is no bound, inf - inf is not taken
            x = np.where(x < low + width, low + (x - first) ** 2 / (4 * width), x)
            x = np.where(x > high - width, high - (x - last) ** 2 / (4 * width), x)
        return np.clip(x, low, high)

    def unfold(self, x: FloatArray) -> FloatArray:
        """Return points of the unbounded space, (..., n), that fold to the candidates, (..., n), within the
        vertices."""
        low, high, width = self.low, self.high, self.width
        x = np.clip(x, low, high)
        with np.errstate(invalid="ignore"):
            y = np.where(x < low + width, low - width + 2 * np.sqrt(width * np.maximum(x - low, 0)), x)
            return np.where(x > high - width, high + width - 2 * np.sqrt(width * np.maximum(high - x, 0)), y)

    def as_state(self) -> dict[str, Any]:
        """Return the bounds as JSON."""
        return {"low": nested(self.low), "high": nested(self.high), "width": nested(self.width)}

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> Bounds:
        """Return the bounds from `as_state`."""
        return cls(*(known_array(state[name]) for name in ("low", "high", "width")))


def bounds_state(bounds: Bounds | None) -> dict[str, Any] | None:
    """Return the bounds as JSON, None if there are none."""
    return None if bounds is None else bounds.as_state()


def bounds_of_state(state: Mapping[str, Any] | None) -> Bounds | None:
    """Return the bounds from `bounds_state`."""
    return None if state is None else Bounds.of_state(state)
