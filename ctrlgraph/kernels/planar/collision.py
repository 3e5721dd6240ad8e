"""Planar collision: contacts between the circles of a character and the polyline of the terrain.

A normal is a unit vector that points out of the ground.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Kinematics

MAX_CONTACTS = 64
"""Maximum number of contacts that are kept in a step; further ones are ignored."""
# Margin around a circle within which the terrain is searched, m: more than the penetration of one step.
_REACH = 0.1
# Maximum depth of a corner of the ground between two circles, m. Deeper corners lie on the other side, like the
# edge of a stair next to a heel on the tread below.
_POKE = 0.03
# Cosine of 30 degrees: two faces with normals further apart make two contacts of a circle.
_ANOTHER_WAY = 0.866


class Shapes(NamedTuple):
    """The C contact circles of a character, each fixed to a link."""

    link: Ints
    """Index of each circle's link (C,)."""
    circle: Floats
    """x, y of each circle's centre from the link's centre of mass, in the link's frame, and radius (C, 3), m."""


class Contacts(NamedTuple):
    """Contacts of the character with the ground in one step. The first `filled[0]` elements of each array are valid."""

    filled: Ints
    """Number of contacts (1,)."""
    link: Ints
    """Index of each link in contact (MAX_CONTACTS,)."""
    geometry: Floats
    """Each contact (MAX_CONTACTS, 5): x, y of the point in the world, m; x, y of the normal; penetration depth, m."""
    force: Floats
    """x, y of the force of the ground on the link in the step (MAX_CONTACTS, 2), N."""


def shapes_of(character: PlanarCharacter) -> Shapes:
    """Return the contact circles of a character, ordered by link."""
    rows = [(i, c.x, c.y, c.radius) for i, link in enumerate(character.links) for c in link.contacts]
    return Shapes(np.array([r[0] for r in rows], np.int64), np.array([r[1:] for r in rows], np.float64).reshape(-1, 3))


def new_contacts() -> Contacts:
    """Return arrays for `MAX_CONTACTS` contacts, none of which is filled."""
    most = MAX_CONTACTS
    return Contacts(np.zeros(1, np.int64), np.zeros(most, np.int64), np.zeros((most, 5)), np.zeros((most, 2)))


@kernel
def first_segment(xs: Floats, x: float) -> int:
    """Return the index of the last segment of a polyline that begins left of x; 0 if there is none.

    Args:
        xs: x of the polyline's vertices from left to right, m.
        x: the position, m.
    """
    low, high = 0, xs.size - 2
    while low < high:
        middle = (low + high + 1) // 2
        if xs[middle] < x:
            low = middle
        else:
            high = middle - 1
    return low


@kernel
def height_at(xs: Floats, ys: Floats, x: float) -> float:
    """Return the height of the ground at x, m.

    At a vertical wall, it is the height of the wall's last vertex. Beyond its ends, the ground is level.

    Args:
        xs: x of the ground's vertices from left to right, m.
        ys: y of the ground's vertices, m.
        x: position in the world, m.
    """
    last = xs.size - 1
    if x < xs[0]:
        return float(ys[0])
    if x >= xs[last]:
        return float(ys[last])
    low, high = 0, last
    while high - low > 1:  # xs[low] <= x < xs[high]
        middle = (low + high) // 2
        if xs[middle] <= x:
            low = middle
        else:
            high = middle
    return float((ys[high] - ys[low]) / (xs[high] - xs[low]) * (x - xs[low]) + ys[low])


