"""Interface of physics engines, which simulate a character on a terrain, in the plane or in space.

An engine makes a `World` for a planar character, and provides kernels (compiled functions) with which the simulation
loop steps the world. An engine that also simulates spatial characters makes a `SpatialWorld` for these, and provides
further kernels.

Packages add engines by entry points of the group `ctrlgraph.engines`; each entry point names an `Engine`. An `Engine`
is cheap to import, because the engine's library is loaded only when the first world is made.
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
    from ctrlgraph.character.planar_model import PlanarCharacter
    from ctrlgraph.character.spatial_model import SpatialCharacter
    from ctrlgraph.engine.commands import Commands
    from ctrlgraph.kernels.arrays import Floats
    from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain
    from ctrlgraph.terrain.terrain import Terrain


class EngineKernels(NamedTuple):
    """Compiled functions (kernels) of an engine that the simulation loop calls.

    They are compiled by `ctrlgraph.kernels.jit.kernel`. Their argument `world` is `EngineWorld.data`. An engine has one
    set of kernels for planar worlds, with the arrays of `ctrlgraph.kernels.planar`, and can have another for spatial
    worlds, with the arrays of `ctrlgraph.kernels.spatial`.
    """

    name: str
    """Name of the engine."""
    is_bounded: Callable[..., bool]
    """is_bounded(world): return whether the state is finite and no link is too fast or too far away.

    The loop calls it before each step.
    """
    observe: Callable[..., None]
    """observe(world, kin): fill the state of the links, which is `kin.link` and `kin.turn` in the plane.

    In space, fill `kin.pose`, `kin.twist`, `kin.joint`, `kin.axis` and `kin.place`. The angles of planar links, and
    those of joints in space, are continuous: they are not wrapped to one turn.
    """
    step: Callable[..., bool]
    """step(world, dt, body, kin, motors, contacts, clock, disturbance, time): make one step of `dt` seconds.

    `body` contains the constants of the character, `kin` the state before the step, and `time` the simulated time, s.

    It applies the PD targets and torques of `motors` within their limits, the pushes and delay of `disturbance`, and
    `contacts`. It writes the contact forces to `contacts.force` and, in the plane, to `kin.pressure`. It writes the
    joint torques to `EngineWorld.commands`, and adds their work and effort to `clock`. If a command is not finite, it
    makes no step and returns False; otherwise it returns True.
    """
    hash_state: Callable[..., Any]
    """hash_state(world, digest): return `digest`, a hash of all earlier states, updated with the current state."""


class EngineWorld(Protocol):
    """A character on a terrain in the memory of an engine: what planar and spatial worlds have in common."""

    @property
    def data(self) -> Any:
        """Return the named tuple of numbers and arrays that the engine's kernels get as `world`."""

    @property
    def commands(self) -> Commands:
        """Return the motor commands of the last step, and the torques that resulted from them."""

    @property
    def closed(self) -> bool:
        """Return whether the world has been freed and must not be used."""

    def close(self) -> None:
        """Free the world. Further calls have no effect."""

    def bodies(self) -> Floats:
        """Return an exact copy of the whole physical state, as an array whose layout depends on the engine."""

    def load(self, bodies: Floats) -> None:
        """Restore a state that the method `bodies` has returned, bit for bit."""

    def seed(self, seed: int) -> None:
        """Set the state of the engine's random generator. It is called before the simulation loop runs."""

    def seed_now(self) -> int:
        """Return the state of the engine's random generator. It is called after the simulation loop has run."""


class World(EngineWorld, Protocol):
    """A planar character on a terrain in the memory of an engine."""

    def place(self, links: Floats) -> None:
        """Set the poses and velocities of all L links.

        Args:
            links: (L, 6) for each link: world x and y of the centre of mass, m, clockwise angle, rad, and the rates of
                these three, m/s and rad/s.
        """


class SpatialWorld(EngineWorld, Protocol):
    """A spatial character on a terrain in the memory of an engine."""

    def place(self, pose: Floats, twist: Floats, angles: Floats, rates: Floats) -> None:
        """Set the poses and velocities of all L links and J joints, which must be consistent.

        Args:
            pose: (L, 7) position of each link's centre of mass, m, and its orientation, a unit quaternion.
            twist: (L, 6) velocity of each link's centre of mass, m/s, and its angular velocity, rad/s, in the world.
            angles: (J,) angle of each joint, rad.
            rates: (J,) rate of each joint, rad/s.
        """


@dataclass(frozen=True)
class EngineLibrary:
    """A physics engine whose library has been loaded: functions to make and step worlds."""

    kernels: EngineKernels
    open: Callable[[PlanarCharacter, Any, Terrain, int], World]
    """open(character, settings, terrain, max_contacts): return a new world for at most `max_contacts` contacts.

    It raises SimulationError if the engine cannot simulate the character.
    """
    messages: Callable[[], int]
    """messages(): return the number of warnings and errors that the library has reported since it was loaded."""
    version: Callable[[], str]
    """version(): return the engine's version, for the run log."""
    spatial_kernels: EngineKernels | None = None
    """Functions to step spatial worlds; None if the engine simulates only planar characters."""
    open_spatial: Callable[[SpatialCharacter, Any, SpatialTerrain, int], SpatialWorld] | None = None
    """open_spatial(character, settings, terrain, max_contacts): like `open`, for a spatial character.

    None if the engine simulates only planar characters.
    """


@dataclass(frozen=True)
class Engine:
    """A physics engine, whose library is loaded on first use."""

    name: str
    """Name of the engine, such as "ode"."""
    settings: type[WorldSettings]
    """Class of the engine's settings."""
    load: Callable[[], EngineLibrary]
    """load(): return the engine's library, which is loaded at the first call.

    It raises EngineError with an installation hint if the library is missing.
    """


_OURS = {"ode": "ctrlgraph.engine.ode.engine:ODE", "mujoco": "ctrlgraph.engine.mujoco.engine:MUJOCO"}

ENGINES: Registry[Engine] = Registry("engine", "ctrlgraph.engines", Engine, _OURS)

DEFAULT_ENGINE = "ode"


@cache
def default_settings_digest() -> str:
    """Return a hash of the default settings of ODE and MuJoCo.

    A measurement that was stored with another hash is not valid for the current defaults.
    """
    settings = {name: asdict(ENGINES[name].settings()) for name in _OURS}
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]


def known_engine(name: str) -> str:
    """Return `name` after a check that an engine has this name.

    Raises:
        CtrlGraphError: no engine has this name.
    """
    return ENGINES[name].name


def versions(*engines: str) -> dict[str, str]:
    """Return the versions of all software that affects motions, by name: ctrlgraph, these engines, numpy, Python."""
    return {
        "ctrlgraph": __version__,
        **{engine: ENGINES[engine].load().version() for engine in engines},
        "numpy": version("numpy"),
        "python": platform.python_version(),
    }
