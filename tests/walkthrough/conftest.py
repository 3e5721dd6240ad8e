"""Projects to walk in: one of fakes, one with real scripts and physics."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # worker processes import the fakes from here

import walk_fakes

ROOT = Path(__file__).parents[2]

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
edges:
  - {from: stand, to: squat}
  - {from: squat, to: rise}
  - {from: rise, to: [stand]}
  - {from: stand, to: walk, weight: 2}
  - {from: walk, to: walk}
  - {from: walk, to: supine}
  - {from: prone, to: stand}
  - {from: supine, to: stand}
  - {from: "*", to: prone, kind: corrective, when: fallen forward}
  - {from: "*", to: supine, kind: corrective, when: fallen backward}
""".replace("to: [stand]", "to: stand")


@pytest.fixture
def project(tmp_path: Path) -> walk_fakes.FakeProject:
    (tmp_path / "graph.yaml").write_text(walk_fakes.GRAPH)
    return walk_fakes.FakeProject(tmp_path)


@pytest.fixture
def real_directory(tmp_path: Path) -> Path:
    """A project directory with some of the shipped scripts."""
    for name in ("controllers", "characters"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "graph.yaml").write_text(REAL_GRAPH)
    return tmp_path
