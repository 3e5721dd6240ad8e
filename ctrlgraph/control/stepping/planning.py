"""Planning of steps: value iteration over gait, theta's rate and position, for the gaps of one terrain.

Outcomes of steps do not depend on the position, so other gaps do not require a new simulation (Abe and Popovic 2011,
"Constrained Stepping").
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.bounds import MAX_TABLE_STATES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.value_iteration import sweep_positions
from ctrlgraph.policies.grid import GridAxis
from ctrlgraph.policies.outcome_table import OutcomeStatus, OutcomeTable
from ctrlgraph.terrain.obstacles import ObstacleKind
from ctrlgraph.terrain.terrain import Terrain

FAILURE = -1000.0
"""Value of a step into a gap, and of a step without a successor."""
HOPELESS = 0.5 * FAILURE
"""Maximum value of states from which no known steps lead to the end."""
CRUISE = 0.72
"""Preferred speed, m/s."""
POSITIONS = 500
LEVEL_WITHIN = 0.001
"""Tolerance of level ground, m."""
LENGTH = 10.0
"""Default length of a course, m."""
SMALLER_MARGINS = (0.5, 0.0)
"""Fractions of the margin for states from which no steps with the whole margin lead to the end."""

Floats = NDArray[np.float64]
Gap = tuple[float, float]


class Preference(enum.StrEnum):
    """A preference among steps that reach the end: none, fewer and longer ones, or more and shorter ones."""

    NONE = "none"
    LONGER = "longer"
    SHORTER = "shorter"


@dataclass(frozen=True)
class CoursePlan:
    """The best next gait at P positions of the standing ankle, from each of the S states of a table."""

    outcomes: OutcomeTable
    """Outcomes of the steps."""
    positions: GridAxis
    """Positions of the ankle, m."""
    value: Floats
    """(P, S) sum of rewards to the end of the course."""
    choice: NDArray[np.int64]
    """(P, S) gait of the next step; -1 if every step fails."""
    end: float
    """End of the course, m."""

    def action(self, position: float, gait: int, rate: float) -> int:
        """Return the gait of the next step; -1 if all steps fail.

        Args:
            position: of the standing ankle, m.
            gait: of the last step.
            rate: of theta, rad/s.
        """
        return int(self.choice[self._place(position, gait, rate)])

    def can_reach_end(self, position: float, gait: int, rate: float) -> bool:
        """Return whether the end can be reached, according to the table.

        Args:
            position: of the standing ankle, m.
            gait: of the last step.
            rate: of theta, rad/s.
        """
        return bool(self.value[self._place(position, gait, rate)] > HOPELESS)

    def _place(self, position: float, gait: int, rate: float) -> tuple[int, int]:
        """Return the numbers of the nearest position and state."""
        nearest = round((position - self.positions.low) / self.positions.spacing)
        return min(max(nearest, 0), self.positions.count - 1), self.outcomes.space.grid.nearest([float(gait), rate])


def gaps_of(terrain: Terrain) -> list[Gap]:
    """Return the beginnings and ends of a terrain's gaps, m.

    A part of the terrain that drops below the initial height and rises again is a gap, whatever its width.
    """
    found, height, rim = [], 0.0, 0.0
    for obstacle in terrain.obstacles:
        if obstacle.kind is ObstacleKind.GAP:
            found.append((obstacle.start, obstacle.end))
        elif obstacle.kind is ObstacleKind.DROP:
            rim = rim if height < -LEVEL_WITHIN else obstacle.start
            height -= obstacle.size
        elif obstacle.kind is ObstacleKind.RISE:
            if height < -LEVEL_WITHIN <= height + obstacle.size:
                found.append((rim, obstacle.end))
            height += obstacle.size
    return found


def require_level(terrain: Terrain) -> None:
    """Raise if a terrain is not level apart from its gaps, as the reduced dynamics require.

    Raises:
        CtrlGraphError: it is not level.
    """
    gaps = gaps_of(terrain)
    outside = [y for x, y in zip(terrain.x, terrain.y, strict=True) if not any(a <= x <= b for a, b in gaps)]
    if max(outside) - min(outside) > LEVEL_WITHIN:
        raise CtrlGraphError(f"steps are planned over the gaps of level ground, and '{terrain.name}' leads up or down")


def footholds(positions: GridAxis, gaps: Sequence[Gap], foot: tuple[float, float], margin: float) -> NDArray[np.bool_]:
    """Return for each position of an ankle whether the whole sole is on the ground (P,).

    Args:
        positions: of the ankle, m.
        gaps: beginnings and ends, m.
        foot: heel and toe, m ahead of the ankle.
        margin: minimum distance of the sole from a gap, m.
    """
    heel, toe = positions.values + foot[0] - margin, positions.values + foot[1] + margin
    clear = np.ones(positions.count, dtype=np.bool_)
    for start, end in gaps:
        clear &= (toe <= start) | (heel >= end)
    return clear


def step_costs(outcomes: OutcomeTable, usual_rate: Floats, preference: Preference) -> Floats:
    """Return the reward of each step (S, A), at most 0.

    The cost of a step increases near its limits, with the change of the gait, and with the difference of theta's final
    rate from the gait's own rate. The preference adds a constant.

    Args:
        outcomes: of one step from each state.
        usual_rate: (A,) of theta at the start of a step of each gait, rad/s.
        preference: among steps.
    """
    cone, torque = np.nan_to_num(outcomes.column("cone")), np.nan_to_num(outcomes.column("torque") / 200.0)
    cost = 0.5 * cone**2 + 0.3 * torque**2
    actions = outcomes.space.actions
    source = outcomes.space.grid.points[:, 0].astype(np.int64)
    # similar steps are tracked best, and compliant contacts slow the walk
    cost += 10.0 * (actions[None, :, 0] - actions[source][:, 0, None]) ** 2
    cost += 5.0 * (actions[None, :, 1] - actions[source][:, 1, None]) ** 2 + 8.0 * (actions[None, :, 1] - CRUISE) ** 2
    ahead = np.nan_to_num(outcomes.column("rate")) - usual_rate[None, :]
    cost += np.where(ahead < 0.0, 20.0, 5.0) * ahead**2
    each = {Preference.NONE: 0.0, Preference.LONGER: 3.0, Preference.SHORTER: -3.0}[preference]
    return np.where(outcomes.status == OutcomeStatus.CONTINUED, -cost - each, 0.0)


def best_steps(
    outcomes: OutcomeTable, positions: GridAxis, may_land: NDArray[np.bool_], reward: Floats
) -> tuple[Floats, NDArray[np.int64]]:
    """Return the maximum sum of rewards to the end of the course, and the step that attains it, each (P, S).

    Every step leads forward, so one sweep from the end to the beginning is exact.

    Args:
        outcomes: of each step from each state.
        positions: from the beginning of the course to its end, m; lengths of steps are rounded to whole spacings.
        may_land: (P,) whether a step can land at the position.
        reward: (S, A) of each step.

    Raises:
        CtrlGraphError: a step is shorter than half the spacing of the positions, or there are too many of them.
    """
    shape = (positions.count, len(outcomes.status))
    if math.prod(shape) > MAX_TABLE_STATES:
        raise CtrlGraphError(f"{shape[0]} positions of {shape[1]} states are more than {MAX_TABLE_STATES}")
    continued = outcomes.status == OutcomeStatus.CONTINUED
    advance = np.rint(np.nan_to_num(outcomes.column("advance")) / positions.spacing)
    cells = np.where(continued, advance, 1).astype(np.int64)
    if cells.min() < 1:
        raise CtrlGraphError(
            f"a step is shorter than half of {positions.spacing:g} m: the positions of the course are too far apart"
        )
    number, weight = outcomes.corners()
    used = weight.any(axis=(0, 1))  # the gait after a step is always a point of the grid
    number, weight = np.ascontiguousarray(number[:, :, used]), np.ascontiguousarray(weight[:, :, used])
    value, choice = np.zeros(shape), np.zeros(shape, np.int64)
    ground, gain = may_land.astype(np.int64), np.ascontiguousarray(reward)
    sweep_positions(number, weight, gain, cells, ground, FAILURE, value, choice)
    return value, choice


def plan_steps(
    outcomes: OutcomeTable,
    gaps: Sequence[Gap],
    foot: tuple[float, float],
    usual_rate: Floats,
    *,
    start: float = 0.0,
    length: float = LENGTH,
    count: int = POSITIONS,
    margin: float = 0.03,
    preference: Preference = Preference.NONE,
) -> CoursePlan:
    """Return the best policy over a course.

    States from which no steps with the margin lead to the end use the policy with half of the margin, or with none.

    Args:
        outcomes: of one step from each state, with the columns of `StepSampler`.
        gaps: beginnings and ends, m.
        foot: heel and toe, m ahead of the ankle.
        usual_rate: (A,) of theta at the start of a step of each gait, rad/s.
        start: beginning of the course, m.
        length: of the course, m.
        count: number of positions.
        margin: minimum distance of the sole from a gap, m.
        preference: among steps.

    Raises:
        CtrlGraphError: the positions are too far apart for the shortest step.
    """
    if not 0.0 < length <= 1000.0:
        raise CtrlGraphError(f"a course is up to 1000 m long, not {length:g}")
    positions = GridAxis("position", start, start + length * (count - 1) / count, count, "m")
    reward = step_costs(outcomes, usual_rate, preference)

    def with_margin(kept: float) -> tuple[Floats, NDArray[np.int64]]:
        return best_steps(outcomes, positions, footholds(positions, gaps, foot, kept), reward)

    value, choice = with_margin(margin)
    for share in SMALLER_MARGINS if gaps and margin > 0.0 else ():
        closer_value, closer_choice = with_margin(share * margin)
        taken = (value <= HOPELESS) & (closer_value > HOPELESS)
        value, choice = np.where(taken, closer_value, value), np.where(taken, closer_choice, choice)
    return CoursePlan(outcomes, positions, value, choice, start + length)
