"""Arrays of the interpreter: the program, the state between two ticks, and PD targets.

There are J joints and D = MAX_DEPTH levels of the call stack. All arrays are float64 or int64, so that a copy of them
is a snapshot.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.control.controller import FINISHED, Surroundings
from ctrlgraph.control.script.codes import MAX_DEPTH
from ctrlgraph.control.script.program import COLUMNS, Program
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Kinematics
from ctrlgraph.terrain.terrain import FAR


class Code(NamedTuple):
    """Arrays that the interpreter reads: arrays of a `Program`, values of its slots, terrain and contact circles.

    Each tick updates the `values` that depend on the state before it reads them. The module `program` describes the
    arrays from `frames` to `limits`.
    """

    values: Floats
    """All numbers of the program, by slot: the constants, then the results of the rows of `tape`."""
    frames: Ints
    """Copies of scripts, one for each call."""
    phases: Ints
    """Phases of all frames."""
    actions: Ints
    """Actions of all phases."""
    transitions: Ints
    """Transitions of all phases."""
    terms: Ints
    """Single conditions of the transitions that join several."""
    tape: Ints
    """Operations of all expressions."""
    limits: Ints
    """Torque limits of single joints."""
    ground_x: Floats
    """x of the vertices of the ground, from left to right (N,), m."""
    ground_y: Floats
    """y of the vertices of the ground (N,), m."""
    edges: Floats
    """Steps of the ground (E, 3): x, height before, height after, m."""
    circle_link: Ints
    """Index of the link of each contact circle (C,)."""
    circles: Floats
    """x, y of each circle's centre from the link's centre of mass, in the link's frame, and radius (C, 3), m."""


class ControlState(NamedTuple):
    """State of the interpreter between two ticks, for J joints and D levels of the call stack.

    The constants below this class name the indices of the arrays.
    """

    counters: Ints
    """Depth of the call stack, status, number of phases begun, remaining cycles, and pending SAVE or LOAD (5,)."""
    levels: Ints
    """For each level: row of the active phase, how often its called script has ended, and when it began (D, 3).

    The phases that begin are numbered, and the last column is this number.
    """
    starts: Floats
    """Time at which the active phase of each level began (D,), s."""
    target_kinds: Ints
    """For each joint's PD target: its kind, the joint that it follows, and which phase has set it (J, 3)."""
    targets: Floats
    """For each joint's PD target (J, 6): start and final angle, rad; kp, kd; time when it was set and duration, s."""


# Indices into ControlState.counters.
# DEPTH: level of the innermost active phase. STATUS: RUNNING, FINISHED or FAILED. ENTRIES: number of times that phases
# have begun. CYCLES_LEFT: number of times that the program still has to end. STATE_REQUEST: 1 + the row of a phase that
# has begun with a pending SAVE or LOAD; 0 if there is none.
DEPTH, STATUS, ENTRIES, CYCLES_LEFT, STATE_REQUEST = range(5)
# Columns of ControlState.levels: row of the phase, number of times that the script called by it has ended, value of
# ENTRIES when the phase began.
LEVEL_PHASE, LEVEL_ITERATIONS, LEVEL_ENTRY = range(3)
# Columns of ControlState.target_kinds: kind of target, joint that a MATCH follows, LEVEL_ENTRY of the phase that set
# the target.
TARGET_KIND, TARGET_MATCH, TARGET_ENTRY = range(3)
# Values of TARGET_KIND.
NO_TARGET, POSE_TARGET, LIPOSE_TARGET, MATCH_TARGET = range(4)
# Columns of ControlState.targets: measured angle when the target was set, target angle, kp, kd (negative: the
# character's default), time when the target was set, duration of LIPOSE or MATCH.
TARGET_START, TARGET_GOAL, TARGET_KP, TARGET_KD, TARGET_TIME, TARGET_DURATION = range(6)


def code_arrays(program: Program) -> Code:
    """Return the arrays of a program for the interpreter, with level ground and without contact circles.

    The arrays are copies, because those of the program are read-only. A read-only array is another type in Numba, for
    which every kernel would be compiled again.

    Raises:
        SimulationError: an expression that does not depend on the state divides by zero.
    """
    return Code(
        values=program.values(),
        **{array: getattr(program, array).copy() for array in COLUMNS},
        ground_x=np.array([-FAR, FAR]),
        ground_y=np.zeros(2),
        edges=np.zeros((0, 3)),
        circle_link=np.zeros(0, dtype=np.int64),
        circles=np.zeros((0, 3)),
    )


def with_surroundings(code: Code, surroundings: Surroundings) -> Code:
    """Return a program's arrays with the ground and the contact circles of a simulation added."""
    ground, shapes = surroundings.terrain, surroundings.shapes
    return code._replace(
        ground_x=ground.x.copy(),
        ground_y=ground.y.copy(),
        edges=ground.edges.copy(),
        circle_link=shapes.link,
        circles=shapes.circle,
    )


def new_control_state(n_joints: int) -> ControlState:
    """Return a state for `n_joints` joints in which no joint has a target and no program runs."""
    return ControlState(
        counters=np.array([0, FINISHED, 0, 0, 0], dtype=np.int64),
        levels=np.zeros((MAX_DEPTH, 3), dtype=np.int64),
        starts=np.zeros(MAX_DEPTH),
        target_kinds=np.zeros((n_joints, 3), dtype=np.int64),
        targets=np.zeros((n_joints, 6)),
    )


@kernel
def current_target(kinds: Ints, targets: Floats, joints: Floats, joint: int, time: float) -> float:
    """Return the current target angle of a joint, rad, as POSE, LIPOSE, MATCH or IK has set it; 0 without a target.

    Args:
        kinds: integers of the joints' targets, `ControlState.target_kinds`.
        targets: numbers of the joints' targets, `ControlState.targets`.
        joints: state of the joints, `Kinematics.joint`.
        joint: index of the joint.
        time: simulated time, s.
    """
    kind = kinds[joint, TARGET_KIND]
    if kind == NO_TARGET:
        return 0.0
    goal = joints[kinds[joint, TARGET_MATCH], 0] if kind == MATCH_TARGET else targets[joint, TARGET_GOAL]
    duration = targets[joint, TARGET_DURATION]
    if kind == POSE_TARGET or duration <= 0.0:
        return float(goal)
    share = min(1.0, (time - targets[joint, TARGET_TIME]) / duration)
    start = targets[joint, TARGET_START]
    return float(start + share * (goal - start))


def hold(kin: Kinematics, state: ControlState) -> None:
    """Set the PD target of every joint to its current angle, with the default gains of the character.

    Args:
        kin: state of the character.
        state: state of the interpreter, which is changed.
    """
    for j in range(kin.joint.shape[0]):
        state.target_kinds[j, TARGET_KIND] = POSE_TARGET
        state.targets[j, TARGET_GOAL] = kin.joint[j, 0]
        state.targets[j, TARGET_KP] = -1.0  # negative: the default
        state.targets[j, TARGET_KD] = -1.0
