"""The controller kind `script`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.alteration import Alteration
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
from ctrlgraph.control.script.altered import altered_program
from ctrlgraph.control.script.codes import ActionKind
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.departure import active_rows, described, falls, leaving_rows
from ctrlgraph.control.script.execution.interpreter import active_phase, start, tick
from ctrlgraph.control.script.execution.state import (
    CYCLES_LEFT,
    LEVEL_ITERATIONS,
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
    hold,
    new_control_state,
    with_surroundings,
)
from ctrlgraph.control.script.execution.transitions import first_to_fire
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.mirror import mirrored_program
from ctrlgraph.control.script.program import (
    ACTION_KIND,
    ACTION_PART,
    PHASE_NUMBER,
    PHASE_PLACE,
    PHASE_TRANSITION_END,
    PHASE_TRANSITION_START,
    Program,
)
from ctrlgraph.control.script.sequence import sequence
from ctrlgraph.kernels.jit import kernel

_REQUESTS: dict[int, Literal["save", "load"]] = {ActionKind.SAVE: "save", ActionKind.LOAD: "load"}


@kernel
def has_requests(state: ControlState) -> bool:
    """Return whether a phase with SAVE or LOAD has begun and its requests have not been taken yet."""
    return bool(state.counters[STATE_REQUEST] != 0)


class ScriptKind(ControllerKind[Program, Code, ControlState]):
    """The kind of controllers that are written as scripts."""

    name = "script"
    kernels = ControllerKernels(start, hold, tick, active_phase, has_requests)
    can_mirror = True
    can_join = True
    cycles_counter = CYCLES_LEFT

    def read(self, path: Path, args: tuple[float, ...], character: Character, library: ScriptLibrary) -> Program:
        """Compile a script, and all scripts that it calls, to a program.

        Args:
            path: the script's file.
            args: values of the script's parameters, in their order.
            character: the character that the script drives.
            library: the scripts of the project.

        Raises:
            SourceError: a script has errors, or `args` does not fit; `findings` lists them.
        """
        return compile_script(library, path, args, character)

    def new_data(self, controller: Program) -> Code:
        """Return the arrays of a program for the interpreter.

        Raises:
            SimulationError: an expression that does not depend on the state divides by zero.
        """
        return code_arrays(controller)

    def new_state(self, n_joints: int) -> ControlState:
        """Return the state of a program that has not started, for a character with `n_joints` joints."""
        return new_control_state(n_joints)

    def bind_environment(self, controller: Program, data: Code, surroundings: Surroundings) -> Code:
        """Return a program's arrays with the terrain and the contact circles of a simulation added."""
        return with_surroundings(data, surroundings)

    def joint_targets(self, state: ControlState, n_joints: int) -> JointTargets:
        """Return the final target angles of POSE and LIPOSE. A joint that follows another joint (MATCH) has none."""
        driven = np.isin(state.target_kinds[:, TARGET_KIND], (POSE_TARGET, LIPOSE_TARGET))
        angle = np.where(driven, state.targets[:, TARGET_GOAL], math.nan)
        # negative: the character's default
        gains = (state.targets[:, column] for column in (TARGET_KP, TARGET_KD))
        kp, kd = (np.where(driven & (each >= 0.0), each, math.nan) for each in gains)
        return JointTargets(angle, kp, kd)

    def take_requests(self, controller: Program, state: ControlState) -> Sequence[StateRequest]:
        """Return the SAVEs and LOADs of the phase that has begun, in the order of the text, and mark them as taken."""
        phase = int(state.counters[STATE_REQUEST]) - 1
        state.counters[STATE_REQUEST] = 0
        rows = controller.actions_of(phase)[:, [ACTION_KIND, ACTION_PART]].tolist()
        return [StateRequest(_REQUESTS[kind], controller.names[name]) for kind, name in rows if kind in _REQUESTS]

    def place_of_phase(self, controller: Program, phase: int) -> tuple[int | None, Place | None]:
        """Return the number of a phase in its script, and its position in the file.

        Args:
            controller: the program.
            phase: row of the phase in `Program.phases`.
        """
        row = controller.phases[phase]
        return int(row[PHASE_NUMBER]), controller.places[row[PHASE_PLACE]]

    def departure(self, controller: Program, now: Instant[Code, ControlState], *, ended: bool) -> Departure | None:
        """Return the transition by which a program ended; None if no transition ended it.

        If a called script and its callers end in the same tick, several transitions have fired. The result is one that
        means a fall, if there is one among them, otherwise the transition of the innermost script.

        Args:
            controller: the program.
            now: the program and its character at the end.
            ended: whether the program has ended. If False, the result is the transition by which it would end now.
        """
        rows, failed = leaving_rows(now.body.trunk, now.kin, now.data, now.state, now.time, ended)
        if not rows:
            return None
        fall = next((row for row in rows if falls(controller, now.data, row, now.body.trunk, now.kin)), None)
        left = described(controller, now.character, now.data, rows[0] if fall is None else fall)
        return replace(left, fell=fall is not None, failed=failed)

    def fired_transition(self, controller: Program, now: Instant[Code, ControlState]) -> Departure | None:
        """Return the transition that the next tick takes; None if no transition fires.

        If transitions of several active scripts fire, it is that of the outermost script.
        """
        for level, phase in enumerate(active_rows(now.data, now.state, False)):
            count, started = int(now.state.levels[level, LEVEL_ITERATIONS]), float(now.state.starts[level])
            row = int(first_to_fire(now.body.trunk, now.kin, now.data, phase, started, count, False, now.time))
            if row >= 0:
                return described(controller, now.character, now.data, row)
        return None

    def pending_conditions(
        self, controller: Program, character: Character, data: Code, state: ControlState
    ) -> tuple[Departure, ...]:
        """Return the conditions of all transitions of the active phases, beginning with the outermost script."""
        return tuple(
            described(controller, character, data, row)
            for phase in active_rows(data, state, False)
            for row in range(*data.phases[phase, [PHASE_TRANSITION_START, PHASE_TRANSITION_END]].tolist())
        )

    def mirror(self, controller: Program, character: Character) -> Program:
        """Return the program with right and left exchanged."""
        return mirrored_program(controller, character)

    def alter(self, controller: Program, character: Character, alteration: Alteration) -> Program:
        """Return a copy of the program with changed targets of some joints, such as raised arms."""
        return altered_program(controller, character, alteration)

    def join(self, name: str, parts: Sequence[Part[Program]]) -> Program:
        """Return one program that runs several programs in order, each for its number of cycles."""
        return sequence(name, parts)

    def judged_from(self, controller: Program) -> int:
        """Return the row in `Program.phases` of the phase at whose beginning the measurement of success begins."""
        return controller.judged_from

    def jumps_to_saved_state(self, controller: Program) -> bool:
        """Return whether the program has a LOAD, which replaces the simulation's state by a saved one."""
        return bool((controller.actions[:, ACTION_KIND] == ActionKind.LOAD).any())


KIND = ScriptKind()
