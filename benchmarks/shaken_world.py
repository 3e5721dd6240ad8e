"""A world in which the body is shaken now and then, so that motions fail at times.

For benchmarks that compare ways of dealing with failures. What acts is drawn from the simulation's seed, anew after
each reset, and the log keeps attempts in it apart from those of the world as it is.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.experiments.noise import perturbing_push, torque_noise
from ctrlgraph.simulation.disturbances import SAMPLE_S
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.simulation import Simulation

SHAKE_S = 0.2
"""How long one shake lasts: as the noise before an entry does in sweeps."""
QUIET_S = 3.0
"""After a reset nothing acts for so long: the start pose comes to rest."""


@dataclass(frozen=True)
class Shaking:
    """Shakes at random moments, as sweeps have them (`noise`): torques in all joints, and a push
    on the root.

    share: their standard deviation, of each torque's limit and of the body's weight; every: mean time between shakes,
        s;
    seconds: how long it goes on.
    """

    share: float = 0.1
    every: float = 4.0
    seconds: float = 600.0

    def disturb(self, simulation: Simulation, rng: np.random.Generator, quiet: float = QUIET_S) -> None:
        """Let what is drawn act from `quiet` s after now on."""
        character, now = simulation.character, simulation.time
        moments = now + quiet + np.cumsum(rng.exponential(self.every, round(self.seconds / self.every)))
        noise = torque_noise(rng, len(character.joints), now, self.seconds, self.share)
        times = now + SAMPLE_S * np.arange(len(noise.shares))
        shaken = np.zeros(len(times), bool)
        for moment in moments:
            shaken |= (times >= moment) & (times < moment + SHAKE_S)
        noise.shares[~shaken] = 0.0
        pushes = [perturbing_push(rng, character, float(moment), SHAKE_S, self.share) for moment in moments]
        simulation.disturb(pushes, noise)


class ShakenSimulation(Simulation):
    """A simulation that is shaken from each reset on."""

    def __init__(self, *given: Any, shaking: Shaking, **named: Any) -> None:
        self._shaking = shaking
        self._rng = np.random.default_rng([named.get("seed", 0), 1])
        super().__init__(*given, **named)

    def reset(self, *given: Any, **named: Any) -> None:
        super().reset(*given, **named)
        self._shaking.disturb(self, self._rng)


@dataclass(frozen=True, slots=True)
class ShakenEnvironment(Environment):
    """A world whose simulations are shaken."""

    shaking: Shaking = Shaking()

    def simulation(self, character: Character, seed: int = 0, *, keep_trace: bool = True) -> Simulation:
        return ShakenSimulation(
            self.body.of(character),
            self.ground(),
            engine=self.engine,
            settings=self.settings,
            seed=seed,
            sample_rate=self.sample_rate,
            keep_trace=keep_trace,
            shaking=self.shaking,
        )

    @property
    def digest(self) -> str:
        plain = Environment(self.terrain, self.friction, self.engine, self.settings, self.sample_rate, self.body)
        return hashlib.sha256(f"{plain.digest} {self.shaking}".encode()).hexdigest()[:32]

    def as_dict(self) -> dict[str, Any]:
        return Environment(
            self.terrain, self.friction, self.engine, self.settings, self.sample_rate, self.body
        ).as_dict()
