"""Reduced dynamics of a biped: theta, the lean of the standing leg, and its rate determine all joint angles.

While one foot stands, both legs and the trunk are functions of theta, the angle of the vector from the standing ankle
to the hip of the same leg (rad, clockwise from straight up; Abe and Popovic 2011, eqs. 4 to 6). Let p be the
zero-moment point (the point of the ground at which the ground force acts, m ahead of the standing ankle). Then

    alpha theta'' + beta theta'^2 + gamma = 0

with alpha, beta and gamma affine in p. These do not depend on theta's rate, so they are computed once per step, on a
grid of theta (`fill_profile`). A step then costs only its integration (`integrate_step`), with w = theta'^2 as the
unknown and theta in place of time: w' = -2 (beta w + gamma) / alpha (Westervelt and others, Feedback Control of Dynamic
Bipedal Robot Locomotion, 2007, section 5.4.1).

Side 0 is the standing leg, and side 1 the swinging leg. The N coordinates are those of `kernels.planar.dynamics`, and
J is the number of joints. A *profile* holds the constraints of a step at values of theta from its start to its end. The
*tracked joints* are hip and knee of the standing leg, then hip and knee of the swinging leg.
"""

from __future__ import annotations

import math

from ctrlgraph.control.tracking.phase import place_of
from ctrlgraph.control.tracking.reduced_model import TRACKED, CentrePolicy, Legs, ReducedModel, StepMotion, StepProfile
from ctrlgraph.control.tracking.splines import evaluate
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.constants import GRAVITY
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.linear_algebra import factor, solve_factored
from ctrlgraph.kernels.planar.arrays import Kinematics
from ctrlgraph.kernels.planar.dynamics import (
    ROOT_COORDINATES,
    impact,
    inverse_dynamics,
    link_angle_jacobian,
    mass_matrix,
    place,
    point_bias,
    point_jacobian,
)

LEAST_RATE = 0.05
"""Rate of theta, rad/s, below which a step counts as stopped."""

GOES_ON, STOPPED = 0, 1
"""Results of `integrate_step`: theta rises to its value at the end of the step, or stops rising before."""


@kernel
def theta_of(kin: Kinematics, legs: Legs, side: int) -> float:
    """Return the angle of the vector from a leg's ankle to its hip, rad, clockwise from straight up.

    Args:
        kin: kinematics of the biped.
        legs: legs of the biped.
        side: 0 for the standing leg, 1 for the swinging leg.
    """
    x, y = place_of(kin, legs.foot[side], legs.end[side, 0], legs.end[side, 1])
    hip = legs.hip[side]
    return math.atan2(kin.joint[hip, 2] - x, kin.joint[hip, 3] - y)


@kernel
def theta_row(model: ReducedModel, kin: Kinematics, side: int, out: Floats) -> None:
    """Compute the Jacobian of a leg's theta: the derivatives of theta' with respect to the N velocities.

    Args:
        model: the biped; work arrays `point` and `other_point` are overwritten.
        kin: kinematics of the biped in its pose.
        side: 0 for theta of the standing leg, 1 for theta of the swinging leg.
        out: (N,) result.
    """
    body, tree, legs, space = model.body, model.tree, model.legs, model.space
    x, y = place_of(kin, legs.foot[side], legs.end[side, 0], legs.end[side, 1])
    hip = legs.hip[side]
    point_jacobian(body, tree, kin, legs.foot[side], x, y, space, model.point)
    point_jacobian(body, tree, kin, body.parent[hip], kin.joint[hip, 2], kin.joint[hip, 3], space, model.other_point)
    dx, dy = kin.joint[hip, 2] - x, kin.joint[hip, 3] - y
    square = dx * dx + dy * dy
    for k in range(out.size):
        along = model.other_point[0, k] - model.point[0, k]
        up = model.other_point[1, k] - model.point[1, k]
        out[k] = (dy * along - dx * up) / square


