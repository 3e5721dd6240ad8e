"""The colliding shapes of a spatial character as arrays, and the pairs of its links that can touch."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.spatial_model import Quaternion, Shape, SpatialCharacter
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.spatial.spatial_arrays import spatial_body
from ctrlgraph.kernels.spatial.spatial_geometry import closest_on_segments
from ctrlgraph.kernels.spatial.spatial_rotation import rows_of

KINDS = ("sphere", "capsule", "box", "cylinder", "ellipsoid")
"""Kinds of shapes in the order of their numbers in `SpatialShapes.kind`."""

# Added to the spheres around links, so that rounding hides no contact of their shapes, m.
_MARGIN = 1e-9


class SpatialShapes(NamedTuple):
    """The S colliding shapes of a character with L links, ordered by link."""

    link: Ints
    """Index of each shape's link (S,)."""
    kind: Ints
    """Kind of each shape (S,), an index in `KINDS`."""
    size: Floats
    """Size of each shape, as in `Shape.size` (S, 3), m."""
    center: Floats
    """Centre of each shape from the link's centre of mass, in the frame of the link (S, 3), m."""
    turn: Floats
    """Rotation matrix of each shape from its frame to the frame of the link (S, 3, 3)."""
    bound: Floats
    """Radius of the smallest sphere around each shape's centre that contains the shape (S,), m."""
    capsule: Floats
    """Capsule inside each shape, for contacts between links (S, 8): both ends of the axis in the frame of the link, the
    radius, and the radius of the smallest sphere around the shape's centre that contains the capsule, m."""
    first: Ints
    """Index of the first shape of each link, and S (L + 1,)."""
    middle: Floats
    """Centre of a sphere that contains the shapes of each link, in the frame of the link (L, 3), m."""
    reach: Floats
    """Radii of the sphere around the shapes of each link, and of one with the same centre around capsules (L, 2), m;
    0 for links without shapes."""
    place: Floats
    """Work array: centre of these spheres in the world (L, 3), m."""
    rotation: Floats
    """Work array: rotation matrix of each link with shapes (L, 3, 3)."""
    pairs: Ints
    """Indices of the two links of each pair that can touch (P, 2)."""


def spatial_shapes(character: SpatialCharacter) -> SpatialShapes:
    """Return the colliding shapes of a character.

    Two links can touch each other unless one is the other's parent, the character excludes the pair, or their shapes
    touch in the reference pose.
    """
    found = [(i, shape) for i, link in enumerate(character.links) for shape in link.shapes if _can_collide(shape)]
    n_links = len(character.links)
    links = np.array([i for i, _ in found], np.int64)
    bound = np.array([_bound(shape) for _, shape in found])
    center = np.array([shape.position for _, shape in found], np.float64).reshape(-1, 3)
    first = np.searchsorted(links, np.arange(n_links + 1)).astype(np.int64)
    capsule = np.array([_inner_capsule(shape) for _, shape in found], np.float64).reshape(-1, 8)
    middle, reach = np.zeros((n_links, 3)), np.zeros((n_links, 2))
    for i in set(links.tolist()):
        own = slice(first[i], first[i + 1])
        low, high = center[own] - bound[own, None], center[own] + bound[own, None]
        middle[i] = 0.5 * (low.min(axis=0) + high.max(axis=0))
        away = np.linalg.norm(center[own] - middle[i], axis=1)
        reach[i] = _MARGIN + (away + bound[own]).max(), _MARGIN + (away + capsule[own, 7]).max()
    shapes = SpatialShapes(
        link=links,
        kind=np.array([KINDS.index(shape.kind) for _, shape in found], np.int64),
        size=np.array([shape.size for _, shape in found], np.float64).reshape(-1, 3),
        center=center,
        turn=np.array([_matrix(shape.orientation) for _, shape in found], np.float64).reshape(-1, 3, 3),
        bound=bound,
        capsule=capsule,
        first=first,
        middle=middle,
        reach=reach,
        place=np.zeros((n_links, 3)),
        rotation=np.zeros((n_links, 3, 3)),
        pairs=np.zeros((0, 2), np.int64),
    )
    return shapes._replace(pairs=_pairs(character, shapes))


def _can_collide(shape: Shape) -> bool:
    return shape.collides and shape.kind != "mesh"


def _bound(shape: Shape) -> float:
    a, b, c = shape.size
    if shape.kind == "capsule":
        return a + b
    return {"sphere": a, "box": math.hypot(a, b, c), "cylinder": math.hypot(a, b)}.get(shape.kind, max(a, b, c))


def _inner_capsule(shape: Shape) -> list[float]:
    """Return the capsule inside a shape as in `SpatialShapes.capsule`."""
    a, b, _ = shape.size
    axis, half, radius = 2, 0.0, a
    if shape.kind == "capsule":
        half = b
    elif shape.kind == "cylinder":
        radius = min(a, b)
        half = b - radius
    elif shape.kind == "box":
        axis, radius = int(np.argmax(shape.size)), min(shape.size)
        half = shape.size[axis] - radius
    elif shape.kind == "ellipsoid":
        radius = min(shape.size)
    along = half * _matrix(shape.orientation)[:, axis]
    middle = np.array(shape.position)
    return [*(middle - along), *(middle + along), radius, half + radius + _MARGIN]


def _pairs(character: SpatialCharacter, shapes: SpatialShapes) -> Ints:
    """Return the pairs of links that can touch each other (P, 2)."""
    body, n_links = spatial_body(character), len(character.links)
    turn, place = np.zeros((n_links, 3, 3)), np.zeros((n_links, 3))
    for i in body.order:
        above = body.above[i]
        if above < 0:
            turn[i] = _matrix(character.links[i].orientation)
        else:
            turn[i] = turn[above] @ _matrix(character.links[i].orientation)
            place[i] = place[above] + turn[above] @ body.offset[i]
    ends = shapes.capsule[:, :6].reshape(-1, 2, 3) @ turn[shapes.link].transpose(0, 2, 1) + place[shapes.link, None]

    def touch(a: int, b: int) -> bool:
        for i in range(shapes.first[a], shapes.first[a + 1]):
            for j in range(shapes.first[b], shapes.first[b + 1]):
                u, v = ends[i, 1] - ends[i, 0], ends[j, 1] - ends[j, 0]
                s, t = closest_on_segments(tuple(ends[i, 0]), tuple(u), tuple(ends[j, 0]), tuple(v))
                apart = np.linalg.norm(ends[i, 0] + s * u - ends[j, 0] - t * v)
                if apart <= shapes.capsule[i, 6] + shapes.capsule[j, 6]:
                    return True
        return False

    found = [
        (a, b)
        for a in range(n_links)
        for b in range(a + 1, n_links)
        if shapes.first[a] < shapes.first[a + 1] and shapes.first[b] < shapes.first[b + 1]
        if body.above[a] != b and body.above[b] != a and (a, b) not in character.excludes and not touch(a, b)
    ]
    return np.array(found, np.int64).reshape(-1, 2)


def _matrix(turn: Quaternion) -> Floats:
    """Return the rotation matrix of a unit quaternion."""
    return np.array(rows_of(turn))
