"""Plans over courses, from tables of steps that are written out."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.control.stepping.planning import FAILURE, CoursePlan, best_steps
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.policies import Grid, GridAxis, OutcomeSpace, OutcomeStatus, OutcomeTable

COLUMNS = ("gait", "rate", "advance")


def table_of(lengths: tuple[float, ...]) -> OutcomeTable:
    """One state, from which steps have these lengths."""
    grid = Grid([GridAxis("gait", 0.0, 0.0, 1), GridAxis("rate", 1.0, 1.0, 1)])
    space = OutcomeSpace(grid, np.array(lengths)[:, None], ("length",), COLUMNS)
    after = np.ones((1, len(lengths), 3))
    after[0, :, 0], after[0, :, 2] = 0.0, lengths
    shape = (1, len(lengths))
    return OutcomeTable(space, np.zeros(shape, np.uint8), after, np.ones(shape))


def walked(lengths: tuple[float, ...], ground: str, reward: list[float]) -> tuple[list[float], float]:
    """The steps of the plan over a course, drawn with a letter for each .1 m, and its value at the beginning."""
    outcomes = table_of(lengths)
    positions = GridAxis("position", 0.0, 0.1 * (len(ground) - 1), len(ground), "m")
    value, choice = best_steps(outcomes, positions, np.array([letter != " " for letter in ground]), np.array([reward]))
    plan = CoursePlan(outcomes, positions, value, choice, positions.high)
    x, taken = 0.0, list[float]()
    while x <= positions.high + 1e-9 and (action := plan.action(x, 0, 1.0)) >= 0:
        taken.append(lengths[action])
        x += lengths[action]
    return taken, float(value[0, 0])


def test_a_gap_is_crossed_by_steps_that_land_beside_it() -> None:
    taken, value = walked((0.3, 0.5), "______   ____", [-1.0, -1.0])
    places = np.round(np.cumsum(taken), 6)
    assert not any(0.59 < place < 0.89 for place in places) and value == -len(taken) == -3.0


def test_one_table_serves_other_courses_and_costs() -> None:
    assert walked((0.3, 0.5), "____________", [-1.0, -1.0]) == ([0.3, 0.5, 0.5], -3.0)
    assert walked((0.3, 0.5), "____________", [-0.1, -1.0])[0] == [0.3] * 4  # short steps are cheap


def test_a_gap_that_no_step_crosses_fails() -> None:
    assert walked((0.3, 0.5), "____       ____", [-1.0, -1.0])[1] <= FAILURE


def test_a_plan_equals_value_iteration_over_positions_and_states() -> None:
    rng = np.random.default_rng(4)
    grid = Grid([GridAxis("gait", 0.0, 0.0, 1), GridAxis("rate", 0.0, 1.0, 4)])
    space = OutcomeSpace(grid, np.arange(3.0)[:, None], ("a",), COLUMNS)
    after = np.stack([np.zeros((4, 3)), rng.uniform(0, 1, (4, 3)), rng.integers(1, 4, (4, 3)) * 0.5], axis=-1)
    status = (rng.random((4, 3)) < 0.2).astype(np.uint8) * np.uint8(OutcomeStatus.FAILED)
    outcomes = OutcomeTable(space, status, after, np.ones((4, 3)))
    land, reward = rng.random(20) < 0.7, -rng.uniform(0.1, 1, (4, 3))
    found, _ = best_steps(outcomes, GridAxis("x", 0.0, 9.5, 20), land, reward)
    value = np.zeros((24, 4))
    for p in reversed(range(20)):
        for s in range(4):
            options = []
            for a in range(3):
                there = p + round(after[s, a, 2] / 0.5)
                if status[s, a] == OutcomeStatus.CONTINUED and (there >= 20 or land[there]):
                    (number,), (weight,) = grid.weights([after[s, a, :2]])
                    options.append(reward[s, a] + weight @ value[there][number])
            value[p, s] = max(options, default=FAILURE)
    assert found == pytest.approx(value[:20], abs=1e-12)


def test_a_step_shorter_than_the_spacing_is_refused() -> None:
    with pytest.raises(CtrlGraphError, match=r"^a step is shorter than half the spacing, 0\.1 m"):
        walked((0.04, 0.5), "_____", [-1.0, -1.0])
