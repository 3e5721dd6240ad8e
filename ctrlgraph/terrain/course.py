"""Courses: sequences of pieces (stairs, boxes, gaps, ...) on level ground, listed or chosen at random.

A course can be written as text, such as "course=3:gap:0.4:1", that describes it completely (`Course.words`).
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from ctrlgraph.terrain.pieces import PIECES, Piece, TerrainError, piece_kind
from ctrlgraph.terrain.terrain import FAR, MAX_POINTS, Terrain, terrain_of, words

MAX_PIECES = 500
"""Maximum number of pieces of a course."""

Limits = Mapping[str, Mapping[str, tuple[float, float]]]
"""Ranges (minimum, maximum) of random quantities, by kind of piece, such as "box", and quantity, such as "width"."""

RANDOM_LENGTH = 30.0
"""Default length of a random course, m."""
MAX_LENGTH = 1000.0
"""Maximum length of a random course, m."""
RANDOM_KINDS = ("stairs", "box", "gap", "slope")
"""Default kinds of pieces in a random course."""
CLEAR = (2.0, 5.0)
"""Default range of the length of the level ground before each piece of a random course, m."""

RANDOM_LIMITS: Limits = {
    "stairs": {"count": (1, 5), "run": (0.28, 0.4), "rise": (0.1, 0.15)},
    "box": {"width": (0.8, 2.0), "height": (0.1, 0.15)},
    "gap": {"width": (0.2, 0.5), "depth": (1.0, 1.0)},
    "hurdle": {"height": (0.1, 0.3), "width": (0.04, 0.04)},
    "rough": {"length": (1.0, 4.0), "amplitude": (0.01, 0.02), "wave": (0.4, 1.0), "seed": (0, 999_999)},
    "slope": {"length": (2.0, 5.0), "degrees": (-4.0, 4.0)},
}
"""Ranges of the quantities of small random pieces, m or degrees.