@kernel
def _theta_bias(model: ReducedModel, kin: Kinematics) -> float:
    """Return theta'' of the standing leg at zero accelerations of the coordinates, rad/s^2.

    Pose and velocities are those of `kin`; the velocities must be `model.slope`.
    """
    body, tree, legs, space = model.body, model.tree, model.legs, model.space
    x, y = place_of(kin, legs.foot[0], legs.end[0, 0], legs.end[0, 1])
    hip = legs.hip[0]
    point_bias(body, tree, kin, legs.foot[0], x, y, space, model.bias)
    point_bias(body, tree, kin, body.parent[hip], kin.joint[hip, 2], kin.joint[hip, 3], space, model.other_bias)
    point_jacobian(body, tree, kin, legs.foot[0], x, y, space, model.point)
    point_jacobian(body, tree, kin, body.parent[hip], kin.joint[hip, 2], kin.joint[hip, 3], space, model.other_point)
    dx, dy = kin.joint[hip, 2] - x, kin.joint[hip, 3] - y
    vx = vy = 0.0
    for k in range(model.slope.size):
        vx += (model.other_point[0, k] - model.point[0, k]) * model.slope[k]
        vy += (model.other_point[1, k] - model.point[1, k]) * model.slope[k]
    square = dx * dx + dy * dy
    ax, ay = model.other_bias[0] - model.bias[0], model.other_bias[1] - model.bias[1]
    rate = (dy * vx - dx * vy) / square
    return float((dy * ax - dx * ay) / square - 2.0 * (dx * vx + dy * vy) / square * rate)


@kernel
def pose(model: ReducedModel, theta: float, angles: Floats) -> None:
    """Set `model.q` and `model.kin` to the pose with level feet that theta and the tracked joints determine.

    The sole of the standing foot is on the ground (y = 0), and its point below the ankle is at x = 0.

    Args:
        model: the biped.
        theta: theta of the standing leg, rad.
        angles: (4,) angles of hip and knee of the standing leg, then of the swinging leg, rad.
    """
    body, tree, legs, kin, q = model.body, model.tree, model.legs, model.kin, model.q
    q[:] = 0.0
    for side in range(2):
        q[ROOT_COORDINATES + legs.hip[side]] = angles[2 * side]
        q[ROOT_COORDINATES + legs.knee[side]] = angles[2 * side + 1]
    place(body, tree, q, model.still, kin)
    q[2] = theta - theta_of(kin, legs, 0)
    for side in range(2):
        if legs.ankle[side] >= 0:
            q[ROOT_COORDINATES + legs.ankle[side]] = -(q[2] + angles[2 * side] + angles[2 * side + 1])
    place(body, tree, q, model.still, kin)
    x, y = place_of(kin, legs.foot[0], legs.sole[0, 0, 0], legs.sole[0, 0, 1])
    q[0], q[1] = -x, -y
    place(body, tree, q, model.still, kin)


@kernel
def _fill_rows(model: ReducedModel) -> None:
    """Fill `model.rows` (N, N), the Jacobian of the N quantities that determine a pose.

    In order: x and y of the standing foot, angles of the four tracked joints (hips and knees), angles of both feet (if
    the legs have ankles), and theta.
    """
    body, tree, legs, kin, space, rows = model.body, model.tree, model.legs, model.kin, model.space, model.rows
    theta_row(model, kin, 0, rows[model.q.size - 1])
    x, y = place_of(kin, legs.foot[0], legs.sole[0, 0, 0], legs.sole[0, 0, 1])
    point_jacobian(body, tree, kin, legs.foot[0], x, y, space, rows[:2])
    rows[2 : 2 + TRACKED] = 0.0
    for side in range(2):
        rows[2 + 2 * side, ROOT_COORDINATES + legs.hip[side]] = 1.0
        rows[3 + 2 * side, ROOT_COORDINATES + legs.knee[side]] = 1.0
        if legs.ankle[side] >= 0:
            link_angle_jacobian(body, tree, kin, legs.foot[side], space, rows[6 + side])


