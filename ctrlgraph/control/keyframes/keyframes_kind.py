"""The controller kind `keyframes` (joint angles over time, by PD control), and its function for a control tick."""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.character.planar_model import PLANAR
from ctrlgraph.character.spatial_model import SPATIAL
from ctrlgraph.control.common_kernels import no_requests
from ctrlgraph.control.controller import FINISHED, RUNNING, ControllerKernels, JointTargets, Place
from ctrlgraph.control.controller_file import FileKind, require_finite
from ctrlgraph.control.keyframes.keyframes import Keyframes
from ctrlgraph.control.keyframes.keyframes_file import keyframes_of
from ctrlgraph.kernels.arrays import Floats, Ints, Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Body, Kinematics
from ctrlgraph.yaml_source import read_yaml

# Tolerance of times, s. With it, rounding errors of a sum of time steps do not delay an event by a time step.
_TOLERANCE = 1e-9

# Indices into KeyframeState.counters.
_STATUS, _CYCLES_LEFT, _SEGMENT = range(3)
# Indices into KeyframeState.times: start of this pass, start of the first pass.
_PASS, _ENTRY = range(2)
# Columns of KeyframeState.targets.
_ANGLE, _KP, _KD, _VELOCITY = range(4)


class KeyframeData(NamedTuple):
    """Target angles and gains of a key frame controller: S segments between successive frames, K joints."""

    joint: Ints
    """(K,) index of each joint in the character."""
    begins: Floats
    """(S + 1,) start times of the segments and end of the last one, from the start of a pass, s."""
    polynomials: Floats
    """(S, K, 4) target angles, rad, as polynomials of the time since the segment's start, s, highest power first."""
    gains: Floats
    """(K, 2) PD gains of each joint: kp, N m/rad, and kd, N m s/rad."""
    blend: float
    """Time at the start for which the measured angles are blended into the target angles, s."""


class KeyframeState(NamedTuple):
    """State of a key frame controller of a character with J joints between control ticks."""

    counters: Ints
    """(3,) status, remaining passes, index of the current segment between two frames."""
    times: Floats
    """(2,) simulated time at which this pass began, and at which the first pass began, s."""
    entry: Floats
    """(J,) joint angles at the start of the controller, rad."""
    targets: Floats
    """(J, 4) targets of PD control: angle, rad; kp and kd (NaN: the character's default); velocity, rad/s."""


def hold_angles(data: KeyframeData, angles: Floats) -> None:
    """Replace the target angles of all frames by the constant angles `angles` (K,), rad."""
    data.polynomials[...] = 0.0
    data.polynomials[:, :, 3] = angles


@kernel
def hold(kin: Kinematics, state: KeyframeState) -> None:
    """Set the target of every joint to its measured angle, with the character's default gains."""
    for j in range(state.entry.size):
        state.targets[j, _ANGLE] = kin.joint[j, 0]
        state.targets[j, _KP] = math.nan
        state.targets[j, _KD] = math.nan
        state.targets[j, _VELOCITY] = 0.0


@kernel
def start(kin: Kinematics, data: KeyframeData, state: KeyframeState, cycles: int, time: float) -> None:
    """Start the controller at the simulated time `time` (s), to play all frames `cycles` times.

    Joints that the frames do not contain keep their targets.
    """
    state.counters[_STATUS] = RUNNING
    state.counters[_CYCLES_LEFT] = cycles
    state.counters[_SEGMENT] = 0
    state.times[_PASS] = time
    state.times[_ENTRY] = time
    for j in range(state.entry.size):
        state.entry[j] = kin.joint[j, 0]


@kernel
def _follow(data: KeyframeData, state: KeyframeState, time: float) -> None:
    """Set the targets in `state` to the angles, velocities and gains of the frames at the simulated time `time` (s)."""
    since = time - state.times[_PASS]
    segment = state.counters[_SEGMENT]
    while segment + 1 < data.polynomials.shape[0] and since >= data.begins[segment + 1] - _TOLERANCE:
        segment += 1
    state.counters[_SEGMENT] = segment
    s = since - data.begins[segment]
    entered = time - state.times[_ENTRY]
    share = 1.0 if entered >= data.blend else entered / data.blend
    for k in range(data.joint.size):
        j = data.joint[k]
        p = data.polynomials[segment, k]
        angle = ((p[0] * s + p[1]) * s + p[2]) * s + p[3]
        velocity = (3.0 * p[0] * s + 2.0 * p[1]) * s + p[2]
        if share < 1.0:
            velocity = share * velocity + (angle - state.entry[j]) / data.blend
            angle = state.entry[j] + share * (angle - state.entry[j])
        state.targets[j, _ANGLE] = angle
        state.targets[j, _VELOCITY] = velocity
        state.targets[j, _KP] = data.gains[k, 0]
        state.targets[j, _KD] = data.gains[k, 1]


