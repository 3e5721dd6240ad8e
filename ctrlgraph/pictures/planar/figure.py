"""Drawing of a character's pose as filled outlines of its links, for filmstrips and films.

The outline of a link is the convex hull of its contact circles and of a circle at each of its joints. Each link is then
as thick as its contact circles, and adjacent links meet in round joints.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from ctrlgraph.character.convex_hull import convex_hull
from ctrlgraph.character.planar_model import PlanarCharacter, PlanarLink
from ctrlgraph.pictures.style import FAR, NEAR, PAPER, TRUNK, FloatArray
from ctrlgraph.terrain.terrain import Terrain

CIRCLE_CORNERS = 24
"""Number of corners of the polygon that approximates a circle."""
POSES_AT_ONCE = 4096
"""Maximum number of poses whose bounding boxes are computed at once, which limits the memory."""


def ground_polyline(terrain: Terrain | None, left: float, right: float) -> tuple[FloatArray, FloatArray]:
    """Return the corners of the ground's surface between two horizontal positions.

    Beyond the first and last corner of the terrain, the surface continues with the slope of the nearest segment.

    Args:
        terrain: Terrain; None for level ground at height 0.
        left: Smaller horizontal position, m.
        right: Larger horizontal position, m.

    Returns:
        Horizontal positions (n,) and heights (n,) of the corners, m. The first is at `left`, the last at `right`.
    """
    if terrain is None:
        return np.array([left, right]), np.zeros(2)
    xs, ys = terrain.x, terrain.y
    inside = (xs > left) & (xs < right)
    first, last = _height(xs, ys, left), _height(xs, ys, right)
    return np.concatenate([[left], xs[inside], [right]]), np.concatenate([[first], ys[inside], [last]])


def is_level(terrain: Terrain | None) -> bool:
    """Return whether the ground has the same height everywhere. None means level ground."""
    return terrain is None or float(np.ptp(terrain.y)) == 0.0


def _height(xs: FloatArray, ys: FloatArray, x: float) -> float:
    i = int(np.clip(np.searchsorted(xs, x), 1, len(xs) - 1))
    run = xs[i] - xs[i - 1]
    return float(ys[i] if run == 0 else ys[i - 1] + (ys[i] - ys[i - 1]) * (x - xs[i - 1]) / run)


@dataclass(frozen=True)
class Figure:
    """Outlines of a character's links, and the drawing order of its limbs. The methods draw the character in a pose."""

    outlines: tuple[FloatArray, ...]
    """Outline of each link: the corners (k, 2) of a polygon in the link's frame (origin at its centre of mass), m."""
    limbs: tuple[tuple[int, ...], ...]
    """Indices of the links of each limb (trunk, arms, legs). Limbs are in drawing order, from far to near."""
    sides: tuple[int, ...]
    """Side of each limb of `limbs`: -1 far (left), 0 trunk, 1 near (right)."""

    @property
    def colours(self) -> tuple[str, ...]:
        """Return the colour of each limb of `limbs`."""
        return tuple({-1: FAR, 0: TRUNK, 1: NEAR}[side] for side in self.sides)

    @staticmethod
    def of(character: PlanarCharacter) -> Figure:
        """Compute outlines and drawing order for a character. Left limbs come first, as they are behind the trunk."""
        limbs: dict[tuple[int, int], list[int]] = {}
        for i in range(len(character.links)):
            limbs.setdefault(limb_key(character, i), []).append(i)
        keys = sorted(limbs)
        outlines = tuple(_hull(outline_circles(character, i)) for i in range(len(character.links)))
        return Figure(outlines, tuple(tuple(limbs[key]) for key in keys), tuple(side for side, _ in keys))

    def polygons(self, position: FloatArray, angle: FloatArray, shift: float = 0.0) -> list[FloatArray]:
        """Return the outlines of the links in a pose: arrays (k, 2) of corners in world coordinates, m.

        The outlines are in drawing order. The outlines of each limb come twice: first for a white border, which
        separates the limb from limbs behind it, then for the coloured filling.

        Args:
            position: World positions of the links' centres of mass (L, 2), m.
            angle: Angles of the links (L,), clockwise, rad.
            shift: Displacement of the whole figure to the right, m.
        """
        placed = [
            outline @ np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) + (p[0] + shift, p[1])
            for outline, p, a in zip(self.outlines, position, angle, strict=True)
        ]
        return [placed[i] for limb in self.limbs for _ in range(2) for i in limb]

    def draw(self, axes: Axes, position: FloatArray, angle: FloatArray, shift: float = 0.0) -> PolyCollection:
        """Draw the character in a pose.

        Args:
            axes: Axes to draw on.
            position: World positions of the links' centres of mass (L, 2), m.
            angle: Angles of the links (L,), clockwise, rad.
            shift: Displacement of the whole figure to the right, m.

        Returns:
            The matplotlib artist. Its method `set_verts`, with the result of `polygons`, changes the pose.
        """
        faces = [c for limb, c in zip(self.limbs, self.colours, strict=True) for _ in range(2) for _ in limb]
        edges = [e for limb, c in zip(self.limbs, self.colours, strict=True) for e in (PAPER, c) for _ in limb]
        widths = [w for limb in self.limbs for w in (2.2, 0.4) for _ in limb]
        polygons = self.polygons(position, angle, shift)
        collection = PolyCollection(
            polygons, facecolors=faces, edgecolors=edges, linewidths=widths, joinstyle="round", zorder=5
        )
        axes.add_collection(collection, autolim=False)
        return collection

    def extents(self, position: FloatArray, angle: FloatArray) -> FloatArray:
        """Return the bounding box of the character in each of n poses: left, right, bottom and top (n, 4), world, m.

        Args:
            position: World positions of the links' centres of mass (n, L, 2), m.
            angle: Angles of the links (n, L), clockwise, rad.
        """
        parts = range(0, len(angle), POSES_AT_ONCE)
        found = [self._extents(position[i : i + POSES_AT_ONCE], angle[i : i + POSES_AT_ONCE]) for i in parts]
        return np.concatenate([np.zeros((0, 4)), *found])

    def _extents(self, position: FloatArray, angle: FloatArray) -> FloatArray:
        low, high = np.full((len(angle), 2), np.inf), np.full((len(angle), 2), -np.inf)
        cos, sin = np.cos(angle), np.sin(angle)
        for i, outline in enumerate(self.outlines):
            x, y = outline.T[:, :, None]
            rotated = np.stack([x * cos[:, i] + y * sin[:, i], y * cos[:, i] - x * sin[:, i]])  # (2, k, n)
            points = rotated + position[:, i].T[:, None]
            np.minimum(low, points.min(axis=1).T, out=low)
            np.maximum(high, points.max(axis=1).T, out=high)
        return np.column_stack([low[:, 0], high[:, 0], low[:, 1], high[:, 1]])


