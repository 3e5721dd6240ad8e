"""Inverse kinematics by cyclic coordinate descent (Welman 1993; Firmin 2014, 3.1.3)."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.control.arrays import Body, Floats, Ints, Kinematics
from ctrlgraph.control.jit import kernel
from ctrlgraph.control.kinematics import wrapped

DEFAULT_TOLERANCE = 1e-3
_SWEEPS = 40


@kernel
def reach(
    body: Body, kin: Kinematics, base: int, part: int, x: float, y: float, tolerance: float, angles: Floats, free: Ints
) -> float:
    """Joint angles that bring the part's centre of mass to (x, y); the remaining distance in m.

    `angles` (J,) receives the chain's joint angles, within their limits; joints outside the chain or
    with `free` 0 are left as they are. The search starts from the measured pose and turns the joints
    from the part to the base, each to the best angle with the others fixed.
    """
    n = body.parent.size
    order = np.empty(n, dtype=np.int64)
    count = 0
    for j in range(n):
        if body.chain[base, part, j] != 0 and free[j] != 0:
            order[count] = j
            count += 1
    _sort_from_part(body, base, part, order, count)
    px = np.empty(n)
    py = np.empty(n)
    for j in range(n):
        px[j], py[j] = kin.joint[j, 2], kin.joint[j, 3]
    ex, ey = kin.link[part, 0], kin.link[part, 1]
    for k in range(count):
        angles[order[k]] = kin.joint[order[k], 0]
    distance = math.hypot(x - ex, y - ey)
    for _ in range(_SWEEPS):
        if distance <= tolerance:
            break
        for k in range(count):
            j = order[k]
            sign = body.chain[base, part, j]
            wanted = math.atan2(ey - py[j], ex - px[j]) - math.atan2(y - py[j], x - px[j])
            old = angles[j]
            new = old + sign * wrapped(wanted)
            new = max(body.limits[j, 0], min(body.limits[j, 1], new))
            angles[j] = new
            turn = sign * (new - old)  # clockwise, of everything beyond the joint
            cosine, sine = math.cos(turn), math.sin(turn)
            ex, ey = _turned_about(ex, ey, px[j], py[j], cosine, sine)
            for m in range(k):
                px[order[m]], py[order[m]] = _turned_about(px[order[m]], py[order[m]], px[j], py[j], cosine, sine)
        distance = math.hypot(x - ex, y - ey)
    return distance


@kernel
def _turned_about(x: float, y: float, ax: float, ay: float, cosine: float, sine: float) -> tuple[float, float]:
    u, v = x - ax, y - ay
    return ax + u * cosine + v * sine, ay + v * cosine - u * sine


@kernel
def _sort_from_part(body: Body, base: int, part: int, order: Ints, count: int) -> None:
    """Order the chain's joints from the part to the base: by the length of their own chain to the part."""
    for a in range(1, count):
        for b in range(a, 0, -1):
            if _chain_length(body, order[b], part) < _chain_length(body, order[b - 1], part):
                order[b], order[b - 1] = order[b - 1], order[b]
            else:
                break


@kernel
def _chain_length(body: Body, base: int, part: int) -> int:
    count = 0
    for j in range(body.parent.size):
        if body.chain[base, part, j] != 0:
            count += 1
    return count
