"""Base class of the Gymnasium environments: the character of a project on ground that can be random in each episode."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

import gymnasium

from ctrlgraph.character.model import Character
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.gym.checks import InvalidValue, check_pictures, check_range
from ctrlgraph.gym.observation import Observation, Observer
from ctrlgraph.gym.rendering import Picture, Renderer, renderer_of
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.environment import MAX_FRICTION, Environment
from ctrlgraph.simulation.simulation import Simulation

SEED = "{seed}"
"""Placeholder in the text of a terrain. In each episode it is replaced by a random number."""

_SEEDS = 2**31

ProjectLike = Project | str | os.PathLike[str] | None
"""A project, its directory, or None for the project of the current directory or the nearest parent directory."""

Action = TypeVar("Action")


class GroundPosition(NamedTuple):
    """A position of a character on the ground."""

    x: float
    """Forward position of the centre of mass in the world, m."""
    y: float
    """Position of the centre of mass to the left, m; 0 in the plane."""
    heading: float
    """Direction in which the trunk points, rad, from the x axis to the left; 0 in the plane."""

    @classmethod
    def of(cls, simulation: Simulation) -> Self:
        """Return the present position in a simulation."""
        return cls(simulation.x, simulation.y, simulation.heading)

    def way_to(self, other: GroundPosition) -> float:
        """Return the distance to another position along the heading of this one, m."""
        return math.cos(self.heading) * (other.x - self.x) + math.sin(self.heading) * (other.y - self.y)

    def info(self, character: Character) -> dict[str, Any]:
        """Return the entries of an environment's `info`: `x`, and in space `y` and `heading`."""
        return self._asdict() if isinstance(character, SpatialCharacter) else {"x": self.x}


class ProjectEnvironment(gymnasium.Env[Observation, Action]):
    """Base class of Gymnasium environments that simulate the character of a project.

    Subclasses set `metadata` and `action_space`, and call `_observe_with`.

    Attributes:
        project: the project.
        character: the character of the project.
        render_mode: "rgb_array" if `render` returns pictures, else None.
    """

    def __init__(
        self,
        project: ProjectLike,
        terrain: str,
        friction: float,
        engine: str | None,
        render_mode: str | None,
        size: tuple[int, int],
    ) -> None:
        """
        Args:
            project: a project directory or a `Project`. None selects the project of the current directory or the
                nearest parent directory.
            terrain: terrain as text such as `slope=5`, or the path of a course file. `{seed}` in the text, as in
                `random:{seed}:60`, is replaced by a random number in each episode.
            friction: friction coefficient of the ground.
            engine: name of the physics engine; by default that of the project.
            render_mode: "rgb_array" if `render` returns pictures, else None.
            size: width and height of a picture, pixels.

        Raises:
            CtrlGraphError: The project, terrain or engine does not exist.
            InvalidValue: An argument is out of range.
        """
        check_pictures(render_mode, size)
        check_range("friction", friction, 0.0, MAX_FRICTION)
        self.project = _project(project, engine)
        self.character = self.project.character
        self.render_mode = render_mode
        self._terrain, self._friction, self._size = terrain, friction, size
        self._world = self._drawn(0)
        self._world.ground()
        self._simulation: Simulation | None = None
        self._renderer: Renderer | None = None

    @property
    def observation_names(self) -> tuple[str, ...]:
        """Return the names of the elements of an observation, in order."""
        return self._observer.names

    def _observe_with(self, observer: Observer) -> None:
        self._observer = observer
        self.observation_space = observer.space

    def _begin(self) -> Simulation:
        """Return the simulation for a new episode, with new ground if the terrain contains `{seed}`.

        The simulation must still be reset.
        """
        seed = int(self.np_random.integers(_SEEDS))
        if self._simulation is None or SEED in self._terrain:
            self.close()
            self._world = self._drawn(seed)
            self._simulation = self._world.simulation(self.character, seed, keep_trace=False)
        self._simulation.disturb()
        self._simulation.seed = seed
        return self._simulation

    def render(self) -> Picture | None:
        """Return a picture of the current state as RGB values, (height, width, 3).

        Without a render mode, and before the first episode, return None.
        """
        if self.render_mode is None or self._simulation is None:
            return None
        self._renderer = self._renderer or renderer_of(self.character, self._size)
        return self._renderer.draw(self._simulation, self._label())

    def _label(self) -> str:
        """Return the text in the corner of a picture."""
        return ""

    def close(self) -> None:
        """Free the simulation. The next reset creates another one."""
        if self._simulation is not None:
            self._simulation.close()
            self._simulation = None

    def _drawn(self, seed: int) -> Environment:
        return self.project.environment(self._terrain.replace(SEED, str(seed)), self._friction)


def _project(project: ProjectLike, engine: str | None) -> Project:
    """Return the project that the arguments of an environment select.

    Raises:
        CtrlGraphError: No project is found.
        InvalidValue: `project` is a `Project` with another engine than `engine`.
    """
    if isinstance(project, Project):
        if engine not in (None, project.engine):
            raise InvalidValue(f"'project' uses the engine {project.engine}: create the Project with engine={engine!r}")
        return project
    return Project.find(engine=engine) if project is None else Project(Path(project), engine=engine)
