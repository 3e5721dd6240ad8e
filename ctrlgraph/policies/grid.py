"""Regular grids of states: axes with bounds, and how values at grid points are read between them."""

from __future__ import annotations

import enum
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ctrlgraph.bounds import MAX_AXIS_VALUES, MAX_GRID_AXES, MAX_NAME_BYTES, MAX_TABLE_STATES
from ctrlgraph.errors import CtrlGraphError, quoted
from ctrlgraph.kernels.interpolation import corners, interpolated, nearest_point, nearest_points


class Interpolation(enum.StrEnum):
    """How a point between grid points is taken: for the nearest one, or for its cell's corners, weighted."""

    NEAREST = "nearest"
    MULTILINEAR = "multilinear"


@dataclass(frozen=True, slots=True)
class GridAxis:
    """A quantity of the state from `low` to `high`, `count` evenly spaced values; a single value stands at `low`.

    Raises:
        CtrlGraphError: there is no such axis.
    """

    name: str
    low: float
    high: float
    count: int
    unit: str = ""

    def __post_init__(self) -> None:
        for bound in ("low", "high"):  # whole numbers among them: as files give them back
            object.__setattr__(self, bound, float(getattr(self, bound)))
        if type(self.count) is not int or not 1 <= self.count <= MAX_AXIS_VALUES:
            raise CtrlGraphError(f"an axis has 1 to {MAX_AXIS_VALUES} values, not {quoted(self.count)}")
        fits = self.low < self.high if self.count > 1 else self.low <= self.high
        if not (math.isfinite(self.low) and math.isfinite(self.high) and fits):
            raise CtrlGraphError(f"an axis goes from a lower to a higher number, not from {self.low} to {self.high}")

    @property
    def values(self) -> NDArray[np.float64]:
        """Return its values (count,), in its unit."""
        return np.linspace(self.low, self.high, self.count)

    @property
    def spacing(self) -> float:
        """Return the distance of neighbouring values; 0 where there is but one."""
        return (self.high - self.low) / (self.count - 1) if self.count > 1 else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {"name": self.name, "low": self.low, "high": self.high, "count": self.count, "unit": self.unit}


class Grid:
    """The product of some axes; its points are numbered in C order, the last axis the quickest.

    >>> from ctrlgraph.policies import Grid, GridAxis
    >>> grid = Grid([GridAxis("angle", 0.0, 1.0, 3, "rad"), GridAxis("velocity", -1.0, 1.0, 5, "rad/s")])
    >>> grid.size, grid.nearest([0.4, 0.1])
    (15, 7)
    """

    def __init__(self, axes: Iterable[GridAxis]) -> None:
        """
        Raises:
            CtrlGraphError: there are no axes, too many of them, or too many points.
        """
        self.axes = tuple(axes)
        if not 1 <= len(self.axes) <= MAX_GRID_AXES:
            raise CtrlGraphError(f"a grid has 1 to {MAX_GRID_AXES} axes, not {len(self.axes)}")
        self.shape = tuple(axis.count for axis in self.axes)
        self.size = math.prod(self.shape)
        if self.size > MAX_TABLE_STATES:
            raise CtrlGraphError(f"a grid of {self.size} points is larger than {MAX_TABLE_STATES}")
        self.low = np.array([axis.low for axis in self.axes], dtype=np.float64)
        self.high = np.array([axis.high for axis in self.axes], dtype=np.float64)
        self.count = np.array(self.shape, dtype=np.int64)

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """Return the coordinates of all points (size, axes)."""
        return np.array(list(itertools.product(*(axis.values for axis in self.axes))))

    def point(self, number: int) -> NDArray[np.float64]:
        """Return the coordinates (axes,) of one point."""
        places = np.unravel_index(number, self.shape)
        return np.array([axis.values[place] for axis, place in zip(self.axes, places, strict=True)])

    def inside(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Tell of each point (M, axes) whether it lies within the bounds, ends included; what is no number does not."""
        found = np.asarray(points, dtype=np.float64)
        return np.asarray(((found >= self.low) & (found <= self.high)).all(axis=-1))

    def nearest(self, point: ArrayLike) -> int:
        """Return the number of the point nearest to a place (axes,); one beyond the bounds counts as at them.

        Raises:
            CtrlGraphError: a coordinate is no number, or there are not as many as axes.
        """
        return int(nearest_point(self._checked(point), self.low, self.high, self.count))

    def interpolate(self, values: NDArray[np.float64], point: ArrayLike) -> float:
        """Return the multilinear interpolation of values at all points (size,) at a place, as `nearest` takes it."""
        return float(interpolated(values, self._checked(point), self.low, self.high, self.count))

    def weights(self, points: ArrayLike, how: Interpolation) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return for each place (M, axes) the points that it counts for, and with which weights, which sum to 1.

        Returns:
            Numbers and weights (M, K): K is 1 for the nearest point, 2 to the power of the axes for the corners.
        """
        found = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, len(self.axes))
        wide = 1 if how is Interpolation.NEAREST else 2 ** len(self.axes)
        number, weight = np.zeros((len(found), wide), np.int64), np.ones((len(found), wide))
        if how is Interpolation.NEAREST:
            nearest_points(found, self.low, self.high, self.count, number[:, 0])
        else:
            corners(found, self.low, self.high, self.count, number, weight)
        return number, weight

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {"axes": [axis.as_dict() for axis in self.axes]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Grid:
        """Return what `as_dict` gave; nothing of it is believed.

        Raises:
            ValueError: it is no grid.
        """
        entries = data.get("axes")
        if not isinstance(entries, Sequence) or isinstance(entries, str) or len(entries) > MAX_GRID_AXES:
            raise ValueError("it has no axes of a grid")
        try:
            return cls(_axis(entry) for entry in entries)
        except CtrlGraphError as error:
            raise ValueError(str(error)) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and self.axes == other.axes

    def __hash__(self) -> int:
        return hash(self.axes)

    def _checked(self, point: ArrayLike) -> NDArray[np.float64]:
        found = np.ascontiguousarray(point, dtype=np.float64)
        if found.shape != (len(self.axes),) or np.isnan(found).any():
            raise CtrlGraphError(f"a place on this grid is {len(self.axes)} numbers")
        return found


def _axis(entry: object) -> GridAxis:
    if not isinstance(entry, Mapping) or set(entry) != {"name", "low", "high", "count", "unit"}:
        raise ValueError("an axis of its grid is none")
    texts, numbers = (entry["name"], entry["unit"]), (entry["low"], entry["high"])
    if any(type(text) is not str or len(text) > MAX_NAME_BYTES for text in texts):
        raise ValueError("an axis of its grid has no name or unit")
    if any(type(number) not in (int, float) for number in numbers):
        raise ValueError("an axis of its grid has no bounds")
    return GridAxis(texts[0], float(numbers[0]), float(numbers[1]), entry["count"], texts[1])
