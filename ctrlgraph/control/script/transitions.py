"""Phase transitions: whether a condition holds now (Firmin 2014, 4.1.1)."""

from __future__ import annotations

import math

from ctrlgraph.control.script.program import (
    PHASE_CALL,
    PHASE_TRANSITION_END,
    PHASE_TRANSITION_START,
    TRANSITION_KIND,
    TRANSITION_OPERAND,
    TRANSITION_PART,
    TransitionKind,
)
from ctrlgraph.control.script.state import Code
from ctrlgraph.kernels.arrays import Floats, Kinematics
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.kinematics import wrapped

# Contacts flicker: a link has left the ground once it has not touched it for this long.
NO_CONTACT_TIME = 0.03
# Simulated time is a sum of steps; a transition at T fires at the step nearest to T.
TIME_TOLERANCE = 1e-9

_TIME, _CONTACT, _NOCONTACT = int(TransitionKind.TIME), int(TransitionKind.CONTACT), int(TransitionKind.NOCONTACT)
_STABLE, _ABOVE, _BELOW = (
    int(TransitionKind.STABLE),
    int(TransitionKind.FALLEN_ABOVE),
    int(TransitionKind.FALLEN_BELOW),
)
_OUTSIDE, _RANGE = int(TransitionKind.FALLEN_OUTSIDE), int(TransitionKind.ANGLERANGE)
_ITERATIONS, _COMPLETE = int(TransitionKind.ITERATIONS), int(TransitionKind.COMPLETE)
_HANDOVER = int(TransitionKind.HANDOVER)


@kernel
def stable(kin: Kinematics, tolerance: float) -> bool:
    """Return every |joint velocity| and the speed of the centre of mass are below the tolerance."""
    if math.hypot(kin.com[2], kin.com[3]) >= tolerance:
        return False
    for j in range(kin.joint.shape[0]):
        if abs(kin.joint[j, 1]) >= tolerance:
            return False
    return True


@kernel
def first_to_fire(
    trunk: int, kin: Kinematics, code: Code, phase: int, started: float, iterations: int, time: float
) -> int:
    """Return the row of the first transition of `phase`, which began at `started`, that fires now; -1 where none does.

    `trunk` is the link whose angle is read. One function with the loop inside: calls that pass groups
    of arrays cost more than the conditions.
    """
    angle = wrapped(kin.link[trunk, 2])
    for row in range(code.phases[phase, PHASE_TRANSITION_START], code.phases[phase, PHASE_TRANSITION_END]):
        kind, part = code.transitions[row, TRANSITION_KIND], code.transitions[row, TRANSITION_PART]
        first = _value(code.values, code.transitions[row, TRANSITION_OPERAND])
        fires = False
        if kind == _TIME:
            fires = time - started >= first - TIME_TOLERANCE
        elif kind == _CONTACT:
            fires = kin.contact[part] != 0
        elif kind == _NOCONTACT:
            fires = time - kin.last_contact[part] >= NO_CONTACT_TIME
        elif kind == _STABLE:
            fires = stable(kin, first)
        elif kind == _ITERATIONS:
            fires = iterations >= math.floor(first + 0.5)
        elif kind == _COMPLETE:
            fires = code.phases[phase, PHASE_CALL] < 0 or iterations >= 1
        elif kind == _HANDOVER:
            fires = iterations >= part
        elif kind == _ABOVE:
            fires = angle > first
        elif kind == _BELOW:
            fires = angle < first
        elif kind == _OUTSIDE:
            fires = abs(angle) > abs(first)
        elif kind == _RANGE:
            fires = first < angle < _value(code.values, code.transitions[row, TRANSITION_OPERAND + 1])
        if fires:
            return row
    return -1


@kernel
def _value(values: Floats, slot: int) -> float:
    return float(values[slot]) if slot >= 0 else 0.0