@separate_kernel
def posture(model: ReducedModel, theta: float, angles: Floats) -> bool:
    """Compute the coordinates q(theta) of a pose and their first two derivatives with respect to theta.

    The results are `model.q`, `model.slope` and `model.curvature`. `model.kin` is then the biped in this pose with
    theta' = 1 rad/s.

    Args:
        model: the biped.
        theta: theta of the standing leg, rad.
        angles: (3, 4) angles of hip and knee of the standing leg, then of the swinging leg, rad; their first and second
            derivatives with respect to theta.

    Returns:
        False if theta and these joints do not determine the velocities in the pose (singular Jacobian).
    """
    legs, n = model.legs, model.q.size
    pose(model, theta, angles[0])
    _fill_rows(model)
    if not factor(model.rows, model.pivots):
        return False
    model.slope[:] = 0.0
    for i in range(TRACKED):
        model.slope[2 + i] = angles[1, i]
    model.slope[n - 1] = 1.0
    solve_factored(model.rows, model.pivots, model.slope)
    place(model.body, model.tree, model.q, model.slope, model.kin)
    model.curvature[:] = 0.0
    model.curvature[n - 1] = -_theta_bias(model, model.kin)
    x, y = place_of(model.kin, legs.foot[0], legs.sole[0, 0, 0], legs.sole[0, 0, 1])
    point_bias(model.body, model.tree, model.kin, legs.foot[0], x, y, model.space, model.bias)
    model.curvature[0], model.curvature[1] = -model.bias[0], -model.bias[1]
    for i in range(TRACKED):
        model.curvature[2 + i] = angles[2, i]
    solve_factored(model.rows, model.pivots, model.curvature)
    return True


@separate_kernel
def fill_profile(
    model: ReducedModel, pieces: Floats, counts: Ints, theta_from: float, theta_to: float, profile: StepProfile
) -> bool:
    """Compute the poses and generalized forces of a step at evenly spaced values of theta.

    Args:
        model: the biped.
        pieces: (4, P, D + 1) splines of the tracked joints (hip and knee of the standing leg, then of the swinging leg)
            over the step, each as P polynomials of degree D, highest power first.
        counts: (4,) number of polynomials of each spline.
        theta_from: theta at the start of the step, rad.
        theta_to: theta at the end of the step, rad.
        profile: receives the result.

    Returns:
        False if theta and the tracked joints do not determine the velocities in a pose (singular Jacobian).
    """
    body, tree, kin, space, legs = model.body, model.tree, model.kin, model.space, model.legs
    last = profile.theta.size - 1
    span = theta_to - theta_from
    for i in range(last + 1):
        share = i / last
        profile.theta[i] = theta_from + share * span
        for r in range(TRACKED):
            evaluate(pieces[r], counts[r], share, model.spline)
            model.angles[0, r] = model.spline[0]
            model.angles[1, r] = model.spline[1] / span
            model.angles[2, r] = model.spline[2] / (span * span)
        if not posture(model, profile.theta[i], model.angles):
            return False
        inverse_dynamics(body, tree, kin, model.curvature, 0.0, space, profile.turning[i])
        place(body, tree, model.q, model.still, kin)
        inverse_dynamics(body, tree, kin, model.slope, 0.0, space, profile.accelerating[i])
        inverse_dynamics(body, tree, kin, model.still, GRAVITY, space, profile.weight[i])
        for k in range(model.q.size):
            profile.q[i, k], profile.slope[i, k] = model.q[k], model.slope[k]
            profile.curvature[i, k] = model.curvature[k]
        for j in range(body.parent.size):
            profile.joint[i, j, 0], profile.joint[i, j, 1] = kin.joint[j, 2], kin.joint[j, 3]
        for k in range(3):
            profile.swing[i, k, 0], profile.swing[i, k, 1] = place_of(
                kin, legs.foot[1], legs.sole[1, k, 0], legs.sole[1, k, 1]
            )
    return True


@kernel
def moment(profile: StepProfile, i: int, forces: Floats, centre: float) -> float:
    """Return the moment of generalized forces about a point of the ground, N m, positive clockwise.

    Args:
        profile: poses of the step.
        i: index of the pose in the profile.
        forces: (N,) generalized forces in this pose; the first three act on the root link, N and N m.
        centre: the point, m ahead of the standing ankle.
    """
    return float(profile.q[i, 1] * forces[0] + (centre - profile.q[i, 0]) * forces[1] + forces[2])


