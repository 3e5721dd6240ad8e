"""The protocol of physics engines: a world made of a character, and the kernels that the compiled loop steps it with.

An engine is brought by a package through an entry point of the group `ctrlgraph.engines` that names an `Engine`;
`Simulation` takes its name. ODE is one of them, and the only one that ctrlgraph brings so far.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.model import Character
from ctrlgraph.engine.settings import WorldSettings
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.registry import Registry
from ctrlgraph.terrain.profile import Terrain


class Clock(NamedTuple):
    """What the loop counts; arrays, so that it can change them."""

    step: Ints  # (1,): steps since the simulation's start
    energy: Floats  # (1,) J spent by the joints since the start
    effort: Floats  # (2,) integral of all squared joint torques, (N m)2 s; joint seconds at the torque limit
    digest: NDArray[np.uint64]  # (1,): hash over all states since the start


class EngineKernels(NamedTuple):
    """What the compiled loop calls (`ctrlgraph.kernels.jit.kernel`); `world` is `World.data`.

    is_bounded(world): whether the state is finite and no link faster than a body can be; asked before each step.
    observe(world, kin): fill `kin.link` and `kin.turn`, angles unwrapped against their last value.
    step(world, dt, body, kin, motors, contacts, clock, disturbance, time): apply the PD targets and torques of
    `motors`, each within its limit, the pushes and the delay of `disturbance`, and the contacts; step; write the
    contact forces to `kin.pressure`, and the joints' work and effort to the clock. False where what the controller
    asks for is not finite: then nothing was stepped.
    hash_state(world, digest): the running hash of all states with this one mixed in.
    """

    name: str
    is_bounded: Callable[..., bool]
    observe: Callable[..., None]
    step: Callable[..., bool]
    hash_state: Callable[..., Any]


class World(Protocol):
    """A character in an engine. `data` is a named tuple of numbers and arrays for the kernels."""

    @property
    def data(self) -> Any: ...

    @property
    def closed(self) -> bool:
        """Tell whether the world has been freed: nothing of it must be used any more."""
        ...

    def close(self) -> None:
        """Free the world; harmless when called again."""
        ...

    def bodies(self) -> Floats:
        """Return a copy of the whole state, one row for each of L links, bit for bit."""
        ...

    def load(self, bodies: Floats) -> None:
        """Go back to what `bodies` has copied, bit for bit."""
        ...

    def pose(self, poses: Floats) -> None:
        """Put the links at rest at poses (L, 3): x, y in m, clockwise angle in rad."""
        ...

    def seed(self, seed: int) -> None:
        """Set the engine's own random state, before the loop runs."""
        ...

    def seed_now(self) -> int:
        """Return that random state, after the loop has run."""
        ...


@dataclass(frozen=True)
class Engine:
    """A physics engine.

    name: as the user gives it. kernels: for the loop. open: a world of (character, settings, terrain, greatest number
    of contacts); raises SimulationError where the engine cannot reckon with the character. messages: how many
    complaints the engine has had since it was loaded. version: its own, for the log.
    """

    name: str
    kernels: EngineKernels
    open: Callable[[Character, WorldSettings, Terrain, int], World]
    messages: Callable[[], int]
    version: Callable[[], str]


ENGINES: Registry[Engine] = Registry("engine", "ctrlgraph.engines", Engine, {"ode": "ctrlgraph.engine.ode.engine:ODE"})
