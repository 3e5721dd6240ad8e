"""Sets of gaits (periodic walks) of different strides and speeds, and the steps from every gait to every other.

A gait is described by one step. The end of a step determines how the next step begins (see
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
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.policies.array_file import ArrayFile, load_arrays, save_arrays

KIND = "set of gaits"
"""Kind of the content of a file with gaits."""
MAX_GAITS = 400
"""Maximum number of gaits of a set."""
CARRIED = (0.6, 0.2, 0.0)
"""Change of the three middle Bezier coefficients of a step from another gait, as fractions of the change of the second
coefficient. Both are changes with respect to a step from the same gait."""
CENTRE_MARGIN = 0.02
"""Minimum distance of the zero-moment point (the point of the ground force) from heel and toe, m."""

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
"""Shape of the data of one gait in each array of a `GaitSet`, by name of the array."""


@dataclass(frozen=True)
class GaitSet:
    """N gaits (periodic walks) of one character, each described by its step.

    Theta is the angle of the standing leg. Tracked angles are those of hip and knee of the standing leg, then hip and
    knee of the swinging leg.

    Raises:
        ValueError: an array has the wrong shape, or a number that is not finite or out of range.
    """

    stride: Floats
    """(N,) nominal length of a step, m."""
    speed: Floats
    """(N,) nominal speed, m/s."""
    theta: Floats
    """(N,) theta at the end of a step, rad."""
    angles: Floats
    """(N, 4) tracked angles at the end of a step, rad."""
    slopes: Floats
    """(N, 4) derivatives of the tracked angles with respect to theta at the end of a step."""
    middle: Floats
    """(N, 4, 3) the three middle coefficients of the Bezier curve of each tracked angle over a step, rad."""
    centre: Floats
    """(N,) zero-moment point, at which the ground force acts, m ahead of the standing ankle."""
    begin_rate: Floats
    """(N,) rate of theta at the start of a step, rad/s."""
    rate: Floats
    """(N, 7) coefficients of the Bezier curve of theta's rate over a step, rad/s."""
    character: str
    """Digest of the character to which the gaits belong."""

    def __post_init__(self) -> None:
        count = self.stride.size
        if not 1 <= count <= MAX_GAITS:
            raise ValueError(f"a gait set must have 1 to {MAX_GAITS} gaits, not {count}")
        for name, shape in SHAPES.items():
            array = getattr(self, name)
            if array.shape != (count, *shape):
                raise ValueError(f"'{name}' of a gait set must have the shape {(count, *shape)}, not {array.shape}")
            if not np.isfinite(array).all() or np.abs(array).max() > 100.0:
                raise ValueError(f"'{name}' of a gait set must have finite numbers from -100 to 100")
        if self.stride.min() < 0.01:
            raise ValueError(f"every 'stride' of a gait set must be at least 0.01 m, not {self.stride.min():g} m")

    @property
    def count(self) -> int:
        """Return the number N of gaits."""
        return int(self.stride.size)

    def end(self, gait: int) -> StepEnd:
        """Return pose and rates at the end of the steps of the gait with the index `gait`."""
        return StepEnd(float(self.theta[gait]), self.angles[gait].copy(), self.slopes[gait].copy())

    def nearest(self, stride: float, speed: float) -> int:
        """Return the index of the gait whose stride (m) and speed (m/s) are nearest to the given ones."""
        return int(np.argmin((self.stride - stride) ** 2 + (self.speed - speed) ** 2))

    def save(self, path: Path) -> None:
        """Write the gaits to an .npz file. An existing file is replaced only after the new one is complete.

        Raises:
            CtrlGraphError: the file cannot be written.
        """
        save_arrays(path, KIND, ArrayFile(self._arrays, {}, {"character": self.character}))

    @cached_property
    def digest(self) -> str:
        """Return a hash of the gaits and of the character's digest."""
        found = hashlib.sha256(self.character.encode())
        for array in self._arrays.values():
            found.update(array.tobytes())
        return found.hexdigest()[:16]

    @property
    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {name: np.ascontiguousarray(getattr(self, name)) for name in SHAPES}

    @classmethod
    def load(cls, path: Path, character: str | None = None) -> GaitSet:
        """Return the set of gaits in a file.

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
    """The steps from each gait (periodic walk) of a set to each gait.

    The element `starts[i]` is the start of a step after a step of gait i.
    """

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
        """Return the three middle Bezier coefficients of hips and knees over a step, (4, 3), rad.

        They are those of the gait `target`, adapted to the start of the step.

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
        """Return the angles of hips and knees over theta in a step.

        Args:
            source: index of the gait of the step before.
            target: index of the gait of the step; it can equal `source`.
        """
        return StepConstraints.between(self.starts[source], self.middle(source, target), self.gaits.end(target))

    def policy(self, target: int, foot: tuple[float, float], feedback: float, places: int) -> CentrePolicy:
        """Return the control law of the zero-moment point (the point of the ground force) in a step.

        Args:
            target: index of the gait of the step.
            foot: positions of heel and toe, m ahead of the ankle.
            feedback: distance by which the point moves forward for each rad/s by which theta is too fast, m s.
            places: number of values of theta in the profile of the step.
        """
        share = np.linspace(0.0, 1.0, places)
        weights = bernstein(share)
        low, high = foot[0] + CENTRE_MARGIN, foot[1] - CENTRE_MARGIN
        return CentrePolicy(float(self.gaits.centre[target]), feedback, self.gaits.rate[target] @ weights, low, high)


def bernstein(share: Floats) -> Floats:
    """Return the values (7, m) of the seven Bernstein polynomials of degree 6 at m positions `share` in [0, 1]."""
    found: Floats = np.array([comb(DEGREE, k) * share**k * (1.0 - share) ** (DEGREE - k) for k in range(DEGREE + 1)])
    return found
