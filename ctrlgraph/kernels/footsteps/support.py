"""The energy of a plan and its derivative: distance of the centre of pressure from its support point, and regularizers.

The support point of a tick is a convex combination of the contact points of the feet on the ground: the share of each
point is not negative, and is multiplied by the activation of its foot. The activation is a smooth function of time that
ends before lift-off and begins after touch-down, so that no foot that is leaving or arriving carries load.
"""

from __future__ import annotations

import math

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.footsteps.footstep_arrays import (
    ANGLE,
    FIXED,
    FORCE,
    FREE,
    HALF,
    MEAN_SHARE,
    PLACE,
    SEPARATION,
    SHARE,
    SUPPORT,
    TIME,
    UNSAFETY,
    VARIABLES,
    FeetModel,
    PendulumModel,
    PlanState,
    PlanWork,
    X,
    Y,
)
from ctrlgraph.kernels.footsteps.pendulum import move_pendulum, pull_back
from ctrlgraph.kernels.footsteps.steps import place_steps
from ctrlgraph.kernels.jit import kernel, separate_kernel

LEAST_SUPPORT = 1e-6
"""Sum of shares times activations below which no foot carries load."""
AT_BOUND = 1e-4
"""Share below which a contact point counts as one without a share, so that rounding does not decide (Bertsekas)."""
NO_LOAD = 30.0
"""Exponent above which an activation counts as 0."""
APART = 0.5
"""Distance of two feet at which their separation is 1, as a fraction of their reference distance."""
SEPARATION_STEEPNESS = 10.0
"""Steepness of the separation of feet."""


@kernel
def activation(feet: FeetModel, late: float, half: float) -> float:
    """Return the activation of a foot: near 1 while it can carry load, near 0 otherwise.

    Args:
        feet: feet.
        late: time since the middle of the ground contact, s.
        half: half of the time in which the foot carries load, s.
    """
    exponent = (late * late - half * half) * feet.steepness
    return 1.0 / (1.0 + math.exp(max(exponent, -NO_LOAD))) if exponent < NO_LOAD else 0.0


@separate_kernel
def energy(
    pendulum: PendulumModel,
    feet: FeetModel,
    unsafe: Floats,
    state: PlanState,
    force: Floats,
    share: Floats,
    offset: Floats,
    work: PlanWork,
    derive: bool,
) -> float:
    """Return the energy of a plan, and compute its derivative.

    Args:
        pendulum: pendulum.
        feet: feet.
        unsafe: unsafe places (U, 4): x, y and radius, m, and height of a Gaussian bump.
        state: state of the planner, of which force, share and offset are not read.
        force: forces in the frame of the base (N, 2), m/s^2.
        share: shares of the contact points (N, F, C).
        offset: variables of the steps (F, S, 5).
        work: motion and poses are results, and if `derive` the fields `slope_...`, `way_share` and `curvature`.
        derive: whether to compute the derivative.
    """
    move_pendulum(pendulum, state, force, work)
    place_steps(pendulum, feet, state, offset, work)
    weight = feet.weight
    if derive:
        _clear(work)
    total = 0.0
    for t in range(1, force.shape[0] + 1):
        total += _support(feet, state, share, offset, work, state.clock[0] + t * pendulum.tick, t, derive)
    for foot in range(offset.shape[0]):
        for step in range(offset.shape[1]):
            if state.status[foot, step] == FIXED:
                continue
            for k in range(VARIABLES):
                w = weight[PLACE] if k <= Y else weight[PLACE + k - Y]
                value = offset[foot, step, k]
                total += w * value * value
                if derive:
                    work.slope_offset[foot, step, k] += 2.0 * w * value
                    work.curvature[foot, step, k] += 2.0 * w
    total += _separate(feet, state, offset, work, derive)
    for u in range(unsafe.shape[0]):
        total += _avoid(feet, state, unsafe[u], work, derive)
    for t in range(force.shape[0]):
        for k in range(2):
            total += weight[FORCE] * force[t, k] * force[t, k]
            if derive:
                work.slope_force[t, k] = 2.0 * weight[FORCE] * force[t, k]
    if derive:
        pull_back(pendulum, work)
        for foot in range(offset.shape[0]):
            for step in range(offset.shape[1]):
                for k in range(VARIABLES):
                    status = state.status[foot, step]
                    if status == FIXED or (status != FREE and k >= TIME):
                        work.slope_offset[foot, step, k] = 0.0
    return total


