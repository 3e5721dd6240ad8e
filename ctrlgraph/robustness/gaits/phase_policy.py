"""Phase policies of jumps: the best point of the ground force for each theta (phase variable) and rate of theta.

The method is that of Abe and Popovic (2011), "Policy Optimization on the Reduced Dynamics" and "Broad Jumping with
Dynamic Balance". The states are theta and theta' on a grid. The actions are positions of the foot rotation indicator,
the point of the sole at which the ground force acts. Value iteration finds the best action for each state. A cycle ends
when the landing is over, with a reward that decreases with the difference of theta' from a required rate.

While the feet are flat on the ground, outcomes of actions are computed on the reduced dynamics, without an engine. A
*jump return* is the part of the cycle from the end of the first stage, through the flight, to the landing. Jump returns
are simulated in an engine (`planar_jump_returns`). They are the outcomes of the states at the end of theta's range.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.tracking.arrays import Policy
from ctrlgraph.control.tracking.surface import integrate_on_surface
from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.control.tracking.tracking_file import read_tracking
from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.pictures.return_map_figure import PolicyPlot
from ctrlgraph.policies import (
    Grid,
    GridAxis,
    OutcomeSpace,
    OutcomeStatus,
    OutcomeTable,
    StateOutcomes,
    TabulatedPolicy,
    solve,
)
from ctrlgraph.robustness.gaits.planar_jump_returns import SLOWER, PassageRow, simulated_passages
from ctrlgraph.robustness.gaits.planar_surface_start import Surface
from ctrlgraph.yaml_source import Location, read_yaml

HOLD_S = 0.02
"""Duration of an action, s. In a shorter time, the state would hardly leave its cell of the grid."""
TO_END_S = 0.1
"""Maximum time, s, by which an action near the end of the landing is extended to reach it; otherwise it fails."""
PASSAGES = 41
"""Number of initial rates of theta for which jump returns are simulated. Values between them are interpolated."""
PASSAGE_PLACES = (0.2, 0.5, 0.8)
"""Positions of the ground force in jump returns, as fractions of the sole from its heel."""
EFFORT = 0.01
"""Cost of a ground force at an end of the sole for `HOLD_S`; an error of 1 m/s at the end of a cycle costs 1.

