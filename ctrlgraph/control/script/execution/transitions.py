"""Transitions between phases: whether a condition is true now (Firmin 2014, 4.1.1)."""

from __future__ import annotations

import math

from ctrlgraph.control.script.codes import TransitionKind
from ctrlgraph.control.script.execution.state import Code
from ctrlgraph.control.script.program import (
    PHASE_CALL,
    PHASE_TRANSITION_END,
    PHASE_TRANSITION_START,
    TRANSITION_KIND,
    TRANSITION_OPERAND,
    TRANSITION_PART,
)
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Kinematics
from ctrlgraph.kernels.planar.kinematics import wrapped

# Time without contact after which a link has left the ground, s, because contacts flicker.
NO_CONTACT_TIME = 0.03
# Tolerance of `time T`, s. Simulated time is a sum of steps, so that its rounding error must not delay a transition.
TIME_TOLERANCE = 1e-9

_TIME, _CONTACT, _NOCONTACT = int(TransitionKind.TIME), int(TransitionKind.CONTACT), int(TransitionKind.NOCONTACT)
_STABLE, _RANGE, _OUTSIDE = (int(TransitionKind[k]) for k in ("STABLE", "ANGLERANGE", "FALLEN_OUTSIDE"))
_FALLEN_ABOVE, _FALLEN_BELOW = int(TransitionKind.FALLEN_ABOVE), int(TransitionKind.FALLEN_BELOW)
_ITERATIONS, _COMPLETE, _HANDOVER = (int(TransitionKind[k]) for k in ("ITERATIONS", "COMPLETE", "HANDOVER"))
_ABOVE, _BELOW = int(TransitionKind.ABOVE), int(TransitionKind.BELOW)
_AT_LEAST, _AT_MOST = int(TransitionKind.AT_LEAST), int(TransitionKind.AT_MOST)
_COMPOUND, _AND, _OR = int(TransitionKind.COMPOUND), int(TransitionKind.AND), int(TransitionKind.OR)
_NOT, _END, _FAILED = int(TransitionKind.NOT), int(TransitionKind.END), int(TransitionKind.FAILED)


@kernel
def stable(kin: Kinematics, tolerance: float) -> bool:
    """Return whether the character is at rest: all its speeds are below a tolerance.

    These are the angular speeds of the joints, rad/s, and the speed of the centre of mass, m/s.
    """
    if math.hypot(kin.com[2], kin.com[3]) >= tolerance:
        return False
    for j in range(kin.joint.shape[0]):
        if abs(kin.joint[j, 1]) >= tolerance:
            return False
    return True


@kernel
def counted(angle: float, bound: float) -> float:
    """Return an angle, rad, in the range in which `fallen > bound` and `fallen < bound` compare it.

    With a bound of half a turn or more to one side, the angle is counted from 0 to a full turn to that side. Otherwise
    it is returned unchanged.

    Args:
        angle: angle of the trunk, rad, wrapped to (-pi, pi].
        bound: bound of the condition, rad.
    """
    if bound >= math.pi and angle < 0.0:
        return angle + 2.0 * math.pi
    if bound <= -math.pi and angle > 0.0:
        return angle - 2.0 * math.pi
    return angle


@kernel
def in_arc(angle: float, lower: float, upper: float) -> bool:
    """Return whether an angle lies on the arc that leads clockwise from `lower` to `upper`, excluding its ends.

    Args:
        angle: the angle, rad, wrapped to (-pi, pi].
        lower: beginning of the arc, rad.
        upper: end of the arc, rad.
    """
    if upper - lower >= 2.0 * math.pi:
        return True
    first, last = wrapped(lower), wrapped(upper)
    if first > last:  # through half a turn
        return angle > first or angle < last
    return first < angle < last


