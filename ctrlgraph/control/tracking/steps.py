"""Steps of a biped whose hips and knees follow Bezier curves over theta, the lean of the standing leg.

A step tracks four joints (hip and knee of the standing leg, then hip and knee of the swinging leg) along Bezier curves
of degree D over theta. The end of a step (angles and their derivatives with respect to theta) and the impact determine
the start of the next step, and with it the first two coefficients of each of its curves. So the curves of successive
steps are consistent by construction (Abe and Popovic 2011, eq. 8). The angle of the foot that leaves the ground is an
exception: the impact gives it an angular velocity (1 rad/s in a walk, for a foot of 0.7 kg), while the constraints keep
the foot level.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
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
from ctrlgraph.kernels.arrays import Floats

DEGREE = 6
"""Degree D of the Bezier curves."""
PLACES = 101
"""Number of values of theta at which poses and forces of a step are computed, for 50 Runge-Kutta steps."""
_COUNTS = np.ones(TRACKED, dtype=np.int64)


@cache
def bezier_powers(degree: int) -> Floats:
    """Return the matrix M (D + 1, D + 1) for curves of the degree D = `degree`: coefficients @ M is a polynomial.

    The coefficients are those of the Bezier curve. The polynomial has the highest power first.
    """
    return np.concatenate([polynomials(list(unit), degree) for unit in np.eye(degree + 1)])


class StepEnd(NamedTuple):
    """Pose and rates of a biped at the end of a step, just before the impact of the landing foot."""

    theta: float
    """Theta of the standing leg, rad."""
    angles: Floats
    """(4,) angles of hip and knee of the standing leg, then of the swinging leg, rad."""
    slopes: Floats
    """(4,) derivatives of `angles` with respect to theta, rad/rad."""


class StepStart(NamedTuple):
    """Pose and rates of a biped at the start of a step, just after the impact of the foot that stands in this step."""

    theta: float
    """Theta of the new standing leg, rad."""
    angles: Floats
    """(4,) angles of hip and knee of the standing leg, then of the swinging leg, rad."""
    slopes: Floats
    """(4,) derivatives of `angles` with respect to theta, rad/rad."""
    ratio: float
    """Theta's rate just after the impact divided by theta's rate just before it."""
    slip: float
    """Tangential divided by normal impulse of the ground in the impact. Friction must provide it."""


@dataclass(frozen=True)
class StepConstraints:
    """Constraints of a step: the angles of hips and knees as Bezier curves of degree D over theta."""

    theta: tuple[float, float]
    """Theta at the start and the end of the step, rad."""
    coefficients: Floats
    """(4, D + 1) Bezier coefficients of hip and knee of the standing leg, then of the swinging leg, rad."""

    @property
    def degree(self) -> int:
        """Return the degree D of the curves."""
        return int(self.coefficients.shape[1] - 1)

    @property
    def span(self) -> float:
        """Return the increase of theta from the start to the end of the step, rad."""
        return self.theta[1] - self.theta[0]

    @property
    def end(self) -> StepEnd:
        """Return theta, the angles of hips and knees, and their derivatives at the end of the step."""
        c = self.coefficients
        return StepEnd(self.theta[1], c[:, -1].copy(), self.degree * (c[:, -1] - c[:, -2]) / self.span)

    @classmethod
    def between(cls, start: StepStart, middle: Floats, end: StepEnd) -> StepConstraints:
        """Return the constraints of a step with a given start and end: Bezier curves of degree D for hips and knees.

        Args:
            start: start of the step, which determines the first two coefficients of each curve.
            middle: (4, D - 3) the coefficients of each curve without the first two and the last two, rad.
            end: end of the step, which determines the last two coefficients of each curve.
        """
        span, degree = end.theta - start.theta, middle.shape[1] + 3
        second = start.angles + start.slopes * span / degree
        last_but_one = end.angles - end.slopes * span / degree
        columns = (start.angles, second, *middle.T, last_but_one, end.angles)
        return cls((start.theta, end.theta), np.column_stack(columns))


@dataclass(frozen=True)
class StepResult:
    """Duration and final rate of a simulated step of a biped."""

    continued: bool
    """Whether theta rose to its value at the end of the step; if not, the biped has stopped before."""
    duration: float
    """Duration of the step, s; NaN if it did not continue."""
    rate: float
    """Theta's rate at the end of the step, before the impact, rad/s; NaN if the step did not continue."""


