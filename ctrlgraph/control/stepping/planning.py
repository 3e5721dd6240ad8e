"""Which step to take where: value iteration over gait, theta's rate and position, for the gaps of one ground.

The steps are the same wherever they are taken, so their table has no positions: other gaps need no further simulation
(Abe and Popovic 2011, "Constrained Stepping").
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.policies.course_policy import CoursePolicy, plan_course
from ctrlgraph.policies.grid import GridAxis
from ctrlgraph.policies.outcome_table import OutcomeStatus, OutcomeTable
from ctrlgraph.terrain.obstacles import ObstacleKind
from ctrlgraph.terrain.profile import Terrain

FAILURE = -1000.0
"""What a step into a gap, or one that cannot be gone on from, is worth."""
HOPELESS = 0.5 * FAILURE
"""From what is worth no more, nothing that is known leads to the end."""
CRUISE = 0.72
"""Speed that is kept to where nothing speaks against it, m/s."""
POSITIONS = 500
LEVEL_WITHIN = 0.001
"""What counts as level, m."""
LENGTH = 10.0
"""Of a course that is planned over, m."""
SMALLER_MARGINS = (0.5, 0.0)
"""Of the margin: with so much of it is planned where with more there is no hope."""

Floats = NDArray[np.float64]
Gap = tuple[float, float]


class Preference(enum.StrEnum):
    """What else the steps are chosen by, besides reaching the end: none, fewer and longer ones, more and shorter
    ones."""

    NONE = "none"
    LONGER = "longer"
    SHORTER = "shorter"


@dataclass(frozen=True)
class CoursePlan:
    """A policy over a course of positions of the standing ankle. margin: that a sole keeps from gaps wherever that
    leads to the end, m; end: of the course, m."""

    policy: CoursePolicy
    margin: float
    end: float

    def action(self, position: float, gait: int, rate: float) -> int:
        """Return the gait of the next step, by where the standing ankle is (m), the gait of the last step and theta's
        rate (rad/s); -1 where each one fails."""
        return self.policy.action(position, [float(gait), rate])

    def hopeful(self, position: float, gait: int, rate: float) -> bool:
        """Tell whether the end can be reached from there, as far as the table knows."""
        return self.policy.value_at(position, [float(gait), rate]) > HOPELESS


def gaps_of(terrain: Terrain) -> list[Gap]:
    """Return where the gaps of a ground begin and end, m: also those that are wide enough to stand in, where it goes
    down below the height it began at and comes up again."""
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
    """Require that a ground is level but for its gaps: the reduced dynamics know no other.

    Raises:
        CtrlGraphError: it is not.
    """
    gaps = gaps_of(terrain)
    outside = [y for x, y in zip(terrain.x, terrain.y, strict=True) if not any(a <= x <= b for a, b in gaps)]
    if max(outside) - min(outside) > LEVEL_WITHIN:
        raise CtrlGraphError(f"steps are planned over the gaps of level ground, and '{terrain.name}' leads up or down")


def footholds(positions: GridAxis, gaps: Sequence[Gap], foot: tuple[float, float], margin: float) -> NDArray[np.bool_]:
    """Tell of each position of an ankle (m) whether its whole sole is on the ground, `margin` (m) away from every gap.

    foot: where heel and toe are, m ahead of the ankle.
    """
    heel, toe = positions.values + foot[0] - margin, positions.values + foot[1] + margin
    clear = np.ones(positions.count, dtype=np.bool_)
    for start, end in gaps:
        clear &= (toe <= start) | (heel >= end)
    return clear


def step_costs(outcomes: OutcomeTable, usual_rate: Floats, preference: Preference) -> Floats:
    """Return what each step brings (S, A), negative: less for one that is preferred, more the nearer it comes to its
    limits, the more it changes the gait, and the further theta's rate ends from the gait's own.

    usual_rate: (A,) of theta as a step of each gait begins, rad/s.
    """
    cost = (
        0.5 * np.nan_to_num(outcomes.column("cone")) ** 2 + 0.3 * np.nan_to_num(outcomes.column("torque") / 200.0) ** 2
    )
    actions = outcomes.space.actions
    source = outcomes.space.grid.points[:, 0].astype(np.int64)
    # a step that resembles the one before is tracked best, and contacts that give slow the walk
    cost += 10.0 * (actions[None, :, 0] - actions[source][:, 0, None]) ** 2
    cost += 5.0 * (actions[None, :, 1] - actions[source][:, 1, None]) ** 2 + 8.0 * (actions[None, :, 1] - CRUISE) ** 2
    ahead = np.nan_to_num(outcomes.column("rate")) - usual_rate[None, :]
    cost += np.where(ahead < 0.0, 20.0, 5.0) * ahead**2
    each = {Preference.NONE: 0.0, Preference.LONGER: 3.0, Preference.SHORTER: -3.0}[preference]
    return np.where(outcomes.status == OutcomeStatus.WENT_ON, -cost - each, 0.0)


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
    """Return the best policy over a course. From where no steps that keep the margin lead to its end, it is the best
    one with half of it, and where there is none either the best with none.

    Args:
        outcomes: of one step from each state, with the columns of `StepSampler`.
        gaps: where they begin and end, m.
        foot: where heel and toe are, m ahead of the ankle.
        usual_rate: (A,) theta's rate as a step of each gait begins, rad/s.
        start: of the course, m; length: of it, m; count: positions on it.
        margin: that a sole keeps from a gap, m.

    Raises:
        CtrlGraphError: the positions are too far apart for the shortest step.
    """
    if not 0.0 < length <= 1000.0:
        raise CtrlGraphError(f"a course is up to 1000 m long, not {length:g}")
    positions = GridAxis("position", start, start + length * (count - 1) / count, count, "m")
    bonus = step_costs(outcomes, usual_rate, preference)

    def with_margin(kept: float) -> CoursePolicy:
        ground = footholds(positions, gaps, foot, kept)
        return plan_course(outcomes, positions, ground, bonus, advance="advance", failure=FAILURE)

    policy = with_margin(margin)
    for share in SMALLER_MARGINS if gaps and margin > 0.0 else ():
        closer = with_margin(share * margin)
        taken = (policy.value <= HOPELESS) & (closer.value > HOPELESS)
        policy = replace(
            policy,
            value=np.where(taken, closer.value, policy.value),
            choice=np.where(taken, closer.choice, policy.choice),
        )
    return CoursePlan(policy, margin, start + length)
