"""Regulators as a kind of controller: what runs in the compiled loop."""

from __future__ import annotations

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
from ctrlgraph.control.no_requests import asks_nothing
from ctrlgraph.control.regulator.reader import read_regulator
from ctrlgraph.control.regulator.regulator import Regulator
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.arrays import Body, Floats, Ints, Kinematics, Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.kinematics import wrapped
from ctrlgraph.kernels.pd import clipped

_TOLERANCE = 1e-9
"""Simulated time is a sum of steps: a reference ends at the step nearest to its end."""

_BEYOND = 0.1
"""A step that begins early or ends late goes on from its reference's ends with their rates, for so long, s."""

_DEAF = 0.5
"""A foot that touches the ground before this share of a step is over has only scuffed."""

# Indices into RegulatorState.counters.
_STATUS, _CYCLES_LEFT, _STEP, _SAMPLE = range(4)
# Indices into RegulatorState.times: when this pass began, and when the step did.
_PASS, _BEGAN = range(2)


class RegulatorData(NamedTuple):
    """A reference with its gains for compiled code: S samples of n = 1 + J coordinates in P steps."""

    times: Floats  # (S,) s
    z: Floats  # (S, n) angle of the foot that stands, joint angles
    w: Floats  # (S, n) their rates
    torque: Floats  # (S, J) N m
    gain: Floats  # (S, J, 2 n)
    first: Ints  # (P + 1,) each step's first sample, and how many there are
    stance: Ints  # (P,) the link that stands
    by_contact: int


class RegulatorState(NamedTuple):
    """What is remembered between ticks."""

    counters: Ints  # (4,)
    times: Floats  # (2,) s
    held: Floats  # (J,) where joints are held while nothing runs, rad


def _data(regulator: Regulator) -> RegulatorData:
    if not np.isfinite(regulator.constants).all() or regulator.constants.min() < 0.0 or regulator.constants[-1] <= 0.0:
        raise SimulationError(
            f"{regulator.name} has a weight that is not a finite number of at least 0, or free torques"
        )
    steps = regulator.steps
    counts = [len(step.times) for step in steps]
    return RegulatorData(
        times=np.concatenate([step.times for step in steps]),
        z=np.concatenate([step.z for step in steps]),
        w=np.concatenate([step.w for step in steps]),
        torque=np.concatenate([step.torque for step in steps]),
        gain=np.concatenate(regulator.gains),
        first=np.array([0, *np.cumsum(counts)], dtype=np.int64),
        stance=np.array([step.stance.link for step in steps], dtype=np.int64),
        by_contact=int(regulator.by_contact),
    )


def new_state(n_joints: int) -> RegulatorState:
    """Return a state in which nothing runs."""
    return RegulatorState(np.array([FINISHED, 0, 0, 0], dtype=np.int64), np.zeros(2), np.zeros(n_joints))


@kernel
def hold(kin: Kinematics, state: RegulatorState) -> None:
    """Let every joint be held at its present angle, with the character's default gains."""
    for j in range(state.held.size):
        state.held[j] = kin.joint[j, 0]


@kernel
def start(kin: Kinematics, data: RegulatorData, state: RegulatorState, cycles: int, time: float) -> None:
    """Begin the reference's first step, whatever stands."""
    state.counters[_STATUS] = RUNNING
    state.counters[_CYCLES_LEFT] = cycles
    state.counters[_STEP] = state.counters[_SAMPLE] = 0
    state.times[_PASS] = state.times[_BEGAN] = time


@kernel
def _advance(kin: Kinematics, data: RegulatorData, state: RegulatorState, time: float) -> None:
    """Go on to the next step where the foot that it stands on comes down, or its time comes; and to the next pass."""
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
        due = kin.contact[data.stance[step + 1]] != 0 and time - state.times[_BEGAN] >= _DEAF * length
    else:
        due = since >= data.times[end] - _TOLERANCE
    if due:
        state.counters[_STEP], state.counters[_SAMPLE] = step + 1, end
        state.times[_BEGAN] = time


@kernel
def _regulate(
    body: Body, kin: Kinematics, data: RegulatorData, state: RegulatorState, motors: Motors, time: float
) -> None:
    """Fill the torques: those of the reference, less the gains times the deviation from it."""
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
    """Fill `motors` with the torques of this moment; the engine clamps them at the joints' limits."""
    if state.counters[_STATUS] == RUNNING:
        _advance(kin, data, state, time)
    running = state.counters[_STATUS] == RUNNING
    for j in range(state.held.size):
        motors.target[j], motors.torque[j] = state.held[j], 0.0
        motors.kp[j] = 0.0 if running else body.gains[j, 0]
        motors.kd[j] = 0.0 if running else body.gains[j, 1]
        motors.limit[j, 0], motors.limit[j, 1] = body.torque[j, 0, 0], body.torque[j, 0, 1]
    if running:
        _regulate(body, kin, data, state, motors, time)
    return int(state.counters[_STATUS])


@kernel
def phase_of(state: RegulatorState) -> int:
    """Return the number of the step, from 0."""
    return int(state.counters[_STEP])


def _phase_place(regulator: Regulator, step: int) -> tuple[int | None, Place | None]:
    return step, regulator.places[step] if step < len(regulator.places) else None


def _place(regulator: Regulator, state: RegulatorState) -> tuple[int | None, Place | None]:
    return _phase_place(regulator, int(state.counters[_STEP]))


def _held(state: RegulatorState) -> HeldTargets:
    """Nothing while it runs: its torques have no targets."""
    nothing = HeldTargets.nothing(state.held.size)
    if state.counters[_STATUS] == RUNNING:
        return nothing
    return nothing._replace(angle=state.held.copy())


KIND = ControllerKind(
    name="regulator",
    read=read_regulator,
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
