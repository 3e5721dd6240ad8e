"""The shipped robot on four legs does what its graph says, on both engines, and repeats bit for bit."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph import Project, Push, Simulation
from ctrlgraph.engine.disturbance import TorqueNoise
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.model import Edge
from ctrlgraph.robustness.evaluation_plan import evaluation_plans, target_hashes
from ctrlgraph.robustness.sweeps.sweep import run_sweeps
from ctrlgraph.robustness.sweeps.sweep_log import Sweep, SweepStore
from ctrlgraph.robustness.worker_pool import open_pool
from ctrlgraph.walks.random_run import walk_random

from .conftest import ROOT

DIRECTORY = ROOT / "projects" / "quadruped"
GRAPH = Project(DIRECTORY).graph
EDGES = [edge for name in GRAPH.nodes for edge in GRAPH.planned_edges(name)]


@pytest.fixture(scope="module", params=["mujoco", pytest.param("ode", marks=pytest.mark.slow)])
def simulation(request: pytest.FixtureRequest) -> Iterator[Simulation]:
    project = Project(DIRECTORY, engine=request.param)
    with project.environment().simulation(project.character) as simulation:
        yield simulation


def go(simulation: Simulation, *nodes: str) -> str:
    """Run nodes one after another from the start pose; return why the first failure failed."""
    project = Project(DIRECTORY, engine=simulation.engine)
    simulation.reset()
    for name in nodes:
        outcome = simulation.run_rollout(project.rollout(None, name, GRAPH.node(name).cycles[0]))
        if not outcome.succeeded:
            return f"{name}: {outcome.reason}"
    return ""


@pytest.mark.parametrize("edge", EDGES, ids=str)
def test_every_edge_leads_to_its_target(simulation: Simulation, edge: Edge) -> None:
    assert go(simulation, *GRAPH.shortest_paths(GRAPH.start)[edge.source], edge.target) == ""


def test_a_snapshot_continues_bit_for_bit(simulation: Simulation) -> None:
    project = Project(DIRECTORY, engine=simulation.engine)
    go(simulation, "stand")
    snapshot = simulation.snapshot()
    digests = []
    for _ in range(2):
        simulation.restore(snapshot)
        simulation.run_rollout(project.rollout(None, "leap", 1))
        digests.append(simulation.history_digest())
    assert digests[0] == digests[1]


def test_another_process_repeats_every_bit(simulation: Simulation) -> None:
    go(simulation, "stand", "leap")
    code = (
        f"from ctrlgraph import Project\np = Project({str(DIRECTORY)!r}, engine={simulation.engine!r})\n"
        "with p.environment().simulation(p.character) as s:\n"
        "    for name in ('stand', 'leap'):\n"
        "        s.run_rollout(p.rollout(None, name, 1))\n"
        "    print(s.history_digest())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == simulation.history_digest()


@pytest.mark.parametrize("engine", ["mujoco", pytest.param("ode", marks=pytest.mark.slow)])
def test_walks_and_sweeps_are_the_same_bit_for_bit_with_one_and_two_workers(tmp_path: Path, engine: str) -> None:
    histories, sweeps = [], []
    for jobs in (1, 2):
        shutil.copytree(DIRECTORY, tmp_path / f"{jobs}")
        project = Project(tmp_path / f"{jobs}", engine=engine)
        run = walk_random(project, transitions=4, walks=3, seed=5, jobs=jobs).run
        with project.read_log() as log:
            rows = sorted(log.attempts(run), key=lambda row: (row.walk, row.position))
        histories.append([(row.walk, row.node, row.exit_digest, row.history_digest) for row in rows])
        with SweepStore.open(project.directory / "runs") as store, open_pool(jobs) as pool:
            axes = (("push", (0.0, 60.0)), ("push_yaw", (0.0, 90.0)))
            hashes = target_hashes(project, evaluation_plans(project.graph, "stand->hop"))
            sweep = Sweep("one", "stand->hop", axes, 2, 5, {"noise": 0.05, "engine": engine}, hashes=hashes)
            store.begin(sweep)
            (result,) = run_sweeps(project, store, [sweep], pool)
            sweeps.append(result.trials)
    assert histories[0] == histories[1]
    assert len({history for *_, history in histories[0]}) == 13  # the three walks differ after their common start
    assert sweeps[0] == sweeps[1]
    assert len({trial.seed for trial in sweeps[0]}) == len(sweeps[0]) == 8


def test_pushes_from_the_side_move_it_sideways_and_strong_ones_topple_it(simulation: Simulation) -> None:
    project, tilts = Project(DIRECTORY, engine=simulation.engine), []
    for force in (60.0, 600.0):
        go(simulation, "stand")
        start, y = simulation.time, float(simulation.kinematics.com[1])
        simulation.disturb([Push(start, 0.1, "trunk", x=0.0, side=force)])
        simulation.run(project.controller("stand"), timeout=0.15)
        assert simulation.kinematics.com[1] > y + 0.005
        simulation.run(project.controller("stand"), timeout=3.0)
        tilts.append(simulation.tilt)
        simulation.disturb()
    assert tilts[0] < 0.1 and tilts[1] > 1.0


def test_torques_stay_within_their_limits_under_noise(simulation: Simulation) -> None:
    project = Project(DIRECTORY, engine=simulation.engine)
    joints = simulation.character.joints
    go(simulation, "stand")
    shares = np.random.default_rng(1).normal(0.0, 0.5, (60, len(joints)))
    simulation.disturb(noise=TorqueNoise(simulation.time, 0.05, shares))
    simulation.run_rollout(project.rollout(None, "hop", 1))
    peak = simulation.last_trace.joint_peak.max(axis=0)
    simulation.disturb()
    for j, joint in enumerate(joints):
        assert peak[j, 1] <= -joint.hard_torque_limit.lower + 1e-9
        assert peak[j, 2] <= joint.hard_torque_limit.upper + 1e-9


def test_a_script_is_refused_with_the_reason(tmp_path) -> None:
    project = Project(DIRECTORY)
    with pytest.raises(CtrlGraphError, match="drive planar characters, but the character quadruped is spatial"):
        project.compile(ROOT / "controllers" / "poses" / "stand.t", (0.5, 0.5))
