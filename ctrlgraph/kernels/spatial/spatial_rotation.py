"""Vectors and unit quaternions, as tuples of three and four numbers.

A quaternion (w, x, y, z) stands for a rotation, from one frame to another or within the world. The product p q rotates
by q first, then by p.
"""

from __future__ import annotations

import math

from ctrlgraph.character.spatial_model import Quaternion, Vector
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel


@kernel
def vector_at(array: Floats, row: int, column: int) -> Vector:
    """Return three numbers of a row of an array.

    Args:
        array: the array (m, n).
        row: index of the row.
        column: index of the column of the first number.
    """
    return array[row, column], array[row, column + 1], array[row, column + 2]


@kernel
def quaternion_at(array: Floats, row: int, column: int) -> Quaternion:
    """Return four numbers of a row of an array.

    Args:
        array: the array (m, n).
        row: index of the row.
        column: index of the column of the first number.
    """
    return array[row, column], array[row, column + 1], array[row, column + 2], array[row, column + 3]


@kernel
def put_vector(array: Floats, row: int, column: int, vector: Vector) -> None:
    """Set three numbers of a row of an array.

    Args:
        array: the array (m, n).
        row: index of the row.
        column: index of the column of the first number.
        vector: the numbers.
    """
    array[row, column], array[row, column + 1], array[row, column + 2] = vector


@kernel
def put_quaternion(array: Floats, row: int, column: int, q: Quaternion) -> None:
    """Set four numbers of a row of an array.

    Args:
        array: the array (m, n).
        row: index of the row.
        column: index of the column of the first number.
        q: the numbers.
    """
    array[row, column], array[row, column + 1], array[row, column + 2], array[row, column + 3] = q


@kernel
def add(a: Vector, b: Vector) -> Vector:
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def subtract(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def scale(factor: float, a: Vector) -> Vector:
    """Return the vector a times a factor."""
    return factor * a[0], factor * a[1], factor * a[2]


@kernel
def dot(a: Vector, b: Vector) -> float:
    """Return the scalar product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vector, b: Vector) -> Vector:
    """Return the vector product a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def product(p: Quaternion, q: Quaternion) -> Quaternion:
    """Return the quaternion product p q: the rotation by q, then by p."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


@kernel
def conjugate(q: Quaternion) -> Quaternion:
    """Return the conjugate of a quaternion: the inverse rotation."""
    return q[0], -q[1], -q[2], -q[3]


@kernel
def normalized(q: Quaternion) -> Quaternion:
    """Return a quaternion divided by its norm."""
    norm = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm


@kernel
def rotate(q: Quaternion, v: Vector) -> Vector:
    """Return the vector v rotated by the unit quaternion q."""
    w, axis = q[0], (q[1], q[2], q[3])
    turned = scale(2.0, cross(axis, v))
    return add(v, add(scale(w, turned), cross(axis, turned)))


@kernel
def rotate_back(q: Quaternion, v: Vector) -> Vector:
    """Return the vector v rotated by the inverse of the unit quaternion q."""
    return rotate(conjugate(q), v)


@kernel
def about_axis(axis: Vector, angle: float) -> Quaternion:
    """Return the rotation by an angle about an axis.

    Args:
        axis: unit vector of the axis.
        angle: angle, rad, anticlockwise.
    """
    sine = math.sin(0.5 * angle)
    return math.cos(0.5 * angle), sine * axis[0], sine * axis[1], sine * axis[2]


@kernel
def rotation_vector(q: Quaternion) -> Vector:
    """Return the rotation vector of a unit quaternion: its axis times its angle, which is from 0 to pi, rad."""
    size = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if size == 0.0:
        return 0.0, 0.0, 0.0
    angle = 2.0 * math.atan2(size, q[0]) if q[0] >= 0.0 else -2.0 * math.atan2(size, -q[0])
    return scale(angle / size, (q[1], q[2], q[3]))


@kernel
def from_rotation_vector(vector: Vector) -> Quaternion:
    """Return the unit quaternion of a rotation vector, which is an axis times an angle, rad."""
    angle = math.sqrt(dot(vector, vector))
    if angle < 1e-8:  # the series, with an error below the rounding error
        return normalized((1.0, 0.5 * vector[0], 0.5 * vector[1], 0.5 * vector[2]))
    return about_axis(scale(1.0 / angle, vector), angle)


@kernel
def integrated(q: Quaternion, velocity: Vector, dt: float) -> Quaternion:
    """Return an orientation after a rotation with constant angular velocity.

    Args:
        q: rotation from the frame of a body to the world.
        velocity: angular velocity in the world frame, rad/s.
        dt: duration, s.
    """
    return normalized(product(from_rotation_vector(scale(dt, velocity)), q))


@kernel
def rows_of(q: Quaternion) -> tuple[Vector, Vector, Vector]:
    """Return the rows of the rotation matrix of a unit quaternion."""
    w, x, y, z = q
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


@kernel
def matrix_of(q: Quaternion, out: Floats) -> None:
    """Compute the rotation matrix of a unit quaternion.

    Args:
        q: the quaternion.
        out: result (3, 3), whose columns are the rotated axes x, y and z.
    """
    x, y, z = rows_of(q)
    put_vector(out, 0, 0, x)
    put_vector(out, 1, 0, y)
    put_vector(out, 2, 0, z)
