"""Scripts as a kind of controller."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.controller import (
    ControllerKernels,
    ControllerKind,
    Departure,
    Instant,
    JointTargets,
    Part,
    Place,
    StateRequest,
    Surroundings,
)
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
from ctrlgraph.control.script.sequence import offsets, sequence
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
from ctrlgraph.kernels.jit import kernel


@kernel
def asks(state: ControlState) -> bool:
    """Return whether a phase with SAVE or LOAD has begun."""
    return bool(state.counters[STATE_REQUEST] != 0)


class ScriptKind(ControllerKind[Program, Code, ControlState]):
    """Scripts."""

    name = "script"
    kernels = ControllerKernels(start, hold, tick, active_phase, asks)
    can_mirror = True
    can_join = True

    def read(self, path: Path, args: tuple[float, ...], character: Character, library: ScriptLibrary) -> Program:
        """Return the program of a script."""
        return compile_script(library, path, args, character)

    def new_data(self, controller: Program) -> Code:
        """Return the arrays of a program.

        Raises:
            SimulationError: a constant expression divides by zero.
        """
        try:
            return code_arrays(controller)
        except ZeroDivisionError as error:
            raise SimulationError(str(error)) from None

    def new_state(self, n_joints: int) -> ControlState:
        """Return the state of a program that has not started."""
        return new_control_state(n_joints)

    def bind_environment(self, controller: Program, data: Code, surroundings: Surroundings) -> Code:
        """Return the arrays completed for the terrain and contact shapes of a simulation."""
        return with_surroundings(data, surroundings)

    def joint_targets(self, state: ControlState, n_joints: int) -> JointTargets:
        """Return the targets of POSE and LIPOSE; a joint that follows another one has no target of its own."""
        driven = np.isin(state.target_kinds[:, TARGET_KIND], (POSE_TARGET, LIPOSE_TARGET))
        angle = np.where(driven, state.targets[:, TARGET_GOAL], math.nan)
        # negative: the character's default
        gains = (state.targets[:, column] for column in (TARGET_KP, TARGET_KD))
        kp, kd = (np.where(driven & (each >= 0.0), each, math.nan) for each in gains)
        return JointTargets(angle, kp, kd)

    def take_requests(self, controller: Program, state: ControlState) -> Sequence[StateRequest]:
        """Return the SAVEs and LOADs of the phase that has begun, in order, and remove them from the state."""
        phase = int(state.counters[STATE_REQUEST]) - 1
        state.counters[STATE_REQUEST] = 0
        first, end = controller.phases[phase, [PHASE_ACTION_START, PHASE_ACTION_END]]
        found = []
        for row in controller.actions[first:end]:
            kind = row[ACTION_KIND]
            if kind in (ActionKind.SAVE, ActionKind.LOAD):  # of other kinds ACTION_PART is a link
                name = controller.names[row[ACTION_PART]]
                found.append(StateRequest("save", name) if kind == ActionKind.SAVE else StateRequest("load", name))
        return found

    def place_of_phase(self, controller: Program, phase: int) -> tuple[int | None, Place | None]:
        """Return the number of a phase in its script, and its place."""
        row = controller.phases[phase]
        return int(row[PHASE_NUMBER]), controller.places[row[PHASE_PLACE]]

    def departure(self, controller: Program, now: Instant[Code, ControlState], *, ended: bool) -> Departure | None:
        """Return the transition through which a program left."""
        arrays = (now.body.trunk, now.kin, now.data, now.state, now.time)
        return departure(controller, now.character, *arrays, ended=ended)

    def fired_transition(self, controller: Program, now: Instant[Code, ControlState]) -> Departure | None:
        """Return the transition that the next tick takes."""
        return fired(controller, now.character, now.body.trunk, now.kin, now.data, now.state, now.time)

    def pending_conditions(
        self, controller: Program, character: Character, data: Code, state: ControlState
    ) -> tuple[Departure, ...]:
        """Return the conditions that the active phase waits for."""
        return awaited(controller, character, data, state)

    def mirror(self, controller: Program, character: Character) -> Program:
        """Return the program with right and left exchanged."""
        return mirrored_program(controller, character)

    def join(self, name: str, parts: Sequence[Part[Program]]) -> Program:
        """Return one program that runs several, one after another."""
        return sequence(name, parts)

    def first_phase_of_part(self, parts: Sequence[Part[Program]], index: int) -> int:
        """Return the first row of the phases of a part."""
        return offsets(parts)[index].phases

    def jumps_to_saved_state(self, controller: Program) -> bool:
        """Return whether the program has a LOAD."""
        return bool((controller.actions[:, ACTION_KIND] == ActionKind.LOAD).any())


KIND = ScriptKind()
