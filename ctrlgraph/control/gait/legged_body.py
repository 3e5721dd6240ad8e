"""The legs of a character, and its body in the start pose, as gait controllers need them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.spatial.spatial_extent import lowest_ball, lowest_points, point_in_world
from ctrlgraph.character.spatial.spatial_frames import reference_frames, rotation_matrix
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.kernels.spatial.spatial_arrays import (
    SpatialBody,
    SpatialKinematics,
    new_spatial_kinematics,
    spatial_body,
)
from ctrlgraph.kernels.spatial.spatial_dynamics import mass_matrix, new_spatial_dynamics_space
from ctrlgraph.kernels.spatial.spatial_kinematics import place_links, update_joints
from ctrlgraph.kernels.spatial.spatial_rotation import about_axis, product, rotate

_SOLE_TASKS = 6
"""Number of joints with which a leg can place and turn a foot."""
_WIDE = 0.01
"""Minimum size of a sole along its shorter axis, m."""
INNER = 0.8
"""Part of the sole, in each direction, in which the feet are to press on the ground."""


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
    """(N,) distance of the centre of the foot from the ground in a stance, m."""
    tasks: Ints
    """(N,) number of components of the motion of the foot that the leg controls: 3, or 6 for a foot with a sole."""
    breadth: Floats
    """(N,) breadth of the sole, m; 0 for a foot without a sole."""
    level: Floats
    """(N, 4) orientation of the foot in the start pose relative to the heading."""
    n_points: Ints
    """(N,) number of points with which the foot touches the ground."""
    owner: Ints
    """(P,) index of the leg of each point of the feet."""
    arm: Floats
    """(P, 3) place of each point from the centre of the foot, in the frame of the foot's link, m."""
    spread: Floats
    """(P, 2) the same in the start pose, forward and to the left, m."""
    toe: Floats
    """(N, 3) middle of the front edge of the sole from the centre of the foot in the start pose, m."""
    reach: Floats
    """(N,) distance of the last joint of the leg from the hip if the leg is straight, m."""
    stance: Floats
    """(N, 2) foothold under the hip, forward and to the left of the centre of mass, m."""
    inertia: Floats
    """(N, C) moment of inertia about each joint in the start pose, kg m^2."""
    rest: Floats
    """(N, C) angle of each joint in the start pose, rad."""
    frame: Floats
    """(N, 6) forward and upward axis of the link to which each leg is attached, in the frame of this link."""
    spine: Ints
    """(N, S) indices of the joints between the root and the leg; -1 in unused columns."""
    n_spine: Ints
    """(N,) number of joints between the root and each leg."""


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
    body = spatial_body(character)
    kin, angles = _start(character, body)
    size = len(character.joints)
    space = new_spatial_dynamics_space(len(character.links), size)
    matrix = np.zeros((6 * body.floating + size,) * 2)
    mass_matrix(body, kin, space, matrix)
    diagonal = np.diag(matrix)
    own = diagonal[6 * body.floating :]
    chains = [(*leg.hip, leg.knee, *leg.ankles) for leg in character.roles.legs]
    n, most = len(chains), max(map(len, chains), default=1)
    joints, inertia, rest = np.full((n, most), -1, np.int64), np.zeros((n, most)), np.zeros((n, most))
    stance, soles, reach = np.zeros((n, 2)), np.zeros(n), np.zeros(n)
    place, radius, tasks, arms = _feet(character, kin, [len(chain) for chain in chains])
    for i, (leg, chain) in enumerate(zip(character.roles.legs, chains, strict=True)):
        joints[i, : len(chain)], inertia[i, : len(chain)] = chain, own[list(chain)]
        rest[i, : len(chain)] = angles[list(chain)]
        stance[i] = kin.place[leg.hip[-1], :2] - kin.com[:2]
        ends = [kin.place[j] for j in (leg.hip[-1], leg.knee, chain[-1])]
        reach[i] = np.linalg.norm(ends[1] - ends[0]) + np.linalg.norm(ends[2] - ends[1])
        soles[i] = point_in_world(kin.pose[leg.foot], place[i])[2] - radius[i]
    paths = [
        character.joints_between(character.root, character.joints[leg.hip[0]].parent) for leg in character.roles.legs
    ]
    spine = np.full((n, max(map(len, paths), default=0)), -1, np.int64)
    for i, path in enumerate(paths):
        spine[i, : len(path)] = path
    turned = reference_frames(character).rotation
    frames = [turned[character.joints[leg.hip[0]].parent][[0, 2]] for leg in character.roles.legs]
    axes = np.ascontiguousarray(turned[character.trunk].T)
    ahead = rotation_matrix(kin.pose[character.trunk, 3:]) @ axes[:, 0]
    heading = about_axis((0.0, 0.0, 1.0), -math.atan2(ahead[1], ahead[0]))
    level = np.array([product(heading, tuple(kin.pose[leg.foot, 3:])) for leg in character.roles.legs])
    owner = np.repeat(np.arange(n), [len(each) for each in arms])
    arm = np.concatenate(arms) if arms else np.zeros((0, 3))
    level_arms = [rotate(tuple(level[i]), tuple(each))[:2] for i, each in zip(owner, arm, strict=True)]
    spread = np.array(level_arms).reshape(-1, 2)
    stance[:, 0] -= stance[:, 0].mean() if n else 0.0
    legs = GaitLegs(
        joints=joints,
        n_joints=np.array([len(chain) for chain in chains], np.int64),
        hips=np.array([len(leg.hip) for leg in character.roles.legs], np.int64),
        foot=np.array([leg.foot for leg in character.roles.legs], np.int64),
        place=place,
        radius=radius,
        tasks=tasks,
        breadth=np.array([np.ptp(spread[owner == i, 1]) / INNER for i in range(n)]),
        level=level.reshape(n, 4),
        n_points=np.array([len(each) for each in arms], np.int64),
        owner=owner,
        arm=arm,
        spread=spread,
        toe=np.array([(spread[owner == i, 0].max() / INNER, 0.0, 0.0) for i in range(n)]).reshape(n, 3),
        reach=reach,
        stance=stance,
        inertia=inertia,
        rest=rest,
        frame=np.array(frames).reshape(n, 6),
        spine=spine,
        n_spine=np.array([len(path) for path in paths], np.int64),
    )
    whole = diagonal[3:6].copy() if body.floating else np.ones(3)
    height = float(kin.com[2] - soles.mean()) if n else 0.0
    return LeggedBody(legs, axes, whole, height, character.mass, angles, len(character.links))


