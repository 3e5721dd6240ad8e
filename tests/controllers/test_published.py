"""The published constants (Firmin 2014, appendix A), unchanged, drive the shipped character."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import slow

from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.simulation import Simulation


class Published:
    """Runs published scripts, one after another."""

    def __init__(self, project: Project, directory: Path) -> None:
        self.library = ScriptLibrary([directory])
        self.character = project.character
        self.simulation = Simulation(self.character)

    def run(self, stem: str, *args: float, cycles: int = 1, timeout: float = 20.0) -> Outcome:
        path = self.library.find(stem)
        assert path is not None
        program = compile_script(self.library, path, args, self.character)
        return self.simulation.run(program, cycles=cycles, timeout=timeout)


@pytest.fixture
def published(project: Project, published_directory: Path) -> Published:
    return Published(project, published_directory)


@pytest.mark.slow
@pytest.mark.parametrize("gait", ["walkonce", "fastwalkonce", "runonce"])
def test_published_gaits_go_sixty_seconds_without_falling(published: Published, gait: str) -> None:
    published.run("standVFFB", 0.5, 0.5)
    outcome = published.run(gait, cycles=1000, timeout=60.0)
    assert outcome.measures["min_com_height"] > 0.7
    assert outcome.measures["distance"] > 50.0


def test_the_published_stand_balances_and_comes_to_rest(published: Published) -> None:
    outcome = published.run("standVFFB", 0.5, 0.5)
    assert outcome.succeeded
    assert outcome.measures["com_height"] > 0.9
    assert outcome.measures["com_speed"] < 0.01


def test_the_published_squat_and_stand_alternate(published: Published) -> None:
    published.run("standVFFB", 0.5, 0.5)
    for _ in range(3):
        squat = published.run("squatVFFB", 1.0)
        assert 0.45 < squat.measures["com_height"] < 0.75
        stand = published.run("standVFFB", 1.0, 1.0)
        assert stand.measures["com_height"] > 0.9


@pytest.mark.parametrize("cycles", [2, *slow(1, 4, 8)])
def test_the_published_walk_to_stop_brings_the_walk_to_a_stand(published: Published, cycles: int) -> None:
    published.run("standVFFB", 0.5, 0.5)
    published.run("walkonce", cycles=cycles)
    published.run("walk2stop", -0.2, -0.15)
    outcome = published.run("standVFFB", 0.5, 0.5)
    assert outcome.succeeded
    assert outcome.measures["com_height"] > 0.9
