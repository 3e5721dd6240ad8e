"""Rotations, and the positions of links and joints of a spatial character in its reference pose."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ctrlgraph.character.spatial_model import Quaternion, SpatialCharacter, Vector

Array = NDArray[np.float64]


def vector(values: ArrayLike) -> Vector:
    """Return three numbers as a tuple, without negative zeros."""
    x, y, z = (float(value) + 0.0 for value in np.asarray(values))
    return x, y, z


def rotation_matrix(quaternion: ArrayLike) -> Array:
    """Return the rotation matrices (..., 3, 3) of unit quaternions (..., 4), (w, x, y, z)."""
    w, x, y, z = np.moveaxis(np.asarray(quaternion, np.float64), -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quaternion_of(matrix: ArrayLike) -> Quaternion:
    """Return the unit quaternion (w, x, y, z) of a rotation matrix (3, 3). Its first component is not negative."""
    m = np.asarray(matrix, np.float64)
    diagonal = np.diag(m)
    squares = np.array([1 + diagonal.sum(), *(1 + 2 * diagonal - diagonal.sum())])  # 4 times w^2, x^2, y^2 and z^2
    products = np.array(  # 4 times the products of two components
        [
            [squares[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
            [m[2, 1] - m[1, 2], squares[1], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]],
            [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], squares[2], m[1, 2] + m[2, 1]],
            [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], squares[3]],
        ]
    )
    row = products[int(np.argmax(squares))]  # division by the largest component is accurate
    return unit_quaternion(row)


def unit_quaternion(values: ArrayLike) -> Quaternion:
    """Return a nonzero quaternion divided by its length, negated if w is negative."""
    q = np.asarray(values, np.float64)
    q = q / math.hypot(*q)
    w, x, y, z = (float(value) + 0.0 for value in (-q if q[0] < 0.0 else q))
    return w, x, y, z


class ReferenceFrames(NamedTuple):
    """World frames of L links and J joints of a character in its reference pose."""

    position: Array
    """Centre of mass of each link (L, 3), m."""
    rotation: Array
    """Rotation matrix from the frame of each link to the world (L, 3, 3)."""
    anchor: Array
    """Position of each joint (J, 3), m."""
    axis: Array
    """Unit vector of each joint's axis (J, 3)."""


def continuous(quaternion: Array) -> Array:
    """Return unit quaternions (n, L, 4) with signs chosen to make them continuous over the samples."""
    unit = quaternion / np.linalg.norm(quaternion, axis=2, keepdims=True)
    turned = np.where((unit[1:] * unit[:-1]).sum(axis=2, keepdims=True) < 0.0, -1.0, 1.0)
    sign = np.concatenate([np.ones((1, *turned.shape[1:])), np.cumprod(turned, axis=0)])
    return np.asarray(unit * sign)


def reference_frames(character: SpatialCharacter) -> ReferenceFrames:
    """Return the positions and rotations of all links and joints in the world, in the reference pose."""
    links, joints = character.links, character.joints
    position = np.array([link.position for link in links], np.float64)
    rotation = np.array([rotation_matrix(link.orientation) for link in links])
    placed = {character.root}
    for j in character.joints_outward:
        parent, child = joints[j].parent, joints[j].child
        if child not in placed:
            placed.add(child)
            position[child] = position[parent] + rotation[parent] @ position[child]
            rotation[child] = rotation[parent] @ rotation[child]
    anchor = [position[joint.child] + rotation[joint.child] @ joint.anchor for joint in joints]
    axis = [rotation[joint.child] @ joint.axis for joint in joints]
    return ReferenceFrames(
        position, rotation, np.array(anchor, np.float64).reshape(-1, 3), np.array(axis, np.float64).reshape(-1, 3)
    )
