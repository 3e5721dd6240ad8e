"""Value iteration: the best action of every state of a table, and what it is worth.

Where no state leads back to itself, one sweep in the right order is exact. Else Gauss-Seidel sweeps are made until the
values are within a tolerance, by how their changes have shrunk; they begin with the states from which the task ends,
and go backward from there.

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
"""So far the values may be off, by the last changes, relative to the largest value where that is above 1."""
TIE = 1e-7
"""So close, relative to the better one where that is above 1, two choices are worth the same."""
MAX_SWEEPS = 100_000


@dataclass(frozen=True)
class Solution:
    """The best policy of a table.

    value: (S,) the expected sum of rewards from each state on, -inf where no policy comes to an end with certainty and
    nothing is discounted; choice: (S,) the choice that is taken, a number of the table's choices; action: (S,) its
    action;
    sweeps: how many were made; residual: the largest change of the last one; acyclic: one sweep was exact.
    """

    value: Floats
    choice: Ints
    action: Ints
    sweeps: int
    residual: float
    acyclic: bool


def solve(
    table: TransitionTable,
    *,
    discount: float = 1.0,
    per_second: bool = False,
    failure: float = 0.0,
    tolerance: float = TOLERANCE,
    max_sweeps: int = MAX_SWEEPS,
) -> Solution:
    """Return the policy with the greatest expected sum of rewards. Of actions that are worth the same, the first one of
    the table is taken.

    Args:
        discount: what a reward one step later is worth, above 0 and at most 1; at 1, steps must cost something where
            they may go in a circle.
        per_second: the discount is that of a second, by the durations of outcomes, instead of a step.
        failure: what it is worth to fail for good, besides the reward of the outcome.
        tolerance: see TOLERANCE.

    Raises:
        CtrlGraphError: a number is out of range, or the values still change after so many sweeps.

    >>> from ctrlgraph.policies import ENDED, ActionOutcome, TransitionTable, solve
    >>> slow, risky = [ActionOutcome(ENDED, 1.0, -5.0)], [ActionOutcome(ENDED, 0.5, -1.0), ActionOutcome(0, 0.5, -1.0)]
    >>> solution = solve(TransitionTable.of([{0: slow, 1: risky}]))
    >>> int(solution.action[0]), round(float(solution.value[0]), 6)
    (1, -2.0)
    """
    if not math.isfinite(failure) or not tolerance > 0.0 or max_sweeps < 1:
        raise CtrlGraphError("value iteration needs a finite failure, a tolerance above 0 and at least one sweep")
    problem = _Problem(table, table.reward, _discounts(table, discount, per_second), failure)
    order, acyclic = problem.order()
    value = np.zeros(table.states)
    if discount == 1.0 and not acyclic:
        certain = problem.certain(order)
        value[certain == 0] = -math.inf
        order = order[certain[order] == 1]
    arrays = (table.choice_start, *problem.arrays)
    sweeps, residual = _until_still(lambda: kernels.sweep(order, *arrays, value), value, acyclic, tolerance, max_sweeps)
    choice = np.zeros(table.states, np.int64)
    kernels.best_choices(*arrays, value, TIE, choice)
    return Solution(value, choice, table.action[choice], sweeps, residual, acyclic)


def evaluate(
    table: TransitionTable,
    choice: Ints,
    reward: Floats,
    *,
    discount: float = 1.0,
    failure: float = 0.0,
    tolerance: float = TOLERANCE,
    max_sweeps: int = MAX_SWEEPS,
) -> Floats:
    """Return the expected sum (S,) of what outcomes bring while a policy is followed: of rewards, of durations, of
    ones for endings of a kind.

    Args:
        choice: (S,) what the policy takes in each state, as `Solution.choice`.
        reward: (O,) what each outcome brings.
        discount, failure, tolerance: as for `solve`.

    Returns:
        NaN for the states from which the policy may never come to an end, where nothing is discounted.

    Raises:
        CtrlGraphError: a number is out of range, or the sums still change after so many sweeps.
    """
    starts = table.choice_start
    if choice.shape != (table.states,) or not ((choice >= starts[:-1]) & (choice < starts[1:])).all():
        raise CtrlGraphError("a policy takes one of its choices in each state")
    problem = _Problem(table, np.asarray(reward, np.float64), _discounts(table, discount, False), failure)
    order, acyclic = problem.order()
    value = np.zeros(table.states)
    if discount == 1.0 and not acyclic:
        certain = problem.certain_by(choice)
        value[~certain] = math.nan
        order = order[certain[order]]
    chosen = np.asarray(choice, np.int64)
    _until_still(
        lambda: kernels.sweep_fixed(order, chosen, *problem.arrays, value), value, acyclic, tolerance, max_sweeps
    )
    return value


def _until_still(
    sweep: Callable[[], float], value: Floats, acyclic: bool, tolerance: float, max_sweeps: int
) -> tuple[int, float]:
    residual = math.inf
    for sweeps in range(1, max_sweeps + 1):
        before, residual = residual, float(sweep())
        if acyclic:
            return 1, 0.0
        # the changes of later sweeps are a geometric series, in the end: its sum is what the values are off by
        shrinks = residual / before if before < math.inf else 1.0
        left = residual * shrinks / (1.0 - shrinks) if shrinks < 1.0 else math.inf
        largest = float(np.abs(value[np.isfinite(value)]).max(initial=0.0))
        if residual == 0.0 or max(left, residual) <= tolerance * max(1.0, largest):
            return sweeps, residual
    raise CtrlGraphError(
        f"the values still change by {residual:.3g} after {max_sweeps} sweeps: where nothing is discounted, every way"
        " that goes in a circle must cost something"
    )


def _discounts(table: TransitionTable, discount: float, per_second: bool) -> Floats:
    if not 0.0 < discount <= 1.0:
        raise CtrlGraphError(f"a discount is above 0 and at most 1, not {discount:g}")
    return discount**table.duration if per_second else np.full(table.outcomes, discount)


class _Problem:
    """A table as the kernels take it, with the order in which its states are gone through."""

    def __init__(self, table: TransitionTable, reward: Floats, discount: Floats, failure: float) -> None:
        self._table = table
        worth = reward + np.where(table.next_state == FAILED, failure, 0.0)
        gain = np.add.reduceat(table.probability * worth, table.outcome_start[:-1])
        self.arrays = (table.outcome_start, table.next_state, table.probability * discount, gain)

    def order(self) -> tuple[Ints, bool]:
        """Return all states, those near an end first, and whether none leads back to itself."""
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
        """Return 1 for each state from which some policy comes to an end with certainty (S,)."""
        table = self._table
        certain, reached = np.ones(table.states, np.int64), np.zeros(table.states, np.int64)
        arrays = (table.choice_start, table.outcome_start, table.next_state)
        while kernels.keep_certain(*arrays, order, certain, reached):
            pass
        return certain

    def certain_by(self, choice: Ints) -> NDArray[np.bool_]:
        """Tell of each state whether this policy comes from there to an end with certainty (S,)."""
        alone = _with_one_choice(self._table, choice)
        problem = _Problem(alone, alone.reward, np.ones(alone.outcomes), 0.0)
        certain: NDArray[np.bool_] = problem.certain(problem.order()[0]) == 1
        return certain


def _with_one_choice(table: TransitionTable, choice: Ints) -> TransitionTable:
    """The table in which each state has but the choice that a policy takes."""
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
