"""The controller kind `regulator` (recorded motions with LQR feedback), and its function for a control tick."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.control.common_kernels import hold, no_requests
from ctrlgraph.control.controller import FINISHED, RUNNING, ControllerKernels, JointTargets, Place
from ctrlgraph.control.controller_file import FileKind
from ctrlgraph.control.regulator.regulator import Regulator
from ctrlgraph.control.regulator.regulator_file import regulator_of
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.arrays import Floats, Ints, Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.pd import clipped
from ctrlgraph.kernels.planar.arrays import Body, Kinematics
from ctrlgraph.kernels.planar.kinematics import wrapped
from ctrlgraph.yaml_source import read_yaml

_TOLERANCE = 1e-9
"""Tolerance of times, s. With it, rounding errors of a sum of time steps do not delay an event by a time step."""

_BEYOND = 0.1
"""Maximum time for which the recorded motion of a step is extrapolated if the step begins early or ends late, s."""

_SCUFF_SHARE = 0.5
"""Share of a step's recorded duration, from its beginning, in which the other foot's contacts are ignored as scuffs."""

# Indices into RegulatorState.counters.
_STATUS, _CYCLES_LEFT, _STEP, _SAMPLE = range(4)
# Indices into RegulatorState.times: start of this pass through the reference, start of this step.
_PASS, _BEGAN = range(2)


class RegulatorData(NamedTuple):
    """Recorded motion and feedback gains of a regulator: S samples in P steps, J joints, n = 1 + J coordinates."""

    times: Floats
    """(S,) times of the samples from the start of the recorded motion, s."""
    z: Floats
    """(S, n) coordinates: angle of the standing link, then joint angles, rad."""
    w: Floats
    """(S, n) rates of the coordinates, rad/s."""
    torque: Floats
    """(S, J) joint torques, N m."""
    gain: Floats
    """(S, J, 2 n) torques per deviation of each coordinate, N m/rad, then per deviation of its rate, N m s/rad."""
    first: Ints
    """(P + 1,) index of the first sample of each step, then the number of samples."""
    stance: Ints
    """(P,) index of the link that stands in each step."""
    by_contact: int
    """1 if a step ends when the other foot lands, 0 if it ends at the time of the recorded motion."""


class RegulatorState(NamedTuple):
    """State of a regulator of a character with J joints between control ticks."""

    counters: Ints
    """(4,) status, remaining cycles, index of the current step, index of the current sample."""
    times: Floats
    """(2,) simulated time at which this pass through the recorded motion began, and at which this step began, s."""
    hold_angle: Floats
    """(J,) target angles of the joints while the controller does not run, rad."""


@kernel
def start(kin: Kinematics, data: RegulatorData, state: RegulatorState, cycles: int, time: float) -> None:
    """Start the controller at the simulated time `time` (s), to run through the recorded motion `cycles` times.

    It starts with the first step of the recorded motion, whichever foot stands.
    """
    state.counters[_STATUS] = RUNNING
    state.counters[_CYCLES_LEFT] = cycles
    state.counters[_STEP] = state.counters[_SAMPLE] = 0
    state.times[_PASS] = state.times[_BEGAN] = time


@kernel
def _advance(kin: Kinematics, data: RegulatorData, state: RegulatorState, time: float) -> None:
    """Go to the next step when it is due; at the end of the recorded motion, begin the next cycle or finish.

    The next step is due when the foot that stands in it lands or, without `data.by_contact`, at its recorded time.
    """
    since = time - state.times[_PASS]
    if since >= data.times[-1] - _TOLERANCE:
        hold(kin, state)
        state.counters[_CYCLES_LEFT] -= 1
        if state.counters[_CYCLES_LEFT] <= 0:
            state.counters[_STATUS] = FINISHED
            return
        state.counters[_STEP] = state.counters[_SAMPLE] = 0
        state.times[_PASS] = state.times[_BEGAN] = time
        return
    step = state.counters[_STEP]
    if step + 1 >= data.stance.size:
        return
    begin, end = data.first[step], data.first[step + 1]
    if data.by_contact != 0:
        length = data.times[end - 1] - data.times[begin]
        due = kin.contact[data.stance[step + 1]] != 0 and time - state.times[_BEGAN] >= _SCUFF_SHARE * length
    else:
        due = since >= data.times[end] - _TOLERANCE
    if due:
        state.counters[_STEP], state.counters[_SAMPLE] = step + 1, end
        state.times[_BEGAN] = time


@kernel
def _regulate(
    body: Body, kin: Kinematics, data: RegulatorData, state: RegulatorState, motors: Motors, time: float
) -> None:
    """Fill `motors.torque` with the recorded torques minus the gains times the deviations from the recorded motion.

    The recorded motion is taken at the simulated time `time` (s), from the start of this cycle.
    """
    step = state.counters[_STEP]
    begin, last = data.first[step], data.first[step + 1] - 1
    since = time - state.times[_PASS]
    k = state.counters[_SAMPLE]
    while k + 1 < last and since >= data.times[k + 1] - _TOLERANCE:
        k += 1
    state.counters[_SAMPLE] = k
    span = data.times[k + 1] - data.times[k]
    share = clipped((since - data.times[k]) / span, 0.0, 1.0)
    # before the step's first sample, or after its last
    beyond = clipped(since - clipped(since, data.times[begin], data.times[last]), -_BEYOND, _BEYOND)
    n = data.z.shape[1]
    foot = data.stance[step]
    for j in range(n - 1):
        motors.torque[j] = data.torque[k, j] + share * (data.torque[k + 1, j] - data.torque[k, j])
    for i in range(n):
        rate = data.w[k, i] + share * (data.w[k + 1, i] - data.w[k, i])
        angle = data.z[k, i] + share * (data.z[k + 1, i] - data.z[k, i]) + beyond * rate
        off = kin.joint[i - 1, 0] - angle if i > 0 else wrapped(kin.link[foot, 2] - angle)
        fast = kin.joint[i - 1, 1] - rate if i > 0 else kin.link[foot, 5] - rate
        for j in range(n - 1):
            motors.torque[j] -= data.gain[k, j, i] * off + data.gain[k, j, n + i] * fast


@kernel
def tick(body: Body, kin: Kinematics, data: RegulatorData, state: RegulatorState, motors: Motors, time: float) -> int:
    """Fill `motors` with the torques of the regulator; return the status, RUNNING or FINISHED.

    The engine clamps them to the torque limits. While the controller does not run, PD control holds the joints.
    """
    if state.counters[_STATUS] == RUNNING:
        _advance(kin, data, state, time)
    running = state.counters[_STATUS] == RUNNING
    for j in range(state.hold_angle.size):
        motors.target[j], motors.torque[j] = state.hold_angle[j], 0.0
        motors.kp[j] = 0.0 if running else body.gains[j, 0]
        motors.kd[j] = 0.0 if running else body.gains[j, 1]
        motors.limit[j, 0], motors.limit[j, 1] = body.torque[j, 0, 0], body.torque[j, 0, 1]
    if running:
        _regulate(body, kin, data, state, motors, time)
    return int(state.counters[_STATUS])


@kernel
def phase_of(state: RegulatorState) -> int:
    """Return the index of the current step of the recorded motion, from 0."""
    return int(state.counters[_STEP])


class RegulatorKind(FileKind[Regulator, RegulatorData, RegulatorState]):
    """The controller kind `regulator`: controllers that follow a recorded motion by time, with LQR feedback.

    See docs/reference/regulator.md.
    """

    name = "regulator"
    subject = "a regulator takes"
    cycles_counter = _CYCLES_LEFT
    kernels = ControllerKernels(start, hold, tick, phase_of, no_requests)

    def read_file(self, path: Path, character: Character) -> Regulator:
        """Return the controller of a regulator file."""
        return regulator_of(read_yaml(path, "regulator"), require_planar(character, "a regulator"))

    def new_data(self, controller: Regulator) -> RegulatorData:
        """Return the recorded motion of a controller and its feedback gains as arrays.

        Raises:
            SimulationError: a weight is negative or not finite, the torque weight is 0, or the gains are not finite.
        """
        weights = controller.constants
        if not (np.isfinite(weights).all() and weights.min() >= 0.0 and weights[-1] > 0.0):
            message = "cannot run: its weights must be finite numbers of at least 0, and the torque weight above 0"
            raise SimulationError(f"{controller.name} {message}")
        steps = controller.steps
        counts = [len(step.times) for step in steps]
        return RegulatorData(
            **{name: np.concatenate([getattr(step, name) for step in steps]) for name in ("times", "z", "w", "torque")},
            gain=np.concatenate(controller.gains),
            first=np.array([0, *np.cumsum(counts)], dtype=np.int64),
            stance=np.array([step.stance.link for step in steps], dtype=np.int64),
            by_contact=int(controller.by_contact),
        )

    def new_state(self, n_joints: int) -> RegulatorState:
        """Return the state of a controller that has not started, for a character with `n_joints` joints."""
        return RegulatorState(np.array([FINISHED, 0, 0, 0], dtype=np.int64), np.zeros(2), np.zeros(n_joints))

    def joint_targets(self, state: RegulatorState, n_joints: int) -> JointTargets:
        """Return the angles that the joints hold. While the controller runs there are none, because it sets torques."""
        nothing = JointTargets.none(n_joints)
        if state.counters[_STATUS] == RUNNING:
            return nothing
        return nothing._replace(angle=state.hold_angle.copy())

    def place_of_phase(self, controller: Regulator, phase: int) -> tuple[int | None, Place | None]:
        """Return `phase`, the index of a step, and the position of this step in the controller's file."""
        return phase, controller.places[phase] if phase < len(controller.places) else None


KIND = RegulatorKind()
