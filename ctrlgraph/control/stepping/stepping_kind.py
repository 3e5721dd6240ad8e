"""The controller kind `stepping`: tracking of a step's curves, with a choice of the next gait at each landing."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.control.common_kernels import hold, no_requests
from ctrlgraph.control.controller import FINISHED, RUNNING, ControllerKernels, Place, Surroundings
from ctrlgraph.control.controller_file import FileKind, require_finite
from ctrlgraph.control.stepping.gait_set import CARRIED, Transitions
from ctrlgraph.control.stepping.planning import CoursePlan, Gap, gaps_of, plan_steps
from ctrlgraph.control.stepping.stepping import Stepping, read_stepping
from ctrlgraph.control.tracking import stages, tracking_kind
from ctrlgraph.control.tracking.arrays import TrackingData, tracking_data
from ctrlgraph.control.tracking.phase import place_of
from ctrlgraph.control.tracking.reduced_model import TRACKED
from ctrlgraph.control.tracking.schema import TrackingEntry
from ctrlgraph.control.tracking.steps import DEGREE, Stepper, bezier_powers
from ctrlgraph.control.tracking.tracking import new_tracking
from ctrlgraph.control.tracking.tracking_state import BEGUN, RATE, SIDE, STATUS, STEPS, TrackingState
from ctrlgraph.control.tracking.tracking_state import new_state as new_tracking_state
from ctrlgraph.kernels.arrays import Floats, Ints, Motors
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.planar.arrays import Body, Kinematics
from ctrlgraph.terrain.terrain import Terrain

# Indices into SteppingState.step: gait of the last step, gait of this step, number of the step for which the gait was
# chosen last, and number of steps for which the plan had no step (the last gait continued).
SOURCE, TARGET, CHOSEN, LOST = range(4)
_NONE = -1


class SteppingData(NamedTuple):
    """Arrays of a stepping controller: N gaits, P positions on the course, S states of the outcome table.

    A state is the gait of the last step and the rate of theta, the angle of the standing leg. The course is the part of
    the terrain for which steps are planned. Tracked angles are those of hips and knees.
    """

    tracking: TrackingData
    """Arrays of the tracking controller, with the curves of the current step."""
    current: Ints
    """(2,) indices of the gait of the last step, and of the gait of the step whose curves are in `tracking`."""
    start_theta: Floats
    """(N,) theta at the start of a step that follows a step of each gait, rad."""
    start_angles: Floats
    """(N, 4) tracked angles at the start of a step that follows a step of each gait, rad."""
    end_theta: Floats
    """(N,) theta at the end of a step of each gait, rad."""
    pieces: Floats
    """(N, N, 4, 7) curves of the tracked angles as polynomials, by gait of the last step and gait of the step."""
    centre: Floats
    """(N,) zero-moment point (point of the ground force) of each gait, m ahead of the ankle."""
    rate: Floats
    """(N, 7) polynomial of theta's rate over a step of each gait."""
    choice: Ints
    """(P, S) index of the gait of the best next step; -1 if there is none."""
    rates: Floats
    """(3,) rates of theta in the states: minimum and spacing, rad/s, and number of rates."""
    course: Floats
    """(3,) x of the first position, spacing of the positions, x of the end of the course, m."""
    gaps: int
    """Number of gaps; without gaps, the choice does not depend on the position."""


class SteppingState(NamedTuple):
    """State of a stepping controller: the fields of `TrackingState`, and `step`."""

    counters: Ints
    """Counters and flags (see `TrackingState.counters`)."""
    times: Floats
    """Times of the motion, s (see `TrackingState.times`)."""
    memory: Floats
    """Quantities that persist between ticks (see `TrackingState.memory`)."""
    reading: Floats
    """Results of the last tick (see `TrackingState.reading`)."""
    hold_angle: Floats
    """Target angles of the joints while there are no torques to apply, rad (J,)."""
    step: Ints
    """(4,) gait of the last step, gait of this step, number of the step for which the gait was chosen last, number of
    steps for which the plan had no step."""


def _tracking_entry(stepping: Stepping) -> TrackingEntry:
    """Return the contents of a tracking file for one step, with zeros as spline coefficients.

    The tracked quantities are the angles of hips, knees and swinging foot.
    """
    character, roles = stepping.character, stepping.character.roles
    legs = Stepper(character).model.legs
    joints, links = character.joint_names, character.link_names
    ankle = joints[legs.ankle[0]] if legs.ankle[0] >= 0 else links[legs.foot[0]]
    zeros = [0.0] * (DEGREE + 1)
    rows = {joints[of[side]]: zeros for side in range(2) for of in (legs.hip, legs.knee)}
    standing, swinging = links[roles.feet[0]], links[roles.feet[1]]
    with_feet = bool(legs.ankle[0] >= 0)
    entry = {
        "phase": {"angle": {"from": ankle, "to": joints[legs.hip[0]]}},
        "swaps": True,
        "degree": DEGREE,
        "gains": {"eps": stepping.constant("eps"), "k_s": stepping.constant("k_s")},
        "ground": {"friction": stepping.entry.friction},
        "policy": {"integral": {"at": 0.0, "gain": 0.0, "rate": zeros, "proportional": stepping.entry.feedback}},
        "stages": [
            {
                "name": "step",
                "theta": [-1.0, 1.0],
                "contacts": {standing: "flat" if with_feet else "point"},
                "track": rows | ({swinging: [0.0]} if with_feet else {}),
                "ends": {"contact": swinging},
            }
        ],
    }
    return TrackingEntry.model_validate(entry)


