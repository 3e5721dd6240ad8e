"""Random courses with gaps, and walks of a stepping controller over them, in an engine or on the reduced dynamics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ctrlgraph.bounds import MAX_CYCLES
from ctrlgraph.control.stepping.gait_set import Transitions
from ctrlgraph.control.stepping.planning import Gap, gaps_of, require_level
from ctrlgraph.control.stepping.stepping import Stepping
from ctrlgraph.control.stepping.stepping_kind import CHOSEN, LOST, SOURCE, TARGET, planned
from ctrlgraph.control.tracking.steps import Stepper
from ctrlgraph.control.tracking.tracking_state import RATE, SIDE
from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.kernels.arrays import copy_arrays
from ctrlgraph.kernels.planar.dynamics import place
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.statistics import SuccessCount
from ctrlgraph.terrain.course import RandomCourse
from ctrlgraph.terrain.terrain import Terrain

GAP_LIMITS = {"gap": {"width": (0.1, 0.3), "depth": (1.0, 1.0)}}
"""Ranges of width and depth of gaps, m.

A sole of 26 cm, with a margin of 3 cm at both edges, needs a stride of 62 cm to cross the widest gap.
"""
GAP_CLEAR = (0.6, 2.0)
"""Range of the length of ground between gaps, m. There is room for a sole and a short step."""
BEGIN = (0.42, 0.70)
"""Stride, m, and speed, m/s, of the first step."""
_WATCHED = 0.002
_BOUNDS = {"torso": (-1.0, 1.0), "com_height": (0.55, 1.3)}


@dataclass(frozen=True, slots=True)
class Foothold:
    """A step of a walk over gaps: where the standing foot is, and which gait the controller chose."""

    time: float
    """Simulated time at the start of the step, s."""
    ankle: float
    """Position x of the standing ankle, m."""
    source: int
    """Index of the previous step's gait in the controller's gait set."""
    target: int
    """Index of this step's gait in the controller's gait set."""
    rate: float
    """Rate of theta (phase variable) at the start of the step, rad/s."""
    stride: float
    """Length of the step, m; NaN if the step did not end."""
    over: float
    """Length of the standing sole that is over a gap, m."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """Result of a walk over a course."""

    seed: int
    """Seed of the course."""
    crossed: bool
    """True if the walk reached the end of the course without a sole over a gap."""
    reason: str
    """Reason of the failure; empty if the course was crossed."""
    reachable: bool
    """True if the end can be reached from the start according to the plan."""
    lost: int
    """Number of steps for which the plan knew no gait that avoids a failure, so that the last gait continued."""
    steps: tuple[Foothold, ...]
    """Steps in the order of time."""
    seconds: float
    """Simulated time, s."""

    def as_dict(self) -> dict[str, Any]:
        """Return the result of the walk as data for JSON."""
        return {**asdict(self), "steps": [asdict(step) for step in self.steps]}


def gap_course(seed: int, length: float) -> Terrain:
    """Return a random course with gaps. Widths are in `GAP_LIMITS`, and distances between gaps in `GAP_CLEAR`.

    Args:
        seed: Seed of the random widths and distances.
        length: Length of the course, m.
    """
    return RandomCourse(seed, length, ("gap",), GAP_LIMITS, GAP_CLEAR).draw().terrain()


def cross(stepping: Stepping, terrain: Terrain, seed: int, engine: str = DEFAULT_ENGINE) -> Crossing:
    """Simulate a walk of a stepping controller over a course with gaps in an engine.

    The walk starts with the standing ankle at x = 0, at the start of a step, with the gait whose stride and speed are
    nearest to `BEGIN`. The course is crossed if a standing ankle is beyond its end, and no sole was over a gap.

    Args:
        stepping: Stepping controller.
        terrain: Course to cross.
        seed: Seed of the course, which is copied into the result.
        engine: Name of the engine.
    """
    plan = planned(stepping, terrain)
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
        seed, not reason, reason, plan.can_reach_end(0.0, gait, rate), seen.lost, steps, outcome.simulated_s
    )


def cross_ideally(stepping: Stepping, terrain: Terrain, seed: int) -> Crossing:
    """Compute a walk over a course without an engine, on the reduced dynamics (zero tracking error) of the plan.

    Args:
        stepping: Stepping controller.
        terrain: Course to cross.
        seed: Seed of the course, which is copied into the result.

    Raises:
        CtrlGraphError: The ground between the gaps is not level.
    """
    require_level(terrain)
    plan = planned(stepping, terrain)
    gaits, stepper = stepping.gaits, Stepper(stepping.character)
    transitions, gaps = Transitions(gaits, stepper), gaps_of(terrain)
    gait = gaits.nearest(*BEGIN)
    rate, ankle, seconds, lost = float(gaits.begin_rate[gait]), 0.0, 0.0, 0
    reachable = plan.can_reach_end(0.0, gait, rate)
    steps, reason = [], ""
    places = stepper.profile.theta.size
    while ankle < plan.end and not reason:
        target = plan.action(ankle, gait, rate)
        if target < 0:
            lost, target = lost + 1, gait
        profile = stepper.follow(transitions.step(gait, target))
        policy = transitions.policy(target, stepper.foot, stepping.entry.feedback, places)
        result = stepper.go(profile, policy, rate)
        stride = float(profile.swing[-1, 0, 0]) if result.continued else float("nan")
        over = _overlap(ankle, gaps, stepper.foot)
        steps.append(Foothold(seconds, ankle, gait, target, rate, stride, over))
        if over > 0.0:
            reason = "a sole stood on a gap"
        elif not result.continued:
            reason = "a step stopped"
        else:
            ankle, seconds = ankle + stride, seconds + result.duration
            rate, gait = result.rate * transitions.starts[target].ratio, target
    return Crossing(seed, not reason, reason, reachable, lost, tuple(steps), seconds)


def summary(found: Sequence[Crossing]) -> dict[str, Any]:
    """Count the walks that crossed their courses, with a confidence interval, and the reasons of failures, for JSON."""
    count = SuccessCount.of(each.crossed for each in found)
    low, high = count.interval
    return {
        "courses": len(found),
        "crossed": count.successes,
        "low": low,
        "high": high,
        "reachable": sum(each.reachable for each in found),
        "reasons": dict(Counter(each.reason for each in found if not each.crossed)),
    }


def _begin_in_gait(simulation: Simulation, stepping: Stepping, gait: int, rate: float) -> None:
    """Set a simulation to the start of a step in the middle of a gait.

    Args:
        simulation: Simulation whose state is replaced.
        stepping: Stepping controller with the gait.
        gait: Index of the gait in the controller's gait set.
        rate: Rate of theta (phase variable), rad/s, which determines the velocities.
    """
    stepper = Stepper(stepping.character)
    profile = stepper.follow(Transitions(stepping.gaits, stepper).step(gait, gait))
    model = stepper.model
    place(model.body, model.tree, profile.q[0], profile.slope[0] * rate, model.kin)
    snapshot = simulation.snapshot()
    kinematics = copy_arrays(snapshot.kinematics)
    for mine, theirs in zip(kinematics[:4], model.kin[:4], strict=True):
        mine[...] = theirs
    # an empty engine marks a snapshot of another engine: only poses and velocities are used
    simulation.restore(replace(snapshot, engine="", kinematics=kinematics))


class _Steps:
    """Records the steps of a walk. The simulation calls it with each observed moment."""

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
        nexts = [*(after[1] for after in self._seen[1:]), float("nan")]
        return tuple(
            Foothold(at, x, source, target, rate, after - x, _overlap(x, self._gaps, self._foot))
            for (at, x, source, target, rate), after in zip(self._seen, nexts, strict=True)
        )


def _overlap(ankle: float, gaps: Sequence[Gap], foot: tuple[float, float]) -> float:
    """Return the length of a sole that is over a gap, m. If it is over several gaps, return the largest length.

    Args:
        ankle: Position x of the ankle, m.
        gaps: Start and end of each gap, m.
        foot: Positions of heel and toe ahead of the ankle, m.
    """
    heel, toe = ankle + foot[0], ankle + foot[1]
    return max((max(0.0, min(toe, end) - max(heel, start)) for start, end in gaps), default=0.0)


def _reason(outcome: Outcome, steps: Sequence[Foothold], end: float) -> str:
    over = [step for step in steps if step.over > 0.0]
    # without gaps there is no end
    if not over and (outcome.status is Status.COMPLETED or any(step.ankle > end for step in steps)):
        return ""
    if over:
        return "a sole stood on a gap"
    if outcome.reason.startswith("time"):
        return "did not reach the end in time"
    return "fell"
