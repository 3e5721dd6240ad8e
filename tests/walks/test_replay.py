"""Replays: the same walk, bit for bit, or the first difference."""

from __future__ import annotations

import re
import sqlite3

import pytest
from walk_fakes import FakeProject, FakeWorld

from ctrlgraph.errors import CtrlGraphError, RunLogError
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walks.random_run import walk_random
from ctrlgraph.walks.replay import replay_walk
from ctrlgraph.walks.state_files import load_states, save_states, states_path

RATE = 0.3


@pytest.fixture
def replayed(project: FakeProject, monkeypatch: pytest.MonkeyPatch):
    """Walk at random, and replay: the log holds no fakes, so the world is put in their place."""
    world = FakeWorld(failure_rate=RATE, physical=True)
    run = walk_random(project, transitions=20, walks=2, seed=4, world=world).run
    monkeypatch.setattr(Environment, "from_dict", lambda data: world)

    def replay(walk: int = 1, verify: bool = True, **asked):
        with project.read_log() as log:
            return replay_walk(project, log, log.run(run), walk, verify=verify, **asked)

    replay.run = run
    return replay


def test_a_replay_repeats_the_log_including_resets(project: FakeProject, replayed):
    replay = replayed()
    with project.read_log() as log:
        attempts = tuple(log.attempts(replayed.run, walk=1))
    assert replay.attempts == attempts
    assert any(attempt.edge_kind == "start" and attempt.position > 0 for attempt in attempts)
    assert replay.difference is None
    assert replay.labels == [(attempt.started_s, attempt.node) for attempt in attempts]


def test_every_sampled_state_is_compared(project: FakeProject, replayed):
    kept = load_states(states_path(project.runs_directory, replayed.run, 1))
    assert kept is not None
    assert replayed().compared_states == len(kept.trace)
    assert replayed(verify=False).compared_states == 0
    assert replayed(verify=False).as_dict()["identical"] is None


def test_without_kept_states_the_digests_locate_the_attempt(project: FakeProject, replayed):
    states_path(project.runs_directory, replayed.run, 1).unlink()
    rewritten(project, "UPDATE attempts SET history_digest = 'other' WHERE walk = 1 AND position = 6")
    replay = replayed()
    assert replay.difference is not None
    now = replay.difference.replayed
    assert replay.difference.sentence() == (
        f"first difference at attempt 6: the digest of all its states was other and is now {now}"
    )
    assert len(replay.attempts) == 7  # what comes after a difference says nothing


def test_a_partial_replay_starts_at_the_last_reset(project: FakeProject, replayed):
    whole = replayed(verify=False, draw=True)
    begins = [attempt.started_s for attempt in whole.attempts]
    resets = [attempt.position for attempt in whole.attempts if attempt.edge_kind == "start"]
    first = resets[1]  # the walk fell before
    start, end = (begins[first + 1] + begins[first + 2]) / 2, (begins[first + 3] + begins[first + 4]) / 2
    last_reset = max(position for position in resets if begins[position] <= start)
    expected = whole.states.trace.between(start, end)
    for asked in ({"verify": False}, {"verify": True, "whole": False}):
        part = replayed(draw=True, shown=(start, end), **asked)
        assert [attempt.position for attempt in part.attempts] == list(range(last_reset, first + 4))
        assert part.is_part and part.logged == len(whole.attempts)
        assert len(part.states.trace) == len(expected) > 0
        assert (part.states.trace.time == expected.time).all() and (part.states.trace.angle == expected.angle).all()
    assert part.difference is None and 0 < part.compared_states < replayed().compared_states
    assert replayed(draw=True, shown=(start, end)).attempts == whole.attempts  # all of it is verified


def test_a_state_that_differs_in_the_part_is_named(project: FakeProject, replayed):
    whole = replayed(verify=False)
    reset = [attempt for attempt in whole.attempts if attempt.edge_kind == "start"][1]
    path = states_path(project.runs_directory, replayed.run, 1)
    kept = load_states(path)
    row = int((kept.attempt == reset.position).argmax())
    kept.trace.angle[[0, row + 2], 3] += 1e-12  # the first one lies before the part
    save_states(kept, path)
    part = replayed(whole=False, draw=True, shown=(reset.started_s, reset.started_s + reset.simulated_s))
    assert part.difference is not None and part.difference.time == kept.trace.time[row + 2]


def test_a_part_that_begins_after_the_end_is_one_sentence(replayed):
    with pytest.raises(RunLogError) as raised:
        replayed(draw=True, shown=(1e5, 1e6))
    assert str(raised.value).endswith(" s: --between must begin earlier than 100000 s")


def test_an_unknown_walk_is_one_sentence(replayed):
    with pytest.raises(RunLogError) as raised:
        replayed(walk=2)
    assert str(raised.value) == f"run {replayed.run} has no walk 2: give a walk of the run (0, 1)"


def test_a_node_that_no_longer_exists_is_one_sentence(project: FakeProject, replayed):
    del project.graph.nodes["walk"]
    with pytest.raises(CtrlGraphError) as raised:
        replayed()
    assert str(raised.value) == "the walk cannot be replayed: restore the node 'walk', which is no longer in the graph"


def rewritten(project: FakeProject, *statements: str) -> None:
    connection = sqlite3.connect(project.runs_directory / "runs.sqlite")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("name", ["../../elsewhere", "/elsewhere"])
def test_states_are_not_looked_for_outside_the_project(project: FakeProject, replayed, name: str):
    rewritten(project, f"UPDATE runs SET id = '{name}'", f"UPDATE attempts SET run = '{name}'")
    with project.read_log() as log, pytest.raises(CtrlGraphError) as raised:
        replay_walk(project, log, log.run(name), 1, verify=True)
    assert str(raised.value) == (
        f"'{name}/walk-1.npz' lies outside the project: give a relative path inside the project"
    )


@pytest.mark.parametrize(("began", "shown"), [("1e308", "1e+308"), ("-1.0", "-1"), ("1e5", "100000")])
def test_impossible_times_in_a_log_are_refused(project: FakeProject, replayed, began: str, shown: str):
    rewritten(project, f"UPDATE attempts SET started_s = {began} WHERE walk = 1 AND position = 3")
    with pytest.raises(RunLogError) as raised:
        replayed()
    assert str(raised.value) == (
        f"the run log is damaged, so restore or delete it: attempt 3 of walk 1 of run '{replayed.run}'"
        f" begins at {shown} s, an impossible time"
    )


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("cycles = 1000000000", "has 1000000000 cycles, but must have 1 to 10000"),
        ("cycles = -1", "has -1 cycles, but must have 1 to 10000"),
        ("simulated_s = 1e308", "lasts 1e+308 s, an impossible time"),
    ],
)
def test_impossible_cycles_and_durations_in_a_log_are_refused(project: FakeProject, replayed, change: str, what: str):
    rewritten(project, f"UPDATE attempts SET {change} WHERE walk = 1 AND position = 3")
    with pytest.raises(RunLogError, match=f"attempt 3 of walk 1 of run '{replayed.run}' {re.escape(what)}$"):
        replayed()
