"""Spatial collision: contacts of the links of a character with the ground and with each other.

Contacts with the ground are found at points of a shape: the center of a sphere, both ends of a capsule, the corners of
a box, points on the rims of a cylinder, and the lowest point of an ellipsoid. Besides, convex edges of the ground touch
capsules, cylinders and boxes between these points.

Links touch each other as capsules: a box or a cylinder is replaced by a capsule inside it, along its longest axis, and
an ellipsoid by the sphere inside it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.spatial_model import Quaternion, Shape, SpatialCharacter
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.planar.collision import first_segment, second_face
from ctrlgraph.kernels.spatial.spatial_arrays import (
    MAX_SPATIAL_CONTACTS,
    SpatialContacts,
    SpatialKinematics,
    spatial_body,
)
from ctrlgraph.kernels.spatial.spatial_geometry import closest_on_segments
from ctrlgraph.kernels.spatial.spatial_ground import (
    PROFILE,
    SpatialGround,
    nearest_on_base,
    nearest_on_block,
    on_other_block,
)

_KINDS = ("sphere", "capsule", "box", "cylinder", "ellipsoid")
_SPHERE, _CAPSULE, _BOX, _CYLINDER, _ELLIPSOID = range(5)

# Maximum depth of an edge of the ground beyond the axis of a capsule, m. Deeper edges lie on the other side.
_POKE = 0.03
# Minimum cosine between the normal of a contact at an edge of the ground and the direction in which the edge points.
_OUTWARD = 0.1
# Minimum vertical component of the ground's unit normal at a contact that supports. Steeper ground is a wall.
_BEARING = 0.5

_Axes = tuple[float, float, float, float, float, float, float, float, float]
"""Rotation matrix, row by row. Its columns are the axes of a frame in the world."""


class SpatialShapes(NamedTuple):
    """The S colliding shapes of a character with L links, ordered by link."""

    link: Ints
    """Index of each shape's link (S,)."""
    kind: Ints
    """Kind of each shape (S,): 0 sphere, 1 capsule, 2 box, 3 cylinder, 4 ellipsoid."""
    size: Floats
    """Size of each shape, as in `Shape.size` (S, 3), m."""
    center: Floats
    """Centre of each shape from the link's centre of mass, in the frame of the link (S, 3), m."""
    turn: Floats
    """Rotation matrix of each shape from its frame to that of the link (S, 3, 3)."""
    bound: Floats
    """Radius of the smallest sphere around each shape's centre that contains the shape (S,), m."""
    capsule: Floats
    """Capsule inside each shape, for contacts between links (S, 7): both ends of the axis in the frame of the link, and
    the radius, m."""
    first: Ints
    """Index of the first shape of each link, and S (L + 1,)."""
    reach: Floats
    """Radius of a sphere around each link's centre of mass that contains its shapes (L,), m."""
    pairs: Ints
    """Indices of the two links of each pair that can touch (P, 2)."""


