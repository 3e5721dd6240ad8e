"""Poses of a planned robot's body: feet that roll, and whole-body inverse kinematics."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.spatial.spatial_frames import rotation_matrix
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.footsteps.bodies import BODIES, body_of, hip_place
from ctrlgraph.footsteps.robots import LeggedRobot
from ctrlgraph.footsteps.survey import PlannedMotion
from ctrlgraph.kernels.footsteps.whole_body import PoseTargets, PoseWork, improve_pose
from ctrlgraph.kernels.spatial.spatial_arrays import new_spatial_kinematics, spatial_body
from ctrlgraph.kernels.spatial.spatial_dynamics import new_spatial_dynamics_space
from ctrlgraph.kernels.spatial.spatial_kinematics import place_links

RELAXED = 0.9
"""Distance of hip and ankle, as a fraction of the leg, above which a foot rolls."""
ROLL_ARM_M = 0.12
"""Length that damps the roll of feet with short lever arms, m."""
LIFT_GAIN = 1.5
"""Gain of the height of a swinging foot on its roll."""
FULL_ROLL = 0.15
"""Level distance of hip and ankle from which a foot rolls fully, as a fraction of the leg."""
LARGEST_ROLL = 0.8
"""Largest roll of a foot, rad."""
LEAN = 0.5
"""Lean of the trunk, as a fraction of that of the pendulum."""
SMOOTH = {"thigh": 3e-4, "shank": 2e-4, "foot": 5e-5}
"""Weight of smooth motion of the joints above a link, by its name; smaller near the feet, which are smooth anyway."""
FIRST_STEPS, STEPS = 40, 6
"""Steps of the inverse kinematics for the first pose, and for each later one."""

Array = NDArray[np.float64]


class FootPlace(NamedTuple):
    """A foot that has rolled about a line on its sole."""

    contacts: Array
    """Contact points in the world (C, 3), m."""
    ankle: Array
    """Ankle in the world (3,), m."""
    roll: float
    """Angle of the roll, rad."""


def place_foot(robot: LeggedRobot, pose: Array, height: float, hip: Array) -> FootPlace:
    """Roll a foot towards its hip.

    The foot turns about the end of its sole that is nearest to the hip: the toes if the hip is ahead, the heel if it is
    behind. The angle grows with the distance by which the leg would be too long, with the height of a swing, and with
    the distance of that end from the ankle.

    Args:
        robot: Robot.
        pose: Position, m, and angle, rad, of the flat foot (3,).
        height: Height of the flat foot above the ground, m.
        hip: Position of the hip in the world (3,), m.
    """
    size = BODIES[robot.name]
    c, s = math.cos(pose[2]), math.sin(pose[2])
    turn = np.array([[c, -s], [s, c]])
    contacts = np.column_stack([np.array(robot.contact_m) @ turn.T + pose[:2], np.full(len(robot.contact_m), height)])
    forward, above = size.ankle_m
    ankle = np.array([pose[0] + c * forward, pose[1] + s * forward, height + above])
    away = hip - ankle
    level = math.hypot(away[0], away[1])
    if level < 1e-9:
        return FootPlace(contacts, ankle, 0.0)
    ahead = np.array([away[0] / level, away[1] / level, 0.0])
    arm = float(((contacts - ankle) @ ahead).max())
    too_long = max(0.0, float(np.linalg.norm(away)) - RELAXED * size.leg_m)
    angle = (too_long + LIFT_GAIN * height) * max(arm, 0.0) / (arm * arm + ROLL_ARM_M**2)
    angle = min(angle, LARGEST_ROLL) * min(1.0, level / (FULL_ROLL * size.leg_m))
    pivot = np.array([*(ankle + arm * ahead)[:2], height])
    return FootPlace(_rolled(contacts, pivot, ahead, angle), _rolled(ankle[None], pivot, ahead, angle)[0], angle)


def _rolled(points: Array, pivot: Array, ahead: Array, angle: float) -> Array:
    """Return points after a rotation about a level line through a pivot that tips them ahead."""
    off = points - pivot
    along = off @ ahead
    up = off[:, 2]
    side = off - along[:, None] * ahead
    side[:, 2] = 0.0
    c, s = math.cos(angle), math.sin(angle)
    turned = side + (c * along + s * up)[:, None] * ahead
    turned[:, 2] = c * up - s * along
    return np.asarray(turned + pivot)


class BodyPoser:
    """The body of a robot, which is posed for one tick of a plan after the other.

    >>> from ctrlgraph.footsteps.planner import FootstepPlanner
    >>> from ctrlgraph.footsteps.robots import ROBOTS
    >>> planner = FootstepPlanner(ROBOTS["biped"])
    >>> poser = BodyPoser(planner.robot)
    >>> place = planner.centre_of_mass, planner.heading, planner.lean
    >>> pose = poser.pose(*place, planner.foot_pose, planner.foot_height)
    >>> pose.shape, poser.contact_error_m < 1e-3
    ((7, 7), True)
    """

    def __init__(self, robot: LeggedRobot) -> None:
        """Create the body of a robot in its reference pose."""
        self.robot = robot
        self.character = body_of(robot)
        self._body = spatial_body(self.character)
        n_links, n = len(self.character.links), len(self.character.joints)
        self._kin = new_spatial_kinematics(n_links, n)
        self._space = new_spatial_dynamics_space(n_links, n)
        self._work = PoseWork(
            np.zeros((3, 6 + n)), np.zeros((3, 6 + n)), np.zeros((6 + n, 6 + n)), np.zeros((1, 6 + n))
        )
        feet = np.array(self.character.roles.feet)
        spheres = [[shape.position for shape in self.character.links[foot].shapes] for foot in feet]
        joints = self.character.joints
        self._targets = PoseTargets(
            foot=feet,
            contact=np.array(spheres),
            place=np.zeros((len(feet), len(robot.contact_m), 3)),
            com=np.zeros(3),
            turn=np.zeros(4),
            smooth=np.array([SMOOTH[joint.name.split()[0]] for joint in joints]),
            expected=np.zeros(n),
        )
        self._hips = np.array([hip_place(robot, foot) for foot in range(len(feet))])
        self._starts = 6 * np.arange(len(feet))  # each leg has six joints
        self.angles = np.zeros(n)
        """Joint angles (J,), rad."""
        self._before = np.zeros(n)
        self._is_posed = False
        self.rolls = np.zeros(len(feet))
        """Roll of each foot (F,), rad."""

    def pose(self, mass: Array, heading: float, lean: Array, feet: Array, heights: Array) -> Array:
        """Return the poses of the links for a tick of a plan (L, 7): position, m, and orientation.

        Args:
            mass: Centre of mass (3,), m.
            heading: Heading, rad.
            lean: Angle of the pendulum along x and y (2,), rad.
            feet: Position and angle of each foot (F, 3).
            heights: Height of each foot (F,), m.
        """
        targets, kin = self._targets, self._kin
        c, s = math.cos(heading), math.sin(heading)
        for foot, (x, y, z) in enumerate(self._hips):
            hip = mass + np.array([c * x - s * y, s * x + c * y, z - self.robot.height_m])
            placed = place_foot(self.robot, feet[foot], float(heights[foot]), hip)
            targets.place[foot] = placed.contacts
            self.rolls[foot] = placed.roll
        targets.com[:] = mass
        targets.turn[:] = _trunk_turn(heading, -LEAN * lean)
        first = not self._is_posed
        if first:
            root = self.character.links[0].position
            kin.pose[0, :3] = mass[0], mass[1], mass[2] + root[2] - self.robot.height_m
            kin.pose[0, 3:] = targets.turn
            place_links(self._body, kin, self.angles)
            self._before[:] = self.angles
        targets.expected[:] = 2.0 * self.angles - self._before
        self._before[:] = self.angles
        for _ in range(FIRST_STEPS if first else STEPS):
            if first:
                targets.expected[:] = self.angles
            improve_pose(self._body, kin, self._space, targets, self._work, self.angles)
        if first:
            self._before[:] = self.angles
            self._is_posed = True
        return kin.pose.copy()

    def skeleton(self) -> Array:
        """Return hip, knee, ankle and contact points of each leg in the present pose (F, 3 + C, 3), m."""
        joints = self._kin.place[self._starts[:, None] + np.array([0, 3, 4])]  # hip, knee, ankle
        return np.concatenate([joints, self._contacts()], axis=1)

    def _contacts(self) -> Array:
        """Return the contact points of the feet in the present pose (F, C, 3), m."""
        pose = self._kin.pose[self._targets.foot]
        turned = np.einsum("fij,fcj->fci", rotation_matrix(pose[:, 3:]), self._targets.contact)
        return np.asarray(turned + pose[:, None, :3])

    @property
    def contact_error_m(self) -> float:
        """Return the largest distance of a contact point from its target, m."""
        return float(np.linalg.norm(self._contacts() - self._targets.place, axis=2).max())

    @property
    def reaches(self) -> Array:
        """Return the distance of hip and ankle of each leg (F,), as a fraction of the length of the leg."""
        legs = self.skeleton()
        return np.asarray(np.linalg.norm(legs[:, 2] - legs[:, 0], axis=1) / BODIES[self.robot.name].leg_m)


class PosedMotion(NamedTuple):
    """The body of a robot in each of n ticks of a planned motion."""

    character: SpatialCharacter
    poses: Array
    """Position, m, and orientation of each link (n, L, 7)."""
    legs: Array
    """Hip, knee, ankle and contact points of each leg (n, F, 3 + C, 3), m."""
    reaches: Array
    """Distance of hip and ankle of each leg (n, F), as a fraction of the length of the leg."""
    errors: Array
    """Largest distance of a contact point from its target (n,), m."""


def pose_motion(robot: LeggedRobot, motion: PlannedMotion) -> PosedMotion:
    """Pose the body of a robot in each tick of a planned motion."""
    poser, n = BodyPoser(robot), len(motion.mass)
    poses = np.zeros((n, len(poser.character.links), 7))
    legs, reaches = np.zeros((n, *poser.skeleton().shape)), np.zeros((n, len(robot.hips_m)))
    errors = np.zeros(n)
    for i in range(n):
        mass = np.array([*motion.mass[i], motion.height[i]])
        poses[i] = poser.pose(mass, float(motion.heading[i]), motion.lean[i], motion.poses[i], motion.lift[i])
        legs[i], reaches[i], errors[i] = poser.skeleton(), poser.reaches, poser.contact_error_m
    return PosedMotion(poser.character, poses, legs, reaches, errors)


def trunk_corners(robot: LeggedRobot, poses: Array) -> Array:
    """Return the corners of the trunk (n, 8, 3), m, from its position and orientation (n, 7)."""
    half = 0.5 * np.array(BODIES[robot.name].trunk_m)
    signs = np.stack(np.meshgrid(*[(-1.0, 1.0)] * 3), axis=-1).reshape(8, 3)
    turned = np.einsum("nij,cj->nci", rotation_matrix(poses[:, 3:]), signs * half)
    return np.asarray(turned + poses[:, None, :3])


def _trunk_turn(heading: float, lean: Array) -> tuple[float, float, float, float]:
    """Return the orientation of a trunk that leans by small angles along x and y, rad, and then has a heading."""
    size = math.hypot(lean[0], lean[1])
    a, b = math.cos(0.5 * size), math.sin(0.5 * size) / size if size > 0.0 else 0.5
    tip = (a, -b * lean[1], b * lean[0], 0.0)  # about the level axis perpendicular to the lean
    c, s = math.cos(0.5 * heading), math.sin(0.5 * heading)
    return c * tip[0], c * tip[1] - s * tip[2], c * tip[2] + s * tip[1], s * tip[0]
