"""Descriptions of terrains as text, such as "slope=5", for the command line and logs."""

from __future__ import annotations

from ctrlgraph.arguments import checked
from ctrlgraph.terrain.course import RANDOM_LENGTH, Course, RandomCourse, parse_course
from ctrlgraph.terrain.pieces import TerrainError
from ctrlgraph.terrain.terrain import Terrain, boxes, flat, heights, slope, stairs

FORMS = (
    "flat, slope=DEGREES, box=START:WIDTH:HEIGHT[,...], stairs=START:COUNT:RUN:RISE, heights=X:Y[,X:Y...],"
    " course=START:KIND:NUMBERS[,...] or random:SEED[:LENGTH]"
)
_RANDOM = "random:"


@checked
def parse(text: str, friction: float = 1.0) -> Terrain:
    """Return the terrain that a text such as `slope=5` or `box=1:0.4:0.1` describes.

    Args:
        text: description in one of the `FORMS`.
        friction: coefficient of friction, 0 to 10.

    Raises:
        TerrainError: the text does not have one of the forms, or a number is out of range.

    >>> from ctrlgraph import parse_terrain
    >>> round(parse_terrain("slope=5").preview(0.0).slope, 6)
    5.0
    """
    found = _course(text)
    if found is not None:
        return found.terrain(friction)
    kind, _, rest = text.partition("=")
    try:
        groups = [[float(n) for n in group.split(":")] for group in rest.split(",")] if rest else []
        if kind == "flat" and not groups:
            return flat(friction)
        if kind == "slope" and [len(g) for g in groups] == [1]:
            return slope(groups[0][0], friction)
        if kind == "box" and groups and all(len(g) == 3 for g in groups):
            return boxes([(g[0], g[1], g[2]) for g in groups], friction)
        if kind == "stairs" and [len(g) for g in groups] == [4] and groups[0][1].is_integer():
            return stairs(groups[0][0], int(groups[0][1]), groups[0][2], groups[0][3], friction)
        if kind == "heights" and groups and all(len(g) == 2 for g in groups):
            return heights([(g[0], g[1]) for g in groups], friction)
    except ValueError:
        pass
    raise _no_terrain(text)


def written_out(text: str) -> str:
    """Return a description of a terrain in which a random course is replaced by the list of its pieces.

    Logs contain this form, so that a replay does not depend on the random generator.

    Args:
        text: description of a terrain. A description of other terrain than a random course is returned unchanged.

    Raises:
        TerrainError: the description of the random course is invalid.
    """
    found = _course(text) if text.startswith(_RANDOM) else None
    return text if found is None else found.words


def is_course(text: str) -> bool:
    """Return whether a description of a terrain begins with "course=" or "random:", as for a course."""
    return text.startswith((_RANDOM, "course="))


def _course(text: str) -> Course | None:
    """Return the course that a description of a terrain means; None if the description does not mean a course.

    Raises:
        TerrainError: the description of the course is invalid.
    """
    try:
        if text.startswith(_RANDOM):
            seed, _, length = text.removeprefix(_RANDOM).partition(":")
            if not (seed.isascii() and seed.isdigit() and len(seed) < 20):
                raise _no_terrain(text)
            return RandomCourse(int(seed), float(length) if length else RANDOM_LENGTH).draw()
        if text.startswith("course="):
            rest = text.removeprefix("course=")
            return parse_course(rest.split(",") if rest else [])
    except ValueError:
        raise _no_terrain(text) from None
    return None


def _no_terrain(text: str) -> TerrainError:
    shown = text if len(text) <= 100 else f"{text[:100]}..."
    return TerrainError(f"terrain '{shown}' is not one of {FORMS}")
