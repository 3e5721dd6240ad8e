"""A trace: the recorded motion of a character, sampled at a fixed rate, for views and measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.arguments import checked

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character

EXERTIONS = ("impulse", "slip", "joint_work", "joint_peak", "mean_peak")
"""The fields of a trace that sum up the steps between its samples."""

_GREATEST = ("joint_peak", "mean_peak")
# Their shapes in one sample where nothing was recorded.
_ELEMENTS = {"impulse": (0, 2), "slip": (0,), "joint_work": (0, 2), "joint_peak": (0, 3), "mean_peak": (0,)}

_NOTHING: NDArray[np.float64] = np.zeros(0)


@dataclass(frozen=True)
class Trace:
    """Samples of a motion; n samples of a character with L links.

    time (n,) s; position (n, L, 2) of the links' centres of mass in m; angle (n, L) rad, global,
    positive clockwise, unwrapped; contact (n, L) bool; com (n, 2) m and com_velocity (n, 2) m/s of
    the whole character; phase (n,) the number of the controller's phase (of a script, its row); energy (n,) J
    spent by the joints since the simulation's start.

    Of all steps since the sample before, for J joints: impulse (n, L, 2) of the ground on each link, N s; slip (n, L)
    way along the ground of the link's contacts that carry (`engine.loop.SLIP_LOAD`), m; joint_work (n, J, 2) that the
    torque has done and taken up, J; joint_peak (n, J, 3) the greatest speed, rad/s, and torque anticlockwise and
    clockwise, both positive, N m; mean_peak (n, 2) the greatest of two sliding means (`engine.loop.Exertion`), of the
    ground's vertical force over 0.01 s, N, and of what the joints do over 0.05 s, W. These `EXERTIONS` have no columns
    (`has_exertions`) where only poses were kept.

    >>> from ctrlgraph import Project, Simulation
    >>> project = Project.find()
    >>> with Simulation(project.character) as simulation:
    ...     _ = simulation.run(project.controller("stand"), timeout=0.5)
    ...     trace = simulation.trace
    >>> trace.angle.shape == (len(trace), len(project.character.links))
    True
    """

    time: NDArray[np.float64]
    position: NDArray[np.float64]
    angle: NDArray[np.float64]
    contact: NDArray[np.bool_]
    com: NDArray[np.float64]
    com_velocity: NDArray[np.float64]
    phase: NDArray[np.int64]
    energy: NDArray[np.float64]
    impulse: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    slip: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    joint_work: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    joint_peak: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    mean_peak: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)

    def __post_init__(self) -> None:
        for name in EXERTIONS:
            if getattr(self, name) is _NOTHING:
                object.__setattr__(self, name, np.zeros((len(self.time), *_ELEMENTS[name])))

    def __len__(self) -> int:
        return len(self.time)

    @property
    def has_exertions(self) -> bool:
        """Tell whether forces, slip and work were recorded."""
        return bool(self.slip.shape[1] > 0)

    def poses(self) -> Trace:
        """Return the trace without what was exerted: what is kept on disk."""
        return Trace(*(getattr(self, name) for name in POSES))

    def rows(self, keep: NDArray[Any] | slice) -> Trace:
        """Return some of the samples: a mask, their numbers, or a slice."""
        return Trace(*(getattr(self, name)[keep] for name in self.__dataclass_fields__))

    @checked
    def between(self, start: float, end: float) -> Trace:
        """Return the part of the trace from `start` to `end`, in seconds of its own clock."""
        keep = (self.time >= start - 1e-9) & (self.time <= end + 1e-9)
        return self.rows(keep)

    @checked
    def joint_angles(self, character: Character) -> NDArray[np.float64]:
        """Return the angles (n, J) of the character's joints in rad: each child's global angle less its parent's."""
        children = [joint.child for joint in character.joints]
        parents = [joint.parent for joint in character.joints]
        return self.angle[:, children] - self.angle[:, parents]

    def without_repeats(self) -> Trace:
        """Return the trace with one sample for each moment, the latest, and in it what all of them exerted."""
        latest = np.append(np.diff(self.time) > 0, True)[: len(self)]
        if latest.all():
            return self
        kept = self.rows(latest)
        moment = np.cumsum(latest) - latest  # of each sample, the row that is kept of it
        for name in EXERTIONS:
            gather, values = (np.maximum if name in _GREATEST else np.add), np.zeros_like(getattr(kept, name))
            gather.at(values, moment, getattr(self, name))
            object.__setattr__(kept, name, values)
        return kept

    @staticmethod
    def concatenate(parts: Sequence[Trace]) -> Trace:
        """Return traces one after another, as one (their clocks are taken as they are)."""
        return Trace(*(np.concatenate([getattr(p, name) for p in parts]) for name in Trace.__dataclass_fields__))


POSES = tuple(name for name in Trace.__dataclass_fields__ if name not in EXERTIONS)
"""The fields of a trace that say where the body was."""
