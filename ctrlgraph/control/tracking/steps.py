"""Steps of a biped by their constraints: how one begins where the one before has ended, and how it goes.

A step tracks four joints (hip and knee of the standing leg, hip and knee of the swinging one) along Bezier curves over
theta. How it ends, angles and their derivatives by theta, decides by the impact how the next one begins: the first two
coefficients of the next step's curves follow from that, whatever comes between, and so the constraints of successive
steps are consistent by construction (Abe and Popovic 2011, eq. 8). What is not tracked is the foot of the leg that
leaves: the impact lets it spin (by 1 rad/s in a walk, a foot of 0.7 kg), while the constraints hold it level.
"""

from __future__ import annotations

import math
from collections.abc import Callable
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
from ctrlgraph.kernels.arrays import Floats

DEGREE = 6
PLACES = 101
"""Of a step's profile: fifty steps of Runge-Kutta."""
_COUNTS = np.ones(TRACKED, dtype=np.int64)


@cache
def bezier_powers(degree: int) -> Floats:
    """Return the matrix (D + 1, D + 1) from a Bezier curve's coefficients to its powers, highest first."""
    return np.concatenate([polynomials(list(unit), degree) for unit in np.eye(degree + 1)])


class StepEnd(NamedTuple):
    """How a step ends: theta (rad), the tracked angles (4,) and their derivatives by theta (4,)."""

    theta: float
    angles: Floats
    slopes: Floats


class StepStart(NamedTuple):
    """How a step begins after an impact.

    theta (rad), angles and slopes: as in `StepEnd`; ratio: theta's rate after the impact by that before it; slip: the
    impulse along the ground by that out of it, which friction has to bear.
    """

    theta: float
    angles: Floats
    slopes: Floats
    ratio: float
    slip: float


@dataclass(frozen=True)
class StepConstraints:
    """A step's constraints: theta from its beginning to its end (rad), coefficients (4, D + 1) of the tracked
    angles."""

    theta: tuple[float, float]
    coefficients: Floats

    @property
    def degree(self) -> int:
        """Return the degree of the curves."""
        return int(self.coefficients.shape[1] - 1)

    @property
    def span(self) -> float:
        """Return by how much theta rises, rad."""
        return self.theta[1] - self.theta[0]

    @property
    def end(self) -> StepEnd:
        """Return how the step ends."""
        c = self.coefficients
        return StepEnd(self.theta[1], c[:, -1].copy(), self.degree * (c[:, -1] - c[:, -2]) / self.span)

    @classmethod
    def between(cls, start: StepStart, middle: Floats, end: StepEnd) -> StepConstraints:
        """Return the step from a beginning to an end, by the coefficients (4, D - 3) between."""
        span, degree = end.theta - start.theta, middle.shape[1] + 3
        second = start.angles + start.slopes * span / degree
        last_but_one = end.angles - end.slopes * span / degree
        columns = (start.angles, second, *middle.T, last_but_one, end.angles)
        return cls((start.theta, end.theta), np.column_stack(columns))


@dataclass(frozen=True)
class StepResult:
    """A step as the reduced dynamics have it: whether theta went on to its end, how long it took (s), theta's rate at
    its end (rad/s, before the impact)."""

    went_on: bool
    duration: float
    rate: float


@dataclass(frozen=True)
class PeriodicStep:
    """The step that repeats itself: theta's rate as it begins (rad/s), how long it lasts (s), its length (m), and the
    return map's slope there (of theta' as a step begins, over one step; that of theta'^2 is the same at a fixed
    point)."""

    rate: float
    duration: float
    length: float
    slope: float

    @property
    def speed(self) -> float:
        """Return the walking speed, m/s."""
        return self.length / self.duration


