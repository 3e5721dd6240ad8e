"""Spatial collision: contacts of the links of a character with the ground and with each other.

Contacts with the ground are found at points of a shape: the center of a sphere, both ends of a capsule, the corners of
a box, points on the rims of a cylinder, and the lowest point of an ellipsoid. Besides, convex edges of the ground touch
capsules, cylinders and boxes between these points.

Links touch each other as capsules: a box or a cylinder is replaced by a capsule inside it, along its longest axis, and
an ellipsoid by the sphere inside it.
"""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.constants import BEARING
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.planar.collision import first_segment, second_face
from ctrlgraph.kernels.spatial.spatial_arrays import MAX_SPATIAL_CONTACTS, SpatialContacts, SpatialKinematics
from ctrlgraph.kernels.spatial.spatial_geometry import are_farther, closest_on_segments
from ctrlgraph.kernels.spatial.spatial_ground import (
    PROFILE,
    SpatialGround,
    nearest_on_base,
    nearest_on_block,
    on_other_block,
)
from ctrlgraph.kernels.spatial.spatial_rotation import (
    add,
    dot,
    put_vector,
    quaternion_at,
    rows_of,
    scale,
    subtract,
    vector_at,
)
from ctrlgraph.kernels.spatial.spatial_shapes import KINDS, SpatialShapes

_SPHERE, _CAPSULE, _BOX, _CYLINDER, _ELLIPSOID = range(len(KINDS))

# Maximum depth of an edge of the ground beyond the axis of a capsule, m. Deeper edges lie on the other side.
_POKE = 0.03
# Minimum cosine between the normal of a contact at an edge of the ground and the direction in which the edge points.
_OUTWARD = 0.1
# Sine of the angle between a cylinder's axis and the normal below which the cylinder counts as upright.
_UPRIGHT = 1e-6

_Axes = tuple[Vector, Vector, Vector]
"""Rows of the rotation matrix from a frame to the world. Its columns are the axes of the frame."""


@kernel
def _turned(axes: _Axes, v: Vector) -> Vector:
    """Return a vector of a frame in the world."""
    return dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)


@kernel
def _inside(axes: _Axes, v: Vector) -> Vector:
    """Return a vector of the world in a frame."""
    return add(add(scale(v[0], axes[0]), scale(v[1], axes[1])), scale(v[2], axes[2]))


@kernel
def _axis(axes: _Axes, k: int) -> Vector:
    """Return axis k of a frame in the world."""
    if k == 0:
        return axes[0][0], axes[1][0], axes[2][0]
    if k == 1:
        return axes[0][1], axes[1][1], axes[2][1]
    return axes[0][2], axes[1][2], axes[2][2]


@kernel
def _shape_axes(axes: _Axes, turn: Floats) -> _Axes:
    """Return the axes of a shape, from those of its link and its rotation (3, 3) in the frame of the link."""
    rows = vector_at(turn, 0, 0), vector_at(turn, 1, 0), vector_at(turn, 2, 0)
    return _inside(rows, axes[0]), _inside(rows, axes[1]), _inside(rows, axes[2])


@kernel
def _note(contacts: SpatialContacts, link: int, other: int, point: Vector, normal: Vector, depth: float) -> None:
    """Add a contact, unless there are too many."""
    count = contacts.filled[0]
    if count >= MAX_SPATIAL_CONTACTS:
        return
    contacts.link[count] = link
    contacts.other[count] = other
    put_vector(contacts.point, count, 0, point)
    put_vector(contacts.normal, count, 0, normal)
    contacts.depth[count] = depth
    contacts.filled[0] = count + 1


@kernel
def _point_count(kind: int) -> int:
    """Return the number of points of a shape that can touch the ground."""
    if kind == _CAPSULE:
        return 2
    return 1 if kind in (_SPHERE, _ELLIPSOID) else 8


