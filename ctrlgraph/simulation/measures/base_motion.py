"""What planar and spatial motions have in common for measures: contacts, flights and swings of the feet."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.simulation.recording.base_trace import BaseTrace

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain
    from ctrlgraph.terrain.terrain import Terrain

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Run = tuple[int, int]
"""Interval of samples: index of the first sample, and index after the last sample; (0, 0) for no samples."""

ALL = slice(None)
"""All samples of a motion."""

_GRAVITY = WorldSettings().gravity

LEAST_SWING = 0.05
"""Minimum time for which a foot or hand is off the ground in a swing, s. A shorter loss of contact is a bounce."""

INVERTED = 0.6
"""Maximum angle between the trunk and the upside-down pose at which the trunk counts as upside down, rad."""

END_S = 0.05
"""Length of the window at the end in which contacts are counted, s.

A foot that stands still may lose contact for a single time step.
"""


TOUCH_M = 0.0005
"""Distance from the ground below which a link counts as touching the ground at the end, m.

MuJoCo lifts sliding bodies by hundredths of a millimetre, because its friction also acts along the normal. Bodies at
rest penetrate the ground by 0.5 to 1 mm.
"""


@dataclass(frozen=True)
class BaseMotion(ABC):
    """A recorded motion of n >= 1 samples from which measures are computed, with its character and terrain.

    Quantities are computed from the samples, so the sample rate limits the precision of times and extremes.
    """

    trace: BaseTrace
    character: Character
    terrain: Terrain | SpatialTerrain
    gravity: float = _GRAVITY
    """Acceleration of gravity, m/s^2."""

    @cached_property
    def duration(self) -> float:
        """Return the time from the first sample to the last, s."""
        return float(self.trace.time[-1] - self.trace.time[0])

    @property
    @abstractmethod
    def distance(self) -> float:
        """Return the horizontal displacement of the centre of mass from start to end, forward positive, m."""

    @property
    @abstractmethod
    def travelled(self) -> float:
        """Return the horizontal distance that the centre of mass has travelled, m."""

    @property
    @abstractmethod
    def height(self) -> Floats:
        """Return the height of the centre of mass above the terrain without gaps and hurdles, (n,), m."""

    @property
    @abstractmethod
    def com_speed(self) -> Floats:
        """Return the speed of the centre of mass, (n,), m/s."""

    @property
    @abstractmethod
    def joint_angles(self) -> Floats:
        """Return the joint angles, (n, J), rad."""

    @property
    @abstractmethod
    def upside_down(self) -> Mask:
        """Return, for each sample (n,), whether the trunk's angle to the upside-down pose is at most `INVERTED`."""

    @abstractmethod
    def link_heights(self, links: Sequence[int]) -> Floats:
        """Return the heights of k links' centres of mass above the terrain without gaps and hurdles, (n, k), m."""

    @abstractmethod
    def advance(self, link: int, start: int, end: int) -> float:
        """Return the horizontal displacement of a link between two samples, forward positive, m.

        Args:
            link: index of the link.
            start: index of the first sample.
            end: index of the second sample.
        """

    @abstractmethod
    def clearances(self, link: int, samples: slice = ALL) -> Floats:
        """Return the heights of a link's lowest contact shape above the terrain in k samples, (k,), m.

        Without contact shapes, it is infinite.

        Args:
            link: index of the link.
            samples: the samples; all by default.
        """

    @cached_property
    def airborne(self) -> Mask:
        """Return, for each sample (n,), whether no link is in contact."""
        return ~np.asarray(self.trace.contact.any(axis=1))

    @cached_property
    def flight(self) -> Run:
        """Return the longest interval of samples with no link in contact."""
        return longest_run(self.airborne)

    @cached_property
    def feet_off(self) -> Mask:
        """Return, for each sample (n,), whether no foot is in contact."""
        return ~self.touches("feet")

    @cached_property
    def strikes(self) -> dict[int, list[tuple[int, int]]]:
        """Return the swings of each foot, by the index of the foot's link, in the form of `swings`."""
        return self.swings("feet")

    def swings(self, role: str) -> dict[int, list[tuple[int, int]]]:
        """Return when each link with a role was off the ground for at least `LEAST_SWING`, by the index of the link.

        A swing is a pair of sample indices: the first sample off the ground, and the strike (the first sample with
        contact again). If the link stays off the ground until the end of the motion, this is not a swing.

        Args:
            role: role of the links, such as "feet".
        """
        time = self.trace.time
        return {
            link: [
                (start, end)
                for start, end in runs(~self.trace.contact[:, link])
                if end < len(time) and time[end] - time[max(start - 1, 0)] >= LEAST_SWING
            ]
            for link in self.links(role)
        }

    def links(self, role: str) -> list[int]:
        """Return the indices of the links of a role, such as "feet"."""
        return list(self.character.roles.of(role))

    def touches(self, role: str) -> Mask:
        """Return, for each sample (n,), whether any link with the role, such as "feet", is in contact."""
        return np.asarray(self.trace.contact[:, self.links(role)].any(axis=1))

    def touching_at_end(self, role: str) -> float:
        """Return the number of links with a role, such as "feet", that touch the ground at the end.

        A link counts if it is in contact, or nearer to the ground than `TOUCH_M`, in most samples of the last `END_S`.
        """
        late = slice(int(np.argmax(self.trace.time >= self.trace.time[-1] - END_S)), None)
        touches = [
            np.mean(self.trace.contact[late, link] | (self.clearances(link, late) < TOUCH_M)) > 0.5
            for link in self.links(role)
        ]
        return float(sum(touches))

    def lasting(self, run: Run) -> float:
        """Return the time from the first to the last sample of an interval, s; 0 for an empty interval."""
        return round(float(self.trace.time[run[1] - 1] - self.trace.time[run[0]]), 9) if run[1] > run[0] else 0.0

    def load(self, links: Sequence[int], seconds: float) -> float:
        """Return the share of the total vertical ground force that some links carry at the end, 0 to 1; 0 in flight.

        Args:
            links: indices of the links.
            seconds: length of the window at the end over which forces are averaged, s.
        """
        late = self.trace.time > self.trace.time[-1] - seconds
        late[0] = False  # the time before the motion
        carried = self.trace.impulse[late, :, -1].sum(axis=0)
        total = float(carried.sum())
        return float(carried[links].sum()) / total if total > 0.0 else 0.0


def wrapped(angle: Floats) -> Floats:
    """Return angles (rad) wrapped to (-pi, pi]."""
    return np.asarray(-((-angle + np.pi) % (2 * np.pi) - np.pi))


def runs(mask: Mask) -> list[Run]:
    """Return all longest possible intervals of consecutive samples in which `mask` (n,) is True, in order of time."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def longest_run(mask: Mask) -> Run:
    """Return the longest interval of consecutive samples in which `mask` (n,) is True; the first if several are."""
    return max(runs(mask), key=lambda run: run[1] - run[0], default=(0, 0))


def run_around(mask: Mask, inner: Run) -> Run:
    """Extend the interval `inner` in both directions over all adjacent samples in which `mask` (n,) is True.

    If `inner` is empty, return (0, 0).
    """
    if inner[1] <= inner[0]:
        return 0, 0
    start, end = inner
    while start > 0 and mask[start - 1]:
        start -= 1
    while end < len(mask) and mask[end]:
        end += 1
    return start, end
