"""A trace: the recorded motion of a character, sampled at a fixed rate, for views and measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character


@dataclass(frozen=True)
class Trace:
    """Samples of a motion; n samples of a character with L links.

    time (n,) s; position (n, L, 2) of the links' centres of mass in m; angle (n, L) rad, global,
    positive clockwise, unwrapped; contact (n, L) bool; com (n, 2) m and com_velocity (n, 2) m/s of
    the whole character; phase (n,) the number of the controller's phase (of a script, its row); energy (n,) J
    spent by the joints since the simulation's start.

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

    def __len__(self) -> int:
        return len(self.time)

    def between(self, start: float, end: float) -> Trace:
        """Return the part of the trace from `start` to `end`, in seconds of its own clock."""
        keep = (self.time >= start - 1e-9) & (self.time <= end + 1e-9)
        return Trace(*(getattr(self, name)[keep] for name in self.__dataclass_fields__))

    def joint_angles(self, character: Character) -> NDArray[np.float64]:
        """Return the angles (n, J) of the character's joints in rad: each child's global angle less its parent's."""
        children = [joint.child for joint in character.joints]
        parents = [joint.parent for joint in character.joints]
        return self.angle[:, children] - self.angle[:, parents]

    def without_repeats(self) -> Trace:
        """Return the trace with one sample for each moment, the latest."""
        keep = np.append(np.diff(self.time) > 0, True)[: len(self)]
        return Trace(*(getattr(self, name)[keep] for name in self.__dataclass_fields__))

    @staticmethod
    def concatenate(parts: Sequence[Trace]) -> Trace:
        """Return traces one after another, as one (their clocks are taken as they are)."""
        return Trace(*(np.concatenate([getattr(p, name) for p in parts]) for name in Trace.__dataclass_fields__))
