"""Key frames as a kind of controller, and the function that runs in each control tick."""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.common_kernels import no_requests
from ctrlgraph.control.controller import FINISHED, RUNNING, ControllerKernels, JointTargets, Place
from ctrlgraph.control.controller_file import FileKind, require_finite
from ctrlgraph.control.keyframes.keyframes import Keyframes
from ctrlgraph.control.keyframes.keyframes_file import keyframes_of
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Body, Floats, Ints, Kinematics, Motors
from ctrlgraph.yaml_source import read_yaml

# Tolerance for the rounding of a sum of time steps, s: a pass ends at the time step nearest to its duration.
_TOLERANCE = 1e-9

# Indices into KeyframeState.counters.
_STATUS, _CYCLES_LEFT, _SEGMENT = range(3)
# Indices into KeyframeState.times: start of this pass, start of the first pass.
_PASS, _ENTRY = range(2)
# Columns of KeyframeState.targets.
_ANGLE, _KP, _KD, _VELOCITY = range(4)


class KeyframeData(NamedTuple):
    """Arrays of a key frame controller: S segments between frames, K joints."""

    joint: Ints
    """(K,) index of each joint in the character."""
    begins: Floats
    """(S + 1,) start times of the segments and end of the last one, s."""
    polynomials: Floats
    """(S, K, 4) angles, rad, see `Keyframes.segments`."""
    gains: Floats
    """(K, 2) kp, N m/rad, and kd, N m s/rad."""
    blend: float
    """Time of the blend at the start, s."""


class KeyframeState(NamedTuple):
    """State of a key frame controller of a character with J joints."""

    counters: Ints
    """(3,) status, remaining cycles, index of the segment."""
    times: Floats
    """(2,) simulated times, s."""
    entry: Floats
    """(J,) measured angles at the start, rad."""
    targets: Floats
    """(J, 4) angle, kp, kd (NaN: the character's default), velocity."""


def hold_angles(data: KeyframeData, angles: Floats) -> None:
    """Replace the angles of all frames by constant angles (K,), rad."""
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
    """Start the controller, to run for `cycles` passes. Joints that the frames do not contain keep their targets."""
    state.counters[_STATUS] = RUNNING
    state.counters[_CYCLES_LEFT] = cycles
    state.counters[_SEGMENT] = 0
    state.times[_PASS] = time
    state.times[_ENTRY] = time
    for j in range(state.entry.size):
        state.entry[j] = kin.joint[j, 0]


@kernel
def _follow(data: KeyframeData, state: KeyframeState, time: float) -> None:
    """Set the targets of the joints of the frames to the angles, velocities and gains at this time."""
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
    """Fill `motors` with the targets at this time; return the status.

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
    """Return the index of the segment, from 0."""
    return int(state.counters[_SEGMENT])


class KeyframesKind(FileKind[Keyframes, KeyframeData, KeyframeState]):
    """The controller kind `keyframes`, see docs/reference/keyframes.md."""

    name = "keyframes"
    subject = "key frames take"
    kernels = ControllerKernels(start, hold, tick, phase_of, no_requests)

    def read_file(self, path: Path, character: Character) -> Keyframes:
        """Read a key frame file."""
        return keyframes_of(read_yaml(path, "key frames"), character)

    def new_data(self, controller: Keyframes) -> KeyframeData:
        """Return the arrays of a controller."""
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
        """Return the state of a controller that has not started, without targets for the joints."""
        counters = np.array([FINISHED, 0, 0], dtype=np.int64)
        return KeyframeState(counters, np.zeros(2), np.zeros(n_joints), np.full((n_joints, 4), math.nan))

    def joint_targets(self, state: KeyframeState, n_joints: int) -> JointTargets:
        """Return the angles and gains that the joints have as targets now."""
        return JointTargets(*(state.targets[:, column].copy() for column in (_ANGLE, _KP, _KD)))

    def place_of_phase(self, controller: Keyframes, phase: int) -> tuple[int | None, Place | None]:
        """Return the index of a segment, as `phase_of` returned it, and the position of the frame at its start."""
        return phase, controller.place(phase)


KIND = KeyframesKind()
