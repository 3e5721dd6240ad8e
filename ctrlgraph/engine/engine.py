"""Protocol of physics engines: a world for a character, and the kernels with which the compiled loop simulates it.

Packages add engines by entry points of the group `ctrlgraph.engines` that name an `Engine`. An `Engine` is cheap to
import: its library is loaded for the first world. Worlds and kernels of this module are planar.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.registry import Registry
from ctrlgraph.version import __version__

if TYPE_CHECKING:  # naming an engine does not need a compiler
    from ctrlgraph.character.model import Character
    from ctrlgraph.engine.commands import Commands
    from ctrlgraph.kernels.planar.arrays import Floats
    from ctrlgraph.terrain.terrain import Terrain


class EngineKernels(NamedTuple):
    """Kernels that the compiled loop calls (`ctrlgraph.kernels.jit.kernel`); their argument `world` is `World.data`."""

    name: str
    is_bounded: Callable[..., bool]
    """is_bounded(world): return whether the state is finite and no link is too fast; called before each step."""
    observe: Callable[..., None]
    """observe(world, kin): fill `kin.link` and `kin.turn`; angles are unwrapped against their last value."""
    step: Callable[..., bool]
    """step(world, dt, body, kin, motors, contacts, clock, disturbance, time): make one step.

    It applies the PD targets and torques of `motors` within their limits, the pushes and delay of `disturbance`, and
    the contacts. It writes the contact forces to `contacts.force` and `kin.pressure`, the joint torques to
    `World.commands`, and their work and effort to the clock. It returns False, without a step, if a command is not
    finite.
    """
    hash_state: Callable[..., Any]
    """hash_state(world, digest): return the running hash of all states, updated with this one."""


class World(Protocol):
    """A planar character in an engine. `data` is a named tuple of numbers and arrays for the kernels."""

    @property
    def data(self) -> Any:
        """Return the named tuple for the kernels."""

    @property
    def commands(self) -> Commands:
        """Return the motor commands of the last step, and the resulting torques."""

    @property
    def closed(self) -> bool:
        """Return whether the world has been freed and must not be used."""

    def close(self) -> None:
        """Free the world. Further calls have no effect."""

    def bodies(self) -> Floats:
        """Return an exact copy of the whole state, in a layout of the engine."""

    def load(self, bodies: Floats) -> None:
        """Restore a state that `bodies` has returned, bit for bit."""

    def place(self, links: Floats) -> None:
        """Set poses and velocities of the links (L, 6): x, y in m, clockwise angle in rad, and their rates."""

    def seed(self, seed: int) -> None:
        """Set the random state of the engine. It is called before the loop runs."""

    def seed_now(self) -> int:
        """Return the random state of the engine. It is called after the loop has run."""


@dataclass(frozen=True)
class EngineLibrary:
    """A loaded physics engine."""

    kernels: EngineKernels
    open: Callable[[Character, Any, Terrain, int], World]
    """Make a world from (character, settings, terrain, maximum number of contacts).

    It raises SimulationError if the engine cannot simulate them.
    """
    messages: Callable[[], int]
    """Return the number of the engine's messages since it was loaded."""
    version: Callable[[], str]
    """Return the engine's version, for the log."""


@dataclass(frozen=True)
class Engine:
    """A physics engine that is loaded on first use."""

    name: str
    settings: type[WorldSettings]
    """Type of the engine's settings."""
    load: Callable[[], EngineLibrary]
    """Return the library, the same one each time; raise EngineError with an installation hint if it is missing."""


_OURS = {"ode": "ctrlgraph.engine.ode.engine:ODE", "mujoco": "ctrlgraph.engine.mujoco.engine:MUJOCO"}

ENGINES: Registry[Engine] = Registry("engine", "ctrlgraph.engines", Engine, _OURS)

DEFAULT_ENGINE = "ode"


@cache
def default_settings_digest() -> str:
    """Return the hash of the default settings of our engines.

    Measurements with other settings are not valid for the present settings.
    """
    settings = {name: asdict(ENGINES[name].settings()) for name in _OURS}
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]


def known_engine(name: str) -> str:
    """Return the name of an engine.

    Raises:
        CtrlGraphError: there is no engine of this name.
    """
    return ENGINES[name].name


def versions(*engines: str) -> dict[str, str]:
    """Return the versions of the software that affects motions: ctrlgraph, these engines, numpy and Python."""
    return {
        "ctrlgraph": __version__,
        **{engine: ENGINES[engine].load().version() for engine in engines},
        "numpy": version("numpy"),
        "python": platform.python_version(),
    }
