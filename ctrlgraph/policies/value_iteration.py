"""Value iteration: the best action and the value of every state of a grid, from simulated outcomes.

Gauss-Seidel sweeps run over all states until their values no longer change. An outcome that leads back to its own state
is solved for exactly, because it would otherwise take thousands of sweeps.

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
from ctrlgraph.policies.outcome_table import FAILED, OutcomeTable

Floats = NDArray[np.float64]

TOLERANCE = 1e-12
"""Largest change of a value in the last sweep, relative to the largest value if that is above 1."""
TIE = 1e-7
"""Largest difference of equal actions, relative to the better one if that is above 1."""
MAX_SWEEPS = 10_000
"""Number of sweeps after which values that still change are an error."""


@dataclass(frozen=True)
class Solution:
    """The best policy of a table."""

    value: Floats
    """(S,) expected sum of rewards."""
    action: NDArray[np.int64]
    """(S,) number of the action."""


def solve(tables: Sequence[OutcomeTable], rewards: Sequence[Floats], *, failure: float = 0.0) -> Solution:
    """Return the policy with the maximum expected sum of rewards. Of equal actions, it takes the first one.

    Outcomes between grid points lead to the corners of their cells, so that values are interpolated.

    Args:
        tables: outcomes of the same actions from the same states; the tables have equal probability.
        rewards: for each table the rewards (S, A). The reward of an action that ends includes the value of the end.
        failure: value of a failure, in addition to the reward.

    Raises:
        CtrlGraphError: the rewards do not fit the tables, a number is not finite, or the values do not converge.
    """
    shape = tables[0].status.shape
    if any(reward.shape != shape or not np.isfinite(reward).all() for reward in rewards) or not math.isfinite(failure):
        raise CtrlGraphError(f"value iteration needs finite rewards of {shape[0]} states and {shape[1]} actions")
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
            f"the values still change by {change:.3g} after {MAX_SWEEPS} sweeps: every cycle must cost something"
        )
    kernels.best_actions(number, weight, gain, value, TIE, action)
    return Solution(value, action)
