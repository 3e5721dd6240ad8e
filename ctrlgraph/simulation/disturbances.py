"""Random disturbances of walks: pushes of the trunk and torque noise."""

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
"""Interval between drawn samples of torque noise, which is linear in between, s."""
MAX_NOISE = 2.0
"""Maximum standard deviation of torque noise, as a share of the torque limits."""
MAX_FORCE = 10_000.0
"""Maximum force of a push, N."""
MIN_GAP, MAX_GAP = 0.1, 3600.0
"""Range of the mean time between pushes, s."""
PUSH_S = 0.1
"""Duration of a push, s."""
MAX_DISTURBED_S = 600.0
"""Time after which an attempt is no longer disturbed, s. It limits the memory that a log or a graph can ask for."""

_SLOT_S = 60.0  # drawn together; gaps are exponential, so drawing anew at each slot does not change their distribution
_PUSHES, _NOISE = 0x70757368, 0x6E6F6973  # keys of the generators, which no other child of a seed has


@checked
@dataclass(frozen=True, slots=True)
class Disturbances:
    """Disturbances of a walk. They are a function of the walk's seed and its time, so any part can be repeated.

    The start node is not disturbed, because no walk can begin if it fails.

    Raises:
        SimulationError: a number is out of range.
    """

    low: float = 0.0
    """Minimum force of the pushes, N."""
    high: float = 0.0
    """Maximum force of the pushes, N; 0: no pushes."""
    gap: float = 3.0
    """Mean time from one push to the next, s."""
    actuator_noise: float = 0.0
    """Standard deviation of torque noise, as a share of the torque limits."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, float(getattr(self, field.name)))  # 3 and 3.0 have one digest
        if not 0.0 <= self.low <= self.high <= MAX_FORCE:
            raise SimulationError(
                f"pushes need forces with 0 <= LOW <= HIGH <= {MAX_FORCE:g} N, not {self.low:g} and {self.high:g} N"
            )
        if not MIN_GAP <= self.gap <= MAX_GAP:
            raise SimulationError(
                f"pushes need a mean gap within {MIN_GAP:g} and {MAX_GAP:g} s, not one of {self.gap:g} s"
            )
        if not 0.0 <= self.actuator_noise <= MAX_NOISE:
            raise SimulationError(f"actuator_noise must be within 0 and {MAX_NOISE:g}, not {self.actuator_noise:g}")

    def pushes(self, seed: int, start: float, end: float) -> list[tuple[float, float]]:
        """Return the pushes that begin in an interval: time on the walk's clock, s, and force, N, forward if positive.

        Args:
            seed: seed of the walk's simulation.
            start: beginning of the interval, s.
            end: its end, s.
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
        """Disturb the next attempt of a walk.

        Args:
            simulation: at the beginning of the attempt.
            seed: seed of the walk's simulation.
            walked_s: time of the attempt on the walk's clock, s.
            seconds: maximum duration of the attempt, s; 0: the attempt is not disturbed.
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
    """Return the slots that an interval touches."""
    return range(math.floor(start / _SLOT_S), math.floor(end / _SLOT_S) + 1)


def _generator(seed: int, key: int, slot: int) -> np.random.Generator:
    """Return the generator of a slot. A seed from a damaged log can be negative."""
    return np.random.default_rng(np.random.SeedSequence(seed % 2**64, spawn_key=(key, slot)))