@kernel
def nearest(xs: Floats, ys: Floats, x: float, y: float, radius: float) -> tuple[float, float, float]:
    """Return the distance of the point (x, y) from the ground, and the ground's normal at the point nearest to it.

    Only segments of the ground whose x is within `radius` and a margin of the point are considered.

    Args:
        xs: x of the ground's vertices from left to right, m.
        ys: y of the ground's vertices, m.
        x: x of the point, m.
        y: y of the point, m.
        radius: distance in x within which the ground is searched, m.

    Returns:
        The distance, m, negative inside the ground, and x and y of the normal, which points out of the ground. Without
        a segment in range, the distance is infinite and the normal points up.
    """
    margin = radius + _REACH
    best, bx, by = np.inf, x, y
    nx, ny = 0.0, 1.0
    inside = False
    i = first_segment(xs, x - margin)
    while i < xs.size - 1 and xs[i] <= x + margin:
        x0, y0, x1, y1 = xs[i], ys[i], xs[i + 1], ys[i + 1]
        dx, dy = x1 - x0, y1 - y0
        length2 = dx * dx + dy * dy
        if length2 > 0.0:
            t = max(0.0, min(1.0, ((x - x0) * dx + (y - y0) * dy) / length2))
            px, py = x0 + t * dx, y0 + t * dy
            distance = math.hypot(x - px, y - py)
            if distance < best:
                best, bx, by = distance, px, py
                length = math.sqrt(length2)
                nx, ny = -dy / length, dx / length
            if x0 <= x < x1 and y < y0 + (y1 - y0) * (x - x0) / dx:
                inside = True
        i += 1
    if best > 1e-9 and best < np.inf:
        sign = -1.0 if inside else 1.0
        nx, ny = sign * (x - bx) / best, sign * (y - by) / best
    return (-best if inside else best), nx, ny


@kernel
def second_face(
    xs: Floats, ys: Floats, x: float, y: float, radius: float, nx: float, ny: float
) -> tuple[float, float, float]:
    """Return the distance from a circle's centre to a second face of the ground, next to the one that `nearest` found.

    A circle in the corner of a step touches floor and riser. With only one contact it would sink into the other face. A
    second face has a normal that differs by more than 30 degrees. The ends of faces are ignored, because `nearest`
    finds convex corners.

    Args:
        xs: x of the ground's vertices from left to right, m.
        ys: y of the ground's vertices, m.
        x: x of the centre, which is outside the ground, m.
        y: y of the centre, m.
        radius: radius of the circle, m.
        nx: x of the normal that `nearest` found.
        ny: y of that normal.

    Returns:
        The distance, m, infinite if there is no second face within the radius, and x and y of the second face's normal.
    """
    best, bx, by = np.inf, 0.0, 1.0
    i = first_segment(xs, x - radius)
    while i < xs.size - 1 and xs[i] <= x + radius:
        x0, y0 = xs[i], ys[i]
        dx, dy = xs[i + 1] - x0, ys[i + 1] - y0
        length2 = dx * dx + dy * dy
        if length2 > 0.0:
            length = math.sqrt(length2)
            t = ((x - x0) * dx + (y - y0) * dy) / length2
            distance = (dx * (y - y0) - dy * (x - x0)) / length
            other = (dx * ny - dy * nx) / length < _ANOTHER_WAY
            if other and 0.0 < t < 1.0 and 0.0 <= distance < radius and distance < best:
                best, bx, by = distance, -dy / length, dx / length
        i += 1
    return best, bx, by


