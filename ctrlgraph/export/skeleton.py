"""Skeletons of animation programs: bones that hang from each other, in the axes X to the left, Y up and Z forward."""

from __future__ import annotations

from typing import NamedTuple

from ctrlgraph.kernels.arrays import Floats

Place = tuple[float, float, float]
"""X, Y and Z, m."""


class Bone(NamedTuple):
    """A bone, which turns about its origin."""

    name: str
    parent: int
    """Index of the bone from which it hangs, which is earlier in the list; -1 for the root, which is the first."""
    offset: Place
    """Origin of the bone relative to the origin of its parent, in the rest pose; 0 for the root."""
    end: Place
    """End of the bone from its origin, in the rest pose, for a bone from which no other hangs: the link's centre of
    mass is midway."""


class BoneMotion(NamedTuple):
    """Motion of B bones in n frames."""

    root: Floats
    """(n, 3) position of the root, m."""
    turn: Floats
    """(n, B, 3) rotation of each bone relative to its parent: angles about Z, X and Y, rad, see `zxy_angles`."""
