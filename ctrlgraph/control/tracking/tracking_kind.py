"""The controller kind `tracking` (motions followed by a phase variable), and its function for a control tick."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

from ctrlgraph.character.model import Character
from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.control.common_kernels import hold, no_requests
from ctrlgraph.control.controller import RUNNING, ControllerKernels, Place
from ctrlgraph.control.controller_file import FileKind
from ctrlgraph.control.tracking.arrays import TrackingData, tracking_data
from ctrlgraph.control.tracking.constraints import fill_state, record_phase
from ctrlgraph.control.tracking.solution import find_torques
from ctrlgraph.control.tracking.stages import advance_by_rate, advance_stage, begin, start
from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.control.tracking.tracking_file import read_tracking
from ctrlgraph.control.tracking.tracking_state import (
    BEGUN,
    CYCLES_LEFT,
    SIDE,
    STAGE,
    STAGES,
    STATUS,
    TICKED,
    TrackingState,
    new_state,
)
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.pd import clipped
from ctrlgraph.kernels.planar.arrays import Body, Kinematics


@separate_kernel
def tick(body: Body, kin: Kinematics, data: TrackingData, state: TrackingState, motors: Motors, time: float) -> int:
    """Fill `motors` with the torques that track the motion, within the torque limits of the joints.

    If no torques satisfy the equations of the tick, or the controller does not run, all joints hold their last angles
    by PD control.

    Returns:
        Status of the controller: RUNNING or FINISHED.
    """
    if state.counters[STATUS] == RUNNING:
        if state.counters[BEGUN] == 0:
            begin(data, kin, state)
        advance_stage(data, kin, state, time)
    found = False
    if state.counters[STATUS] == RUNNING:
        found = _track(body, kin, data, state, time)
    for j in range(body.parent.size):
        motors.limit[j, 0], motors.limit[j, 1] = body.torque[j, 0, 0], body.torque[j, 0, 1]
        motors.target[j] = kin.joint[j, 0] if found else state.hold_angle[j]
        motors.kp[j] = 0.0 if found else body.gains[j, 0]
        motors.kd[j] = 0.0 if found else body.gains[j, 1]
        torque = data.model.torque[j] if found else 0.0
        motors.torque[j] = clipped(torque, motors.limit[j, 0], motors.limit[j, 1])
        if found:
            state.hold_angle[j] = kin.joint[j, 0]
    return int(state.counters[STATUS])


@kernel
def _track(body: Body, kin: Kinematics, data: TrackingData, state: TrackingState, time: float) -> bool:
    """Compute the joint torques of this tick into `data.model.torque`.

    Return False if the controller has finished, or if no finite torques satisfy the equations of the tick.
    """
    count = stage = side = 0
    for _ in range(state.counters[STAGES] + 1):
        stage, side = state.counters[STAGE], state.counters[SIDE]
        count = fill_state(data, kin, state, stage, side, time)
        record_phase(data, state, stage, side)
        if not advance_by_rate(data, state, time):
            break
    if state.counters[STATUS] != RUNNING:
        return False
    found = find_torques(data, state, body, stage, side, count, time)
    state.times[TICKED] = time
    if not found:
        return False
    for j in range(body.parent.size):
        if not math.isfinite(data.model.torque[j]):
            return False
    return True


@kernel
def phase_of(state: TrackingState) -> int:
    """Return the index of the active stage; the number of stages is added while right and left are exchanged."""
    return int(state.counters[STAGE] + state.counters[STAGES] * state.counters[SIDE])


class TrackingKind(FileKind[Tracking, TrackingData, TrackingState]):
    """The controller kind `tracking`: controllers whose joint angles follow functions of a phase variable.

    See docs/reference/tracking.md.
    """

    name = "tracking"
    subject = "a tracking file takes"
    cycles_counter = CYCLES_LEFT
    kernels = ControllerKernels(start, hold, tick, phase_of, no_requests)
    can_mirror = True

    def read_file(self, path: Path, character: Character) -> Tracking:
        """Return the controller of a tracking file."""
        return read_tracking(path, require_planar(character, "a tracking file"))

    def new_data(self, controller: Tracking) -> TrackingData:
        """Return a controller's constants and structure as arrays."""
        return tracking_data(controller)

    def new_state(self, n_joints: int) -> TrackingState:
        """Return the state of a controller that has not started, for a character with `n_joints` joints."""
        return new_state(n_joints)

    def place_of_phase(self, controller: Tracking, phase: int) -> tuple[int | None, Place | None]:
        """Return `phase`, a result of `phase_of`, and the position of its stage in the controller's file."""
        return phase, controller.place(phase % len(controller.entry.stages))

    def mirror(self, controller: Tracking, character: Character) -> Tracking:
        """Return the controller with right and left exchanged."""
        return replace(controller, mirrored=not controller.mirrored)


KIND = TrackingKind()
