"""Regulators: linear quadratic regulators along a recorded motion (the reference), as read from a regulator file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.controller import Place
from ctrlgraph.control.controller_file import checked_constants
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.regulator.riccati import LinearDynamics, ReferenceStep, Weights, gains, linear_dynamics
from ctrlgraph.control.regulator.stance import model_of
from ctrlgraph.errors import Span
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.constants import GRAVITY

WEIGHTS = Weights._fields
"""Names of the weights in the cost that the feedback minimizes, in the order of `Regulator.constants`."""

_RANGES = ((1.0, 1e9), (1e-2, 1e8), (1.0, 1e12), (1.0, 1e12), (1e-3, 1e6))
"""Minimum and maximum of each weight in a search: some decades about table 2 of Abe and Popovic (2011)."""


@dataclass(frozen=True)
class Regulator:
    """A controller that follows a recorded motion by time: a time-varying linear quadratic regulator (LQR).

    The character has J joints. While one foot stands, n = 1 + J coordinates determine its pose: the angle of the
    standing link, and the joint angles.
    """

    kind: ClassVar[str] = "regulator"

    name: str
    """Name of the controller: the name of the regulator file without suffix."""
    path: str
    """Path of the regulator file."""
    character: PlanarCharacter = field(repr=False)
    """Character whose dynamics determine the gains."""
    steps: tuple[ReferenceStep, ...] = field(repr=False)
    """The recorded motion, one part for each step, with the joints in the character's order."""
    by_contact: bool
    """Whether a step ends when the other foot lands; if False, at the time of the recorded motion."""
    constants: Floats
    """(5,) weights in the cost that the feedback minimizes, in the order of `WEIGHTS`."""
    places: tuple[Place, ...] = field(default=(), repr=False)
    """Position of each step in the file."""
    weight_spans: tuple[Span | None, ...] = field(default=(None,) * len(WEIGHTS), repr=False)
    """Position of each weight in the file, in the order of `WEIGHTS`; None if unknown."""

    def with_constants(self, constants: Floats) -> Regulator:
        """Return the regulator of the same recorded motion with other weights (5,), in the order of `WEIGHTS`.

        Raises:
            ValueError: the number of weights is not 5.
        """
        changed = replace(self, constants=checked_constants(self, constants))
        if "course" in self.__dict__:  # independent of the weights
            changed.__dict__["course"] = self.course
        return changed

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return the five weights as parameters, with ids such as `walk.yaml/weights/position`."""
        file = Path(self.path or self.name).name
        return tuple(
            Parameter(
                f"{file}/weights/{name}", f"{name} weight", "weight", low=low, high=high, path=self.path, line=1
            ).placed(span)
            for name, (low, high), span in zip(WEIGHTS, _RANGES, self.weight_spans, strict=True)
        )

    @cached_property
    def digest(self) -> str:
        """Return the hash of everything that affects the motion, and of the name, which the parameters' ids contain."""
        digest = hashlib.sha256(f"{self.name} {self.character.digest} {self.by_contact}".encode())
        digest.update(self.constants.tobytes())
        for step in self.steps:
            digest.update(repr(step.stance).encode())
            for part in (step.times, step.z, step.w, step.torque):
                digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()[:16]

    @cached_property
    def course(self) -> LinearDynamics:
        """Return the linear dynamics of small deviations from the recorded motion.

        Raises:
            SimulationError: the dynamics cannot be linearized about a sample of the recorded motion.
        """
        return linear_dynamics(model_of(self.character, GRAVITY), self.steps)

    @cached_property
    def gains(self) -> tuple[Floats, ...]:
        """Return for each step the feedback gains (S, J, 2 n) of its S samples.

        The joint torques are those of the recorded motion minus gain @ e. The vector e has the deviations of the n
        coordinates from the recorded motion, then those of their rates.

        Raises:
            SimulationError: the dynamics cannot be linearized about a sample, or the weights make numbers overflow.
        """
        return gains(self.course, Weights(*self.constants.tolist()))
