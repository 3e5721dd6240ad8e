"""Spatial motions for measures: a recorded motion in space with quantities that several measures use.

The heading of a character is the direction in which its trunk points, seen from above. In the reference pose, it is the
x axis of the world.

Roll, pitch and heading are the angles of three rotations that turn the trunk from its reference pose: first about the x
axis (roll, positive if the left side rises), then about the y axis (pitch, positive if the front sinks), then about the
z axis (heading, positive to the left). These are the angles of ISO 8855. If the trunk points straight up or down, roll
and heading are undefined.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ctrlgraph.character.spatial.spatial_extent import reach
from ctrlgraph.character.spatial.spatial_frames import reference_frames, rotation_matrix
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.simulation.measures.base_motion import ALL, INVERTED, BaseMotion, Floats, Mask
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain

LEAST_STANCE = 0.06
"""Minimum time for which a foot is in contact between two swings, s. A foot that carries no load before it lifts off
may leave the ground and touch it again for a moment, which is not a footfall. The shortest stances of the gallops of
projects/dog take 0.09 s.
"""
_ROUNDING = 1e-9
"""Largest rounding error of a time, s."""


def trunk_axes(character: SpatialCharacter) -> Floats:
    """Return the world's axes in the frame of the trunk in the reference pose, as columns (3, 3)."""
    return np.ascontiguousarray(reference_frames(character).rotation[character.trunk].T)


