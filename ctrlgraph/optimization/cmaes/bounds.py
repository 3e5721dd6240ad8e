"""Box constraints: the optimiser searches an unbounded space, and its points are folded into the box.

If candidates out of bounds are redrawn or clipped, an evolution strategy converges to a point short of a minimum on
the bounds. Its steps towards the bound are shortened, and the step size shrinks with them. Here the optimiser takes
its steps in an unbounded space and learns from the points there. Only the candidates are folded.

The map is that of `BoxConstraintsLinQuadTransformation` in N. Hansen's pycma. Each coordinate has a lower bound a and
a width w. If y is at least w inside the bound, x = y. If y is between a - w and a + w, x = a + (y - (a - w))^2 / (4
w). This parabola meets the line with the same slope, and its vertex is x = a at y = a - w. Beyond the vertex, the map
is mirrored. The upper bound is treated in the same way. A minimum on a bound with a slope thus becomes a minimum with
zero slope.
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
    """Lower bounds, (n,), -inf for a coordinate without one."""
    high: FloatArray
    """Upper bounds, (n,), inf for a coordinate without one."""
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
        with np.errstate(invalid="ignore"):  # without a bound, inf - inf is computed but not selected
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