def _start(character: SpatialCharacter, body: SpatialBody) -> tuple[SpatialKinematics, Floats]:
    """Return the state and the joint angles of a character in its start pose, or else its reference pose."""
    kin, pose = new_spatial_kinematics(len(character.links), len(character.joints)), character.start_pose
    root = character.links[character.root]
    kin.pose[body.root, :3] = root.position if pose is None else pose.position
    kin.pose[body.root, 3:] = root.orientation if pose is None else pose.orientation
    angles = np.zeros(len(character.joints)) if pose is None else np.array(pose.angles)
    place_links(body, kin, angles)
    update_joints(body, kin)
    return kin, angles


def _feet(
    character: SpatialCharacter, kin: SpatialKinematics, n_joints: Sequence[int]
) -> tuple[Floats, Floats, Ints, list[Floats]]:
    """Return the arrays `place`, `radius` and `tasks` of `GaitLegs`, and the rows of `arm` of each leg.

    Args:
        character: the character.
        kin: its state in the start pose.
        n_joints: number of joints of each leg.
    """
    n = len(n_joints)
    place, radius, tasks, arms = np.zeros((n, 3)), np.zeros(n), np.full(n, 3, np.int64), [np.zeros((1, 3))] * n
    for i, leg in enumerate(character.roles.legs):
        place[i], radius[i] = lowest_ball(character, leg.foot, kin.pose[leg.foot])
        if n_joints[i] < _SOLE_TASKS:
            continue
        points = lowest_points(character, leg.foot, kin.pose[leg.foot])
        off = points - points.mean(axis=0)
        if np.linalg.matrix_rank(off, _WIDE) >= 2:
            place[i], radius[i], tasks[i], arms[i] = points.mean(axis=0), 0.0, _SOLE_TASKS, INNER * off
    return place, radius, tasks, arms