@kernel
def tick(body: Body, kin: Kinematics, data: KeyframeData, state: KeyframeState, motors: Motors, time: float) -> int:
    """Fill `motors` with the PD targets at the simulated time `time` (s); return the status, RUNNING or FINISHED.

    The damping acts on the difference from the velocity of the frames. After the last pass, the last targets are held.
    """
    while state.counters[_STATUS] == RUNNING and time - state.times[_PASS] >= data.begins[-1] - _TOLERANCE:
        state.counters[_CYCLES_LEFT] -= 1
        if state.counters[_CYCLES_LEFT] > 0:
            state.times[_PASS] += data.begins[-1]
            state.counters[_SEGMENT] = 0
        else:
            state.counters[_STATUS] = FINISHED
            for k in range(data.joint.size):  # hold the last targets
                state.targets[data.joint[k], _VELOCITY] = 0.0
    if state.counters[_STATUS] == RUNNING:
        _follow(data, state, time)
    for j in range(state.entry.size):
        kp, kd = state.targets[j, _KP], state.targets[j, _KD]
        motors.target[j] = state.targets[j, _ANGLE]
        motors.kp[j] = body.gains[j, 0] if math.isnan(kp) else kp
        motors.kd[j] = body.gains[j, 1] if math.isnan(kd) else kd
        motors.torque[j] = motors.kd[j] * state.targets[j, _VELOCITY]
        motors.limit[j, 0], motors.limit[j, 1] = body.torque[j, 0, 0], body.torque[j, 0, 1]
    return int(state.counters[_STATUS])


@kernel
def phase_of(state: KeyframeState) -> int:
    """Return the index of the current segment between two frames, from 0."""
    return int(state.counters[_SEGMENT])


class KeyframesKind(FileKind[Keyframes, KeyframeData, KeyframeState]):
    """The controller kind `keyframes`: controllers that play joint angles over time by PD control.

    See docs/reference/keyframes.md.
    """

    morphologies = (PLANAR, SPATIAL)
    name = "keyframes"
    subject = "key frames take"
    cycles_counter = _CYCLES_LEFT
    kernels = ControllerKernels(start, hold, tick, phase_of, no_requests)

    def read_file(self, path: Path, character: Character) -> Keyframes:
        """Return the controller of a key frame file."""
        return keyframes_of(read_yaml(path, "key frames"), character)

    def duration(self, controller: Keyframes, cycles: int) -> float:
        """Return the duration of a number of passes through all frames, s."""
        return cycles * controller.duration

    def new_data(self, controller: Keyframes) -> KeyframeData:
        """Return the target angles and gains of a controller as arrays.

        Raises:
            SimulationError: an angle or a gain is not finite.
        """
        require_finite(controller)
        begins, polynomials = controller.segments()
        # copies, because a read-only array or another layout is another type in Numba
        return KeyframeData(
            joint=controller.columns.copy(),
            begins=begins.copy(),
            polynomials=polynomials.copy(order="C"),
            gains=controller.gains.copy(order="C"),
            blend=controller.blend,
        )

    def new_state(self, n_joints: int) -> KeyframeState:
        """Return the state of a controller that has not started, for a character with `n_joints` joints."""
        counters = np.array([FINISHED, 0, 0], dtype=np.int64)
        return KeyframeState(counters, np.zeros(2), np.zeros(n_joints), np.full((n_joints, 4), math.nan))

    def joint_targets(self, state: KeyframeState, n_joints: int) -> JointTargets:
        """Return the current target angles of the joints, with their PD gains."""
        return JointTargets(*(state.targets[:, column].copy() for column in (_ANGLE, _KP, _KD)))

    def place_of_phase(self, controller: Keyframes, phase: int) -> tuple[int | None, Place | None]:
        """Return `phase`, the index of a segment, and the position in the file of the frame at which it begins."""
        return phase, controller.place(phase)


KIND = KeyframesKind()
