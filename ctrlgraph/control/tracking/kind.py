"""Phase-indexed tracking as a kind of controller: what runs in the compiled loop."""

from __future__ import annotations

import math

from ctrlgraph.character.model import Character
from ctrlgraph.control.controller import (
    RUNNING,
    ControllerKind,
    HeldTargets,
    Place,
    no_departure,
    no_request,
)
from ctrlgraph.control.no_requests import asks_nothing
from ctrlgraph.control.tracking.arrays import TrackingData, tracking_data
from ctrlgraph.control.tracking.constraints import read_phase, take_contacts, take_footing, take_rows, take_state
from ctrlgraph.control.tracking.reader import read_tracking
from ctrlgraph.control.tracking.solution import Standing, track
from ctrlgraph.control.tracking.stages import begin, go_on, goes_on_by_rate, start
from ctrlgraph.control.tracking.state import (
    BEGUN,
    SIDE,
    STAGE,
    STAGES,
    STATUS,
    TICKED,
    TrackingState,
    new_state,
)
from ctrlgraph.control.tracking.tracking import Tracking, mirrored_tracking
from ctrlgraph.kernels.arrays import Body, Kinematics, Motors
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.pd import clipped


@kernel
def hold(kin: Kinematics, state: TrackingState) -> None:
    """Let every joint be held at its present angle, with the character's default gains."""
    for j in range(state.held.size):
        state.held[j] = kin.joint[j, 0]


@separate_kernel
def tick(body: Body, kin: Kinematics, data: TrackingData, state: TrackingState, motors: Motors, time: float) -> int:
    """Fill `motors` with the torques that hold the constraints, within the joints' limits."""
    if state.counters[STATUS] == RUNNING:
        if state.counters[BEGUN] == 0:
            begin(data, kin, state)
        go_on(data, kin, state, time)
    found = False
    if state.counters[STATUS] == RUNNING:
        found = _find_torques(body, kin, data, state, time)
    for j in range(body.parent.size):
        motors.limit[j, 0], motors.limit[j, 1] = body.torque[j, 0, 0], body.torque[j, 0, 1]
        motors.target[j] = kin.joint[j, 0] if found else state.held[j]
        motors.kp[j] = 0.0 if found else body.gains[j, 0]
        motors.kd[j] = 0.0 if found else body.gains[j, 1]
        torque = data.model.torque[j] if found else 0.0
        motors.torque[j] = clipped(torque, motors.limit[j, 0], motors.limit[j, 1])
        if found:
            state.held[j] = kin.joint[j, 0]
    return int(state.counters[STATUS])


@kernel
def _find_torques(body: Body, kin: Kinematics, data: TrackingData, state: TrackingState, time: float) -> bool:
    """Fill `model.torque`; False where no torques can be found, as in a pose whose rows contradict each other."""
    count = stage = side = 0
    for _ in range(state.counters[STAGES] + 1):
        stage, side = state.counters[STAGE], state.counters[SIDE]
        count = take_state(data, kin, state, stage, side, time)
        read_phase(data, state, stage, side)
        if not goes_on_by_rate(data, state, time):
            break
    if state.counters[STATUS] != RUNNING:
        return False
    footing = take_footing(data, state, stage, side, time)
    state.times[TICKED] = time
    held = take_contacts(data, stage, footing, count)
    rows = take_rows(data, state, stage, side, footing)
    contacts = data.counts[stage, 1]
    one = data.contact_link[side, stage, 0] if contacts > 0 else -1
    other = data.contact_link[side, stage, 1] if contacts > 1 else -1
    if not track(data, state, body, footing, Standing(one, other), held, rows):
        return False
    for j in range(body.parent.size):
        if not math.isfinite(data.model.torque[j]):
            return False
    return True


@kernel
def phase_of(state: TrackingState) -> int:
    """Return the number of the stage, from 0; those of the other side are counted behind them."""
    return int(state.counters[STAGE] + state.counters[STAGES] * state.counters[SIDE])


def _phase_place(tracking: Tracking, phase: int) -> tuple[int | None, Place | None]:
    return phase, tracking.place(phase % len(tracking.entry.stages))


def _place(tracking: Tracking, state: TrackingState) -> tuple[int | None, Place | None]:
    return _phase_place(tracking, phase_of(state))


def _held(state: TrackingState) -> HeldTargets:
    return HeldTargets.nothing(state.held.size)


def _mirror(tracking: Tracking, character: Character) -> Tracking:
    return mirrored_tracking(tracking)


KIND = ControllerKind(
    name="tracking",
    read=read_tracking,
    data=tracking_data,
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
    mirror=_mirror,
    phase_place=_phase_place,
)
