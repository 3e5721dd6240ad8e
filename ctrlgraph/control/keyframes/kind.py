"""Key frames as a kind of controller: what runs in the compiled loop."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.control.controller import (
    FINISHED,
    RUNNING,
    ControllerKind,
    HeldTargets,
    Place,
    no_departure,
    no_request,
)
from ctrlgraph.control.keyframes.keyframes import Keyframes
from ctrlgraph.control.keyframes.reader import read_keyframes
from ctrlgraph.control.no_requests import asks_nothing
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.arrays import Body, Floats, Ints, Kinematics, Motors
from ctrlgraph.kernels.jit import kernel

# Simulated time is a sum of steps: a pass ends at the step nearest to its duration.
_TOLERANCE = 1e-9

# Indices into KeyframeState.counters.
_STATUS, _CYCLES_LEFT, _SEGMENT = range(3)
# Indices into KeyframeState.times: when this pass began, and when the first did.
_PASS, _ENTRY = range(2)
# Columns of KeyframeState.targets.
_ANGLE, _KP, _KD, _VELOCITY = range(4)


class KeyframeData(NamedTuple):
    """Key frames for compiled code: S segments of K joints."""

    joint: Ints  # (K,)
    begins: Floats  # (S + 1,) s
    polynomials: Floats  # (S, K, 4) rad, highest power first
    gains: Floats  # (K, 2)
    blend: float  # s


class KeyframeState(NamedTuple):
    """What is remembered between ticks; J joints."""

    counters: Ints  # (3,)
    times: Floats  # (2,) s
    entry: Floats  # (J,) angles in which the joints were when it began
    targets: Floats  # (J, 4) angle, kp, kd (NaN: the character's), velocity


def _data(keyframes: Keyframes) -> KeyframeData:
    if not np.isfinite(keyframes.constants).all():
        raise SimulationError(f"{keyframes.name} has a constant that is not a finite number")
    begins, polynomials = keyframes.segments()
    # copies: to Numba a read-only array, or one of another layout, is another type
    return KeyframeData(
        joint=keyframes.columns.copy(),
        begins=begins.copy(),
        polynomials=polynomials.copy(order="C"),
        gains=keyframes.gains.copy(order="C"),
        blend=keyframes.blend,
    )


def hold_angles(data: KeyframeData, angles: Floats) -> None:
    """Let key frames that are under way hold these angles (K,) from now on, rad, whatever their frames say."""
    data.polynomials[...] = 0.0
    data.polynomials[:, :, 3] = angles


def new_state(n_joints: int) -> KeyframeState:
    """Return a state in which no joint has a target."""
    counters = np.array([FINISHED, 0, 0], dtype=np.int64)
    return KeyframeState(counters, np.zeros(2), np.zeros(n_joints), np.full((n_joints, 4), math.nan))


@kernel
def hold(kin: Kinematics, state: KeyframeState) -> None:
    """Let every joint be held at its present angle, with the character's default gains."""
    for j in range(state.entry.size):
        state.targets[j, _ANGLE] = kin.joint[j, 0]
        state.targets[j, _KP] = math.nan
        state.targets[j, _KD] = math.nan
        state.targets[j, _VELOCITY] = 0.0


@kernel
def start(kin: Kinematics, data: KeyframeData, state: KeyframeState, cycles: int, time: float) -> None:
    """Begin at the first frame; joints without frames keep their targets."""
    state.counters[_STATUS] = RUNNING
    state.counters[_CYCLES_LEFT] = cycles
    state.counters[_SEGMENT] = 0
    state.times[_PASS] = time
    state.times[_ENTRY] = time
    for j in range(state.entry.size):
        state.entry[j] = kin.joint[j, 0]


@kernel
def _follow(data: KeyframeData, state: KeyframeState, time: float) -> None:
    """Set the targets of the joints that have frames to where the motion is now."""
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
    """Fill `motors` with the targets of this moment, damped against the motion's own velocity."""
    while state.counters[_STATUS] == RUNNING and time - state.times[_PASS] >= data.begins[-1] - _TOLERANCE:
        state.counters[_CYCLES_LEFT] -= 1
        if state.counters[_CYCLES_LEFT] > 0:
            state.times[_PASS] += data.begins[-1]
            state.counters[_SEGMENT] = 0
        else:
            state.counters[_STATUS] = FINISHED
            for k in range(data.joint.size):  # what is left is to hold the last targets
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
    """Return the number of the segment, from 0."""
    return int(state.counters[_SEGMENT])


def _phase_place(keyframes: Keyframes, segment: int) -> tuple[int | None, Place | None]:
    return segment, keyframes.place(segment)


def _place(keyframes: Keyframes, state: KeyframeState) -> tuple[int | None, Place | None]:
    return _phase_place(keyframes, int(state.counters[_SEGMENT]))


def _held(state: KeyframeState) -> HeldTargets:
    return HeldTargets(*(state.targets[:, column].copy() for column in (_ANGLE, _KP, _KD)))


KIND = ControllerKind(
    name="keyframes",
    read=read_keyframes,
    data=_data,
    new_state=new_state,
    start=start,
    hold=hold,
    tick=tick,
    phase_of=phase_of,
    asks=asks_nothing,
    requests=no_request,
    place=_place,
    departure=no_departure,
    held=_held,
    phase_place=_phase_place,
)
