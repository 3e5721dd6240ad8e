"""Steps of a biped described by their constraints: start after the previous step, and motion.

A step tracks four joints (hip and knee of the standing leg, hip and knee of the swinging one) along Bezier curves over
theta. The end of a step (angles and their derivatives with respect to theta) and the impact determine the start of the
next step. The first two coefficients of the next step's curves follow from it, so the constraints of successive steps
are consistent by construction (Abe and Popovic 2011, eq. 8). The foot of the leg that leaves the ground is not tracked:
the impact gives it an angular velocity (1 rad/s in a walk, for a foot of 0.7 kg), while the constraints keep it level.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.tracking import reduced_dynamics
from ctrlgraph.control.tracking.reduced_dynamics import GOES_ON
from ctrlgraph.control.tracking.reduced_model import (
    TRACKED,
    CentrePolicy,
    StepMotion,
    StepProfile,
    new_motion,
    new_profile,
    reduced_model,
)
from ctrlgraph.control.tracking.splines import polynomials
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.planar.arrays import Floats

DEGREE = 6
PLACES = 101
"""Places of a step's profile, for fifty Runge-Kutta steps."""
_COUNTS = np.ones(TRACKED, dtype=np.int64)


@cache
def bezier_powers(degree: int) -> Floats:
    """Return the matrix (D + 1, D + 1) from the coefficients of a Bezier curve to its powers, highest first."""
    return np.concatenate([polynomials(list(unit), degree) for unit in np.eye(degree + 1)])


class StepEnd(NamedTuple):
    """End of a step."""

    theta: float
    """rad."""
    angles: Floats
    """(4,) tracked angles, rad."""
    slopes: Floats
    """(4,) their derivatives with respect to theta."""


class StepStart(NamedTuple):
    """Start of a step, after an impact."""

    theta: float
    """rad."""
    angles: Floats
    """(4,) tracked angles, rad."""
    slopes: Floats
    """(4,) their derivatives with respect to theta."""
    ratio: float
    """Theta's rate after the impact divided by that before it."""
    slip: float
    """Tangential impulse of the ground divided by the normal one. Friction must provide it."""


@dataclass(frozen=True)
class StepConstraints:
    """Constraints of a step."""

    theta: tuple[float, float]
    """Theta at the start and the end, rad."""
    coefficients: Floats
    """(4, D + 1) of the tracked angles, rad."""

    @property
    def degree(self) -> int:
        """Return the degree of the curves."""
        return int(self.coefficients.shape[1] - 1)

    @property
    def span(self) -> float:
        """Return the rise of theta, rad."""
        return self.theta[1] - self.theta[0]

    @property
    def end(self) -> StepEnd:
        """Return the end of the step."""
        c = self.coefficients
        return StepEnd(self.theta[1], c[:, -1].copy(), self.degree * (c[:, -1] - c[:, -2]) / self.span)

    @classmethod
    def between(cls, start: StepStart, middle: Floats, end: StepEnd) -> StepConstraints:
        """Return the step from a start to an end.

        Args:
            start: of the step.
            middle: (4, D - 3) coefficients between.
            end: of the step.
        """
        span, degree = end.theta - start.theta, middle.shape[1] + 3
        second = start.angles + start.slopes * span / degree
        last_but_one = end.angles - end.slopes * span / degree
        columns = (start.angles, second, *middle.T, last_but_one, end.angles)
        return cls((start.theta, end.theta), np.column_stack(columns))


@dataclass(frozen=True)
class StepResult:
    """Result of a step on the reduced dynamics."""

    continued: bool
    """Whether theta reached its end."""
    duration: float
    """s."""
    rate: float
    """Theta's rate at the end, before the impact, rad/s."""


class Stepper:
    """Computation of a biped's steps. Its working arrays restrict it to one thread.

    >>> from ctrlgraph import Project
    >>> from ctrlgraph.control.tracking.steps import Stepper
    >>> from ctrlgraph.project.shipped import copy_project
    >>> from pathlib import Path
    >>> _ = copy_project(Path("walker"), "tracking")
    >>> Stepper(Project(Path("walker")).character).foot
    (-0.07, 0.19)
    """

    def __init__(self, character: Character, places: int = PLACES) -> None:
        """Create a stepper with profiles of `places` places.

        Raises:
            CtrlGraphError: the character is not a biped, or has joints outside of its legs.
        """
        self.character = character
        self.model = reduced_model(character)
        self.profile = new_profile(self.model, places)
        self.motion = new_motion(self.model, places)
        self._start = np.zeros(11)
        self._after = np.zeros(self.model.q.size)

    @property
    def foot(self) -> tuple[float, float]:
        """Return heel and toe, m ahead of the ankle; both 0 if the leg ends in a point."""
        sole = self.model.legs.sole[0]
        return round(float(sole[1, 0] - sole[0, 0]), 9), round(float(sole[2, 0] - sole[0, 0]), 9)

    def start_after(self, end: StepEnd) -> StepStart:
        """Return the start of the step after one with this end.

        Raises:
            CtrlGraphError: the pose is singular.
        """
        angles = np.stack([end.angles, end.slopes, np.zeros(TRACKED)])
        if not reduced_dynamics.touch_down(self.model, end.theta, angles, self._after, self._start):
            raise CtrlGraphError("a step ends in a singular pose")
        s = self._start
        return StepStart(float(s[0]), s[2:6].copy(), s[6:10].copy(), float(s[1]), float(s[10]))

    def follow(self, constraints: StepConstraints, into: StepProfile | None = None) -> StepProfile:
        """Return the profile of a step; it is valid until the next call.

        Args:
            constraints: of the step.
            into: profile to fill instead of the stepper's own.

        Raises:
            CtrlGraphError: theta is not a valid coordinate.
        """
        pieces = np.ascontiguousarray((constraints.coefficients @ bezier_powers(constraints.degree))[:, None, :])
        profile = self.profile if into is None else into
        if not reduced_dynamics.fill_profile(self.model, pieces, _COUNTS, *constraints.theta, profile):
            raise CtrlGraphError("theta is not a valid coordinate of the step's motion")
        return profile

    def go(self, profile: StepProfile, policy: CentrePolicy, rate: float) -> StepResult:
        """Return the result of a step, and fill `motion` with its course.

        Args:
            profile: of the step.
            policy: of the zero-moment point.
            rate: initial rate of theta, rad/s.
        """
        status = reduced_dynamics.integrate_step(profile, policy, rate, self.motion)
        if status != GOES_ON:
            return StepResult(False, math.nan, math.nan)
        return StepResult(True, float(self.motion.time[-1]), float(self.motion.rate[-1]))

    def forces(self, profile: StepProfile, policy: CentrePolicy) -> StepMotion:
        """Return the last step's motion with its forces and torques.

        Args:
            profile: of the step.
            policy: of the zero-moment point.
        """
        reduced_dynamics.fill_forces(self.model, profile, policy, self.motion)
        return self.motion
