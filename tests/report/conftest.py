"""A small project with a synthetic log and sweeps."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from small_project import make_project

from ctrlgraph.project.project import Project

sys.path.insert(0, str(Path(__file__).parent))

from report_samples import GRAPH, MemorySweeps, log_run


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

    return partial(log_run, project)


@pytest.fixture
def sweeps() -> MemorySweeps:
    return MemorySweeps()
