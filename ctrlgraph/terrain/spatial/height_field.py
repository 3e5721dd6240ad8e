"""Height fields: random heights on a regular grid that repeats in x and y, for rough ground and hills."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CELL = 0.0625
"""Distance of neighboring grid points, m."""
TILE = 32.0
"""Length and width of the grid, m. Beyond it, the same heights follow again."""
ROUGH_WAVE = 0.5
"""Length of a wave of rough ground, m: summits and hollows lie on a lattice half a wave apart."""
HILL_WAVE = 8.0
"""Length of a wave of hills, m."""
LEVEL_RADIUS = 1.0
"""Radius of the level ground around the origin, m. From twice this radius on, the heights are complete."""

_COUNT = round(TILE / CELL)


def no_field() -> Floats:
    """Return the grid of a terrain without a height field, which has no points."""
    return np.zeros((0, 0))


def rough_field(rough: float, hills: float, seed: int) -> Floats:
    """Return the heights of rough ground and hills on a grid of `TILE / CELL` points along x and y, m.

    The first grid point is the origin, around which the ground is level. Only sums, products and square roots of values
    of `random.Random.random` are used, so that the ground is the same on every machine.

    Args:
        rough: amplitude of the rough ground, m.
        hills: amplitude of the hills, m.
        seed: seed of the random numbers.
    """
    draw = random.Random(seed)
    heights = rough * _waves(ROUGH_WAVE, draw) + hills * _waves(HILL_WAVE, draw)
    along = np.arange(_COUNT) * CELL
    along = np.minimum(along, TILE - along)
    distance = np.sqrt(along[:, None] * along[:, None] + along * along)
    return np.ascontiguousarray(heights * _eased(np.clip(distance / LEVEL_RADIUS - 1.0, 0.0, 1.0)))


def _waves(wave: float, draw: random.Random) -> Floats:
    """Return random heights between -1 and 1 on the grid.

    The heights are random on a lattice half a wave apart. Between these points, they follow cubic curves that are level
    at both ends, as on the rough ground in the plane.

    Args:
        wave: length of a wave, m.
        draw: generator of the random numbers.
    """
    knots, step = round(2.0 * TILE / wave), round(wave / 2.0 / CELL)
    lattice = np.array([2.0 * draw.random() - 1.0 for _ in range(knots * knots)]).reshape(knots, knots)
    ease = _eased(np.arange(step) / step)
    return _along_first(_along_first(lattice, ease).T, ease).T


def _along_first(values: Floats, ease: Floats) -> Floats:
    """Return the values interpolated along the first axis, which repeats, with a point for each element of `ease`."""
    rise = np.roll(values, -1, axis=0) - values
    return (values[:, None] + rise[:, None] * ease[:, None]).reshape(-1, values.shape[1])


def _eased(t: Floats) -> Floats:
    return t * t * (3.0 - 2.0 * t)
