"""Value iteration: the best action and the value of every state of a grid, computed from outcome tables.

The value of a state is the expected sum of rewards under the best actions. Gauss-Seidel sweeps update the values of all
states until they no longer change. If an action leads partly back to its own state, its value is solved for exactly,
because iteration would take thousands of sweeps.

Source: M. L. Puterman, Markov decision processes (Wiley, 1994), section 6.3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels import value_iteration as kernels
from ctrlgraph.policies.grid import Floats
from ctrlgraph.policies.outcome_table import FAILED, OutcomeTable

TOLERANCE = 1e-12
"""Maximum change of a value in the last sweep. If a value exceeds 1 in magnitude, this is relative to the largest
magnitude.
"""
TIE = 1e-7
"""Maximum difference of the values of actions that count as equally good. If the better value exceeds 1 in magnitude,
this is relative to its magnitude.
"""
MAX_SWEEPS = 10_000
"""Maximum number of sweeps. If the values still change then, `solve` raises an error."""


@dataclass(frozen=True)
class Solution:
    """The optimal policy for S states: the best action and the value of each state."""

    value: Floats
    """Value of each state, (S,): the expected sum of rewards under the best actions."""
    action: NDArray[np.int64]
    """Index of the best action in each state, (S,)."""


def solve(tables: Sequence[OutcomeTable], rewards: Sequence[Floats], *, failure: float = 0.0) -> Solution:
    """Compute the policy with the maximum expected sum of rewards, by value iteration.

    The value of a state between grid points is interpolated. Of equally good actions, the first one is taken.

    Args:
        tables: Outcome tables with the same S states and A actions, such as one for each random condition. In each
            step, the outcome comes from each table with the same probability.
        rewards: Rewards of each action in each state, one array (S, A) for each table. If an action ends the task, its
            reward must include the value of the end.
        failure: Reward that is added if an action fails.

    Raises:
        CtrlGraphError: An array of rewards is not of the shape (S, A), a reward or `failure` is not finite, or the
            values still change after `MAX_SWEEPS` sweeps.
    """
    shape = tables[0].status.shape
    if any(reward.shape != shape or not np.isfinite(reward).all() for reward in rewards) or not math.isfinite(failure):
        raise CtrlGraphError(f"'rewards' must be finite with the shape {shape} (states, actions), and 'failure' finite")
    corners = [table.corners() for table in tables]
    number = np.concatenate([each for each, _ in corners], axis=-1)
    weight = np.concatenate([each for _, each in corners], axis=-1) / len(tables)
    gain = np.mean(rewards, axis=0) + failure * np.sum(weight, axis=-1, where=number == FAILED)
    value, action = np.zeros(shape[0]), np.zeros(shape[0], np.int64)
    for _ in range(MAX_SWEEPS):
        change = kernels.sweep_states(number, weight, gain, value)
        if not change > TOLERANCE * max(1.0, float(np.abs(value[np.isfinite(value)]).max(initial=0.0))):
            break
    else:
        raise CtrlGraphError(
            f"the values of states do not converge (change {change:.3g} after {MAX_SWEEPS} sweeps): give repeated"
            " states a negative reward"
        )
    kernels.best_actions(number, weight, gain, value, TIE, action)
    return Solution(value, action)
