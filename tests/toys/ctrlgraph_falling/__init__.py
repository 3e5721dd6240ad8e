"""A toy engine, as a package of somebody else would bring it: every link is a point that falls."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ctrlgraph.engine.commands import new_commands
from ctrlgraph.engine.engine import Engine, EngineKernels, EngineLibrary
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.kernels.jit import allocating_kernel, kernel


class Points(NamedTuple):
    """L points: x, y, angle, vx, vy, omega."""

    state: Any  # (L, 6)
    gravity: float


@allocating_kernel  # isfinite makes an array
def is_bounded(points):
    return bool(np.isfinite(points.state).all())


@kernel
def observe(points, kin):
    for i in range(points.state.shape[0]):
        for k in range(6):
            kin.link[i, k] = points.state[i, k]
        kin.turn[i, 0], kin.turn[i, 1] = math.cos(kin.link[i, 2]), math.sin(kin.link[i, 2])


@kernel
def step(points, dt, body, kin, motors, contacts, clock, disturbance, time):
    for i in range(points.state.shape[0]):
        points.state[i, 4] -= points.gravity * dt
        points.state[i, 1] += points.state[i, 4] * dt
    return True


@kernel
def hash_state(points, digest):
    for i in range(points.state.shape[0]):
        digest = (digest ^ np.uint64(abs(points.state[i, 1]) * 1e9)) * np.uint64(1099511628211)
    return digest


class World:
    def __init__(self, character, settings, terrain, max_contacts):
        self.data = Points(np.zeros((len(character.links), 6)), settings.gravity)
        self.commands = new_commands(len(character.joints))
        self.closed = False

    def close(self):
        self.closed = True

    def bodies(self):
        return self.data.state.copy()

    def load(self, bodies):
        self.data.state[...] = bodies

    def place(self, links):
        self.data.state[...] = links

    def seed(self, seed):
        self._seed = seed

    def seed_now(self):
        return self._seed


LIBRARY = EngineLibrary(
    kernels=EngineKernels("falling", is_bounded, observe, step, hash_state),
    open=World,
    messages=lambda: 0,
    version=lambda: "1.0",
)
FALLING = Engine("falling", WorldSettings, lambda: LIBRARY)