@kernel
def corner_under(
    xs: Floats, ys: Floats, x0: float, y0: float, x1: float, y1: float, radius: float
) -> tuple[float, float, float, float, float]:
    """Return the corner of the ground that penetrates a capsule (two circles and the area between them) most.

    Only convex corners next to the straight part of the capsule are considered, because its round ends are handled as
    circles.

    Args:
        xs: x of the ground's vertices from left to right, m.
        ys: y of the ground's vertices, m.
        x0: x of the centre of one end, m.
        y0: y of the centre of this end, m.
        x1: x of the centre of the other end, m.
        y1: y of the centre of the other end, m.
        radius: radius of the capsule, m.

    Returns:
        x and y of the corner, m, x and y of the normal there, and the depth of penetration, m. The depth is 0 if there
        is no such corner.
    """
    dx, dy = x1 - x0, y1 - y0
    length = math.hypot(dx, dy)
    best, bx, by, bnx, bny = 0.0, 0.0, 0.0, 0.0, 1.0
    if length < 1e-6:
        return bx, by, bnx, bny, best
    dx, dy = dx / length, dy / length
    right = max(x0, x1) + radius
    i = max(1, first_segment(xs, min(x0, x1) - radius))
    while i < xs.size - 1 and xs[i] <= right:
        before_x, before_y = xs[i] - xs[i - 1], ys[i] - ys[i - 1]
        after_x, after_y = xs[i + 1] - xs[i], ys[i + 1] - ys[i]
        along = (xs[i] - x0) * dx + (ys[i] - y0) * dy
        if before_x * after_y - before_y * after_x < -1e-12 and 0.0 < along < length:
            # the perpendicular that points out of the ground
            out_x = -before_y / math.hypot(before_x, before_y) - after_y / math.hypot(after_x, after_y)
            out_y = before_x / math.hypot(before_x, before_y) + after_x / math.hypot(after_x, after_y)
            nx, ny = -dy, dx
            if nx * out_x + ny * out_y < 0.0:
                nx, ny = dy, -dx
            depth = radius - ((x0 - xs[i]) * nx + (y0 - ys[i]) * ny)
            if best < depth < radius + _POKE:
                best, bx, by, bnx, bny = depth, xs[i], ys[i], nx, ny
        i += 1
    return bx, by, bnx, bny, best


@kernel
def _note(found: Contacts, link: int, x: float, y: float, nx: float, ny: float, depth: float) -> None:
    count = found.filled[0]
    if count >= MAX_CONTACTS:
        return
    found.link[count] = link
    found.geometry[count, 0] = x
    found.geometry[count, 1] = y
    found.geometry[count, 2] = nx
    found.geometry[count, 3] = ny
    found.geometry[count, 4] = depth
    found.filled[0] = count + 1


@kernel
def find_contacts(kin: Kinematics, shapes: Shapes, xs: Floats, ys: Floats, found: Contacts) -> None:
    """Fill `found` with the contacts of all circles of a character with the ground.

    On ground with corners, consecutive circles of a link are the ends of a capsule, so that the edge of a box cannot
    penetrate a foot between heel and toe.

    Args:
        kin: poses of the links.
        shapes: contact circles of the links.
        xs: x of the ground's vertices from left to right, m.
        ys: y of the ground's vertices, m.
        found: result: the contacts. Earlier contents are replaced.
    """
    found.filled[0] = 0
    flat = xs.size == 2
    fx, fy = xs[1] - xs[0], ys[1] - ys[0]
    length = math.hypot(fx, fy)
    fx, fy = fx / length, fy / length
    last, last_x, last_y = -1, 0.0, 0.0
    for c in range(shapes.link.size):
        i = shapes.link[c]
        cosine, sine = kin.turn[i, 0], kin.turn[i, 1]
        u, v, radius = shapes.circle[c, 0], shapes.circle[c, 1], shapes.circle[c, 2]
        x = kin.link[i, 0] + u * cosine + v * sine
        y = kin.link[i, 1] + v * cosine - u * sine
        if flat:
            nx, ny = -fy, fx
            distance = (x - xs[0]) * nx + (y - ys[0]) * ny
        else:
            distance, nx, ny = nearest(xs, ys, x, y, radius)
        if distance < radius:
            _note(found, i, x - nx * radius, y - ny * radius, nx, ny, radius - distance)
            if not flat and distance > 0.0:
                distance, nx, ny = second_face(xs, ys, x, y, radius, nx, ny)
                if distance < radius:
                    _note(found, i, x - nx * radius, y - ny * radius, nx, ny, radius - distance)
        if not flat and last == i:
            thin = min(radius, shapes.circle[c - 1, 2])
            px, py, nx, ny, depth = corner_under(xs, ys, last_x, last_y, x, y, thin)
            if depth > 0.0:
                _note(found, i, px, py, nx, ny, depth)
        last, last_x, last_y = i, x, y
