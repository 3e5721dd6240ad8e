"""A small project with a log and sweeps that nobody simulated."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from small_project import make_project

from ctrlgraph.project.project import Project

sys.path.insert(0, str(Path(__file__).parent))

from report_samples import GRAPH, MemorySweeps, attempt, record


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A project without a log."""
    return make_project(tmp_path / "motions", GRAPH)


@pytest.fixture
def project(directory: Path) -> Project:
    return Project(directory)


@pytest.fixture
def logged(project: Project) -> Callable[..., None]:
    """Logs a run: `logged("1121-aaaaa", failures=3)` has 20 transitions to the squat of which 3 fail."""

    def log_run(run: str, failures: int = 0, started: float = 1e9, graph: str = "abcdef12", **world) -> None:
        with project.log() as log:
            log.begin_run(record(run, started, graph, **world))
            log.add(attempt(run, 0, "stand", None))
            for i in range(20):
                log.add(attempt(run, i + 1, "squat", "stand", ok=i >= failures))

    return log_run


@pytest.fixture
def sweeps() -> MemorySweeps:
    return MemorySweeps()