@kernel
def _point(kind: int, size: Vector, axes: _Axes, k: int, up: Vector) -> tuple[Vector, float]:
    """Return point k of a shape from its centre, m, and the radius of the sphere around this point, m.

    Args:
        kind: kind of the shape.
        size: size of the shape, m.
        axes: axes of the shape.
        k: index of the point.
        up: normal of the ground near the shape.
    """
    a, b, c = size
    if kind == _SPHERE:
        return (0.0, 0.0, 0.0), a
    x, y, z, radius = 0.0, 0.0, 0.0, 0.0
    if kind == _CAPSULE:
        z, radius = (b if k == 0 else -b), a
    elif kind == _BOX:
        x, y, z = (a if k & 1 else -a), (b if k & 2 else -b), (c if k & 4 else -c)
    else:
        dx, dy, dz = _inside(axes, up)
        if kind == _CYLINDER:
            # the highest and the lowest point of each rim, and those half-way between them
            across = math.sqrt(dx * dx + dy * dy)
            dx, dy = (dx / across, dy / across) if across > _UPRIGHT else (1.0, 0.0)
            sign = a if k & 1 else -a
            x, y = (sign * dx, sign * dy) if k & 2 else (-sign * dy, sign * dx)
            z = b if k & 4 else -b
        else:
            length = math.sqrt((a * dx) ** 2 + (b * dy) ** 2 + (c * dz) ** 2)
            x, y, z = -a * a * dx / length, -b * b * dy / length, -c * c * dz / length
    return _turned(axes, (x, y, z)), radius


@kernel
def _touch_points(
    contacts: SpatialContacts,
    shapes: SpatialShapes,
    ground: SpatialGround,
    s: int,
    axes: _Axes,
    center: Vector,
    block: int,
    up: Vector,
) -> None:
    """Add the contacts of the points of a shape with the base or a block.

    Args:
        contacts: result.
        shapes: shapes of the character.
        ground: the ground.
        s: index of the shape.
        axes: axes of the shape.
        center: centre of the shape, m.
        block: index of the block, or -1 for the base.
        up: normal of the base or the block near the shape.
    """
    link, kind, size = shapes.link[s], shapes.kind[s], vector_at(shapes.size, s, 0)
    for k in range(_point_count(kind)):
        offset, radius = _point(kind, size, axes, k, up)
        p = add(center, offset)
        if block < 0:
            distance, normal = nearest_on_base(ground, p, radius)
        else:
            distance, normal = nearest_on_block(ground, block, p)
            # an edge between two blocks of the same height is not exposed
            if normal[2] < 1.0 and on_other_block(ground, block, subtract(p, scale(distance, normal))):
                continue
        if distance >= radius:
            continue
        _note(contacts, link, -1, subtract(p, scale(radius, normal)), normal, radius - distance)
        if block < 0 and ground.kind == PROFILE and distance > 0.0:
            distance, nx, nz = second_face(ground.profile_x, ground.profile_z, p[0], p[2], radius, normal[0], normal[2])
            if distance < radius:
                normal = (nx, 0.0, nz)
                _note(contacts, link, -1, subtract(p, scale(radius, normal)), normal, radius - distance)


@separate_kernel
def _touch_edge(
    contacts: SpatialContacts,
    shapes: SpatialShapes,
    s: int,
    axes: _Axes,
    center: Vector,
    start: Vector,
    run: Vector,
    outward: Vector,
) -> None:
    """Add the contacts of a capsule, cylinder or box with a convex edge of the ground.

    Args:
        contacts: result.
        shapes: shapes of the character.
        s: index of the shape.
        axes: axes of the shape.
        center: centre of the shape, m.
        start: beginning of the edge, m; the upper end of a vertical edge.
        run: vector from the beginning of the edge to its end, m.
        outward: unit vector half-way between the normals of the faces at the edge.
    """
    if shapes.kind[s] == _BOX:
        _touch_edge_with_box(contacts, shapes, s, axes, center, start, run, outward)
        return
    radius = shapes.size[s, 0]
    along = scale(2.0 * shapes.size[s, 1], _axis(axes, 2))
    begin = subtract(center, scale(0.5, along))
    at, on_edge = closest_on_segments(begin, along, start, run)
    # the ends of the shape touch as points, and the upper end of a vertical edge belongs to the edges of the top
    if at <= 0.0 or at >= 1.0 or (run[2] < 0.0 and on_edge <= 0.0):
        return
    p = add(begin, scale(at, along))
    apart = subtract(p, add(start, scale(on_edge, run)))
    distance = math.copysign(math.sqrt(dot(apart, apart)), dot(apart, outward))
    depth = radius - distance
    if abs(distance) < 1e-9 or not 0.0 < depth < radius + _POKE:
        return
    # an axis below the top is beyond the edge only between the ends of the edge
    if distance < 0.0 and (on_edge <= 0.0 or on_edge >= 1.0):
        return
    normal = scale(1.0 / distance, apart)
    _note(contacts, shapes.link[s], -1, subtract(p, scale(radius, normal)), normal, depth)