@kernel
def acceleration_at(profile: StepProfile, i: int, square: float, centre: float) -> float:
    """Return theta'' in a pose of a step, rad/s^2.

    Args:
        profile: poses and generalized forces of the step.
        i: index of the pose in the profile.
        square: theta'^2, rad^2/s^2.
        centre: zero-moment point, at which the ground force acts, m ahead of the standing ankle.
    """
    alpha = moment(profile, i, profile.accelerating[i], centre)
    beta = moment(profile, i, profile.turning[i], centre)
    gamma = moment(profile, i, profile.weight[i], centre)
    return -(beta * square + gamma) / alpha


@kernel
def centre_at(policy: CentrePolicy, i: int, rate: float) -> float:
    """Return the zero-moment point that a control law chooses in a pose of a step, m ahead of the standing ankle.

    Args:
        policy: the control law.
        i: index of the pose in the profile of the step.
        rate: rate of theta in this pose, rad/s.
    """
    return float(min(policy.high, max(policy.low, policy.at + policy.gain * (rate - policy.rate[i]))))


@kernel
def _growth(profile: StepProfile, policy: CentrePolicy, i: int, square: float) -> float:
    """Return the derivative of theta'^2 with respect to theta in pose i of the profile, rad/s^2.

    Args:
        profile: poses and generalized forces of the step.
        policy: control law of the zero-moment point.
        i: index of the pose in the profile.
        square: theta'^2, rad^2/s^2; values below the square of `LEAST_RATE` are raised to it.
    """
    square = max(square, LEAST_RATE * LEAST_RATE)
    return 2.0 * acceleration_at(profile, i, square, centre_at(policy, i, math.sqrt(square)))


