"""Spatial motions for measures: a recorded motion in space with quantities that several measures use.

The heading of a character is the direction in which its root link points, seen from above. In the reference pose, it is
the x axis of the world.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.simulation.spatial_trace import SpatialTrace
from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain

Floats = NDArray[np.float64]


def rotation_matrices(quaternions: Floats) -> Floats:
    """Return rotation matrices (..., 3, 3) for unit quaternions (..., 4), (w, x, y, z)."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def axes_in_reference(character: SpatialCharacter, link: int) -> Floats:
    """Return the world's axes in the frame of a link in the reference pose, as columns (3, 3).

    Args:
        character: the character.
        link: index of the link.
    """
    above = {joint.child: joint.parent for joint in character.joints}
    turn = np.eye(3)
    at: int | None = link
    while at is not None:
        turn = rotation_matrices(np.array(character.links[at].orientation)) @ turn
        at = above.get(at)
    return np.asarray(turn.T)


def upward_axis(character: SpatialCharacter) -> Floats:
    """Return the direction in the frame of the trunk that points up in the reference pose, (3,)."""
    return np.ascontiguousarray(axes_in_reference(character, character.trunk)[:, 2])


def heading_of(orientation: Sequence[float] | Floats, reference: Sequence[float]) -> float:
    """Return the heading of a root link, rad, from -pi to pi.

    Args:
        orientation: rotation from the frame of the root link to the world.
        reference: the same rotation in the reference pose.
    """
    turn = rotation_matrices(np.asarray(orientation)) @ rotation_matrices(np.asarray(reference)).T
    return math.atan2(float(turn[1, 0]), float(turn[0, 0]))


@dataclass(frozen=True)
class SpatialMotion:
    """A recorded motion in space of n >= 1 samples from which measures are computed, with character and terrain."""

    trace: SpatialTrace
    character: SpatialCharacter
    terrain: SpatialTerrain
    gravity: float = WorldSettings().gravity
    """Acceleration of gravity, m/s^2."""

    @cached_property
    def duration(self) -> float:
        """Return the time from the first sample to the last, s."""
        return float(self.trace.time[-1] - self.trace.time[0])

    @cached_property
    def height(self) -> Floats:
        """Return the height of the centre of mass above the terrain without gaps and hurdles, (n,), m."""
        terrain, com = self.terrain.bridged, self.trace.com
        return np.array([z - terrain.height(float(x), float(y)) for x, y, z in com])

    @cached_property
    def trunk(self) -> Floats:
        """Return the rotation of the trunk from its reference pose, matrices (n, 3, 3) in the world."""
        turn = rotation_matrices(self.trace.orientation[:, self.character.trunk])
        return np.asarray(turn @ axes_in_reference(self.character, self.character.trunk))

    @cached_property
    def tilt(self) -> Floats:
        """Return the angle between the trunk's upward axis and the vertical, (n,), rad, from 0 to pi."""
        return np.arccos(np.clip(self.trunk[:, 2, 2], -1.0, 1.0))

    @cached_property
    def heading(self) -> Floats:
        """Return the direction of the trunk seen from above, (n,), rad, anticlockwise from the x axis, unwrapped."""
        return np.unwrap(np.arctan2(self.trunk[:, 1, 0], self.trunk[:, 0, 0]))

    @cached_property
    def com_speed(self) -> Floats:
        """Return the speed of the centre of mass, (n,), m/s."""
        return np.asarray(np.linalg.norm(self.trace.com_velocity, axis=1))

    def links(self, role: str) -> list[int]:
        """Return the indices of the links of a role, such as "feet"."""
        return list(self.character.roles.of(role))
