"""Projects to walk in: one of fakes, one with real scripts and physics."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # worker processes import the fakes from here

import walk_fakes
from small_project import make_project

REAL_GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static, success: {torso: [-.3, .3]}}
  squat: {script: controllers/poses/squat.t, args: [0.5], kind: static, success: {com_height: [0.3, 0.9]}}
  rise: {script: controllers/poses/rise.t, args: [0.5], success: {torso: [-.3, .3]}}
  walk: {script: controllers/gaits/walk.t, cycles: [1, 3], bounds: {torso: [-1, 1], com_height: [0.6, 1.3]}}
  prone: {script: controllers/poses/prone.t, kind: static, success: {com_height: [0, .4]}}
  supine: {script: controllers/poses/supine.t, kind: static, success: {com_height: [0, .4]}}
edges: [{from: stand, to: squat}, {from: squat, to: rise}, {from: rise, to: stand},
  {from: stand, to: walk, weight: 2}, {from: walk, to: walk}, {from: walk, to: supine},
  {from: prone, to: stand}, {from: supine, to: stand},
  {from: "*", to: prone, kind: corrective, when: fallen forward},
  {from: "*", to: supine, kind: corrective, when: fallen backward}]
"""


@pytest.fixture
def project(tmp_path: Path) -> walk_fakes.FakeProject:
    return walk_fakes.FakeProject(make_project(tmp_path, walk_fakes.GRAPH, shipped=()))


def make_real_project(directory: Path) -> Path:
    """A project directory with the shipped scripts and a small graph of some of them."""
    return make_project(directory, REAL_GRAPH)


@pytest.fixture
def real_directory(tmp_path: Path) -> Path:
    return make_real_project(tmp_path / "project")


@pytest.fixture(scope="session")
def walked_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with one logged walk, to be copied."""
    from click.testing import CliRunner

    from ctrlgraph.cli.main import cli

    directory = make_real_project(tmp_path_factory.mktemp("walked") / "project")
    arguments = ["--project", str(directory), "walk", "--random", "--transitions", "5", "--seed", "11", "--json"]
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return directory


@pytest.fixture
def walked(walked_once: Path, tmp_path: Path) -> Path:
    """A project with one logged walk of 5 transitions, seed 11."""
    return Path(shutil.copytree(walked_once, tmp_path / "project"))
