"""The policy of a cyclic motion on its reduced dynamics: where the ground's force is to act, by theta and its rate.

Abe and Popovic 2011, "Policy Optimization on the Reduced Dynamics" and "Broad Jumping with Dynamic Balance": states
(theta, theta') on a grid, every place of the foot rotation indicator from each of them for a moment, and value
iteration. A task ends where the first stage begins anew, with the less, the further theta' is from the one that is
wanted.

While feet are flat on the ground, a moment is one of the reduced dynamics. What is between the last of these stages and
the first of the next landing follows from the rate alone, and is simulated in full, once for each of a row of rates.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ctrlgraph.bounds import MAX_TABLE_OUTCOMES
from ctrlgraph.control.tracking.arrays import Policy
from ctrlgraph.control.tracking.reader import read_motion
from ctrlgraph.control.tracking.schema import ConstantEntry, PolicyEntry
from ctrlgraph.control.tracking.state import LANDED, STAGE, THETA, TrackingState
from ctrlgraph.control.tracking.surface import go_along_surface
from ctrlgraph.control.tracking.tracking import Tracking, new_tracking
from ctrlgraph.engine import loop
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.surface_start import FALL, Surface
from ctrlgraph.experiments.tabulation import StateOutcomes
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.policies import (
    NO_ACTION,
    Grid,
    GridAxis,
    OutcomeSpace,
    OutcomeStatus,
    OutcomeTable,
    TabulatedPolicy,
    solve,
)
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.view.return_map_figure import PolicyDrawn

HOLD_S = 0.02
"""An action is held for so long: in less, a state would hardly leave its cell of the grid."""
SETTLE_S = 0.03
"""What counts of a landing is what has come of it after so long."""
TO_END_S = 0.1
"""So long an action is held that comes within a cell of the end of the landing: it comes to it, or counts as a fall."""
AIRBORNE_S = 1.5
"""Who has not landed after so long does not."""
PASSAGES = 41
"""Rates at which the passage through the air is simulated; between them it is interpolated."""
FAILURE = -5.0
"""What it is worth to fall, where to be off by 1 m/s is worth -1."""
HOPELESS = -2.0
"""A state that is worth less cannot be relied on: most of what it leads to are falls."""
BEFORE_LANDING = 0.06
"""m that the grid begins before theta at which the landing is written to begin."""


class SimulatedPassage(NamedTuple):
    """What comes of leaving the ground: theta and its rate after the landing, and the seconds until then."""

    theta: float
    rate: float
    seconds: float


@dataclass(frozen=True)
class PhasePolicyTask:
    """What is tabulated, as an OutcomeSampler; it names the controller's file, and keeps nothing that is large.

    project, file: directories and file; engine: in which the passages are simulated; rates: (low, high) of theta;
    counts: points of the grid along theta and its rate; actions: how many places of the indicator, from one end of the
    sole to the other.

    Raises:
        CtrlGraphError: the controller is no such motion, or the numbers are none.
    """

    project: str
    file: str
    engine: str
    rates: tuple[float, float]
    counts: tuple[int, int] = (100, 100)
    actions: int = 20

    def __post_init__(self) -> None:
        if not 0.0 < self.rates[0] < self.rates[1]:
            raise CtrlGraphError("the rates of theta are a range above 0")
        if self.actions < 2 or self.actions * self.counts[0] * self.counts[1] > MAX_TABLE_OUTCOMES:
            raise CtrlGraphError("2 or more actions are tabulated, on a grid that is not too large for them")

    @property
    def space(self) -> OutcomeSpace:
        return _bench(self).space

    def outcomes(self, state: int) -> StateOutcomes:
        """Return what each action leads to from a state of the grid."""
        return _bench(self).outcomes(state)

    def passages(self) -> list[tuple[float, SimulatedPassage | None]]:
        """Return what was found of leaving the ground: rates, and what comes of them; None where it is a fall."""
        bench = _bench(self)
        return [(float(rate), bench.passage_at(i)) for i, rate in enumerate(bench.passage_rates)]


class _Bench:
    """What a task is simulated with; one for each process."""

    def __init__(self, task: PhasePolicyTask) -> None:
        project = Project(Path(task.project))
        self.tracking = read_motion(Path(task.file), project.character)
        self.standing = standing_stages(self.tracking)
        self.surface = Surface(self.tracking)
        self.simulation = Simulation(project.character, engine=task.engine, keep_trace=False)
        self.passage_rates = np.linspace(*task.rates, PASSAGES)
        self._passages: dict[int, SimulatedPassage | None] = {}
        self._out = np.zeros(3)
        first, last = self.tracking.resolved().stages[0], self.tracking.resolved().stages[-1]
        self.ends = float(first.ends.theta or 0.0), float(last.ends.theta or 0.0)
        data = self.surface.data
        data.policy[:] = int(Policy.CONSTANT)
        places = np.linspace(*self._sole(), task.actions)
        axes = [
            GridAxis("theta", last.theta[0] - BEFORE_LANDING, self.ends[0], task.counts[0], "m"),
            GridAxis("rate", *task.rates, task.counts[1], "m/s"),
        ]
        digests = {"motion": motion_digest(self.tracking), "method": f"3 {task.engine} {HOLD_S} {SETTLE_S} {PASSAGES}"}
        self._cell = (axes[0].high - axes[0].low) / (task.counts[0] - 1)
        self.space = OutcomeSpace(Grid(axes), places[:, None], ("at",), ("theta", "rate"), digests)

    def _sole(self) -> tuple[float, float]:
        """Return how far behind and before the ankle the indicator may be, m."""
        data, stage = self.surface.data, self.tracking.entry.stages[0]
        link = int(data.contact_link[0, 0, 0])
        character = self.tracking.character
        hung = next(joint for joint in character.joints if joint.child == link)
        ankle = hung.x - character.links[link].x
        margin = self.tracking.entry.ground.margin
        assert stage.contacts
        return float(data.sole[link, 0, 0] - ankle + margin), float(data.sole[link, 1, 0] - ankle - margin)

    def outcomes(self, state: int) -> StateOutcomes:
        theta, rate = self.space.grid.point(state)
        count = len(self.space.actions)
        status = np.full(count, OutcomeStatus.FAILED, np.uint8)
        after, seconds = np.full((count, 2), np.nan), np.zeros(count)
        for i, (at,) in enumerate(self.space.actions):
            status[i], after[i], seconds[i] = self._outcome(float(theta), float(rate), float(at))
        return StateOutcomes(status, after, seconds)

    def _outcome(self, theta: float, rate: float, at: float) -> tuple[OutcomeStatus, tuple[float, float], float]:
        nothing = (np.nan, np.nan)
        landing = theta < self.ends[1]
        stage = len(self.tracking.entry.stages) - 1 if landing else 0
        until = self.ends[1] if landing else self.ends[0]
        if theta >= self.ends[0]:  # on the rim of the grid
            self._out[:] = theta, rate, 0.0
        else:
            data = self.surface.data
            data.policy_numbers[stage, 0] = at
            started = self.surface.pose(stage, theta, rate)
            start = np.array([theta, rate])
            if not started or not go_along_surface(data, self.surface.state, stage, start, until, HOLD_S, self._out):
                return OutcomeStatus.FAILED, nothing, 0.0
            if landing and until - self._cell < self._out[0] < until:
                # values of the landing and of the initial stage are of different cycles: none is read between them
                held, start = float(self._out[2]), self._out[:2].copy()
                if not go_along_surface(data, self.surface.state, stage, start, until, TO_END_S, self._out):
                    return OutcomeStatus.FAILED, nothing, held
                self._out[2] += held
                if self._out[0] < until:
                    return OutcomeStatus.FAILED, nothing, float(self._out[2])
        theta, rate, seconds = map(float, self._out)
        if theta < until:
            return OutcomeStatus.WENT_ON, (theta, rate), seconds
        if landing:
            return OutcomeStatus.ENDED, (theta, rate), seconds
        passage = self.passage(rate)
        if passage is None or passage.rate <= 0.0:
            return OutcomeStatus.FAILED, nothing, seconds
        if passage.theta >= self.ends[1]:  # so far ahead that the landing is over at once
            return OutcomeStatus.ENDED, (passage.theta, passage.rate), seconds + passage.seconds
        return OutcomeStatus.WENT_ON, (passage.theta, passage.rate), seconds + passage.seconds

    def passage(self, rate: float) -> SimulatedPassage | None:
        """Return what leaving the ground at a rate leads to, between those that are simulated."""
        rates = self.passage_rates
        if not rates[0] <= rate <= rates[-1]:
            return None
        i = min(int((rate - rates[0]) / (rates[1] - rates[0])), len(rates) - 2)
        one, other = self.passage_at(i), self.passage_at(i + 1)
        if one is None or other is None:
            return None
        share = (rate - rates[i]) / (rates[1] - rates[0])
        return SimulatedPassage(*((1.0 - share) * np.array(one) + share * np.array(other)))

    def passage_at(self, number: int) -> SimulatedPassage | None:
        """Return what leaving the ground at one of the rates leads to, simulated once."""
        if number not in self._passages:
            self._passages[number] = self._simulated(float(self.passage_rates[number]))
        return self._passages[number]

    def _simulated(self, rate: float) -> SimulatedPassage | None:
        simulation, last = self.simulation, len(self.tracking.entry.stages) - 1
        found: list[SimulatedPassage] = []

        def look(moment: Moment) -> None:
            state: TrackingState = moment.state
            time = moment.time
            if state.counters[STAGE] == last and time - state.times[LANDED] >= SETTLE_S and not found:
                # of the body alone: feet may still rock
                speed = float(moment.kinematics.com[2])
                found.append(SimulatedPassage(float(state.reading[THETA]), speed, time))

        try:
            # a tick before: where the feet stand is noted while they stand flat
            self.surface.start(simulation, self.ends[0] - simulation.settings.dt * rate, rate)
        except CtrlGraphError:
            return None
        simulation.watch(look, simulation.settings.dt)
        execution = simulation.begin(Rollout(self.tracking, 1, AIRBORNE_S, bounds=FALL))
        status, first = loop.STILL_RUNNING, True
        while not found:
            status = simulation.advance_watched(execution, first=first)
            first = False
            if status not in loop.GOES_ON:
                break
        simulation.end(execution, status)
        simulation.watch(None)
        return found[0] if found else None


@lru_cache(maxsize=2)
def _bench(task: PhasePolicyTask) -> _Bench:
    return _Bench(task)


def standing_stages(tracking: Tracking) -> tuple[int, int]:
    """Return the numbers of the stages that the policy acts in: the first and the last.

    Raises:
        CtrlGraphError: the motion does not begin and end flat on its feet, by theta.
    """
    stages = tracking.entry.stages
    for stage in (stages[0], stages[-1]):
        if "flat" not in stage.contacts.values() or stage.ends.theta is None or len(stages) < 2:
            raise CtrlGraphError(
                f"{tracking.name}: a policy by theta and its rate needs a cycle that begins and ends flat on its feet,"
                f" and '{stage.name}' does not end so by theta"
            )
    return 0, len(stages) - 1


def motion_digest(tracking: Tracking) -> str:
    """Return the digest of a motion without its policies."""
    entry = tracking.resolved()
    plain = entry.model_copy(update={"policy": None}).model_dump(mode="json", by_alias=True)
    for stage in plain["stages"]:
        stage["policy"] = None
    text = json.dumps([plain, tracking.character.digest])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def solve_phase_policy(table: OutcomeTable, rate: float) -> TabulatedPolicy:
    """Return the policy that ends a cycle with theta' as near `rate` (m/s) as it can.

    In states from which every action leads to a fall it brakes what is too fast, and lets go what is too slow.

    Raises:
        CtrlGraphError: the rate is none of the grid's.
    """
    grid, axis = table.space.grid, table.space.grid.axes[1]
    if not axis.low < rate < axis.high:
        raise CtrlGraphError(f"a rate between {axis.low:g} and {axis.high:g} m/s can be wanted, not {rate:g}")
    ended = table.status == OutcomeStatus.ENDED
    reward = np.where(ended, -np.abs(np.where(ended, table.column("rate"), rate) - rate), 0.0)
    solution = solve(table.transitions(reward), failure=FAILURE)
    choice = solution.action.copy()
    lost = solution.value < 0.999 * FAILURE
    braking = int(table.space.actions[:, 0].argmax())
    letting_go = int(table.space.actions[:, 0].argmin())
    fast = grid.points[:, 1] > rate
    choice[lost & fast], choice[lost & ~fast] = braking, letting_go
    assert choice.min() > NO_ACTION
    digests = {**table.space.digests, "rate": f"{rate:g}"}
    return TabulatedPolicy(grid, table.space.actions, ("at",), choice, solution.value, digests=digests)


def policy_table(policy: TabulatedPolicy) -> Floats:
    """Return the places of the indicator (theta, rate) that a policy takes on its grid, m."""
    shape = policy.grid.shape
    places: Floats = policy.actions[policy.choice, 0].reshape(shape)
    return places


def with_constant_policy(tracking: Tracking, at: float) -> Tracking:
    """Return the same motion with the foot rotation indicator at one place (m before the ankle) in all its stages."""
    policy = PolicyEntry(constant=ConstantEntry(at=at))
    entry = tracking.resolved()
    stages = [stage.model_copy(update={"policy": None}) for stage in entry.stages]
    return new_tracking(
        tracking.name,
        entry.model_copy(update={"policy": policy, "stages": stages}),
        tracking.character,
        tracking.path,
        [place.line for place in tracking.places],
    )


def policy_drawn(policy: TabulatedPolicy) -> PolicyDrawn:
    """Return what a picture shows of a policy."""
    theta, rate = policy.grid.axes
    value = policy.value.reshape(policy.grid.shape)
    at = policy_table(policy)
    return PolicyDrawn((theta.low, theta.high), (rate.low, rate.high), at, value, value > HOPELESS)
