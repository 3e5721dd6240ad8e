"""Policies over positions: the same actions everywhere, which lead on by what they lead on by, over ground with gaps.

What an action does is tabulated once, without positions; where it may come down is said of each course. So another
course is planned without a simulation: one sweep from its end to its beginning is exact, since every action leads on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ctrlgraph.bounds import MAX_TABLE_STATES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.value_iteration import sweep_positions
from ctrlgraph.policies.grid import GridAxis, Interpolation
from ctrlgraph.policies.outcome_table import Beyond, OutcomeStatus, OutcomeTable

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CoursePolicy:
    """The best action at P positions (an axis in m) from each of the table's S states.

    value: (P, S) expected sum of rewards to beyond the last position; choice: (P, S) number of the action, -1 where
    each one fails.
    """

    outcomes: OutcomeTable
    positions: GridAxis
    value: Floats
    choice: NDArray[np.int64]

    def action(self, position: float, state: ArrayLike) -> int:
        """Return the number of the action at a position (m) from a state (axes of the grid,), both taken for the
        nearest that is tabulated; -1 where each one fails.

        Raises:
            CtrlGraphError: the state is none of the grid's.
        """
        return int(self.choice[self._place(position), self.outcomes.space.grid.nearest(state)])

    def value_at(self, position: float, state: ArrayLike) -> float:
        """Return what is to be expected from there, as `action`."""
        return float(self.value[self._place(position), self.outcomes.space.grid.nearest(state)])

    def _place(self, position: float) -> int:
        return int(
            np.clip(round((position - self.positions.low) / self.positions.spacing), 0, self.positions.count - 1)
        )


def plan_course(
    outcomes: OutcomeTable,
    positions: GridAxis,
    may_land: ArrayLike,
    reward: Floats,
    *,
    advance: str,
    failure: float,
    beyond: ArrayLike = 0.0,
    how: Interpolation = Interpolation.MULTILINEAR,
) -> CoursePolicy:
    """Return the policy with the greatest expected sum of rewards from each position to beyond the last one.

    Args:
        positions: from the beginning of the course to its end, m; an action leads on by whole steps of it.
        may_land: (P,) whether an action may come down there.
        reward: (S, A) what each action brings, of steps what they cost, negative.
        advance: the column that says how far on an action leads, m.
        failure: what it is worth to fail.
        beyond: what each state is worth beyond the last position (S,), or one number for all.

    Raises:
        CtrlGraphError: an action that does not fail leads on by less than half the distance of two positions, or an
            argument does not fit the table.
    """
    states, actions = outcomes.status.shape
    ground = np.ascontiguousarray(may_land, dtype=np.int64)
    if ground.shape != (positions.count,) or positions.count < 2 or reward.shape != (states, actions):
        raise CtrlGraphError("a course has two positions or more; the ground and rewards are to fit them and the table")
    if positions.count * states > MAX_TABLE_STATES:
        raise CtrlGraphError(f"{positions.count} positions of {states} states are more than {MAX_TABLE_STATES}")
    goes_on = outcomes.status == OutcomeStatus.WENT_ON
    cells = np.where(goes_on, np.rint(np.nan_to_num(outcomes.column(advance)) / positions.spacing), 1).astype(np.int64)
    if cells.min() < 1:
        raise CtrlGraphError(
            f"an action leads on by less than half of {positions.spacing:g} m: the positions are too far apart for it"
        )
    number, weight = outcomes.corners(how, Beyond.FAILS)
    counts = weight.any(axis=(0, 1))  # on an axis of names, a node's, nothing lies between two values
    number, weight = np.ascontiguousarray(number[:, :, counts]), np.ascontiguousarray(weight[:, :, counts])
    last = np.broadcast_to(np.asarray(beyond, dtype=np.float64), (states,)).copy()
    value = np.zeros((positions.count, states))
    choice = np.zeros((positions.count, states), np.int64)
    bonus = np.ascontiguousarray(reward, np.float64)
    sweep_positions(number, weight, bonus, cells, ground, last, failure, value, choice)
    return CoursePolicy(outcomes, positions, value, choice)