@kernel
def _clear(work: PlanWork) -> None:
    for t in range(work.slope_point.shape[0]):
        work.slope_point[t, 0] = work.slope_point[t, 1] = 0.0
    for foot in range(work.curvature.shape[0]):
        for step in range(work.curvature.shape[1]):
            for k in range(VARIABLES):
                work.slope_offset[foot, step, k] = 0.0
                work.curvature[foot, step, k] = 0.0


@separate_kernel
def _support(
    feet: FeetModel, state: PlanState, share: Floats, offset: Floats, work: PlanWork, time: float, t: int, derive: bool
) -> float:
    """Return the energy of the support in tick t, and add its derivative."""
    n_feet, n_points, weight = feet.hip.shape[0], feet.contact.shape[0], feet.weight
    total = load = x = y = 0.0
    for foot in range(n_feet):
        work.active[foot] = 0.0
        for step in range(offset.shape[1]):
            late = time - state.middle[foot, step] - offset[foot, step, TIME]
            half = state.half[foot, step] + offset[foot, step, HALF] - feet.margin
            active = activation(feet, late, half)
            if active > 0.0:
                work.active[foot] = active
                work.standing[foot] = step
                break
        active, step = work.active[foot], work.standing[foot]
        pose = work.pose[foot, step]
        c, s = math.cos(pose[2]), math.sin(pose[2])
        for j in range(n_points):
            part = share[t - 1, foot, j]
            total += weight[SHARE] * (part - MEAN_SHARE) * (part - MEAN_SHARE)
            if active > 0.0:
                px = pose[0] + c * feet.contact[j, 0] - s * feet.contact[j, 1]
                py = pose[1] + s * feet.contact[j, 0] + c * feet.contact[j, 1]
                work.point[foot, j, 0], work.point[foot, j, 1] = px, py
                load += active * part
                # relative to the centre of pressure, so that far from the origin nothing is lost
                x += active * part * (px - work.states[t, 0, 0])
                y += active * part * (py - work.states[t, 1, 0])
    if load < LEAST_SUPPORT:
        work.support[t, 0] = work.support[t, 1] = math.nan
        if derive:
            for foot in range(n_feet):
                for j in range(n_points):
                    work.way_share[t - 1, foot, j] = share[t - 1, foot, j] - MEAN_SHARE
                    work.slope_share[t - 1, foot, j] = 2.0 * weight[SHARE] * (share[t - 1, foot, j] - MEAN_SHARE)
        return total
    x /= load
    y /= load
    work.support[t, 0], work.support[t, 1] = x + work.states[t, 0, 0], y + work.states[t, 1, 0]
    if derive:
        work.slope_point[t, 0] = -2.0 * weight[SUPPORT] * x
        work.slope_point[t, 1] = -2.0 * weight[SUPPORT] * y
        _derive_shares(feet, share, work, t, load, x, y)
        whole = 0.0
        for foot in range(n_feet):
            step = work.standing[foot]
            if work.active[foot] > 0.0 and state.status[foot, step] != FIXED:
                _derive_step(feet, state, share, offset, work, time, t, load, foot, step, x, y)
                for k in range(VARIABLES):
                    whole += math.hypot(work.jacobian[foot, k, 0], work.jacobian[foot, k, 1])
        for foot in range(n_feet):
            step = work.standing[foot]
            if work.active[foot] > 0.0 and state.status[foot, step] != FIXED:
                for k in range(VARIABLES):
                    size = math.hypot(work.jacobian[foot, k, 0], work.jacobian[foot, k, 1])
                    work.curvature[foot, step, k] += 2.0 * weight[SUPPORT] * size * whole
    return total + weight[SUPPORT] * (x * x + y * y)


