"""Value iteration against all policies."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.policies import ENDED, FAILED, ActionOutcome, TransitionTable, evaluate, solve, value_iteration

States = list[dict[int, list[ActionOutcome]]]


@st.composite
def problems(draw: st.DrawFn, *, acyclic: bool = False) -> States:
    """Small random tables, of costs: whatever goes in a circle costs something. No two choices are worth the same but
    by a chance that does not happen."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.integers(1, 6))
    states: States = []
    for s in range(n):
        actions = {}
        for action in range(draw(st.integers(1, 3))):
            lowest = s + 1 if acyclic else 0
            pool = [ENDED, FAILED, *range(lowest, n)]
            chosen = rng.choice(pool, min(len(pool), int(rng.integers(1, 4))), replace=False)
            shares = rng.dirichlet(np.ones(len(chosen)))
            actions[action] = [
                ActionOutcome(int(t), float(p), -float(rng.uniform(0.1, 2)), float(rng.uniform(0.1, 3)))
                for t, p in zip(chosen, shares, strict=True)
            ]
        states.append(actions)
    try:
        solve(TransitionTable.of(states))
    except CtrlGraphError:  # a cycle that is left once in ten thousand times needs too many sweeps
        reject()
    return states


def expected(outcomes: list[ActionOutcome], value: np.ndarray, failure: float) -> float:
    """The worth of an action, term by term."""
    total = 0.0
    for outcome in outcomes:
        later = value[outcome.next_state] if outcome.next_state >= 0 else failure * (outcome.next_state == FAILED)
        total += outcome.probability * (outcome.reward + later)
    return total


@given(problems(), st.floats(-20, 0))
def test_no_policy_is_better(states: States, failure: float) -> None:
    """All policies of the table, each by a system of linear equations; one that may never end is worth -inf."""
    table = TransitionTable.of(states)
    best = np.full(len(states), -np.inf)
    for policy in itertools.product(*(actions.values() for actions in states)):
        matrix, gain = np.eye(len(states)), np.zeros(len(states))
        for s, outcomes in enumerate(policy):
            gain[s] = expected(outcomes, np.zeros(len(states)), failure)
            for outcome in outcomes:
                if outcome.next_state >= 0:
                    matrix[s, outcome.next_state] -= outcome.probability
        ends = reaches_end(policy)
        inner = np.flatnonzero(ends)
        value = np.full(len(states), -np.inf)
        value[inner] = np.linalg.solve(matrix[np.ix_(inner, inner)], gain[inner])
        best = np.maximum(best, value)
    solution = solve(table, failure=failure)
    assert solution.value == pytest.approx(best, abs=1e-5)
    followed = evaluate(table, solution.choice, table.reward + failure * (table.next_state == FAILED))
    assert np.where(np.isnan(followed), -np.inf, followed) == pytest.approx(best, abs=1e-5)


def reaches_end(policy: tuple[list[ActionOutcome], ...]) -> np.ndarray:
    """From which states a policy ends with certainty: those that cannot come to one from which no end can be
    reached."""
    n = len(policy)
    can_end = np.zeros(n, bool)
    for _ in range(n + 1):
        can_end = np.array([any(o.next_state < 0 or can_end[o.next_state] for o in row) for row in policy])
    stuck = ~can_end
    for _ in range(n + 1):
        stuck = stuck | np.array([any(o.next_state >= 0 and stuck[o.next_state] for o in row) for row in policy])
    return ~stuck


@given(problems(acyclic=True))
def test_one_backward_sweep_is_exact_without_cycles(states: States) -> None:
    table = TransitionTable.of(states)
    solution = solve(table, failure=-3.0)
    value = np.zeros(len(states))
    for s in reversed(range(len(states))):
        value[s] = max(expected(outcomes, value, -3.0) for outcomes in states[s].values())
    assert solution.value == pytest.approx(value, abs=1e-12)


@given(problems(acyclic=True))
def test_iterated_sweeps_give_the_same_values(states: States) -> None:
    """One state more, which leads to itself and to which nothing leads, takes the table for a cyclic one."""
    own = len(states)
    cyclic = [*states, {0: [ActionOutcome(own, 0.5, -1.0), ActionOutcome(ENDED, 0.5, -1.0)]}]
    one, other = solve(TransitionTable.of(states)), solve(TransitionTable.of(cyclic))
    assert other.value[:-1] == pytest.approx(one.value, abs=1e-9)
    assert other.action[:-1].tolist() == one.action.tolist()


