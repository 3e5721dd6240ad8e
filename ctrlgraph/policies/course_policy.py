"""Policies over positions: the same actions everywhere, each with a forward advance, over ground with gaps.

Outcomes of actions are tabulated once, without positions; a course only determines where an action can land. A new
course therefore needs no simulation. Every action advances, so one sweep from the end to the beginning is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ctrlgraph.bounds import MAX_TABLE_STATES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.value_iteration import sweep_positions
from ctrlgraph.policies.grid import GridAxis
from ctrlgraph.policies.outcome_table import OutcomeStatus, OutcomeTable

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CoursePolicy:
    """The best action at P positions from each of the table's S states."""

    outcomes: OutcomeTable
    """Outcomes of the actions."""
    positions: GridAxis
    """Positions, m."""
    value: Floats
    """(P, S) expected sum of rewards until the character is beyond the last position."""
    choice: NDArray[np.int64]
    """(P, S) number of the action, -1 if every action fails."""

    def action(self, position: float, state: ArrayLike) -> int:
        """Return the number of the action at the nearest tabulated position and state; -1 if every action fails.

        Args:
            position: m.
            state: (axes of the grid,).

        Raises:
            CtrlGraphError: the state does not fit the grid.
        """
        return int(self.choice[self._place(position), self.outcomes.space.grid.nearest(state)])

    def value_at(self, position: float, state: ArrayLike) -> float:
        """Return the value at the nearest tabulated position and state.

        Args:
            position: m.
            state: (axes of the grid,).

        Raises:
            CtrlGraphError: the state does not fit the grid.
        """
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
) -> CoursePolicy:
    """Return the policy with the maximum expected sum of rewards from each position to beyond the last one.

    Args:
        outcomes: of each action from each state.
        positions: from the beginning of the course to its end, m; advances are rounded to whole steps of it.
        may_land: (P,) whether an action is allowed to land at the position.
        reward: (S, A) of each action.
        advance: the column with the advance of an action, m.
        failure: value of a failure.
        beyond: (S,) value of each state beyond the last position, or one number for all.

    Raises:
        CtrlGraphError: an action that does not fail advances by less than half the spacing of positions, or an argument
            does not fit the table.
    """
    states, actions = outcomes.status.shape
    ground = np.ascontiguousarray(may_land, dtype=np.int64)
    if ground.shape != (positions.count,) or positions.count < 2 or reward.shape != (states, actions):
        raise CtrlGraphError("a course needs two positions or more, and ground and rewards that fit them and the table")
    if positions.count * states > MAX_TABLE_STATES:
        raise CtrlGraphError(f"{positions.count} positions of {states} states are more than {MAX_TABLE_STATES}")
    goes_on = outcomes.status == OutcomeStatus.CONTINUED
    cells = np.where(goes_on, np.rint(np.nan_to_num(outcomes.column(advance)) / positions.spacing), 1).astype(np.int64)
    if cells.min() < 1:
        raise CtrlGraphError(
            f"an action advances by less than half of {positions.spacing:g} m: the positions are too far apart"
        )
    number, weight = outcomes.corners()
    counts = weight.any(axis=(0, 1))  # ignore corners without weight: an axis of names has no points between two values
    number, weight = np.ascontiguousarray(number[:, :, counts]), np.ascontiguousarray(weight[:, :, counts])
    last = np.broadcast_to(np.asarray(beyond, dtype=np.float64), (states,)).copy()
    value = np.zeros((positions.count, states))
    choice = np.zeros((positions.count, states), np.int64)
    bonus = np.ascontiguousarray(reward, np.float64)
    sweep_positions(number, weight, bonus, cells, ground, last, failure, value, choice)
    return CoursePolicy(outcomes, positions, value, choice)