class Stepper:
    """A biped whose steps are reckoned; it keeps arrays to reckon in, so it belongs to one thread.

    >>> from ctrlgraph import Project
    >>> from ctrlgraph.control.tracking.steps import Stepper
    >>> from ctrlgraph.project.shipped import copy_project
    >>> from pathlib import Path
    >>> _ = copy_project(Path("walker"), "tracking")
    >>> Stepper(Project(Path("walker")).character).foot
    (-0.07, 0.19)
    """

    def __init__(self, character: Character, places: int = PLACES) -> None:
        """
        Raises:
            CtrlGraphError: the character is no biped whose joints are those of its legs.
        """
        self.character = character
        self.model = reduced_model(character)
        self.profile = new_profile(self.model, places)
        self.motion = new_motion(self.model, places)
        self._start = np.zeros(11)
        self._after = np.zeros(self.model.q.size)

    @property
    def foot(self) -> tuple[float, float]:
        """Return where heel and toe are, m ahead of the ankle; both 0 where the leg ends in a point."""
        sole = self.model.legs.sole[0]
        return round(float(sole[1, 0] - sole[0, 0]), 9), round(float(sole[2, 0] - sole[0, 0]), 9)

    def start_after(self, end: StepEnd) -> StepStart:
        """Return how the step after one with this end begins.

        Raises:
            CtrlGraphError: no impact can be reckoned there.
        """
        angles = np.stack([end.angles, end.slopes, np.zeros(TRACKED)])
        if not reduced_dynamics.touch_down(self.model, end.theta, angles, self._after, self._start):
            raise CtrlGraphError("a step ends in a singular pose")
        s = self._start
        return StepStart(float(s[0]), s[2:6].copy(), s[6:10].copy(), float(s[1]), float(s[10]))

    def periodic(self, end: StepEnd, middle: Floats) -> StepConstraints:
        """Return the step that begins as it ends, with these coefficients (4, D - 3) between."""
        return StepConstraints.between(self.start_after(end), middle, end)

    def inconsistency(self, before: StepConstraints, after: StepConstraints) -> float:
        """Return by how much the step before misses the consistency condition of the step after (eq. 8): the largest
        difference of an angle (rad) and of its derivative by theta, with theta's own."""
        start = self.start_after(before.end)
        c = after.coefficients
        slopes = after.degree * (c[:, 1] - c[:, 0]) / after.span
        return float(
            max(
                abs(start.theta - after.theta[0]),
                np.abs(start.angles - c[:, 0]).max(),
                np.abs(start.slopes - slopes).max(),
            )
        )

    def follow(self, constraints: StepConstraints, into: StepProfile | None = None) -> StepProfile:
        """Return the profile of a step; it holds until the next one is asked for.

        Args:
            into: another profile than the stepper's own to fill.

        Raises:
            CtrlGraphError: theta is no coordinate there.
        """
        pieces = np.ascontiguousarray((constraints.coefficients @ bezier_powers(constraints.degree))[:, None, :])
        profile = self.profile if into is None else into
        if not reduced_dynamics.fill_profile(self.model, pieces, _COUNTS, *constraints.theta, profile):
            raise CtrlGraphError("theta is no coordinate of the step's motion")
        return profile

    def constant_centre(self, at: float) -> CentrePolicy:
        """Return the policy that leaves the zero-moment point where it is, m ahead of the ankle."""
        return CentrePolicy(at, 0.0, np.zeros(self.profile.theta.size), at, at)

    def go(self, profile: StepProfile, policy: CentrePolicy, rate: float) -> StepResult:
        """Return how a step goes that begins with a rate of theta, rad/s; `motion` then has its course."""
        status = reduced_dynamics.integrate_step(profile, policy, rate, self.motion)
        if status != GOES_ON:
            return StepResult(False, math.nan, math.nan)
        return StepResult(True, float(self.motion.time[-1]), float(self.motion.rate[-1]))

    def forces(self, profile: StepProfile, policy: CentrePolicy) -> StepMotion:
        """Return the step last gone, with its forces and torques."""
        reduced_dynamics.fill_forces(self.model, profile, policy, self.motion)
        return self.motion

    def cycle(
        self, constraints: StepConstraints, policy: CentrePolicy, ratio: float | None = None
    ) -> PeriodicStep | None:
        """Return the periodic step of a consistent gait; None where there is none that is stable.

        Args:
            policy: of the zero-moment point; its bounds and rates are those of the constraints' profile.
            ratio: that of the impact at its end; None: it is reckoned.
        """
        ratio = self.start_after(constraints.end).ratio if ratio is None else ratio
        profile = self.follow(constraints)

        def after(square: float) -> float:
            found = self.go(profile, policy, math.sqrt(square))
            return (found.rate * ratio) ** 2 if found.went_on else math.nan

        square = _fixed_point(after)
        if square is None:
            return None
        nudge = 1e-4 * square
        slope = (after(square + nudge) - after(square - nudge)) / (2 * nudge)
        result = self.go(profile, policy, math.sqrt(square))
        length = float(profile.swing[-1, 0, 0])
        return PeriodicStep(math.sqrt(square), result.duration, length, slope) if abs(slope) < 1.0 else None


def _fixed_point(after: Callable[[float], float], begin: float = 4.0, tolerance: float = 1e-13) -> float | None:
    """Where w -> after(w) comes to rest, from w or, where it stops from there, from a greater one; None: nowhere."""
    while math.isnan(after(begin)):
        begin *= 1.5
        if begin > 400.0:
            return None
    for _ in range(1000):
        found = after(begin)
        if math.isnan(found) or found > 400.0:
            return None
        if abs(found - begin) <= tolerance * found:
            return found
        begin = found
    return None
