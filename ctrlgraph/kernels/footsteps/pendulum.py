"""Motion of the pendulum and of its base, and the adjoint of the motion: derivatives in time proportional to the ticks.

The pendulum follows the base pendulum by LQR feedback: force = base force - gain (state - base state) + R(heading) d,
where d are the variables of the descent. With d = 0 and without a disturbance the pendulum moves as its base. No force
acts in flight: a sigmoid of the height is a factor of all forces.
"""

from __future__ import annotations

import math

from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.footsteps.footstep_arrays import GRAVITY, PendulumModel, PlanState, PlanWork
from ctrlgraph.kernels.jit import kernel, separate_kernel

FLIGHT_HEIGHT = 1.2
"""Height at which half of the force remains, as a fraction of the pendulum's length. Factor at the length: 1 - 6e-6."""
FLIGHT_STEEPNESS = 60.0
"""Steepness of the sigmoid of the height."""


@kernel
def ground_factor(height: float, length: float) -> float:
    """Return the factor of all forces at a height of the centre of mass: 1 on the ground, 0 in flight."""
    return 1.0 / (1.0 + math.exp(min(FLIGHT_STEEPNESS * (height / length - FLIGHT_HEIGHT), 700.0)))


@separate_kernel
def move_base(model: PendulumModel, state: PlanState, target: Floats, work: PlanWork) -> None:
    """Simulate the base pendulum, and fit the spline to it that carries the steps.

    Args:
        model: pendulum.
        state: state of the planner.
        target: command that the base approaches: velocity forward and to the left in its frame, m/s, and turning
            velocity, rad/s (3,).
        work: the fields `base`, `base_force`, `heading`, `command` and `curve` are results.
    """
    a, b, gain = model.transition, model.drive, model.base_gain
    last = work.heading.shape[0] - 1
    heading, rate = state.heading[0], state.heading[1]
    forward, left, turning = state.command[0], state.command[1], state.command[2]
    most, most_turning = model.tick * model.acceleration[0], model.tick * model.acceleration[1]
    for axis in range(2):
        for k in range(4):
            work.base[0, axis, k] = state.base[axis, k]
    for t in range(last + 1):
        work.heading[t] = heading
        c, s = math.cos(heading), math.sin(heading)
        for axis in range(2):
            wanted = c * forward - s * left if axis == 0 else s * forward + c * left
            now = work.base[t, axis]
            force = -(gain[1] * (now[1] - wanted) + gain[2] * now[2] + gain[3] * now[3])
            work.base_force[t, axis] = force
            if t < last:
                for k in range(4):
                    work.base[t + 1, axis, k] = (
                        a[k, 0] * now[0] + a[k, 1] * now[1] + a[k, 2] * now[2] + a[k, 3] * now[3] + b[k] * force
                    )
        rate += model.tick * model.turning * (turning - rate)
        heading += model.tick * rate
        missing = math.hypot(target[0] - forward, target[1] - left)
        share = 1.0 if missing <= most else most / missing
        forward += share * (target[0] - forward)
        left += share * (target[1] - left)
        turning += min(max(target[2] - turning, -most_turning), most_turning)
        if t == 0:
            work.command[0], work.command[1], work.command[2] = forward, left, turning
    # fit about the first state, so that far from the origin nothing is lost
    for row in range(3):
        first = work.heading[0] if row == 2 else work.base[0, row, 0]
        for k in range(4):
            work.curve[row, k] = first
    for t in range(last + 1):
        for k in range(4):
            share = model.spline[t, k]
            work.curve[0, k] += share * (work.base[t, 0, 0] - work.base[0, 0, 0])
            work.curve[1, k] += share * (work.base[t, 1, 0] - work.base[0, 1, 0])
            work.curve[2, k] += share * (work.heading[t] - work.heading[0])


