"""Phase transitions: whether a condition holds now (Firmin 2014, 4.1.1)."""

from __future__ import annotations

import math

from ctrlgraph.control.arrays import Body, Code, Kinematics
from ctrlgraph.control.jit import kernel
from ctrlgraph.control.kinematics import wrapped
from ctrlgraph.control.program import (
    PHASE_CALL,
    TRANSITION_KIND,
    TRANSITION_OPERAND,
    TRANSITION_PART,
    TransitionKind,
)

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


@kernel
def stable(kin: Kinematics, tolerance: float) -> bool:
    """Every |joint velocity| and the speed of the centre of mass are below the tolerance."""
    if math.hypot(kin.com[2], kin.com[3]) >= tolerance:
        return False
    for j in range(kin.joint.shape[0]):  # noqa: SIM110 - numba compiles no generators
        if abs(kin.joint[j, 1]) >= tolerance:
            return False
    return True


@kernel
def fires(
    body: Body, kin: Kinematics, code: Code, row: int, phase: int, started: float, iterations: int, time: float
) -> bool:
    """Whether transition `row` of `phase`, which began at `started`, fires now."""
    kind = code.transitions[row, TRANSITION_KIND]
    first, second = code.transitions[row, TRANSITION_OPERAND], code.transitions[row, TRANSITION_OPERAND + 1]
    if kind == _TIME:
        return time - started >= code.values[first] - TIME_TOLERANCE
    if kind == _CONTACT:
        return kin.contact[code.transitions[row, TRANSITION_PART]] != 0
    if kind == _NOCONTACT:
        return time - kin.last_contact[code.transitions[row, TRANSITION_PART]] >= NO_CONTACT_TIME
    if kind == _STABLE:
        return stable(kin, code.values[first])
    if kind == _ITERATIONS:
        return iterations >= math.floor(code.values[first] + 0.5)
    if kind == _COMPLETE:
        return code.phases[phase, PHASE_CALL] < 0 or iterations >= 1
    angle = wrapped(kin.link[body.trunk, 2])
    if kind == _ABOVE:
        return angle > code.values[first]
    if kind == _BELOW:
        return angle < code.values[first]
    if kind == _OUTSIDE:
        return abs(angle) > abs(code.values[first])
    if kind == _RANGE:
        return code.values[first] < angle < code.values[second]
    return False
