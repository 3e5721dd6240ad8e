"""Quantities of the state in expressions, such as `angle(rKnee)`, which are computed in each tick.

They are rows of the program's tape. The result of each row is written to its slot of `code.values`. The primitives and
the conditions read the slot like a constant. A phase without such rows costs one comparison.
"""

from __future__ import annotations

import math

from ctrlgraph.control.script.codes import TapeOp
from ctrlgraph.control.script.execution.state import DEPTH, LEVEL_PHASE, Code, ControlState
from ctrlgraph.control.script.program import PHASE_TAPE_END, PHASE_TAPE_START
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.planar.arrays import Kinematics
from ctrlgraph.kernels.planar.collision import height_at
from ctrlgraph.kernels.planar.kinematics import wrapped

_ADD, _SUBTRACT, _MULTIPLY = int(TapeOp.ADD), int(TapeOp.SUBTRACT), int(TapeOp.MULTIPLY)
_DIVIDE, _NEGATE = int(TapeOp.DIVIDE), int(TapeOp.NEGATE)
_ANGLE, _VELOCITY, _ORIENTATION, _SPIN = (int(TapeOp[k]) for k in ("ANGLE", "VELOCITY", "ORIENTATION", "SPIN"))
_X, _HEIGHT, _LOAD = (int(TapeOp[k]) for k in ("X", "HEIGHT", "LOAD"))
_COM_X, _COM_HEIGHT, _COM_VX, _COM_VY = (int(TapeOp[k]) for k in ("COM_X", "COM_HEIGHT", "COM_VX", "COM_VY"))
_PHASE_TIME = int(TapeOp.PHASE_TIME)
_EDGE_DISTANCE, _EDGE_RISE = int(TapeOp.EDGE_DISTANCE), int(TapeOp.EDGE_RISE)
_GROUND, _SLOPE, _EDGE_AFTER = int(TapeOp.GROUND), int(TapeOp.SLOPE), int(TapeOp.EDGE_AFTER)

NO_EDGE = 100.0
"""Value of `edge_distance` and `edge_after` if there is no such edge, m."""

EDGE_PASSED = 0.01
"""Distance from which on an edge behind the front of a link is no longer ahead, m."""

HALF_BASE = 0.3
"""Half the distance over which the slope of the ground is measured, m."""


@kernel
def refresh(kin: Kinematics, code: Code, state: ControlState, first: int, time: float) -> None:
    """Compute the expressions of the active phases that depend on the state of the character.

    Args:
        kin: state of the character.
        code: arrays of the program; the results are written to `values`.
        state: state of the interpreter.
        first: level of the call stack at which to begin; phases of outer levels are not computed.
        time: simulated time, s.
    """
    for level in range(first, state.counters[DEPTH] + 1):
        phase = state.levels[level, LEVEL_PHASE]
        for row in range(code.phases[phase, PHASE_TAPE_START], code.phases[phase, PHASE_TAPE_END]):
            result = _result(kin, code, state, row, time)
            # a division by zero or an overflow
            code.values[code.values.size - code.tape.shape[0] + row] = result if math.isfinite(result) else 0.0


@kernel
def _result(kin: Kinematics, code: Code, state: ControlState, row: int, time: float) -> float:
    op, left, right = code.tape[row, 0], code.tape[row, 1], code.tape[row, 2]
    if op <= _NEGATE:
        return arithmetic(op, code.values[left], code.values[right] if op != _NEGATE else 0.0)
    if op == _ANGLE:
        return float(kin.joint[left, 0])
    if op == _VELOCITY:
        return float(kin.joint[left, 1])
    if op == _ORIENTATION:
        return wrapped(kin.link[left, 2])
    if op == _SPIN:
        return float(kin.link[left, 5])
    if op == _X:
        return float(kin.link[left, 0])
    if op == _HEIGHT:
        return clearance(kin, code, left)
    if op == _LOAD:
        return float(kin.load[left])
    if op == _COM_X:
        return float(kin.com[0])
    if op == _COM_HEIGHT:
        return float(kin.com[1] - support_height(kin, code))
    if op == _COM_VX:
        return float(kin.com[2])
    if op == _COM_VY:
        return float(kin.com[3])
    if op == _PHASE_TIME:
        return float(time - state.starts[left])
    if op == _EDGE_DISTANCE:
        edge, front = edge_ahead(kin, code, left, right)
        return NO_EDGE if edge < 0 else float(code.edges[edge, 0] - front)
    if op == _EDGE_RISE:
        edge, front = edge_ahead(kin, code, left, right)
        return 0.0 if edge < 0 else float(code.edges[edge, 2] - code.edges[edge, 1])
    if op == _GROUND:
        return height_at(code.ground_x, code.ground_y, code.values[left]) - support_height(kin, code)
    if op == _SLOPE:
        return slope_at(code, code.values[left])
    if op == _EDGE_AFTER:
        edge = first_edge(code, code.values[left])
        return float(code.edges[edge, 0] - code.values[left]) if edge < code.edges.shape[0] else NO_EDGE
    return 0.0