def spatial_shapes(character: SpatialCharacter) -> SpatialShapes:
    """Return the colliding shapes of a character.

    Two links can touch each other unless one is the other's parent, or their shapes touch in the reference pose.
    """
    found = [(i, shape) for i, link in enumerate(character.links) for shape in link.shapes if _can_collide(shape)]
    n_links = len(character.links)
    links = np.array([i for i, _ in found], np.int64)
    bound = np.array([_bound(shape) for _, shape in found])
    center = np.array([shape.position for _, shape in found], np.float64).reshape(-1, 3)
    reach = np.zeros(n_links)
    np.maximum.at(reach, links, np.linalg.norm(center, axis=1) + bound)
    shapes = SpatialShapes(
        link=links,
        kind=np.array([_KINDS.index(shape.kind) for _, shape in found], np.int64),
        size=np.array([shape.size for _, shape in found], np.float64).reshape(-1, 3),
        center=center,
        turn=np.array([_matrix(shape.orientation) for _, shape in found], np.float64).reshape(-1, 3, 3),
        bound=bound,
        capsule=np.array([_inner_capsule(shape) for _, shape in found], np.float64).reshape(-1, 7),
        first=np.searchsorted(links, np.arange(n_links + 1)).astype(np.int64),
        reach=reach,
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
    """Return the capsule inside a shape: both ends of its axis in the frame of the link, and the radius, m."""
    a, b, c = shape.size
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
    return [*(middle - along), *(middle + along), radius]


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
                s, t = closest_on_segments(*ends[i, 0], *u, *ends[j, 0], *v)
                apart = np.linalg.norm(ends[i, 0] + s * u - ends[j, 0] - t * v)
                if apart <= shapes.capsule[i, 6] + shapes.capsule[j, 6]:
                    return True
        return False

    found = [
        (a, b)
        for a in range(n_links)
        for b in range(a + 1, n_links)
        if shapes.first[a] < shapes.first[a + 1] and shapes.first[b] < shapes.first[b + 1]
        if body.above[a] != b and body.above[b] != a and not touch(a, b)
    ]
    return np.array(found, np.int64).reshape(-1, 2)


def _matrix(turn: Quaternion) -> Floats:
    """Return the rotation matrix of a unit quaternion."""
    return np.array(_axes(*turn)).reshape(3, 3)


@kernel
def _axes(w: float, x: float, y: float, z: float) -> _Axes:
    """Return the rotation matrix of the unit quaternion (w, x, y, z), row by row."""
    return (
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )


@kernel
def _turned(axes: _Axes, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the vector (x, y, z) of a frame with given axes in the world."""
    return (
        axes[0] * x + axes[1] * y + axes[2] * z,
        axes[3] * x + axes[4] * y + axes[5] * z,
        axes[6] * x + axes[7] * y + axes[8] * z,
    )


@kernel
def _inside(axes: _Axes, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return the vector (x, y, z) of the world in a frame with given axes."""
    return (
        axes[0] * x + axes[3] * y + axes[6] * z,
        axes[1] * x + axes[4] * y + axes[7] * z,
        axes[2] * x + axes[5] * y + axes[8] * z,
    )


@kernel
def _shape_axes(axes: _Axes, turn: Floats) -> _Axes:
    """Return the axes of a shape in the world, from those of its link and its rotation (3, 3) in the link's frame."""
    x, y, z = (
        _turned(axes, turn[0, 0], turn[1, 0], turn[2, 0]),
        _turned(axes, turn[0, 1], turn[1, 1], turn[2, 1]),
        _turned(axes, turn[0, 2], turn[1, 2], turn[2, 2]),
    )
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@kernel
def _note(
    contacts: SpatialContacts,
    link: int,
    other: int,
    x: float,
    y: float,
    z: float,
    nx: float,
    ny: float,
    nz: float,
    depth: float,
) -> None:
    """Add a contact at the point (x, y, z) with the normal (nx, ny, nz), unless there are too many."""
    count = contacts.filled[0]
    if count >= MAX_SPATIAL_CONTACTS:
        return
    contacts.link[count] = link
    contacts.other[count] = other
    contacts.point[count, 0] = x
    contacts.point[count, 1] = y
    contacts.point[count, 2] = z
    contacts.normal[count, 0] = nx
    contacts.normal[count, 1] = ny
    contacts.normal[count, 2] = nz
    contacts.depth[count] = depth
    contacts.filled[0] = count + 1


@kernel
def _point_count(kind: int) -> int:
    """Return the number of points of a shape that can touch the ground."""
    if kind == _CAPSULE:
        return 2
    return 8 if kind == _BOX or kind == _CYLINDER else 1


@kernel
def _point(
    kind: int, a: float, b: float, c: float, axes: _Axes, k: int, ux: float, uy: float, uz: float
) -> tuple[float, float, float, float]:
    """Return point k of a shape from its centre, m, and the radius of the sphere around it, m.

    Args:
        kind: kind of the shape.
        a: first size of the shape, m.
        b: second size of the shape, m.
        c: third size of the shape, m.
        axes: axes of the shape in the world.
        k: index of the point.
        ux: x of the normal of the ground near the shape.
        uy: y of this normal.
        uz: z of this normal.
    """
    if kind == _SPHERE:
        return 0.0, 0.0, 0.0, a
    x, y, z, radius = 0.0, 0.0, 0.0, 0.0
    if kind == _CAPSULE:
        z, radius = (b if k == 0 else -b), a
    elif kind == _BOX:
        x, y, z = (a if k & 1 else -a), (b if k & 2 else -b), (c if k & 4 else -c)
    else:
        # direction to the ground in the frame of the shape
        dx, dy, dz = _inside(axes, -ux, -uy, -uz)
        if kind == _CYLINDER:
            # the lowest point of each rim, the highest one, and those between them
            across = math.sqrt(dx * dx + dy * dy)
            dx, dy = (dx / across, dy / across) if across > 1e-6 else (1.0, 0.0)
            sign = a if k & 1 else -a
            x, y = (sign * dx, sign * dy) if k & 2 else (-sign * dy, sign * dx)
            z = b if k & 4 else -b
        else:
            length = math.sqrt((a * dx) ** 2 + (b * dy) ** 2 + (c * dz) ** 2)
            x, y, z = a * a * dx / length, b * b * dy / length, c * c * dz / length
    x, y, z = _turned(axes, x, y, z)
    return x, y, z, radius


@kernel
def _touch_points(
    contacts: SpatialContacts,
    shapes: SpatialShapes,
    ground: SpatialGround,
    s: int,
    axes: _Axes,
    x: float,
    y: float,
    z: float,
    block: int,
    ux: float,
    uy: float,
    uz: float,
) -> None:
    """Add the contacts of the points of a shape with the base or a block.

    Args:
        contacts: result.
        shapes: shapes of the character.
        ground: the ground.
        s: index of the shape.
        axes: axes of the shape in the world.
        x: x of the centre of the shape, m.
        y: y of the centre, m.
        z: z of the centre, m.
        block: index of the block, or -1 for the base.
        ux: x of the normal of the base or the block near the shape.
        uy: y of this normal.
        uz: z of this normal.
    """
    link, kind, size = shapes.link[s], shapes.kind[s], shapes.size[s]
    for k in range(_point_count(kind)):
        px, py, pz, radius = _point(kind, size[0], size[1], size[2], axes, k, ux, uy, uz)
        px, py, pz = px + x, py + y, pz + z
        if block < 0:
            distance, nx, ny, nz = nearest_on_base(ground, px, py, pz, radius)
        else:
            distance, nx, ny, nz = nearest_on_block(ground, block, px, py, pz)
            # an edge between two blocks of the same height is not exposed
            if nz < 1.0 and on_other_block(ground, block, px - nx * distance, py - ny * distance, pz - nz * distance):
                continue
        if distance >= radius:
            continue
        _note(contacts, link, -1, px - nx * radius, py - ny * radius, pz - nz * radius, nx, ny, nz, radius - distance)
        if block < 0 and ground.kind == PROFILE and distance > 0.0:
            distance, nx, nz = second_face(ground.profile_x, ground.profile_z, px, pz, radius, nx, nz)
            if distance < radius:
                _note(contacts, link, -1, px - nx * radius, py, pz - nz * radius, nx, 0.0, nz, radius - distance)


@kernel
def _touch_edge(
    contacts: SpatialContacts,
    shapes: SpatialShapes,
    s: int,
    axes: _Axes,
    x: float,
    y: float,
    z: float,
    ax: float,
    ay: float,
    az: float,
    ex: float,
    ey: float,
    ez: float,
    ox: float,
    oy: float,
    oz: float,
) -> None:
    """Add the contacts of a capsule, cylinder or box with a convex edge of the ground.

    Args:
        contacts: result.
        shapes: shapes of the character.
        s: index of the shape.
        axes: axes of the shape in the world.
        x: x of the centre of the shape, m.
        y: y of the centre, m.
        z: z of the centre, m.
        ax: x of the beginning of the edge, m.
        ay: y of the beginning, m.
        az: z of the beginning, m.
        ex: x from the beginning of the edge to its end, m.
        ey: y from the beginning to the end, m.
        ez: z from the beginning to the end, m; negative only for a vertical edge.
        ox: x of the unit vector half-way between the normals of the faces at the edge.
        oy: y of this vector.
        oz: z of this vector.
    """
    if shapes.kind[s] == _BOX:
        _touch_edge_with_box(contacts, shapes, s, axes, x, y, z, ax, ay, az, ex, ey, ez, ox, oy, oz)
        return
    link, radius, half = shapes.link[s], shapes.size[s, 0], shapes.size[s, 1]
    ux, uy, uz = 2.0 * half * axes[2], 2.0 * half * axes[5], 2.0 * half * axes[8]
    x, y, z = x - 0.5 * ux, y - 0.5 * uy, z - 0.5 * uz
    along, at = closest_on_segments(x, y, z, ux, uy, uz, ax, ay, az, ex, ey, ez)
    # the ends of the shape touch as points, and the upper end of a vertical edge belongs to the edges of the top
    if along <= 0.0 or along >= 1.0 or (ez < 0.0 and at <= 0.0):
        return
    x, y, z = x + along * ux, y + along * uy, z + along * uz
    nx, ny, nz = x - (ax + at * ex), y - (ay + at * ey), z - (az + at * ez)
    distance = math.sqrt(nx * nx + ny * ny + nz * nz)
    if distance < 1e-9:
        return
    sign = 1.0 if nx * ox + ny * oy + nz * oz >= 0.0 else -1.0
    depth = radius - sign * distance
    if (sign < 0.0 and (at <= 0.0 or at >= 1.0)) or not 0.0 < depth < radius + _POKE:
        return
    nx, ny, nz = sign * nx / distance, sign * ny / distance, sign * nz / distance
    _note(contacts, link, -1, x - radius * nx, y - radius * ny, z - radius * nz, nx, ny, nz, depth)


@kernel
def _clipped(a: float, e: float, half: float, t0: float, t1: float) -> tuple[float, float]:
    """Return the part of the range t0 to t1 for which a + t e is between -half and half; t0 > t1 if there is none."""
    if abs(e) < 1e-12:
        return (t0, t1) if abs(a) < half else (1.0, 0.0)
    low, high = (-half - a) / e, (half - a) / e
    return max(t0, min(low, high)), min(t1, max(low, high))


@separate_kernel
def _touch_edge_with_box(
    contacts: SpatialContacts,
    shapes: SpatialShapes,
    s: int,
    axes: _Axes,
    x: float,
    y: float,
    z: float,
    ax: float,
    ay: float,
    az: float,
    ex: float,
    ey: float,
    ez: float,
    ox: float,
    oy: float,
    oz: float,
) -> None:
    """Add the contacts of a box with a convex edge of the ground: both ends of the part of the edge inside the box.

    The normal is that of the face of the box that has to move least to leave the edge. If this face does not look
    against the edge, the contact belongs to another edge. The arguments are those of `_touch_edge`.
    """
    link, size = shapes.link[s], shapes.size[s]
    a0, a1, a2 = _inside(axes, ax - x, ay - y, az - z)
    e0, e1, e2 = _inside(axes, ex, ey, ez)
    t0, t1 = _clipped(a0, e0, size[0], 0.0, 1.0)
    t0, t1 = _clipped(a1, e1, size[1], t0, t1)
    t0, t1 = _clipped(a2, e2, size[2], t0, t1)
    if t0 > t1:
        return
    best, depth0, depth1 = np.inf, 0.0, 0.0
    nx, ny, nz = 0.0, 0.0, 0.0
    for k in range(6):
        axis, sign = k // 2, (1.0 if k % 2 == 0 else -1.0)
        a, e = (a0, e0) if axis == 0 else ((a1, e1) if axis == 1 else (a2, e2))
        d0, d1 = size[axis] - sign * (a + t0 * e), size[axis] - sign * (a + t1 * e)
        if max(d0, d1) < best:
            best, depth0, depth1 = max(d0, d1), d0, d1
            if axis == 0:
                nx, ny, nz = -sign * axes[0], -sign * axes[3], -sign * axes[6]
            elif axis == 1:
                nx, ny, nz = -sign * axes[1], -sign * axes[4], -sign * axes[7]
            else:
                nx, ny, nz = -sign * axes[2], -sign * axes[5], -sign * axes[8]
    if nx * ox + ny * oy + nz * oz < _OUTWARD:
        return
    for end in range(2):
        t, depth = (t0, depth0) if end == 0 else (t1, depth1)
        if depth > 0.0:
            px, py, pz = ax + t * ex - depth * nx, ay + t * ey - depth * ny, az + t * ez - depth * nz
            _note(contacts, link, -1, px, py, pz, nx, ny, nz, depth)


@separate_kernel
def _touch_profile_edges(
    contacts: SpatialContacts,
    shapes: SpatialShapes,
    ground: SpatialGround,
    s: int,
    axes: _Axes,
    x: float,
    y: float,
    z: float,
) -> None:
    """Add the contacts of a shape with the convex edges of the profile. The arguments are those of `_touch_points`."""
    xs, zs, bound = ground.profile_x, ground.profile_z, shapes.bound[s]
    i = max(1, first_segment(xs, x - bound))
    while i < xs.size - 1 and xs[i] <= x + bound:
        before_x, before_z = xs[i] - xs[i - 1], zs[i] - zs[i - 1]
        after_x, after_z = xs[i + 1] - xs[i], zs[i + 1] - zs[i]
        if before_x * after_z - before_z * after_x < -1e-12 and abs(zs[i] - z) < bound:
            before, after = math.hypot(before_x, before_z), math.hypot(after_x, after_z)
            ox, oz = -before_z / before - after_z / after, before_x / before + after_x / after
            length = math.hypot(ox, oz)
            ox, oz = ox / length, oz / length
            _touch_edge(contacts, shapes, s, axes, x, y, z, xs[i], y - bound, zs[i], 0.0, 2.0 * bound, 0.0, ox, 0.0, oz)
        i += 1


@separate_kernel
def _touch_block_edges(
    contacts: SpatialContacts,
    shapes: SpatialShapes,
    ground: SpatialGround,
    s: int,
    axes: _Axes,
    x: float,
    y: float,
    z: float,
    b: int,
) -> None:
    """Add the contacts of a shape with the edges of block b. The other arguments are those of `_touch_points`."""
    length, width, cosine, sine, top = ground.blocks[b, 2:]
    root = math.sqrt(0.5)
    for k in range(4):
        # corner k from the centre, and the direction from there to the next corner, anticlockwise
        u, v = (length if k == 0 or k == 3 else -length), (width if k < 2 else -width)
        du, dv = (-1.0 if k == 0 else (1.0 if k == 2 else 0.0)), (-1.0 if k == 1 else (1.0 if k == 3 else 0.0))
        ax = ground.blocks[b, 0] + u * cosine - v * sine
        ay = ground.blocks[b, 1] + u * sine + v * cosine
        dx, dy = du * cosine - dv * sine, du * sine + dv * cosine
        run = 2.0 * (length if k % 2 == 0 else width)
        # the face at the right of this direction looks outward
        ox, oy = dy, -dx
        if not on_other_block(ground, b, ax + 0.5 * run * dx, ay + 0.5 * run * dy, top):
            _touch_edge(
                contacts, shapes, s, axes, x, y, z, ax, ay, top, run * dx, run * dy, 0.0, ox * root, oy * root, root
            )
        # the other face at this corner looks against the direction
        below = z - shapes.bound[s] - top
        if below < 0.0 and not on_other_block(ground, b, ax, ay, top):
            ox, oy = (ox - dx) * root, (oy - dy) * root
            _touch_edge(contacts, shapes, s, axes, x, y, z, ax, ay, top, 0.0, 0.0, below, ox, oy, 0.0)


@kernel
def find_spatial_contacts(
    kin: SpatialKinematics, shapes: SpatialShapes, ground: SpatialGround, contacts: SpatialContacts
) -> None:
    """Fill `contacts` with all contacts of a character with the ground, and then with those between its links.

    Args:
        kin: poses of the links.
        shapes: colliding shapes of the character.
        ground: the ground.
        contacts: result. Earlier contents are replaced.
    """
    contacts.filled[0] = 0
    last = -1
    axes = _axes(1.0, 0.0, 0.0, 0.0)
    for s in range(shapes.link.size):
        link = shapes.link[s]
        pose = kin.pose[link]
        if link != last:
            axes = _axes(pose[3], pose[4], pose[5], pose[6])
            last = link
        x, y, z = _turned(axes, shapes.center[s, 0], shapes.center[s, 1], shapes.center[s, 2])
        x, y, z = x + pose[0], y + pose[1], z + pose[2]
        kind, bound = shapes.kind[s], shapes.bound[s]
        edged = kind != _SPHERE and kind != _ELLIPSOID
        own = axes
        known = kind == _SPHERE
        for block in range(-1, ground.blocks.shape[0]):
            if block < 0:
                distance, nx, ny, nz = nearest_on_base(ground, x, y, z, bound)
            elif z - bound >= ground.blocks[block, 6]:
                continue
            else:
                distance, nx, ny, nz = nearest_on_block(ground, block, x, y, z)
            if distance >= bound:
                continue
            if not known:
                own, known = _shape_axes(axes, shapes.turn[s]), True
            _touch_points(contacts, shapes, ground, s, own, x, y, z, block, nx, ny, nz)
            if edged and block >= 0:
                _touch_block_edges(contacts, shapes, ground, s, own, x, y, z, block)
            elif edged and ground.kind == PROFILE:
                _touch_profile_edges(contacts, shapes, ground, s, own, x, y, z)
    _touch_links(contacts, kin, shapes)


@kernel
def _ends(
    kin: SpatialKinematics, shapes: SpatialShapes, axes: _Axes, s: int
) -> tuple[float, float, float, float, float, float]:
    """Return the beginning of the axis of a shape's inner capsule in the world, and the vector to its end, m."""
    pose, capsule = kin.pose[shapes.link[s]], shapes.capsule[s]
    x, y, z = _turned(axes, capsule[0], capsule[1], capsule[2])
    u, v, w = _turned(axes, capsule[3] - capsule[0], capsule[4] - capsule[1], capsule[5] - capsule[2])
    return x + pose[0], y + pose[1], z + pose[2], u, v, w


@separate_kernel
def _touch_links(contacts: SpatialContacts, kin: SpatialKinematics, shapes: SpatialShapes) -> None:
    """Add the contacts between links.

    Args:
        contacts: result.
        kin: poses of the links.
        shapes: shapes of the character.
    """
    for p in range(shapes.pairs.shape[0]):
        a, b = shapes.pairs[p, 0], shapes.pairs[p, 1]
        one, two = kin.pose[a], kin.pose[b]
        near = shapes.reach[a] + shapes.reach[b]
        if (one[0] - two[0]) ** 2 + (one[1] - two[1]) ** 2 + (one[2] - two[2]) ** 2 >= near * near:
            continue
        axes_a = _axes(one[3], one[4], one[5], one[6])
        axes_b = _axes(two[3], two[4], two[5], two[6])
        for i in range(shapes.first[a], shapes.first[a + 1]):
            ax, ay, az, ux, uy, uz = _ends(kin, shapes, axes_a, i)
            for j in range(shapes.first[b], shapes.first[b + 1]):
                bx, by, bz, vx, vy, vz = _ends(kin, shapes, axes_b, j)
                s, t = closest_on_segments(ax, ay, az, ux, uy, uz, bx, by, bz, vx, vy, vz)
                px, py, pz = ax + s * ux, ay + s * uy, az + s * uz
                nx, ny, nz = px - (bx + t * vx), py - (by + t * vy), pz - (bz + t * vz)
                distance = math.sqrt(nx * nx + ny * ny + nz * nz)
                radius = shapes.capsule[i, 6]
                depth = radius + shapes.capsule[j, 6] - distance
                if depth <= 0.0:
                    continue
                if distance > 1e-9:
                    nx, ny, nz = nx / distance, ny / distance, nz / distance
                else:
                    nx, ny, nz = 0.0, 0.0, 1.0
                _note(contacts, a, b, px - radius * nx, py - radius * ny, pz - radius * nz, nx, ny, nz, depth)


@kernel
def note_spatial_contacts(contacts: SpatialContacts, kin: SpatialKinematics, time: float) -> None:
    """Update `kin.contact`, `kin.last_contact` and `kin.support` by the contacts with the ground of this time step.

    The support is the mean height of the ground below the links in contact. Several contacts of a link count as one,
    at their mean height. Contacts with walls do not count.

    Args:
        contacts: contacts of this time step.
        kin: state of the character, which is updated.
        time: simulated time, s.
    """
    kin.contact[:] = 0
    heights, n_links, height, n_points = 0.0, 0, 0.0, 0
    for c in range(contacts.filled[0]):
        if contacts.other[c] >= 0:
            break  # the contacts between links are the last ones
        link, up = contacts.link[c], contacts.normal[c, 2]
        kin.contact[link] = 1
        kin.last_contact[link] = time
        if up > _BEARING:
            height += contacts.point[c, 2] + contacts.depth[c] * up
            n_points += 1
        # the contacts of a link are adjacent
        ends = c + 1 == contacts.filled[0] or contacts.other[c + 1] >= 0 or contacts.link[c + 1] != link
        if n_points > 0 and ends:
            heights += height / n_points
            n_links += 1
            height, n_points = 0.0, 0
    if n_links > 0:
        kin.support[0] = heights / n_links


@kernel
def note_spatial_loads(contacts: SpatialContacts, kin: SpatialKinematics) -> None:
    """Set `kin.load` (L,) to the vertical force of the ground on each link in the last time step, N.

    Args:
        contacts: contacts of the last time step, with their forces.
        kin: state of the character, which is updated.
    """
    kin.load[:] = 0.0
    for c in range(contacts.filled[0]):
        if contacts.other[c] < 0:
            kin.load[contacts.link[c]] += contacts.force[c, 2]
