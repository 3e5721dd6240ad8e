"""The protocol of physics engines: a world made of a character, and the kernels that the compiled loop steps it with.

An engine is brought by a package through an entry point of the group `ctrlgraph.engines` that names an `Engine`;
`Simulation` takes its name. An `Engine` itself is light: its library is loaded when a world is to be made.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ctrlgraph.engine.settings import WorldSettings
from ctrlgraph.registry import Registry

if TYPE_CHECKING:  # who only names an engine does not wait for a compiler
    import numpy as np
    from numpy.typing import NDArray

    from ctrlgraph.character.model import Character
    from ctrlgraph.engine.commands import Commands
    from ctrlgraph.kernels.arrays import Body, Floats, Ints, Kinematics
    from ctrlgraph.kernels.collision import Contacts
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
    contact forces to `contacts.force` and `kin.pressure`, the joints' torques to `World.commands`, and their
    work and effort to the clock. False where what the controller
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
    def commands(self) -> Commands:
        """Return the motor commands of the last step, and the torques that came of them."""
        ...

    @property
    def closed(self) -> bool:
        """Tell whether the world has been freed: nothing of it must be used any more."""
        ...

    def close(self) -> None:
        """Free the world; harmless when called again."""
        ...

    def bodies(self) -> Floats:
        """Return a copy of the whole state, bit for bit, in rows that are the engine's own affair."""
        ...

    def load(self, bodies: Floats) -> None:
        """Go back to what `bodies` has copied, bit for bit."""
        ...

    def place(self, links: Floats) -> None:
        """Put the links at poses and velocities (L, 6): x, y in m, clockwise angle in rad, and their rates."""
        ...

    def seed(self, seed: int) -> None:
        """Set the engine's own random state, before the loop runs."""
        ...

    def seed_now(self) -> int:
        """Return that random state, after the loop has run."""
        ...


class BareLoop(Protocol):
    """The engine alone: what a run has asked of it, played again without anything else, to be timed."""

    def note(self, step: int, simulated: Simulated) -> None:
        """Keep what the loop has just given the engine in a step."""
        ...

    def play(self, steps: int) -> None:
        """Give it to the engine again, for so many steps from where the recording began."""
        ...


class Simulated(NamedTuple):
    """What a bare loop works on: the arrays of a simulation."""

    world: World
    dt: float
    body: Body
    kin: Kinematics
    contacts: Contacts


@dataclass(frozen=True)
class EngineLibrary:
    """A physics engine, loaded.

    kernels: for the loop. open: a world of (character, settings, terrain, greatest number of contacts); raises
    SimulationError where the engine cannot reckon with them. messages: how many complaints the engine has had since it
    was loaded. version: its own, for the log. bare_loop: of (simulated, greatest number of steps), for `ctrlgraph
    bench`; None where the engine has none.
    """

    kernels: EngineKernels
    open: Callable[[Character, Any, Terrain, int], World]
    messages: Callable[[], int]
    version: Callable[[], str]
    bare_loop: Callable[[Simulated, int], BareLoop] | None = None


@dataclass(frozen=True)
class Engine:
    """A physics engine by its name, as the user gives it.

    settings: the type of its own settings. load: returns its library, the same one each time; raises EngineError with
    what to install where it is missing.
    """

    name: str
    settings: type[WorldSettings]
    load: Callable[[], EngineLibrary]


_OURS = {
    "ode": "ctrlgraph.engine.ode.engine:ODE",
    "mujoco": "ctrlgraph.engine.mujoco.engine:MUJOCO",
}

ENGINES: Registry[Engine] = Registry("engine", "ctrlgraph.engines", Engine, _OURS)

DEFAULT_ENGINE = "ode"


@cache
def usual_settings_digest() -> str:
    """Return the hash of the settings that our engines are run with where nothing else is said: what was measured with
    others is no evidence of what would be measured now."""
    settings = {name: asdict(ENGINES[name].settings()) for name in _OURS}
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]


def known_engine(name: str) -> str:
    """Return the name of an engine.

    Raises:
        CtrlGraphError: there is none of this name.
    """
    return ENGINES[name].name
