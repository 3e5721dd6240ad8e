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
from ctrlgraph.character.scaling import limit_muscles, scale_lengths, scale_masses, scale_torques
from ctrlgraph.character.schema import HIGHEST_MAX_SPEED, LONGEST_RISE, LOWEST_MAX_SPEED
from ctrlgraph.engine.engine import DEFAULT_ENGINE, ENGINES
from ctrlgraph.engine.world_settings import MAX_NUMBER, WorldSettings
from ctrlgraph.errors import CtrlGraphError, RunLogError
from ctrlgraph.simulation.disturbances import UNDISTURBED, Disturbances
from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain
from ctrlgraph.terrain.spatial.spatial_words import is_spatial, parse_spatial
from ctrlgraph.terrain.terrain import Terrain, TerrainPreview
from ctrlgraph.terrain.words import is_course, parse, written_out

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.simulation.simulation import Simulation


MAX_FRICTION = 10.0
"""Maximum coefficient of friction of the ground in an environment that is read from a log."""


@checked
@dataclass(frozen=True, slots=True)
class BodyScaling:
    """Changes of a character: factors of its masses, lengths and torque limits, and limits of its muscles."""

    masses: tuple[tuple[str, float], ...] = ()
    """(name, factor) of links whose mass is multiplied by the factor. The name "" means all links."""
    length: float = 1.0
    """Factor by which all lengths are multiplied."""
    torque: float = 1.0
    """Factor by which all torque limits are multiplied."""
    max_speed: float | None = None
    """Speed at which every joint has no torque left in the direction of its motion, rad/s. None: the character's."""
    rise_time: float = 0.0
    """Time in which every joint's torque can rise from 0 to its hard limit, s. 0: the character's."""

    def of(self, character: Character) -> Character:
        """Return a copy of a character, scaled by these factors.

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
        if self.max_speed is not None or self.rise_time != 0.0:
            changed = limit_muscles(changed, self.max_speed, self.rise_time)
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
    """Settings of the engine. A plain `WorldSettings` gets default values for the other settings of the engine."""
    sample_rate: float = 100.0
    """Samples of the trace (recorded motion) per simulated second; 1 to 100,000 in an environment from a log."""
    body: BodyScaling = NO_SCALING
    """Factors by which the character is scaled before it is simulated."""
    disturbances: Disturbances = UNDISTURBED
    """Random disturbances of walks. The method `simulation` does not apply them; `Disturbances.disturb` does."""
    predicts_falls: bool = False
    """Whether walks leave motions before predicted falls, and get up after falls."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", ENGINES[self.engine].settings.completed(self.settings))
        if isinstance(self.terrain, str):
            # the log contains the pieces of a random course, not its distribution and seed
            object.__setattr__(self, "terrain", written_out(self.terrain))

    def ground(self) -> Terrain | SpatialTerrain:
        """Return the terrain that `terrain` and `friction` describe.

        Raises:
            TerrainError: the description or the friction is invalid.
        """
        of = parse_spatial if is_spatial(self.terrain) else parse
        return of(self.terrain, self.friction)

    def planar_ground(self) -> Terrain:
        """Return the terrain for a planar character.

        Raises:
            TerrainError: the description is invalid, or has words that only ground in space has.
        """
        return parse(self.terrain, self.friction)

    @property
    def preview(self) -> TerrainPreview:
        """Return the slope and the nearest obstacle (the terrain preview) at x = 0 m, where a rollout begins.

        The preview determines which edges of the graph can be used on this terrain.

        Raises:
            TerrainError: the description or the friction is invalid.
        """
        ground = self.ground()
        return ground.preview(0.0, 0.0) if isinstance(ground, SpatialTerrain) else ground.preview(0.0)

    @checked
    def simulation(self, character: Character, seed: int = 0, *, keep_trace: bool = True) -> Simulation:
        """Return a new simulation of the scaled character in this environment, without disturbances.

        Args:
            character: the character before scaling.
            seed: seed of the engine's random generator.
            keep_trace: whether to keep the motion of all rollouts, which needs much memory in long walks. If not, only
                that of the last rollout is kept.

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
        """Return the environment as JSON data for the log.

        The key "body" is omitted without scaling, and the key "disturbances" without disturbances.
        """
        data: dict[str, Any] = {
            "terrain": self.terrain,
            "friction": self.friction,
            "engine": {"name": self.engine, **dataclasses.asdict(self.settings)},
            "sample_rate": self.sample_rate,
        }
        if self.body != NO_SCALING:
            data["body"] = dataclasses.asdict(self.body)
            for name in ("max_speed", "rise_time"):  # left out if they change nothing, so that old hashes stay valid
                if getattr(self.body, name) == getattr(NO_SCALING, name):
                    del data["body"][name]
        if self.disturbances != UNDISTURBED:
            data["disturbances"] = dataclasses.asdict(self.disturbances)
        if self.predicts_falls:
            data["predicts_falls"] = True
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Environment:
        """Return the environment from the JSON data that `as_dict` returns.

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
            if type(environment.predicts_falls) is not bool:
                raise ValueError(
                    f"'predicts_falls' must be true or false, not of type {type(environment.predicts_falls).__name__}"
                )
            numbers = {
                "friction": (environment.friction, 0.0, MAX_FRICTION),
                "sample rate": (environment.sample_rate, MIN_SAMPLE_RATE, MAX_SAMPLE_RATE),
            }
            for name, (value, least, most) in numbers.items():
                if not least <= value <= most:
                    raise ValueError(f"the {name} must be {least:g} to {most:g}, not {value:g}")
        except (KeyError, TypeError, ValueError, OverflowError, CtrlGraphError) as error:
            message = f"the log contains an environment that this version of ctrlgraph cannot read ({error})"
            raise RunLogError(message) from None
        return environment

    @property
    def digest(self) -> str:
        """Return a hash of the environment without the sample rate, which does not affect the motion.

        For a course, the points of the ground are hashed, so two descriptions of the same ground have the same hash.
        An environment that the first version of the log could describe has the same hash as in that version, so that
        old results are found.
        """
        data = self.as_dict() | {"engine": _as_first_logged(self.engine, self.settings)}
        if is_course(self.terrain):
            data["terrain"] = self.ground().digest
        del data["sample_rate"]
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:32]


