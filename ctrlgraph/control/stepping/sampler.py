"""One-step simulations on the reduced dynamics: the outcome of each gait of a set from each initial state."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.stepping.gait_set import GaitSet, Transitions
from ctrlgraph.control.tracking.reduced_model import StepMotion, StepProfile, new_profile
from ctrlgraph.control.tracking.steps import Stepper
from ctrlgraph.kernels.planar.arrays import Floats
from ctrlgraph.policies.grid import Grid, GridAxis
from ctrlgraph.policies.outcome_table import OutcomeSpace, OutcomeStatus

RATES = (0.3, 2.2, 20)
"""Tabulated rates of theta at the start of a step, rad/s: minimum, maximum, count."""
COLUMNS = ("gait", "rate", "advance", "cone", "force", "torque", "clearance")
"""Columns of the table.

gait and rate (rad/s) at the start of the next step; advance: of the foot, m; cone: maximum ratio of tangential to
normal ground force; force: minimum normal force, N; torque: maximum, N m; clearance: minimum height of the swinging
sole in the middle of the step, m.
"""


@dataclass(frozen=True)
class StepLimits:
    """Limits within which a step succeeds."""

    friction: float = 0.75
    """Maximum ratio of tangential to normal ground force."""
    least_force: float = 60.0
    """Minimum normal force of the ground, N."""
    torque: float = 280.0
    """Maximum torque, N m."""
    clearance: float = 0.004
    """Minimum height of the swinging sole, m."""


class StepOutcomes(NamedTuple):
    """Outcomes of A steps, see OutcomeTable."""

    status: np.ndarray
    """(A,)."""
    after: Floats
    """(A, 7), see `COLUMNS`."""
    duration: Floats
    """(A,) s."""


LIMITS = StepLimits()


@dataclass(frozen=True)
class StepSampler:
    """A simulator of one step of each gait from a state.

    A state is the gait of the previous step, and theta's rate after its impact.
    """

    character: Character
    """Character that steps."""
    gaits: GaitSet
    """Gaits."""
    feedback: float
    """Gain of the zero-moment point, m s, see `Transitions.policy`."""

    @cached_property
    def space(self) -> OutcomeSpace:
        """Return the description of the table."""
        of_gaits = GridAxis("gait", 0.0, float(self.gaits.count - 1), self.gaits.count)
        grid = Grid([of_gaits, GridAxis("rate", *RATES, "rad/s")])
        actions = np.column_stack([self.gaits.stride, self.gaits.speed])
        said = f"{self.feedback!r} {LIMITS!r}"
        digests = {
            "character": self.character.digest,
            "gaits": self.gaits.digest,
            "policy of the zero-moment point": hashlib.sha256(said.encode()).hexdigest()[:16],
        }
        return OutcomeSpace(grid, actions, ("stride", "speed"), COLUMNS, digests)

    def outcomes(self, state: int) -> StepOutcomes:
        """Return the outcomes of a step of each gait from a state, by its number in the grid."""
        source, rate = self.space.grid.point(state)
        return _machine(self).from_state(int(source), float(rate))

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "space"}


class _Machine:
    """Working arrays that a worker keeps from state to state."""

    def __init__(self, sampler: StepSampler) -> None:
        self._sampler = sampler
        self._stepper = Stepper(sampler.character)
        self._transitions = Transitions(sampler.gaits, self._stepper)
        stepper = self._stepper
        places = stepper.profile.theta.size
        self._policies = [
            self._transitions.policy(j, stepper.foot, sampler.feedback, places) for j in range(sampler.gaits.count)
        ]
        self._source = -1  # gait of the previous step, to which the profiles belong
        self._profiles = [new_profile(stepper.model, places) for _ in range(sampler.gaits.count)]

    def from_state(self, source: int, rate: float) -> StepOutcomes:
        count = self._sampler.gaits.count
        status = np.full(count, OutcomeStatus.FAILED, np.uint8)
        after, duration = np.full((count, len(COLUMNS)), np.nan), np.zeros(count)
        if source != self._source:
            self._source = source
            for target in range(count):
                self._stepper.follow(self._transitions.step(source, target), self._profiles[target])
        for target in range(count):
            profile, policy = self._profiles[target], self._policies[target]
            result = self._stepper.go(profile, policy, rate)
            if not result.continued:
                continue
            motion = self._stepper.forces(profile, policy)
            values = _measures(profile, motion)
            next_rate = result.rate * self._transitions.starts[target].ratio
            after[target] = [target, next_rate, profile.swing[-1, 0, 0], *values]
            duration[target] = result.duration
            if _within(LIMITS, *values):
                status[target] = OutcomeStatus.CONTINUED
        return StepOutcomes(status, after, duration)


_MACHINES: dict[tuple[object, ...], _Machine] = {}


def _machine(sampler: StepSampler) -> _Machine:
    """Return the working arrays of a sampler, cached because the sampler is unpickled for each block of states."""
    key = (sampler.character.digest, sampler.gaits.digest, sampler.feedback)
    if key not in _MACHINES:
        _MACHINES.clear()
        _MACHINES[key] = _Machine(sampler)
    return _MACHINES[key]


def _measures(profile: StepProfile, motion: StepMotion) -> tuple[float, float, float, float]:
    up = motion.force[:, 1]
    least = float(up.min())
    cone = float(np.abs(motion.force[:, 0] / np.maximum(up, 1.0)).max())
    n = profile.theta.size
    middle = slice(n // 7, n - n // 7)
    return cone, least, float(np.abs(motion.torque).max()), float(profile.swing[middle, 0, 1].min())


def _within(limits: StepLimits, cone: float, force: float, torque: float, clearance: float) -> bool:
    within = cone <= limits.friction and force >= limits.least_force
    return within and torque <= limits.torque and clearance >= limits.clearance
