"""Walks with pushes and torque noise: drawn by seed and time alone, logged, and replayed bit for bit."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from conftest import REAL_GRAPH
from small_project import make_project

from ctrlgraph.cli.main import cli
from ctrlgraph.errors import RunLogError
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.disturbances import PUSH_S, Disturbances
from ctrlgraph.simulation.environment import BodyScaling, Environment
from ctrlgraph.walks import lookahead
from ctrlgraph.walks.lookahead import LookAhead
from ctrlgraph.walks.random_run import RunSummary, walk_random
from ctrlgraph.walks.replay import WHOLE, WalkReplay, replay_walk

BOTH_ENGINES = pytest.mark.parametrize("engine", ["ode", pytest.param("mujoco", marks=pytest.mark.slow)])
GENTLE = Disturbances(5, 10, 0.5, 0.002)
STRONG = Disturbances(300, 400, 2)


def attempts(project: Project, run: RunSummary, walk: int = 0) -> list:
    with project.read_log() as log:
        return list(log.attempts(run.run, walk=walk))


def histories(project: Project, run: RunSummary, walk: int = 0) -> list[tuple[str, str]]:
    return [(each.node, each.history_digest) for each in attempts(project, run, walk)]


def replayed(project: Project, run: RunSummary, shown: tuple[float, float] = WHOLE) -> WalkReplay:
    with project.read_log() as log:
        return replay_walk(project, log, log.run(run.run), 0, verify=True, whole=shown == WHOLE, draw=True, shown=shown)


@BOTH_ENGINES
def test_a_disturbed_walk_is_the_same_again_bit_for_bit(small: Project, engine: str) -> None:
    world = Environment(engine=engine, disturbances=GENTLE, body=BodyScaling(torque=0.98))
    first, again = (walk_random(small, transitions=2, seed=3, world=world) for _ in range(2))
    plain = walk_random(small, transitions=2, seed=3, world=Environment(engine=engine))
    assert histories(small, first) == histories(small, again)
    assert replayed(small, first).difference is None
    assert [node for node, _ in histories(small, plain)] == [node for node, _ in histories(small, first)]
    pairs = zip(histories(small, plain)[1:], histories(small, first)[1:], strict=True)
    assert all(undisturbed != disturbed for undisturbed, disturbed in pairs)
    assert first.as_dict()["pushes"] > 0 and "pushes" not in plain.as_dict()
    logged, undisturbed = ({each.edge_hash for each in attempts(small, run)} for run in (first, plain))
    assert not logged & undisturbed  # evidence is not mixed


@pytest.mark.slow
def test_a_replay_from_a_reset_in_the_middle_gets_the_same_pushes(small: Project) -> None:
    run = walk_random(small, transitions=8, seed=1, world=Environment(disturbances=STRONG))
    done = attempts(small, run)
    reset = next(each for each in done[2:] if each.edge_kind == "start")
    assert replayed(small, run).difference is None
    part = replayed(small, run, (reset.started_s, done[-1].started_s))
    assert part.attempts[0].position == reset.position and part.difference is None
    assert part.compared_states > 0


@pytest.mark.slow
def test_disturbed_walks_do_not_depend_on_the_number_of_jobs(small: Project) -> None:
    world = Environment(disturbances=Disturbances(100, 400, 1, 0.02))
    one, two = (walk_random(small, transitions=5, walks=2, seed=5, jobs=jobs, world=world) for jobs in (1, 2))
    assert one.pushes == two.pushes
    assert [histories(small, one, walk) for walk in (0, 1)] == [histories(small, two, walk) for walk in (0, 1)]


@BOTH_ENGINES
def test_a_push_moves_the_centre_of_mass_its_way(small: Project, engine: str) -> None:
    world = Environment(engine=engine, disturbances=Disturbances(100, 200))
    moved = []
    for at, force in world.disturbances.pushes(7, 0.0, 30.0):
        if len(world.disturbances.pushes(7, at - 0.2 - PUSH_S, at + PUSH_S)) > 1:
            continue
        velocities = []
        for disturbances in (world.disturbances, Disturbances()):
            with world.simulation(small.character) as simulation:
                disturbances.disturb(simulation, 7, at - 0.2, 0.2 + PUSH_S)
                simulation.run(small.controller("stand"), timeout=0.2 + PUSH_S)
                velocities.append(float(simulation.trace.com_velocity[-1, 0]))
        change, impulse = velocities[0] - velocities[1], force * PUSH_S / small.character.mass
        moved.append(change / impulse)
    assert len(moved) > 4 and min(moved) > 0.9 and max(moved) < 1.4


def test_pushes_are_a_function_of_seed_and_time() -> None:
    disturbances = Disturbances(100, 300, 3)
    whole = disturbances.pushes(5, 0.0, 12_000.0)
    cuts = [0.0, 1.3, 59.9, 60.0, 60.1, 400.0, 12_000.0]
    parts = [push for a, b in pairwise(cuts) for push in disturbances.pushes(5, a, b)]
    assert parts == whole != disturbances.pushes(6, 0.0, 12_000.0)
    times, forces = np.array(whole).T
    gaps = np.diff(times)
    assert abs(gaps.mean() - 3.0) < 0.1 and abs(gaps.std() - 3.0) < 0.15  # exponential
    assert 100 <= abs(forces).min() < 101 and 299 < abs(forces).max() <= 300
    assert abs((forces > 0).mean() - 0.5) < 0.02
    assert abs(len(Disturbances(1, 2, 600).pushes(5, 0.0, 600_000.0)) - 1000) < 100  # rarer than one a slot


def test_the_planner_does_not_feel_the_pushes_of_the_walk(small: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookahead, "MAX_TRIES", 2)
    shaken = Environment(disturbances=Disturbances(4000, 5000, 0.1))
    with shaken.simulation(small.character) as simulation:
        simulation.run(small.controller("stand"), timeout=0.5)
        shaken.disturbances.disturb(simulation, 1, 0.5, 1.0)
        snapshot = simulation.snapshot()
    prospects = []
    for world in (shaken, Environment()):
        with LookAhead(small, world, 1) as planner:
            prospects.append((planner.plan("stand", snapshot), planner.simulated_s))
    assert prospects[0] == prospects[1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("pushes=100", "pushes must be LOW:HIGH[:GAP], such as 100:300:3, not '100'"),
        ("pushes=1:nan", "pushes must be LOW:HIGH[:GAP], such as 100:300:3, not '1:nan'"),
        (
            "pushes=300:100",
            "the forces of pushes must be 0 <= LOW <= HIGH <= 10000 N, but LOW is 300 N and HIGH is 100 N",
        ),
        ("pushes=1:2:0", "the mean time between pushes must be 0.1 to 3600 s, not 0 s"),
        ("actuator_noise=3", "actuator_noise must be within 0 and 2, not 3"),
        ("mass=0", "mass must be within 0.1 and 10 x, not 0"),
    ],
)
def test_a_bad_disturbance_is_one_sentence(small: Project, words: str, sentence: str) -> None:
    for command in (["walk"], ["walk", "--courses", "1"], ["goto", "squat"]):
        result = CliRunner().invoke(cli, ["--project", str(small.directory), *command, "--with", words])
        assert (result.exit_code, str(result.exception)) == (1, sentence)
    assert not small.runs_directory.exists()


STEP = "{from: [stand, squat, rise], to: walk, kind: corrective, when: falling forward}"
STEPS_FORWARD = REAL_GRAPH.replace(
    "edges: [", f"edges: [{{from: squat, to: walk, weight: 0}}, {{from: walk, to: stand}}, {STEP}, "
)


@pytest.mark.slow
def test_a_walk_with_predicted_falls_takes_steps_and_is_the_same_again(tmp_path: Path) -> None:
    project = Project(make_project(tmp_path / "project", STEPS_FORWARD))
    world = Environment(disturbances=Disturbances(150, 250, 1), predicts_falls=True)
    run = walk_random(project, transitions=4, seed=10, world=world)
    done = attempts(project, run)
    steps = [each for each in done if each.condition == "falling forward"]
    assert steps and all(each.node == "walk" for each in steps)
    assert all(done[each.position - 1].reason == "a fall forward is predicted" for each in steps)
    assert replayed(project, run).difference is None  # the tries leave no trace
    with project.read_log() as log:
        assert Environment.from_dict(log.run(run.run).settings["world"]) == world
    without = walk_random(project, transitions=4, seed=10, world=replace(world, predicts_falls=False))
    assert not any("predicted" in each.reason for each in attempts(project, without))
    assert {each.edge_hash for each in done}.isdisjoint(each.edge_hash for each in attempts(project, without))


def test_a_logged_disturbance_out_of_range_is_refused(small: Project) -> None:
    arguments = ["--project", str(small.directory), "goto", "squat", "--json", "--with", "pushes=20:40:1"]
    result = CliRunner().invoke(cli, [*arguments, "--with", "mass=1.01"], catch_exceptions=False)
    run = json.loads(result.stdout)["run"]
    with sqlite3.connect(small.runs_directory / "runs.sqlite") as connection:
        connection.execute("UPDATE runs SET settings = json_set(settings, '$.world.disturbances.gap', 1e-300)")
    connection.close()
    with small.read_log() as log, pytest.raises(RunLogError) as raised:
        replay_walk(small, log, log.run(run), 0)
    assert str(raised.value) == (
        "the log contains an environment that this version of ctrlgraph cannot read"
        " (the mean time between pushes must be 0.1 to 3600 s, not 1e-300 s)"
    )
