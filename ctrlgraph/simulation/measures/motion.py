"""A motion as measures read it: a trace, and what several of them need of it, computed once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.model import Character
from ctrlgraph.engine.settings import WorldSettings
from ctrlgraph.simulation.trace import Trace
from ctrlgraph.terrain.profile import Terrain

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Run = tuple[int, int]
"""First sample and the one after the last; (0, 0) for none."""

_GRAVITY = WorldSettings().gravity

LEAST_SWING = 0.05
"""A foot that is off the ground for less has bounced or scraped, and not stepped, s; so has a hand."""

INVERTED = 0.6
"""Upside down is what is nearer to it than this, rad."""

END_S = 0.05
"""Contacts at the end are those of so long before it, s: a foot that stands still may lose touch for a single step."""


TOUCH_M = 0.0005
"""What is so near to the ground at the end touches it, m: MuJoCo lifts a body that slides off it by hundredths of a
millimetre, since its friction gives way along the normal, too; a resting body is half a millimetre to one in it."""


@dataclass(frozen=True)
class Motion:
    """A trace of n samples (one at least), the character that moved and its ground.

    Sampled quantities (flight, extremes) are as fine as the trace's sampling. gravity: of the world, m/s^2.
    """

    trace: Trace
    character: Character
    terrain: Terrain
    gravity: float = _GRAVITY

    @cached_property
    def duration(self) -> float:
        """Return the time from the first sample to the last, s."""
        return float(self.trace.time[-1] - self.trace.time[0])

    @cached_property
    def distance(self) -> float:
        """Way of the centre of mass, forward positive, m."""
        return float(self.trace.com[-1, 0] - self.trace.com[0, 0])

    @cached_property
    def trunk_angle(self) -> Floats:
        """(n,) global angle of the trunk, unwrapped, rad."""
        return self.trace.angle[:, self.character.trunk]

    @cached_property
    def height(self) -> Floats:
        """(n,) height of the centre of mass above the terrain below it, its gaps bridged and hurdles left out, m."""
        return np.asarray(self.trace.com[:, 1] - self.ground(self.trace.com[:, 0]))

    def ground(self, x: Floats) -> Floats:
        """Return the height of the terrain at places x of any shape, its gaps bridged and hurdles left out, m."""
        terrain = self.terrain.bridged
        if len(terrain.x) <= 2:
            return np.asarray(np.interp(x, terrain.x, terrain.y))
        return np.array([terrain.height(each) for each in x.ravel()]).reshape(x.shape)

    @cached_property
    def energy(self) -> Floats:
        """(n - 1,) mechanical energy between one sample and the next, J; its zero is the height y = 0.

        Velocities are those from sample to sample, and heights are the means of two samples: of a body in free fall
        this is exact but for a constant. The energy that an impact takes away is gone within two samples, and never too
        little of it in between, since the mean of two velocities has no more energy than the faster one.
        """
        trace, links = self.trace, self.character.links
        keep = np.append(np.diff(trace.time) > 0.0, True)  # a controller begins with the sample that another ended with
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
        """(n,) whether no link is in contact."""
        return ~np.asarray(self.trace.contact.any(axis=1))

    @cached_property
    def flight(self) -> Run:
        """Return the longest time with no link in contact."""
        return longest_run(self.airborne)

    @cached_property
    def feet_off(self) -> Mask:
        """(n,) whether no foot is in contact."""
        return ~self.touches("feet")

    @cached_property
    def upside_down(self) -> Mask:
        """(n,) whether the trunk is within `INVERTED` of upside down."""
        return np.asarray(np.abs(wrapped(self.trunk_angle - np.pi)) <= INVERTED)

    @cached_property
    def strikes(self) -> dict[int, list[tuple[int, int]]]:
        """For each foot its swings."""
        return self.swings("feet")

    def swings(self, role: str) -> dict[int, list[tuple[int, int]]]:
        """Return for each link of a role its swings of `LEAST_SWING` and more: the first sample off the ground, and
        that of its strike.

        Where a link touches the ground at the beginning it has not come down; where it is off at the end, neither.
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

    def joints_above(self, links: Collection[int]) -> list[int]:
        """Return the joints by which links hang on their parents."""
        return [j for j, joint in enumerate(self.character.joints) if joint.child in links]

    def flexion(self, joint: int) -> Floats:
        """Return how far a joint is bent (n,), rad: positive the way in which it has more room."""
        hinge = self.character.joints[joint]
        return self.joint_angle(joint) if hinge.lower + hinge.upper >= 0 else -self.joint_angle(joint)

    def touches(self, role: str) -> Mask:
        """Return (n,) whether a link of the role is in contact."""
        return np.asarray(self.trace.contact[:, self.links(role)].any(axis=1))

    def touching_at_end(self, role: str) -> float:
        """Return how many links of the role touch the ground in more than half of the samples of the last `END_S`: are
        in contact, or nearer to it than `TOUCH_M`."""
        late = np.flatnonzero(self.trace.time >= self.trace.time[-1] - END_S)
        touches = [
            np.mean([self.trace.contact[n, link] or self._clearance(n, link) < TOUCH_M for n in late.tolist()]) > 0.5
            for link in self.links(role)
        ]
        return float(sum(touches))

    def _clearance(self, sample: int, link: int) -> float:
        """Height of a link's lowest contact circle above the terrain below it, m; infinite for one without."""
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
        """Return the longest time with a hand and no foot in contact; a hand that bounces for less than `LEAST_SWING`
        does not end it."""
        time, held = self.trace.time, self.feet_off & self.touches("hands")
        for start, end in runs(self.feet_off & ~held):
            between = start > 0 and end < len(held) and held[start - 1] and held[end]
            if between and time[end] - time[start - 1] < LEAST_SWING:
                held[start:end] = True
        return longest_run(held)

    def lasting(self, run: Run) -> float:
        """Return the time from a run's first sample to its last, s."""
        return float(self.trace.time[run[1] - 1] - self.trace.time[run[0]]) if run[1] > run[0] else 0.0


def wrapped(angle: Floats) -> Floats:
    """Return angles within (-pi, pi], rad."""
    return np.asarray(-((-angle + np.pi) % (2 * np.pi) - np.pi))


def runs(mask: Mask) -> list[Run]:
    """Return every run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def longest_run(mask: Mask) -> Run:
    """Return the longest run of True, the first of equal ones."""
    return max(runs(mask), key=lambda run: run[1] - run[0], default=(0, 0))


def run_around(mask: Mask, inner: Run) -> Run:
    """Return the run of True in `mask` that holds the run `inner`."""
    if inner[1] <= inner[0]:
        return 0, 0
    start, end = inner
    while start > 0 and mask[start - 1]:
        start -= 1
    while end < len(mask) and mask[end]:
        end += 1
    return start, end
