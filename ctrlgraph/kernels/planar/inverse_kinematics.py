"""Planar inverse kinematics by cyclic coordinate descent (Welman 1993; Firmin 2014, 3.1.3)."""

from __future__ import annotations

import math

import numpy as np

from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.jit import allocating_kernel, kernel
from ctrlgraph.kernels.planar.arrays import Body, Kinematics
from ctrlgraph.kernels.planar.kinematics import wrapped

DEFAULT_TOLERANCE = 1e-3
"""Distance from the target that counts as reached, m."""
_SWEEPS = 100
# If a descent is stuck at a limit, it restarts from these fractions of every joint's range.
_SEEDS = (0.5, 0.2, 0.8)
# Minimum improvement of a sweep, m; with less the descent is stuck.
_STUCK = 1e-5


@allocating_kernel
def reach(
    body: Body, kin: Kinematics, base: int, part: int, x: float, y: float, tolerance: float, angles: Floats, free: Ints
) -> float:
    """Find joint angles with which the centre of mass of the link `part` is at the point (x, y) in the world.

    The search starts from the current pose and rotates the joints from the part to the base, each to the best angle
    with the others fixed. If a straight chain or a joint limit stops the progress, the search restarts from bent poses.
    The best result is returned.

    Args:
        body: constants of the character.
        kin: current state.
        base: index of the joint at which the chain of rotated joints begins.
        part: index of the link at the end of the chain.
        x: x of the target in the world, m.
        y: y of the target in the world, m.
        tolerance: distance from the target that counts as reached, m.
        angles: result (J,) within the joint limits, rad; only the free joints of the chain are written.
        free: 0 for each joint that must not move, else 1 (J,).

    Returns:
        The remaining distance from the target, m.
    """
    n = body.parent.size
    order = np.empty(n, dtype=np.int64)
    count = 0
    for j in range(n):
        if body.chain[base, part, j] != 0 and free[j] != 0:
            order[count] = j
            count += 1
    order = order[:count]
    _sort_from_part(body, base, part, order)
    trial = np.empty(n)
    best = np.inf
    for seed in range(-1, len(_SEEDS)):
        for k in range(count):
            j = order[k]
            low, high = body.limits[j, 0], body.limits[j, 1]
            trial[j] = max(low, min(high, kin.joint[j, 0])) if seed < 0 else low + _SEEDS[seed] * (high - low)
        distance = _descend(body, kin, base, part, x, y, tolerance, order, trial)
        if distance < best:
            best = distance
            for k in range(count):
                angles[order[k]] = trial[order[k]]
        if best <= tolerance:
            break
    return best


@allocating_kernel
def _descend(
    body: Body, kin: Kinematics, base: int, part: int, x: float, y: float, tolerance: float, order: Ints, angles: Floats
) -> float:
    """Improve joint angles in place by cyclic coordinate descent, until the target is reached or progress stops.

    Args:
        body: constants of the character.
        kin: current state.
        base: index of the joint at which the chain begins.
        part: index of the link at the end of the chain, whose centre of mass has to reach the target.
        x: x of the target in the world, m.
        y: y of the target in the world, m.
        tolerance: distance from the target that counts as reached, m.
        order: indices of the joints that can rotate, from the part to the base.
        angles: joint angles (J,), rad; changed in place.

    Returns:
        The remaining distance from the target, m.
    """
    n = body.parent.size
    px, py = np.empty(n), np.empty(n)
    for j in range(n):
        px[j], py[j] = kin.joint[j, 2], kin.joint[j, 3]
    ex, ey = kin.link[part, 0], kin.link[part, 1]
    for k in range(order.size):
        turn = body.chain[base, part, order[k]] * (angles[order[k]] - kin.joint[order[k], 0])
        ex, ey = _turn_beyond(px, py, order, k, ex, ey, turn)
    distance = math.hypot(x - ex, y - ey)
    for _ in range(_SWEEPS):
        if distance <= tolerance:
            break
        before = distance
        for k in range(order.size):
            j = order[k]
            sign = body.chain[base, part, j]
            wanted = math.atan2(ey - py[j], ex - px[j]) - math.atan2(y - py[j], x - px[j])
            old = angles[j]
            angles[j] = _nearest_allowed(old + sign * wanted, body.limits[j, 0], body.limits[j, 1])
            ex, ey = _turn_beyond(px, py, order, k, ex, ey, sign * (angles[j] - old))
        distance = math.hypot(x - ex, y - ey)
        if before - distance < _STUCK:
            break
    return distance


@kernel
def _nearest_allowed(angle: float, low: float, high: float) -> float:
    """Return `angle`, rad, plus the full turns that bring it within [low, high], if there are any.

    Otherwise return the nearer of the two limits.
    """
    middle = 0.5 * (low + high)
    return max(low, min(high, middle + wrapped(angle - middle)))


@kernel
def _turn_beyond(px: Floats, py: Floats, order: Ints, k: int, ex: float, ey: float, turn: float) -> tuple[float, float]:
    """Rotate the part of a chain beyond a joint by an angle: the joints nearer to its end, and the link at the end.

    Args:
        px: x of each joint in the world (J,), m; changed in place.
        py: y of each joint in the world (J,), m; changed in place.
        order: indices of the chain's joints, from the end of the chain to its base.
        k: position in `order` of the joint about which the rest is rotated.
        ex: x of the centre of the link at the end, m.
        ey: y of this centre, m.
        turn: angle, rad, positive clockwise.

    Returns:
        The new x and y of the centre of the link at the end, m.
    """
    j = order[k]
    cosine, sine = math.cos(turn), math.sin(turn)
    for m in range(k):
        px[order[m]], py[order[m]] = _turned_about(px[order[m]], py[order[m]], px[j], py[j], cosine, sine)
    return _turned_about(ex, ey, px[j], py[j], cosine, sine)


@kernel
def _turned_about(x: float, y: float, ax: float, ay: float, cosine: float, sine: float) -> tuple[float, float]:
    u, v = x - ax, y - ay
    return ax + u * cosine + v * sine, ay + v * cosine - u * sine


@kernel
def _sort_from_part(body: Body, base: int, part: int, order: Ints) -> None:
    """Sort the indices of a chain's joints in `order`, in place, from the link `part` to the joint `base`.

    The key is the number of joints between a joint and the link.
    """
    for a in range(1, order.size):
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
