"""Recorded poses of the links of a planar or spatial character, in three dimensions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.character.spatial.spatial_frames import continuous
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.simulation.signals.spatial_signals import POSE


class LinkPoses(NamedTuple):
    """Poses of L links at n samples, in a world with x forward, y to the left and z up."""

    position: Floats
    """(n, L, 3) centre of mass of each link, m."""
    orientation: Floats
    """(n, L, 4) rotation from the frame of each link to the world, a unit quaternion (w, x, y, z). From one sample to
    the next, the sign is such that the quaternion changes as little as possible."""


def link_poses(signals: Signals, character: Character) -> LinkPoses:
    """Return the recorded poses of all links. A planar character moves in the plane y = 0.

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.
    """

    def of_links(quantity: str) -> Floats:
        return np.stack([signals.columns[f"{quantity}.{name}"] for name in character.link_names], axis=1)

    if isinstance(character, SpatialCharacter):
        pose = np.stack([of_links(name) for name in POSE], axis=2)
        return LinkPoses(pose[:, :, :3], continuous(pose[:, :, 3:]))
    x, z, half = of_links("x"), of_links("y"), of_links("rotation") / 2  # clockwise as seen from the right: about y
    zero = np.zeros_like(x)
    return LinkPoses(np.stack([x, zero, z], axis=2), np.stack([np.cos(half), zero, np.sin(half), zero], axis=2))


def poses_at(signals: Signals, character: Character, at: Floats) -> LinkPoses:
    """Return the poses of all links at n times, interpolated between the samples.

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.
        at: The times (n,), s.
    """
    time, poses = signals.columns["time"], link_poses(signals, character)
    after = np.clip(np.searchsorted(time, at, side="right"), 1, len(time) - 1)
    share = np.clip((at - time[after - 1]) / (time[after] - time[after - 1]), 0.0, 1.0)[:, None, None]
    position, turn = (each[after - 1] + share * (each[after] - each[after - 1]) for each in poses)
    return LinkPoses(position, turn / np.linalg.norm(turn, axis=2, keepdims=True))
