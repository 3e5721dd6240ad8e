"""Sets of gaits of different strides and speeds, and the steps from every gait to every other.

A gait is a periodic walk, described by its step. The end of a step determines how the next step begins (see
`ctrlgraph.control.tracking.steps`). A step from gait i to gait j begins in the state after the impact of gait i, and
ends like the steps of gait j. So its constraints are consistent with those of the steps before and after it. Such steps
are computed when they are needed, not stored.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.tracking.reduced_model import TRACKED, CentrePolicy
from ctrlgraph.control.tracking.steps import DEGREE, StepConstraints, StepEnd, Stepper, StepStart
from ctrlgraph.kernels.planar.arrays import Floats
from ctrlgraph.policies.array_file import ArrayFile, load_arrays, save_arrays

KIND = "set of gaits"
MAX_GAITS = 400
"""Maximum number of gaits of a set."""
CARRIED = (0.6, 0.2, 0.0)
"""Change of the three middle coefficients of a step that begins differently from the steps within its gait, as
fractions of the difference in the second coefficient."""
CENTRE_MARGIN = 0.02
"""Minimum distance of the zero-moment point from heel and toe, m."""

SHAPES: dict[str, tuple[int, ...]] = {
    "stride": (),
    "speed": (),
    "theta": (),
    "angles": (TRACKED,),
    "slopes": (TRACKED,),
    "middle": (TRACKED, DEGREE - 3),
    "centre": (),
    "begin_rate": (),
    "rate": (DEGREE + 1,),
}
"""Shape of each array of a set for one gait, by name of the array."""


@dataclass(frozen=True)
class GaitSet:
    """N gaits of one character.

    Tracked angles are those of hip and knee of the standing leg, then hip and knee of the swinging leg.

    Raises:
        ValueError: an array has the wrong shape, or a number that is not finite or out of range.
    """

    stride: Floats
    """(N,) nominal stride, m."""
    speed: Floats
    """(N,) nominal speed, m/s."""
    theta: Floats
    """(N,) theta at the end of a step, rad, see `StepEnd`."""
    angles: Floats
    """(N, 4) tracked angles at the end of a step, rad."""
    slopes: Floats
    """(N, 4) derivatives of these angles with respect to theta."""
    middle: Floats
    """(N, 4, 3) middle coefficients of the Bezier curves of the tracked angles, rad."""
    centre: Floats
    """(N,) zero-moment point, m ahead of the standing ankle."""
    begin_rate: Floats
    """(N,) rate of theta at the start of a step, rad/s."""
    rate: Floats
    """(N, 7) Bezier coefficients of theta's rate over a step, rad/s."""
    character: str
    """Digest of the character to which the gaits belong."""

    def __post_init__(self) -> None:
        count = self.stride.size
        if not 1 <= count <= MAX_GAITS:
            raise ValueError(f"a set has 1 to {MAX_GAITS} gaits, not {count}")
        for name, shape in SHAPES.items():
            array = getattr(self, name)
            if array.shape != (count, *shape):
                raise ValueError(f"'{name}' is of the shape {array.shape}, not {(count, *shape)}")
            if not np.isfinite(array).all() or np.abs(array).max() > 100.0:
                raise ValueError(f"'{name}' must have finite numbers of at most 100")
        if self.stride.min() < 0.01:
            raise ValueError("the stride of every gait must be at least 0.01 m")

    @property
    def count(self) -> int:
        """Return the number of gaits."""
        return int(self.stride.size)

    def end(self, gait: int) -> StepEnd:
        """Return the end of the steps of a gait, by index of the gait."""
        return StepEnd(float(self.theta[gait]), self.angles[gait].copy(), self.slopes[gait].copy())

    def nearest(self, stride: float, speed: float) -> int:
        """Return the index of the gait nearest to a stride (m) and a speed (m/s)."""
        return int(np.argmin((self.stride - stride) ** 2 + (self.speed - speed) ** 2))

    def save(self, path: Path) -> None:
        """Write the set as an .npz file, atomically.

        Raises:
            CtrlGraphError: the file cannot be written.
        """
        save_arrays(path, KIND, ArrayFile(self._arrays, {}, {"character": self.character}))

    @cached_property
    def digest(self) -> str:
        """Return the hash of all numbers and of the character's digest."""
        found = hashlib.sha256(self.character.encode())
        for array in self._arrays.values():
            found.update(array.tobytes())
        return found.hexdigest()[:16]

    @property
    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {name: np.ascontiguousarray(getattr(self, name)) for name in SHAPES}

    @classmethod
    def load(cls, path: Path, character: str | None = None) -> GaitSet:
        """Read a set of gaits from a file.

        Args:
            path: path of the .npz file.
            character: digest of the character to which the set must belong; None accepts any character.

        Raises:
            CtrlGraphError: the file cannot be read, is not a set of gaits, or belongs to another character.
        """
        wanted = None if character is None else {"character": character}
        dtypes = {name: np.dtype(np.float64) for name in SHAPES}

        def made(found: ArrayFile) -> GaitSet:
            return cls(**found.arrays, character=found.digests.get("character", ""))

        return load_arrays(path, KIND, dtypes, made, wanted)


class Transitions:
    """The steps from each gait of a set to each other. `starts[i]` is the start of the step after one of gait i."""

    def __init__(self, gaits: GaitSet, stepper: Stepper) -> None:
        """Compute, for each gait, the start of the step after a step of that gait.

        Args:
            gaits: the set of gaits.
            stepper: computation of steps for the character of the set.

        Raises:
            CtrlGraphError: the pose at the end of a gait's step is singular.
        """
        self.gaits = gaits
        self.starts: tuple[StepStart, ...] = tuple(stepper.start_after(gaits.end(i)) for i in range(gaits.count))

    def middle(self, source: int, target: int) -> Floats:
        """Return the middle coefficients (4, 3) of a step: those of its gait, adapted to the start of the step.

        Args:
            source: index of the gait of the step before.
            target: index of the gait of the step.
        """
        gaits, after, own = self.gaits, self.starts[source], self.starts[target]
        span = float(gaits.theta[target])
        second = after.angles + after.slopes * (span - after.theta) / DEGREE
        usual = own.angles + own.slopes * (span - own.theta) / DEGREE
        middle: Floats = gaits.middle[target] + np.multiply.outer(second - usual, CARRIED)
        return middle

    def step(self, source: int, target: int) -> StepConstraints:
        """Return the constraints of a step.

        Args:
            source: index of the gait of the step before.
            target: index of the gait of the step; it can be the same.
        """
        return StepConstraints.between(self.starts[source], self.middle(source, target), self.gaits.end(target))

    def policy(self, target: int, foot: tuple[float, float], feedback: float, places: int) -> CentrePolicy:
        """Return the policy of the zero-moment point in a step.

        Args:
            target: index of the gait of the step.
            foot: x of heel and toe, m ahead of the ankle.
            feedback: distance by which the point moves forward for each rad/s by which theta is too fast, m s.
            places: number of values of theta in the profile of the step.
        """
        share = np.linspace(0.0, 1.0, places)
        weights = bernstein(share)
        low, high = foot[0] + CENTRE_MARGIN, foot[1] - CENTRE_MARGIN
        return CentrePolicy(float(self.gaits.centre[target]), feedback, self.gaits.rate[target] @ weights, low, high)


def bernstein(share: Floats) -> Floats:
    """Return the 7 Bernstein polynomials of degree 6 at m positions in [0, 1], (7, m)."""
    found: Floats = np.array([comb(DEGREE, k) * share**k * (1.0 - share) ** (DEGREE - k) for k in range(DEGREE + 1)])
    return found
