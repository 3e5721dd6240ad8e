"""Value iteration against all policies."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.policies import Grid, GridAxis, OutcomeSpace, OutcomeStatus, OutcomeTable, solve, value_iteration

CONTINUED, ENDED, FAILED = OutcomeStatus

Problem = tuple[list[OutcomeTable], list[np.ndarray]]


def table(status: list[list[int]], after: list[list[float]]) -> OutcomeTable:
    """A table of states on a line, at 0, 1, 2, ...: status and next place of each action."""
    states, actions = np.shape(status)
    grid = Grid([GridAxis("x", 0.0, float(max(states - 1, 1)), states)])
    space = OutcomeSpace(grid, np.arange(float(actions))[:, None], ("a",), ("x",))
    shape = (states, actions)
    return OutcomeTable(space, np.array(status, np.uint8), np.array(after, float)[:, :, None], np.ones(shape))


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Two small random tables of costs. In the first one action 0 always ends, so that some policy ends everywhere."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    shape = (int(rng.integers(1, 5)), int(rng.integers(1, 4)))
    tables, rewards = [], []
    for k in range(2):
        status = rng.choice([CONTINUED, CONTINUED, CONTINUED, ENDED, FAILED], shape)
        if k == 0:
            status[:, 0] = ENDED
        tables.append(table(status, rng.uniform(0.0, max(shape[0] - 1, 1), shape)))
        rewards.append(-rng.uniform(0.1, 2.0, shape))
    return tables, rewards


def transitions(problem: Problem, failure: float) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities (S, A, S) of the next states, and the expected reward (S, A), term by term."""
    states, actions = problem[1][0].shape
    places = np.arange(states)
    chance, gain = np.zeros((states, actions, states)), np.zeros((states, actions))
    for one, reward in zip(*problem, strict=True):
        for s, a in itertools.product(range(states), range(actions)):
            gain[s, a] += (reward[s, a] + failure * (one.status[s, a] == FAILED)) / len(problem[0])
            if one.status[s, a] == CONTINUED:
                x = one.after[s, a, 0] if states > 1 else 0.0
                chance[s, a] += np.maximum(0.0, 1.0 - np.abs(places - x)) / len(problem[0])
    return chance, gain


@given(problems(), st.floats(-20, 0))
def test_no_policy_is_better(problem: Problem, failure: float) -> None:
    """All policies, each by a system of linear equations; one that may never end is worth -inf."""
    chance, gain = transitions(problem, failure)
    states, actions = gain.shape
    best, rows = np.full(states, -np.inf), np.arange(states)
    for policy in itertools.product(range(actions), repeat=states):
        step = chance[rows, policy]
        if np.linalg.matrix_power(step, 4096).sum() < 1e-6:
            best = np.maximum(best, np.linalg.solve(np.eye(states) - step, gain[rows, policy]))
    solution = solve(*problem, failure=failure)
    assert solution.value == pytest.approx(best, abs=1e-6)
    step = chance[rows, solution.action]
    assert np.linalg.solve(np.eye(states) - step, gain[rows, solution.action]) == pytest.approx(best, abs=1e-5)


@given(problems(), st.floats(0, 0.09))
def test_more_reward_never_lowers_a_value(problem: Problem, more: float) -> None:
    tables, rewards = problem
    assert (solve(tables, [rewards[0] + more, rewards[1]]).value >= solve(tables, rewards).value - 1e-9).all()


def test_a_state_without_an_end_is_avoided_at_any_cost() -> None:
    """The cheap action can lead to a state that leads only to itself; the expensive one is chosen."""
    one = table([[CONTINUED, ENDED], [CONTINUED, CONTINUED]], [[1.0, 0.0], [1.0, 1.0]])
    other = table([[ENDED, ENDED], [CONTINUED, CONTINUED]], [[0.0, 0.0], [1.0, 1.0]])
    reward = np.array([[-1.0, -1000.0], [-1.0, -1.0]])
    solution = solve([one, other], [reward, reward])
    assert solution.action[0] == 1
    assert solution.value.tolist() == [-1000.0, -np.inf]


def test_a_state_that_mostly_leads_to_itself_is_solved_in_a_few_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_iteration, "MAX_SWEEPS", 4)
    slow = table([[CONTINUED], [ENDED]], [[1e-4], [0.0]])
    assert solve([slow], [np.array([[-1.0], [-5.0]])]).value == pytest.approx([-10_005.0, -5.0], rel=1e-9)


def test_ties_are_decided_by_the_order_of_the_actions() -> None:
    """.1 + .2 is not .3 to the last bit."""
    ends = table([[ENDED, ENDED]], [[0.0, 0.0]])
    for rewards in ([-(0.1 + 0.2), -0.3], [-0.3, -(0.1 + 0.2)]):
        assert solve([ends], [np.array([rewards])]).action[0] == 0


def test_a_profitable_cycle_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_iteration, "MAX_SWEEPS", 50)
    cycle = table([[CONTINUED], [CONTINUED]], [[1.0], [0.0]])
    with pytest.raises(CtrlGraphError, match=r"^the values of states do not converge \(change 2 after 50 sweeps\)"):
        solve([cycle], [np.ones((2, 1))])


@pytest.mark.parametrize(
    ("reward", "failure"), [([[0.0]], float("-inf")), ([[float("nan")]], 0.0), ([[0.0, 0.0]], 0.0)]
)
def test_numbers_out_of_range_are_refused(reward: list[list[float]], failure: float) -> None:
    with pytest.raises(
        CtrlGraphError, match=r"^'rewards' must be finite with the shape \(1, 1\) \(states, actions\), "
    ):
        solve([table([[ENDED]], [[0.0]])], [np.array(reward)], failure=failure)
