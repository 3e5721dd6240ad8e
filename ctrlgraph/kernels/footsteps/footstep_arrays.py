"""Arrays of a footstep plan that kernels read and write, grouped into named tuples.

A plan covers N ticks. A robot has F feet with C contact points each, and S steps of each foot are in the plan. Step 0
of a foot is the one on which it stands or stood last. Positions are on the ground in the world, unless another frame is
given: x and y, m. Angles are about the vertical axis, rad, positive anticlockwise.

A pendulum state has four numbers for each axis x and y: position of the centre of pressure, m, its velocity, m/s, angle
of the pendulum, rad, and its rate, rad/s. With the length L, the centre of mass is at position - L * angle.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.kernels.arrays import Floats, Ints

GRAVITY = 9.81
"""Acceleration of gravity, m/s^2."""
FREE, SWINGING, FIXED = 0, 1, 2
"""Status of a step: free; its foot is in the air, so that the timing is fixed and the place moves slowly; fixed."""
X, Y, ANGLE, TIME, HALF = 0, 1, 2, 3, 4
"""Variables of a step: offset from the hip in the frame of the base, m; angle; shift of the middle and of half the
duration of the ground contact, s."""
VARIABLES = 5
"""Number of variables of a step."""


class PendulumModel(NamedTuple):
    """Inverted pendulum on a cart in discrete time, and its feedback. Forces are divided by the mass, m/s^2."""

    transition: Floats
    """Transition of the state of one axis in a tick (4, 4)."""
    drive: Floats
    """Change of the state of one axis in a tick by a force of 1 m/s^2 (4,)."""
    gain: Floats
    """LQR gain of the pendulum about the base pendulum (4,)."""
    base_gain: Floats
    """LQR gain of the base pendulum about the commanded velocity (4,); the first entry is 0."""
    height_gain: Floats
    """LQR gain of the height (2,), 1/s^2 and 1/s."""
    length: float
    """Length L of the pendulum, m."""
    tick: float
    """Duration of a tick, s."""
    contraction: float
    """Factor of the vertical force that contracts the pendulum when a force acts at an angle."""
    turning: float
    """Rate at which the turning velocity approaches the commanded one, 1/s."""
    acceleration: Floats
    """Largest change of the command: linear, m/s^2, and turning, rad/s^2 (2,)."""
    spline: Floats
    """Matrix (B + 1, 4) that fits a cubic Bernstein polynomial to the B + 1 states of the base."""
    response: Floats
    """Inverse of the Hessian of the energy in the forces of one axis (N, N)."""


class FeetModel(NamedTuple):
    """Constants of the feet, their steps and the energy of a plan."""

    hip: Floats
    """Reference position of each foot in the frame of the base (F, 2), m."""
    contact: Floats
    """Contact points of a foot in its frame (C, 2), m; slightly inside the real ones."""
    box: Floats
    """Bounds of the variables of each foot's steps (F, 5, 2)."""
    steepness: float
    """Steepness of the activation at the ends of a ground contact, 1/s^2."""
    margin: float
    """Time by which the activation begins after touch-down and ends before lift-off, s."""
    period: float
    """Duration of a gait cycle, s."""
    reach: float
    """Largest horizontal distance of a foot from its hip, m."""
    swing_speed: float
    """Largest speed of a foot, m/s."""
    slew: float
    """Largest speed at which the planned place of a swinging foot moves, m/s."""
    weight: Floats
    """Weights of the energy (9,), see `WEIGHTS`."""


SUPPORT, FORCE, PLACE, TURN, SHIFT, STRETCH, SHARE, SEPARATION, UNSAFETY = range(9)
"""Weights of the energy: squared distance of the centre of pressure from its support point; squared force; squared
offset, angle, time shift and change of duration of a step; squared difference of a share from its mean; separation of
feet; unsafety of places."""
MEAN_SHARE = 0.3
"""Share of a contact point without other reasons."""
MOST_SHARE = 3.0
"""Upper bound of a share. The lower bound is 0: a contact point cannot pull."""


class PlanState(NamedTuple):
    """State of a planner, which is everything that the next update depends on."""

    clock: Floats
    """Time, s, and step size of the last descent (2,)."""
    pendulum: Floats
    """State of the pendulum (2, 4)."""
    height: Floats
    """Height of the centre of mass, m, and its velocity, m/s (2,)."""
    base: Floats
    """State of the base pendulum (2, 4)."""
    heading: Floats
    """Heading of the base, rad, and its rate, rad/s (2,)."""
    force: Floats
    """Forces in the frame of the base, in addition to the feedback (N, 2), m/s^2."""
    share: Floats
    """Shares of the contact points (N, F, C), from 0 to `MOST_SHARE`."""
    offset: Floats
    """Variables of the steps (F, S, 5)."""
    middle: Floats
    """Nominal middle of each ground contact (F, S), s."""
    half: Floats
    """Nominal half duration of each ground contact (F, S), s."""
    status: Ints
    """Status of each step (F, S)."""
    fixed: Floats
    """Position and angle of fixed steps; of swinging ones, those of the last update (F, S, 3)."""
    command: Floats
    """Command that the base follows now (3,): forward and to the left, m/s, and turning, rad/s."""
    mode: Ints
    """1 if the robot stands, otherwise 0; and number of ticks without a command (2,)."""