@separate_kernel
def move_pendulum(model: PendulumModel, state: PlanState, force: Floats, work: PlanWork) -> None:
    """Simulate the pendulum with its height.

    Args:
        model: pendulum.
        state: state of the planner.
        force: forces in the frame of the base (N, 2), m/s^2.
        work: the base is read; `states`, `heights`, `forces` and `contact` are results.
    """
    a, b, gain, tick = model.transition, model.drive, model.gain, model.tick
    states, heights = work.states, work.heights
    for axis in range(2):
        heights[0, axis] = state.height[axis]
        for k in range(4):
            states[0, axis, k] = state.pendulum[axis, k]
    for t in range(force.shape[0]):
        c, s = math.cos(work.heading[t]), math.sin(work.heading[t])
        factor = ground_factor(heights[t, 0], model.length)
        work.contact[t] = factor
        contraction = 0.0
        for axis in range(2):
            now, base = states[t, axis], work.base[t, axis]
            u = work.base_force[t, axis]
            u += c * force[t, 0] - s * force[t, 1] if axis == 0 else s * force[t, 0] + c * force[t, 1]
            for k in range(4):
                u -= gain[k] * (now[k] - base[k])
            work.forces[t, axis] = u
            contraction += now[2] * u
            u *= factor
            for k in range(4):
                states[t + 1, axis, k] = (
                    a[k, 0] * now[0] + a[k, 1] * now[1] + a[k, 2] * now[2] + a[k, 3] * now[3] + b[k] * u
                )
        up = GRAVITY - model.height_gain[0] * (heights[t, 0] - model.length) - model.height_gain[1] * heights[t, 1]
        up += model.contraction * contraction
        work.forces[t, 2] = up
        acceleration = up * factor - GRAVITY
        heights[t + 1, 0] = heights[t, 0] + tick * (heights[t, 1] + 0.5 * tick * acceleration)
        heights[t + 1, 1] = heights[t, 1] + tick * acceleration


@separate_kernel
def pull_back(model: PendulumModel, work: PlanWork) -> None:
    """Add the derivative of the energy through the motion to `work.slope_force`, by the adjoint of the motion.

    Args:
        model: pendulum.
        work: motion and `slope_point` are read, `slope_force` (N, 2) is a result, `adjoint` is workspace.
    """
    a, b, gain, tick = model.transition, model.drive, model.gain, model.tick
    n, later = work.slope_force.shape[0], work.adjoint
    for axis in range(2):
        for k in range(4):
            later[axis, k] = 0.0
        later[axis, 0] = work.slope_point[n, axis]
    height = rise = 0.0
    for t in range(n - 1, -1, -1):
        factor = work.contact[t]
        by_acceleration = tick * (0.5 * tick * height + rise)
        by_up = by_acceleration * factor
        by_factor = by_acceleration * work.forces[t, 2]
        along_x = along_y = 0.0
        for axis in range(2):
            now, adjoint = work.states[t, axis], later[axis]
            pushed = b[0] * adjoint[0] + b[1] * adjoint[1] + b[2] * adjoint[2] + b[3] * adjoint[3]
            by_u = pushed * factor + by_up * model.contraction * now[2]
            by_factor += pushed * work.forces[t, axis]
            if axis == 0:
                along_x = by_u
            else:
                along_y = by_u
            for k in range(4):
                later[2 + axis, k] = (
                    a[0, k] * adjoint[0]
                    + a[1, k] * adjoint[1]
                    + a[2, k] * adjoint[2]
                    + a[3, k] * adjoint[3]
                    - gain[k] * by_u
                )
            later[2 + axis, 0] += work.slope_point[t, axis]
            later[2 + axis, 2] += by_up * model.contraction * work.forces[t, axis]
        for axis in range(2):
            for k in range(4):
                later[axis, k] = later[2 + axis, k]
        steep = -factor * (1.0 - factor) * FLIGHT_STEEPNESS / model.length
        rise = tick * height + rise - by_up * model.height_gain[1]
        height = height + by_factor * steep - by_up * model.height_gain[0]
        c, s = math.cos(work.heading[t]), math.sin(work.heading[t])
        work.slope_force[t, 0] += c * along_x + s * along_y
        work.slope_force[t, 1] += c * along_y - s * along_x