The cost is quadratic in the distance from the middle of the sole. Without it, actions of nearly equal value alternate
and rock the feet.
"""
FAILURE = -5.0
"""Value of a fall. An error of 1 m/s at the end of a cycle has the value -1."""
HOPELESS = -2.0
"""Maximum value of a state that counts as hopeless: most of its outcomes are falls."""
BEFORE_LANDING = 0.06
"""Distance by which the grid begins before the range of theta of the landing stage, m."""


class PhasePolicyTask:
    """Computes the outcome table of a jump: what each action (position of the ground force) does in each state.

    A state is a value of theta (the phase variable: distance of the body ahead of the feet) and its rate.

    Raises:
        CtrlGraphError: The tracking file has errors, the motion does not begin and end with flat feet, or the range of
            rates is invalid.
    """

    def __init__(
        self,
        character: PlanarCharacter,
        path: Path,
        rates: tuple[float, float],
        counts: tuple[int, int] = (100, 100),
        actions: int = 20,
    ) -> None:
        """Define the states and actions. `space` describes the outcome table: states, actions, columns, input digests.

        Args:
            character: PlanarCharacter of the motion.
            path: Tracking file of the motion.
            rates: Minimum and maximum rate of theta in the grid, m/s.
            counts: Number of grid points along theta, and along its rate.
            actions: Number of positions of the ground force, from one end of the sole to the other.
        """
        if not 0.0 < rates[0] < rates[1]:
            raise CtrlGraphError(f"rates of theta must be 0 < lowest < highest, not {rates[0]:g} and {rates[1]:g} m/s")
        self.tracking = read_tracking(path, character, policies=False)
        require_flat_ends(self.tracking, path)
        self._rates = rates
        self._surface, self._out = Surface(self.tracking), np.zeros(3)
        self._surface.data.policy[:] = int(Policy.CONSTANT)
        stages = self.tracking.resolved().stages
        self._ends = float(stages[0].ends.theta or 0.0), float(stages[-1].ends.theta or 0.0)
        axes = [
            GridAxis("theta", stages[-1].theta[0] - BEFORE_LANDING, self._ends[0], counts[0], "m"),
            GridAxis("rate", *rates, counts[1], "m/s"),
        ]
        self._cell = axes[0].spacing
        places = np.linspace(*self._sole(), actions)
        digests = {"motion": motion_digest(self.tracking), "method": f"4 {HOLD_S}"}
        self.space = OutcomeSpace(Grid(axes), places[:, None], ("at",), ("theta", "rate"), digests)

    def passages(
        self, engines: Sequence[str], slopes: Sequence[float] = (0.0,), on_passage: Callable[[], None] = lambda: None
    ) -> list[PassageRow]:
        """Simulate jump returns (toe-off, flight, landing) for each engine, slope and position of `PASSAGE_PLACES`.

        Args:
            engines: Names of the engines.
            slopes: Slopes of the ground, degrees, upward if positive.
            on_passage: Function that is called after each jump return.

        Raises:
            CtrlGraphError: The motion does not leave the ground.
        """
        heel, toe = self.space.actions[0, 0], self.space.actions[-1, 0]
        places = [float(heel + share * (toe - heel)) for share in PASSAGE_PLACES]
        rates = np.linspace(SLOWER * self._rates[0], self._rates[1], PASSAGES)
        return simulated_passages(self.tracking, places, engines, slopes, rates, on_passage)

    def with_passages(self, table: OutcomeTable, row: PassageRow) -> OutcomeTable:
        """Return a copy of a table in which states at the end of the first stage continue with simulated jump returns.

        Args:
            table: Outcome table of the task.
            row: Jump returns of one engine, slope and position of the ground force.
        """
        return with_passages(table, row, self._ends[1])

    def _sole(self) -> tuple[float, float]:
        """Return the rearmost and the foremost position of the ground force on the sole, m ahead of the ankle."""
        data = self._surface.data
        link = int(data.contact_link[0, 0, 0])
        character = self.tracking.character
        hung = next(joint for joint in character.joints if joint.child == link)
        ankle = hung.x - character.links[link].x
        margin = self.tracking.entry.ground.margin
        return float(data.sole[link, 0, 0] - ankle + margin), float(data.sole[link, 1, 0] - ankle - margin)

    def outcomes(self, state: int) -> StateOutcomes:
        """Compute the outcome of each action (position of the ground force) in the state with an index in the grid."""
        theta, rate = self.space.grid.point(state)
        count = len(self.space.actions)
        status = np.full(count, OutcomeStatus.FAILED, np.uint8)
        after, seconds = np.full((count, 2), np.nan), np.zeros(count)
        for i, (at,) in enumerate(self.space.actions):
            status[i], after[i], seconds[i] = self._outcome(float(theta), float(rate), float(at))
        return StateOutcomes(status, after, seconds)

    def _outcome(self, theta: float, rate: float, at: float) -> tuple[OutcomeStatus, tuple[float, float], float]:
        nothing = (np.nan, np.nan)
        landing = theta < self._ends[1]
        stage = len(self.tracking.entry.stages) - 1 if landing else 0
        until = self._ends[1] if landing else self._ends[0]
        if theta >= self._ends[0]:  # at the edge of the grid, see `with_passages`
            return OutcomeStatus.FAILED, nothing, 0.0
        data = self._surface.data
        data.policy_numbers[stage, 0] = at
        started = self._surface.pose(stage, theta, rate)
        start = np.array([theta, rate])
        if not started or not integrate_on_surface(data, self._surface.state, stage, start, until, HOLD_S, self._out):
            return OutcomeStatus.FAILED, nothing, 0.0
        if landing and until - self._cell < self._out[0] < until:
            # no interpolation between the landing and the first stage, because they belong to different cycles
            seconds_before, start = float(self._out[2]), self._out[:2].copy()
            if not integrate_on_surface(data, self._surface.state, stage, start, until, TO_END_S, self._out):
                return OutcomeStatus.FAILED, nothing, seconds_before
            self._out[2] += seconds_before
            if self._out[0] < until:
                return OutcomeStatus.FAILED, nothing, float(self._out[2])
        theta, rate, seconds = map(float, self._out)
        if landing and theta >= until:
            return OutcomeStatus.ENDED, (theta, rate), seconds
        return OutcomeStatus.CONTINUED, (min(theta, self._ends[0]), rate), seconds


def require_flat_ends(tracking: Tracking, path: Path) -> None:
    """Check that a motion begins and ends with flat feet, and that theta is the distance of the body ahead of the feet.

    Args:
        tracking: Motion to check.
        path: Tracking file of the motion. Errors point to a line of it.

    Raises:
        SourceError: Theta is an angle, there is only one stage, or the first or the last stage has no flat foot or
            does not end by theta.
    """
    entry = tracking.entry
    needs = f"{tracking.name}: a policy by theta and its rate needs"
    place: Location
    if entry.phase.ahead is None:
        place, message = ["phase"], f"{needs} a phase with 'ahead' (distance of the body from its feet), not 'angle'"
    elif len(entry.stages) < 2:
        place, message = ["stages"], f"{needs} at least two stages: the first and the last of a cycle"
    else:
        for i in (0, len(entry.stages) - 1):
            stage = entry.stages[i]
            if "flat" not in stage.contacts.values() or stage.ends.theta is None:
                break
        else:
            return
        needed = f"{needs} flat feet and an end by theta in the first and the last stage"
        place, message = ["stages", i], f"{needed}, and '{stage.name}' does not have them"
    raise SourceError([read_yaml(path, "tracking").finding("no-policy", message, place, key=True)])


def motion_digest(tracking: Tracking) -> str:
    """Return a hash of the character and of a motion's tracking file without its policies."""
    entry = tracking.resolved()
    plain = entry.model_copy(update={"policy": None}).model_dump(mode="json", by_alias=True)
    for stage in plain["stages"]:
        stage["policy"] = None
    text = json.dumps([plain, tracking.character.digest])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def with_passages(table: OutcomeTable, row: PassageRow, landed: float) -> OutcomeTable:
    """Return a copy of a table in which states at the end of theta's range continue with simulated jump returns.

    Args:
        table: Outcome table of a jump.
        row: Jump returns (toe-off, flight, landing) of one engine, slope and position of the ground force.
        landed: Theta at which the landing is over and a cycle ends, m.
    """
    theta = table.space.grid.points[:, 0]
    rim = theta >= table.space.grid.axes[0].high
    found = row.after(table.space.grid.points[rim, 1])
    stood = np.isfinite(found).all(axis=1) & (np.nan_to_num(found[:, 1]) > 0.0)
    found[~stood] = np.nan
    # far enough ahead to end the landing at once
    ended = stood & (np.nan_to_num(found[:, 0]) >= landed)
    status, after, duration = table.status.copy(), table.after.copy(), table.duration.copy()
    status[rim] = np.where(ended, OutcomeStatus.ENDED, np.where(stood, OutcomeStatus.CONTINUED, OutcomeStatus.FAILED))[
        :, None
    ]
    after[rim] = found[:, None, :2]
    duration[rim] = np.nan_to_num(found[:, 2:])
    return replace(table, status=status, after=after, duration=duration)


