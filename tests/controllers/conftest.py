"""The shipped project and one simulation for the tests of its controllers."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.outcome import Outcome
from ctrlgraph.project import Project
from ctrlgraph.simulation import Simulation, WorldSettings

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def project() -> Project:
    """The graph, scripts and character in the repository."""
    return Project(ROOT)


class Stage:
    """Runs nodes of the shipped graph one after another, each by its own conditions."""

    def __init__(self, project: Project, settings: WorldSettings | None = None) -> None:
        self.project = project
        self.simulation = Simulation(project.character, settings=settings, seed=1)

    def run(self, name: str, cycles: int | None = None, timeout: float | None = None) -> Outcome:
        node = self.project.graph.node(name)
        return self.simulation.run(
            self.project.program(name),
            cycles=cycles or node.cycles[0],
            timeout=timeout or node.timeout,
            success=node.success,
            bounds=node.bounds,
        )

    def go(self, path: list[str]) -> Outcome:
        """From the start pose through the nodes; all but the last must succeed."""
        self.simulation.reset()
        for name in path[:-1]:
            outcome = self.run(name)
            assert outcome.succeeded, f"{name}: {outcome.reason}"
        return self.run(path[-1])


@pytest.fixture
def stage(project: Project) -> Stage:
    return Stage(project)