@given(problems(), st.randoms())
def test_the_numbering_of_states_changes_nothing(states: States, random) -> None:
    new = list(range(len(states)))
    random.shuffle(new)
    renamed: States = [{}] * len(states)
    for s, actions in enumerate(states):
        renamed[new[s]] = {
            action: [o._replace(next_state=new[o.next_state] if o.next_state >= 0 else o.next_state) for o in outcomes]
            for action, outcomes in actions.items()
        }
    one, other = solve(TransitionTable.of(states), failure=-2.0), solve(TransitionTable.of(renamed), failure=-2.0)
    assert other.value[new] == pytest.approx(one.value, abs=1e-6)
    ends = np.isfinite(one.value)  # elsewhere all actions are worth the same
    assert other.action[new][ends].tolist() == one.action[ends].tolist()


@given(problems(), st.data())
def test_more_reward_never_lowers_a_value(states: States, data: st.DataObject) -> None:
    table = TransitionTable.of(states)
    more = np.array([data.draw(st.floats(0, 0.09)) for _ in range(table.outcomes)])
    assert (solve(replace(table, reward=table.reward + more)).value >= solve(table).value - 1e-6).all()


def test_states_without_an_end_are_avoided_at_any_cost() -> None:
    """The cheap action leads to states without an end, which are worth -inf; the expensive one is chosen."""
    states: States = [
        {0: [ActionOutcome(1, 0.1, -1.0), ActionOutcome(ENDED, 0.9, -1.0)], 1: [ActionOutcome(ENDED, 1.0, -1000.0)]},
        {0: [ActionOutcome(1, 1.0, -1.0)]},
    ]
    solution = solve(TransitionTable.of(states))
    assert solution.action[0] == 1
    assert solution.value.tolist() == [-1000.0, -np.inf]


def test_ties_are_decided_by_the_order_of_the_actions() -> None:
    """.1 + .2 is not .3 to the last bit."""
    dear_first = [ActionOutcome(ENDED, 1.0, -(0.1 + 0.2))], [ActionOutcome(ENDED, 1.0, -0.3)]
    assert solve(TransitionTable.of([{7: dear_first[0], 8: dear_first[1]}])).action[0] == 7
    assert solve(TransitionTable.of([{8: dear_first[1], 7: dear_first[0]}])).action[0] == 8


def test_expected_quantities_follow_from_those_of_the_outcomes() -> None:
    """Tries that succeed in .8 of the cases, and else are tried again (.15) or fail for good (.05)."""
    tries = [ActionOutcome(ENDED, 0.8, 0, 2.0), ActionOutcome(0, 0.15, 0, 3.0), ActionOutcome(FAILED, 0.05, 0, 1.0)]
    table = TransitionTable.of([{0: tries}])
    choice = np.zeros(1, np.int64)
    assert evaluate(table, choice, (table.next_state == ENDED) * 1.0)[0] == pytest.approx(0.8 / 0.85)
    assert evaluate(table, choice, table.duration)[0] == pytest.approx((1.6 + 0.45 + 0.05) / 0.85)


def test_a_profitable_cycle_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_iteration, "MAX_SWEEPS", 50)
    table = TransitionTable.of(
        [{0: [ActionOutcome(0, 0.5, 3.0), ActionOutcome(0, 0.5, 1.0)], 1: [ActionOutcome(ENDED)]}]
    )
    with pytest.raises(CtrlGraphError, match=r"^the values still change by 2 after 50 sweeps: every cycle must"):
        solve(table)


@pytest.mark.parametrize("wrong", [{"tolerance": 0.0}, {"failure": float("-inf")}])
def test_numbers_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(CtrlGraphError):
        solve(TransitionTable.of([{0: [ActionOutcome(ENDED)]}]), **wrong)


def test_a_policy_of_another_table_is_refused() -> None:
    table = TransitionTable.of([{0: [ActionOutcome(ENDED)]}])
    with pytest.raises(CtrlGraphError, match=r"^a policy needs one choice of each state$"):
        evaluate(table, np.array([1]), table.reward)
