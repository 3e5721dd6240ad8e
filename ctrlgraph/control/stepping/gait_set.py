"""Sets of gaits of different strides and speeds, and the steps from every gait to every other.

The end of a gait's step determines how the next step begins (`ctrlgraph.control.tracking.steps`). A step to gait j
after one of gait i begins in the state after the impact of gait i, and ends like the steps of gait j. So it is as
consistent with its neighbours as a step within a gait. It is computed when needed instead of stored.
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
CARRIED = (0.6, 0.2, 0.0)
"""Fractions of a step's initial deviation from its gait that remain in the middle coefficients."""
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


@dataclass(frozen=True)
class GaitSet:
    """N gaits of one character.

    Raises:
        ValueError: the arrays are not a valid set.
    """

    stride: Floats
    """(N,) nominal stride, m."""
    speed: Floats
    """(N,) nominal speed, m/s."""
    theta: Floats
    """(N,) theta at the end of a step, see `StepEnd`."""
    angles: Floats
    """(N, 4) tracked angles at the end of a step, rad."""
    slopes: Floats
    """(N, 4) their derivatives with respect to theta."""
    middle: Floats
    """(N, 4, 3) middle coefficients of the curves."""
    centre: Floats
    """(N,) zero-moment point, m ahead of the ankle."""
    begin_rate: Floats
    """(N,) rate of theta at the start of a step, rad/s."""
    rate: Floats
    """(N, 7) Bezier curve of theta's rate over a step, rad/s."""
    character: str
    """Digest of the character."""

    def __post_init__(self) -> None:
        count = self.stride.size
        if not 1 <= count <= MAX_GAITS:
            raise ValueError(f"a set has 1 to {MAX_GAITS} gaits, not {count}")
        for name, shape in SHAPES.items():
            array = getattr(self, name)
            if array.shape != (count, *shape):
                raise ValueError(f"'{name}' is of the shape {array.shape}, not {(count, *shape)}")
            if not np.isfinite(array).all() or np.abs(array).max() > 100.0:
                raise ValueError(f"'{name}' has a number out of range")
        if self.stride.min() < 0.01:
            raise ValueError("a gait has no stride")

    @property
    def count(self) -> int:
        """Return the number of gaits."""
        return int(self.stride.size)

    def end(self, gait: int) -> StepEnd:
        """Return the end of a gait's steps."""
        return StepEnd(float(self.theta[gait]), self.angles[gait].copy(), self.slopes[gait].copy())

    def nearest(self, stride: float, speed: float) -> int:
        """Return the gait nearest to a stride (m) and a speed (m/s)."""
        return int(np.argmin((self.stride - stride) ** 2 + (self.speed - speed) ** 2))

    def save(self, path: Path) -> None:
        """Write the set as an .npz file, atomically.

        Raises:
            CtrlGraphError: it cannot be written.
        """
        save_arrays(path, KIND, ArrayFile(self._arrays, {}, {"character": self.character}))

    @cached_property
    def digest(self) -> str:
        """Return the hash of all numbers."""
        found = hashlib.sha256(self.character.encode())
        for array in self._arrays.values():
            found.update(array.tobytes())
        return found.hexdigest()[:16]

    @property
    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {name: np.ascontiguousarray(getattr(self, name)) for name in SHAPES}

    @classmethod
    def load(cls, path: Path, character: str | None = None) -> GaitSet:
        """Return the set of a file.

        Args:
            path: the file.
            character: the digest of the character that it must belong to; None accepts any.

        Raises:
            CtrlGraphError: it cannot be read, is not a set of gaits, or belongs to another character.
        """
        wanted = None if character is None else {"character": character}
        dtypes = {name: np.dtype(np.float64) for name in SHAPES}

        def made(found: ArrayFile) -> GaitSet:
            return cls(**found.arrays, character=found.digests.get("character", ""))

        return load_arrays(path, KIND, dtypes, made, wanted)


class Transitions:
    """The steps from gait to gait."""

    def __init__(self, gaits: GaitSet, stepper: Stepper) -> None:
        """Compute, for each gait, the start of the step that follows it.

        Raises:
            CtrlGraphError: a gait's step ends in a singular pose.
        """
        self.gaits = gaits
        self.starts: tuple[StepStart, ...] = tuple(stepper.start_after(gaits.end(i)) for i in range(gaits.count))

    def middle(self, source: int, target: int) -> Floats:
        """Return the middle coefficients (4, 3) of a step: those of the target, adapted to the start of the step.

        Args:
            source: gait of the step before.
            target: gait of the step.
        """
        gaits, after, own = self.gaits, self.starts[source], self.starts[target]
        span = float(gaits.theta[target])
        second = after.angles + after.slopes * (span - after.theta) / DEGREE
        usual = own.angles + own.slopes * (span - own.theta) / DEGREE
        middle: Floats = gaits.middle[target] + np.multiply.outer(second - usual, CARRIED)
        return middle

    def step(self, source: int, target: int) -> StepConstraints:
        """Return the step to a gait after a step of another gait or of the same one.

        Args:
            source: gait of the step before.
            target: gait of the step.
        """
        return StepConstraints.between(self.starts[source], self.middle(source, target), self.gaits.end(target))

    def policy(self, target: int, foot: tuple[float, float], feedback: float, places: int) -> CentrePolicy:
        """Return the zero-moment point in a step to a gait.

        Args:
            target: the gait.
            foot: heel and toe, m ahead of the ankle.
            feedback: distance by which the point moves ahead for each rad/s by which theta is too fast, m s.
            places: number of places of the step's profile.
        """
        share = np.linspace(0.0, 1.0, places)
        weights = bernstein(share)
        low, high = foot[0] + CENTRE_MARGIN, foot[1] - CENTRE_MARGIN
        return CentrePolicy(float(self.gaits.centre[target]), feedback, self.gaits.rate[target] @ weights, low, high)


def bernstein(share: Floats) -> Floats:
    """Return the Bernstein polynomials (7, m) at shares of a range (m,)."""
    found: Floats = np.array([comb(DEGREE, k) * share**k * (1.0 - share) ** (DEGREE - k) for k in range(DEGREE + 1)])
    return found
