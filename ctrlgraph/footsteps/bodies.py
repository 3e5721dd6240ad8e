"""Bodies of the planned robots: a trunk and legs with knees and feet, as characters in space.

The source draws the robots without dimensions; these are chosen to match its drawings. A leg has three hinges at the
hip, one at the knee and two at the ankle. The centre of mass of the reference pose is at the robot's height above the
middle of its feet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.model import TorqueRange
from ctrlgraph.character.spatial_model import (
    UNROTATED,
    Shape,
    SpatialCharacter,
    SpatialJoint,
    SpatialLink,
    SpatialRoles,
)
from ctrlgraph.footsteps.robots import LeggedRobot

REACH_SHARE = 0.98
"""Largest distance of ankle and hip, as a fraction of the length of the leg; the limit of the knee follows from it."""
LEG_MASS = 0.3
"""Mass of all legs, as a fraction of the robot's mass."""
LEG_LINKS = (("thigh", 0.55), ("shank", 0.35), ("foot", 0.1))
"""Links of a leg, with their fractions of its mass."""
UNLIMITED = TorqueRange.symmetric(1.0)
"""Torque limits of joints that are only posed."""


@dataclass(frozen=True, slots=True)
class BodyDimensions:
    """Dimensions of the body of a planned robot, m."""

    hip_m: float
    """Height of the hips."""
    inset: tuple[float, float]
    """Position of a hip forward and to the left, as fractions of that of its foot."""
    thigh_m: float
    shank_m: float
    ankle_m: tuple[float, float]
    """Position of the ankle from the middle of the foot: forward, and above the ground."""
    trunk_m: tuple[float, float, float]
    """Length, width and height of the trunk."""
    knees: str
    """Direction of the knees: "forward", "inward" (front knees backward, hind knees forward), "outward", "sideways"."""

    @property
    def leg_m(self) -> float:
        """Return the length of a leg from hip to ankle, m."""
        return self.thigh_m + self.shank_m


BODIES = {
    "table": BodyDimensions(0.66, (0.9, 0.9), 0.38, 0.38, (0.0, 0.04), (0.75, 0.65, 0.05), "outward"),
    "quadruped": BodyDimensions(0.51, (1.0, 1.0), 0.29, 0.29, (0.0, 0.03), (0.75, 0.26, 0.18), "inward"),
    "biped": BodyDimensions(0.85, (1.0, 0.9), 0.43, 0.43, (-0.05, 0.08), (0.2, 0.3, 0.64), "forward"),
    "crawler": BodyDimensions(0.36, (1.0, 0.5), 0.22, 0.34, (0.0, 0.03), (0.9, 0.22, 0.1), "sideways"),
}
"""The bodies by the name of their robot."""


def knee_direction(robot: LeggedRobot, foot: int) -> tuple[float, float]:
    """Return the level unit vector from the line of hip and ankle to the knee, in the frame of the robot."""
    x, y = robot.hips_m[foot]
    knees = BODIES[robot.name].knees
    if knees == "outward":
        return x / math.hypot(x, y), y / math.hypot(x, y)
    if knees == "sideways":
        return 0.0, math.copysign(1.0, y)
    return (-1.0, 0.0) if knees == "inward" and x > 0 else (1.0, 0.0)


