"""What a walk holds on to: nothing that grows with its length."""

from __future__ import annotations

import gc
import tracemalloc
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from small_project import make_project
from walk_fakes import GRAPH, FakeProject, FakeWorld

from ctrlgraph.project.project import Project
from ctrlgraph.run_log.record import AttemptRecord
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walks import state_files
from ctrlgraph.walks.goal_walk import go_to
from ctrlgraph.walks.random_run import walk_random
from ctrlgraph.walks.replay import replay_walk
from ctrlgraph.walks.walker import WalkObserver


def test_a_simulation_without_a_trace_moves_the_same_and_keeps_its_last_controller(still: Project):
    program, traces, digests = still.program("stand"), [], []
    for keep in (True, False):
        with Environment().simulation(still.character, 1, keep_trace=keep) as simulation:
            for _ in range(3):
                simulation.run(program)
            traces.append((simulation.trace, simulation.last_trace))
            digests.append(simulation.history_digest())
    assert digests[0] == digests[1]
    (whole, last), (kept, same) = traces
    assert len(whole) > len(last) == len(same) == len(kept)
    assert (kept.time == last.time).all() and (kept.position == last.position).all()


def test_no_walk_goal_or_replay_holds_more_than_the_last_controller(small: Project, monkeypatch):
    made, usual = [], Environment.simulation

    def simulation(*given, **named):
        made.append(usual(*given, **named))
        return made[-1]

    monkeypatch.setattr(Environment, "simulation", simulation)
    for keep in (True, False):
        walk_random(small, transitions=2, seed=1, keep_states=keep)
    go_to(small, "squat", seed=1)
    with small.read_log() as log:
        replay_walk(small, log, log.run("last"), 0, verify=True)
    assert len(made) == 4
    assert [len(each.trace) for each in made] == [len(each.last_trace) for each in made]


class Holding(WalkObserver):
    """Notes the most memory that is held while a walk goes on: what the collector would not free, looked at at some
    of its transitions."""

    def __init__(self, transitions: int) -> None:
        self.most = 0
        self._ended = 0
        self._every = transitions // CONDITION_SAMPLES

    def ended(self, attempt: AttemptRecord) -> None:
        self._ended += 1
        if self._ended % self._every == 0:
            gc.collect()  # cycles of garbage (of JSON encoders, say) are freed later
            self.most = max(self.most, tracemalloc.get_traced_memory()[0])


CONDITION_SAMPLES = 8
MARGIN = 100  # bytes for each further transition: what there is once more or less; a leaked record has several hundred


def held_by_walks(directory: Path, lengths: tuple[int, ...]) -> list[int]:
    """Return the peak memory, in bytes, of walks of these numbers of transitions."""
    state_files.PART_SAMPLES = 100
    project, held = FakeProject(directory), []
    walk_random(project, transitions=400, seed=0, world=FakeWorld())  # what is made once
    for transitions in lengths:
        gc.collect()
        tracemalloc.start()
        watch = Holding(transitions)
        walk_random(project, transitions=transitions, seed=0, world=FakeWorld(), observer=watch)
        held.append(watch.most)
        tracemalloc.stop()
    return held


@pytest.mark.slow
def test_a_walk_ten_times_as_long_holds_no_more_memory(tmp_path: Path):
    directory = make_project(tmp_path, GRAPH, shipped=())
    # in a process of its own, where nothing that other tests have left behind goes on
    with ProcessPoolExecutor(1, get_context("spawn")) as alone:
        short, long = alone.submit(held_by_walks, directory, (40, 400)).result()
    assert short > 0
    assert long < short + MARGIN * 360
