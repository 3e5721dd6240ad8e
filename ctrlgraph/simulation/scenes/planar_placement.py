"""Placement of a planar character: poses of the links for given joint angles, and their distance from the ground."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.errors import SimulationError, near_names
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.planar.arrays import Body
from ctrlgraph.kernels.planar.collision import Shapes
from ctrlgraph.kernels.planar.kinematics import pose_links
from ctrlgraph.terrain.terrain import Terrain


def posed(character: PlanarCharacter, body: Body, pose: Mapping[str, float]) -> Floats:
    """Return the poses of the links for given joint angles, (L, 3): world position x, y, m, and global angle, rad.

    The centre of mass of the root link is where it is in the reference pose.

    Args:
        character: the character.
        body: constants of the character.
        pose: angles, rad, by name of the joint; "root" is the global angle of the root link. Missing angles are zero.

    Raises:
        SimulationError: a name is neither a joint nor "root", or an angle is not finite.
    """
    angles = np.zeros(len(character.joints))
    for name, angle in pose.items():
        if not math.isfinite(angle):
            raise SimulationError(f"the angle of '{name}' must be a finite number in rad, not {angle}")
        index = character.joint_index(name)
        if index is not None:
            angles[index] = angle
        elif name != "root":
            hint = near_names(name, (*character.known_joints, "root"), "joints")
            raise SimulationError(f"the character {character.name} has no joint '{name}' {hint}")
    link = character.links[character.root]
    return pose_links(body, angles, character.root, link.x, link.y, pose.get("root", 0.0))


def clearance(poses: Floats, shapes: Shapes, terrain: Terrain) -> float:
    """Return the height of the lowest contact circle above the ground, m; infinity without contact circles.

    The height of a circle is that of its lowest point above the terrain below its centre. The height is negative inside
    the ground.

    Args:
        poses: (L, 3) poses of the links, as `posed` returns them.
        shapes: contact circles of the character.
        terrain: the ground.
    """
    lowest, links = math.inf, poses.tolist()  # Python's floats are twice as fast as numpy's scalars
    for link, (u, v, radius) in zip(shapes.link.tolist(), shapes.circle.tolist(), strict=True):
        x, y, angle = links[link]
        cx = x + u * math.cos(angle) + v * math.sin(angle)
        cy = y + v * math.cos(angle) - u * math.sin(angle)
        lowest = min(lowest, cy - radius - terrain.height(cx))
    return lowest
