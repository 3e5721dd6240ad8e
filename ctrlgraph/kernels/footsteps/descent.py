"""Projected descent with Armijo's rule on the energy of a plan."""

from __future__ import annotations

import math

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.footsteps.footstep_arrays import (
    FIXED,
    FREE,
    MOST_SHARE,
    TIME,
    VARIABLES,
    FeetModel,
    PendulumModel,
    PlanState,
    PlanWork,
)
from ctrlgraph.kernels.footsteps.support import energy
from ctrlgraph.kernels.jit import kernel, separate_kernel

SUFFICIENT = 1e-4
"""Share of the decrease that the slope promises which a step must reach (Armijo)."""
TRIALS = 6
"""Maximum number of step sizes that are tried in an iteration."""
SMALLEST = 1e-3
"""Smallest step size with which an iteration begins."""
CONVERGED = 1e-9
"""Promised decrease, as a fraction of the energy, below which rounding decides; the plan is left as it is."""
LONGEST = 0.6
"""Largest step size. With 1, each of the three blocks alone would reach its minimum; together they would overshoot."""


@separate_kernel
def descend(
    pendulum: PendulumModel, feet: FeetModel, unsafe: Floats, state: PlanState, work: PlanWork, iterations: int
) -> float:
    """Reduce the energy of a plan, and return the energy.

    The direction is the derivative, scaled by blocks: forces by the exact inverse of their Hessian, the shares of a
    tick by that of theirs, each variable of a step by a bound of its curvature. Shares and variables are projected to
    their bounds.

    Args:
        pendulum: pendulum.
        feet: feet.
        unsafe: unsafe places (U, 4), see `energy`.
        state: state of the planner; force, share and offset are improved, and the step size is kept for the next call.
        work: results and workspace. The motion and the poses are those of the improved plan.
        iterations: number of iterations.
    """
    found, accepted = math.inf, False
    for _ in range(iterations):
        found = energy(pendulum, feet, unsafe, state, state.force, state.share, state.offset, work, True)
        _scale_forces(pendulum, work)
        accepted, size = False, state.clock[1]
        for _ in range(TRIALS):
            promised = _try(feet, state, work, size)
            if promised <= CONVERGED * found:
                break
            there = energy(
                pendulum, feet, unsafe, state, work.trial_force, work.trial_share, work.trial_offset, work, False
            )
            if there <= found - SUFFICIENT * promised:
                accepted = True
                break
            size *= 0.5
        if not accepted:
            state.clock[1] = max(size, SMALLEST)
            break
        _accept(state, work)
        found = there
        state.clock[1] = min(1.5 * size, LONGEST)
    if accepted:  # the last trial is the plan
        return found
    return energy(pendulum, feet, unsafe, state, state.force, state.share, state.offset, work, False)


@kernel
def _scale_forces(pendulum: PendulumModel, work: PlanWork) -> None:
    """Multiply the derivative in the forces by the inverse Hessian, in the axes of the world."""
    n = work.slope_force.shape[0]
    for t in range(n):
        c, s = math.cos(work.heading[t]), math.sin(work.heading[t])
        work.world[t, 0] = c * work.slope_force[t, 0] - s * work.slope_force[t, 1]
        work.world[t, 1] = s * work.slope_force[t, 0] + c * work.slope_force[t, 1]
    for t in range(n):
        x = y = 0.0
        for k in range(n):
            x += pendulum.response[t, k] * work.world[k, 0]
            y += pendulum.response[t, k] * work.world[k, 1]
        c, s = math.cos(work.heading[t]), math.sin(work.heading[t])
        work.way_force[t, 0] = c * x + s * y
        work.way_force[t, 1] = c * y - s * x


@kernel
def _try(feet: FeetModel, state: PlanState, work: PlanWork, size: float) -> float:
    """Compute the trial variables of a step size, and return the decrease that the slope promises."""
    promised = 0.0
    for t in range(state.force.shape[0]):
        for k in range(2):
            way = size * work.way_force[t, k]
            work.trial_force[t, k] = state.force[t, k] - way
            promised += work.slope_force[t, k] * way
        for foot in range(state.share.shape[1]):
            for j in range(state.share.shape[2]):
                now = state.share[t, foot, j]
                new = min(max(now - size * work.way_share[t, foot, j], 0.0), MOST_SHARE)
                work.trial_share[t, foot, j] = new
                promised += work.slope_share[t, foot, j] * (now - new)
    for foot in range(state.status.shape[0]):
        for step in range(state.status.shape[1]):
            status = state.status[foot, step]
            for k in range(VARIABLES):
                now = state.offset[foot, step, k]
                new = now
                if status == FREE or (status != FIXED and k < TIME):
                    curvature = max(work.curvature[foot, step, k], 1e-9)
                    new = now - size * work.slope_offset[foot, step, k] / curvature
                    new = min(max(new, feet.box[foot, k, 0]), feet.box[foot, k, 1])
                    promised += work.slope_offset[foot, step, k] * (now - new)
                work.trial_offset[foot, step, k] = new
    return promised


@kernel
def _accept(state: PlanState, work: PlanWork) -> None:
    for t in range(state.force.shape[0]):
        for k in range(2):
            state.force[t, k] = work.trial_force[t, k]
        for foot in range(state.share.shape[1]):
            for j in range(state.share.shape[2]):
                state.share[t, foot, j] = work.trial_share[t, foot, j]
    for foot in range(state.status.shape[0]):
        for step in range(state.status.shape[1]):
            for k in range(VARIABLES):
                state.offset[foot, step, k] = work.trial_offset[foot, step, k]
