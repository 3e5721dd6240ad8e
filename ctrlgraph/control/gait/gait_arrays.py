"""Arrays of gait controllers: the legs of a character, constants and work arrays, and the state between two ticks."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.spatial.spatial_frames import reference_frames
from ctrlgraph.character.spatial_model import Shape, SpatialCharacter
from ctrlgraph.control.controller import FINISHED
from ctrlgraph.control.gait.gait_rhythm import rhythm
from ctrlgraph.control.gait.gait_values import GaitValues
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.spatial.spatial_arrays import new_spatial_kinematics, spatial_body
from ctrlgraph.kernels.spatial.spatial_dynamics import SpatialDynamicsSpace, mass_matrix, new_spatial_dynamics_space
from ctrlgraph.kernels.spatial.spatial_kinematics import place_links, update_joints
from ctrlgraph.kernels.spatial.spatial_rotation import quaternion_at, rotate

MAX_LEGS = 8
"""Maximum number of legs of a gait."""

# Indices into GaitState.counters.
STATUS, CYCLES_LEFT, EVENTS = range(3)
# Indices into GaitState.times: time of the last tick, s; phase from 0 to 1; desired heading, rad; fraction of the
# node's present cycle that has passed.
LAST, PHASE, HEADING, PASSED = range(4)
# Indices into GaitState.shape: the present values of the fields of `GaitValues`, and the fraction of the rhythm.
PERIOD, HEIGHT, STEP_HEIGHT, WIDTH, RHYTHM = range(5)
# Indices into GaitState.motion: the command, the desired velocity that approaches it, and the integral of the speed.
COMMAND, DESIRED, INTEGRAL = 0, 3, 6
# Columns of GaitState.leg: 1 in swing; time since a swing should have ended, s; 1 after contact in this swing; place
# where the swing began, last foothold, last target of the swing, and 1 if this target is set; present start and
# duration of the swing.
SWINGS, LATE, EARLY, LIFT, FOOTHOLD, TARGET, AIMED, START, DURATION = 0, 1, 2, 3, 6, 9, 12, 13, 14


class GaitLegs(NamedTuple):
    """The N legs of a character, each with at most C joints."""

    joints: Ints
    """(N, C) indices of the joints of each leg, from the trunk outward; -1 in unused columns."""
    n_joints: Ints
    """(N,) number of joints of each leg."""
    hips: Ints
    """(N,) number of joints in each row of `joints` that belong to the hip."""
    foot: Ints
    """(N,) index of the foot, the link of each leg that touches the ground."""
    place: Floats
    """(N, 3) centre of the foot in the frame of the foot's link, m."""
    radius: Floats
    """(N,) distance of the centre of the foot from the sole, m."""
    stance: Floats
    """(N, 2) foothold under the hip, forward and to the left of the centre of mass, m."""
    inertia: Floats
    """(N, C) moment of inertia about each joint in the start pose, kg m^2."""
    rest: Floats
    """(N, C) angle of each joint in the start pose, rad."""
    spine: Ints
    """(N, S) indices of the joints between the root and the leg; -1 in unused columns."""
    n_spine: Ints
    """(N,) number of joints between the root and each leg."""


class GaitData(NamedTuple):
    """Constants of a gait controller for a character with L links, J joints and N legs, and work arrays."""

    values: GaitValues
    """Numbers of the gait."""
    rhythm: Floats
    """(SAMPLES, 3, 3) periodic motion of the trunk by phase: acceleration, velocity and displacement, each upward (m),
    in roll and in pitch (rad); see `rhythm`."""
    swing: Floats
    """(N, 2) start and duration of each leg's swing, fractions of the period."""
    legs: GaitLegs
    """The legs."""
    others: Ints
    """Indices of the joints that belong to no leg. PD control holds them in the start pose."""
    others_rest: Floats
    """Angles of the joints `others` in the start pose, rad."""
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
    """(6, 3 N) work array: force and moment about the centre of mass by the forces of the feet."""
    normal: Floats
    """(3 N, 3 N) work array: matrix of the least squares."""
    factors: Floats
    """(3 N, 3 N) work array: its Cholesky factors."""
    right: Floats
    """(3 N,) work array: right-hand side of the least squares."""
    forces: Floats
    """(1, 3 N) work array: forces of the ground on the feet, N."""
    wanted: Floats
    """(6,) work array: desired force, N, and moment, N m, of the ground on the character."""
    jacobian: Floats
    """(N, 3, C) work array: velocity of each foot relative to the trunk by the rates of its joints, m."""
    spare: Floats
    """(N, C) work array: deviation of each joint from the start pose that does not move the foot, rad."""