def solve_phase_policy(tables: Sequence[OutcomeTable], rate: float, effort: float = EFFORT) -> TabulatedPolicy:
    """Return the policy under which each cycle of a jump ends with a rate of theta as near to `rate` as possible.

    In states from which every action leads to a fall, the policy chooses the front end of the sole, which brakes, if
    theta is faster than `rate`, and otherwise the rear end.

    Args:
        tables: Outcome tables with the same states and actions, for example for several engines. Each table is
            equally probable.
        rate: Required rate of theta, m/s.
        effort: Cost of a ground force at an end of the sole during `HOLD_S`. Missing `rate` by 1 m/s costs 1.

    Raises:
        CtrlGraphError: The required rate is outside the rates of the grid.
    """
    space = tables[0].space
    grid, axis, places = space.grid, space.grid.axes[1], space.actions[:, 0]
    if not axis.low < rate < axis.high:
        raise CtrlGraphError(f"the rate of theta must be between {axis.low:g} and {axis.high:g} m/s, not {rate:g}")
    middle, half = 0.5 * (places[0] + places[-1]), 0.5 * (places[-1] - places[0])
    cost = effort * ((places - middle) / half) ** 2

    def reward(table: OutcomeTable) -> Floats:
        ended = table.status == OutcomeStatus.ENDED
        error = np.where(ended, -np.abs(np.where(ended, table.column("rate"), rate) - rate), 0.0)
        return np.asarray(error - cost[None, :] * np.minimum(table.duration / HOLD_S, 1.0))

    solution = solve(tables, [reward(table) for table in tables], failure=FAILURE)
    choice = solution.action.copy()
    lost = solution.value < 0.999 * FAILURE
    fast = grid.points[:, 1] > rate
    choice[lost & fast], choice[lost & ~fast] = int(places.argmax()), int(places.argmin())
    digests = {**space.digests, "rate": f"{rate:g}"}
    return TabulatedPolicy(grid, space.actions, ("at",), choice, solution.value, digests=digests)


def policy_table(policy: TabulatedPolicy) -> Floats:
    """Return the position of the ground force that a policy chooses, m ahead of the ankle, (thetas, rates)."""
    places: Floats = policy.actions[policy.choice, 0].reshape(policy.grid.shape)
    return places


def policy_drawn(policy: TabulatedPolicy) -> PolicyPlot:
    """Return the data for a picture of a policy: chosen positions and values of the states over theta and its rate."""
    theta, rate = policy.grid.axes
    value = policy.value.reshape(policy.grid.shape)
    at = policy_table(policy)
    return PolicyPlot((theta.low, theta.high), (rate.low, rate.high), at, value, value > HOPELESS)
