"""Scripts as a kind of controller: what the compiled loop and a simulation need to know of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.controller import ControllerKind, Departure, HeldTargets, Place, StateRequest, Surroundings
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.departure import awaited, departure, fired
from ctrlgraph.control.script.interpreter import active_phase, start, tick
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.mirror import mirrored_program
from ctrlgraph.control.script.program import (
    ACTION_KIND,
    ACTION_PART,
    PHASE_ACTION_END,
    PHASE_ACTION_START,
    PHASE_NUMBER,
    PHASE_PLACE,
    ActionKind,
    Program,
)
from ctrlgraph.control.script.state import (
    LIPOSE_TARGET,
    POSE_TARGET,
    STATE_REQUEST,
    TARGET_GOAL,
    TARGET_KD,
    TARGET_KIND,
    TARGET_KP,
    Code,
    ControlState,
    code_arrays,
    new_control_state,
    with_surroundings,
)
from ctrlgraph.control.script.targets import hold
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.arrays import Body, Kinematics
from ctrlgraph.kernels.jit import kernel


@kernel
def asks(state: ControlState) -> bool:
    """Tell whether a phase with SAVE or LOAD has begun."""
    return bool(state.counters[STATE_REQUEST] != 0)


def _read(path: Path, args: tuple[float, ...], character: Character, library: ScriptLibrary) -> Program:
    return compile_script(library, path, args, character)


def _data(program: Program) -> Code:
    try:
        return code_arrays(program)
    except ZeroDivisionError as error:
        raise SimulationError(str(error)) from None


def _requests(program: Program, state: ControlState) -> Sequence[StateRequest]:
    """Return the SAVEs and LOADs of the phase that has begun, in their order."""
    phase = int(state.counters[STATE_REQUEST]) - 1
    state.counters[STATE_REQUEST] = 0
    found = []
    for row in program.actions[program.phases[phase, PHASE_ACTION_START] : program.phases[phase, PHASE_ACTION_END]]:
        kind = row[ACTION_KIND]
        if kind in (ActionKind.SAVE, ActionKind.LOAD):  # of other kinds ACTION_PART is a link
            name = program.names[row[ACTION_PART]]
            found.append(StateRequest("save", name) if kind == ActionKind.SAVE else StateRequest("load", name))
    return found


def _phase_place(program: Program, row: int) -> tuple[int | None, Place | None]:
    phase = program.phases[row]
    return int(phase[PHASE_NUMBER]), program.places[phase[PHASE_PLACE]]


def _place(program: Program, state: ControlState) -> tuple[int | None, Place | None]:
    return _phase_place(program, active_phase(state))


def _departure(
    program: Program,
    character: Character,
    body: Body,
    kin: Kinematics,
    code: Code,
    state: ControlState,
    time: float,
    ended: bool,
) -> Departure | None:
    return departure(program, character, body.trunk, kin, code, state, time, ended=ended)


def _fired(
    program: Program, character: Character, body: Body, kin: Kinematics, code: Code, state: ControlState, time: float
) -> Departure | None:
    return fired(program, character, body.trunk, kin, code, state, time)


def _held(state: ControlState) -> HeldTargets:
    """Return the targets of POSE and LIPOSE; a joint that follows another has none of its own."""
    driven = np.isin(state.target_kinds[:, TARGET_KIND], (POSE_TARGET, LIPOSE_TARGET))
    angle = np.where(driven, state.targets[:, TARGET_GOAL], math.nan)
    # negative: the character's default
    gains = (state.targets[:, column] for column in (TARGET_KP, TARGET_KD))
    kp, kd = (np.where(driven & (each >= 0.0), each, math.nan) for each in gains)
    return HeldTargets(angle, kp, kd)


def _surrounded(program: Program, code: Code, surroundings: Surroundings) -> Code:
    return with_surroundings(code, surroundings)


KIND = ControllerKind(
    name="script",
    read=_read,
    data=_data,
    new_state=new_control_state,
    start=start,
    hold=hold,
    tick=tick,
    phase_of=active_phase,
    asks=asks,
    requests=_requests,
    place=_place,
    departure=_departure,
    held=_held,
    mirror=mirrored_program,
    surrounded=_surrounded,
    fired=_fired,
    awaited=awaited,
    phase_place=_phase_place,
)
