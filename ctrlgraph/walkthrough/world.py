"""What a walkthrough is simulated in: terrain, engine settings, sampling; as the log keeps it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import ctrlgraph
from ctrlgraph.errors import RunLogError
from ctrlgraph.physics.world import WorldSettings
from ctrlgraph.terrain import Terrain, parse

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.simulation import Simulation


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

    def simulation(self, character: Character, seed: int) -> Simulation:
        """A new simulation in this world."""
        from ctrlgraph.simulation import Simulation

        return Simulation(character, self.ground(), settings=self.engine, seed=seed, sample_rate=self.sample_rate)

    def as_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> WalkWorld:
        """
        Raises:
            RunLogError: the data is of another version.
        """
        try:
            return cls(**{**data, "engine": WorldSettings(**data["engine"])})
        except (KeyError, TypeError) as error:
            raise RunLogError(f"the log describes a world that this version does not know ({error})") from None

    @property
    def digest(self) -> str:
        """Hash of what decides a motion's chances; the sampling does not."""
        data = self.as_dict()
        del data["sample_rate"]
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:32]


def versions() -> dict[str, str]:
    """Versions of what a motion depends on."""
    from importlib.metadata import version

    return {
        "ctrlgraph": ctrlgraph.__version__,
        "ode": version("ode-python"),
        "numpy": version("numpy"),
        "python": platform.python_version(),
    }
