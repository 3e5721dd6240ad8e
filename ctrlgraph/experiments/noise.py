"""What is drawn at random in a trial: its seed, torque noise, the push that shakes an entry."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np

from ctrlgraph.engine.disturbance import TorqueNoise
from ctrlgraph.engine.pushes import Push
from ctrlgraph.experiments.sweeps.sweep_log import Point
from ctrlgraph.kernels.gravity import GRAVITY

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character

SAMPLE_S = 0.05
"""Torque noise is drawn every so many seconds, with straight lines between: what muscles could do."""


def trial_seed(seed: int, target: str, point: Point, index: int) -> int:
    """Return the seed of a trial: it depends on what is simulated, not on when and where.

    A child of the sweep's SeedSequence, whose spawn key is made of target, point and index.
    """
    words = np.frombuffer(hashlib.sha256(json.dumps([target, point]).encode()).digest(), np.uint32)
    child = np.random.SeedSequence(seed, spawn_key=(*words.tolist(), index))
    return int(child.generate_state(1, np.uint64)[0] >> 1)  # what SQLite's integers hold


def torque_noise(rng: np.random.Generator, n_joints: int, start: float, seconds: float, share: float) -> TorqueNoise:
    """Normal torques with the standard deviation `share` of each joint's limit, from `start` for `seconds`."""
    samples = max(2, int(np.ceil(seconds / SAMPLE_S)) + 1)
    return TorqueNoise(start, SAMPLE_S, share * rng.standard_normal((samples, n_joints)))


def perturbing_push(rng: np.random.Generator, character: Character, start: float, seconds: float, share: float) -> Push:
    """Return a push forward or backward on the root, normal with the standard deviation `share` of the body's
    weight."""
    # a body's weight as the unit of pushes is that on Earth, whatever the world's gravity
    force = share * character.mass * GRAVITY * float(rng.standard_normal())
    return Push(start, seconds, character.links[character.root].name, force)
