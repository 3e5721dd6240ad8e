"""The quadratic program of a plan with fixed timing: the centre of pressure stays in the hulls of the standing feet.

Variables x are forces along the axes of the world, each for some ticks, and changes of the places of steps in the frame
of the base. Each edge of the hull of a tick gives a row: outward normal . (centre of pressure - edge) <= 0. The edge
moves with the steps at its two ends, by half of each: the mean of the ends is a point of the edge.
"""

from __future__ import annotations

import math

from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.footsteps.footstep_arrays import FIXED, FeetModel, PendulumModel, PlanState, PlanWork
from ctrlgraph.kernels.footsteps.footstep_hull import convex_hull
from ctrlgraph.kernels.jit import separate_kernel


@separate_kernel
def index_free_steps(feet: FeetModel, state: PlanState, until: float, column: Ints, first: int) -> int:
    """Give each step that is not fixed and touches down in time two columns of the quadratic program.

    Args:
        feet: feet.
        state: state of the planner.
        until: end of the horizon, s.
        column: result, first column of each step (F, S), or -1.
        first: first column.

    Returns:
        Number of columns.
    """
    n_feet, n_steps = state.status.shape
    for foot in range(n_feet):
        for step in range(n_steps):
            column[foot, step] = -1
            if state.status[foot, step] != FIXED and state.middle[foot, step] - state.half[foot, step] < until:
                column[foot, step] = first
                first += 2
    return first


@separate_kernel
def hull_rows(
    pendulum: PendulumModel,
    feet: FeetModel,
    state: PlanState,
    work: PlanWork,
    ticks: Ints,
    response: Floats,
    column: Ints,
    points: Floats,
    hull: Floats,
    rows: Floats,
    upper: Floats,
) -> int:
    """Write the rows of the quadratic program: rows x <= upper.

    Args:
        pendulum: pendulum.
        feet: feet.
        state: state of the planner.
        work: motion without additional forces, and poses of the steps.
        ticks: ticks of the rows (R,).
        response: response of the centre of pressure of these ticks to each force of one axis (R, U).
        column: first column of each step (F, S), or -1.
        points: workspace (2 F C, 2).
        hull: workspace (2 F C, 2).
        rows: result, at least as many rows as all hulls have edges; n columns.
        upper: result.

    Returns:
        Number of rows.
    """
    n_feet, n_steps = state.status.shape
    n_points, n_forces, found = feet.contact.shape[0], response.shape[1], 0
    for r in range(ticks.size):
        t = ticks[r]
        time = state.clock[0] + t * pendulum.tick
        n = 0
        for foot in range(n_feet):
            work.standing[foot] = -1
            for step in range(n_steps):
                if abs(time - state.middle[foot, step]) <= state.half[foot, step] - 0.5 * feet.margin:
                    work.standing[foot] = step
            if work.standing[foot] < 0:
                continue
            pose = work.pose[foot, work.standing[foot]]
            c, s = math.cos(pose[2]), math.sin(pose[2])
            for j in range(n_points):
                x = pose[0] + c * feet.contact[j, 0] - s * feet.contact[j, 1]
                y = pose[1] + s * feet.contact[j, 0] + c * feet.contact[j, 1]
                work.point[foot, j, 0], work.point[foot, j, 1] = x, y
                points[n, 0], points[n, 1] = x, y
                n += 1
        size = convex_hull(points, n, hull)
        for i in range(size):
            if size < 3:
                break
            a, b = hull[i], hull[(i + 1) % size]
            length = math.hypot(b[0] - a[0], b[1] - a[1])
            nx, ny = (b[1] - a[1]) / length, (a[0] - b[0]) / length
            row = rows[found]
            for k in range(rows.shape[1]):
                row[k] = 0.0
            for k in range(n_forces):
                row[2 * k], row[2 * k + 1] = nx * response[r, k], ny * response[r, k]
            upper[found] = nx * (a[0] - work.states[t, 0, 0]) + ny * (a[1] - work.states[t, 1, 0])
            for foot in range(n_feet):
                step = work.standing[foot]
                if step < 0 or column[foot, step] < 0:
                    continue
                ends = 0.0
                for j in range(n_points):
                    x, y = work.point[foot, j, 0], work.point[foot, j, 1]
                    ends += 0.5 if x == a[0] and y == a[1] else 0.0
                    ends += 0.5 if x == b[0] and y == b[1] else 0.0
                k, c, s = column[foot, step], work.frame[foot, step, 0], work.frame[foot, step, 1]
                row[k], row[k + 1] = -ends * (nx * c + ny * s), -ends * (ny * c - nx * s)
            found += 1
    return found