def _side(character: PlanarCharacter, link: int) -> int:
    """Return -1 for a left link, 1 for a right link, and 0 for a link without a counterpart on the other side."""
    right, left = ({pair[i] for pair in character.roles.link_pairs} for i in (0, 1))
    return 1 if link in right else -1 if link in left else 0


def limb_key(character: PlanarCharacter, link: int) -> tuple[int, int]:
    """Return a key of the limb to which a link belongs. Sorted keys are the drawing order of the limbs.

    Far limbs are drawn first, then the trunk, then near limbs. On each side, limbs that are attached higher on the
    trunk (arms) are further out than limbs that are attached lower (legs).

    Args:
        character: The character.
        link: Index of the link.

    Returns:
        The side of the limb (-1 far, 0 trunk, 1 near), and the side times the number of trunk links from the limb down
        to the root.
    """
    parents = {joint.child: joint.parent for joint in character.joints}
    side = _side(character, link)
    attached, current = 0, link
    while current in parents:
        current = parents[current]
        attached += _side(character, current) == 0
    return side, side * attached


def outline_circles(character: PlanarCharacter, index: int) -> list[tuple[float, float, float]]:
    """Return circles (x, y, radius) whose convex hull is the outline of a link, in the link's frame, m.

    Args:
        character: The character.
        index: Index of the link.
    """
    link = character.links[index]
    circles = [(point.x, point.y, point.radius) for point in link.contacts]
    for joint in character.joints:
        if index in (joint.parent, joint.child):
            radius = min(_thickness(character.links[joint.parent]), _thickness(character.links[joint.child]))
            circles.append((joint.x - link.x, joint.y - link.y, radius))
    if len(circles) < 2:
        circles += _ends(link)
    return circles


def _thickness(link: PlanarLink) -> float:
    return min(link.width / 2, link.height)


def _ends(link: PlanarLink) -> list[tuple[float, float, float]]:
    """Return a circle (x, y, radius) at each end of a link's bounding box, in the link's frame, m."""
    radius = _thickness(link)
    x, y = max(link.width / 2 - radius, 0.0), max(link.height / 2 - radius, 0.0)
    return [(x, y, radius), (-x, -y, radius)]


def _hull(circles: list[tuple[float, float, float]]) -> FloatArray:
    """Return the corners (k, 2) of the convex hull of circles (x, y, radius), counterclockwise, m."""
    angles = np.linspace(0.0, 2 * np.pi, CIRCLE_CORNERS, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    return convex_hull(np.concatenate([ring * radius + (x, y) for x, y, radius in circles]))