class Stepper:
    """Simulator of a biped's steps, in which theta and its rate are the only state (reduced dynamics).

    Use an object in one thread only, because its methods share working arrays.

    >>> from ctrlgraph import Project
    >>> from ctrlgraph.control.tracking.steps import Stepper
    >>> from ctrlgraph.project.shipped import copy_project
    >>> from pathlib import Path
    >>> _ = copy_project(Path("walker"), "tracking")
    >>> Stepper(Project(Path("walker")).character).foot
    (-0.07, 0.19)
    """

    def __init__(self, character: PlanarCharacter, places: int = PLACES) -> None:
        """Create a simulator of steps.

        Args:
            character: the biped.
            places: number of values of theta at which poses and forces of a step are computed; it must be odd.

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
        """Return the positions of heel and toe, m ahead of the ankle; both are 0 if the leg ends in a point."""
        sole = self.model.legs.sole[0]
        return round(float(sole[1, 0] - sole[0, 0]), 9), round(float(sole[2, 0] - sole[0, 0]), 9)

    def start_after(self, end: StepEnd) -> StepStart:
        """Return the start of the next step, after the impact of the landing foot at the given end of a step.

        Raises:
            CtrlGraphError: the pose is singular, so the velocities before or after the impact are not determined.
        """
        angles = np.stack([end.angles, end.slopes, np.zeros(TRACKED)])
        if not reduced_dynamics.touch_down(self.model, end.theta, angles, self._after, self._start):
            raise CtrlGraphError("theta, hips and knees do not determine the velocities at a step's end: change them")
        s = self._start
        return StepStart(float(s[0]), s[2:6].copy(), s[6:10].copy(), float(s[1]), float(s[10]))

    def follow(self, constraints: StepConstraints, into: StepProfile | None = None) -> StepProfile:
        """Return the profile of a step: its poses and generalized forces at evenly spaced values of theta.

        Args:
            constraints: angles of hips and knees over theta.
            into: profile to fill. If None, `self.profile` is filled, which the next such call overwrites.

        Raises:
            CtrlGraphError: theta and the angles of hips and knees do not determine the velocities in a pose.
        """
        pieces = np.ascontiguousarray((constraints.coefficients @ bezier_powers(constraints.degree))[:, None, :])
        profile = self.profile if into is None else into
        if not reduced_dynamics.fill_profile(self.model, pieces, _COUNTS, *constraints.theta, profile):
            raise CtrlGraphError("theta, hips and knees do not determine the velocities of a pose: change the curves")
        return profile

    def go(self, profile: StepProfile, policy: CentrePolicy, rate: float) -> StepResult:
        """Simulate a step, and return its duration and final rate. `self.motion` receives times and rates of theta.

        Args:
            profile: poses and generalized forces of the step, returned by the method `follow`.
            policy: control law of the centre of pressure, as a function of theta and its rate.
            rate: rate of theta at the start of the step, rad/s.
        """
        status = reduced_dynamics.integrate_step(profile, policy, rate, self.motion)
        if status != GOES_ON:
            return StepResult(False, math.nan, math.nan)
        return StepResult(True, float(self.motion.time[-1]), float(self.motion.rate[-1]))

    def forces(self, profile: StepProfile, policy: CentrePolicy) -> StepMotion:
        """Return the motion of the last step that `go` has simulated, with ground forces and joint torques.

        Args:
            profile: the profile that was given to `go`.
            policy: the control law that was given to `go`.
        """
        reduced_dynamics.fill_forces(self.model, profile, policy, self.motion)
        return self.motion
