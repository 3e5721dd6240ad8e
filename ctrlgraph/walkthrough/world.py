"""What a walkthrough is simulated in: terrain, engine settings, sampling; as the log keeps it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import ctrlgraph
from ctrlgraph.engine.settings import WorldSettings
from ctrlgraph.errors import RunLogError, SimulationError
from ctrlgraph.runs.database import require_types
from ctrlgraph.terrain.profile import Terrain, parse

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.simulation.simulation import Simulation


MAX_FRICTION = 10.0
MAX_NUMBER = 1e5
MAX_SAMPLE_RATE = 1e5  # as often as the shortest time step


@dataclass(frozen=True, slots=True)
class WalkWorld:
    """terrain: in the words of the command line; friction: of the ground; sample_rate: 1/s."""

    terrain: str = "flat"
    friction: float = 1.0
    engine: WorldSettings = field(default_factory=WorldSettings)
    sample_rate: float = 100.0

    def ground(self) -> Terrain:
        """
        Raises:
            TerrainError: the words describe no terrain.
        """
        return parse(self.terrain, self.friction)

    def simulation(self, character: Character, seed: int, *, keep_trace: bool = True) -> Simulation:
        """A new simulation in this world; a long walk keeps no trace of the whole (`Simulation.trace`)."""
        from ctrlgraph.simulation.simulation import Simulation

        return Simulation(
            character,
            self.ground(),
            settings=self.engine,
            seed=seed,
            sample_rate=self.sample_rate,
            keep_trace=keep_trace,
        )

    def as_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> WalkWorld:
        """
        Raises:
            RunLogError: the data is of another version, or no world could be like that.
        """
        try:
            world = cls(**{**data, "engine": WorldSettings(**data["engine"])})
            require_types(world.as_dict(), {"terrain": str})
            numbers = {"friction": (world.friction, MAX_FRICTION), "sample rate": (world.sample_rate, MAX_SAMPLE_RATE)}
            for name, (value, most) in numbers.items():
                if not 0.0 <= value <= most:
                    raise ValueError(f"a {name} of {value:g}")
            _require_engine(world.engine)
        except (KeyError, TypeError, ValueError, SimulationError) as error:
            raise RunLogError(f"the log describes a world that this version does not know ({error})") from None
        return world

    @property
    def digest(self) -> str:
        """Hash of what decides a motion's chances; the sampling does not."""
        data = self.as_dict()
        del data["sample_rate"]
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:32]


def _require_engine(engine: WorldSettings) -> None:
    """
    Raises:
        ValueError: a value is of another type than the default, not finite, or beyond all reason.
    """
    usual = WorldSettings()
    for field_ in dataclasses.fields(usual):
        value, kind = getattr(engine, field_.name), type(getattr(usual, field_.name))
        if type(value) is not kind and not (kind is float and type(value) is int):
            raise ValueError(f"'{field_.name}' is a {type(value).__name__}")
        if kind is not str and not (math.isfinite(value) and abs(value) <= MAX_NUMBER):
            raise ValueError(f"'{field_.name}' is {value:g}")


def versions() -> dict[str, str]:
    """Versions of what a motion depends on."""
    from importlib.metadata import version

    return {
        "ctrlgraph": ctrlgraph.__version__,
        "ode": version("ode-python"),
        "numpy": version("numpy"),
        "python": platform.python_version(),
    }
