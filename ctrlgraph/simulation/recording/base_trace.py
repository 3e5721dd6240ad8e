"""What traces of planar and spatial characters have in common: sums of forces and work, and choices of samples."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.arguments import checked

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character

EXERTIONS = ("impulse", "slip", "joint_work", "joint_peak", "mean_peak")
"""Names of the fields of a trace that are sums or maxima over all time steps since the previous sample."""

_GREATEST = ("joint_peak", "mean_peak")

_NOTHING: NDArray[np.float64] = np.zeros(0)


@dataclass(frozen=True, kw_only=True)
class BaseTrace(ABC):
    """The motion of a character with L links and J joints in D dimensions: n samples at a fixed rate.

    The last five fields (`EXERTIONS`) are sums and maxima over all time steps since the previous sample. They are empty
    in a trace that was read from a file, which contains only poses (see `has_exertions`).
    """

    AXES: ClassVar[Mapping[str, str]]
    """Axes after the first of the fields that describe poses; files contain these fields.

    The axes are "link", "joint", and the components "xy", "xyz" and "pose".
    """

    time: NDArray[np.float64]
    """(n,) simulated time, s."""
    contact: NDArray[np.bool_]
    """(n, L) whether the link touches the ground."""
    com: NDArray[np.float64]
    """(n, D) world position of the character's centre of mass, m."""
    com_velocity: NDArray[np.float64]
    """(n, D) velocity of the character's centre of mass, m/s."""
    phase: NDArray[np.int64]
    """(n,) phase of the controller as an internal number, which is not that in the file: for a script, the index of the
    phase in the compiled program.
    """
    energy: NDArray[np.float64]
    """(n,) energy that the joints have spent since the simulation's start, J."""
    impulse: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    """(n, L, D) impulse of the ground on each link, N s."""
    slip: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    """(n, L) distance that the link slides along the ground under load (`engine.loop.SLIP_LOAD`), m."""
    joint_work: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    """(n, J, 2) positive and negative work of the joint's torque, both as positive numbers, J."""
    joint_peak: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    """(n, J, 3) maximum joint speed, rad/s, and maximum torque against and with the joint's positive direction, both
    positive, N m.
    """
    mean_peak: NDArray[np.float64] = field(default_factory=lambda: _NOTHING)
    """(n, 2) maximum of the vertical ground force, averaged over 0.01 s, N, and maximum of the joints' positive power,
    averaged over 0.05 s, W.
    """

    def __post_init__(self) -> None:
        n = len(self.time)
        shapes = {"impulse": (n, 0, self.com.shape[-1]), "joint_work": (n, 0, 2), "joint_peak": (n, 0, 3)}
        for name in EXERTIONS:
            if getattr(self, name) is _NOTHING:
                object.__setattr__(self, name, np.zeros(shapes.get(name, (n, 0))))

    def __len__(self) -> int:
        return len(self.time)

    @property
    def x(self) -> NDArray[np.float64]:
        """Return the world position x of the centre of mass, (n,), m."""
        return self.com[:, 0]

    @property
    def com_height(self) -> NDArray[np.float64]:
        """Return the height of the centre of mass above the origin of the world, (n,), m."""
        return self.com[:, -1]

    @property
    def has_exertions(self) -> bool:
        """Return whether the trace contains the fields in `EXERTIONS`, which need a recorded simulation."""
        return bool(self.slip.shape[1] > 0)

    @abstractmethod
    def joint_angles(self, character: Character) -> NDArray[np.float64]:
        """Return the angles of the character's joints, (n, J), rad."""

    @abstractmethod
    def rotation(self, link: int) -> NDArray[np.float64]:
        """Return the orientation of a link: in the plane its angle, (n,), rad; in space quaternions, (n, 4)."""

    def poses(self) -> Self:
        """Return the trace without the fields in `EXERTIONS`, as files contain it."""
        return type(self)(**{f.name: getattr(self, f.name) for f in fields(self) if f.name not in EXERTIONS})

    def rows(self, keep: NDArray[Any] | slice) -> Self:
        """Return the trace with only the samples that `keep` selects: a mask (n,), indices or a slice."""
        return type(self)(**{f.name: getattr(self, f.name)[keep] for f in fields(self)})

    @checked
    def between(self, start: float, end: float) -> Self:
        """Return the part of the trace from the simulated time `start` to `end`, s, both included."""
        return self.rows((self.time >= start - 1e-9) & (self.time <= end + 1e-9))

    def from_phase(self, phase: int) -> Self:
        """Return the part of the trace from the first sample whose phase number is at least `phase`.

        If there is no such sample, the whole trace is returned.
        """
        return self.rows(slice(int(np.argmax(self.phase >= phase)), None)) if len(self) else self

    def without_repeats(self) -> Self:
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

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Return the concatenation of traces. Their times are not changed."""
        return cls(**{f.name: np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(cls)})
