"""A regulator as data: a reference that was recorded, and the weights by which deviations from it are judged."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.model import Character
from ctrlgraph.control.controller import Place
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.regulator.riccati import LinearCourse, ReferenceStep, Weights, gains, linear_course
from ctrlgraph.control.regulator.stance import model_of
from ctrlgraph.errors import Span
from ctrlgraph.kernels.gravity import GRAVITY

FloatArray = NDArray[np.float64]

WEIGHTS = ("position", "velocity", "end_position", "end_velocity", "torque")
"""The names of the constants, in their order."""

_RANGES = ((1.0, 1e9), (1e-2, 1e8), (1.0, 1e12), (1.0, 1e12), (1e-3, 1e6))
"""Within which a search looks for them, unless the present one is outside: some decades about table 2's."""


@dataclass(frozen=True)
class Regulator:
    """A time-varying linear quadratic regulator along a recorded motion.

    steps: the reference, in the character's joint order; character: whose dynamics the gains are of; by_contact: a step
    ends where the other foot touches the ground, not by the clock; places: where the steps stand in the file.
    `constants` (5,) are the weights, in the order of `WEIGHTS`.
    """

    kind: ClassVar[str] = "regulator"

    name: str
    path: str
    character: Character = field(repr=False)
    steps: tuple[ReferenceStep, ...] = field(repr=False)
    by_contact: bool
    constants: FloatArray
    places: tuple[Place, ...] = field(default=(), repr=False)
    weight_spans: tuple[Span | None, ...] = field(default=(None,) * len(WEIGHTS), repr=False)

    def with_constants(self, constants: FloatArray) -> Regulator:
        """Return the same reference with other weights.

        Raises:
            ValueError: the vector has another length.
        """
        if constants.shape != self.constants.shape:
            raise ValueError(f"{self.name} has {self.constants.size} constants, not {constants.size}")
        changed = replace(self, constants=np.array(constants, dtype=np.float64))
        if "course" in self.__dict__:  # the weights have no part in it
            changed.__dict__["course"] = self.course
        return changed

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return what the constants are: `walk.yaml/weights/position`."""
        file = Path(self.path or self.name).name
        return tuple(
            Parameter(
                f"{file}/weights/{name}",
                f"{name} weight",
                "weight",
                low=low,
                high=high,
                path=self.path,
                line=1 if at is None else at.line,
                column=0 if at is None else at.column,
                end_column=0 if at is None else at.end_column,
            )
            for name, (low, high), at in zip(WEIGHTS, _RANGES, self.weight_spans, strict=True)
        )

    @cached_property
    def digest(self) -> str:
        """Return the hash of everything that decides what it does, and of the name, which the parameters' ids have."""
        digest = hashlib.sha256(f"{self.name} {self.character.digest} {self.by_contact}".encode())
        digest.update(self.constants.tobytes())
        for step in self.steps:
            digest.update(repr(step.stance).encode())
            for part in (step.times, step.z, step.w, step.torque):
                digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()[:16]

    @property
    def weights(self) -> Weights:
        """Return the weights by name."""
        return Weights(*self.constants.tolist())

    @cached_property
    def course(self) -> LinearCourse:
        """Return how small deviations from the reference go on.

        Raises:
            SimulationError: the body has no dynamics at a sample.
        """
        return linear_course(model_of(self.character, GRAVITY), self.steps)

    @cached_property
    def gains(self) -> tuple[FloatArray, ...]:
        """Return the gains (S, J, 2 n) of each step; torque = reference - gain @ deviation.

        Raises:
            SimulationError: there are none.
        """
        return gains(self.course, self.weights)
