"""A rollout is gone on with from a mark in it as if it had never been left."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ctrlgraph.engine import loop
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.execution import Execution, ExecutionMark
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder
from ctrlgraph.simulation.simulation import Simulation


def to_the_end(simulation: Simulation, execution: Execution, marks: list[ExecutionMark] | None = None) -> Outcome:
    first = marks is not None
    while True:
        status = simulation.advance_watched(execution, first=first)
        first = False
        if status not in loop.GOES_ON:
            return simulation.end(execution, status)
        if marks is not None:
            marks.append(simulation.mark(execution))


@pytest.mark.parametrize("engine", ["ode", "mujoco"])
def test_a_rollout_resumed_at_a_mark_is_bit_identical(small: Any, engine: str) -> None:
    project = Project(small.directory, engine=engine)
    with project.environment().simulation(project.character) as simulation:
        simulation.run(project.controller("stand"), timeout=1)
        simulation.watch(lambda moment: None, 0.05)
        marks: list[ExecutionMark] = []
        whole = to_the_end(simulation, simulation.begin(project.rollout(None, "squat", 1)), marks)
        history = simulation.history_digest()
        again = to_the_end(simulation, simulation.resume_at(marks[len(marks) // 2]))
        assert simulation.history_digest() == history
        assert again.measures == whole.measures
        assert (again.simulated_s, again.energy_j, again.effort, again.entry_digest) == (
            whole.simulated_s,
            whole.energy_j,
            whole.effort,
            whole.entry_digest,
        )


def test_signals_that_are_taken_piece_by_piece_are_those_of_the_whole(small: Any) -> None:
    columns: list[dict[str, Any]] = []
    for piecewise in (False, True):
        with small.environment().simulation(small.character) as simulation:
            recorder = SignalRecorder(simulation)
            taken = []
            for node in ("stand", "squat"):
                recorder.begin(node)
                execution, first, status = simulation.begin(small.rollout(None, node, 1)), True, loop.STILL_RUNNING
                while status in loop.GOES_ON:
                    status, first = simulation.advance_watched(execution, first=first), False
                    if piecewise and round(simulation.time * 100) % 30 == 0 and (some := recorder.take()) is not None:
                        taken.append(some)
                simulation.end(execution, status)
            last = recorder.take(ended=True) if piecewise else recorder.signals()
            assert last is not None
            parts = [*taken, last]
            columns.append({name: [v for part in parts for v in part.columns[name].tolist()] for name in last.columns})
    whole, pieces = columns
    assert len(taken) > 3
    for name, values in whole.items():
        if isinstance(values[0], str):
            assert pieces[name] == values
        else:  # a matrix product's last bit depends on how many rows it has
            np.testing.assert_allclose(pieces[name], values, rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("decides_at", [0.3, 1.0])
def test_a_motion_that_ends_after_its_cycle_is_one_with_as_many_cycles(small: Any, decides_at: float) -> None:
    many = 1000
    with small.environment().simulation(small.character) as simulation:
        simulation.watch(lambda moment: None, 0.01)
        execution, first, status = simulation.begin(small.rollout(None, "stand", many)), True, loop.STILL_RUNNING
        while status in loop.GOES_ON:
            simulation.end_after_cycle(ends=simulation.time > decides_at)
            status, first = simulation.advance_watched(execution, first=first), False
        assert simulation.end(execution, status).succeeded
        ended, history, left = simulation.time, simulation.history_digest(), simulation.cycles_left
    assert ended > decides_at
    assert left is not None
    with small.environment().simulation(small.character) as simulation:
        simulation.run_rollout(small.rollout(None, "stand", many - left))
        assert (simulation.time, simulation.history_digest()) == (ended, history)


def test_a_decision_to_end_after_the_cycle_can_be_undone(small: Any) -> None:
    with small.environment().simulation(small.character) as simulation:
        simulation.watch(lambda moment: None, 0.01)
        execution = simulation.begin(small.rollout(None, "stand", 3))
        simulation.advance_watched(execution, first=True)
        assert simulation.cycles_left == 3
        simulation.end_after_cycle()
        assert simulation.cycles_left == 3
        simulation.end_after_cycle(ends=False)
        status = loop.STILL_RUNNING
        while status in loop.GOES_ON:
            status = simulation.advance_watched(execution, first=False)
        assert simulation.cycles_left == 0
