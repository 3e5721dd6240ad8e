"""Outcome tables: transitions, policies and course plans from simulated outcomes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.policies import (
    ENDED,
    FAILED,
    ActionOutcome,
    Grid,
    GridAxis,
    OutcomeSpace,
    OutcomeStatus,
    OutcomeTable,
    StaleFile,
    TabulatedPolicy,
    TransitionTable,
    evaluate,
    plan_course,
    solve,
)

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
    table = steps().transitions(np.zeros((5, 2)))
    assert table.next_state[:2].tolist() == [1, 2] and table.probability[:2].tolist() == [0.5, 0.5]
    assert table.next_state[table.choice_of == 1].tolist() == [ENDED]
    assert table.next_state[table.choice_of == 6].tolist() == [FAILED]  # from 3 to 4.5: beyond
    assert table.duration.tolist() == [1.0] * table.outcomes


@pytest.mark.parametrize("status", [OutcomeStatus.FAILED, OutcomeStatus.CRASHED])
def test_failed_actions_lead_to_no_state(status: OutcomeStatus) -> None:
    table = steps(status).transitions(np.zeros((5, 2)))
    assert (table.next_state[::2] == FAILED).all() and steps(status).count(status) == 5


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
    table = outcomes.transitions(np.where(there[:, None], 0.0, -t) * np.ones((1, 3)))
    solution = solve(table, failure=-100.0)
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
    with pytest.raises(StaleFile, match=r"was made with another character: it has to be made again$"):
        OutcomeTable.load(path, {"character": "abd"})


def test_arrays_of_another_shape_are_refused(tmp_path: Path) -> None:
    table = steps()
    for change in (
        {"status": table.status[:4]},
        {"after": table.after[:, :, :1]},
        {"duration": -table.duration},
        {"status": table.status + np.uint8(4)},
        {"after": np.full_like(table.after, np.nan)},
    ):
        with pytest.raises(ValueError, match=r"\w"):
            replace(table, **change)
    with pytest.raises(CtrlGraphError, match=r"^there is no column 'y' \(columns: x, length\)$"):
        table.column("y")


def test_states_without_an_action_are_ignored_in_interpolation() -> None:
    policy = TabulatedPolicy(LINE, SPACE.actions, ("step",), np.array([0, 0, 1, -1, -1]), np.zeros(5))
    assert policy.action([1.5]) == pytest.approx([0.75])
    assert policy.action([2.5]) == pytest.approx([0.0])
    assert policy.action([0.5]) == pytest.approx([1.5])
    assert policy.action([3.5]) is None


# --- courses ---


def stepper(lengths: tuple[float, ...]) -> OutcomeTable:
    """One state, whose actions are steps of these lengths."""
    space = OutcomeSpace(
        Grid([GridAxis("speed", 1.0, 1.0, 1)]),
        np.array([[length] for length in lengths]),
        ("length",),
        ("speed", "advance"),
    )
    after = np.ones((1, len(lengths), 2))
    after[0, :, 1] = lengths
    shape = (1, len(lengths))
    return OutcomeTable(space, np.zeros(shape, np.uint8), after, np.ones(shape))


def walked(lengths: tuple[float, ...], ground: str, reward: list[float]) -> tuple[list[float], float]:
    """The steps of the plan over a course, drawn with a letter for each .1 m, and what it is worth at the beginning."""
    outcomes = stepper(lengths)
    positions = GridAxis("position", 0.0, 0.1 * (len(ground) - 1), len(ground), "m")
    land = [letter != " " for letter in ground]
    plan = plan_course(outcomes, positions, land, np.array([reward]), advance="advance", failure=-1000.0)
    x, taken = 0.0, list[float]()
    while x <= positions.high + 1e-9:
        action = plan.action(x, [1.0])
        if action < 0:
            return taken, plan.value_at(0.0, [1.0])
        taken.append(lengths[action])
        x += lengths[action]
    return taken, plan.value_at(0.0, [1.0])


def test_a_gap_is_crossed_by_steps_that_land_beside_it() -> None:
    taken, value = walked((0.3, 0.5), "______   ____", [-1.0, -1.0])
    places = np.round(np.cumsum(taken), 6)
    assert not any(0.59 < place < 0.89 for place in places) and value == -len(taken) == -3.0


def test_one_table_serves_other_courses_and_costs() -> None:
    assert walked((0.3, 0.5), "____________", [-1.0, -1.0]) == ([0.3, 0.5, 0.5], -3.0)
    assert walked((0.3, 0.5), "____________", [-0.1, -1.0])[0] == [0.3] * 4  # short steps are cheap


def test_a_gap_that_no_step_crosses_fails() -> None:
    assert walked((0.3, 0.5), "____       ____", [-1.0, -1.0])[1] <= -1000.0


def test_a_course_plan_equals_general_value_iteration() -> None:
    """The sweep over positions, against value iteration over (position, state) written out."""
    rng = np.random.default_rng(4)
    grid = Grid([GridAxis("v", 0.0, 1.0, 4)])
    space = OutcomeSpace(grid, np.arange(3.0)[:, None], ("a",), ("v", "advance"))
    after = np.stack([rng.uniform(0, 1, (4, 3)), rng.integers(1, 4, (4, 3)) * 0.5], axis=-1)
    status = (rng.random((4, 3)) < 0.2).astype(np.uint8) * np.uint8(OutcomeStatus.FAILED)
    outcomes = OutcomeTable(space, status, after, np.ones((4, 3)))
    land, reward = rng.random(20) < 0.7, -rng.uniform(0.1, 1, (4, 3))
    plan = plan_course(outcomes, GridAxis("x", 0.0, 9.5, 20), land, reward, advance="advance", failure=-50.0)
    value = np.zeros((24, 4))
    for p in reversed(range(20)):
        for s in range(4):
            options = [-50.0]
            for a in range(3):
                there = p + round(after[s, a, 1] / 0.5)
                if status[s, a] == OutcomeStatus.CONTINUED and (there >= 20 or land[there]):
                    (number,), (weight,) = grid.weights([after[s, a, :1]])
                    options.append(reward[s, a] + weight @ value[there][number])
            value[p, s] = max(options[1:], default=-50.0)
    assert plan.value == pytest.approx(value[:20], abs=1e-12)


def test_a_step_shorter_than_the_spacing_is_refused() -> None:
    with pytest.raises(CtrlGraphError, match=r"^an action advances by less than half of 0.1 m"):
        walked((0.04, 0.5), "_____", [-1.0, -1.0])


def test_expected_durations_of_a_policy_follow_from_the_table() -> None:
    """Steps of 2 on a line; to end costs 10 everywhere but at 4."""
    states = [
        {
            0: [ActionOutcome(s + 2 if s < 3 else FAILED, 1.0, -1.0, 1.0)],
            1: [ActionOutcome(ENDED, 1.0, 0.0 if s == 4 else -10.0, 1.0)],
        }
        for s in range(5)
    ]
    table = TransitionTable.of(states)
    solution = solve(table, failure=-100.0)
    assert evaluate(table, solution.choice, table.duration)[0] == 3.0  # 0 -> 2 -> 4 -> end