@dataclass(frozen=True)
class SpatialMotion(BaseMotion):
    """A recorded motion in space of n >= 1 samples from which measures are computed, with character and terrain."""

    trace: SpatialTrace
    character: SpatialCharacter
    terrain: SpatialTerrain

    @cached_property
    def trunk(self) -> Floats:
        """Return the rotation of the trunk from its reference pose, matrices (n, 3, 3) in the world."""
        return rotation_matrix(self.trace.orientation[:, self.character.trunk]) @ trunk_axes(self.character)

    @cached_property
    def tilt(self) -> Floats:
        """Return the angle between the trunk's upward axis and the vertical, (n,), rad, from 0 to pi."""
        return np.arccos(np.clip(self.trunk[:, 2, 2], -1.0, 1.0))

    @cached_property
    def roll(self) -> Floats:
        """Return the roll of the trunk, (n,), rad, from -pi to pi, positive if the left side is up."""
        return np.asarray(np.arctan2(self.trunk[:, 2, 1], self.trunk[:, 2, 2]))

    @cached_property
    def pitch(self) -> Floats:
        """Return the pitch of the trunk, (n,), rad, from -pi/2 to pi/2, positive if the front is down."""
        return np.arcsin(np.clip(-self.trunk[:, 2, 0], -1.0, 1.0))

    @cached_property
    def heading(self) -> Floats:
        """Return the direction of the trunk seen from above, (n,), rad, anticlockwise from the x axis, unwrapped."""
        return np.unwrap(np.arctan2(self.trunk[:, 1, 0], self.trunk[:, 0, 0]))

    @cached_property
    def upside_down(self) -> Mask:
        """Return, for each sample (n,), whether the trunk's angle to the upside-down pose is at most `INVERTED`."""
        return np.asarray(self.tilt >= math.pi - INVERTED)

    @cached_property
    def strikes(self) -> dict[int, list[tuple[int, int]]]:
        """Return the swings of each foot, by the index of the foot's link, in the form of `swings`.

        Two swings with less contact than `LEAST_STANCE` between them are one swing, also if the motion ends within
        the second one.
        """
        found: dict[int, list[tuple[int, int]]] = {}
        for foot, swings in self.swings("feet").items():
            found[foot], start = [], None
            for (first, touched), (after, _) in itertools.pairwise([*swings, (len(self.trace.time), 0)]):
                start = first if start is None else start
                if self._stands_between(foot, touched, after):
                    found[foot].append((start, touched))
                    start = None
        return found

    def _stands_between(self, foot: int, touched: int, after: int) -> bool:
        """Return whether a foot that touches the ground stands on it until the next swing, or the end of the motion.

        Args:
            foot: index of the foot's link.
            touched: sample of the first contact.
            after: first sample of the next swing, or the number of samples.
        """
        time, contact = self.trace.time, self.trace.contact[touched:after, foot]
        if after == len(time) and contact[-1]:
            return True
        spans = np.diff(time[touched : after + 1], append=time[-1])
        return bool(spans[: len(contact)] @ contact >= LEAST_STANCE - _ROUNDING)

    @cached_property
    def height(self) -> Floats:
        """Return the height of the centre of mass above the terrain without gaps and hurdles, (n,), m."""
        x, y, z = self.trace.com.T
        return np.asarray(z - self.terrain.bridged.heights(x, y))

    @cached_property
    def com_speed(self) -> Floats:
        """Return the speed of the centre of mass, (n,), m/s."""
        return np.asarray(np.linalg.norm(self.trace.com_velocity, axis=1))

    @cached_property
    def track(self) -> Floats:
        """Return the horizontal position of the centre of mass from its start, (n, 2), m.

        The first component is along the heading at the start, the second one to the left of it.
        """
        return _turned(self.trace.com[:, :2] - self.trace.com[0, :2], self.heading[0])

    @cached_property
    def way(self) -> Floats:
        """Return the horizontal displacement of the centre of mass between consecutive samples, (n - 1, 2), m.

        The first component is along the present heading, the second one to the left of it.
        """
        return _turned(np.diff(self.trace.com[:, :2], axis=0), (self.heading[1:] + self.heading[:-1]) / 2)

    @property
    def distance(self) -> float:
        """Return the horizontal displacement of the centre of mass from start to end, along the heading at the start,
        m.
        """
        return float(self.track[-1, 0])

    @cached_property
    def travelled(self) -> float:
        """Return the length of the horizontal path of the centre of mass, m."""
        return float(np.hypot(*self.way.T).sum())

    @property
    def joint_angles(self) -> Floats:
        """Return the joint angles, (n, J), rad."""
        return self.trace.joint_angle

    def link_heights(self, links: Sequence[int]) -> Floats:
        """Return the heights of k links' centres of mass above the terrain without gaps and hurdles, (n, k), m."""
        x, y, z = np.moveaxis(self.trace.position[:, links], -1, 0)
        return np.asarray(z - self.terrain.bridged.heights(x, y))

    def advance(self, link: int, start: int, end: int) -> float:
        """Return the displacement of a link between two samples along the heading at the time between them, m.

        Args:
            link: index of the link.
            start: index of the first sample.
            end: index of the second sample.
        """
        way = self.trace.position[end, link, :2] - self.trace.position[start, link, :2]
        return float(_turned(way, self.heading[(start + end) // 2])[0])

    def clearances(self, link: int, samples: slice = ALL) -> Floats:
        """Return the heights of a link's lowest contact shape above the terrain in k samples, (k,), m.

        For each shape, it is the height of its lowest point above the terrain below its centre. Without contact shapes,
        it is infinite.

        Args:
            link: index of the link.
            samples: the samples; all by default.
        """
        pose = self.trace.pose[samples, link]
        turn = rotation_matrix(pose[:, 3:])
        lowest = np.full(len(pose), math.inf)
        for shape in self.character.links[link].shapes:
            if shape.collides:
                x, y, z = (pose[:, :3] + turn @ shape.position).T
                low = z - reach(shape, (turn @ rotation_matrix(shape.orientation))[:, 2])
                lowest = np.minimum(lowest, low - self.terrain.heights(x, y))
        return lowest


def _turned(vectors: Floats, angle: Floats | float) -> Floats:
    """Return horizontal vectors (..., 2) of the world in a frame that is turned by an angle (...), rad, to the left."""
    x, y = np.moveaxis(vectors, -1, 0)
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.stack([cosine * x + sine * y, cosine * y - sine * x], axis=-1)