@kernel
def _clipped(a: float, e: float, half: float, low: float, high: float) -> tuple[float, float]:
    """Return the part of a range of t for which a + t e is between -half and half; low > high if there is none.

    Args:
        a: value at t = 0.
        e: rate of change.
        half: maximum magnitude of the value.
        low: lower end of the range.
        high: upper end of the range.
    """
    if abs(e) < 1e-12:
        return (low, high) if abs(a) < half else (1.0, 0.0)
    one, two = (-half - a) / e, (half - a) / e
    return max(low, min(one, two)), min(high, max(one, two))


@kernel
def _touch_edge_with_box(
    contacts: SpatialContacts,
    shapes: SpatialShapes,
    s: int,
    axes: _Axes,
    center: Vector,
    start: Vector,
    run: Vector,
    outward: Vector,
) -> None:
    """Add the contacts of a box with a convex edge of the ground: both ends of the part of the edge inside the box.

    The normal is that of the face of the box that has to move least to leave the edge. If this face does not look
    against the edge, the contact belongs to another edge. The arguments are those of `_touch_edge`.
    """
    size = vector_at(shapes.size, s, 0)
    a, e = _inside(axes, subtract(start, center)), _inside(axes, run)
    low, high = _clipped(a[0], e[0], size[0], 0.0, 1.0)
    low, high = _clipped(a[1], e[1], size[1], low, high)
    low, high = _clipped(a[2], e[2], size[2], low, high)
    if low > high:
        return
    first, last = add(a, scale(low, e)), add(a, scale(high, e))
    best, depth_first, depth_last, normal = np.inf, 0.0, 0.0, (0.0, 0.0, 0.0)
    for k in range(3):
        for side in range(2):
            sign = 1.0 if side == 0 else -1.0
            one, two = size[k] - sign * first[k], size[k] - sign * last[k]
            if max(one, two) < best:
                best, depth_first, depth_last = max(one, two), one, two
                normal = scale(-sign, _axis(axes, k))
    if dot(normal, outward) < _OUTWARD:
        return
    for end in range(2):
        p, depth = (first, depth_first) if end == 0 else (last, depth_last)
        if depth > 0.0:
            point = subtract(add(center, _turned(axes, p)), scale(depth, normal))
            _note(contacts, shapes.link[s], -1, point, normal, depth)


@separate_kernel
def _touch_profile_edges(
    contacts: SpatialContacts, shapes: SpatialShapes, ground: SpatialGround, s: int, axes: _Axes, center: Vector
) -> None:
    """Add the contacts of a shape with the convex edges of the profile. The arguments are those of `_touch_points`."""
    xs, zs, bound = ground.profile_x, ground.profile_z, shapes.bound[s]
    i = max(1, first_segment(xs, center[0] - bound))
    while i < xs.size - 1 and xs[i] <= center[0] + bound:
        before_x, before_z = xs[i] - xs[i - 1], zs[i] - zs[i - 1]
        after_x, after_z = xs[i + 1] - xs[i], zs[i + 1] - zs[i]
        if before_x * after_z - before_z * after_x < -1e-12 and abs(zs[i] - center[2]) < bound:
            before, after = math.hypot(before_x, before_z), math.hypot(after_x, after_z)
            ox, oz = -before_z / before - after_z / after, before_x / before + after_x / after
            length = math.hypot(ox, oz)
            start, run = (xs[i], center[1] - bound, zs[i]), (0.0, 2.0 * bound, 0.0)
            _touch_edge(contacts, shapes, s, axes, center, start, run, (ox / length, 0.0, oz / length))
        i += 1