class PlanWork(NamedTuple):
    """Results of the last update, and workspace."""

    states: Floats
    """States of the pendulum (N + 1, 2, 4)."""
    heights: Floats
    """Height of the centre of mass and its velocity (N + 1, 2)."""
    forces: Floats
    """Desired force along x, y and z of each tick (N, 3), m/s^2."""
    contact: Floats
    """Factor of the force of each tick (N,): 1 on the ground, 0 in flight."""
    base: Floats
    """States of the base pendulum (B + 1, 2, 4)."""
    base_force: Floats
    """Forces on the base pendulum (B + 1, 2), m/s^2."""
    heading: Floats
    """Heading of the base (B + 1,), rad."""
    command: Floats
    """Command of the base after one tick (3,)."""
    curve: Floats
    """Bernstein coefficients of the base's x, y and heading (3, 4)."""
    pose: Floats
    """Position and angle of each step (F, S, 3)."""
    slope: Floats
    """Derivative of each step's pose with respect to its time (F, S, 3): velocity of its hip with the base."""
    frame: Floats
    """Cosine and sine of the base's heading at the time of each step (F, S, 2)."""
    support: Floats
    """Support point of each tick (N + 1, 2); NaN where no foot is on the ground."""
    point: Floats
    """Contact points of the current tick (F, C, 2)."""
    active: Floats
    """Activation of each foot in the current tick (F,)."""
    standing: Ints
    """Step of each foot that is active in the current tick (F,)."""
    slope_point: Floats
    """Derivative of the energy with respect to the centre of pressure (N + 1, 2)."""
    slope_force: Floats
    """Derivative of the energy with respect to the forces (N, 2)."""
    slope_share: Floats
    """Derivative of the energy with respect to the shares (N, F, C)."""
    slope_offset: Floats
    """Derivative of the energy with respect to the variables of the steps (F, S, 5)."""
    way_force: Floats
    """Direction of descent of the forces (N, 2)."""
    way_share: Floats
    """Direction of descent of the shares (N, F, C)."""
    curvature: Floats
    """Diagonal (F, S, 5) that is larger than the second derivative of the energy in the variables of the steps."""
    jacobian: Floats
    """Derivative of the support point of the current tick in the variables of the standing steps (F, 5, 2)."""
    trial_force: Floats
    """Forces of a trial of the line search (N, 2)."""
    trial_share: Floats
    """Shares of a trial of the line search (N, F, C)."""
    trial_offset: Floats
    """Variables of the steps of a trial of the line search (F, S, 5)."""
    world: Floats
    """Forces along the axes of the world (N, 2), for the change of frames."""
    adjoint: Floats
    """Adjoint states of the pendulum and of the height, two each (6, 4)."""


def new_plan_state(n: int, n_feet: int, n_points: int, n_steps: int) -> PlanState:
    """Return the state of a planner, filled with zeros; with N ticks, F feet, C points and S steps."""
    return PlanState(
        clock=np.zeros(2),
        pendulum=np.zeros((2, 4)),
        height=np.zeros(2),
        base=np.zeros((2, 4)),
        heading=np.zeros(2),
        force=np.zeros((n, 2)),
        share=np.zeros((n, n_feet, n_points)),
        offset=np.zeros((n_feet, n_steps, VARIABLES)),
        middle=np.zeros((n_feet, n_steps)),
        half=np.zeros((n_feet, n_steps)),
        status=np.zeros((n_feet, n_steps), dtype=np.int64),
        fixed=np.zeros((n_feet, n_steps, 3)),
        command=np.zeros(3),
        mode=np.zeros(2, dtype=np.int64),
    )


def new_plan_work(state: PlanState, n_base: int) -> PlanWork:
    """Return a workspace for a state and a number of states of the base."""
    (n, n_feet, n_points), n_steps = state.share.shape, state.status.shape[1]
    return PlanWork(
        states=np.zeros((n + 1, 2, 4)),
        heights=np.zeros((n + 1, 2)),
        forces=np.zeros((n, 3)),
        contact=np.zeros(n),
        base=np.zeros((n_base, 2, 4)),
        base_force=np.zeros((n_base, 2)),
        heading=np.zeros(n_base),
        command=np.zeros(3),
        curve=np.zeros((3, 4)),
        pose=np.zeros((n_feet, n_steps, 3)),
        slope=np.zeros((n_feet, n_steps, 3)),
        frame=np.zeros((n_feet, n_steps, 2)),
        support=np.zeros((n + 1, 2)),
        point=np.zeros((n_feet, n_points, 2)),
        active=np.zeros(n_feet),
        standing=np.zeros(n_feet, dtype=np.int64),
        slope_point=np.zeros((n + 1, 2)),
        slope_force=np.zeros((n, 2)),
        slope_share=np.zeros((n, n_feet, n_points)),
        slope_offset=np.zeros((n_feet, n_steps, VARIABLES)),
        way_force=np.zeros((n, 2)),
        way_share=np.zeros((n, n_feet, n_points)),
        curvature=np.zeros((n_feet, n_steps, VARIABLES)),
        jacobian=np.zeros((n_feet, VARIABLES, 2)),
        trial_force=np.zeros((n, 2)),
        trial_share=np.zeros((n, n_feet, n_points)),
        trial_offset=np.zeros((n_feet, n_steps, VARIABLES)),
        world=np.zeros((n, 2)),
        adjoint=np.zeros((6, 4)),
    )
