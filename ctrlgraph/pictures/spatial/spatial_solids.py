"""Triangulated surfaces of solids: those of the shapes of a link, convex hulls, discs, sheets, bands, arrows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from ctrlgraph.character.spatial.spatial_frames import rotation_matrix
from ctrlgraph.character.spatial_model import Mesh, Shape
from ctrlgraph.pictures.style import FloatArray

IntArray = NDArray[np.int64]

AROUND = 24
"""Number of sides of the polygon that approximates a circle; a multiple of 4."""
CREASE = math.cos(math.radians(35.0))
"""Cosine of the angle between two triangles of a mesh above which the edge between them is drawn sharp."""


@dataclass(frozen=True, slots=True)
class Solid:
    """A surface of triangles, with a unit normal at each of N points."""

    point: FloatArray
    """Positions (N, 3), m."""
    normal: FloatArray
    """Unit normals, outward (N, 3)."""
    corner: IntArray
    """Indices of the three points of each triangle (M, 3)."""

    @property
    def outward(self) -> Solid:
        """Return the solid with the corners of each triangle anticlockwise when seen from outside."""
        first, second, third = (self.point[self.corner[:, k]] for k in range(3))
        face = np.cross(second - first, third - first)
        inward = np.einsum("mi,mi->m", face, self.normal[self.corner].sum(axis=1)) < 0.0
        return Solid(self.point, self.normal, np.where(inward[:, None], self.corner[:, ::-1], self.corner))

    def moved(self, rotation: FloatArray, position: FloatArray | Sequence[float]) -> Solid:
        """Return the solid after a rotation about the origin and a displacement.

        Args:
            rotation: Rotation matrix (3, 3).
            position: Displacement (3,), m.
        """
        return Solid(self.point @ rotation.T + np.asarray(position), self.normal @ rotation.T, self.corner)


def merged(solids: Sequence[Solid]) -> Solid:
    """Return several solids as one."""
    starts = np.cumsum([0, *(len(solid.point) for solid in solids)])
    corners = [solid.corner + start for solid, start in zip(solids, starts, strict=False)]
    return Solid(
        np.concatenate([np.zeros((0, 3)), *(solid.point for solid in solids)]),
        np.concatenate([np.zeros((0, 3)), *(solid.normal for solid in solids)]),
        np.concatenate([np.zeros((0, 3), np.int64), *corners]),
    )


def solid_of(shape: Shape, meshes: Mapping[str, Mesh]) -> Solid:
    """Return the surface of a shape, in the frame of its link.

    Args:
        shape: Shape of a link.
        meshes: Meshes of the character, by name. A shape whose mesh is missing has no surface.
    """
    a, b, c = shape.size
    if shape.kind == "box":
        solid = box(a, b, c)
    elif shape.kind == "cylinder":
        solid = revolved([(0.0, -b, 0.0, -1.0), (a, -b, 0.0, -1.0), (a, -b, 1.0, 0.0), (a, b, 1.0, 0.0),
                          (a, b, 0.0, 1.0), (0.0, b, 0.0, 1.0)])  # fmt: skip
    elif shape.kind == "mesh":
        solid = _mesh(meshes[shape.mesh], np.array(shape.size)) if shape.mesh in meshes else merged([])
    else:
        half, radius = (b, a) if shape.kind == "capsule" else (0.0, a)
        turns = np.linspace(-math.pi / 2, math.pi / 2, AROUND // 2 + 1).tolist()
        lower = [(math.cos(t), math.sin(t), -half) for t in turns if t <= 1e-9]
        upper = [(math.cos(t), math.sin(t), half) for t in turns if t >= -1e-9]
        rows = lower + upper if half > 0.0 else lower + upper[1:]
        solid = revolved([(radius * r, radius * z + shift, r, z) for r, z, shift in rows])
        if shape.kind == "ellipsoid":
            ratio = np.array([1.0, b / a, c / a])
            normal = solid.normal / ratio
            solid = Solid(solid.point * ratio, normal / np.linalg.norm(normal, axis=1)[:, None], solid.corner)
    return solid.moved(rotation_matrix(shape.orientation), shape.position)


def revolved(profile: Sequence[tuple[float, float, float, float]]) -> Solid:
    """Return the surface that arises when a profile turns about the z axis.

    Args:
        profile: Radius and z of each point of the profile, m, and radial and z component of its normal, from bottom to
            top. Two points at the same place make a sharp edge.
    """
    turn = np.arange(AROUND) * 2.0 * math.pi / AROUND
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    rows = np.array(profile)
    point, normal = (
        np.concatenate([r[:, None, None] * ring, np.repeat(z[:, None, None], AROUND, axis=1)], axis=2)
        for r, z in ((rows[:, 0], rows[:, 1]), (rows[:, 2], rows[:, 3]))
    )
    first = np.arange(AROUND)
    second = (first + 1) % AROUND
    below = AROUND * np.arange(len(rows) - 1)[:, None]
    above = below + AROUND
    corner = np.concatenate([
        np.stack([below + first, below + second, above + second], axis=-1).reshape(-1, 3),
        np.stack([below + first, above + second, above + first], axis=-1).reshape(-1, 3),
    ])  # fmt: skip
    return Solid(point.reshape(-1, 3), normal.reshape(-1, 3), corner)


def box(a: float, b: float, c: float) -> Solid:
    """Return the surface of a box.

    Args:
        a: Half the size along x, m.
        b: Half the size along y, m.
        c: Half the size along z, m.
    """
    faces = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal, right, up = np.zeros(3), np.zeros(3), np.zeros(3)
            normal[axis], right[(axis + 1) % 3], up[(axis + 2) % 3] = sign, sign, 1.0
            point = np.array([normal + s * right + t * up for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
            faces.append(Solid(point * (a, b, c), np.tile(normal, (4, 1)), np.array([[0, 1, 2], [0, 2, 3]])))
    return merged(faces)


def hull(places: FloatArray, radius: float | FloatArray) -> Solid:
    """Return the convex hull of balls.

    Args:
        places: Centers of the balls (k, 3), m.
        radius: Radius of all balls or of each ball (k,), m.
    """
    ball = solid_of(Shape("sphere", (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)), {})
    normal = np.unique(ball.normal.round(12), axis=0)
    radii = np.broadcast_to(radius, len(places))
    points = (places[:, None] + radii[:, None, None] * normal).reshape(-1, 3)
    found = ConvexHull(points)
    kept, corner = np.unique(found.simplices, return_inverse=True)
    # the simplices of scipy have no orientation, and the equations contain the normals
    return _sharpened(points[kept], corner.reshape(-1, 3), found.equations[:, :3])


def _mesh(mesh: Mesh, scale: FloatArray) -> Solid:
    point, corner = np.array(mesh.vertices) * scale, np.array(mesh.triangles, np.int64).reshape(-1, 3)
    first, second, third = (point[corner[:, k]] for k in range(3))
    face = np.cross(second - first, third - first) * np.sign(np.prod(scale))
    length = np.linalg.norm(face, axis=1)
    whole = length > 0.0
    return _sharpened(point, corner[whole], face[whole] / length[whole, None])


def _sharpened(point: FloatArray, corner: IntArray, face: FloatArray) -> Solid:
    """Return a solid with smooth normals, except at sharp edges, where each triangle keeps its own normal.

    Args:
        point: Positions (N, 3), m.
        corner: Indices of the three points of each triangle (M, 3).
        face: Unit normal of each triangle (M, 3).
    """
    _, same = np.unique(point.round(9), axis=0, return_inverse=True)
    same = same.reshape(-1)[corner]  # meshes often list a point once for each triangle
    mean = np.zeros((int(same.max(initial=-1)) + 1, 3))
    for k in range(3):
        np.add.at(mean, same[:, k], face)
    mean /= np.maximum(np.linalg.norm(mean, axis=1), 1e-12)[:, None]
    normal = mean[same]  # (M, 3, 3)
    sharp = np.einsum("mki,mi->mk", normal, face) < CREASE
    normal = np.where(sharp[:, :, None], face[:, None], normal)
    return Solid(point[corner].reshape(-1, 3), normal.reshape(-1, 3), np.arange(corner.size).reshape(-1, 3))


def disc(radius: float) -> Solid:
    """Return a disc around the origin that faces up. `radius` is in m."""
    return revolved([(radius, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 1.0)])


def sheet(corners: FloatArray, height: float) -> Solid:
    """Return a level convex polygon that faces up.

    Args:
        corners: Corners (n, 2), m.
        height: Height, m.
    """
    n = len(corners)
    point = np.column_stack([corners, np.full(n, height)])
    fan = np.column_stack([np.zeros(n - 2, np.int64), np.arange(1, n - 1), np.arange(2, n)])
    return Solid(point, np.tile((0.0, 0.0, 1.0), (n, 1)), fan)


def ribbon(points: FloatArray, width: float, height: float) -> Solid:
    """Return a level band along points.

    Args:
        points: Points (n, 2), at least two, m.
        width: Width, m.
        height: Height, m.
    """
    along = np.gradient(points, axis=0)
    side = np.column_stack([-along[:, 1], along[:, 0]]) * width / 2.0
    side /= np.maximum(np.linalg.norm(along, axis=1), 1e-12)[:, None]
    pieces = [
        sheet(np.array([a - m, b - n, b + n, a + m]), height)
        for a, b, m, n in zip(points, points[1:], side, side[1:], strict=False)
    ]
    return merged(pieces)


def arrow(tail: FloatArray, tip: FloatArray, radius: float) -> Solid:
    """Return an arrow.

    Args:
        tail: Position of its beginning (3,), m.
        tip: Position of its end (3,), m.
        radius: Radius of its shaft, m. The head is three times as wide.
    """
    along = tip - tail
    length = float(np.linalg.norm(along))
    neck = max(0.0, length - 7.0 * radius)
    slope = (7.0 / math.sqrt(58.0), 3.0 / math.sqrt(58.0))  # normal of the head, seven times as long as wide
    profile = [
        (0.0, 0.0, 0.0, -1.0), (radius, 0.0, 0.0, -1.0), (radius, 0.0, 1.0, 0.0), (radius, neck, 1.0, 0.0),
        (radius, neck, 0.0, -1.0), (3.0 * radius, neck, 0.0, -1.0), (3.0 * radius, neck, *slope), (0.0, length, *slope),
    ]  # fmt: skip
    z = along / length
    x = np.cross(z, (0.0, 0.0, 1.0) if abs(z[2]) < 0.9 else (1.0, 0.0, 0.0))
    x /= np.linalg.norm(x)
    return revolved(profile).moved(np.column_stack([x, np.cross(z, x), z]), tail)
