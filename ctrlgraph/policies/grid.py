"""Regular grids of states: axes with evenly spaced values, and interpolation between grid points."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ctrlgraph.bounds import MAX_AXIS_VALUES, MAX_GRID_AXES, MAX_NAME_BYTES, MAX_TABLE_STATES
from ctrlgraph.errors import CtrlGraphError, quoted

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GridAxis:
    """One axis of a grid of states: evenly spaced values of one quantity of the state, such as an angle.

    Raises:
        CtrlGraphError: The name or the unit is not a short text, a bound is not a finite number, `low` is not below
            `high` (with one value, they may be equal), or `count` is out of range.
    """

    name: str
    """Name of the quantity, such as "angle"."""
    low: float
    """First value, the lower bound of the grid."""
    high: float
    """Last value, the upper bound of the grid. If `count` is 1, `low` is the only value."""
    count: int
    """Number of values."""
    unit: str = ""
    """Unit of the quantity, such as "rad"."""

    def __post_init__(self) -> None:
        if any(type(text) is not str or len(text) > MAX_NAME_BYTES for text in (self.name, self.unit)):
            raise CtrlGraphError(f"'name' and 'unit' of an axis must be texts of up to {MAX_NAME_BYTES} characters")
        axis = f"the grid axis '{self.name}'"
        for bound in ("low", "high"):  # integers become floats, as in files
            if not isinstance(getattr(self, bound), int | float | np.floating):
                raise CtrlGraphError(f"'{bound}' of {axis} must be a number")
            object.__setattr__(self, bound, float(getattr(self, bound)))
        if type(self.count) is not int or not 1 <= self.count <= MAX_AXIS_VALUES:
            raise CtrlGraphError(f"'count' of {axis} must be 1 to {MAX_AXIS_VALUES}, not {quoted(self.count)}")
        fits = self.low < self.high if self.count > 1 else self.low <= self.high
        if not (math.isfinite(self.low) and math.isfinite(self.high) and fits):
            raise CtrlGraphError(
                f"'low' of {axis} must be below 'high' and both finite, not {self.low} and {self.high}"
            )

    @property
    def values(self) -> Floats:
        """Values of the axis, (count,)."""
        return np.linspace(self.low, self.high, self.count)

    @property
    def spacing(self) -> float:
        """Difference between neighbouring values; 0 if there is only one value."""
        return (self.high - self.low) / (self.count - 1) if self.count > 1 else 0.0


class Grid:
    """A grid of states: the points are all combinations of the values of the axes.

    Points have indices from 0 in C order, so that the value of the last axis changes fastest.

    >>> from ctrlgraph.policies import Grid, GridAxis
    >>> grid = Grid([GridAxis("angle", 0.0, 1.0, 3, "rad"), GridAxis("velocity", -1.0, 1.0, 5, "rad/s")])
    >>> grid.size, grid.nearest([0.4, 0.1])
    (15, 7)
    """

    def __init__(self, axes: Iterable[GridAxis]) -> None:
        """
        Args:
            axes: Axes in the order of the coordinates of a point.

        Raises:
            CtrlGraphError: There are no axes, too many axes, or too many points.
        """
        self.axes = tuple(axes)
        if not 1 <= len(self.axes) <= MAX_GRID_AXES:
            raise CtrlGraphError(f"a grid must have 1 to {MAX_GRID_AXES} axes, not {len(self.axes)}")
        self.shape = tuple(axis.count for axis in self.axes)
        self.size = math.prod(self.shape)
        if self.size > MAX_TABLE_STATES:
            raise CtrlGraphError(f"a grid has at most {MAX_TABLE_STATES} points, not {self.size}: reduce a 'count'")
        self.low = np.array([axis.low for axis in self.axes], dtype=np.float64)
        self.high = np.array([axis.high for axis in self.axes], dtype=np.float64)
        self.count = np.array(self.shape, dtype=np.int64)

    @cached_property
    def points(self) -> Floats:
        """Coordinates of all points by index, (size, axes)."""
        return np.array(list(itertools.product(*(axis.values for axis in self.axes))))

    def point(self, number: int) -> Floats:
        """Return the coordinates of the grid point with the index `number`, (axes,)."""
        places = np.unravel_index(number, self.shape)
        return np.array([axis.values[place] for axis, place in zip(self.axes, places, strict=True)])

    def inside(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Return for each of M points whether it lies within the bounds of the grid, (M,).

        A point on a bound lies within. A point with a NaN does not.

        Args:
            points: Coordinates of the points, (M, axes).
        """
        found = np.asarray(points, dtype=np.float64)
        return np.asarray(((found >= self.low) & (found <= self.high)).all(axis=-1))

    def nearest(self, point: ArrayLike) -> int:
        """Return the index of the grid point that is nearest to a point.

        A point outside the bounds is clipped to them first.

        Args:
            point: Coordinates of the point, (axes,).

        Raises:
            CtrlGraphError: A coordinate is NaN, or the number of coordinates is not the number of axes.
        """
        nearest = np.minimum((self._in_cells(self.place(point)) + 0.5).astype(np.int64), self.count - 1)
        return int(np.ravel_multi_index(tuple(nearest), self.shape))

    def weights(self, points: ArrayLike) -> tuple[NDArray[np.int64], Floats]:
        """Return the corners of the grid cell around each point, and their weights for multilinear interpolation.

        Args:
            points: Coordinates of M points, (M, axes). A point outside the bounds is clipped to them.

        Returns:
            Indices of the corners, (M, 2^axes), and weights of the corners, (M, 2^axes). Each row of weights sums to 1.
        """
        place = self._in_cells(np.asarray(points, dtype=np.float64).reshape(-1, len(self.axes)))
        below = np.minimum(place.astype(np.int64), np.maximum(self.count - 2, 0))
        share = place - below
        corners = np.arange(2 ** len(self.axes))
        number, weight = np.zeros((len(place), corners.size), np.int64), np.ones((len(place), corners.size))
        for axis, count in enumerate(self.shape):
            upper = (corners >> axis) & 1
            weight *= np.where(upper == 1, share[:, axis, None], 1.0 - share[:, axis, None])
            number = number * count + np.minimum(below[:, axis, None] + upper, count - 1)
        return number, weight

    def _in_cells(self, points: Floats) -> Floats:
        """Return the distances of points from the lower bounds of the axes, in units of the spacing, (..., axes).

        Args:
            points: Coordinates of the points, (..., axes). A point outside the bounds is clipped to them.
        """
        span = np.where(self.count > 1, self.high - self.low, 1.0)
        return np.asarray((np.clip(points, self.low, self.high) - self.low) / span * (self.count - 1))

    def as_dict(self) -> dict[str, Any]:
        """Return the grid as JSON data."""
        return {"axes": [asdict(axis) for axis in self.axes]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Grid:
        """Return the grid that JSON data describe.

        Args:
            data: JSON data as `as_dict` returns them, from a file that can be damaged or malicious.

        Raises:
            ValueError: The data do not describe a valid grid.
        """
        try:
            return cls(GridAxis(**entry) for entry in data["axes"])
        except (KeyError, TypeError, CtrlGraphError) as error:
            raise ValueError(f"the entry 'grid' in about.json is not a valid grid of states: {error}") from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and self.axes == other.axes

    def __hash__(self) -> int:
        return hash(self.axes)

    def place(self, point: ArrayLike) -> Floats:
        """Check the coordinates of a point, and return them as an array of float64, (axes,).

        Args:
            point: Coordinates of the point, (axes,).

        Raises:
            CtrlGraphError: A coordinate is NaN, or the number of coordinates is not the number of axes.
        """
        found = np.ascontiguousarray(point, dtype=np.float64)
        if found.shape != (len(self.axes),) or np.isnan(found).any():
            raise CtrlGraphError(f"a point needs {len(self.axes)} coordinates, one for each axis, and none may be NaN")
        return found
