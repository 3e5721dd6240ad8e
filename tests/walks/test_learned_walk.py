"""Walks over learned edges and adapted nodes on the real engine: what runs, how it is judged, and its replay."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_project import OLD_HUMANOID, make_project

from ctrlgraph.errors import SourceError
from ctrlgraph.project.learned import LearnedFile, LearnedPart, constants_of
from ctrlgraph.project.learned_writer import write_learned
from ctrlgraph.project.project import Project
from ctrlgraph.run_log.record import AttemptRecord
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walks.goal_walk import go_to
from ctrlgraph.walks.random_run import walk_random
from ctrlgraph.walks.replay import replay_walk

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static}
  walk: {script: controllers/gaits/walk.t, cycles: [2, 2], bounds: {com_height: [0.6, 1.3]}}
  stop: {script: controllers/gaits/walk_to_stop.t, args: [0, -0.1], kind: static}
edges: [{from: stand, to: walk}, {from: walk, to: stop}, {from: stop, to: stand}]
"""
LEARNED = "to: stop, kind: learned, parameters: learned/walk-stop.yaml}"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return make_project(tmp_path, GRAPH, origin=OLD_HUMANOID)


def part(directory: Path, node: str, values: dict[int, float], cycles: int | None = None) -> LearnedPart:
    program = Project(directory).program(node)
    return LearnedPart(program=program.digest, cycles=cycles, constants=constants_of(program, values))


def learn(directory: Path, **parts: LearnedPart) -> None:
    """Make walk -> stop a learned edge."""
    write_learned(directory / "learned" / "walk-stop.yaml", LearnedFile(edge="walk -> stop", **parts))
    (directory / "graph.yaml").write_text(GRAPH.replace("to: stop}", LEARNED))


def walked(directory: Path, goal: str = "stop", terrain: str = "flat") -> list[AttemptRecord]:
    """The attempts of a walk to a node."""
    project = Project(directory)
    summary = go_to(project, goal, seed=5, world=Environment(terrain), keep_states=False)
    with project.read_log() as log:
        return list(log.attempts(summary.run))


@pytest.mark.slow
def test_a_learned_edge_that_changes_nothing_is_the_naive_one_bit_for_bit(directory: Path):
    naive = walked(directory)
    learn(directory, target=part(directory, "stop", {}))
    same = walked(directory)
    learn(directory, source=part(directory, "walk", {}, cycles=1), target=part(directory, "stop", {}))
    (directory / "graph.yaml").write_text(
        (directory / "graph.yaml").read_text().replace("cycles: [2, 2]", "cycles: [1, 1]")
    )
    led = walked(directory)  # the second cycle of the walk belongs to the edge now
    assert [a.edge_kind for a in same] == ["start", "naive", "learned"]
    for attempts in (same, led):
        assert attempts[-1].history_digest == naive[-1].history_digest
        assert attempts[-1].exit_digest == naive[-1].exit_digest
    assert led[-1].entry_digest != naive[-1].entry_digest


@pytest.mark.slow
def test_success_is_measured_from_the_beginning_of_the_target(directory: Path):
    alone = walked(directory)[-1]
    learn(directory, source=part(directory, "walk", {}, cycles=2), target=part(directory, "stop", {}))
    course = walked(directory)[-1]
    lead = course.simulated_s - alone.simulated_s
    assert 1.0 < lead < 2.0  # two cycles of the walk
    text = (directory / "graph.yaml").read_text()
    limit = f"args: [0, -0.1], kind: static, success: {{duration: [0, {alone.simulated_s + 0.5 * lead:.2f}]}}"
    (directory / "graph.yaml").write_text(text.replace("args: [0, -0.1], kind: static", limit))
    project = Project(directory)
    summary = walk_random(project, transitions=2, seed=5, keep_states=False)
    with project.read_log() as log:
        judged = next(attempt for attempt in log.attempts(summary.run) if attempt.node == "stop")
    assert judged.status == "completed"
    assert judged.simulated_s > alone.simulated_s + 1.0
    assert judged.measures["duration"] < alone.simulated_s + 0.5 * lead