def _body(data: Mapping[str, Any]) -> BodyScaling:
    """Return the scaling of a character from its JSON data in a log.

    Raises:
        ValueError, TypeError: the data does not describe a scaling, or a factor is out of range.
    """
    body = BodyScaling(**data)
    masses = tuple((str(name), float(factor)) for name, factor in body.masses)
    for factor in (body.length, body.torque, *(factor for _, factor in masses)):
        if not 0.0 < factor <= MAX_NUMBER:
            raise ValueError(f"each factor of 'body' must be above 0 and at most {MAX_NUMBER:g}, not {factor:g}")
    speed, rise = body.max_speed, body.rise_time
    if (speed is not None and not LOWEST_MAX_SPEED <= speed <= HIGHEST_MAX_SPEED) or not 0.0 <= rise <= LONGEST_RISE:
        raise ValueError(
            f"'max_speed' of 'body' must be {LOWEST_MAX_SPEED:g} to {HIGHEST_MAX_SPEED:g} rad/s and 'rise_time' 0 to "
            f"{LONGEST_RISE:g} s, not {speed} rad/s and {rise:g} s"
        )
    return dataclasses.replace(body, masses=masses)


def _as_first_logged(engine: str, settings: WorldSettings) -> dict[str, Any]:
    """Return an engine and its settings as JSON data, in the form of the first version of the log if possible.

    That version could describe only ODE, without distance pins and friction cones. Other engines and settings are
    returned in the present form.
    """
    data = {"name": engine, **dataclasses.asdict(settings)}
    if engine == "ode" and data["friction"] == "box":
        del data["friction"]
        if data["pins"] != "distances":
            data["hinges"] = data.pop("pins") == "hinges"
            del data["name"]
    return data