@kernel
def _derive_shares(feet: FeetModel, share: Floats, work: PlanWork, t: int, load: float, x: float, y: float) -> None:
    """Compute the derivative in the shares of tick t, and Newton's direction for those that are free.

    The Hessian is 2 w I + 2 J^T J, with two rows in J, so its inverse needs a matrix of two rows only (Woodbury).
    """
    n_feet, n_points = feet.hip.shape[0], feet.contact.shape[0]
    slope, way, here = work.slope_share[t - 1], work.way_share[t - 1], work.support[t]
    damping, pull = feet.weight[SHARE], feet.weight[SUPPORT]
    xx = yy = xy = gx = gy = 0.0
    for foot in range(n_feet):
        active = work.active[foot] / load
        for j in range(n_points):
            part = share[t - 1, foot, j]
            jx = active * (work.point[foot, j, 0] - here[0]) if active > 0.0 else 0.0
            jy = active * (work.point[foot, j, 1] - here[1]) if active > 0.0 else 0.0
            g = 2.0 * pull * (x * jx + y * jy) + 2.0 * damping * (part - MEAN_SHARE)
            slope[foot, j] = g
            if part > AT_BOUND or g < 0.0:
                xx += jx * jx
                yy += jy * jy
                xy += jx * jy
                gx += jx * g
                gy += jy * g
    k = pull / damping
    a, b, d = 1.0 + k * xx, k * xy, 1.0 + k * yy
    determinant = a * d - b * b
    ux, uy = k * (d * gx - b * gy) / determinant, k * (a * gy - b * gx) / determinant
    for foot in range(n_feet):
        active = work.active[foot] / load
        for j in range(n_points):
            g = slope[foot, j]
            if share[t - 1, foot, j] > AT_BOUND or g < 0.0:
                jx = active * (work.point[foot, j, 0] - here[0]) if active > 0.0 else 0.0
                jy = active * (work.point[foot, j, 1] - here[1]) if active > 0.0 else 0.0
                way[foot, j] = (g - jx * ux - jy * uy) / (2.0 * damping)
            else:
                way[foot, j] = g / (2.0 * damping)  # to the bound


@kernel
def _derive_step(
    feet: FeetModel,
    state: PlanState,
    share: Floats,
    offset: Floats,
    work: PlanWork,
    time: float,
    t: int,
    load: float,
    foot: int,
    step: int,
    x: float,
    y: float,
) -> None:
    """Add the derivative of the support in tick t in the variables of a step, and keep that of the support point."""
    active, pose, here = work.active[foot], work.pose[foot, step], work.support[t]
    whole = by_turn_x = by_turn_y = by_active_x = by_active_y = 0.0
    for j in range(feet.contact.shape[0]):
        part = share[t - 1, foot, j] / load
        whole += active * part
        by_active_x += part * (work.point[foot, j, 0] - here[0])
        by_active_y += part * (work.point[foot, j, 1] - here[1])
        by_turn_x -= active * part * (work.point[foot, j, 1] - pose[1])
        by_turn_y += active * part * (work.point[foot, j, 0] - pose[0])
    c, s = work.frame[foot, step, 0], work.frame[foot, step, 1]
    late = time - state.middle[foot, step] - offset[foot, step, TIME]
    half = state.half[foot, step] + offset[foot, step, HALF] - feet.margin
    steep = 2.0 * active * (1.0 - active) * feet.steepness
    slope = work.slope[foot, step]
    for k in range(VARIABLES):
        if k == X:
            jx, jy = whole * c, whole * s
        elif k == Y:
            jx, jy = -whole * s, whole * c
        elif k == ANGLE:
            jx, jy = by_turn_x, by_turn_y
        elif k == TIME:
            jx = steep * late * by_active_x + whole * slope[0] + by_turn_x * slope[2]
            jy = steep * late * by_active_y + whole * slope[1] + by_turn_y * slope[2]
        else:
            jx, jy = steep * half * by_active_x, steep * half * by_active_y
        work.slope_offset[foot, step, k] += 2.0 * feet.weight[SUPPORT] * (x * jx + y * jy)
        work.jacobian[foot, k, 0], work.jacobian[foot, k, 1] = jx, jy


