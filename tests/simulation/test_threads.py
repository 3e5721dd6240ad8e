"""Simulations in several threads of one process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from ctrlgraph.project.project import Project
from ctrlgraph.simulation.simulation import Simulation


@pytest.mark.parametrize("engine", ["ode", pytest.param("mujoco", marks=pytest.mark.slow)])
def test_simulations_in_threads_are_those_in_a_row_bit_for_bit(engine: str) -> None:
    project = Project.find()

    def digest(name: str) -> str:
        found = ""
        for _ in range(3):
            with Simulation(project.character, engine=engine) as simulation:
                simulation.run(project.controller(name), cycles=2, timeout=4.0)
                found = simulation.history_digest()
        return found

    names = ["stand", "squat", "walk", "bow"]
    alone = [digest(name) for name in names]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(digest, names)) == alone
