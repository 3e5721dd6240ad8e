"""Arrays of gait controllers: constants and work arrays, and the state between two ticks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ctrlgraph.control.controller import FINISHED
from ctrlgraph.control.gait.gait_plan import GaitPlannerData, empty_plan_state, no_plan
from ctrlgraph.control.gait.gait_rhythm import rhythm
from ctrlgraph.control.gait.gait_values import PUBLISHED_NONE, GaitValues, Published
from ctrlgraph.control.gait.legged_body import GaitLegs, LeggedBody
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.footsteps.footstep_arrays import PlanState
from ctrlgraph.kernels.spatial.spatial_dynamics import SpatialDynamicsSpace, new_spatial_dynamics_space

MAX_LEGS = 8
"""Maximum number of legs of a gait."""

# Indices into GaitState.counters.
STATUS, CYCLES_LEFT, EVENTS = range(3)
# Indices into GaitState.times: time of the last tick, s; phase from 0 to 1; desired heading, rad; fraction of the
# node's present cycle that has passed.
LAST, PHASE, HEADING, PASSED = range(4)
# Indices into GaitState.shape: the present values of the fields of `GaitValues`, and the fraction of the rhythm.
PERIOD, HEIGHT, STEP_HEIGHT, WIDTH, RHYTHM = range(5)
# Indices into GaitState.motion: the command, the desired velocity that approaches it, and the way back to the path.
COMMAND, DESIRED, BEHIND = 0, 3, 6
# Indices into GaitState.plane, after slopes and height.
FEET, UNEVEN, SLOW = 3, 6, 7
# Columns of GaitState.leg: 1 in swing; time since a swing should have ended, s; 1 after contact in this swing; place
# where the swing began, last foothold, last target of the swing, and 1 if this target is set; present start and
# duration of the swing; orientation of the foot at the last foothold, and where the swing began; angle by which the
# heel is to rise in a stance, rad; foothold at which the swing aims; 1 after the first contact.
SWINGS, LATE, EARLY, LIFT, FOOTHOLD, TARGET, AIMED, START, DURATION = 0, 1, 2, 3, 6, 9, 12, 13, 14
LYING, LIFTED, ROLLED, LAND, TOUCHED = 15, 19, 23, 24, 27
LEG_COLUMNS = 28
"""Number of columns of `GaitState.leg`."""


class GaitData(NamedTuple):
    """Constants of a gait controller for a character with L links, J joints and N legs, and work arrays."""

    values: GaitValues
    """Numbers of the gait."""
    published: Published
    """The laws of the published controller that replace those of this one."""
    rhythm: Floats
    """(SAMPLES, 3, 3) periodic motion of the trunk by phase: acceleration, velocity and displacement, each upward (m),
    in roll and in pitch (rad); see `rhythm`."""
    swing: Floats
    """(N, 2) start and duration of each leg's swing, fractions of the period."""
    legs: GaitLegs
    """The legs."""
    others: Ints
    """Indices of the O joints that belong to no leg. PD control keeps them on their trajectories."""
    others_rest: Floats
    """Angles of the joints `others` in the start pose, rad."""
    others_path: Floats
    """(4, O) trajectories of these joints relative to it: mean, and coefficients of the cosine and the sine of the
    phase, rad; mean per desired rate of the heading, s."""
    axes: Floats
    """(3, 3) the world's axes in the frame of the trunk in the reference pose, as columns."""
    inertia: Floats
    """(3,) moments of inertia of the character about the axes of the world in the start pose, kg m^2."""
    space: SpatialDynamicsSpace
    """Work arrays of the dynamics."""
    change: Floats
    """(6 + J,) work array: desired accelerations of the root and of the joints."""
    load: Floats
    """(6 + J,) work array: generalized forces that cause the accelerations in `change`, N and N m."""
    grasp: Floats
    """(6, 3 P) work array: force and moment about the centre of mass by the forces of the P points of the feet."""
    normal: Floats
    """(3 P, 3 P) work array: matrix of the least squares."""
    factors: Floats
    """(3 P, 3 P) work array: its Cholesky factors."""
    right: Floats
    """(3 P,) work array: right-hand side of the least squares."""
    forces: Floats
    """(1, 3 P) work array: forces of the ground on the points of the feet, N."""
    wanted: Floats
    """(6,) work array: desired force, N, and moment, N m, of the ground on the character."""
    jacobian: Floats
    """(N, 6, C) work array: velocity of each foot relative to the trunk by the rates of its joints, m; then its angular
    velocity, zero for feet without a sole."""
    foot_matrix: Floats
    """(6, 6) work array: matrix of the least squares of a foot with a sole."""
    foot_right: Floats
    """(1, 6) work array: right-hand side of these least squares."""
    spare: Floats
    """(N, C) work array: deviation of each joint from the start pose that does not move the foot, rad."""
    spare_rate: Floats
    """(N, C) work array: part of each joint's rate that does not move the foot, rad/s."""
    plan: GaitPlannerData
    """The planner of the footsteps, if the gait has one."""


