"""Planar motions for measures: a recorded motion with quantities that several measures use, each computed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.simulation.measures.base_motion import (
    ALL,
    INVERTED,
    LEAST_SWING,
    BaseMotion,
    Floats,
    Mask,
    Run,
    longest_run,
    runs,
    wrapped,
)
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.terrain.terrain import Terrain

_GROUND_STEP = 0.001
"""Half the distance of the two points between which the angle of the ground is measured, m."""


@dataclass(frozen=True)
class Motion(BaseMotion):
    """A recorded planar motion of n >= 1 samples from which measures are computed, with its character and terrain."""

    trace: Trace
    character: PlanarCharacter
    terrain: Terrain

    @cached_property
    def distance(self) -> float:
        """Return the horizontal displacement of the centre of mass from start to end, forward positive, m."""
        return float(self.trace.x[-1] - self.trace.x[0])

    @property
    def travelled(self) -> float:
        """Return the magnitude of the horizontal displacement of the centre of mass, m."""
        return abs(self.distance)

    @cached_property
    def trunk_angle(self) -> Floats:
        """Return the global angle of the trunk, (n,), clockwise, unwrapped, rad."""
        return self.trace.angle[:, self.character.trunk]

    @cached_property
    def height(self) -> Floats:
        """Return the height of the centre of mass above the terrain without gaps and hurdles, (n,), m."""
        return np.asarray(self.trace.com_height - self.ground(self.trace.x))

    @cached_property
    def com_speed(self) -> Floats:
        """Return the speed of the centre of mass, (n,), m/s."""
        return np.asarray(np.hypot(*self.trace.com_velocity.T))

    def forward(self, links: Sequence[int]) -> Floats:
        """Return the world positions x of k links (given by their indices), (n, k), m."""
        return self.trace.position[:, links, 0]

    def rotation(self, links: Sequence[int]) -> Floats:
        """Return the global angles of k links (given by their indices), (n, k), clockwise, unwrapped, rad."""
        return self.trace.angle[:, links]

    def link_heights(self, links: Sequence[int]) -> Floats:
        """Return the heights of k links' centres of mass above the terrain without gaps and hurdles, (n, k), m."""
        x, y = np.moveaxis(self.trace.position[:, links], -1, 0)
        return np.asarray(y - self.ground(x))

    def ground(self, x: Floats) -> Floats:
        """Return the heights of the terrain without gaps and hurdles at positions x, m.

        Args:
            x: positions, an array of any shape, m.
        """
        terrain = self.terrain.bridged
        if len(terrain.x) <= 2:
            return np.asarray(np.interp(x, terrain.x, terrain.y))
        return terrain.heights(x)

    def ground_angle(self, x: Floats) -> Floats:
        """Return the angles of the terrain without gaps and hurdles at positions x, clockwise (descents positive), rad.

        Within 1 mm of a wall, it is the angle of the wall.

        Args:
            x: positions, an array of any shape, m.
        """
        return np.arctan2(self.ground(x - _GROUND_STEP) - self.ground(x + _GROUND_STEP), 2 * _GROUND_STEP)

    @cached_property
    def energy(self) -> Floats:
        """Return the mechanical energy between consecutive samples, (n - 1,), J.

        The potential energy is 0 at y = 0. Velocities are differences of two samples, and heights are means of two
        samples. In free fall, the result differs from the exact energy by a constant. An impact affects two values.
        These values do not overestimate the energy, because the mean of two velocities has at most the energy of the
        faster one.
        """
        trace, links = self.trace, self.character.links
        keep = np.append(np.diff(trace.time) > 0.0, True)  # two controllers share a sample
        time, position, angle = trace.time[keep], trace.position[keep], trace.angle[keep]
        mass = np.array([link.mass for link in links])
        inertia = np.array([link.inertia for link in links])
        dt = np.diff(time)[:, None]
        velocity, spin = np.diff(position, axis=0) / dt[:, :, None], np.diff(angle, axis=0) / dt
        height = (position[1:, :, 1] + position[:-1, :, 1]) / 2
        each = mass * (velocity**2).sum(axis=2) / 2 + inertia * spin**2 / 2 + self.gravity * mass * height
        return np.asarray(each.sum(axis=1))

    @cached_property
    def upside_down(self) -> Mask:
        """Return, for each sample (n,), whether the trunk's angle to the upside-down pose is at most `INVERTED`."""
        return np.asarray(np.abs(wrapped(self.trunk_angle - np.pi)) <= INVERTED)

    def joint_angle(self, joint: int) -> Floats:
        """Return the angle of the joint with the index `joint`, (n,), rad."""
        hinge, angle = self.character.joints[joint], self.trace.angle
        return np.asarray(angle[:, hinge.child] - angle[:, hinge.parent])

    def flexion(self, joint: int) -> Floats:
        """Return the flexion of the joint with the index `joint`, (n,), rad.

        It is the joint's angle, with the sign that is positive towards the angle limit of larger magnitude.
        """
        return self.joint_angle(joint) * self.character.joints[joint].flexion_sign

    @property
    def joint_angles(self) -> Floats:
        """Return the joint angles, (n, J), rad."""
        return self.trace.joint_angles(self.character)

    def advance(self, link: int, start: int, end: int) -> float:
        """Return the horizontal displacement of a link between two samples, forward positive, m.

        Args:
            link: index of the link.
            start: index of the first sample.
            end: index of the second sample.
        """
        return float(self.trace.position[end, link, 0] - self.trace.position[start, link, 0])

    def clearances(self, link: int, samples: slice = ALL) -> Floats:
        """Return the heights of a link's lowest contact circle above the terrain in k samples, (k,), m.

        Without circles, it is infinite.

        Args:
            link: index of the link.
            samples: the samples; all by default.
        """
        x, y = self.trace.position[samples, link].T
        angle = self.trace.angle[samples, link]
        cosine, sine = np.cos(angle), np.sin(angle)
        lowest = np.full(len(x), np.inf)
        for c in self.character.links[link].contacts:
            ground = self.terrain.heights(x + c.x * cosine + c.y * sine)
            lowest = np.minimum(lowest, y + c.y * cosine - c.x * sine - c.radius - ground)
        return lowest

    @cached_property
    def on_one_foot(self) -> tuple[Run, int]:
        """Return the middle third of the longest interval of samples with one foot and no other link in contact, and
        the index of this foot's link.
        """
        contact = self.trace.contact
        alone = contact.sum(axis=1) == 1
        each = [(longest_run(alone & contact[:, foot]), foot) for foot in self.links("feet")]
        (start, end), foot = max(each, key=lambda run: run[0][1] - run[0][0])
        third = (end - start) // 3
        return (start + third, end - third), foot

    def on_hands(self) -> Run:
        """Return the longest interval of samples with a hand in contact and no foot in contact.

        A loss of contact that is shorter than `LEAST_SWING` (a bounce) does not end the interval.
        """
        time, mask = self.trace.time, self.feet_off & self.touches("hands")
        for start, end in runs(self.feet_off & ~mask):
            between = start > 0 and end < len(mask) and mask[start - 1] and mask[end]
            if between and time[end] - time[start - 1] < LEAST_SWING:
                mask[start:end] = True
        return longest_run(mask)
