"""Planning of steps over gaps in the ground by value iteration: the best gait of the next step from each state.

A state is the gait of the last step and the rate of theta (the angle of the standing leg). An outcome table has the
simulated outcome of one step of each gait (the actions) from each state. A *course* is the part of the terrain for
which steps are planned. The outcome of a step does not depend on the position, so other gaps do not require new
simulations (Abe and Popovic 2011, "Constrained Stepping").
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
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.value_iteration import sweep_positions
from ctrlgraph.policies.grid import GridAxis
from ctrlgraph.policies.outcome_table import OutcomeStatus, OutcomeTable
from ctrlgraph.terrain.obstacles import ObstacleKind
from ctrlgraph.terrain.terrain import Terrain

FAILURE = -1000.0
"""Reward of a step that lands on a gap, or that fails."""
HOPELESS = 0.5 * FAILURE
"""Value of a state at or below which no sequence of steps reaches the end of the course."""
CRUISE = 0.72
"""Preferred speed of a step, m/s."""
POSITIONS = 500
"""Default number of positions on a course for which steps are planned."""
LEVEL_WITHIN = 0.001
"""Maximum height difference of ground that counts as level, m."""
LENGTH = 10.0
"""Default length of a course, m."""
SMALLER_MARGINS = (0.5, 0.0)
"""Smaller margins between sole and gap that are tried if no plan has the whole margin, as fractions of it."""

Gap = tuple[float, float]
"""x of the beginning and the end of a gap, m."""


class Preference(enum.StrEnum):
    """Preference for the lengths of steps: no preference, fewer and longer steps, or more and shorter steps."""

    NONE = "none"
    LONGER = "longer"
    SHORTER = "shorter"


@dataclass(frozen=True)
class CoursePlan:
    """A plan of steps along a course: the best gait of the next step, for P positions of the ankle and S states.

    A state is the gait of the last step and the rate of theta, the angle of the standing leg.
    """

    outcomes: OutcomeTable
    """Simulated outcomes of one step of each gait from each state."""
    positions: GridAxis
    """The P positions (world x) of the standing ankle, m."""
    value: Floats
    """(P, S) maximum sum of the rewards of all steps to the end of the course."""
    choice: NDArray[np.int64]
    """(P, S) index of the gait of the best next step; -1 if every step fails."""
    end: float
    """World x of the end of the course, m."""

    def action(self, position: float, gait: int, rate: float) -> int:
        """Return the index of the gait of the best next step; -1 if all steps fail.

        Args:
            position: world x of the standing ankle, m.
            gait: index of the gait of the last step.
            rate: rate of theta after the impact of the last step, rad/s.
        """
        return int(self.choice[self._place(position, gait, rate)])

    def can_reach_end(self, position: float, gait: int, rate: float) -> bool:
        """Return whether some sequence of steps reaches the end of the course, according to the outcome table.

        Args:
            position: world x of the standing ankle, m.
            gait: index of the gait of the last step.
            rate: rate of theta after the impact of the last step, rad/s.
        """
        return bool(self.value[self._place(position, gait, rate)] > HOPELESS)

    def _place(self, position: float, gait: int, rate: float) -> tuple[int, int]:
        """Return the index of the nearest position and that of the nearest state; arguments as in `action`."""
        nearest = round((position - self.positions.low) / self.positions.spacing)
        return min(max(nearest, 0), self.positions.count - 1), self.outcomes.space.grid.nearest([float(gait), rate])


def gaps_of(terrain: Terrain) -> list[Gap]:
    """Return the gaps of a terrain, each as x of its beginning and of its end, m.

    Gaps are obstacles of the kind gap, and all parts of any width that drop below the initial height and rise again.
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
    """Check that a terrain is level outside of its gaps, because the simulated steps are on level ground.

    Raises:
        CtrlGraphError: the heights outside of the gaps differ by more than `LEVEL_WITHIN`.
    """
    gaps = gaps_of(terrain)
    outside = [y for x, y in zip(terrain.x, terrain.y, strict=True) if not any(a <= x <= b for a, b in gaps)]
    if max(outside) - min(outside) > LEVEL_WITHIN:
        raise CtrlGraphError(
            f"steps can only be planned on level ground with or without gaps, but '{terrain.name}' goes up or down"
        )


def footholds(positions: GridAxis, gaps: Sequence[Gap], foot: tuple[float, float], margin: float) -> NDArray[np.bool_]:
    """Return for each of P positions of the ankle whether the whole sole is on the ground, (P,).

    Args:
        positions: the P positions (world x) of the ankle, m.
        gaps: gaps of the terrain.
        foot: positions of heel and toe, m ahead of the ankle.
        margin: minimum distance of the sole from a gap, m.
    """
    heel, toe = positions.values + foot[0] - margin, positions.values + foot[1] + margin
    clear = np.ones(positions.count, dtype=np.bool_)
    for start, end in gaps:
        clear &= (toe <= start) | (heel >= end)
    return clear


