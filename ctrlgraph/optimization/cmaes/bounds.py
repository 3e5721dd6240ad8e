"""Box constraints: the optimiser searches an unbounded space, whose points are folded into the box.

Redrawing or clipping candidates that are out of bounds makes an evolution strategy converge short of a minimum on the
bounds: steps towards the bound are cut short, and the step size shrinks with them. Here the optimiser takes its steps
in an unbounded space and learns from them there; only the candidates are folded.

The map is that of `BoxConstraintsLinQuadTransformation` in N. Hansen's pycma. For each coordinate with lower bound a
and width w: x = y where y is at least w within the bound; x = a + (y - (a - w))^2 / (4 w) for y within a - w..a + w, a
parabola that meets the line with the same slope and has its vertex, x = a, at y = a - w; beyond the vertex the map is
mirrored. The upper bound is treated alike. A slope towards a bound becomes a minimum with zero slope.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

MAX_WIDTH_SHARE = 0.1
"""Maximum width of a parabola, as a fraction of the distance between the bounds."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The box that contains all candidates."""

    low: FloatArray
    """Lower bounds, (n,), -inf where there is none."""
    high: FloatArray
    """Upper bounds, (n,), inf where there is none."""
    width: FloatArray
    """Width w of the parabola at both bounds of each coordinate, (n,)."""

    @classmethod
    def of(cls, low: FloatArray, high: FloatArray, sigma: float) -> Bounds:
        """Return the bounds for a search with the initial step size `sigma`."""
        return cls(low, high, np.minimum(MAX_WIDTH_SHARE * (high - low), sigma))

    def fold(self, y: FloatArray) -> FloatArray:
        """Return the candidates, (..., n), of points of the unbounded space, (..., n)."""
        low, high, width = self.low, self.high, self.width
        first, last = low - width, high + width  # the vertices
        x = np.where(y < first, 2 * first - y, y)
        both = np.isfinite(high - low)
        if np.any(both & (x > last)):
            # the map mirrored at both vertices is periodic; points within one period keep their bits
            period = np.where(both, 2 * (last - first), 1.0)
            start = np.where(both, first, 0.0)
            x = np.where(both & (x > last), start + np.mod(x - start, period), x)
        x = np.where(x > last, 2 * last - x, x)
        with np.errstate(invalid="ignore"):  # inf - inf is computed but not selected where there is no bound
            x = np.where(x < low + width, low + (x - first) ** 2 / (4 * width), x)
            x = np.where(x > high - width, high - (x - last) ** 2 / (4 * width), x)
        return np.clip(x, low, high)

    def unfold(self, x: FloatArray) -> FloatArray:
        """Return points between the vertices, (..., n), that fold to the candidates `x`, (..., n)."""
        low, high, width = self.low, self.high, self.width
        x = np.clip(x, low, high)
        with np.errstate(invalid="ignore"):
            y = np.where(x < low + width, low - width + 2 * np.sqrt(width * np.maximum(x - low, 0)), x)
            return np.where(x > high - width, high + width - 2 * np.sqrt(width * np.maximum(high - x, 0)), y)
