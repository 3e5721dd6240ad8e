"""Policies by theta and its rate: what value iteration makes of a table whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.policies import Grid, GridAxis, OutcomeSpace, OutcomeStatus, OutcomeTable
from ctrlgraph.robustness.gaits.phase_policy import (
    FAILURE,
    policy_drawn,
    policy_table,
    solve_phase_policy,
    with_passages,
)
from ctrlgraph.robustness.gaits.planar_jump_returns import PassageRow

REAR, FRONT = 0, 1
PLACES = np.array([[-0.05], [0.15]])


def table_of(status: OutcomeStatus, change: float) -> OutcomeTable:
    """Three values of theta, five rates: each action goes on to the next theta, the rear one `change` m/s faster, the
    front one as much slower; from the last theta the cycle ends, or is a fall above 1.4 m/s."""
    grid = Grid([GridAxis("theta", 0.0, 0.2, 3, "m"), GridAxis("rate", 0.6, 1.4, 5, "m/s")])
    space = OutcomeSpace(grid, PLACES, ("at",), ("theta", "rate"))
    outcomes, after = np.zeros((15, 2), np.uint8), np.zeros((15, 2, 2))
    for state, (theta, rate) in enumerate(grid.points):
        for action, sign in ((REAR, 1.0), (FRONT, -1.0)):
            after[state, action] = min(theta + 0.1, 0.2), rate + sign * change
            outcomes[state, action] = OutcomeStatus.CONTINUED
            if theta > 0.15:
                outcomes[state, action] = status
    return OutcomeTable(space, outcomes, after, np.full((15, 2), 0.02))


def test_what_is_too_fast_is_braked_and_what_is_too_slow_let_go() -> None:
    policy = solve_phase_policy([table_of(OutcomeStatus.ENDED, 0.2)], rate=1.0, effort=0.0)
    at = policy_table(policy)
    assert at.shape == (3, 5)
    assert at[2, 0] == at[2, 1] == PLACES[REAR, 0]
    assert at[2, 3] == at[2, 4] == PLACES[FRONT, 0]
    # 1.2 m/s at the end can be braked to 1.0 exactly; two steps before it takes one to speed up again
    assert policy.value_at([0.2, 1.2]) == 0.0
    assert abs(policy.value_at([0.2, 1.4]) + 0.2) < 1e-12


def test_where_every_action_is_a_fall_what_is_fast_is_braked_and_nothing_is_shown_as_safe() -> None:
    policy = solve_phase_policy([table_of(OutcomeStatus.FAILED, 0.0)], rate=1.0, effort=0.0)
    assert (policy.value == FAILURE).all()
    at = policy_table(policy)
    assert (at[:, 4] == PLACES[FRONT, 0]).all() and (at[:, 0] == PLACES[REAR, 0]).all()
    assert not policy_drawn(policy).safe.any()


def test_of_places_that_lead_to_the_same_the_one_nearest_the_middle_of_the_sole_is_taken() -> None:
    same = table_of(OutcomeStatus.ENDED, 0.0)
    three = np.array([[-0.05], [0.05], [0.15]])
    space = OutcomeSpace(same.space.grid, three, ("at",), ("theta", "rate"))
    repeated = [np.repeat(array[:, :1], 3, axis=1) for array in (same.status, same.after, same.duration)]
    table = OutcomeTable(space, *repeated)
    assert (policy_table(solve_phase_policy([table], rate=1.0, effort=0.0)) == -0.05).all()
    assert (policy_table(solve_phase_policy([table], rate=1.0, effort=0.01)) == 0.05).all()


def test_what_succeeds_on_one_of_two_tables_only_is_worth_half_of_either() -> None:
    ends, falls = table_of(OutcomeStatus.ENDED, 0.0), table_of(OutcomeStatus.FAILED, 0.0)
    policy = solve_phase_policy([ends, falls], rate=1.0, effort=0.0)
    assert policy.value_at([0.2, 1.2]) == 0.5 * FAILURE - 0.5 * 0.2


def test_who_leaves_the_ground_lands_as_the_passages_between_tell() -> None:
    fell = [np.nan] * 3
    known = np.array([[0.7, 0.1, 0.8, 0.5], [0.9, 0.05, 0.85, 0.5], [1.1, -0.1, 1.0, 0.4], [1.3, *fell]])
    table = with_passages(table_of(OutcomeStatus.FAILED, 0.0), PassageRow("ode", 0.0, 0.0, known), 0.0)
    left = table.space.grid.points[10:, 1]
    np.testing.assert_allclose(left, [0.6, 0.8, 1.0, 1.2, 1.4])
    # beyond the slowest that is known as the slowest; of a fall and its neighbours nothing
    ended, on, failed = OutcomeStatus.ENDED, OutcomeStatus.CONTINUED, OutcomeStatus.FAILED
    assert table.status[10:, 0].tolist() == [ended, ended, on, failed, failed]
    np.testing.assert_allclose(table.after[10:13, 0], [[0.1, 0.8], [0.075, 0.825], [-0.025, 0.925]])
    assert table.duration[12, 1] == pytest.approx(0.45)
    assert (table.status[:10] == on).all()