@kernel
def arithmetic(op: int, a: float, b: float) -> float:
    """Return a + b, a - b, a * b, a / b or -a, selected by `op`, a `TapeOp`; 0 for a division by zero."""
    if op == _ADD:
        return a + b
    if op == _SUBTRACT:
        return a - b
    if op == _MULTIPLY:
        return a * b
    if op == _DIVIDE:
        return a / b if b != 0.0 else 0.0
    return -a


@kernel
def clearance(kin: Kinematics, code: Code, link: int) -> float:
    """Return the height of a link's lowest point above the ground below it, m.

    For a link without contact circles, it is the height of its centre of mass.

    Args:
        kin: state of the character.
        code: arrays of the program, with the ground and the contact circles.
        link: index of the link.
    """
    best = math.inf
    for c in range(code.circle_link.size):
        if code.circle_link[c] == link:
            u, v, radius = code.circles[c, 0], code.circles[c, 1], code.circles[c, 2]
            x = kin.link[link, 0] + u * kin.turn[link, 0] + v * kin.turn[link, 1]
            y = kin.link[link, 1] + v * kin.turn[link, 0] - u * kin.turn[link, 1]
            best = min(best, y - radius - height_at(code.ground_x, code.ground_y, x))
    if best == math.inf:
        return float(kin.link[link, 1] - height_at(code.ground_x, code.ground_y, kin.link[link, 0]))
    return best


@kernel
def edge_ahead(kin: Kinematics, code: Code, link: int, which: int) -> tuple[int, float]:
    """Find an edge of the ground (a step up or down) ahead of a link.

    An edge is ahead until the link's front is `EDGE_PASSED` beyond it, so that a toe pressed against a step is still
    before the edge.

    Args:
        kin: state of the character.
        code: arrays of the program, with the ground and the contact circles.
        link: index of the link.
        which: number of the edge, 1 for the nearest.

    Returns:
        The row of the edge in `code.edges`, -1 if there is none, and the x of the link's front in the world, m.
    """
    front = -math.inf
    for c in range(code.circle_link.size):
        if code.circle_link[c] == link:
            u, v, radius = code.circles[c, 0], code.circles[c, 1], code.circles[c, 2]
            front = max(front, kin.link[link, 0] + u * kin.turn[link, 0] + v * kin.turn[link, 1] + radius)
    if front == -math.inf:
        front = float(kin.link[link, 0])
    edge = first_edge(code, front - EDGE_PASSED) + which - 1
    return (edge if edge < code.edges.shape[0] else -1), front


@kernel
def first_edge(code: Code, x: float) -> int:
    """Return the row in `code.edges` of the first edge at a position or beyond it, or the number of rows.

    Args:
        code: arrays of the program, with the edges of the ground.
        x: the position in the world, m.
    """
    low, high = 0, code.edges.shape[0]
    while low < high:
        middle = (low + high) // 2
        if code.edges[middle, 0] < x:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def slope_at(code: Code, x: float) -> float:
    """Return the mean slope of the ground within `HALF_BASE` of a position, rad, positive if the ground rises in +x.

    The rise of edges is subtracted, so that a level floor before a step has the slope 0.

    Args:
        code: arrays of the program, with the ground.
        x: the position in the world, m.
    """
    rise = height_at(code.ground_x, code.ground_y, x + HALF_BASE)
    rise -= height_at(code.ground_x, code.ground_y, x - HALF_BASE)
    for edge in range(code.edges.shape[0]):
        if x - HALF_BASE < code.edges[edge, 0] <= x + HALF_BASE:
            rise -= code.edges[edge, 2] - code.edges[edge, 1]
    return math.atan(rise / (2.0 * HALF_BASE))


@kernel
def support_height(kin: Kinematics, code: Code) -> float:
    """Return the mean height of the ground below the links in contact, in the world, m.

    In flight, it is that of the last contact; before the first contact, it is the height of the ground below the centre
    of mass.
    """
    if math.isfinite(kin.support[0]):
        return float(kin.support[0])
    return height_at(code.ground_x, code.ground_y, kin.com[0])