def planned(stepping: Stepping, terrain: Terrain) -> CoursePlan:
    """Return the plan of steps of a stepping controller over the gaps of a terrain. The last eight plans are cached."""
    return _planned(_Hashed(stepping), tuple(gaps_of(terrain)))


class _Hashed:
    """A stepping controller as a cache key: equal to others with the same digest."""

    def __init__(self, stepping: Stepping) -> None:
        self.stepping = stepping

    def __hash__(self) -> int:
        return hash(self.stepping.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hashed) and other.stepping.digest == self.stepping.digest


@lru_cache(maxsize=8)
def _planned(hashed: _Hashed, gaps: tuple[Gap, ...]) -> CoursePlan:
    stepping = hashed.stepping
    entry = stepping.entry
    return plan_steps(
        stepping.outcomes,
        gaps,
        Stepper(stepping.character).foot,
        stepping.gaits.begin_rate,
        start=entry.start,
        length=entry.length,
        count=entry.positions,
        margin=stepping.constant("margin"),
        preference=entry.prefer,
    )


@kernel
def _tracking_state(state: SteppingState) -> TrackingState:
    return TrackingState(state.counters, state.times, state.memory, state.reading, state.hold_angle)


@kernel
def start(kin: Kinematics, data: SteppingData, state: SteppingState, cycles: int, time: float) -> None:
    """Start the controller at the simulated time `time` (s), to run for `cycles` cycles of two steps.

    The first tick chooses the gait.
    """
    stages.start(kin, data.tracking, _tracking_state(state), cycles, time)
    state.step[SOURCE] = state.step[TARGET] = state.step[CHOSEN] = _NONE
    state.step[LOST] = 0


@kernel
def _nearest_gait(data: SteppingData, kin: Kinematics, side: int) -> int:
    """Return the index of the gait after which a step starts with hip and knee angles nearest to the current ones.

    `side` is 0 if right and left are as in `data.tracking`, 1 if they are exchanged.
    """
    index = data.tracking.row_index
    best, found = 1e300, 0
    for i in range(data.start_theta.size):
        miss = 0.0
        for r in range(TRACKED):
            miss += (kin.joint[index[side, 0, r], 0] - data.start_angles[i, r]) ** 2
        if miss < best:
            best, found = miss, i
    return found


@kernel
def _choose(data: SteppingData, kin: Kinematics, state: SteppingState, source: int) -> int:
    """Return the index of the gait of this step by the plan, for the position of the ankle and the rate of theta.

    `source` is the index of the gait of the last step. This gait continues before the course begins, and where the plan
    has no step. Beyond the course the controller finishes. On ground without gaps the choice is that of the first
    position, and the course has no end.
    """
    tracking, side, course = data.tracking, state.counters[SIDE], data.course
    link, point = tracking.phase_link[side, 0], tracking.phase_point[side, 0]
    x, _ = place_of(kin, link, point[0], point[1])
    position = round((x - course[0]) / course[1]) if data.gaps > 0 else 0
    if position < 0:
        return source
    if position >= data.choice.shape[0]:
        state.counters[STATUS] = FINISHED
        return source
    count = round(data.rates[2])
    rate = min(count - 1, max(0, round((state.reading[RATE] - data.rates[0]) / data.rates[1])))
    found = data.choice[position, source * count + rate]
    if found >= 0:
        return int(found)
    state.step[LOST] += 1
    return source


@kernel
def fill_step_curves(data: SteppingData, source: int, target: int) -> None:
    """Replace the curves in `data.tracking` by the curves of a step from one gait to another.

    Args:
        data: arrays of the controller.
        source: index of the gait of the last step.
        target: index of the gait of the step.
    """
    tracking = data.tracking
    for r in range(TRACKED):
        for k in range(DEGREE + 1):
            tracking.pieces[0, r, 0, k] = data.pieces[source, target, r, k]
    tracking.theta[0, 0], tracking.theta[0, 1] = data.start_theta[source], data.end_theta[target]
    tracking.policy_numbers[0, 0] = data.centre[target]
    for k in range(DEGREE + 1):
        tracking.rate[0, 0, k] = data.rate[target, k]
    data.current[0], data.current[1] = source, target


