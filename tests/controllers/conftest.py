"""The shipped project and one simulation for the tests of its controllers."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.project.project import Project
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.simulation import Simulation, WorldSettings
from ctrlgraph.simulation.snapshot import Snapshot
from ctrlgraph.terrain.terrain import LEVEL

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def project() -> Project:
    """The graph, scripts and character in the repository."""
    return Project(ROOT)


class Stage:
    """Runs nodes of the shipped graph one after another, each by its own conditions."""

    def __init__(
        self,
        project: Project,
        settings: WorldSettings | None = None,
        ends: dict[tuple[str, ...], Snapshot] | None = None,
    ) -> None:
        """Make a stage.

        Args:
            ends: where paths of these settings have come to; what is begun is not simulated again.
        """
        self.project = project
        self.simulation = Simulation(project.character, settings=settings, seed=1)
        self.ends = {} if ends is None else ends

    def run(
        self, name: str, cycles: int | None = None, timeout: float | None = None, after: str | None = None
    ) -> Outcome:
        """A node as the graph runs it, over the edge that leads to it from `after`."""
        graph = self.project.graph
        node, edge = graph.node(name), None if after is None else graph.planned_edge(after, name, LEVEL)
        repeated = cycles or node.cycles[0]
        return self.simulation.run_rollout(
            self.project.rollout(edge, node, repeated, self.simulation.preview, timeout=timeout)
        )

    def go(self, path: list[str]) -> Outcome:
        """From the start pose through the nodes; all but the last must succeed."""
        been = next((n for n in range(len(path) - 1, 0, -1) if tuple(path[:n]) in self.ends), 0)
        self.simulation.reset()
        if been:
            self.simulation.restore(self.ends[tuple(path[:been])])
        for n in range(been, len(path) - 1):
            outcome = self.run(path[n], after=path[n - 1] if n else None)
            assert outcome.succeeded, f"{path[n]}: {outcome.reason}"
            self.ends[tuple(path[: n + 1])] = self.simulation.snapshot()
        return self.run(path[-1], after=path[-2] if len(path) > 1 else None)


@pytest.fixture(scope="session")
def ends() -> dict[tuple[str, ...], Snapshot]:
    """Where the paths of all tests have come to."""
    return {}


@pytest.fixture
def stage(project: Project, ends: dict[tuple[str, ...], Snapshot]) -> Stage:
    return Stage(project, ends=ends)