@separate_kernel
def integrate_step(profile: StepProfile, policy: CentrePolicy, rate: float, motion: StepMotion) -> int:
    """Integrate the rate of theta over a step by the Runge-Kutta method, with theta as the independent variable.

    Args:
        profile: poses and generalized forces of the step.
        policy: control law of the zero-moment point.
        rate: rate of theta at the start of the step, rad/s.
        motion: result; `time` and `rate` are filled, at every second theta of the profile.

    Returns:
        GOES_ON, or STOPPED if theta' falls to `LEAST_RATE`. In that case the rest of `motion` is not filled.
    """
    n = profile.theta.size
    step = (profile.theta[n - 1] - profile.theta[0]) / (n - 1) * 2.0
    square, time = rate * rate, 0.0
    least = LEAST_RATE * LEAST_RATE
    motion.time[0], motion.rate[0] = 0.0, rate
    if not rate > LEAST_RATE:
        return STOPPED
    for i in range(0, n - 1, 2):
        k1 = _growth(profile, policy, i, square)
        k2 = _growth(profile, policy, i + 1, square + 0.5 * step * k1)
        k3 = _growth(profile, policy, i + 1, square + 0.5 * step * k2)
        k4 = _growth(profile, policy, i + 2, square + step * k3)
        after = square + step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        middle = square + 0.25 * step * (k1 + k3)
        if not (after > least and middle > least):
            return STOPPED
        # Simpson's rule for the time, the integral of 1 / theta'
        time += step / 6.0 * (1.0 / math.sqrt(square) + 4.0 / math.sqrt(middle) + 1.0 / math.sqrt(after))
        square = after
        motion.time[i // 2 + 1], motion.rate[i // 2 + 1] = time, math.sqrt(square)
    return GOES_ON


@separate_kernel
def fill_forces(model: ReducedModel, profile: StepProfile, policy: CentrePolicy, motion: StepMotion) -> None:
    """Compute theta'', zero-moment point, ground force and joint torques of an integrated step.

    Args:
        model: the biped.
        profile: poses and generalized forces of the step.
        policy: control law of the zero-moment point.
        motion: `time` and `rate` as `integrate_step` has filled them. The other fields receive the results.
    """
    body, tree, legs = model.body, model.tree, model.legs
    for m in range(motion.rate.size):
        i, rate = 2 * m, motion.rate[m]
        square = rate * rate
        centre = centre_at(policy, i, rate)
        acceleration = acceleration_at(profile, i, square, centre)
        along = _force(profile, i, 0, acceleration, square)
        up = _force(profile, i, 1, acceleration, square)
        motion.acceleration[m], motion.centre[m] = acceleration, centre
        motion.force[m, 0], motion.force[m, 1] = along, up
        for j in range(body.parent.size):
            motion.torque[m, j] = _force(profile, i, ROOT_COORDINATES + j, acceleration, square)
        j = tree.hung_by[legs.foot[0]]
        while j >= 0:  # the joints of the standing leg also carry the ground force
            x, y = profile.joint[i, j, 0], profile.joint[i, j, 1]
            motion.torque[m, j] -= -y * along + (x - centre) * up
            j = tree.hung_by[body.parent[j]]


@kernel
def _force(profile: StepProfile, i: int, k: int, acceleration: float, square: float) -> float:
    turning = profile.turning[i, k] * square
    return float(profile.accelerating[i, k] * acceleration + turning + profile.weight[i, k])


@separate_kernel
def touch_down(model: ReducedModel, theta: float, angles: Floats, swapped: Floats, start: Floats) -> bool:
    """Compute the start of the next step by the impact at the end of a step: the landing foot sticks to the ground.

    The impact is inelastic. The velocities before it are those for theta' = 1 rad/s. In the results right and left are
    exchanged, so the landing leg is the standing leg of the next step.

    Args:
        model: the biped.
        theta: theta at the end of the step, rad.
        angles: (3, 4) angles of the tracked joints (hip and knee of the standing leg, then of the swinging leg) at the
            end of the step, rad; their first and second derivatives with respect to theta. The second ones have no
            effect.
        swapped: (N,) result: velocities just after the impact.
        start: (11,) result. 0: theta at the start of the next step, rad. 1: theta' after the impact divided by theta'
            before it. 2 to 5: angles of the tracked joints, rad. 6 to 9: derivatives of these angles with respect to
            theta. 10: tangential divided by normal impulse of the ground.

    Returns:
        False if the velocities before or after the impact are not determined (singular equations).
    """
    body, tree, legs, kin = model.body, model.tree, model.legs, model.kin
    n = model.q.size
    if not posture(model, theta, angles):
        return False
    mass_matrix(body, tree, kin, model.space, model.mass)
    x, y = place_of(kin, legs.foot[1], legs.sole[1, 0, 0], legs.sole[1, 0, 1])
    point_jacobian(body, tree, kin, legs.foot[1], x, y, model.space, model.rows[:2])
    count = 2
    if legs.ankle[1] >= 0:
        link_angle_jacobian(body, tree, kin, legs.foot[1], model.space, model.rows[2])
        count = 3
    if not impact(model.mass, model.rows[:count], model.slope, model.space, model.after, model.impulse):
        return False
    theta_row(model, kin, 1, model.turn)
    ratio = 0.0
    for k in range(n):
        ratio += model.turn[k] * model.after[k]
    start[0], start[1] = theta_of(kin, legs, 1), ratio
    for k in range(ROOT_COORDINATES):
        swapped[k] = model.after[k]
    for j in range(n - ROOT_COORDINATES):
        swapped[ROOT_COORDINATES + j] = model.after[ROOT_COORDINATES + legs.opposite[j]]
    for side in range(2):
        start[2 + 2 * side] = angles[0, 2 * (1 - side)]
        start[3 + 2 * side] = angles[0, 2 * (1 - side) + 1]
        start[6 + 2 * side] = swapped[ROOT_COORDINATES + legs.hip[side]] / ratio
        start[7 + 2 * side] = swapped[ROOT_COORDINATES + legs.knee[side]] / ratio
    start[10] = model.impulse[0] / model.impulse[1]
    return True