def body_of(robot: LeggedRobot) -> SpatialCharacter:
    """Return the body of a robot as a character.

    Args:
        robot: One of the robots of `BODIES`.
    """
    size, n = BODIES[robot.name], len(robot.hips_m)
    legs = [_leg_places(robot, foot) for foot in range(n)]
    masses = [share * LEG_MASS * robot.mass_kg / n for _, share in LEG_LINKS]
    trunk_mass = (1.0 - LEG_MASS) * robot.mass_kg
    lower = sum(mass * middle for leg in legs for mass, middle in zip(masses, _middles(leg), strict=True))
    trunk = (robot.mass_kg * np.array([0.0, 0.0, robot.height_m]) - lower) / trunk_mass
    length, width, height = (0.5 * each for each in size.trunk_m)
    box = Shape("box", (length, width, height), (0.0, 0.0, 0.0))
    links = [SpatialLink("trunk", trunk_mass, _ball(trunk_mass, 0.2), _tuple(trunk), UNROTATED, (box,))]
    joints: list[SpatialJoint] = []
    for foot, leg in enumerate(legs):
        above, parent = trunk, 0
        flexion = knee_direction(robot, foot)
        axes = {"x": (*flexion, 0.0), "y": (-flexion[1], flexion[0], 0.0), "z": (0.0, 0.0, 1.0)}
        for k, ((name, _), mass, middle) in enumerate(zip(LEG_LINKS, masses, _middles(leg), strict=True)):
            shapes: tuple[Shape, ...] = ()
            if name == "foot":
                contacts = leg[3] + np.column_stack([robot.contact_m, np.zeros(len(robot.contact_m))])
                shapes = tuple(Shape("sphere", (0.008, 0.0, 0.0), _tuple(point - middle)) for point in contacts)
            links.append(
                SpatialLink(f"{name} {foot}", mass, _ball(mass, 0.1), _tuple(middle - above), UNROTATED, shapes)
            )
            for label, axis, lower_angle, upper_angle in _hinges(robot, foot)[name]:
                joints.append(
                    SpatialJoint(
                        f"{name} {label} {foot}", parent, len(links) - 1, lower_angle, upper_angle, UNLIMITED,
                        UNLIMITED, 1.0, 1.0, axis=axes[axis], anchor=_tuple(leg[k] - middle),
                    )
                )  # fmt: skip
            above, parent = middle, len(links) - 1
    sides = {s: [i for i in range(n) if (robot.hips_m[i][1] < 0) is s] for s in (True, False)}
    pairs = tuple(
        (1 + 3 * right + k, 1 + 3 * left + k)
        for right, left in zip(sides[True], sides[False], strict=True)
        for k in range(3)
    )
    return SpatialCharacter(
        name=robot.name,
        links=tuple(links),
        joints=tuple(joints),
        link_aliases={},
        joint_aliases={},
        roles=SpatialRoles(feet=tuple(3 + 3 * foot for foot in range(n)), link_pairs=pairs),
    )


def hip_place(robot: LeggedRobot, foot: int) -> NDArray[np.float64]:
    """Return the position of a hip in the reference pose (3,), m: forward, left, and above the ground."""
    size = BODIES[robot.name]
    x, y = robot.hips_m[foot]
    return np.array([x * size.inset[0], y * size.inset[1], size.hip_m])


def _leg_places(robot: LeggedRobot, foot: int) -> NDArray[np.float64]:
    """Return hip, knee, ankle and the middle of the foot on the ground in the reference pose (4, 3), m."""
    size = BODIES[robot.name]
    hip, middle = hip_place(robot, foot), np.array([*robot.hips_m[foot], 0.0])
    ankle = middle + np.array([size.ankle_m[0], 0.0, size.ankle_m[1]])
    way = ankle - hip
    distance = float(np.linalg.norm(way))
    along = (size.thigh_m**2 - size.shank_m**2 + distance**2) / (2.0 * distance)
    off = np.array([*knee_direction(robot, foot), 0.0])
    off -= way * (way @ off) / distance**2
    knee = hip + way * along / distance + off / np.linalg.norm(off) * math.sqrt(size.thigh_m**2 - along**2)
    return np.stack([hip, knee, ankle, middle])


def _middles(leg: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return the centre of mass of each link of a leg from its places, m."""
    return [0.5 * (leg[0] + leg[1]), 0.5 * (leg[1] + leg[2]), 0.5 * (leg[2] + leg[3])]


def _hinges(robot: LeggedRobot, foot: int) -> dict[str, list[tuple[str, str, float, float]]]:
    """Return name, axis, lower and upper limit, rad, of the joints above each link of a leg, by the link's name.

    The axis x points to the side of the knee, z upward. The knee cannot be straighter than `REACH_SHARE` allows.
    """
    hip, knee, ankle, _ = _leg_places(robot, foot)
    thigh, shank = knee - hip, ankle - knee
    bend = math.acos(float(thigh @ shank / np.linalg.norm(thigh) / np.linalg.norm(shank)))
    a, b = np.linalg.norm(thigh), np.linalg.norm(shank)
    straight = math.acos(float(((REACH_SHARE * (a + b)) ** 2 - a * a - b * b) / (2.0 * a * b)))
    return {
        "thigh": [("yaw", "z", -1.0, 1.0), ("roll", "x", -1.0, 1.0), ("pitch", "y", -1.8, 1.8)],
        "shank": [("pitch", "y", straight - bend, 2.6 - bend)],
        "foot": [("pitch", "y", -1.3, 1.3), ("roll", "x", -0.9, 0.9)],
    }


def _ball(mass: float, radius: float) -> tuple[float, float, float, float, float, float]:
    """Return the inertia tensor of a ball; the poses do not depend on it."""
    each = 0.4 * mass * radius * radius
    return each, each, each, 0.0, 0.0, 0.0


def _tuple(point: NDArray[np.float64]) -> tuple[float, float, float]:
    return float(point[0]), float(point[1]), float(point[2])