def step_costs(outcomes: OutcomeTable, usual_rate: Floats, preference: Preference) -> Floats:
    """Return the reward (S, A) of a step of each of the A gaits from each of the S states: the negative of its cost.

    The cost increases with friction and torque, with the changes of stride and speed from the last step, with the
    difference of the speed from `CRUISE`, and with the difference of theta's rate after the step from that of the
    periodic gait. A preference adds a constant to the cost of each step. The reward of a failed step is 0.

    Args:
        outcomes: simulated outcomes of one step of each gait from each state.
        usual_rate: (A,) rate of theta at the start of a step in the periodic walk with each gait, rad/s.
        preference: preference for longer or shorter steps.
    """
    cone, torque = np.nan_to_num(outcomes.column("cone")), np.nan_to_num(outcomes.column("torque") / 200.0)
    cost = 0.5 * cone**2 + 0.3 * torque**2
    actions = outcomes.space.actions
    source = outcomes.space.grid.points[:, 0].astype(np.int64)
    # tracking is best between similar steps, and compliant contacts slow the walk
    cost += 10.0 * (actions[None, :, 0] - actions[source][:, 0, None]) ** 2
    cost += 5.0 * (actions[None, :, 1] - actions[source][:, 1, None]) ** 2 + 8.0 * (actions[None, :, 1] - CRUISE) ** 2
    ahead = np.nan_to_num(outcomes.column("rate")) - usual_rate[None, :]
    cost += np.where(ahead < 0.0, 20.0, 5.0) * ahead**2
    each = {Preference.NONE: 0.0, Preference.LONGER: 3.0, Preference.SHORTER: -3.0}[preference]
    return np.where(outcomes.status == OutcomeStatus.CONTINUED, -cost - each, 0.0)


def best_steps(
    outcomes: OutcomeTable, positions: GridAxis, may_land: NDArray[np.bool_], reward: Floats
) -> tuple[Floats, NDArray[np.int64]]:
    """Return the best next step from each of P positions and S states, by value iteration.

    Every step leads forward, so one sweep from the end of the course to its beginning is exact.

    Args:
        outcomes: simulated outcomes of one step of each of A gaits from each state.
        positions: the P positions (world x) of the ankle, from the beginning of the course to its end, m. The lengths
            of steps are rounded to multiples of their spacing.
        may_land: (P,) whether a foot may land at each position.
        reward: (S, A) reward of a step of each gait from each state.

    Returns:
        The maximum sum of rewards to the end of the course (P, S), and the index of the gait of the best next step
        (P, S), which is -1 if every step fails.

    Raises:
        CtrlGraphError: a step is shorter than half the spacing of the positions, or P times S exceeds
            `MAX_TABLE_STATES`.
    """
    shape = (positions.count, len(outcomes.status))
    if math.prod(shape) > MAX_TABLE_STATES:
        raise CtrlGraphError(f"{shape[0]} positions x {shape[1]} states exceed {MAX_TABLE_STATES}: reduce 'positions'")
    continued = outcomes.status == OutcomeStatus.CONTINUED
    advance = np.rint(np.nan_to_num(outcomes.column("advance")) / positions.spacing)
    cells = np.where(continued, advance, 1).astype(np.int64)
    if cells.min() < 1:
        raise CtrlGraphError(f"a step is shorter than half the spacing, {positions.spacing:g} m: use more 'positions'")
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
    """Return the plan of steps along a course: the best next step from each position and state.

    If no steps with the margin lead from a position and state to the end, half of the margin is used there. If that
    fails too, no margin is used.

    Args:
        outcomes: simulated outcomes of one step of each of A gaits from each state, as `StepSampler` computes them.
        gaps: gaps of the terrain.
        foot: positions of heel and toe, m ahead of the ankle.
        usual_rate: (A,) rate of theta at the start of a step in the periodic walk with each gait, rad/s.
        start: world x of the beginning of the course, m.
        length: length of the course, m.
        count: number of positions of the ankle on the course.
        margin: minimum distance of the sole from a gap, m.
        preference: preference for longer or shorter steps.

    Raises:
        CtrlGraphError: the length is out of range, the spacing of the positions is too large for the shortest step, or
            there are too many positions and states.
    """
    if not 0.0 < length <= 1000.0:
        raise CtrlGraphError(f"the length of a course must be above 0 and at most 1000 m, not {length:g}")
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