@separate_kernel
def _touch_block_edges(
    contacts: SpatialContacts,
    shapes: SpatialShapes,
    ground: SpatialGround,
    s: int,
    axes: _Axes,
    center: Vector,
    block: int,
) -> None:
    """Add the contacts of a shape with the edges of a block. The arguments are those of `_touch_points`."""
    length, width, cosine, sine, top = ground.blocks[block, 2:]
    root = math.sqrt(0.5)
    for k in range(4):
        # corner k from the centre, and the direction from there to the next corner, anticlockwise
        u, v = (length if k == 0 or k == 3 else -length), (width if k < 2 else -width)
        du, dv = (-1.0 if k == 0 else (1.0 if k == 2 else 0.0)), (-1.0 if k == 1 else (1.0 if k == 3 else 0.0))
        corner = (ground.blocks[block, 0] + u * cosine - v * sine, ground.blocks[block, 1] + u * sine + v * cosine, top)
        dx, dy = du * cosine - dv * sine, du * sine + dv * cosine
        size = 2.0 * (length if k % 2 == 0 else width)
        run = (size * dx, size * dy, 0.0)
        # the face at the right of this direction looks outward
        if not on_other_block(ground, block, add(corner, scale(0.5, run))):
            _touch_edge(contacts, shapes, s, axes, center, corner, run, (dy * root, -dx * root, root))
        below = center[2] - shapes.bound[s] - top
        if below < 0.0 and not on_other_block(ground, block, corner):
            # the other face at this corner looks against the direction
            outward = ((dy - dx) * root, (-dx - dy) * root, 0.0)
            _touch_edge(contacts, shapes, s, axes, center, corner, (0.0, 0.0, below), outward)


@kernel
def _is_near_ground(ground: SpatialGround, center: Vector, radius: float) -> bool:
    """Return whether a sphere touches the base or is below the top of a block."""
    for block in range(ground.blocks.shape[0]):
        if center[2] - radius < ground.blocks[block, 6]:
            return True
    return bool(nearest_on_base(ground, center, radius)[0] < radius)


@kernel
def _touch_ground(
    contacts: SpatialContacts, pose: Floats, shapes: SpatialShapes, ground: SpatialGround, s: int, axes: _Axes
) -> None:
    """Add the contacts of a shape with the ground.

    Args:
        contacts: result.
        pose: poses of the links (L, 7), see `SpatialKinematics.pose`.
        shapes: shapes of the character.
        ground: the ground.
        s: index of the shape.
        axes: axes of the shape's link.
    """
    center = add(vector_at(pose, shapes.link[s], 0), _turned(axes, vector_at(shapes.center, s, 0)))
    kind, bound = shapes.kind[s], shapes.bound[s]
    edged = kind != _SPHERE and kind != _ELLIPSOID
    own, known = axes, kind == _SPHERE
    for block in range(-1, ground.blocks.shape[0]):
        if block < 0:
            distance, up = nearest_on_base(ground, center, bound)
        elif center[2] - bound >= ground.blocks[block, 6]:
            continue
        else:
            distance, up = nearest_on_block(ground, block, center)
        if distance >= bound:
            continue
        if not known:
            own, known = _shape_axes(axes, shapes.turn[s]), True
        _touch_points(contacts, shapes, ground, s, own, center, block, up)
        if edged and block >= 0:
            _touch_block_edges(contacts, shapes, ground, s, own, center, block)
        elif edged and ground.kind == PROFILE:
            _touch_profile_edges(contacts, shapes, ground, s, own, center)


@separate_kernel
def find_spatial_contacts(
    pose: Floats, shapes: SpatialShapes, ground: SpatialGround, contacts: SpatialContacts
) -> None:
    """Fill `contacts` with the contacts between a character and the ground, then with the contacts between its links.

    Args:
        pose: poses of the links (L, 7), see `SpatialKinematics.pose`.
        shapes: colliding shapes of the character.
        ground: the ground.
        contacts: result. Earlier contents are replaced.
    """
    contacts.filled[0] = 0
    for link in range(shapes.reach.shape[0]):
        if shapes.first[link] == shapes.first[link + 1]:
            continue
        axes = rows_of(quaternion_at(pose, link, 3))
        place = add(vector_at(pose, link, 0), _turned(axes, vector_at(shapes.middle, link, 0)))
        put_vector(shapes.place, link, 0, place)
        rotation = shapes.rotation[link]
        put_vector(rotation, 0, 0, axes[0])
        put_vector(rotation, 1, 0, axes[1])
        put_vector(rotation, 2, 0, axes[2])
        if _is_near_ground(ground, place, shapes.reach[link, 0]):
            for s in range(shapes.first[link], shapes.first[link + 1]):
                _touch_ground(contacts, pose, shapes, ground, s, axes)
    _touch_links(contacts, pose, shapes)


