"""The drawn figure of a spatial character: the surfaces of its links, their colors, and its size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.colors import to_rgb

from ctrlgraph.character.spatial.spatial_frames import reference_frames, rotation_matrix
from ctrlgraph.character.spatial_model import DEFAULT_COLOR, Color, SpatialCharacter
from ctrlgraph.pictures.spatial.spatial_solids import IntArray, Solid, hull, merged, solid_of
from ctrlgraph.pictures.style import FAR, NEAR, TRUNK, FloatArray

POSES_AT_ONCE = 1024
"""Maximum number of poses whose outer points are computed at once, which limits the memory."""
BONE = 0.03
"""Radius of links without shapes, relative to the size of the character."""


def rgb(color: str) -> FloatArray:
    """Return a color such as "#33475b" as red, green and blue (3,), 0 to 255."""
    return 255.0 * np.array(to_rgb(color))


@dataclass(frozen=True)
class SpatialFigure:
    """The surfaces of a character's links, in the frames of the links.

    A link is drawn as its shapes. If it has meshes, its shapes that collide are not drawn, as they only approximate the
    meshes. A link that has no shapes besides spheres is drawn as the convex hull of its joints and spheres.
    """

    solid: Solid
    """Surfaces of all links, each in the frame of its link."""
    link: IntArray
    """Index of the link of each point (N,)."""
    part: IntArray
    """Index of the link of each triangle (M,)."""
    color: FloatArray
    """Red, green and blue of each triangle (M, 3), 0 to 255: right and left limbs and the trunk differ."""
    outer: IntArray
    """Indices of the outermost points of each link, whose extent nearly equals the extent of all points."""
    size: float
    """Largest distance of two points along x, y or z in the reference pose, m."""

    @staticmethod
    def of(character: SpatialCharacter) -> SpatialFigure:
        """Compute the surfaces of a character."""
        frames = reference_frames(character)
        solids = [merged([solid for solid, _ in parts]) for parts in drawn_solids(character)]
        colors = np.array([rgb(side_color(character, i)) for i in range(len(solids))])
        part = np.repeat(np.arange(len(solids)), [len(solid.corner) for solid in solids])
        link = np.repeat(np.arange(len(solids)), [len(solid.point) for solid in solids])
        solid = merged(solids)
        placed = np.concatenate(
            [each.point @ r.T + p for each, r, p in zip(solids, frames.rotation, frames.position, strict=True)]
        )
        size = float(np.ptp(placed, axis=0).max())
        return SpatialFigure(solid, link, part, colors[part], _outer(solid, link, len(solids)), size)

    def placed(self, pose: FloatArray) -> Solid:
        """Return the surfaces in the world.

        Args:
            pose: Position, m, and orientation of each link (L, 7).
        """
        rotation = rotation_matrix(pose[:, 3:])[self.link]
        point = np.einsum("nij,nj->ni", rotation, self.solid.point) + pose[self.link, :3]
        return Solid(point, np.einsum("nij,nj->ni", rotation, self.solid.normal), self.solid.corner)

    def lowest(self, pose: FloatArray, link: int) -> FloatArray:
        """Return the lowest point of a link in the world (3,), m.

        Args:
            pose: Position, m, and orientation of each link (L, 7).
            link: Index of the link.
        """
        own = self.solid.point[self.link == link]
        own = own @ rotation_matrix(pose[link, 3:]).T + pose[link, :3]
        lowest: FloatArray = own[own[:, 2] <= own[:, 2].min() + 1e-6].mean(axis=0) if len(own) else pose[link, :3]
        return lowest

    def extents(self, poses: FloatArray, axes: FloatArray) -> FloatArray:
        """Return the smallest and largest coordinate of the character along axes of the world, in n poses.

        Args:
            poses: Position, m, and orientation of each link in each pose (n, L, 7).
            axes: Unit vectors of the axes (k, 3).

        Returns:
            Smallest and largest coordinates (n, k, 2), m.
        """
        point, link = self.solid.point[self.outer], self.link[self.outer]
        found = [np.zeros((0, len(axes), 2))]
        for i in range(0, len(poses), POSES_AT_ONCE):
            pose = poses[i : i + POSES_AT_ONCE]
            turned = np.einsum("ka,nlab->nlkb", axes, rotation_matrix(pose[:, :, 3:]))
            places = np.einsum("nokb,ob->nok", turned[:, link], point) + (pose[:, :, :3] @ axes.T)[:, link]
            found.append(np.stack([places.min(axis=1), places.max(axis=1)], axis=-1))
        return np.concatenate(found)


def side_color(character: SpatialCharacter, link: int) -> str:
    """Return the color of a link, which differs between right limbs, left limbs and the trunk.

    Args:
        character: Character.
        link: Index of the link.
    """
    right, left = ({pair[i] for pair in character.roles.link_pairs} for i in (0, 1))
    return NEAR if link in right else FAR if link in left else TRUNK


def drawn_solids(character: SpatialCharacter) -> list[list[tuple[Solid, Color]]]:
    """Return the surfaces that are drawn for each link, in the frame of the link, with their colors in the file."""
    places = reference_frames(character).position
    reach = float(np.ptp(places, axis=0).max()) if len(places) > 1 else 0.0
    return [_parts(character, i, max(reach, 0.05)) for i in range(len(places))]


def _parts(character: SpatialCharacter, index: int, reach: float) -> list[tuple[Solid, Color]]:
    """Return the surfaces that are drawn for a link, with their colors in the file.

    Args:
        character: Character.
        index: Index of the link.
        reach: Size of the character, m.
    """
    link = character.links[index]
    visible = [shape for shape in link.shapes if shape.kind == "mesh" and shape.mesh in character.meshes]
    if visible:
        visible += [shape for shape in link.shapes if shape.kind != "mesh" and not shape.collides]
    else:
        visible = [shape for shape in link.shapes if shape.kind != "mesh"]
    parts = [(solid_of(shape, character.meshes), shape.color) for shape in visible]
    if all(shape.kind == "sphere" for shape in visible):
        places = [*_joints(character, index), *(shape.position for shape in visible)]
        bone = hull(np.array(places or [(0.0, 0.0, 0.0)]), BONE * reach)
        parts.append((bone, visible[0].color if visible else DEFAULT_COLOR))
    return parts


def _joints(character: SpatialCharacter, index: int) -> list[Sequence[float]]:
    """Return the positions of the joints of a link in the reference pose, in the frame of the link, m."""
    found: list[Sequence[float]] = []
    for joint in character.joints:
        if joint.child == index:
            found.append(joint.anchor)
        elif joint.parent == index:
            child = character.links[joint.child]
            place = np.array(child.position) + rotation_matrix(child.orientation) @ joint.anchor
            found.append(place.tolist())
    return found


def _outer(solid: Solid, link: IntArray, n_links: int) -> IntArray:
    """Return the indices of the points of each link that lie farthest in any of many directions.

    Args:
        solid: Surfaces of all links.
        link: Index of the link of each point (N,).
        n_links: Number of links.
    """
    steps = np.array(np.meshgrid(*[np.linspace(-1.0, 1.0, 5)] * 3)).reshape(3, -1)
    directions = steps[:, np.abs(steps).max(axis=0) == 1.0]
    kept = [np.zeros(0, np.int64)]
    for i in range(n_links):
        own = np.flatnonzero(link == i)
        if len(own):
            kept.append(np.unique(own[np.argmax(solid.point[own] @ directions, axis=0)]))
    return np.concatenate(kept)
