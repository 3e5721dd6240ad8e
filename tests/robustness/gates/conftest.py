"""The shipped project with gate files of one's own, and trials that nobody simulates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from small_project import make_project

from ctrlgraph.project.project import Project
from ctrlgraph.robustness.batch import TrialBatch
from ctrlgraph.robustness.gates.gate import Gate, load_gate
from ctrlgraph.simulation.trial import Trial

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static}
  squat: {script: controllers/poses/squat.t, args: [0.5], kind: static}
  rise: {script: controllers/poses/rise.t, args: [0.5]}
  prone: {script: controllers/poses/prone.t, kind: static}
edges: [{from: stand, to: squat}, {from: squat, to: rise}, {from: rise, to: stand}, {from: prone, to: stand},
  {from: "*", to: prone, kind: corrective, when: fallen forward}]
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(make_project(tmp_path, GRAPH))


@pytest.fixture
def gate_of(project: Project) -> Callable[[str], Gate]:
    """The gate of a text."""

    def load(text: str) -> Gate:
        path = project.directory / "gate.yaml"
        path.write_text(text)
        return load_gate(path, project)

    return load


class Work:
    """In place of simulations: of each target's trials at a point, those with an index below a number hold."""

    def __init__(self, **holding: int) -> None:
        self.holding = {name.replace("_to_", "->"): count for name, count in holding.items()}
        self.batches: list[TrialBatch] = []

    def __call__(self, batch: TrialBatch) -> list[Trial]:
        self.batches.append(batch)
        return [self._trial(batch, point, index) for point, index in batch.items]

    def _trial(self, batch: TrialBatch, point, index: int) -> Trial:
        steep = any(name == "slope" and value > 3 for name, value in point)
        holds = index < self.holding.get(batch.target, 1000) and not steep
        status, reason = ("completed", "") if holds else ("failed", f"torso 1.{index} is above 1")
        return Trial(batch.target, point, index, index, holds, holds, status, reason, 0, None, None, 1.0)


@pytest.fixture
def work() -> type[Work]:
    return Work
