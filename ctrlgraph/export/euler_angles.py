"""Euler angles about z, x and y, as animation and biomechanics programs have them, without jumps over time."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.kernels.arrays import Floats

_LOCKED = 1e-6


def zxy_angles(rotation: Floats) -> Floats:
    """Return the angles about z, x' and y'' of rotations over time, (n, ..., 3), rad.

    The rotation is that about z, after that about x, after that about y: the product of their matrices in this order.
    Of the angles that describe a rotation, the result has those that are nearest to the angles before, and to 0 at the
    beginning. If the second angle is a right angle, the third keeps its value.

    Args:
        rotation: Rotation matrices (n, ..., 3, 3).
    """
    found = np.zeros((*rotation.shape[:-2], 3))
    before = np.zeros(found.shape[1:])
    for i, r in enumerate(rotation):
        cosine = np.hypot(r[..., 0, 1], r[..., 1, 1])
        x = np.arctan2(r[..., 2, 1], cosine)
        locked = cosine < _LOCKED
        y = np.where(locked, before[..., 2], np.arctan2(-r[..., 2, 0], r[..., 2, 2]))
        both = np.arctan2(r[..., 1, 0], r[..., 0, 0])  # of z and y about the same axis
        z = np.where(locked, both - np.sign(x) * y, np.arctan2(-r[..., 0, 1], r[..., 1, 1]))
        sets = [np.stack(angles, axis=-1) for angles in ((z, x, y), (z + math.pi, math.pi - x, y + math.pi))]
        sets = [each - math.tau * np.round((each - before) / math.tau) for each in sets]
        first, second = (np.abs(each - before).sum(axis=-1, keepdims=True) for each in sets)
        before = found[i] = np.where(second < first, sets[1], sets[0])
    return found
