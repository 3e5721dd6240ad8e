"""The circles with which a geom (shape) of a MuJoCo model touches the ground, from the geom's outline in the plane.

A sphere becomes one circle. A capsule becomes a circle at each end. Both are exact, because the collision kernel treats
two neighbouring circles of a link as the ends of a capsule (`kernels.planar.collision`). A box or a cylinder becomes a
small circle in each corner of the outline. An ellipsoid becomes several circles along its longer axis in the plane. The
circles do not exceed the outline.
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
    """Pose of a coordinate frame relative to another coordinate frame, with MuJoCo's axes: x forward, z up."""

    position: Array
    """(3,) position of the origin, m."""
    rotation: Array
    """(3, 3) rotation matrix. Its columns are the axes of the frame, as unit vectors of the other frame."""


CORNER_RADIUS = 0.01
"""Radius of the circles in the corners of a box or cylinder, m.

The circles are smaller if the shape is too thin. They are also smaller if its outline has corners sharper than a right
angle (a rotated box), so that a circle does not cut off more of such a corner.
"""

ELLIPSE_CIRCLES = 7
"""Number of circles that replace an ellipse. The error of the outline is at most 1.3 % of the longer half-axis."""

_ROUND = 1e-3  # relative difference of half-axes below which an ellipse is a circle
_RIM_POINTS = 16  # points on the rim of a tilted cylinder; they deviate from it by at most 2 % of the radius

Circle = tuple[float, float, float]
"""x and height of the centre, and radius, m."""


def contact_circles(shape: str, size: Sequence[float], frame: Frame) -> list[Circle]:
    """Return the contact circles of a geom in the plane of x and z, in an order in which neighbours are consecutive.

    Each radius is at least the minimum for a character (0.1 mm), even if the shape is thinner.

    Args:
        shape: type of the geom, such as "capsule".
        size: half-sizes of the geom as in MJCF, m.
        frame: pose of the geom relative to the frame of the returned circles. Its y position is ignored.
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
    return list(dict.fromkeys((float(x), float(z), max(float(radius), LEAST)) for x, z, radius in found))


def extent(shape: str, size: Sequence[float], frame: Frame) -> tuple[Array, Array]:
    """Return the bounding box of a geom in the plane: its lower left and its upper right corner, each (2,) x and z, m.

    Args:
        shape: type of the geom, such as "capsule".
        size: half-sizes of the geom as in MJCF, m.
        frame: pose of the geom relative to the frame of the returned corners.
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
    """Return circles that lie inside an ellipse and touch the outline of the ellipse.

    With half-axes p > q, the circle at x on the longer axis has the radius q sqrt(1 - x2 / (p2 - q2)). The last circle
    is at x = (p2 - q2) / p, the centre of curvature of the ellipse's end.

    Args:
        centre: (2,) centre of the ellipse, m.
        map_of_ball: (2, 3) matrix that maps the unit ball to the ellipse about the origin, m.
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
    """Return the corners of the outline of a box or a cylinder in the plane, (n, 2) x and z, m.

    The rim of a cylinder that is not seen exactly from the side is approximated by points.

    Args:
        shape: "box" or "cylinder".
        size: half-sizes of the geom as in MJCF, m.
        frame: pose of the geom relative to the frame of the returned corners.
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
    """Return the distance from the sharpest corner of an outline to a circle of radius 1 that touches both sides there.

    The cosine of the angle between the normals at a corner is the negative cosine of the corner's angle.

    Args:
        normals: (n, 2) unit normals of the sides of the outline, in the order of the sides.
    """
    cosines = np.einsum("ij,ij->i", normals, np.roll(normals, -1, axis=0))
    half_sine = math.sqrt(max((1.0 + float(cosines.min())) / 2.0, 1e-12))
    return 1.0 / half_sine - 1.0


def _in_corners(corners: Array) -> list[Circle]:
    """Return circles of equal radius in the corners of a convex outline. No circle exceeds the outline.

    The centres of the circles are the corners of the outline after all sides are moved inwards by the radius.

    Args:
        corners: (n, 2) corners of the outline, counterclockwise, m.
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
