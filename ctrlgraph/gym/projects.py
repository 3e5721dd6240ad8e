"""The project that an environment simulates, and the world of an episode."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.simulation import Simulation

SEED = "{seed}"
"""In the words of a terrain: a number that is drawn for each episode."""

_SEEDS = 2**31


class EpisodeWorld:
    """A simulation of a project's character, in a world that each episode may draw anew.

    Args:
        keep_trace: whether the motion of an episode is kept, to be drawn.
    """

    def __init__(
        self,
        project: Project | str | os.PathLike[str] | None,
        terrain: str,
        friction: float,
        engine: str | None,
        *,
        keep_trace: bool = False,
    ) -> None:
        """
        Raises:
            CtrlGraphError: there is no such project, terrain or engine.
        """
        if isinstance(project, Project):
            self.project = project
        else:
            self.project = Project.find(engine=engine) if project is None else Project(Path(project), engine=engine)
        if not 0.0 <= friction <= 10.0:
            raise CtrlGraphError(f"friction is within 0 and 10, not {friction:g}")
        self._terrain, self._friction, self._keep_trace = terrain, friction, keep_trace
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
        """Return a simulation at its start, in a world drawn by `rng`."""
        seed = int(rng.integers(_SEEDS))
        if self._simulation is None or SEED in self._terrain:
            self.close()
            self.environment = self._drawn(seed)
            self._simulation = self.environment.simulation(self.project.character, seed, keep_trace=self._keep_trace)
        self._simulation.disturb()
        self._simulation.seed = seed
        self._simulation.reset()
        return self._simulation

    def close(self) -> None:
        """Free the simulation."""
        if self._simulation is not None:
            self._simulation.close()
            self._simulation = None

    def _drawn(self, seed: int) -> Environment:
        return self.project.environment(self._terrain.replace(SEED, str(seed)), self._friction)
