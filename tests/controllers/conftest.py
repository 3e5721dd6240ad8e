"""The shipped project and one simulation for the tests of its controllers."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.project.project import Project
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.run import run_rollout
from ctrlgraph.simulation.simulation import Simulation, WorldSettings
from ctrlgraph.terrain.profile import LEVEL

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

    def run(
        self, name: str, cycles: int | None = None, timeout: float | None = None, after: str | None = None
    ) -> Outcome:
        """A node as the graph runs it, over the edge that leads to it from `after`."""
        graph = self.project.graph
        node, edge = graph.node(name), None if after is None else graph.planned_edge(after, name, LEVEL)
        repeated = cycles or node.cycles[0]
        return run_rollout(
            self.simulation, self.project.rollout(edge, node, repeated, self.simulation.preview, timeout=timeout)
        )

    def go(self, path: list[str]) -> Outcome:
        """From the start pose through the nodes; all but the last must succeed."""
        self.simulation.reset()
        before = None
        for name in path[:-1]:
            outcome = self.run(name, after=before)
            assert outcome.succeeded, f"{name}: {outcome.reason}"
            before = name
        return self.run(path[-1], after=before)


@pytest.fixture
def stage(project: Project) -> Stage:
    return Stage(project)
