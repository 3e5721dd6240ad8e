"""Planar motions for measures: a trace with quantities that several measures share, computed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.model import Character
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.simulation.planar_trace import Trace
from ctrlgraph.terrain.terrain import Terrain

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Run = tuple[int, int]
"""Range of samples: the first, and the one after the last; (0, 0) for none."""

_GRAVITY = WorldSettings().gravity

LEAST_SWING = 0.05
"""Minimum time off the ground of a step, s; shorter ones are bounces of a foot or hand."""

INVERTED = 0.6
"""Maximum angle of the trunk from upside down that counts as upside down, rad."""

END_S = 0.05
"""Window for contacts at the end, s; a foot that stands still may lose contact for a single step."""


TOUCH_M = 0.0005
"""Distance from the ground below which a link touches it at the end, m.

MuJoCo lifts sliding bodies by hundredths of a millimetre, since its friction also acts along the normal; resting bodies
penetrate the ground by 0.5 to 1 mm.
"""


@dataclass(frozen=True)
class Motion:
    """A trace of n >= 1 samples, the character that moved and its ground.

    Sampled quantities (flight, extremes) are as fine as the trace's sampling.
    """

    trace: Trace
    character: Character
    terrain: Terrain
    gravity: float = _GRAVITY
    """Acceleration of gravity, m/s^2."""

    @cached_property
    def duration(self) -> float:
        """Return the time from the first sample to the last, s."""
        return float(self.trace.time[-1] - self.trace.time[0])

    @cached_property
    def distance(self) -> float:
        """Return the horizontal distance of the centre of mass, forward positive, m."""
        return float(self.trace.x[-1] - self.trace.x[0])

    @cached_property
    def trunk_angle(self) -> Floats:
        """Return the global angle of the trunk (n,), unwrapped, rad."""
        return self.trace.angle[:, self.character.trunk]

    @cached_property
    def height(self) -> Floats:
        """Return the height of the centre of mass (n,) above the terrain without gaps and hurdles, m."""
        return np.asarray(self.trace.com_height - self.ground(self.trace.x))

    @cached_property
    def com_speed(self) -> Floats:
        """Return the speed of the centre of mass (n,), m/s."""
        return np.asarray(np.hypot(*self.trace.com_velocity.T))

    def forward(self, links: Sequence[int]) -> Floats:
        """Return the forward positions of links (n, k), m."""
        return self.trace.position[:, links, 0]

    def rotation(self, links: Sequence[int]) -> Floats:
        """Return the global angles of links (n, k), unwrapped, rad."""
        return self.trace.angle[:, links]

    def link_heights(self, links: Sequence[int]) -> Floats:
        """Return the heights of links above the terrain without gaps and hurdles (n, k), m."""
        x, y = np.moveaxis(self.trace.position[:, links], -1, 0)
        return np.asarray(y - self.ground(x))

    def load(self, links: Sequence[int], seconds: float) -> float:
        """Return the share of the vertical ground force that links carry in the last seconds, 0 to 1; 0 in flight."""
        late = self.trace.time > self.trace.time[-1] - seconds
        late[0] = False  # the time before the motion
        carried = self.trace.impulse[late, :, 1].sum(axis=0)
        total = float(carried.sum())
        return float(carried[links].sum()) / total if total > 0.0 else 0.0

    def ground(self, x: Floats) -> Floats:
        """Return the height of the terrain without gaps and hurdles, at positions x of any shape, m."""
        terrain = self.terrain.bridged
        if len(terrain.x) <= 2:
            return np.asarray(np.interp(x, terrain.x, terrain.y))
        return np.array([terrain.height(each) for each in x.ravel()]).reshape(x.shape)

    @cached_property
    def energy(self) -> Floats:
        """Return the mechanical energy (n - 1,) between samples, J, with its zero at y = 0.

        Velocities are differences of samples, and heights are means of two samples. In free fall this is exact except
        for a constant. An impact takes two samples. The energy is not overestimated in them, because the mean of two
        velocities has at most the energy of the faster one.
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
    def airborne(self) -> Mask:
        """Return, for each sample (n,), whether no link is in contact."""
        return ~np.asarray(self.trace.contact.any(axis=1))

    @cached_property
    def flight(self) -> Run:
        """Return the longest time with no link in contact."""
        return longest_run(self.airborne)

    @cached_property
    def feet_off(self) -> Mask:
        """Return, for each sample (n,), whether no foot is in contact."""
        return ~self.touches("feet")

    @cached_property
    def upside_down(self) -> Mask:
        """Return, for each sample (n,), whether the trunk is within `INVERTED` of upside down."""
        return np.asarray(np.abs(wrapped(self.trunk_angle - np.pi)) <= INVERTED)

    @cached_property
    def strikes(self) -> dict[int, list[tuple[int, int]]]:
        """Return the swings of each foot."""
        return self.swings("feet")

    def swings(self, role: str) -> dict[int, list[tuple[int, int]]]:
        """Return the swings of each link of a role that last at least `LEAST_SWING`.

        A swing is a pair of samples: the first off the ground, and the strike. A link that touches the ground at the
        beginning has not struck, nor has one that is off the ground at the end.
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
        """Return the indices of the links of a role."""
        return list(self.character.roles.of(role))

    def joint_angle(self, joint: int) -> Floats:
        """Return the angle (n,) of a joint, rad."""
        hinge, angle = self.character.joints[joint], self.trace.angle
        return np.asarray(angle[:, hinge.child] - angle[:, hinge.parent])

    def flexion(self, joint: int) -> Floats:
        """Return the flexion of a joint (n,), rad: positive in the direction of its larger range."""
        return self.joint_angle(joint) * self.character.joints[joint].flexion_sign

    def touches(self, role: str) -> Mask:
        """Return, for each sample (n,), whether a link of the role is in contact."""
        return np.asarray(self.trace.contact[:, self.links(role)].any(axis=1))

    def touching_at_end(self, role: str) -> float:
        """Return the number of links of a role that touch the ground at the end.

        A link touches the ground if it is in contact, or nearer to the ground than `TOUCH_M`, in most samples of the
        last `END_S`.
        """
        late = np.flatnonzero(self.trace.time >= self.trace.time[-1] - END_S)
        touches = [
            np.mean([self.trace.contact[n, link] or self._clearance(n, link) < TOUCH_M for n in late.tolist()]) > 0.5
            for link in self.links(role)
        ]
        return float(sum(touches))

    def _clearance(self, sample: int, link: int) -> float:
        """Return the height of a link's lowest contact circle above the terrain, m; inf without circles."""
        x, y = self.trace.position[sample, link]
        angle = self.trace.angle[sample, link]
        cosine, sine = np.cos(angle), np.sin(angle)
        return min(
            (
                float(y + c.y * cosine - c.x * sine - c.radius - self.terrain.height(x + c.x * cosine + c.y * sine))
                for c in self.character.links[link].contacts
            ),
            default=np.inf,
        )

    def on_hands(self) -> Run:
        """Return the longest run with a hand in contact and without a foot in contact. Bounces shorter than
        `LEAST_SWING` do not end the run.
        """
        time, mask = self.trace.time, self.feet_off & self.touches("hands")
        for start, end in runs(self.feet_off & ~mask):
            between = start > 0 and end < len(mask) and mask[start - 1] and mask[end]
            if between and time[end] - time[start - 1] < LEAST_SWING:
                mask[start:end] = True
        return longest_run(mask)

    def lasting(self, run: Run) -> float:
        """Return the time from a run's first sample to its last, s, without the rounding error of the difference."""
        return round(float(self.trace.time[run[1] - 1] - self.trace.time[run[0]]), 9) if run[1] > run[0] else 0.0


def wrapped(angle: Floats) -> Floats:
    """Return angles within (-pi, pi], rad."""
    return np.asarray(-((-angle + np.pi) % (2 * np.pi) - np.pi))


def runs(mask: Mask) -> list[Run]:
    """Return every run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def longest_run(mask: Mask) -> Run:
    """Return the longest run of True; of equally long runs, the first."""
    return max(runs(mask), key=lambda run: run[1] - run[0], default=(0, 0))


def run_around(mask: Mask, inner: Run) -> Run:
    """Return the run of True in `mask` that contains the run `inner`."""
    if inner[1] <= inner[0]:
        return 0, 0
    start, end = inner
    while start > 0 and mask[start - 1]:
        start -= 1
    while end < len(mask) and mask[end]:
        end += 1
    return start, end