With the default range of `rise`, stairs go up or down with equal probability.
"""
HUMAN_LIMITS: Limits = {
    **RANDOM_LIMITS,
    "stairs": {"count": (1, 5), "run": (0.29, 0.29), "rise": (0.17, 0.17)},
    "box": {"width": (0.8, 2.0), "height": (0.1, 0.3)},
    "gap": {"width": (0.2, 0.8), "depth": (1.0, 1.0)},
    "slope": {"length": (2.0, 5.0), "degrees": (-8.0, 8.0)},
}
"""Ranges of the quantities of random pieces of human size, such as stairs of 0.17 x 0.29 m, m or degrees."""
SIZES: Mapping[str, Limits] = {"small": RANDOM_LIMITS, "human": HUMAN_LIMITS}
"""Ranges of the quantities of random pieces by the size of a course."""


@dataclass(frozen=True)
class Course:
    """A terrain with obstacles: a sequence of pieces from left to right, separated by level ground.

    >>> from ctrlgraph import parse_terrain
    >>> parse_terrain("course=3:gap:0.4:1,5:stairs:2:0.3:0.15").height(20.0)
    0.3
    """

    pieces: tuple[Piece, ...]

    def __post_init__(self) -> None:
        """
        Raises:
            TerrainError: pieces overlap, begin too far away, or have too many points, or there are too many pieces.
        """
        if len(self.pieces) > MAX_PIECES:
            raise TerrainError(f"a course can have at most {MAX_PIECES} pieces, not {len(self.pieces)}")
        points = sum(piece.count for piece in self.pieces)
        if points > MAX_POINTS - 2:
            raise TerrainError(
                f"the course has {points} points, more than {MAX_POINTS - 2}: use fewer or shorter pieces"
            )
        end = -FAR
        for piece in self.pieces:
            if not abs(piece.start) <= FAR:
                raise TerrainError(f"a piece must begin within {FAR:g} m of the origin, not at {piece.start:g} m")
            if piece.start < end:
                raise TerrainError(
                    f"the piece '{piece.kind}' begins at {piece.start:g} m, before the previous piece ends at {end:g} m"
                )
            end = piece.start + piece.length

    @property
    def words(self) -> str:
        """Return the text that `parse_terrain` reads as this course: "course=" and START:KIND:NUMBERS of each piece."""
        return "course=" + ",".join(
            f"{words([[piece.start]])}:{piece.kind}:{words([piece.numbers])}" for piece in self.pieces
        )

    @property
    def end(self) -> float:
        """Return the position x at which the last piece ends, m; 0 without pieces."""
        return self.pieces[-1].start + self.pieces[-1].length if self.pieces else 0.0

    def terrain(self, friction: float = 1.0) -> Terrain:
        """Return the ground (a polyline) that the course describes.

        Args:
            friction: coefficient of friction, 0 to 10.

        Raises:
            TerrainError: the ground gets too high, too low or too long, or the friction is out of range.
        """
        points, level = [(-FAR, 0.0)], 0.0
        for piece in self.pieces:
            shape = piece.points
            # terrain_of removes the duplicate of a point that two pieces share
            points += [(piece.start + x, level + y) for x, y in shape]
            level += shape[-1][1]
        return terrain_of(self.words, [*points, (FAR, level)], friction)


def parse_course(groups: Sequence[str]) -> Course:
    """Return the course that a text describes.

    Args:
        groups: the text after "course=", split at commas: for each piece START:KIND:NUMBERS, such as "3:gap:0.4:1".

    Raises:
        TerrainError: a piece is invalid, pieces overlap, or there are too many pieces.
        ValueError: a number cannot be parsed.
    """
    if len(groups) > MAX_PIECES:
        raise TerrainError(f"a course can have at most {MAX_PIECES} pieces, not {len(groups)}")
    pieces = []
    for group in groups:
        start, kind, *numbers = group.split(":") if group.count(":") >= 1 else (group, "")
        pieces.append(Piece(kind, float(start), tuple(float(number) for number in numbers)))
    return Course(tuple(pieces))


@dataclass(frozen=True)
class RandomCourse:
    """Description of a random course: the seed and the ranges from which `draw` chooses the pieces.

    >>> from ctrlgraph.terrain.course import RandomCourse
    >>> RandomCourse(7).draw() == RandomCourse(7).draw()
    True
    """

    seed: int
    """Seed of the random numbers."""
    length: float = RANDOM_LENGTH
    """Maximum length of the course, m."""
    kinds: Collection[str] = RANDOM_KINDS
    """Kinds of pieces, such as "gap", that are chosen with equal probability."""
    limits: Limits = field(default_factory=dict)
    """Ranges of quantities that replace the ranges of the size, by kind of piece and name of the quantity."""
    clear: tuple[float, float] = CLEAR
    """Range of the length of the level ground before each piece, m."""
    size: str = "small"
    """Size of the pieces, a key of `SIZES`."""

    def __post_init__(self) -> None:
        """
        Raises:
            TerrainError: The length or the range `clear` is out of range, a kind of piece, a quantity or the size is
                unknown, or `kinds` is empty.
        """
        if self.size not in SIZES:
            raise TerrainError(f"there is no size '{self.size[:40]}' of random courses (known: {', '.join(SIZES)})")
        if not 1.0 <= self.length <= MAX_LENGTH:
            raise TerrainError(f"a random course must be 1 to {MAX_LENGTH:g} m long, not {self.length:g} m")
        if not self.kinds:
            raise TerrainError(f"a random course needs at least one kind of piece: {', '.join(PIECES)}")
        if not 0.5 <= self.clear[0] <= self.clear[1] <= MAX_LENGTH:
            given = f"not {self.clear[0]:g} to {self.clear[1]:g} m"
            raise TerrainError(f"the level ground before each piece must be 0.5 to {MAX_LENGTH:g} m long, {given}")
        for kind in (*self.kinds, *self.limits):
            names = [quantity.name for quantity in piece_kind(kind).quantities]
            for name in self.limits.get(kind, {}):
                if name not in names:
                    raise TerrainError(f"a piece '{kind}' has no quantity '{name[:40]}' (known: {', '.join(names)})")

    def draw(self) -> Course:
        """Choose the pieces at random, and return the course. The same seed gives the same course on every machine.

        Lengths are rounded to mm, angles to tenths of a degree.
        """
        rng = random.Random(self.seed)
        pieces: list[Piece] = []
        here = 0.0
        kinds = list(self.kinds)
        while True:
            start = round(here + max(_uniform(rng, *self.clear), 2.0 * (not pieces)), 3)
            kind = kinds[min(int(rng.random() * len(kinds)), len(kinds) - 1)]
            piece = Piece(kind, start, self._numbers(kind, rng))
            if start + piece.length > self.length - self.clear[0]:
                return Course(tuple(pieces))
            pieces.append(piece)
            here = start + piece.length

    def _numbers(self, kind: str, rng: random.Random) -> tuple[float, ...]:
        ranges = {**SIZES[self.size][kind], **self.limits.get(kind, {})}
        numbers = []
        for quantity in PIECES[kind].quantities:
            low, high = ranges[quantity.name]
            value = _uniform(rng, low, high)
            if quantity.whole:
                value = min(low + int(rng.random() * (high - low + 1)), high)
            elif kind == "stairs" and quantity.name == "rise" and "rise" not in self.limits.get(kind, {}):
                value *= 1.0 if rng.random() < 0.5 else -1.0
            numbers.append(float(round(value, 1 if quantity.unit == "deg" else 3)))
        return tuple(numbers)


def _uniform(rng: random.Random, low: float, high: float) -> float:
    return low + (high - low) * rng.random()