@kernel
def _inner_axis(pose: Floats, shapes: SpatialShapes, axes: _Axes, s: int) -> tuple[Vector, Vector]:
    """Return the beginning of the axis of a shape's inner capsule in the world, and the vector to its end, m.

    Args:
        pose: poses of the links (L, 7), see `SpatialKinematics.pose`.
        shapes: shapes of the character.
        axes: axes of the shape's link.
        s: index of the shape.
    """
    begin, end = vector_at(shapes.capsule, s, 0), vector_at(shapes.capsule, s, 3)
    return add(vector_at(pose, shapes.link[s], 0), _turned(axes, begin)), _turned(axes, subtract(end, begin))


@kernel
def _touch_links(contacts: SpatialContacts, pose: Floats, shapes: SpatialShapes) -> None:
    """Add the contacts between links.

    Args:
        contacts: result.
        pose: poses of the links (L, 7), see `SpatialKinematics.pose`.
        shapes: shapes of the character, with the present spheres around links.
    """
    for p in range(shapes.pairs.shape[0]):
        a, b = shapes.pairs[p, 0], shapes.pairs[p, 1]
        apart = subtract(vector_at(shapes.place, a, 0), vector_at(shapes.place, b, 0))
        if dot(apart, apart) >= (shapes.reach[a, 1] + shapes.reach[b, 1]) ** 2:
            continue
        turn_a, turn_b = shapes.rotation[a], shapes.rotation[b]
        axes_a = vector_at(turn_a, 0, 0), vector_at(turn_a, 1, 0), vector_at(turn_a, 2, 0)
        axes_b = vector_at(turn_b, 0, 0), vector_at(turn_b, 1, 0), vector_at(turn_b, 2, 0)
        here, there = vector_at(pose, a, 0), vector_at(pose, b, 0)
        middle = _inside(axes_a, subtract(vector_at(shapes.place, b, 0), here))  # in the frame of a
        for i in range(shapes.first[a], shapes.first[a + 1]):
            off, bound = subtract(vector_at(shapes.center, i, 0), middle), shapes.capsule[i, 7]
            if dot(off, off) >= (bound + shapes.reach[b, 1]) ** 2:
                continue
            center = add(here, _turned(axes_a, vector_at(shapes.center, i, 0)))
            center = _inside(axes_b, subtract(center, there))  # in the frame of b
            begin, along = _inner_axis(pose, shapes, axes_a, i)
            for j in range(shapes.first[b], shapes.first[b + 1]):
                off = subtract(vector_at(shapes.center, j, 0), center)
                if dot(off, off) < (bound + shapes.capsule[j, 7]) ** 2:
                    _touch_capsules(contacts, pose, shapes, i, begin, along, j, axes_b)


@kernel
def _touch_capsules(
    contacts: SpatialContacts,
    pose: Floats,
    shapes: SpatialShapes,
    i: int,
    begin_i: Vector,
    along_i: Vector,
    j: int,
    axes_j: _Axes,
) -> None:
    """Add the contact between the capsules inside two shapes, if they touch.

    Args:
        contacts: result.
        pose: poses of the links (L, 7), see `SpatialKinematics.pose`.
        shapes: shapes of the character.
        i: index of the first shape.
        begin_i: beginning of the axis of its capsule, m.
        along_i: vector from there to the end of the axis, m.
        j: index of the second shape.
        axes_j: axes of the second shape's link.
    """
    begin_j, along_j = _inner_axis(pose, shapes, axes_j, j)
    if are_farther(begin_i, along_i, begin_j, along_j, shapes.capsule[i, 6] + shapes.capsule[j, 6]):
        return
    s, t = closest_on_segments(begin_i, along_i, begin_j, along_j)
    here = add(begin_i, scale(s, along_i))
    gap = subtract(here, add(begin_j, scale(t, along_j)))
    distance, radius = math.sqrt(dot(gap, gap)), shapes.capsule[i, 6]
    depth = radius + shapes.capsule[j, 6] - distance
    if depth > 0.0:
        normal = scale(1.0 / distance, gap) if distance > 1e-9 else (0.0, 0.0, 1.0)
        point = subtract(here, scale(radius, normal))
        _note(contacts, shapes.link[i], shapes.link[j], point, normal, depth)


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
        if up > BEARING:
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
