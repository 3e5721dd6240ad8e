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
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Body, Kinematics, Motors

_HANDOVER = int(TransitionKind.HANDOVER)


@kernel
def start(kin: Kinematics, code: Code, state: ControlState, cycles: int, time: float) -> None:
    """Start the program at its first phase. It runs `cycles` times before it is finished.

    PD targets from before remain in effect until the program sets others.
    """
    state.counters[CYCLES_LEFT] = cycles
    state.counters[STATUS] = RUNNING
    state.counters[STATE_REQUEST] = 0
    _enter(kin, code, state, 0, code.frames[0, FRAME_FIRST_PHASE], time)


@kernel
def tick(body: Body, kin: Kinematics, code: Code, state: ControlState, motors: Motors, time: float) -> int:
    """Make one control tick at the simulated `time`, s: fill `motors`, and return RUNNING, FINISHED or FAILED.

    After the end of the program, the last PD targets remain in effect, without feedback and virtual forces.
    """
    if state.counters[STATUS] == RUNNING:
        refresh(kin, code, state, 0, time)
    while state.counters[STATUS] == RUNNING and _advance(body.trunk, kin, code, state, time):
        pass
    primitives.drive(body, kin, code, state, motors, time)
    return state.counters[STATUS]


@kernel
def _advance(trunk: int, kin: Kinematics, code: Code, state: ControlState, time: float) -> bool:
    """Take the transition that fires, if any. Return whether this tick must evaluate transitions again."""
    level = 0
    while level <= state.counters[DEPTH]:
        row = _fired(trunk, kin, code, state, level, False, time)
        if row >= 0:
            return _go(trunk, kin, code, state, level, row, time)
        level += 1
    return False


@kernel
def _go(trunk: int, kin: Kinematics, code: Code, state: ControlState, level: int, row: int, time: float) -> bool:
    """Take the transition in a row, at a level. If it leaves a script, evaluate the caller's transitions as well.

    If the script has failed and no transition of the caller fires, the caller fails, too. Return True if the transition
    is a HANDOVER to the next part of a joined program: the part's transitions are evaluated in the same tick.
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
    """Return the row of the first transition that fires at this level; -1 if none does.

    `failed` means that the called script has just failed.
    """
    row = first_to_fire(
        trunk,
        kin,
        code,
        state.levels[level, LEVEL_PHASE],
        state.starts[level],
        state.levels[level, LEVEL_ITERATIONS],
        failed,
        time,
    )
    return int(row)


@kernel
def _enter(kin: Kinematics, code: Code, state: ControlState, level: int, phase: int, time: float) -> None:
    """Begin a phase, given by its row, at a level. If it calls a script, begin the first phase of that script, too."""
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
    """Return the row of `phases` that is active in the innermost script."""
    return int(state.levels[state.counters[DEPTH], LEVEL_PHASE])
