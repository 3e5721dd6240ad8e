"""Random disturbances of walks (sequences of nodes): pushes of the trunk, and noise on the joint torques."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.arguments import checked
from ctrlgraph.errors import SimulationError

if TYPE_CHECKING:
    from ctrlgraph.simulation.simulation import Simulation

SAMPLE_S = 0.05
"""Interval between random samples of torque noise, s. Between the samples, the noise is interpolated linearly."""
MAX_NOISE = 2.0
"""Maximum standard deviation of torque noise, as a fraction of the torque limits."""
MAX_FORCE = 10_000.0
"""Maximum force of a push, N."""
MIN_GAP, MAX_GAP = 0.1, 3600.0
"""Range of the mean time between pushes, s."""
PUSH_S = 0.1
"""Duration of a push, s."""
MAX_DISTURBED_S = 600.0
"""Maximum time for which an attempt (one execution of a node) is disturbed, s.

The limit bounds the memory that precomputed disturbances need.
"""

# Disturbances are generated separately for slots of this length, s, so that any part of a walk can be repeated without
# the part before it. The gaps between pushes have an exponential distribution, which has no memory: a new start at each
# slot does not change the distribution.
_SLOT_S = 60.0
_PUSHES, _NOISE = 0x70757368, 0x6E6F6973  # keys that keep the two random sequences independent


@checked
@dataclass(frozen=True, slots=True)
class Disturbances:
    """Random pushes of the trunk and noise on the joint torques during a walk (a sequence of nodes).

    The disturbances depend only on the seed of the walk and on the time since the walk's beginning, so any part of a
    walk can be repeated. The start node is not disturbed, because no walk can begin if the start node fails.

    Raises:
        SimulationError: a number is out of range.
    """

    low: float = 0.0
    """Minimum force of a push, N."""
    high: float = 0.0
    """Maximum force of a push, N; 0 for no pushes. The force and its direction are chosen at random."""
    gap: float = 3.0
    """Mean time from the beginning of one push to the beginning of the next, s."""
    actuator_noise: float = 0.0
    """Standard deviation of the noise on the joint torques, as a fraction of the torque limits."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, float(getattr(self, field.name)))  # 3 and 3.0 have one digest
        if not 0.0 <= self.low <= self.high <= MAX_FORCE:
            raise SimulationError(
                f"the forces of pushes must be 0 <= LOW <= HIGH <= {MAX_FORCE:g} N, "
                f"but LOW is {self.low:g} N and HIGH is {self.high:g} N"
            )
        if not MIN_GAP <= self.gap <= MAX_GAP:
            raise SimulationError(
                f"the mean time between pushes must be {MIN_GAP:g} to {MAX_GAP:g} s, not {self.gap:g} s"
            )
        if not 0.0 <= self.actuator_noise <= MAX_NOISE:
            raise SimulationError(f"'actuator_noise' must be 0 to {MAX_NOISE:g}, not {self.actuator_noise:g}")

    def pushes(self, seed: int, start: float, end: float) -> list[tuple[float, float]]:
        """Return the pushes that begin in an interval of a walk.

        Args:
            seed: seed of the walk's simulation.
            start: beginning of the interval, s since the beginning of the walk.
            end: end of the interval, s since the beginning of the walk.

        Returns:
            For each push, the time since the beginning of the walk, s, and the force, N, positive forward.
        """
        found = []
        for slot in _slots(start, end) if self.high > 0.0 else ():
            rng = _generator(seed, _PUSHES, slot)
            after = rng.exponential(self.gap)
            while after < _SLOT_S:
                force = (1.0 if rng.integers(2) else -1.0) * rng.uniform(self.low, self.high)
                if start <= slot * _SLOT_S + after < end:
                    found.append((slot * _SLOT_S + after, force))
                after += rng.exponential(self.gap)
        return found

    def disturb(self, simulation: Simulation, seed: int, walked_s: float, seconds: float) -> None:
        """Set the disturbances of a simulation for the next attempt (execution of a node) of a walk.

        Args:
            simulation: the simulation of the walk, at the beginning of the attempt.
            seed: seed of the walk's simulation.
            walked_s: time from the beginning of the walk to that of the attempt, s.
            seconds: maximum duration of the attempt, s; 0 for an attempt without disturbances.
        """
        if self == UNDISTURBED:
            return
        from ctrlgraph.engine.disturbance import TorqueNoise
        from ctrlgraph.engine.planar_pushes import Push  # an environment does not need a compiler

        if seconds <= 0.0:
            simulation.disturb()
            return
        character, end = simulation.character, walked_s + min(seconds, MAX_DISTURBED_S)
        link, shift = character.links[character.trunk].name, simulation.time - walked_s
        pushes = [Push(at + shift, PUSH_S, link, x) for at, x in self.pushes(seed, max(walked_s - PUSH_S, 0.0), end)]
        noise = None
        if self.actuator_noise > 0.0:
            slots = _slots(walked_s, end + SAMPLE_S)  # and the sample after the end
            shape = round(_SLOT_S / SAMPLE_S), len(character.joints)
            drawn = np.concatenate([_generator(seed, _NOISE, slot).standard_normal(shape) for slot in slots])
            noise = TorqueNoise(slots[0] * _SLOT_S + shift, SAMPLE_S, self.actuator_noise * drawn)
        simulation.disturb(pushes, noise)


UNDISTURBED = Disturbances()
"""No disturbance."""


def _slots(start: float, end: float) -> range:
    """Return the numbers of the time slots that overlap with an interval, given in s since the beginning of a walk.

    Slot k lasts from k `_SLOT_S` to (k + 1) `_SLOT_S`.
    """
    return range(math.floor(start / _SLOT_S), math.floor(end / _SLOT_S) + 1)


def _generator(seed: int, key: int, slot: int) -> np.random.Generator:
    """Return the random generator of one time slot of a walk.

    Args:
        seed: seed of the walk's simulation; negative in a damaged log.
        key: `_PUSHES` or `_NOISE`.
        slot: number of the time slot (see `_slots`).
    """
    return np.random.default_rng(np.random.SeedSequence(seed % 2**64, spawn_key=(key, slot)))
