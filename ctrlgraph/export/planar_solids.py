"""Surfaces of the links of a planar character in three dimensions, for programs that show bodies.

A link is the convex hull of balls at the circles of its drawn outline, which is as wide everywhere as its largest ball;
the trunk is wider. Right and left limbs are below and beside the trunk, and limbs that are attached higher are further
out. The surfaces are in the frames of the links, whose origins stay in the plane of the motion.
"""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_rgba

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.character.spatial_model import Color
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.pictures.planar.figure import limb_key, outline_circles
from ctrlgraph.pictures.spatial.spatial_solids import Solid, hull
from ctrlgraph.pictures.style import FAR, NEAR, TRUNK

_COLORS: dict[int, Color] = {-1: to_rgba(FAR), 0: to_rgba(TRUNK), 1: to_rgba(NEAR)}
"""Color of left limbs, the trunk and right limbs, by their side."""
_GAP = 0.05
"""Distance between two limbs, relative to the radius of a limb."""


def planar_solids(character: PlanarCharacter) -> list[list[tuple[Solid, Color]]]:
    """Return the surfaces of each link, in the frame of the link, with their colors."""
    circles = [np.array(outline_circles(character, i)) for i in range(len(character.links))]
    keys = [limb_key(character, i) for i in range(len(circles))]
    lateral = _lateral(circles, keys)
    legs = [abs(lateral[key]) + _radius(circles, keys, key) for key in keys if key[0]]
    half_width = min(legs, default=0.0)  # the trunk is as wide as the innermost limbs
    solids = []
    for i, (key, own) in enumerate(zip(keys, circles, strict=True)):
        x, z, radius = own.T
        widest = float(radius.max())
        if key[0] == 0 and i != character.roles.head:
            widest = max(widest, half_width)
        sides = lateral[key] - (widest - radius), lateral[key] + (widest - radius)
        places = np.concatenate([np.column_stack([x, y, z]) for y in sides])
        solids.append([(hull(places, np.tile(radius, 2)), _COLORS[key[0]])])
    return solids


def _lateral(circles: list[Floats], keys: list[tuple[int, int]]) -> dict[tuple[int, int], float]:
    """Return the distance to the left of the middle of each limb from the plane of the motion, m.

    Args:
        circles: Circles (x, y, radius) of the outline of each link (k, 3), m.
        keys: Limb of each link, see `limb_key`.
    """
    found = {key: 0.0 for key in keys}
    for side in (-1, 1):
        inner = 0.0
        for key in sorted({key for key in keys if key[0] == side}, key=lambda key: abs(key[1])):
            radius = _radius(circles, keys, key) * (1.0 + _GAP)
            found[key] = -side * (inner + radius)
            inner += 2.0 * radius
    return found


def _radius(circles: list[Floats], keys: list[tuple[int, int]], key: tuple[int, int]) -> float:
    """Return the largest radius of the circles of a limb, m.

    Args:
        circles: Circles (x, y, radius) of the outline of each link (k, 3), m.
        keys: Limb of each link, see `limb_key`.
        key: The limb.
    """
    return max(float(own[:, 2].max()) for own, other in zip(circles, keys, strict=True) if other == key)
