"""Random quantities of a trial: the seed, torque noise, and the random push of start-state noise."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.engine.disturbance import TorqueNoise
from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.kernels.constants import GRAVITY
from ctrlgraph.simulation.disturbances import SAMPLE_S
from ctrlgraph.simulation.trial import Point

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character


def trial_seed(seed: int, target: str, point: Point, index: int) -> int:
    """Return the seed of one trial of a sweep. It depends only on the arguments.

    Args:
        seed: Seed of the sweep.
        target: Node ("walk"), edge ("walk->run") or path.
        point: Point of the sweep: (name, value) of each varied perturbation.
        index: Index of the trial among those at the point.
    """
    words = np.frombuffer(hashlib.sha256(json.dumps([target, point]).encode()).digest(), np.uint32)
    child = np.random.SeedSequence(seed, spawn_key=(*words.tolist(), index))
    return int(child.generate_state(1, np.uint64)[0] >> 1)  # fits into SQLite's integers


def torque_noise(rng: np.random.Generator, n_joints: int, start: float, seconds: float, share: float) -> TorqueNoise:
    """Return random, normally distributed torques at all joints, for some time.

    Args:
        rng: Random generator.
        n_joints: Number of joints of the character.
        start: Time at which the noise starts, s.
        seconds: Duration of the noise, s.
        share: Standard deviation of the torque as a fraction of each joint's torque limit.
    """
    samples = max(2, int(np.ceil(seconds / SAMPLE_S)) + 1)
    return TorqueNoise(start, SAMPLE_S, share * rng.standard_normal((samples, n_joints)))


def perturbing_push(rng: np.random.Generator, character: Character, start: float, seconds: float, share: float) -> Push:
    """Return a push on the root link with a random, normally distributed horizontal force.

    Args:
        rng: Random generator.
        character: Character that is pushed.
        start: Time at which the push starts, s.
        seconds: Duration of the push, s.
        share: Standard deviation of the force as a fraction of the character's weight.
    """
    # weight on Earth, whatever the environment's gravity
    force = share * character.mass * GRAVITY * float(rng.standard_normal())
    return Push(start, seconds, character.links[character.root].name, force)
