"""A script as the interpreter has it: the arrays of its program, and what is remembered between two ticks.

J joints, D levels of the call stack. Everything is float64 or int64, so that a snapshot is a copy of the arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.control.controller import FINISHED
from ctrlgraph.control.script.program import MAX_DEPTH, Program
from ctrlgraph.kernels.arrays import Floats, Ints


class Code(NamedTuple):
    """A compiled controller: the arrays of a Program and its slots' values."""

    values: Floats
    frames: Ints
    phases: Ints
    actions: Ints
    transitions: Ints


class ControlState(NamedTuple):
    """What the interpreter remembers between ticks; see the index names below."""

    counters: Ints  # (5,)
    levels: Ints  # (D, 3)
    starts: Floats  # (D,) time at which the level's phase began, s
    target_kinds: Ints  # (J, 3)
    targets: Floats  # (J, 6)


# Indices into ControlState.counters.
# STATE_REQUEST: 1 + the row of a phase that has begun and has SAVE or LOAD to be served; 0 where none.
DEPTH, STATUS, ENTRIES, CYCLES_LEFT, STATE_REQUEST = range(5)
# Values of STATUS are RUNNING and FINISHED.
# Columns of ControlState.levels.
LEVEL_PHASE, LEVEL_ITERATIONS, LEVEL_ENTRY = range(3)
# Columns of ControlState.target_kinds: what holds the joint, the joint it matches, the phase entry that set it.
TARGET_KIND, TARGET_MATCH, TARGET_ENTRY = range(3)
# Values of TARGET_KIND.
NO_TARGET, POSE_TARGET, LIPOSE_TARGET, MATCH_TARGET = range(4)
# Columns of ControlState.targets.
TARGET_START, TARGET_GOAL, TARGET_KP, TARGET_KD, TARGET_TIME, TARGET_DURATION = range(6)


def code_arrays(program: Program) -> Code:
    """Return the program's structure with the values of all its slots.

    Copies: to Numba a read-only array is another type, for which every kernel would be compiled once more.
    """
    structure = (program.frames, program.phases, program.actions, program.transitions)
    return Code(program.values(), *(array.copy() for array in structure))


def new_control_state(n_joints: int) -> ControlState:
    """Return a state in which no joint has a target and no controller runs."""
    return ControlState(
        counters=np.array([0, FINISHED, 0, 0, 0], dtype=np.int64),
        levels=np.zeros((MAX_DEPTH, 3), dtype=np.int64),
        starts=np.zeros(MAX_DEPTH),
        target_kinds=np.zeros((n_joints, 3), dtype=np.int64),
        targets=np.zeros((n_joints, 6)),
    )
