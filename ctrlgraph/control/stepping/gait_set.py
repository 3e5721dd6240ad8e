"""A set of gaits of different strides and speeds, and the steps that lead from each to each.

A gait is a node: how its step ends decides how the next one begins (`ctrlgraph.control.tracking.steps`). A step to
gait j after a step of gait i begins as the impact of i leaves it and ends as those of j end; so one between different
gaits is as consistent with its neighbours as one within a gait, and no step need be kept: it is put together when it
is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.tracking.reduced_model import TRACKED, CentrePolicy
from ctrlgraph.control.tracking.steps import DEGREE, StepConstraints, StepEnd, Stepper, StepStart
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.paths import display_path
from ctrlgraph.policies.array_file import ArrayFile, load_arrays, save_arrays

KIND = "set of gaits"
MAX_GAITS = 400
CARRIED = (0.6, 0.2, 0.0)
"""How much of what a step begins with otherwise than its gait does is left in the curves' middle coefficients."""
CENTRE_MARGIN = 0.02
"""The zero-moment point stays so far within heel and toe, m."""

_SHAPES: dict[str, tuple[int, ...]] = {
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

    stride (N,) m and speed (N,) m/s as they were wished for; theta (N,), angles (N, 4) and slopes (N, 4): how steps end
    (`StepEnd`); middle (N, 4, 3): the middle coefficients of their curves; centre (N,): the zero-moment point, m
    ahead of the ankle; begin_rate (N,): theta's rate as a step of the gait begins, rad/s; rate (N, 7): a Bezier curve
    of theta's rate over a step, rad/s; character: the digest of whose gaits they are.

    Raises:
        ValueError: the arrays are no such set.
    """

    stride: Floats
    speed: Floats
    theta: Floats
    angles: Floats
    slopes: Floats
    middle: Floats
    centre: Floats
    begin_rate: Floats
    rate: Floats
    character: str

    def __post_init__(self) -> None:
        count = self.stride.size
        if not 1 <= count <= MAX_GAITS:
            raise ValueError(f"a set has 1 to {MAX_GAITS} gaits, not {count}")
        for name, shape in _SHAPES.items():
            array = getattr(self, name)
            if array.shape != (count, *shape):
                raise ValueError(f"'{name}' is of the shape {array.shape}, not {(count, *shape)}")
            if not np.isfinite(array).all() or np.abs(array).max() > 100.0:
                raise ValueError(f"'{name}' holds what is no number of a gait")
        if self.stride.min() < 0.01:
            raise ValueError("a gait has no stride")

    @property
    def count(self) -> int:
        """Return the number of gaits."""
        return int(self.stride.size)

    def end(self, gait: int) -> StepEnd:
        """Return how the steps of a gait end."""
        return StepEnd(float(self.theta[gait]), self.angles[gait].copy(), self.slopes[gait].copy())

    def nearest(self, stride: float, speed: float) -> int:
        """Return the gait nearest to a stride (m) and a speed (m/s)."""
        return int(np.argmin((self.stride - stride) ** 2 + (self.speed - speed) ** 2))

    def save(self, path: Path) -> None:
        """Write the set as an .npz file, whole or not at all.

        Raises:
            CtrlGraphError: it cannot be written.
        """
        save_arrays(path, KIND, ArrayFile(self._arrays, {}, {"character": self.character}))

    @cached_property
    def digest(self) -> str:
        """Return the hash of all numbers."""
        import hashlib

        found = hashlib.sha256(self.character.encode())
        for array in self._arrays.values():
            found.update(array.tobytes())
        return found.hexdigest()[:16]

    @property
    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {name: np.ascontiguousarray(getattr(self, name)) for name in _SHAPES}

    @classmethod
    def load(cls, path: Path, character: str | None = None) -> GaitSet:
        """Return the set of a file.

        Args:
            character: the digest of whose gaits they must be; None asks for nothing.

        Raises:
            CtrlGraphError: it cannot be read, is no set, or is one of another character.
        """
        wanted = None if character is None else {"character": character}
        found = load_arrays(path, KIND, {name: np.dtype(np.float64) for name in _SHAPES}, wanted)
        try:
            return cls(**found.arrays, character=found.digests.get("character", ""))
        except ValueError as error:
            raise CtrlGraphError(f"{display_path(path)} is no {KIND} that can be read: {error}") from None


class Transitions:
    """The steps from gait to gait, as they are put together."""

    def __init__(self, gaits: GaitSet, stepper: Stepper) -> None:
        """
        Raises:
            CtrlGraphError: a gait's step ends in a pose in which no impact can be reckoned.
        """
        self.gaits = gaits
        self.starts: tuple[StepStart, ...] = tuple(stepper.start_after(gaits.end(i)) for i in range(gaits.count))

    def middle(self, source: int, target: int) -> Floats:
        """Return the middle coefficients (4, 3) of a step: the target's, with what is left of the beginning."""
        gaits, after, own = self.gaits, self.starts[source], self.starts[target]
        span = float(gaits.theta[target])
        second = after.angles + after.slopes * (span - after.theta) / DEGREE
        usual = own.angles + own.slopes * (span - own.theta) / DEGREE
        middle: Floats = gaits.middle[target] + np.multiply.outer(second - usual, CARRIED)
        return middle

    def step(self, source: int, target: int) -> StepConstraints:
        """Return the step to a gait after a step of another, or of the same one."""
        return StepConstraints.between(self.starts[source], self.middle(source, target), self.gaits.end(target))

    def policy(self, target: int, foot: tuple[float, float], feedback: float, places: int) -> CentrePolicy:
        """Return where the zero-moment point is in a step to a gait: as the gait has it, and further ahead by
        `feedback` (m s) for each rad/s that theta is too fast."""
        share = np.linspace(0.0, 1.0, places)
        weights = np.array([_bernstein(k, share) for k in range(DEGREE + 1)])
        low, high = foot[0] + CENTRE_MARGIN, foot[1] - CENTRE_MARGIN
        return CentrePolicy(float(self.gaits.centre[target]), feedback, self.gaits.rate[target] @ weights, low, high)


def _bernstein(k: int, share: Floats) -> Floats:
    from math import comb

    found: Floats = comb(DEGREE, k) * share**k * (1.0 - share) ** (DEGREE - k)
    return found


def fitted_rate(motion_theta: Floats, motion_rate: Floats) -> Floats:
    """Return the coefficients (7,) of the Bezier curve over a step that comes nearest to theta's rates (m,) there."""
    share = (motion_theta - motion_theta[0]) / (motion_theta[-1] - motion_theta[0])
    weights = np.array([_bernstein(k, share) for k in range(DEGREE + 1)]).T
    found: Floats = np.linalg.lstsq(weights, motion_rate, rcond=None)[0]
    return found
