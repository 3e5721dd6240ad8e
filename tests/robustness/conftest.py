"""A project to test, and a sweep's parts that need no physics."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ctrlgraph.project.project import Project
from ctrlgraph.robustness.sweeps.sweep_log import SweepStore

sys.path.insert(0, str(Path(__file__).parent))  # worker processes import the stand-ins from here

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def project() -> Project:
    """The shipped project; nothing is written into it."""
    return Project(ROOT)


@pytest.fixture
def store(tmp_path: Path):
    with SweepStore.open(tmp_path / "runs") as store:
        yield store