@separate_kernel
def _separate(feet: FeetModel, state: PlanState, offset: Floats, work: PlanWork, derive: bool) -> float:
    """Return the energy of feet that are too close, and add its derivative.

    For a pair of feet, p is the component of their difference along the line between them in the reference pose, and q
    that across it, both as a fraction of their reference distance. The energy is exp(k (1/2 - p - q^2)): large if they
    are near or have crossed over.
    """
    weight, total = feet.weight[SEPARATION], 0.0
    n_feet, n_steps = state.status.shape
    for a in range(n_feet):
        for i in range(n_steps):
            if state.status[a, i] == FIXED:
                continue
            c, s = work.frame[a, i, 0], work.frame[a, i, 1]
            for b in range(n_feet):
                if b == a:
                    continue
                dx, dy = feet.hip[a, 0] - feet.hip[b, 0], feet.hip[a, 1] - feet.hip[b, 1]
                square = dx * dx + dy * dy
                ax, ay = (c * dx - s * dy) / square, (s * dx + c * dy) / square
                for j in range(n_steps):
                    apart = state.middle[a, i] - state.middle[b, j]
                    if abs(apart) > 0.6 * feet.period:
                        continue
                    gap_x, gap_y = work.pose[a, i, 0] - work.pose[b, j, 0], work.pose[a, i, 1] - work.pose[b, j, 1]
                    p, q = ax * gap_x + ay * gap_y, ax * gap_y - ay * gap_x
                    exponent = SEPARATION_STEEPNESS * (APART - p - q * q)
                    if exponent < -NO_LOAD:
                        continue
                    value = weight * math.exp(min(exponent, NO_LOAD))
                    total += value
                    if derive:
                        by_p, by_q = -SEPARATION_STEEPNESS * value, -2.0 * q * SEPARATION_STEEPNESS * value
                        gx, gy = by_p * ax - by_q * ay, by_p * ay + by_q * ax
                        _add_place(work, state, a, i, gx, gy, SEPARATION_STEEPNESS * abs(by_p) / square)
                        _add_place(work, state, b, j, -gx, -gy, SEPARATION_STEEPNESS * abs(by_p) / square)
                        # the line between the feet turns with the base at the time of step i
                        if state.status[a, i] == FREE:
                            turning = work.slope[a, i, 2]
                            along = by_p * (ax * gap_y - ay * gap_x) - by_q * (ax * gap_x + ay * gap_y)
                            work.slope_offset[a, i, TIME] += along * turning
    return total


@separate_kernel
def _avoid(feet: FeetModel, state: PlanState, bump: Floats, work: PlanWork, derive: bool) -> float:
    """Return the unsafety of all steps that are not fixed by one Gaussian bump, and add its derivative."""
    total = 0.0
    for foot in range(state.status.shape[0]):
        for step in range(state.status.shape[1]):
            if state.status[foot, step] == FIXED:
                continue
            dx, dy = work.pose[foot, step, 0] - bump[0], work.pose[foot, step, 1] - bump[1]
            exponent = 0.5 * (dx * dx + dy * dy) / (bump[2] * bump[2])
            if exponent > NO_LOAD:
                continue
            value = feet.weight[UNSAFETY] * bump[3] * math.exp(-exponent)
            total += value
            if derive:
                k = value / (bump[2] * bump[2])
                _add_place(work, state, foot, step, -k * dx, -k * dy, k)
    return total


@kernel
def _add_place(work: PlanWork, state: PlanState, foot: int, step: int, gx: float, gy: float, curvature: float) -> None:
    """Add a derivative in the place of a step, along the axes of the world, to that in its variables."""
    if state.status[foot, step] == FIXED:
        return
    c, s, slope = work.frame[foot, step, 0], work.frame[foot, step, 1], work.slope[foot, step]
    work.slope_offset[foot, step, X] += c * gx + s * gy
    work.slope_offset[foot, step, Y] += c * gy - s * gx
    work.slope_offset[foot, step, TIME] += gx * slope[0] + gy * slope[1]
    work.curvature[foot, step, X] += curvature
    work.curvature[foot, step, Y] += curvature
