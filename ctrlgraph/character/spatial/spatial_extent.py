"""How far links and shapes reach: the lowest point of a link, and the ball at the end of a foot."""

from __future__ import annotations

import numpy as np

from ctrlgraph.character.spatial.spatial_frames import Array, ReferenceFrames, rotation_matrix, vector
from ctrlgraph.character.spatial_model import Shape, SpatialCharacter, Vector

LEVEL = 0.005
"""Difference in height up to which points of a foot touch level ground together, m."""


def reach(shape: Shape, down: Array) -> Array:
    """Return how far a shape reaches from its centre in directions (...,), m.

    Args:
        shape: the shape.
        down: unit vectors (..., 3) of the directions, in the frame of the shape.
    """
    a, b, _ = shape.size
    x, y, z = np.moveaxis(down, -1, 0)
    if shape.kind == "sphere":
        return np.full(z.shape, a)
    if shape.kind == "capsule":
        return np.asarray(a + b * np.abs(z))
    if shape.kind == "cylinder":
        return np.asarray(b * np.abs(z) + a * np.hypot(x, y))
    if shape.kind == "ellipsoid":
        return np.asarray(np.linalg.norm(down * shape.size, axis=-1))
    return np.asarray(np.abs(down) @ np.array(shape.size))


def lowest_height(character: SpatialCharacter, link: int, frames: ReferenceFrames) -> float:
    """Return the height of the lowest point of a link's colliding shapes in the reference pose, m; inf without any."""
    heights = [np.inf]
    for shape in character.links[link].shapes:
        if shape.collides:
            axes = frames.rotation[link] @ rotation_matrix(shape.orientation)
            centre = frames.position[link] + frames.rotation[link] @ shape.position
            heights.append(float(centre[2] - reach(shape, axes[2])))
    return min(heights)


def lowest_ball(character: SpatialCharacter, link: int, pose: Array) -> tuple[Vector, float]:
    """Return the centre of the lowest part of a link's colliding shapes, in the frame of the link, and its radius, m.

    A shape is represented by balls: at both ends of a capsule or a cylinder, and points at the corners of a box.

    Args:
        character: the character.
        link: index of the link.
        pose: position and orientation of the link (7,).
    """
    found = _balls_by_height(character, link, pose)
    return found[0][1:] if found else ((0.0, 0.0, 0.0), 0.0)


def lowest_points(character: SpatialCharacter, link: int, pose: Array) -> Array:
    """Return the lowest points of the balls of a link that touch level ground together (N, 3), in its frame, m.

    Args:
        character: the character.
        link: index of the link.
        pose: position and orientation of the link (7,).
    """
    found = _balls_by_height(character, link, pose)
    down = -rotation_matrix(pose[3:])[2]
    return np.array([np.add(at, radius * down) for height, at, radius in found if height <= found[0][0] + LEVEL])


def _balls_by_height(character: SpatialCharacter, link: int, pose: Array) -> list[tuple[float, Vector, float]]:
    """Return height of the lowest point, centre and radius of the balls of a link, the lowest first."""
    shapes = [shape for shape in character.links[link].shapes if shape.collides]
    balls = [ball for shape in shapes for ball in _balls(shape)]
    return sorted((point_in_world(pose, centre)[2] - radius, centre, radius) for centre, radius in balls)


def _balls(shape: Shape) -> list[tuple[Vector, float]]:
    """Return centres and radii of balls that represent a shape: the ends of a capsule, the corners of a box."""
    first, second, third = shape.size
    if shape.kind in ("capsule", "cylinder"):
        ends = [(0.0, 0.0, sign * second) for sign in (-1.0, 1.0)]
        return [(_placed(shape, end), first) for end in ends]
    if shape.kind == "box":
        signs = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
        return [(_placed(shape, (x * first, y * second, z * third)), 0.0) for x, y, z in signs]
    return [(shape.position, max(first, second, third) if shape.kind == "ellipsoid" else first)]


def _placed(shape: Shape, point: Vector) -> Vector:
    return vector(np.add(shape.position, rotation_matrix(shape.orientation) @ point))


def point_in_world(pose: Array, point: Vector | Array) -> Array:
    """Return the place (3,) in the world of a point of a link, m.

    Args:
        pose: position and orientation of the link (7,).
        point: the point in the frame of the link (3,), m.
    """
    return np.add(pose[:3], rotation_matrix(pose[3:]) @ point)
