"""Random walkthroughs of fakes: counts, seeds, processes, losses, interruptions."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import Future
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from walk_fakes import FALLS_FORWARD, OK, FakeProject, FakeWorld

from ctrlgraph.errors import RunLogError, SimulationError
from ctrlgraph.graph.random_planner import rehearsed
from ctrlgraph.graph.visits import Balance
from ctrlgraph.parallel import IsolatedProcesses
from ctrlgraph.terrain.terrain import LEVEL
from ctrlgraph.walks import random_run
from ctrlgraph.walks.logged_walk import child_seed
from ctrlgraph.walks.random_run import walk_random
from ctrlgraph.walks.random_walk import draws_of
from ctrlgraph.walks.state_files import load_states, states_path
from ctrlgraph.walks.walker import WalkObserver

COLUMNS = ("walk", "position", "node", "source", "edge_kind", "planned", "cycles", "status", "exit_digest", "seed")


def attempts_of(project: FakeProject, run: str) -> list[tuple[object, ...]]:
    with project.read_log() as log:
        return [tuple(getattr(attempt, name) for name in COLUMNS) for attempt in log.attempts(run)]


def test_the_json_object_has_exactly_these_fields(project: FakeProject):
    counts = walk_random(project, transitions=4, seed=8, world=FakeWorld()).as_dict()
    assert " ".join(counts) == (
        "run seed wall_s transitions succeeded failed recovered resets simulated_s static_s nodes edges"
    )
    assert all(list(node) == ["name", "attempts", "successes"] for node in counts["nodes"])
    assert all(list(edge) == ["source", "target", "kind", "attempts", "successes"] for edge in counts["edges"])
    json.dumps(counts, allow_nan=False)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_walks_whatever_the_number_of_jobs(project: FakeProject):
    order = {"transitions": 8, "walks": 3, "seed": 5, "world": FakeWorld(failure_rate=0.3)}
    runs = [walk_random(project, jobs=jobs, **order).run for jobs in (1, 2)]
    one, two = (attempts_of(project, run) for run in runs)
    assert one == two
    assert len({row[-1] for row in one}) == 3  # each walk has a seed of its own


def test_another_seed_gives_another_walk(project: FakeProject):
    runs = [walk_random(project, transitions=20, seed=seed, world=FakeWorld()).run for seed in (1, 2)]
    nodes = [[row[2] for row in attempts_of(project, run)] for run in runs]
    assert nodes[0] != nodes[1]


@pytest.mark.slow
def test_walks_by_visits_that_do_not_fail_take_what_was_rehearsed_whatever_the_number_of_jobs(project: FakeProject):
    order = {"transitions": 30, "seed": 5, "world": FakeWorld(), "balance": Balance.VISITS, "walks": 3}
    runs = [walk_random(project, jobs=jobs, **order).run for jobs in (1, 2)]
    alone, apart = (attempts_of(project, run) for run in runs)
    assert alone == apart
    taken = Counter((source, node) for _, _, node, source, _, planned, *_ in alone if planned)
    rngs = [np.random.default_rng(child.spawn(1)[0]) for child in np.random.SeedSequence(5).spawn(4)]
    expected = list(rehearsed(project.graph, "stand", rngs, 30, LEVEL))[3]  # before a fourth walk
    planned = [edge for edge in project.graph.edges if edge.planned]
    assert [taken[edge.source, edge.target] for edge in planned] == expected.tolist()


def test_more_walks_leave_the_first_ones_as_they_were(project: FakeProject):
    runs = [walk_random(project, transitions=5, walks=n, seed=3, world=FakeWorld()).run for n in (1, 3)]
    short, long = (attempts_of(project, run) for run in runs)
    assert long[: len(short)] == short


@pytest.mark.slow
def test_a_worker_that_dies_loses_only_its_walk(project: FakeProject):
    child = np.random.SeedSequence(9).spawn(3)[1]
    world = FakeWorld(deadly=int(child.generate_state(1)[0]))
    summary = walk_random(project, transitions=4, walks=3, jobs=2, seed=9, world=world)
    assert list(summary.lost) == ["walk 1 was lost: a worker process died, perhaps for lack of memory: use fewer jobs"]
    assert {row[0] for row in attempts_of(project, summary.run)} == {0, 2}
    assert summary.tally.transitions == 8


def test_a_start_that_fails_loses_the_walk_with_a_sentence(project: FakeProject):
    summary = walk_random(project, transitions=4, seed=0, world=FakeWorld(ends=(FALLS_FORWARD,)))
    assert list(summary.lost) == [
        "walk 0 was lost: the start node 'stand' fails from the start pose, so correct its controller or"
        " conditions: failed: torso 1.2 is above 1"
    ]


class Impatient(WalkObserver):
    """Presses Ctrl-C when the third attempt begins."""

    def __init__(self) -> None:
        self.begun = 0

    def began(self, node: str, cycles: int) -> None:
        self.begun += 1
        if self.begun == 3:
            raise KeyboardInterrupt


def test_an_interrupted_run_ends_with_what_was_logged(project: FakeProject):
    summary = walk_random(project, transitions=9, walks=2, seed=0, world=FakeWorld(), observer=Impatient())
    assert summary.interrupted
    assert summary.tally.transitions == 1
    with project.read_log() as log:
        run = log.run(summary.run)
        assert len(list(log.attempts(summary.run))) == 2
    assert run.summary == summary.as_dict()
    assert load_states(states_path(project.runs_directory, summary.run, 0)) is not None


class HereAndNow(IsolatedProcesses):
    """Makes each walk in this process when it is submitted, and presses Ctrl-C instead of the fourth."""

    def __init__(self, workers: int) -> None:
        self.submitted = 0

    def submit(self, work, order) -> Future:
        self.submitted += 1
        if self.submitted > 3:
            raise KeyboardInterrupt
        future = Future()
        future.set_result(work(order))
        return future

    def stop(self) -> None:
        pass

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        pass


def test_a_run_that_is_interrupted_while_walks_are_submitted_is_finished(project: FakeProject, monkeypatch):
    monkeypatch.setattr(random_run, "IsolatedProcesses", HereAndNow)
    order = {"transitions": 2, "seed": 0, "world": FakeWorld()}
    summary = walk_random(project, walks=10**9, jobs=2, **order)  # which are not all made beforehand
    assert summary.interrupted
    with project.read_log() as log:
        assert log.run(summary.run).summary == summary.as_dict()
    assert summary.tally.transitions == 6


@given(seed=st.integers(0, 2**63 - 1), i=st.integers(0, 20))
def test_a_walks_seed_is_the_child_that_spawn_gives(seed: int, i: int):
    spawned, made = np.random.SeedSequence(seed).spawn(i + 1)[i], child_seed(seed, i)
    assert made.generate_state(8).tolist() == spawned.generate_state(8).tolist()
    drawn = np.random.default_rng(spawned.spawn(1)[0]).random(4)
    assert np.random.default_rng(draws_of(made)).random(4).tolist() == drawn.tolist()


def test_states_are_kept_on_one_clock_or_not_at_all(project: FakeProject):
    world = FakeWorld(ends=(OK, OK, FALLS_FORWARD, *[FALLS_FORWARD] * 8, OK, OK))
    kept = walk_random(project, transitions=4, seed=0, world=world)
    states = load_states(states_path(project.runs_directory, kept.run, 0))
    assert states is not None
    assert (np.diff(states.trace.time) > 0).all()  # resets and all
    assert sorted(set(states.attempt.tolist())) == list(range(len(attempts_of(project, kept.run))))
    none = walk_random(project, transitions=4, seed=0, world=world, keep_states=False)
    assert not (project.runs_directory / none.run).exists()


def test_a_log_that_cannot_be_written_is_found_before_anything_is_simulated(project: FakeProject):
    project.runs_directory.touch()
    with pytest.raises(RunLogError) as raised:
        walk_random(project, transitions=4, world=FakeWorld(ends=()), observer=Impatient())
    assert (
        str(raised.value)
        == f"runs cannot be logged, because {project.runs_directory} cannot be written (file exists): correct"
        " the path or its permissions"
    )


def test_nothing_to_do_is_refused(project: FakeProject):
    with pytest.raises(SimulationError, match=r"^'transitions', 'walks' and 'jobs' must be at least 1, not "):
        walk_random(project, transitions=0)


@given(seed=st.integers(0, 2**40), rate=st.floats(0, 1))
@settings(max_examples=15)
def test_the_counts_add_up_for_any_seed(project: FakeProject, seed: int, rate: float):
    world = replace(FakeWorld(), failure_rate=rate)
    summary = walk_random(project, transitions=12, seed=seed, world=world, keep_states=False)
    tally = summary.tally
    assert tally.transitions == 12 == tally.succeeded + tally.failed
    assert tally.failed == tally.recovered + tally.resets
    over_edges = sum(count.trials for count in tally.edges.values())
    assert sum(count.trials for count in tally.nodes.values()) == over_edges + 1 + tally.resets
    assert summary.lost == ()
