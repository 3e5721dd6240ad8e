"""Courses of gaps crossed step by step: drawn, planned over, and walked in an engine and on the reduced dynamics."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ctrlgraph.bounds import MAX_CYCLES
from ctrlgraph.control.stepping.gait_set import Transitions
from ctrlgraph.control.stepping.kind import CHOSEN, LOST, SOURCE, TARGET, planned
from ctrlgraph.control.stepping.planning import Gap, gaps_of, require_level
from ctrlgraph.control.stepping.sampler import StepSampler
from ctrlgraph.control.stepping.stepping import Stepping
from ctrlgraph.control.tracking.state import RATE, SIDE
from ctrlgraph.control.tracking.steps import Stepper
from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.experiments.tabulation import Progress, StateOutcomes, tabulate
from ctrlgraph.kernels.arrays import copy_arrays
from ctrlgraph.kernels.dynamics import place
from ctrlgraph.policies.outcome_table import OutcomeSpace, OutcomeTable
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.statistics import SuccessCount
from ctrlgraph.terrain.course import RandomCourse
from ctrlgraph.terrain.profile import Terrain

GAP_LIMITS = {"gap": {"width": (0.1, 0.3), "depth": (1.0, 1.0)}}
"""A sole of 26 cm that keeps 3 cm from either rim of the widest gap needs a stride of 62 cm."""
GAP_CLEAR = (0.6, 2.0)
"""Ground between gaps, m: room for a sole wherever the last gap has left the feet, and for a short step before the
next."""
BEGIN = (0.42, 0.70)
"""Stride (m) and speed (m/s) with which a course is begun."""
_WATCHED = 0.002
_BOUNDS = {"torso": (-1.0, 1.0), "com_height": (0.55, 1.3)}


@dataclass(frozen=True, slots=True)
class Foothold:
    """A step as it came down. time (s), ankle (m): when and where the foot stood that it left from; source, target:
    gaits of the step before and of this one; rate: theta's as it began, rad/s; stride: how far it led on, NaN where
    it did not end; over: how far the sole reached over a gap, m, 0 where it did not."""

    time: float
    ankle: float
    source: int
    target: int
    rate: float
    stride: float
    over: float


@dataclass(frozen=True, slots=True)
class Crossing:
    """One course as it was walked. reason: why it was not crossed, empty where it was; hopeful: the plan expected to
    reach the end from the beginning; lost: steps for which no choice promised that; plan_s: wall time of planning."""

    seed: int
    crossed: bool
    reason: str
    hopeful: bool
    lost: int
    steps: tuple[Foothold, ...]
    seconds: float
    plan_s: float

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "steps": [asdict(step) for step in self.steps]}


@dataclass(frozen=True)
class StepTabulation:
    """The steps of a sampler as `tabulate` takes them."""

    sampler: StepSampler

    @property
    def space(self) -> OutcomeSpace:
        """Return what is tabulated."""
        return self.sampler.space

    def outcomes(self, state: int) -> StateOutcomes:
        """Return what came of a step of each gait from a state, by its number in the grid."""
        return StateOutcomes(*self.sampler.outcomes(state))


def tabulate_steps(
    sampler: StepSampler,
    path: Path,
    *,
    executor: Executor | None = None,
    width: int = 1,
    progress: Progress | None = None,
) -> OutcomeTable:
    """Return the table of a sampler, as `tabulate`; a worker does all rates of a gait at once, since they share its
    steps' curves."""
    block = sampler.space.grid.shape[1]
    return tabulate(StepTabulation(sampler), path, executor=executor, width=width, progress=progress, block=block)


def gap_course(seed: int, length: float) -> Terrain:
    """Return a course that someone who knows the longest stride deems passable: gaps of `GAP_LIMITS`, the first after
    two metres, with ground of `GAP_CLEAR` between; the last metres may have none."""
    return RandomCourse(seed, length, ("gap",), GAP_LIMITS, GAP_CLEAR).draw().terrain()


def cross(stepping: Stepping, terrain: Terrain, seed: int, engine: str = DEFAULT_ENGINE) -> Crossing:
    """Return how a course is crossed in an engine: begun in a gait's first pose and with its velocities, at x = 0.

    It is crossed when an ankle stands beyond its end, and no sole stood on a gap.
    """
    began = time.perf_counter()
    plan = planned(stepping, terrain)
    plan_s = time.perf_counter() - began
    gait = stepping.gaits.nearest(*BEGIN)
    rate = float(stepping.gaits.begin_rate[gait])
    with Simulation(stepping.character, terrain, engine=engine, keep_trace=False) as simulation:
        _begin_in_gait(simulation, stepping, gait, rate)
        seen = _Steps(stepping, gaps_of(terrain))
        simulation.watch(seen, _WATCHED)
        outcome = simulation.run(stepping, cycles=MAX_CYCLES, timeout=stepping.entry.length / 0.2, bounds=_BOUNDS)
    steps = seen.footholds()
    reason = _reason(outcome, steps, plan.end)
    return Crossing(
        seed, not reason, reason, plan.hopeful(0.0, gait, rate), seen.lost, steps, outcome.simulated_s, plan_s
    )


