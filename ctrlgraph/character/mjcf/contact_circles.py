"""The circles by which a geom touches the ground, from its outline in the plane of motion.

A sphere is one circle and a capsule has one at each end. Both are exact, because neighbouring circles of a link are the
ends of a capsule (`kernels.planar.collision`). Boxes and cylinders have a small circle in each corner of the outline.
Ellipsoids have several circles along the longer axis. These circles do not exceed the outline.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.convex_hull import convex_hull
from ctrlgraph.character.schema import LEAST

Array = NDArray[np.float64]


class Frame(NamedTuple):
    """Pose of a frame relative to another frame."""

    position: Array
    """(3,) m."""
    rotation: Array
    """(3, 3), its columns are the axes of the frame."""


CORNER_RADIUS = 0.01
"""Radius of the circles in the corners of a box that is thick enough, m. In corners sharper than a right angle (of a
rotated box) the circles are smaller, so that they do not cut off more."""

ELLIPSE_CIRCLES = 7
"""Number of circles of an ellipse. The circles deviate from its outline by at most 1.3 % of the longer half-axis."""

_ROUND = 1e-3  # relative difference of half-axes below which an ellipse is a circle
_RIM_POINTS = 16  # points on the rim of a tilted cylinder; they deviate from it by at most 2 % of the radius

Circle = tuple[float, float, float]
"""x and height of the centre, and radius, m."""


def contact_circles(shape: str, size: Sequence[float], frame: Frame) -> list[Circle]:
    """Return the circles of a shape in the plane of x and z, in the order in which they follow each other.

    Args:
        shape: its type.
        size: its half-sizes as in MJCF, m.
        frame: its frame in the world; the distance from the plane does not matter.

    No radius is below the minimum of a character (0.1 mm), even if the shape is thinner.
    """
    centre = frame.position[[0, 2]]
    axis = frame.rotation[[0, 2], 2]
    if shape == "sphere":
        found = [(*centre, size[0])]
    elif shape == "capsule":
        found = [(*(centre - size[1] * axis), size[0]), (*(centre + size[1] * axis), size[0])]
    elif shape == "ellipsoid":
        found = _in_ellipse(centre, frame.rotation[[0, 2]] * np.asarray(size))
    elif shape == "cylinder" and math.hypot(*axis) < _ROUND:
        found = [(*centre, size[0])]
    else:
        found = _in_corners(outline(shape, size, frame))
    circles = [(float(x), float(z), max(float(radius), LEAST)) for x, z, radius in found]
    return list(dict.fromkeys(circles))


def extent(shape: str, size: Sequence[float], frame: Frame) -> tuple[Array, Array]:
    """Return the lower and the upper corner (2,) of the bounding box of a shape in the plane: x and z, m.

    Args:
        shape: its type.
        size: its half-sizes as in MJCF, m.
        frame: its frame.
    """
    rows = frame.rotation[[0, 2]]
    if shape == "sphere":
        reach = np.full(2, size[0])
    elif shape == "capsule":
        reach = size[0] + size[1] * np.abs(rows[:, 2])
    elif shape == "ellipsoid":
        reach = np.linalg.norm(rows * np.asarray(size), axis=1)
    elif shape == "cylinder":
        reach = size[1] * np.abs(rows[:, 2]) + size[0] * np.hypot(rows[:, 0], rows[:, 1])
    else:
        reach = np.abs(rows) @ np.asarray(size)
    centre = frame.position[[0, 2]]
    return centre - reach, centre + reach


def _in_ellipse(centre: Array, map_of_ball: Array) -> list[Circle]:
    """Circles inside an ellipse that touch its outline.

    With half-axes p > q, the circle at x on the longer axis has the radius q sqrt(1 - x2 / (p2 - q2)). The last circle
    is at (p2 - q2) / p, the centre of curvature of the end.

    Args:
        centre: (2,) m.
        map_of_ball: (2, 3) takes the unit ball to the ellipse about the origin.
    """
    squares, axes = np.linalg.eigh(map_of_ball @ map_of_ball.T)
    short, long = math.sqrt(max(squares[0], 0.0)), math.sqrt(max(squares[1], 0.0))
    if long - short <= _ROUND * long:
        return [(*centre, short)]
    along = axes[:, 1] if axes[0, 1] >= 0.0 else -axes[:, 1]
    focal = squares[1] - squares[0]
    places = focal / long * np.sin(np.linspace(-np.pi / 2.0, np.pi / 2.0, ELLIPSE_CIRCLES))
    return [(*(centre + x * along), short * math.sqrt(max(1.0 - x * x / focal, 0.0))) for x in places]


def outline(shape: str, size: Sequence[float], frame: Frame) -> Array:
    """Return the corners (n, 2) of a box or a cylinder in the plane, x and z, m. A tilted rim has points instead of
    corners.

    Args:
        shape: its type.
        size: its half-sizes as in MJCF, m.
        frame: its frame.
    """
    if shape == "box":
        corners = np.array(list(itertools.product((-1.0, 1.0), repeat=3))) * np.asarray(size)
    else:
        turn = np.linspace(0.0, 2.0 * np.pi, _RIM_POINTS, endpoint=False)
        if abs(frame.rotation[1, 2]) < _ROUND:  # seen from the side, each rim is two points
            across = np.cross(frame.rotation[:, 2], [0.0, 1.0, 0.0]) @ frame.rotation
            turn = math.atan2(across[1], across[0]) + np.array([0.0, np.pi])
        rim = np.column_stack([np.cos(turn), np.sin(turn)]) * size[0]
        corners = np.array([(x, y, z) for z in (-size[1], size[1]) for x, y in rim])
    return convex_hull((frame.position + corners @ frame.rotation.T)[:, [0, 2]], tolerance=1e-8)


def _cut_off(normals: Array) -> float:
    """Return the length that a circle of radius 1 cuts off the sharpest corner, for sides with these normals (n, 2).

    The cosine between the normals of a corner is the negative cosine of its angle.
    """
    cosines = np.einsum("ij,ij->i", normals, np.roll(normals, -1, axis=0))
    half_sine = math.sqrt(max((1.0 + float(cosines.min())) / 2.0, 1e-12))
    return 1.0 / half_sine - 1.0


def _in_corners(corners: Array) -> list[Circle]:
    """Return circles in the corners of a convex outline (n, 2). Their centres are the corners of the outline moved
    inwards by the radius, so that no circle exceeds the outline.
    """
    if len(corners) < 3:
        return [(*corner, LEAST) for corner in corners]
    sides = np.roll(corners, -1, axis=0) - corners
    normals = np.column_stack([-sides[:, 1], sides[:, 0]]) / np.linalg.norm(sides, axis=1)[:, None]  # inwards
    offsets = np.einsum("ij,ij->i", normals, corners)
    centre = corners.mean(axis=0)  # boxes and cylinders are symmetric about it
    inner = float((normals @ centre - offsets).min())
    radius = min(CORNER_RADIUS, inner / 2.0, (math.sqrt(2.0) - 1.0) * CORNER_RADIUS / _cut_off(normals))
    found: list[Array] = []
    for i, j in itertools.combinations(range(len(corners)), 2):
        pair = normals[[i, j]]
        if abs(np.linalg.det(pair)) < 1e-9:
            continue
        place = np.linalg.solve(pair, offsets[[i, j]] + radius)
        is_inside = (normals @ place - offsets).min() >= radius - 1e-9 * inner
        if is_inside and all(np.linalg.norm(place - other) > 1e-6 * inner for other in found):
            found.append(place)
    if not found:  # thinner than rounding errors
        return [(*corner, LEAST) for corner in corners]
    found.sort(key=lambda place: math.atan2(place[1] - centre[1], place[0] - centre[0]))
    return [(*place, radius) for place in found]
