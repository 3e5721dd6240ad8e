"""Policies by theta and its rate: what value iteration makes of a table whose answer is known."""

from __future__ import annotations

import numpy as np

from ctrlgraph.experiments.phase_policy import FAILURE, policy_drawn, policy_table, solve_phase_policy
from ctrlgraph.policies import Grid, GridAxis, OutcomeSpace, OutcomeStatus, OutcomeTable

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
            outcomes[state, action] = OutcomeStatus.WENT_ON
            if theta > 0.15:
                outcomes[state, action] = status
    return OutcomeTable(space, outcomes, after, np.full((15, 2), 0.02))


def test_what_is_too_fast_is_braked_and_what_is_too_slow_let_go() -> None:
    policy = solve_phase_policy(table_of(OutcomeStatus.ENDED, 0.2), rate=1.0)
    at = policy_table(policy)
    assert at.shape == (3, 5)
    assert at[2, 0] == at[2, 1] == PLACES[REAR, 0]
    assert at[2, 3] == at[2, 4] == PLACES[FRONT, 0]
    # 1.2 m/s at the end can be braked to 1.0 exactly; two steps before it takes one to speed up again
    assert policy.value_at([0.2, 1.2]) == 0.0
    assert abs(policy.value_at([0.2, 1.4]) + 0.2) < 1e-12


def test_where_every_action_is_a_fall_what_is_fast_is_braked_and_nothing_is_shown_as_safe() -> None:
    policy = solve_phase_policy(table_of(OutcomeStatus.FAILED, 0.0), rate=1.0)
    assert (policy.value == FAILURE).all()
    at = policy_table(policy)
    assert (at[:, 4] == PLACES[FRONT, 0]).all() and (at[:, 0] == PLACES[REAR, 0]).all()
    assert not policy_drawn(policy).safe.any()
