"""The world that a rollout happens in: the ground, the engine's settings, and what the body is scaled by."""

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
from ctrlgraph.engine.settings import MAX_NUMBER, WorldSettings
from ctrlgraph.errors import CtrlGraphError, RunLogError
from ctrlgraph.terrain.profile import Terrain, TerrainPreview
from ctrlgraph.terrain.words import is_course, parse, written_out

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.simulation.simulation import Simulation


MAX_FRICTION = 10.0


@checked
@dataclass(frozen=True, slots=True)
class BodyScaling:
    """What the project's character is multiplied by.

    masses: factors by the link's name, of all links by ""; length: of all lengths; torque: of all torque limits.
    """

    masses: tuple[tuple[str, float], ...] = ()
    length: float = 1.0
    torque: float = 1.0

    def of(self, character: Character) -> Character:
        """Return the character, scaled.

        Raises:
            CtrlGraphError: it has no such link.
        """
        changed = character
        if self.masses:
            changed = scale_masses(changed, dict(self.masses))
        if self.length != 1.0:
            changed = scale_lengths(changed, self.length)
        if self.torque != 1.0:
            changed = scale_torques(changed, self.torque)
        return changed


AS_IT_IS = BodyScaling()


@checked
@dataclass(frozen=True, slots=True)
class Environment:
    """A world, and the body in it.

    terrain: in the words of the command line; friction: of the ground; engine: its name; settings: the engine's own, or
    those that all have, which are completed; sample_rate: of the trace, 1/s, of a world that was logged 1 to 100,000.

    Raises:
        CtrlGraphError: there is no such engine.
        TerrainError: no course is drawn like that.
        SimulationError: the settings are another engine's.

    >>> from ctrlgraph import Environment
    >>> Environment("slope=2").preview.slope
    2.0
    """

    terrain: str = "flat"
    friction: float = 1.0
    engine: str = DEFAULT_ENGINE
    settings: WorldSettings = field(default_factory=WorldSettings)
    sample_rate: float = 100.0
    body: BodyScaling = AS_IT_IS

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", ENGINES[self.engine].settings.completed(self.settings))
        if isinstance(self.terrain, str):
            # a run is logged with the course that was drawn, not with how it was drawn
            object.__setattr__(self, "terrain", written_out(self.terrain))

    def ground(self) -> Terrain:
        """Return the ground.

        Raises:
            TerrainError: the words describe no terrain.
        """
        return parse(self.terrain, self.friction)

    @property
    def preview(self) -> TerrainPreview:
        """Return the ground where a walk begins: it decides over which edges a node is entered and left.

        Raises:
            TerrainError: the words describe no terrain.
        """
        return self.ground().preview(0.0)

    @checked
    def simulation(self, character: Character, seed: int = 0, *, keep_trace: bool = True) -> Simulation:
        """Return a new simulation of the character, scaled; a long walk keeps no trace of the whole.

        Raises:
            TerrainError: the words describe no terrain.
            CtrlGraphError: a link that is scaled is not the character's.
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
        """Return it as the log keeps it; a body as it is is left out."""
        data: dict[str, Any] = {
            "terrain": self.terrain,
            "friction": self.friction,
            "engine": {"name": self.engine, **dataclasses.asdict(self.settings)},
            "sample_rate": self.sample_rate,
        }
        return data if self.body == AS_IT_IS else data | {"body": dataclasses.asdict(self.body)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Environment:
        """Return what the log keeps (`as_dict`).

        Raises:
            RunLogError: the data is of another version, or no world could be like that.
        """
        try:
            engine, settings = _engine(data["engine"])
            body = {"body": _body(data["body"])} if "body" in data else {}
            environment = cls(**{**data, "engine": engine, "settings": settings, **body})
            if type(environment.terrain) is not str:
                raise ValueError(f"'terrain' is a {type(environment.terrain).__name__}")
            numbers = {
                "friction": (environment.friction, 0.0, MAX_FRICTION),
                "sample rate": (environment.sample_rate, MIN_SAMPLE_RATE, MAX_SAMPLE_RATE),
            }
            for name, (value, least, most) in numbers.items():
                if not least <= value <= most:
                    raise ValueError(f"a {name} of {value:g}")
        except (KeyError, TypeError, ValueError, CtrlGraphError) as error:
            raise RunLogError(f"the log describes a world that this version does not know ({error})") from None
        return environment

    @property
    def digest(self) -> str:
        """Return the hash of what decides a motion's chances; the sampling does not.

        A course counts as what it is, however it was described. A world as the first logs had them has the hash that
        their evidence is kept by.
        """
        data = self.as_dict() | {"engine": _as_first_logged(self.engine, self.settings)}
        if is_course(self.terrain):
            data["terrain"] = self.ground().digest
        del data["sample_rate"]
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:32]


def _body(data: Mapping[str, Any]) -> BodyScaling:
    """
    Raises:
        ValueError, TypeError: it is no scaling of a body.
    """
    body = BodyScaling(**data)
    masses = tuple((str(name), float(factor)) for name, factor in body.masses)
    for factor in (body.length, body.torque, *(factor for _, factor in masses)):
        if not 0.0 < factor <= MAX_NUMBER:
            raise ValueError(f"a body scaled by {factor:g}")
    return dataclasses.replace(body, masses=masses)


def _as_first_logged(engine: str, settings: WorldSettings) -> dict[str, Any]:
    """How the log kept an engine before there were two of them, other pins than balls and hinges, and cones."""
    data = {"name": engine, **dataclasses.asdict(settings)}
    if engine == "ode" and data["friction"] == "box":
        del data["friction"]
        if data["pins"] != "distances":
            data["hinges"] = data.pop("pins") == "hinges"
            del data["name"]
    return data


def _engine(data: Mapping[str, Any]) -> tuple[str, WorldSettings]:
    """Return the engine's name and settings; a log without the name was written when ODE was the only engine, and held
    its joints by balls or hinges; one without a sort of friction knew only the box.

    Raises:
        TypeError, CtrlGraphError: there is no such engine, or it has no such settings.
    """
    settings = dict(data)
    name = settings.pop("name", None)
    if name is None:
        name = "ode"
        settings["pins"] = "hinges" if settings.pop("hinges", False) else "balls"
    if name == "ode":
        settings.setdefault("friction", "box")  # the only one before there was a choice
    return str(name), ENGINES[str(name)].settings(**settings)
