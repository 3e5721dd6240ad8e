"""Value iteration: the best action and the value of every state of a table.

Without cycles one sweep in topological order is exact. Otherwise Gauss-Seidel sweeps run backward from the states in
which the task ends. The error of the values is estimated from their changes. The sweeps end when it is within a
tolerance.

Source: M. L. Puterman, Markov decision processes (Wiley, 1994), sections 4.5 and 6.3.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels import value_iteration as kernels
from ctrlgraph.policies.transition_table import FAILED, TransitionTable

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

TOLERANCE = 1e-9
"""Largest estimated error of the values, relative to the largest value if that is above 1."""
TIE = 1e-7
"""Largest difference of equal choices, relative to the better one if that is above 1."""
MAX_SWEEPS = 100_000
"""Number of sweeps after which values that still change are an error."""


@dataclass(frozen=True)
class Solution:
    """The best policy of a table."""

    value: Floats
    """(S,) expected sum of rewards; -inf if no policy ends with certainty."""
    choice: Ints
    """(S,) number of the table's choice."""
    action: Ints
    """(S,) action of the choice."""


def solve(table: TransitionTable, *, failure: float = 0.0, tolerance: float = TOLERANCE) -> Solution:
    """Return the policy with the maximum expected sum of rewards. Of equal choices, it takes the first one.

    Args:
        table: the transitions; cycles must cost something.
        failure: value of a failure, in addition to the outcome's reward.
        tolerance: see TOLERANCE.

    Raises:
        CtrlGraphError: a number is out of range, or the values do not converge.

    >>> from ctrlgraph.policies import ENDED, ActionOutcome, TransitionTable, solve
    >>> slow, risky = [ActionOutcome(ENDED, 1.0, -5.0)], [ActionOutcome(ENDED, 0.5, -1.0), ActionOutcome(0, 0.5, -1.0)]
    >>> solution = solve(TransitionTable.of([{0: slow, 1: risky}]))
    >>> int(solution.action[0]), round(float(solution.value[0]), 6)
    (1, -2.0)
    """
    if not math.isfinite(failure) or not tolerance > 0.0:
        raise CtrlGraphError("value iteration needs a finite failure and a tolerance above 0")
    problem = _Problem(table, table.reward + np.where(table.next_state == FAILED, failure, 0.0))
    order, acyclic = problem.order()
    value = np.zeros(table.states)
    if not acyclic:
        certain = problem.certain(order)
        value[certain == 0] = -math.inf
        order = order[certain[order] == 1]
    bounds = (table.choice_start[:-1], table.choice_start[1:])
    _until_still(lambda: kernels.sweep(order, *bounds, problem.choices, value), value, acyclic, tolerance)
    choice = np.zeros(table.states, np.int64)
    kernels.best_choices(table.choice_start, problem.choices, value, TIE, choice)
    return Solution(value, choice, table.action[choice])


def evaluate(table: TransitionTable, choice: Ints, reward: Floats, *, tolerance: float = TOLERANCE) -> Floats:
    """Return the expected sum (S,) of a quantity of the outcomes under a policy: rewards, durations, or counts.

    Args:
        table: the transitions.
        choice: (S,) choice of the policy in each state, as `Solution.choice`.
        reward: (O,) the quantity.
        tolerance: see TOLERANCE.

    Returns:
        NaN for states from which the policy does not end with certainty.

    Raises:
        CtrlGraphError: the choices do not fit the table, or the sums do not converge.
    """
    starts = table.choice_start
    if choice.shape != (table.states,) or not ((choice >= starts[:-1]) & (choice < starts[1:])).all():
        raise CtrlGraphError("a policy needs one choice of each state")
    problem = _Problem(table, np.asarray(reward, np.float64))
    order, acyclic = problem.order()
    value = np.zeros(table.states)
    if not acyclic:
        certain = problem.certain_by(choice)
        value[~certain] = math.nan
        order = order[certain[order]]
    chosen = np.asarray(choice, np.int64)
    _until_still(lambda: kernels.sweep(order, chosen, chosen + 1, problem.choices, value), value, acyclic, tolerance)
    return value


def _until_still(sweep: Callable[[], float], value: Floats, acyclic: bool, tolerance: float) -> None:
    residual = math.inf
    for _ in range(MAX_SWEEPS):
        before, residual = residual, float(sweep())
        if acyclic:
            return
        # the changes approach a geometric series, whose sum estimates the error
        shrinks = residual / before if before < math.inf else 1.0
        left = residual * shrinks / (1.0 - shrinks) if shrinks < 1.0 else math.inf
        largest = float(np.abs(value[np.isfinite(value)]).max(initial=0.0))
        if residual == 0.0 or max(left, residual) <= tolerance * max(1.0, largest):
            return
    raise CtrlGraphError(
        f"the values still change by {residual:.3g} after {MAX_SWEEPS} sweeps: every cycle must cost something"
    )


class _Problem:
    """A table in the form that the kernels take, with the order of its states."""

    def __init__(self, table: TransitionTable, reward: Floats) -> None:
        self._table = table
        gain = np.add.reduceat(table.probability * reward, table.outcome_start[:-1])
        self.choices = kernels.Choices(table.outcome_start, table.next_state, table.probability, gain)

    def order(self) -> tuple[Ints, bool]:
        """Return all states, those near an end first, and whether the table is free of cycles."""
        table = self._table
        leads = table.next_state >= 0
        per_choice = np.diff(table.choice_start)
        source = np.repeat(np.repeat(np.arange(table.states), per_choice), np.diff(table.outcome_start))
        by_target = np.argsort(table.next_state[leads], kind="stable")
        leader = np.ascontiguousarray(source[leads][by_target])
        arrivals = np.bincount(table.next_state[leads], minlength=table.states)
        leader_start = np.concatenate([[0], np.cumsum(arrivals)]).astype(np.int64)
        order = np.zeros(table.states, np.int64)
        waits_for = np.bincount(source[leads], minlength=table.states).astype(np.int64)
        if kernels.order_after_successors(leader_start, leader, waits_for, order) == table.states:
            return order, True
        ends = np.unique(source[~leads])
        found = np.zeros(table.states, np.int64)
        found[ends], order[: len(ends)] = 1, ends
        done = kernels.order_backward(leader_start, leader, found, order, len(ends))
        order[done:] = np.flatnonzero(found == 0)
        return order, False

    def certain(self, order: Ints) -> Ints:
        """Return 1 for each state from which some policy ends with certainty (S,)."""
        table = self._table
        certain, reached = np.ones(table.states, np.int64), np.zeros(table.states, np.int64)
        arrays = (table.choice_start, table.outcome_start, table.next_state)
        while kernels.keep_certain(*arrays, order, certain, reached):
            pass
        return certain

    def certain_by(self, choice: Ints) -> NDArray[np.bool_]:
        """Return whether this policy ends with certainty, from each state (S,)."""
        alone = _with_one_choice(self._table, choice)
        problem = _Problem(alone, alone.reward)
        certain: NDArray[np.bool_] = problem.certain(problem.order()[0]) == 1
        return certain


def _with_one_choice(table: TransitionTable, choice: Ints) -> TransitionTable:
    """Return the table with the policy's choice only in each state."""
    counts = np.diff(table.outcome_start)[choice]
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    picked = np.repeat(table.outcome_start[choice] - starts[:-1], counts) + np.arange(starts[-1])
    return TransitionTable(
        np.arange(table.states + 1),
        table.action[choice],
        starts,
        table.next_state[picked],
        table.probability[picked],
        table.reward[picked],
        table.duration[picked],
    )