class GaitState(NamedTuple):
    """State of a gait controller between control ticks."""

    counters: Ints
    """(3,) status, remaining cycles, number of swings that have begun."""
    times: Floats
    """(4,) time of the last tick, s; phase from 0 to 1; desired heading, rad; passed fraction of the present cycle."""
    shape: Floats
    """(5,) present period, s, height, height of the steps and width, m, and fraction of the rhythm."""
    motion: Floats
    """(8,) command and present desired velocity: forward and to the left, m/s, and turning, rad/s; integral of the
    deviation from it, m/s."""
    plane: Floats
    """(3,) slopes of the ground along x and y, and its height under the centre of mass, m."""
    leg: Floats
    """(MAX_LEGS, 15) state of each leg; constants of this module name the columns."""
    hold_angle: Floats
    """(J,) targets of the joints while no controller runs, rad."""


def new_gait_state(n_joints: int) -> GaitState:
    """Return the state of a controller that has not started, for a character with `n_joints` joints."""
    return GaitState(
        counters=np.array([FINISHED, 0, 0], np.int64),
        times=np.array([-math.inf, 0.0, 0.0, 0.0]),
        shape=np.zeros(5),
        motion=np.zeros(8),
        plane=np.zeros(3),
        leg=np.zeros((MAX_LEGS, 15)),
        hold_angle=np.zeros(n_joints),
    )


class LeggedBody(NamedTuple):
    """The start pose of a character: what a gait needs to know about its body."""

    legs: GaitLegs
    """The legs."""
    axes: Floats
    """(3, 3) the world's axes in the frame of the trunk in the reference pose, as columns."""
    inertia: Floats
    """(3,) moments of inertia of the character about the axes of the world, kg m^2."""
    height: float
    """Height of the centre of mass above the soles, m."""
    mass: float
    """Mass of the character, kg."""
    angles: Floats
    """Joint angles (J,), rad."""
    n_links: int
    """Number of links of the character."""


def legged_body(character: SpatialCharacter) -> LeggedBody:
    """Return the legs, the inertia and the height of a character in its start pose, or else its reference pose."""
    body, kin = spatial_body(character), new_spatial_kinematics(len(character.links), len(character.joints))
    pose = character.start_pose
    root = character.links[character.root]
    kin.pose[body.root, :3] = root.position if pose is None else pose.position
    kin.pose[body.root, 3:] = root.orientation if pose is None else pose.orientation
    angles = np.zeros(len(character.joints)) if pose is None else np.array(pose.angles)
    place_links(body, kin, angles)
    update_joints(body, kin)
    size = len(character.joints)
    space = new_spatial_dynamics_space(len(character.links), size)
    matrix = np.zeros((6 * body.floating + size,) * 2)
    mass_matrix(body, kin, space, matrix)
    diagonal = np.diag(matrix)
    own = diagonal[6 * body.floating :]
    chains = [(*leg.hip, leg.knee, *leg.ankles) for leg in character.roles.legs]
    n, most = len(chains), max(map(len, chains), default=1)
    joints, inertia, rest = np.full((n, most), -1, np.int64), np.zeros((n, most)), np.zeros((n, most))
    place, radius, stance, soles = np.zeros((n, 3)), np.zeros(n), np.zeros((n, 2)), np.zeros(n)
    for i, (leg, chain) in enumerate(zip(character.roles.legs, chains, strict=True)):
        joints[i, : len(chain)], inertia[i, : len(chain)] = chain, own[list(chain)]
        rest[i, : len(chain)] = angles[list(chain)]
        place[i], radius[i] = _sole(character, leg.foot, kin.pose)
        stance[i] = kin.place[leg.hip[-1], :2] - kin.com[:2]
        soles[i] = _in_world(kin.pose, leg.foot, place[i])[2] - radius[i]
    paths = [
        character.joints_between(character.root, character.joints[leg.hip[0]].parent) for leg in character.roles.legs
    ]
    spine = np.full((n, max(map(len, paths), default=0)), -1, np.int64)
    for i, path in enumerate(paths):
        spine[i, : len(path)] = path
    stance[:, 0] -= stance[:, 0].mean() if n else 0.0
    legs = GaitLegs(
        joints=joints,
        n_joints=np.array([len(chain) for chain in chains], np.int64),
        hips=np.array([len(leg.hip) for leg in character.roles.legs], np.int64),
        foot=np.array([leg.foot for leg in character.roles.legs], np.int64),
        place=place,
        radius=radius,
        stance=stance,
        inertia=inertia,
        rest=rest,
        spine=spine,
        n_spine=np.array([len(path) for path in paths], np.int64),
    )
    whole = diagonal[3:6].copy() if body.floating else np.ones(3)
    axes = np.ascontiguousarray(reference_frames(character).rotation[character.trunk].T)
    height = float(kin.com[2] - soles.mean()) if n else 0.0
    return LeggedBody(legs, axes, whole, height, character.mass, angles, len(character.links))


