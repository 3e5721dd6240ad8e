"""The interpreter: one control tick of a compiled script.

A tick reads the kinematics and takes the transitions that fire, those of a calling script before those of the called
one. A phase that begins sets its PD targets. Then the tick writes PD targets and torques for every joint.

The level of an active phase is its index in the call stack: 0 for the phase of the root script.
"""

from __future__ import annotations

from ctrlgraph.control.controller import FAILED, FINISHED, RUNNING
from ctrlgraph.control.script.codes import FAIL, MAX_DEPTH, OMITTED, TransitionKind
from ctrlgraph.control.script.execution import primitives
from ctrlgraph.control.script.execution.quantities import refresh
from ctrlgraph.control.script.execution.state import (
    CYCLES_LEFT,
    DEPTH,
    ENTRIES,
    LEVEL_ENTRY,
    LEVEL_ITERATIONS,
    LEVEL_PHASE,
    STATE_REQUEST,
    STATUS,
    Code,
    ControlState,
)
from ctrlgraph.control.script.execution.transitions import first_to_fire
from ctrlgraph.control.script.program import FRAME_FIRST_PHASE, PHASE_CALL, TRANSITION_KIND, TRANSITION_TARGET
from ctrlgraph.kernels.arrays import Motors
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Body, Kinematics

_HANDOVER = int(TransitionKind.HANDOVER)


@kernel
def start(kin: Kinematics, code: Code, state: ControlState, cycles: int, time: float) -> None:
    """Start a program at its first phase. It runs `cycles` times before it is finished.

    PD targets that an earlier program has set remain in effect until this program sets others.

    Args:
        kin: state of the character.
        code: arrays of the program.
        state: state of the interpreter.
        cycles: number of times that the program runs.
        time: simulated time, s.
    """
    state.counters[CYCLES_LEFT] = cycles
    state.counters[STATUS] = RUNNING
    state.counters[STATE_REQUEST] = 0
    _enter(kin, code, state, 0, code.frames[0, FRAME_FIRST_PHASE], time)


@kernel
def tick(body: Body, kin: Kinematics, code: Code, state: ControlState, motors: Motors, time: float) -> int:
    """Make one control tick of a program: take the transitions that fire, and command the joints.

    After the end of the program, the last PD targets remain in effect, without feedback and virtual forces.

    Args:
        body: constants of the character.
        kin: state of the character.
        code: arrays of the program.
        state: state of the interpreter.
        motors: result: commands to the joints.
        time: simulated time, s.

    Returns:
        RUNNING, FINISHED or FAILED.
    """
    if state.counters[STATUS] == RUNNING:
        refresh(kin, code, state, 0, time)
    while state.counters[STATUS] == RUNNING and _advance(body.trunk, kin, code, state, time):
        pass
    primitives.drive(body, kin, code, state, motors, time)
    return state.counters[STATUS]


@kernel
def _advance(trunk: int, kin: Kinematics, code: Code, state: ControlState, time: float) -> bool:
    """Take the transition that fires, if there is one. Return whether this tick must evaluate transitions again.

    Of several active scripts, the outermost with a transition that fires takes it.
    """
    level = 0
    while level <= state.counters[DEPTH]:
        row = _fired(trunk, kin, code, state, level, False, time)
        if row >= 0:
            return _go(trunk, kin, code, state, level, row, time)
        level += 1
    return False


@kernel
def _go(trunk: int, kin: Kinematics, code: Code, state: ControlState, level: int, row: int, time: float) -> bool:
    """Take a transition. If it leaves a script, evaluate the transitions of the calling script as well.

    If the script has failed and no transition of the caller fires, the caller fails, too.

    Args:
        trunk: index of the trunk link.
        kin: state of the character.
        code: arrays of the program.
        state: state of the interpreter.
        level: position of the script in the call stack, 0 for the root script.
        row: row of the transition in `Program.transitions`.
        time: simulated time, s.

    Returns:
        True if the transition is a HANDOVER to the next part of a joined program, whose transitions are evaluated in
        the same tick.
    """
    target = int(code.transitions[row, TRANSITION_TARGET])
    hands_over = code.transitions[row, TRANSITION_KIND] == _HANDOVER
    while target < 0:
        fails = target == FAIL
        if level == 0 and fails:
            state.counters[STATUS] = FAILED
            return False
        if level == 0:
            state.counters[CYCLES_LEFT] -= 1
            if state.counters[CYCLES_LEFT] > 0:
                target = code.frames[0, FRAME_FIRST_PHASE]
                hands_over = False
                break
            state.counters[STATUS] = FINISHED
            return False
        level -= 1
        state.counters[DEPTH] = level
        if not fails:
            state.levels[level, LEVEL_ITERATIONS] += 1
        row = _fired(trunk, kin, code, state, level, fails, time)
        if row < 0 and fails:
            continue
        if row < 0:  # the call begins again
            callee = code.phases[state.levels[level, LEVEL_PHASE], PHASE_CALL]
            _enter(kin, code, state, level + 1, code.frames[callee, FRAME_FIRST_PHASE], time)
            return False
        target = int(code.transitions[row, TRANSITION_TARGET])
        hands_over = code.transitions[row, TRANSITION_KIND] == _HANDOVER
    _enter(kin, code, state, level, target, time)
    return hands_over


@kernel
def _fired(trunk: int, kin: Kinematics, code: Code, state: ControlState, level: int, failed: bool, time: float) -> int:
    """Return the row of the first transition that fires in one of the active scripts; -1 if none does.

    Args:
        trunk: index of the trunk link.
        kin: state of the character.
        code: arrays of the program.
        state: state of the interpreter.
        level: position of the script in the call stack, 0 for the root script.
        failed: whether the script that this script calls has just failed.
        time: simulated time, s.
    """
    phase, iterations = state.levels[level, LEVEL_PHASE], state.levels[level, LEVEL_ITERATIONS]
    return int(first_to_fire(trunk, kin, code, phase, state.starts[level], iterations, failed, time))


@kernel
def _enter(kin: Kinematics, code: Code, state: ControlState, level: int, phase: int, time: float) -> None:
    """Begin a phase. If the phase calls a script, also begin the first phase of the called script.

    `phase` is a row of `Program.phases`. `level` is the position of the phase's script in the call stack, 0 for the
    root script.
    """
    outermost = level
    while True:
        state.counters[DEPTH] = level
        state.counters[ENTRIES] += 1
        state.levels[level, LEVEL_PHASE] = phase
        state.levels[level, LEVEL_ITERATIONS] = 0
        state.levels[level, LEVEL_ENTRY] = state.counters[ENTRIES]
        state.starts[level] = time
        callee = code.phases[phase, PHASE_CALL]
        if callee == OMITTED or level + 1 >= MAX_DEPTH:
            break
        level += 1
        phase = code.frames[callee, FRAME_FIRST_PHASE]
    refresh(kin, code, state, outermost, time)
    primitives.set_targets(kin, code, state, time)


@kernel
def active_phase(state: ControlState) -> int:
    """Return the row in `Program.phases` of the active phase of the innermost called script."""
    return int(state.levels[state.counters[DEPTH], LEVEL_PHASE])
