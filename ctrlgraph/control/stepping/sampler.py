"""Simulation of single steps for an outcome table: the outcome of a step of each gait from each initial state."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.stepping.gait_set import GaitSet, Transitions
from ctrlgraph.control.tracking.reduced_model import StepMotion, StepProfile, new_profile
from ctrlgraph.control.tracking.steps import Stepper
from ctrlgraph.policies.grid import Grid, GridAxis
from ctrlgraph.policies.outcome_table import OutcomeSpace, OutcomeStatus, StateOutcomes

RATES = (0.3, 2.2, 20)
"""Rates of theta at the start of a step in an outcome table: minimum and maximum, rad/s, and number of rates."""
COLUMNS = ("gait", "rate", "advance", "cone", "force", "torque", "clearance")
"""Columns of the outcome table, the quantities measured in a step or at its end.

- gait: index of the gait of the step
- rate: rate of theta at the start of the next step, rad/s
- advance: distance from the standing ankle to the landing point below the other ankle, m
- cone: maximum ratio of tangential to normal ground force
- force: minimum normal force of the ground, N
- torque: maximum torque of a joint, N m
- clearance: minimum height of the swinging sole in the middle of the step, m
"""


@dataclass(frozen=True)
class StepLimits:
    """Limits within which a simulated step succeeds."""

    friction: float = 0.75
    """Maximum ratio of tangential to normal ground force."""
    least_force: float = 60.0
    """Minimum normal force of the ground, N."""
    torque: float = 280.0
    """Maximum torque of a joint, N m."""
    clearance: float = 0.004
    """Minimum height of the swinging sole in the middle of the step, m."""


LIMITS = StepLimits()
"""Limits of the steps in an outcome table."""


class StepSampler:
    """Simulator of one step of each gait from a state, for an outcome table. Use an object in one thread only.

    A state is the gait of the last step, and the rate of theta after the impact at the end of that step.
    """

    def __init__(self, character: PlanarCharacter, gaits: GaitSet, feedback: float) -> None:
        """Create a simulator. Its attribute `space` describes the outcome table: states, actions and columns.

        Args:
            character: character that walks.
            gaits: set of gaits of this character.
            feedback: forward shift of the zero-moment point (the point of the ground force) for each rad/s by which
                theta is too fast, m s.
        """
        self.gaits = gaits
        self._character, self._feedback = character, feedback
        grid = Grid([GridAxis("gait", 0.0, float(gaits.count - 1), gaits.count), GridAxis("rate", *RATES, "rad/s")])
        said = f"{feedback!r} {LIMITS!r}"
        digests = {
            "character": character.digest,
            "gaits": gaits.digest,
            "policy of the zero-moment point": hashlib.sha256(said.encode()).hexdigest()[:16],
        }
        actions = np.column_stack([gaits.stride, gaits.speed])
        self.space = OutcomeSpace(grid, actions, ("stride", "speed"), COLUMNS, digests)

    @cached_property
    def _transitions(self) -> Transitions:
        return Transitions(self.gaits, self._stepper)

    @cached_property
    def _stepper(self) -> Stepper:
        return Stepper(self._character)

    @lru_cache(maxsize=1)  # noqa: B019  # successive states have the same gait, and so the same profiles
    def _profiles(self, source: int) -> list[StepProfile]:
        """Return poses and forces of the steps of all gaits after a step of the gait with the index `source`."""
        places = self._stepper.profile.theta.size
        steps = [self._transitions.step(source, target) for target in range(self.gaits.count)]
        return [self._stepper.follow(step, new_profile(self._stepper.model, places)) for step in steps]

    def outcomes(self, state: int) -> StateOutcomes:
        """Return the outcomes of one step of each gait from the state with the index `state` in `space.grid`."""
        source, rate = self.space.grid.point(state)
        count, stepper, transitions = self.gaits.count, self._stepper, self._transitions
        status = np.full(count, OutcomeStatus.FAILED, np.uint8)
        after, duration = np.full((count, len(COLUMNS)), np.nan), np.zeros(count)
        for target, profile in enumerate(self._profiles(int(source))):
            policy = transitions.policy(target, stepper.foot, self._feedback, profile.theta.size)
            result = stepper.go(profile, policy, float(rate))
            if not result.continued:
                continue
            values = _measures(profile, stepper.forces(profile, policy))
            next_rate = result.rate * transitions.starts[target].ratio
            after[target] = [target, next_rate, profile.swing[-1, 0, 0], *values]
            duration[target] = result.duration
            if _within(LIMITS, *values):
                status[target] = OutcomeStatus.CONTINUED
        return StateOutcomes(status, after, duration)


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