class GaitState(NamedTuple):
    """State of a gait controller between control ticks."""

    counters: Ints
    """(3,) status, remaining cycles, number of swings that have begun."""
    times: Floats
    """(4,) time of the last tick, s; phase from 0 to 1; desired heading, rad; passed fraction of the present cycle."""
    shape: Floats
    """(5,) present period, s, height, height of the steps and width, m, and fraction of the rhythm."""
    motion: Floats
    """(8,) command and present desired velocity: forward and to the left, m/s, and turning, rad/s; way back to the
    path of this velocity along x and y, m."""
    plane: Floats
    """(9,) slopes of the ground along x and y, and its height under the centre of mass, m; the same for the next
    footholds; mean square distance of the last footholds from the plane, m^2; slowly changing slopes along x and y.
    """
    leg: Floats
    """(MAX_LEGS, LEG_COLUMNS) state of each leg; constants of this module name the columns."""
    hold_angle: Floats
    """(J,) targets of the joints while no controller runs, rad."""
    path: Floats
    """(3, J) present trajectory of each joint relative to the start pose: mean, and coefficients of the cosine and the
    sine of the phase, rad."""
    plan: PlanState
    """State of the planner of the footsteps; empty arrays if the gait has none."""
    track: Floats
    """(38,) what the gait follows of the plan, and the commanded path; constants of `plan_following` name the
    elements."""


def new_gait_state(n_joints: int) -> GaitState:
    """Return the state of a controller that has not started, for a character with `n_joints` joints."""
    return GaitState(
        counters=np.array([FINISHED, 0, 0], np.int64),
        times=np.array([-math.inf, 0.0, 0.0, 0.0]),
        shape=np.zeros(5),
        motion=np.zeros(8),
        plane=np.zeros(9),
        leg=np.zeros((MAX_LEGS, LEG_COLUMNS)),
        hold_angle=np.zeros(n_joints),
        path=np.zeros((3, n_joints)),
        plan=empty_plan_state(),
        track=np.zeros(38),
    )


def gait_data(
    body: LeggedBody,
    values: GaitValues,
    swing: Floats,
    published: Published = PUBLISHED_NONE,
    plan: GaitPlannerData | None = None,
    trajectories: Mapping[int, Floats] | None = None,
) -> GaitData:
    """Return the constants of a gait controller and its work arrays.

    Args:
        body: the character's body in its start pose.
        values: numbers of the gait.
        swing: start and duration of each leg's swing, fractions of the period, (N, 2).
        published: laws of the published controller to use.
        plan: the planner of the footsteps; None for a gait without a plan.
        trajectories: offset, amplitude, phase and turn of joints that belong to no leg, by index of the joint.
    """
    n, size, points = len(body.legs.n_joints), len(body.angles), len(body.legs.owner)
    others = [j for j in range(size) if j not in body.legs.joints]
    path = np.zeros((4, len(others)))
    for joint, (offset, amplitude, phase, turn) in (trajectories or {}).items():
        angle = 2.0 * math.pi * phase
        path[:, others.index(joint)] = offset, amplitude * math.cos(angle), amplitude * math.sin(angle), turn
    feet = body.legs.stance[body.legs.owner]
    feet[:, 1] += values.width * np.sign(feet[:, 1])
    feet += body.legs.spread
    return GaitData(
        values=values,
        published=published,
        rhythm=rhythm(swing[body.legs.owner], feet, values.height, body.mass, body.inertia),
        swing=np.ascontiguousarray(swing),
        legs=body.legs,
        others=np.array(others, np.int64),
        others_rest=body.angles[others],
        others_path=path,
        axes=body.axes,
        inertia=body.inertia,
        space=new_spatial_dynamics_space(body.n_links, size),
        change=np.zeros(6 + size),
        load=np.zeros(6 + size),
        grasp=np.zeros((6, 3 * points)),
        normal=np.zeros((3 * points, 3 * points)),
        factors=np.zeros((3 * points, 3 * points)),
        right=np.zeros(3 * points),
        forces=np.zeros((1, 3 * points)),
        wanted=np.zeros(6),
        jacobian=np.zeros((n, 6, body.legs.joints.shape[1])),
        foot_matrix=np.zeros((6, 6)),
        foot_right=np.zeros((1, 6)),
        spare=np.zeros(body.legs.joints.shape),
        spare_rate=np.zeros(body.legs.joints.shape),
        plan=plan or no_plan(),
    )
