"""Environments of rollouts: terrain, engine with its settings, scaling of the character, and disturbances of walks."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ctrlgraph.arguments import checked
from ctrlgraph.bounds import MAX_SAMPLE_RATE, MIN_SAMPLE_RATE
from ctrlgraph.character.scaling import scale_lengths, scale_masses, scale_torques
from ctrlgraph.engine.engine import DEFAULT_ENGINE, ENGINES
from ctrlgraph.engine.world_settings import MAX_NUMBER, WorldSettings
from ctrlgraph.errors import CtrlGraphError, RunLogError
from ctrlgraph.simulation.disturbances import UNDISTURBED, Disturbances
from ctrlgraph.terrain.terrain import Terrain, TerrainPreview
from ctrlgraph.terrain.words import is_course, parse, written_out

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.simulation.simulation import Simulation


MAX_FRICTION = 10.0
"""Maximum coefficient of friction in an environment that is read from a log."""


@checked
@dataclass(frozen=True, slots=True)
class BodyScaling:
    """Factors by which a character is scaled."""

    masses: tuple[tuple[str, float], ...] = ()
    """(name, factor) of links whose mass is multiplied by the factor. The name "" means all links."""
    length: float = 1.0
    """Factor by which all lengths are multiplied."""
    torque: float = 1.0
    """Factor by which all torque limits are multiplied."""

    def of(self, character: Character) -> Character:
        """Return the scaled character.

        Raises:
            CtrlGraphError: the character has no link with a name in `masses`, or a factor is not above 0 or not finite.
        """
        changed = character
        if self.masses:
            changed = scale_masses(changed, dict(self.masses))
        if self.length != 1.0:
            changed = scale_lengths(changed, self.length)
        if self.torque != 1.0:
            changed = scale_torques(changed, self.torque)
        return changed


NO_SCALING = BodyScaling()
"""Scaling that changes nothing."""


@checked
@dataclass(frozen=True, slots=True)
class Environment:
    """The environment of a rollout: terrain, engine, scaling of the character, and disturbances.

    Raises:
        CtrlGraphError: no engine has the name `engine`.
        TerrainError: `terrain` describes a random course, and the description is invalid.
        SimulationError: `settings` are those of another engine.

    >>> from ctrlgraph import Environment
    >>> Environment("slope=2").preview.slope
    2.0
    """

    terrain: str = "flat"
    """Description of the ground, such as "slope=2" (see `parse_terrain`)."""
    friction: float = 1.0
    """Coefficient of friction of the ground."""
    engine: str = DEFAULT_ENGINE
    """Name of the physics engine."""
    settings: WorldSettings = field(default_factory=WorldSettings)
    """Settings of the engine. A plain `WorldSettings` is completed by the default values of the engine's settings."""
    sample_rate: float = 100.0
    """Samples of the trace per simulated second; 1 to 100,000 in an environment from a log."""
    body: BodyScaling = NO_SCALING
    """Scaling of the character."""
    disturbances: Disturbances = UNDISTURBED
    """Random disturbances of walks. The method `simulation` returns a simulation without them."""
    predicts_falls: bool = False
    """Whether walks leave motions before predicted falls, and get up after falls."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", ENGINES[self.engine].settings.completed(self.settings))
        if isinstance(self.terrain, str):
            # the log contains the pieces of a random course, not its distribution and seed
            object.__setattr__(self, "terrain", written_out(self.terrain))

    def ground(self) -> Terrain:
        """Return the terrain that `terrain` and `friction` describe.

        Raises:
            TerrainError: the description or the friction is invalid.
        """
        return parse(self.terrain, self.friction)

    @property
    def preview(self) -> TerrainPreview:
        """Return the terrain preview at x = 0, where a rollout begins.

        It determines which edges of the graph can be used on this terrain.

        Raises:
            TerrainError: the description or the friction is invalid.
        """
        return self.ground().preview(0.0)

    @checked
    def simulation(self, character: Character, seed: int = 0, *, keep_trace: bool = True) -> Simulation:
        """Return a new simulation of the scaled character in this environment, without disturbances.

        Args:
            character: the character before scaling.
            seed: seed of the engine's random generator.
            keep_trace: whether to keep the motion of all controllers. For long walks, this needs much memory.

        Raises:
            TerrainError: the description of the terrain or the friction is invalid.
            CtrlGraphError: the character lacks a link whose mass is scaled, or a value is out of range.
        """
        from ctrlgraph.simulation.simulation import Simulation

        return Simulation(
            self.body.of(character),
            self.ground(),
            engine=self.engine,
            settings=self.settings,
            seed=seed,
            sample_rate=self.sample_rate,
            keep_trace=keep_trace,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the environment as JSON data for the log. Without scaling or disturbances, their keys are omitted."""
        data: dict[str, Any] = {
            "terrain": self.terrain,
            "friction": self.friction,
            "engine": {"name": self.engine, **dataclasses.asdict(self.settings)},
            "sample_rate": self.sample_rate,
        }
        if self.body != NO_SCALING:
            data["body"] = dataclasses.asdict(self.body)
        if self.disturbances != UNDISTURBED:
            data["disturbances"] = dataclasses.asdict(self.disturbances)
        if self.predicts_falls:
            data["predicts_falls"] = True
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Environment:
        """Return the environment of which `as_dict` has returned `data`.

        Raises:
            RunLogError: the data is damaged, or was written by another version and cannot be read.
        """
        try:
            engine = dict(data["engine"])
            name = str(engine.pop("name"))
            more: dict[str, Any] = {"body": _body(data["body"])} if "body" in data else {}
            if "disturbances" in data:
                more["disturbances"] = Disturbances(**data["disturbances"])
            environment = cls(**{**data, "engine": name, "settings": ENGINES[name].settings(**engine), **more})
            if type(environment.terrain) is not str:
                raise ValueError(f"'terrain' is a {type(environment.terrain).__name__}")
            if type(environment.predicts_falls) is not bool:
                raise ValueError(f"'predicts_falls' is a {type(environment.predicts_falls).__name__}")
            numbers = {
                "friction": (environment.friction, 0.0, MAX_FRICTION),
                "sample rate": (environment.sample_rate, MIN_SAMPLE_RATE, MAX_SAMPLE_RATE),
            }
            for name, (value, least, most) in numbers.items():
                if not least <= value <= most:
                    raise ValueError(f"a {name} of {value:g}")
        except (KeyError, TypeError, ValueError, OverflowError, CtrlGraphError) as error:
            raise RunLogError(f"the log contains an environment that this version cannot read ({error})") from None
        return environment

    @property
    def digest(self) -> str:
        """Return the hash of everything in the environment that affects a motion, which excludes the sample rate.

        Courses with different descriptions but the same ground have the same hash. Environments that the first version
        of the log could describe keep the hashes of that time, under which results are stored.
        """
        data = self.as_dict() | {"engine": _as_first_logged(self.engine, self.settings)}
        if is_course(self.terrain):
            data["terrain"] = self.ground().digest
        del data["sample_rate"]
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:32]


def _body(data: Mapping[str, Any]) -> BodyScaling:
    """Return the scaling from data of a log.

    Raises:
        ValueError, TypeError: the data does not describe a scaling, or a factor is out of range.
    """
    body = BodyScaling(**data)
    masses = tuple((str(name), float(factor)) for name, factor in body.masses)
    for factor in (body.length, body.torque, *(factor for _, factor in masses)):
        if not 0.0 < factor <= MAX_NUMBER:
            raise ValueError(f"a body scaled by {factor:g}")
    return dataclasses.replace(body, masses=masses)


def _as_first_logged(engine: str, settings: WorldSettings) -> dict[str, Any]:
    """Return engine and settings in the form of the first logs, if those could describe them.

    At that time, ODE was the only engine, and it had neither distance pins nor friction cones.
    """
    data = {"name": engine, **dataclasses.asdict(settings)}
    if engine == "ode" and data["friction"] == "box":
        del data["friction"]
        if data["pins"] != "distances":
            data["hinges"] = data.pop("pins") == "hinges"
            del data["name"]
    return data