@separate_kernel
def tick(body: Body, kin: Kinematics, data: SteppingData, state: SteppingState, motors: Motors, time: float) -> int:
    """Fill `motors` with the torques that track the chosen step; return the status, RUNNING or FINISHED.

    The first tick of a step uses the last gait, and measures the rate of theta after the impact. By this rate the gait
    for the following ticks is chosen. All possible steps start in the same pose.
    """
    tracking, tracked = data.tracking, _tracking_state(state)
    chosen = True
    if state.counters[STATUS] == RUNNING:
        if state.counters[BEGUN] == 0:
            stages.begin(tracking, kin, tracked)
            state.step[TARGET] = _nearest_gait(data, kin, state.counters[SIDE])
        stages.advance_stage(tracking, kin, tracked, time)
        chosen = state.step[CHOSEN] == state.counters[STEPS]
        if not chosen:
            state.step[SOURCE], state.step[CHOSEN] = state.step[TARGET], state.counters[STEPS]
        if data.current[0] != state.step[SOURCE] or data.current[1] != state.step[TARGET]:
            fill_step_curves(data, state.step[SOURCE], state.step[TARGET])
    status = tracking_kind.tick(body, kin, tracking, tracked, motors, time)
    if not chosen:
        state.step[TARGET] = _choose(data, kin, state, state.step[SOURCE])
    return int(status)


@kernel
def phase_of(state: SteppingState) -> int:
    """Return the index of the gait of this step; 0 before the first step."""
    return int(max(0, state.step[TARGET]))


def _pieces(transitions: Transitions) -> Floats:
    """Return the curves of hips and knees in the steps between all pairs of N gaits, as polynomials, (N, N, 4, 7).

    The first index is the gait of the step before, the second that of the step itself, the third hip or knee of a leg,
    the fourth the coefficient, highest power first.
    """
    gaits, starts = transitions.gaits, transitions.starts
    theta, angles, slopes = (np.array([start[k] for start in starts]) for k in range(3))
    span = (gaits.theta - theta[:, None])[:, :, None]
    second = angles[:, None] + slopes[:, None] * span / DEGREE
    usual = angles + slopes * (gaits.theta - theta)[:, None] / DEGREE
    curve = np.empty((gaits.count, gaits.count, TRACKED, DEGREE + 1))
    curve[..., 0], curve[..., 1] = angles[:, None], second
    curve[..., 2:-2] = gaits.middle + (second - usual)[..., None] * np.array(CARRIED)
    curve[..., -2], curve[..., -1] = gaits.angles - gaits.slopes * span / DEGREE, gaits.angles
    # summed in this order, because the matrix product of another library can round differently
    total = np.zeros_like(curve)
    for k, powers in enumerate(bezier_powers(DEGREE)):
        total += curve[..., k, None] * powers
    return total


class SteppingKind(FileKind[Stepping, SteppingData, SteppingState]):
    """The controller kind `stepping`: controllers that choose the gait of each step to walk over gaps.

    See docs/reference/stepping.md.
    """

    name = "stepping"
    subject = "a stepping file takes"
    kernels = ControllerKernels(start, hold, tick, phase_of, no_requests)

    def read_file(self, path: Path, character: Character) -> Stepping:
        """Return the controller of a stepping file and of the files that it names."""
        return read_stepping(path, require_planar(character, "a stepping file"))

    def new_data(self, controller: Stepping) -> SteppingData:
        """Return a controller's constants and structure as arrays, without the plan, which `bind_environment` adds."""
        require_finite(controller)
        gaits, character = controller.gaits, controller.character
        transitions = Transitions(gaits, Stepper(character))
        tracking = tracking_data(new_tracking(controller.name, _tracking_entry(controller), character, controller.path))
        tracking = tracking._replace(pieces=np.zeros((1, TRACKED + 1, 1, DEGREE + 1)))
        grid = controller.outcomes.space.grid
        entry = controller.entry
        return SteppingData(
            tracking=tracking,
            current=np.array([_NONE, _NONE], dtype=np.int64),
            start_theta=np.array([start.theta for start in transitions.starts]),
            start_angles=np.array([start.angles for start in transitions.starts]),
            end_theta=gaits.theta.copy(),
            pieces=_pieces(transitions),
            centre=gaits.centre.copy(),
            rate=np.ascontiguousarray(gaits.rate @ bezier_powers(DEGREE)),
            choice=np.full((entry.positions, grid.size), _NONE, dtype=np.int64),
            rates=np.array([grid.axes[1].low, grid.axes[1].spacing, grid.axes[1].count], dtype=np.float64),
            course=np.array([entry.start, entry.length / entry.positions, entry.start + entry.length]),
            gaps=0,
        )

    def new_state(self, n_joints: int) -> SteppingState:
        """Return the state of a controller that has not started, for a character with `n_joints` joints."""
        return SteppingState(*new_tracking_state(n_joints), np.array([_NONE, _NONE, _NONE, 0], dtype=np.int64))

    def bind_environment(self, controller: Stepping, data: SteppingData, surroundings: Surroundings) -> SteppingData:
        """Return `data` with the plan of steps over the gaps of the terrain."""
        choice = planned(controller, surroundings.terrain).choice
        gaps = len(gaps_of(surroundings.terrain))
        return data._replace(choice=np.ascontiguousarray(choice, dtype=np.int64), gaps=gaps)

    def place_of_phase(self, controller: Stepping, phase: int) -> tuple[int | None, Place | None]:
        """Return `phase`, the index of the current gait, and the position of the beginning of the controller's file."""
        return phase, controller.place


KIND = SteppingKind()