def test_learned_constants_move_the_character_and_are_replayed(directory: Path):
    naive = walked(directory)
    learn(directory, target=part(directory, "stop", {4: 0.01}))
    project = Project(directory)
    summary = walk_random(project, transitions=3, seed=5)
    with project.read_log() as log:
        run = log.run(summary.run)
        attempts = list(log.attempts(run.id))
        assert [attempt.edge_kind for attempt in attempts] == ["start", "naive", "learned", "naive"]
        assert attempts[1].history_digest == naive[1].history_digest
        assert attempts[2].history_digest != naive[2].history_digest
        replay = replay_walk(Project(directory), log, run, 0, verify=True)
        assert (replay.difference, replay.changes.controllers) == (None, ())


@pytest.mark.slow
def test_an_adapted_node_follows_the_ground_and_is_replayed(directory: Path):
    steeper = walked(directory, "walk", "slope=2")[1]
    walk = part(directory, "walk", {})
    program = Project(directory).program("walk")
    dt = next(i for i, source in enumerate(program.parameters) if source.role == "simbicon dt")
    constants = constants_of(program, {dt: [0.3, 0.32]})
    file = LearnedFile(
        node="walk", condition={"slope": [0, 4]}, target=LearnedPart(program=walk.program, constants=constants)
    )
    write_learned(directory / "learned" / "walk.yaml", file)
    (directory / "graph.yaml").write_text(GRAPH.replace("walk.t,", "walk.t, adapted: learned/walk.yaml,"))
    level, adapted = walked(directory, "walk")[1], walked(directory, "walk", "slope=2")[1]
    script = directory / "controllers" / "gaits" / "walk.t"
    (directory / "graph.yaml").write_text(GRAPH)
    plain = walked(directory, "walk")[1]
    script.write_text(script.read_text().replace("(.3,", "(.31,"))
    written = walked(directory, "walk", "slope=2")[1]
    assert level.history_digest == plain.history_digest
    assert adapted.history_digest == written.history_digest  # 0.31 lies between 0.3 and 0.32
    assert adapted.history_digest != steeper.history_digest


def test_a_walk_on_a_slope_is_replayed_with_the_constants_of_the_slope(directory: Path):
    program = Project(directory).program("walk")
    target = LearnedPart(program=program.digest, constants=constants_of(program, {0: [0.3, 0.32]}))
    file = LearnedFile(node="walk", condition={"slope": [0, 4]}, target=target)
    write_learned(directory / "learned" / "walk.yaml", file)
    (directory / "graph.yaml").write_text(GRAPH.replace("walk.t,", "walk.t, adapted: learned/walk.yaml,"))
    project = Project(directory)
    summary = walk_random(project, transitions=2, seed=5, world=Environment("slope=2"))
    with project.read_log() as log:
        run = log.run(summary.run)
        replay = replay_walk(Project(directory), log, run, 0, verify=True)
        assert (replay.difference, replay.changes.controllers) == (None, ())
        write_learned(directory / "learned" / "walk.yaml", file.model_copy(update={"condition": {"slope": (0.0, 5.0)}}))
        replay = replay_walk(Project(directory), log, run, 0, verify=True)
        assert replay.difference is not None and replay.changes.controllers == ("walk",)


@pytest.mark.parametrize("walk", [lambda p: walk_random(p, transitions=1), lambda p: go_to(p, "stop")])
def test_a_stale_file_is_found_before_anything_is_simulated_or_logged(directory: Path, walk):
    learn(directory, target=part(directory, "stop", {}))
    script = directory / "controllers" / "gaits" / "walk_to_stop.t"
    script.write_text("SET TORQUELIMIT = 555\n" + script.read_text().replace("SET TORQUELIMIT", "# "))
    with pytest.raises(SourceError, match="learned for another version of 'walk_to_stop'"):
        walk(Project(directory))
    assert not (directory / "runs").exists()