def gait_data(body: LeggedBody, values: GaitValues, swing: Floats) -> GaitData:
    """Return the constants of a gait controller and its work arrays.

    Args:
        body: the character's body in its start pose.
        values: numbers of the gait.
        swing: start and duration of each leg's swing, fractions of the period, (N, 2).
    """
    n, size = len(body.legs.n_joints), len(body.angles)
    others = [j for j in range(size) if j not in body.legs.joints]
    feet = body.legs.stance.copy()
    feet[:, 1] += values.width * np.sign(feet[:, 1])
    return GaitData(
        values=values,
        rhythm=rhythm(swing, feet, values.height, body.mass, body.inertia),
        swing=np.ascontiguousarray(swing),
        legs=body.legs,
        others=np.array(others, np.int64),
        others_rest=body.angles[others],
        axes=body.axes,
        inertia=body.inertia,
        space=new_spatial_dynamics_space(body.n_links, size),
        change=np.zeros(6 + size),
        load=np.zeros(6 + size),
        grasp=np.zeros((6, 3 * n)),
        normal=np.zeros((3 * n, 3 * n)),
        factors=np.zeros((3 * n, 3 * n)),
        right=np.zeros(3 * n),
        forces=np.zeros((1, 3 * n)),
        wanted=np.zeros(6),
        jacobian=np.zeros((n, 3, body.legs.joints.shape[1])),
        spare=np.zeros(body.legs.joints.shape),
    )


def _sole(character: SpatialCharacter, link: int, pose: Floats) -> tuple[tuple[float, float, float], float]:
    """Return the centre of the lowest part of a foot's shapes, in the frame of its link, and its radius, m."""
    found: list[tuple[float, tuple[float, float, float], float]] = []
    for shape in character.links[link].shapes:
        if shape.collides:
            for centre, radius in _balls(shape):
                found.append((_in_world(pose, link, centre)[2] - radius, centre, radius))
    if not found:
        return (0.0, 0.0, 0.0), 0.0
    _, centre, radius = min(found)
    return centre, radius


def _balls(shape: Shape) -> list[tuple[tuple[float, float, float], float]]:
    """Return centres and radii of balls that represent a shape: the ends of a capsule, the corners of a box."""
    first, second, third = shape.size
    if shape.kind in ("capsule", "cylinder"):
        ends = [(0.0, 0.0, sign * second) for sign in (-1.0, 1.0)]
        return [(_placed(shape, end), first) for end in ends]
    if shape.kind == "box":
        signs = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
        return [(_placed(shape, (x * first, y * second, z * third)), 0.0) for x, y, z in signs]
    return [(shape.position, max(first, second, third) if shape.kind == "ellipsoid" else first)]


def _placed(shape: Shape, point: tuple[float, float, float]) -> tuple[float, float, float]:
    x, y, z = rotate(shape.orientation, point)
    return (x + shape.position[0], y + shape.position[1], z + shape.position[2])


def _in_world(pose: Floats, link: int, point: tuple[float, float, float] | Floats) -> Floats:
    turned = rotate(quaternion_at(pose, link, 3), (float(point[0]), float(point[1]), float(point[2])))
    return np.add(pose[link, :3], turned)
