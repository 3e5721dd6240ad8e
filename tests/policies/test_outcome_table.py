"""Outcome tables: corners of outcomes, policies, files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.policies import (
    Grid,
    GridAxis,
    OutcomeSpace,
    OutcomeStatus,
    OutcomeTable,
    StaleFile,
    StateOutcomes,
    TabulatedPolicy,
    solve,
    tabulate,
)
from ctrlgraph.policies.outcome_table import ENDED, FAILED

LINE = Grid([GridAxis("x", 0.0, 4.0, 5, "m")])
SPACE = OutcomeSpace(LINE, np.array([[1.5], [0.0]]), ("step",), ("x", "length"), {"character": "abc"})


def steps(status: OutcomeStatus = OutcomeStatus.CONTINUED) -> OutcomeTable:
    """From each place on a line a step of 1.5 m, or an end; each takes a second."""
    x = LINE.points[:, 0]
    after = np.full((5, 2, 2), np.nan)
    after[:, 0, 0], after[:, 0, 1] = x + 1.5, 1.5
    found = np.full((5, 2), OutcomeStatus.ENDED, np.uint8)
    found[:, 0] = status
    return OutcomeTable(SPACE, found, after, np.ones((5, 2)))


def test_an_outcome_between_two_states_leads_to_both_with_its_weights() -> None:
    number, weight = steps().corners()
    assert (number[0, 0].tolist(), weight[0, 0].tolist()) == ([1, 2], [0.5, 0.5])
    assert (number[0, 1, 0], weight[0, 1].tolist()) == (ENDED, [1.0, 0.0])
    assert (number[3, 0, 0], weight[3, 0].tolist()) == (FAILED, [1.0, 0.0])  # from 3 to 4.5: beyond


def test_a_failed_action_leads_to_no_state() -> None:
    number, _ = steps(OutcomeStatus.FAILED).corners()
    assert (number[:, 0] == FAILED).all() and steps(OutcomeStatus.FAILED).count(OutcomeStatus.FAILED) == 5


def test_a_policy_brings_a_double_integrator_to_rest() -> None:
    """A mass on a line, pushed by -1, 0 or 1 N for .25 s at a time, is to come to rest at 0: the values are near those
    of the time-optimal control (bang-bang, R. Bellman et al. 1956), |v| + 2 sqrt(|x|) along the axes."""
    grid = Grid([GridAxis("x", -2.0, 2.0, 41, "m"), GridAxis("v", -2.0, 2.0, 41, "m/s")])
    push = np.array([[-1.0], [0.0], [1.0]])
    space = OutcomeSpace(grid, push, ("force",), ("x", "v"))
    t = 0.25
    x, v = grid.points[:, :1], grid.points[:, 1:]
    after = np.stack([x + v * t + push[:, 0] * t**2 / 2, v + push[:, 0] * t], axis=-1)
    there = (np.abs(grid.points) < 0.11).all(axis=1)  # cells around the origin are the goal
    status = np.where(there[:, None], OutcomeStatus.ENDED, OutcomeStatus.CONTINUED) * np.ones((1, 3), int)
    outcomes = OutcomeTable(space, status.astype(np.uint8), after, np.full(status.shape, t))
    solution = solve([outcomes], [np.where(there[:, None], 0.0, -t) * np.ones((1, 3))], failure=-100.0)
    policy = TabulatedPolicy(grid, push, ("force",), solution.action, solution.value)
    for place, least in (((1.0, 0.0), 2.0), ((-1.0, 0.0), 2.0), ((-0.5, 1.0), 1.0), ((0.5, -1.0), 1.0)):
        assert -policy.value_at(place) == pytest.approx(least, abs=0.45)
    state = np.array([1.3, 0.3])
    for _ in range(60):
        force = policy.action(state)
        assert force is not None and -1 <= force[0] <= 1
        state = np.array([state[0] + state[1] * t + force[0] * t**2 / 2, state[1] + force[0] * t])
    assert np.abs(state).max() < 0.3


def test_a_table_is_read_back_bit_for_bit(tmp_path: Path) -> None:
    path = tmp_path / "steps.npz"
    steps().save(path)
    found = OutcomeTable.load(path, {"character": "abc"})
    assert found.space.as_dict() == SPACE.as_dict() and found.after.tobytes() == steps().after.tobytes()
    with pytest.raises(StaleFile, match=r"was computed with another character: delete the file and compute it again$"):
        OutcomeTable.load(path, {"character": "abd"})


def test_arrays_of_another_shape_are_refused(tmp_path: Path) -> None:
    table = steps()
    for change in (
        {"status": table.status[:4]},
        {"after": table.after[:, :, :1]},
        {"duration": -table.duration},
        {"status": table.status + np.uint8(3)},
        {"after": np.full_like(table.after, np.nan)},
    ):
        with pytest.raises(ValueError, match=r"\w"):
            replace(table, **change)
    with pytest.raises(CtrlGraphError, match=r"^the outcome table has no column 'y': use x, length$"):
        table.column("y")


def test_states_without_an_action_are_ignored_in_interpolation() -> None:
    policy = TabulatedPolicy(LINE, SPACE.actions, ("step",), np.array([0, 0, 1, -1, -1]), np.zeros(5))
    assert policy.action([1.5]) == pytest.approx([0.75])
    assert policy.action([2.5]) == pytest.approx([0.0])
    assert policy.action([0.5]) == pytest.approx([1.5])
    assert policy.action([3.5]) is None


def test_a_table_is_simulated_once_and_then_read(tmp_path: Path) -> None:
    path, done = tmp_path / "runs" / "steps.npz", list[int]()

    def outcomes(state: int) -> StateOutcomes:
        table = steps()
        return StateOutcomes(table.status[state], table.after[state], table.duration[state])

    def again(state: int) -> StateOutcomes:
        raise AssertionError

    made = tabulate(SPACE, outcomes, path, done.append)
    assert done == [1, 2, 3, 4, 5]
    assert made.after.tobytes() == steps().after.tobytes() == tabulate(SPACE, again, path).after.tobytes()
    with pytest.raises(StaleFile, match=r"was computed with another character: delete the file and compute it again$"):
        tabulate(replace(SPACE, digests={"character": "abd"}), again, path)
    with pytest.raises(
        StaleFile, match=r"was computed with another grid or other actions: give another file, or delete this one$"
    ):
        tabulate(replace(SPACE, actions=SPACE.actions + 1.0), again, path)
