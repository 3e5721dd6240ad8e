"""The project that an environment simulates, and the world of an episode."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypedDict

import numpy as np

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.gym.checks import InvalidValue, check_names, checked_number, checked_word
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.environment import MAX_FRICTION, Environment
from ctrlgraph.simulation.simulation import Simulation

SEED = "{seed}"
"""Placeholder in a terrain's text for a number drawn for each episode."""

_SEEDS = 2**31


ProjectLike = Project | str | os.PathLike[str] | None
"""A project, its directory, or None for the nearest project upwards."""


class WorldArguments(TypedDict, total=False):
    """Arguments of every environment for its world."""

    terrain: str
    """Terrain as text or the path of a course file. Default: level ground. `{seed}` in it is replaced by a number drawn
    for each episode, as in `random:{seed}:60`."""
    friction: float
    """Friction coefficient of the ground. Default: 1."""
    engine: str | None
    """Name of the engine. Default: the engine of the project. A `Project` has its own."""


class EpisodeWorld:
    """A simulation of a project's character, in a world that may be drawn for each episode.

    Args:
        project: the project, its directory, or None.
        given: terrain, friction and engine.
        keep_trace: whether to keep the motion of an episode for drawing.
    """

    def __init__(self, project: ProjectLike, given: WorldArguments, *, keep_trace: bool = False) -> None:
        """
        Raises:
            CtrlGraphError: The project, terrain or engine does not exist.
            InvalidValue: An argument is unknown, invalid, or of the wrong type.
        """
        check_names(given, tuple(WorldArguments.__annotations__))
        self._terrain = checked_word("terrain", given.get("terrain", "flat"))
        self._friction = checked_number("friction", given.get("friction", 1.0), 0.0, MAX_FRICTION)
        self._keep_trace = keep_trace
        self.project = _project(project, given.get("engine"))
        self.environment = self._drawn(0)
        self.environment.ground()
        self._simulation: Simulation | None = None

    @property
    def simulation(self) -> Simulation:
        """Return the simulation of the episode."""
        if self._simulation is None:
            raise CtrlGraphError("the environment is closed, or was not reset")
        return self._simulation

    @property
    def is_closed(self) -> bool:
        """Tell whether there is no episode."""
        return self._simulation is None

    def begin(self, rng: np.random.Generator) -> Simulation:
        """Return a simulation, not yet reset, in a world drawn by `rng`."""
        seed = int(rng.integers(_SEEDS))
        if self._simulation is None or SEED in self._terrain:
            self.close()
            self.environment = self._drawn(seed)
            self._simulation = self.environment.simulation(self.project.character, seed, keep_trace=self._keep_trace)
        self._simulation.disturb()
        self._simulation.seed = seed
        return self._simulation

    def close(self) -> None:
        """Free the simulation."""
        if self._simulation is not None:
            self._simulation.close()
            self._simulation = None

    def _drawn(self, seed: int) -> Environment:
        return self.project.environment(self._terrain.replace(SEED, str(seed)), self._friction)


def _project(project: object, engine: object) -> Project:
    """Return the project of an argument.

    Raises:
        CtrlGraphError: There is no project.
        InvalidValue: The argument is not a project, or a `Project` is combined with another engine.
    """
    name = None if engine is None else checked_word("engine", engine)
    if isinstance(project, Project):
        if name not in (None, project.engine):
            raise InvalidValue(f"this Project simulates on {project.engine}: make it with engine={name!r} instead")
        return project
    if project is None:
        return Project.find(engine=name)
    if not isinstance(project, str | os.PathLike):
        raise InvalidValue(f"project is a directory or a Project, not {project!r:.40}")
    return Project(Path(project), engine=name)
