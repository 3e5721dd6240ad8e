"""Traces: recorded planar motions, sampled at a fixed rate. Measures are computed from them, and views show them."""

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
"""Names of the fields of a trace that are sums or maxima over all time steps since the previous sample."""

_GREATEST = ("joint_peak", "mean_peak")
# Shapes of one sample of the fields in traces without them: no links and no joints.
_ELEMENTS = {"impulse": (0, 2), "slip": (0,), "joint_work": (0, 2), "joint_peak": (0, 3), "mean_peak": (0,)}

_NOTHING: NDArray[np.float64] = np.zeros(0)


@dataclass(frozen=True)
class Trace:
    """The motion of a planar character with L links and J joints: n samples at a fixed rate.

    The last five fields (`EXERTIONS`) are sums and maxima over all time steps since the previous sample. They are empty
    in a trace that was read from a file, which contains only poses (see `has_exertions`).

    >>> from ctrlgraph import Project, Simulation
    >>> project = Project.find()
    >>> with Simulation(project.character) as simulation:
    ...     _ = simulation.run(project.controller("stand"), timeout=0.5)
    ...     trace = simulation.trace
    >>> trace.angle.shape == (len(trace), len(project.character.links))
    True
    """

    time: NDArray[np.float64]
    """(n,) simulated time, s."""
    position: NDArray[np.float64]
    """(n, L, 2) world positions x, y of the links' centres of mass, m."""
    angle: NDArray[np.float64]
    """(n, L) global angles of the links, rad, clockwise, unwrapped."""
    contact: NDArray[np.bool_]
    """(n, L) whether the link touches the ground."""
    com: NDArray[np.float64]
    """(n, 2) world position x, y of the character's centre of mass, m."""
    com_velocity: NDArray[np.float64]
    """(n, 2) velocity of the character's centre of mass, m/s."""
    phase: NDArray[np.int64]
    """(n,) phase of the controller as an internal number, which is not that in the file: for a script, the index of the
    phase in the compiled program.
    """
    energy: NDArray[np.float64]
    """(n,) energy that the joints have spent since the simulation's start, J."""
    impulse: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    """(n, L, 2) impulse x, y of the ground on each link, N s."""
    slip: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    """(n, L) distance that the link slides along the ground under load (`engine.planar_loop.SLIP_LOAD`), m."""
    joint_work: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    """(n, J, 2) positive and negative work of the joint's torque, both as positive numbers, J."""
    joint_peak: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    """(n, J, 3) maximum joint speed, rad/s, and maximum torque anticlockwise and clockwise, both positive, N m."""
    mean_peak: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    """(n, 2) maximum of the vertical ground force, averaged over 0.01 s, N, and maximum of the joints' positive power,
    averaged over 0.05 s, W.
    """

    def __post_init__(self) -> None:
        for name in EXERTIONS:
            if getattr(self, name) is _NOTHING:
                object.__setattr__(self, name, np.zeros((len(self.time), *_ELEMENTS[name])))

    def __len__(self) -> int:
        return len(self.time)

    @property
    def x(self) -> NDArray[np.float64]:
        """Return the world position x of the centre of mass, (n,), m."""
        return self.com[:, 0]

    @property
    def com_height(self) -> NDArray[np.float64]:
        """Return the height of the centre of mass above y = 0, (n,), m."""
        return self.com[:, 1]

    @property
    def has_exertions(self) -> bool:
        """Return whether the trace contains the fields in `EXERTIONS`, which need a recorded simulation."""
        return bool(self.slip.shape[1] > 0)

    def poses(self) -> Trace:
        """Return the trace without the fields in `EXERTIONS`, as files contain it."""
        return Trace(*(getattr(self, name) for name in POSES))

    def rows(self, keep: NDArray[Any] | slice) -> Trace:
        """Return the trace with only the samples that `keep` selects: a mask (n,), indices or a slice."""
        return Trace(*(getattr(self, name)[keep] for name in self.__dataclass_fields__))

    @checked
    def between(self, start: float, end: float) -> Trace:
        """Return the part of the trace from the simulated time `start` to `end`, s, both included."""
        return self.rows((self.time >= start - 1e-9) & (self.time <= end + 1e-9))

    def from_phase(self, phase: int) -> Trace:
        """Return the part of the trace from the first sample whose phase number is at least `phase`.

        If there is no such sample, the whole trace is returned.
        """
        return self.rows(slice(int(np.argmax(self.phase >= phase)), None)) if len(self) else self

    @checked
    def joint_angles(self, character: Character) -> NDArray[np.float64]:
        """Return the joint angles, (n, J), rad: the global angle of the child link minus that of the parent link."""
        children = [joint.child for joint in character.joints]
        parents = [joint.parent for joint in character.joints]
        return self.angle[:, children] - self.angle[:, parents]

    def without_repeats(self) -> Trace:
        """Return the trace with only one sample at each time.

        Of several consecutive samples at the same time, the last one is kept. The sums and maxima (`EXERTIONS`) of the
        dropped samples are added to or compared with those of the kept sample.
        """
        latest = np.append(np.diff(self.time) > 0, True)[: len(self)]
        if latest.all():
            return self
        kept = self.rows(latest)
        moment = np.cumsum(latest) - latest  # row of each sample in `kept`
        for name in EXERTIONS:
            gather, values = (np.maximum if name in _GREATEST else np.add), np.zeros_like(getattr(kept, name))
            gather.at(values, moment, getattr(self, name))
            object.__setattr__(kept, name, values)
        return kept

    @staticmethod
    def concatenate(parts: Sequence[Trace]) -> Trace:
        """Return the concatenation of traces. Their times are not changed."""
        return Trace(*(np.concatenate([getattr(p, name) for p in parts]) for name in Trace.__dataclass_fields__))


POSES = tuple(name for name in Trace.__dataclass_fields__ if name not in EXERTIONS)
"""Names of the fields of a trace that describe poses, not forces and work."""
