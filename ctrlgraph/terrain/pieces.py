"""The pieces of a course: stairs, boxes, gaps, hurdles, rough ground and slopes.

A piece begins and ends on level ground. The table `PIECES` defines every kind of piece and, for each of its quantities,
the unit, range and default value. Course files, the command line and random courses use this table.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from ctrlgraph.bounds import MAX_SEED
from ctrlgraph.errors import CtrlGraphError, suggestion

Point = tuple[float, float]
"""Position x and height of a point of the ground, m."""

_BLEND_M = 0.5
"""Maximum length of the curved transition at each end of a slope, m."""
_BLEND_POINTS = 8
_BUMP_POINTS = 6  # points of rough ground from one summit or hollow to the next


class TerrainError(CtrlGraphError):
    """Raised if the description of a terrain is invalid."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that describes a piece, such as the width of a box: its name, unit, range and default value."""

    name: str
    unit: str
    """Unit of the value, such as "m"; "" for none."""
    low: float
    """Minimum value."""
    high: float
    """Maximum value."""
    default: float | None = None
    """Default value; None if the quantity is required."""
    whole: bool = False
    """Whether the value is a whole number."""


@dataclass(frozen=True, slots=True)
class PieceKind:
    """A kind of piece, such as a box, with functions that compute its shape from the values of its quantities.

    Each function takes the values in the order of `quantities`.
    """

    name: str
    quantities: tuple[Quantity, ...]
    points: Callable[[Sequence[float]], list[Point]]
    """Return the corner points (x, height) of the ground, m, from (0, 0) on. Level ground follows the last point."""
    count: Callable[[Sequence[float]], int]
    """Return an upper bound of the number of points, without computing the points."""
    length: Callable[[Sequence[float]], float] = itemgetter(0)
    """Return the horizontal length of the piece, m, without computing the points."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a course, such as a box, with its position and the values of its quantities."""

    kind: str
    """Name of the kind of piece, such as "box"."""
    start: float
    """Position x at which the piece begins, m."""
    numbers: tuple[float, ...]
    """Values of the quantities, such as width and height, in the order of `PieceKind.quantities`."""

    def __post_init__(self) -> None:
        """
        Raises:
            TerrainError: the kind is unknown, the number of values is wrong, or a value is out of range.
        """
        kind = piece_kind(self.kind)
        if len(self.numbers) != len(kind.quantities):
            needed = f"needs {len(kind.quantities)} numbers ({_listed(kind)})"
            raise TerrainError(f"the piece '{self.kind}' {needed}, but has {len(self.numbers)}")
        for quantity, value in zip(kind.quantities, self.numbers, strict=True):
            if not quantity.low <= value <= quantity.high or (quantity.whole and not float(value).is_integer()):
                what = f"the {quantity.name} of the piece '{self.kind}'"
                raise TerrainError(f"{what} must be {_range(quantity)}, not {value:g}")
        if self.kind == "stairs" and self.numbers[2] == 0:
            raise TerrainError("the rise of the piece 'stairs' must not be 0 m: give a positive or negative rise")

    @property
    def points(self) -> list[Point]:
        """Return the points (x, height) of the ground, m, relative to the ground at the beginning of the piece."""
        return piece_kind(self.kind).points(self.numbers)

    @property
    def count(self) -> int:
        """Return an upper bound of the number of points of the ground, without computing the points."""
        return piece_kind(self.kind).count(self.numbers)

    @property
    def length(self) -> float:
        """Return the horizontal length of the piece, m."""
        return float(piece_kind(self.kind).length(self.numbers))


def piece_kind(name: str) -> PieceKind:
    """Return the kind of piece that has this name, such as "box".

    Raises:
        TerrainError: no kind of piece has this name.
    """
    if name not in PIECES:
        hint = suggestion(name, PIECES) or f"known: {', '.join(PIECES)}"
        raise TerrainError(f"there is no kind of piece '{name[:40]}' ({hint})")
    return PIECES[name]


def _stairs(numbers: Sequence[float]) -> list[Point]:
    count, run, rise = numbers
    points = [(0.0, 0.0)]
    for i in range(int(count)):
        points += [(i * run, i * rise), (i * run, (i + 1) * rise)]
    # the tread of the last stair is part of the piece, so the next piece begins behind it
    return [*points, (int(count) * run, int(count) * rise)]