@kernel
def first_to_fire(
    trunk: int, kin: Kinematics, code: Code, phase: int, started: float, iterations: int, failed: bool, time: float
) -> int:
    """Return the row of the first transition of a phase that fires now; -1 if none does.

    Args:
        trunk: index of the trunk link, whose angle the conditions `fallen` and `anglerange` read.
        kin: state of the character.
        code: arrays of the program.
        phase: row of the phase in `Program.phases`.
        started: time at which the phase began, s.
        iterations: number of times that the script called by the phase has ended.
        failed: whether the called script has just failed.
        time: simulated time, s.
    """
    angle = wrapped(kin.link[trunk, 2])
    calls = code.phases[phase, PHASE_CALL] >= 0
    for row in range(code.phases[phase, PHASE_TRANSITION_START], code.phases[phase, PHASE_TRANSITION_END]):
        if code.transitions[row, TRANSITION_KIND] == _COMPOUND:
            first = code.transitions[row, TRANSITION_PART]
            fires = _hold_together(angle, kin, code.values, code.terms, first, calls, started, iterations, failed, time)
        else:
            fires = holds(angle, kin, code.values, code.transitions, row, calls, started, iterations, failed, time)
        if fires:
            return row
    return -1


@kernel
def _hold_together(
    angle: float,
    kin: Kinematics,
    values: Floats,
    terms: Ints,
    row: int,
    calls: bool,
    started: float,
    iterations: int,
    failed: bool,
    time: float,
) -> bool:
    """Return whether a condition that joins several with and, or and not is true now.

    The joined conditions are in postfix order (operators after their operands). The stack of results is in the bits of
    an integer. It needs one bit for each nested parenthesis: fewer than 50.

    Args:
        angle: angle of the trunk, wrapped, rad.
        kin: state of the character.
        values: values of the program's slots.
        terms: `terms` of the program.
        row: first row of the condition in `terms`; the next row of the kind END is its end.
        calls: whether the phase calls a script.
        started: time at which the phase began, s.
        iterations: number of times that the called script has ended.
        failed: whether the called script has just failed.
        time: simulated time, s.
    """
    stack = 0
    while terms[row, TRANSITION_KIND] != _END:
        kind = terms[row, TRANSITION_KIND]
        if kind == _NOT:
            stack = stack ^ 1
        elif kind == _AND:
            stack = (stack >> 1) & (stack | ~1)
        elif kind == _OR:
            stack = (stack >> 1) | (stack & 1)
        else:
            stack = (stack << 1) | int(holds(angle, kin, values, terms, row, calls, started, iterations, failed, time))
        row += 1
    return (stack & 1) != 0


@kernel
def holds(
    angle: float,
    kin: Kinematics,
    values: Floats,
    rows: Ints,
    row: int,
    calls: bool,
    started: float,
    iterations: int,
    failed: bool,
    time: float,
) -> bool:
    """Return whether a single condition of a transition, not joined from others, is true now.

    Args:
        angle: angle of the trunk, wrapped, rad.
        kin: state of the character.
        values: values of the program's slots.
        rows: `transitions` or `terms` of the program.
        row: row of the condition in `rows`.
        calls: whether the phase calls a script.
        started: time at which the phase began, s.
        iterations: number of times that the called script has ended.
        failed: whether the called script has just failed.
        time: simulated time, s.
    """
    kind, part = rows[row, TRANSITION_KIND], rows[row, TRANSITION_PART]
    first = _value(values, rows[row, TRANSITION_OPERAND])
    if kind == _TIME:
        return time - started >= first - TIME_TOLERANCE
    if kind == _CONTACT:
        return bool(kin.contact[part] != 0)
    if kind == _NOCONTACT:
        return bool(time - kin.last_contact[part] >= NO_CONTACT_TIME)
    if kind == _STABLE:
        return stable(kin, first)
    if kind == _ITERATIONS:
        return iterations >= math.floor(first + 0.5)
    if kind == _COMPLETE:
        return not calls or iterations >= 1
    if kind == _FAILED:
        return failed
    if kind == _HANDOVER:
        return iterations >= part
    if kind == _FALLEN_ABOVE:
        return counted(angle, first) > first
    if kind == _FALLEN_BELOW:
        return counted(angle, first) < first
    if kind == _OUTSIDE:
        return abs(angle) > abs(first)
    second = _value(values, rows[row, TRANSITION_OPERAND + 1])
    if kind == _RANGE:
        return in_arc(angle, first, second)
    if kind == _ABOVE:
        return first > second
    if kind == _BELOW:
        return first < second
    if kind == _AT_LEAST:
        return first >= second
    if kind == _AT_MOST:
        return first <= second
    return False


@kernel
def _value(values: Floats, slot: int) -> float:
    return float(values[slot]) if slot >= 0 else 0.0