def cross_ideally(stepping: Stepping, terrain: Terrain, seed: int) -> Crossing:
    """Return how the same course is crossed on the reduced dynamics, which the plan was made with.

    Raises:
        CtrlGraphError: the ground is not level but for its gaps.
    """
    require_level(terrain)
    began = time.perf_counter()
    plan = planned(stepping, terrain)
    plan_s = time.perf_counter() - began
    gaits, stepper = stepping.gaits, Stepper(stepping.character)
    transitions, gaps = Transitions(gaits, stepper), gaps_of(terrain)
    gait = gaits.nearest(*BEGIN)
    rate, ankle, seconds, lost = float(gaits.begin_rate[gait]), 0.0, 0.0, 0
    hopeful = plan.hopeful(0.0, gait, rate)
    steps, reason = [], ""
    places = stepper.profile.theta.size
    while ankle < plan.end and not reason:
        target = plan.action(ankle, gait, rate)
        if target < 0:
            lost, target = lost + 1, gait
        profile = stepper.follow(transitions.step(gait, target))
        policy = transitions.policy(target, stepper.foot, stepping.entry.feedback, places)
        result = stepper.go(profile, policy, rate)
        stride = float(profile.swing[-1, 0, 0]) if result.went_on else float("nan")
        over = _overlap(ankle, gaps, stepper.foot)
        steps.append(Foothold(seconds, ankle, gait, target, rate, stride, over))
        if over > 0.0:
            reason = "a sole stood on a gap"
        elif not result.went_on:
            reason = "a step stopped"
        else:
            ankle, seconds = ankle + stride, seconds + result.duration
            rate, gait = result.rate * transitions.starts[target].ratio, target
    return Crossing(seed, not reason, reason, hopeful, lost, tuple(steps), seconds, plan_s)


def crossings(
    stepping: Stepping,
    seeds: Sequence[int],
    engine: str | None,
    on_crossing: Callable[[Crossing], None] = lambda _: None,
) -> list[Crossing]:
    """Return how the courses of some seeds are crossed; engine None: on the reduced dynamics."""
    found = []
    for seed in seeds:
        terrain = gap_course(seed, stepping.entry.length)
        one = cross_ideally(stepping, terrain, seed) if engine is None else cross(stepping, terrain, seed, engine)
        found.append(one)
        on_crossing(one)
    return found


def summary(found: Sequence[Crossing]) -> dict[str, Any]:
    """Return how many were crossed, with the interval, and why the others were not."""
    count = SuccessCount.of(each.crossed for each in found)
    reasons: dict[str, int] = {}
    for each in found:
        if not each.crossed:
            reasons[each.reason] = reasons.get(each.reason, 0) + 1
    low, high = count.interval
    return {
        "courses": len(found),
        "crossed": count.successes,
        "low": low,
        "high": high,
        "hopeful": sum(each.hopeful for each in found),
        "reasons": reasons,
        "plan_s": float(np.median([each.plan_s for each in found])) if found else None,
    }


def _begin_in_gait(simulation: Simulation, stepping: Stepping, gait: int, rate: float) -> None:
    """Put the character into a gait's pose as a step begins, with the velocities of that rate of theta."""
    stepper = Stepper(stepping.character)
    profile = stepper.follow(Transitions(stepping.gaits, stepper).step(gait, gait))
    model = stepper.model
    place(model.body, model.tree, profile.q[0], profile.slope[0] * rate, model.kin)
    snapshot = simulation.snapshot()
    kinematics = copy_arrays(snapshot.kinematics)
    for mine, theirs in zip(kinematics[:4], model.kin[:4], strict=True):
        mine[...] = theirs
    # as one of another engine, it is taken by its poses and velocities
    simulation.restore(replace(snapshot, engine="", kinematics=kinematics))


class _Steps:
    """Watches a run for its steps: where the ankle of the standing foot is as each begins."""

    def __init__(self, stepping: Stepping, gaps: Sequence[Gap]) -> None:
        stepper = Stepper(stepping.character)
        self._legs, self._foot, self._gaps = stepper.model.legs, stepper.foot, gaps
        self._seen: list[tuple[float, float, int, int, float]] = []
        self._chosen = -1
        self.lost = 0

    def __call__(self, moment: Moment) -> None:
        step = moment.state.step
        self.lost = int(step[LOST])
        if int(step[CHOSEN]) != self._chosen and int(step[CHOSEN]) >= 0:
            self._chosen = int(step[CHOSEN])
            joint = int(self._legs.ankle[int(moment.state.counters[SIDE])])
            x, rate = float(moment.kinematics.joint[joint, 2]), float(moment.state.reading[RATE])
            self._seen.append((moment.time, x, int(step[SOURCE]), int(step[TARGET]), rate))

    def footholds(self) -> tuple[Foothold, ...]:
        return tuple(self._footholds())

    def _footholds(self) -> Iterator[Foothold]:
        nexts = [after[1] for after in self._seen[1:]]
        for (at, x, source, target, rate), after in zip(self._seen, [*nexts, float("nan")], strict=True):
            yield Foothold(at, x, source, target, rate, after - x, _overlap(x, self._gaps, self._foot))


def _overlap(ankle: float, gaps: Sequence[Gap], foot: tuple[float, float]) -> float:
    """How far a sole reaches over a gap, m."""
    heel, toe = ankle + foot[0], ankle + foot[1]
    return max((max(0.0, min(toe, end) - max(heel, start)) for start, end in gaps), default=0.0)


def _reason(outcome: Outcome, steps: Sequence[Foothold], end: float) -> str:
    over = [step for step in steps if step.over > 0.0]
    # without gaps nothing ends at the end
    if not over and (outcome.status is Status.COMPLETED or any(step.ankle > end for step in steps)):
        return ""
    if over:
        return "a sole stood on a gap"
    if outcome.reason.startswith("time"):
        return "did not come to the end in time"
    return "fell"