def _box(numbers: Sequence[float]) -> list[Point]:
    width, height = numbers
    return [(0.0, 0.0), (0.0, height), (width, height), (width, 0.0)]


def _gap(numbers: Sequence[float]) -> list[Point]:
    width, depth = numbers
    return _box((width, -depth))


def _hurdle(numbers: Sequence[float]) -> list[Point]:
    height, width = numbers
    return _box((width, height))


def _knots(length: float, wave: float) -> int:
    return max(2, round(2 * length / wave))


def _rough(numbers: Sequence[float]) -> list[Point]:
    """Return the points (x, height) of rough ground, m: summits and hollows at horizontal distances of half a wave.

    The heights of summits and hollows are chosen at random between -amplitude and amplitude. Between them the ground is
    a cubic curve that is level at both ends. Only sums and products of values of `random.Random.random` are used, so
    that the ground is the same on every machine.

    Args:
        numbers: length, amplitude and wave, m, and the seed.
    """
    length, amplitude, wave, seed = numbers
    draw = random.Random(int(seed))
    knots = _knots(length, wave)
    ys = [0.0, *(amplitude * (2.0 * draw.random() - 1.0) for _ in range(knots - 1)), 0.0]
    points = [(0.0, 0.0)]
    for i in range(knots):
        for k in range(1, _BUMP_POINTS + 1):
            t = k / _BUMP_POINTS
            y = ys[i] + (ys[i + 1] - ys[i]) * t * t * (3.0 - 2.0 * t)
            points.append(((i + t) * length / knots, y))
    return points


def _slope(numbers: Sequence[float]) -> list[Point]:
    """Return the points (x, height) of a straight slope between two parabolic arcs, m, so that the ground has no kink.

    Args:
        numbers: length, m, and angle of the slope, degrees.
    """
    length, degrees = numbers
    gradient, blend = math.tan(math.radians(degrees)), min(_BLEND_M, length / 2.0)
    climb = gradient * (length - blend)
    points = [(0.0, 0.0)]
    for k in range(1, _BLEND_POINTS + 1):
        x = blend * k / _BLEND_POINTS
        points.append((x, gradient * x * x / (2.0 * blend)))
    for k in range(_BLEND_POINTS + 1):
        left = blend * (_BLEND_POINTS - k) / _BLEND_POINTS
        points.append((length - left, climb - gradient * left * left / (2.0 * blend)))
    return points


_HEIGHT = Quantity("height", "m", 0.01, 5.0)
PIECES: dict[str, PieceKind] = {
    kind.name: kind
    for kind in (
        PieceKind(
            "stairs",
            (
                Quantity("count", "", 1, 100, 1, whole=True),
                Quantity("run", "m", 0.05, 10.0, 0.3),
                Quantity("rise", "m", -2.0, 2.0),
            ),
            _stairs,
            lambda numbers: 2 * int(numbers[0]) + 2,
            lambda numbers: int(numbers[0]) * numbers[1],
        ),
        PieceKind("box", (Quantity("width", "m", 0.05, 100.0), _HEIGHT), _box, lambda _: 4),
        PieceKind(
            "gap", (Quantity("width", "m", 0.05, 10.0), Quantity("depth", "m", 0.1, 10.0, 1.0)), _gap, lambda _: 4
        ),
        PieceKind("hurdle", (_HEIGHT, Quantity("width", "m", 0.01, 0.1, 0.04)), _hurdle, lambda _: 4, itemgetter(1)),
        PieceKind(
            "rough",
            (
                Quantity("length", "m", 0.1, 100.0),
                Quantity("amplitude", "m", 0.0, 0.5),
                Quantity("wave", "m", 0.1, 100.0, 0.5),
                Quantity("seed", "", 0, MAX_SEED, 0, whole=True),
            ),
            _rough,
            lambda numbers: _BUMP_POINTS * _knots(numbers[0], numbers[2]) + 1,
        ),
        PieceKind(
            "slope",
            (Quantity("length", "m", 0.1, 1000.0), Quantity("degrees", "deg", -60.0, 60.0)),
            _slope,
            lambda _: 2 * _BLEND_POINTS + 2,
        ),
    )
}


def _range(quantity: Quantity) -> str:
    what = "a whole number " if quantity.whole else ""
    return f"{what}between {quantity.low:g} and {quantity.high:g}"


def _listed(kind: PieceKind) -> str:
    return ":".join(quantity.name.upper() for quantity in kind.quantities)
